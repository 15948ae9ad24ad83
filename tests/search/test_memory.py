"""A search that runs out of memory ends with what it has, and holds no more than the limit."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from simon_solver.answers.solver import solve
from simon_solver.game.codes import parse_code
from simon_solver.search.verdict import StoppedBy, Verdict

ALLOWANCE_MIB = 300
"""What a process may hold besides the nodes: Python, numba, compiled kernels, fixed tables."""

RUN = """
import json, re, resource, sys
from pathlib import Path
from simon_solver import check, solve
from simon_solver.game.codes import parse_code
call = {"check": check, "solve": solve}[sys.argv[1]]
result = call(parse_code(sys.argv[2]).deal(), time_limit=0, memory_limit=int(sys.argv[3]))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = Path("/proc/self/status")
if status.exists():  # there the other value holds what the process that started this one had
    peak = int(re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text())[1])
print(json.dumps([str(result.stopped_by), str(result.verdict), result.states, peak]))
"""
BYTES = 1 if sys.platform == "darwin" else 1024
"""Unit of that peak."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "code", "limit", "verdict"),
    [
        ("solve", "SS1-S2-AAAAABZ", 48, Verdict.WINNABLE),
        ("solve", "SS1-S4-AAAAABP", 64, Verdict.WINNABLE),
        ("check", "SS1-S4-AAAWOUJ", 512, Verdict.UNDETERMINED),
    ],
)
def test_a_process_stays_within_its_limit(
    command: str, code: str, limit: int, verdict: Verdict
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, command, code, str(limit)],
        capture_output=True,
        text=True,
        check=True,
    )
    stopped_by, found, states, peak = json.loads(done.stdout)
    assert (stopped_by, found) == (StoppedBy.MEMORY, verdict)
    assert states > 100_000
    assert peak * BYTES <= (limit + ALLOWANCE_MIB) << 20


def test_little_memory_gives_a_bracket() -> None:
    results = [
        solve(parse_code("SS1-S4-AAAAABP").deal(), time_limit=0, memory_limit=limit)
        for limit in (16, 32)
    ]
    for result in results:
        assert (result.verdict, result.stopped_by) == (Verdict.WINNABLE, StoppedBy.MEMORY)
        assert result.score < result.score_bound
    assert results[0].states < results[1].states
    assert results[0].score_bound >= results[1].score_bound
