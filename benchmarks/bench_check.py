"""How long `check` takes a deal, and how long the program takes to start.

    python -m benchmarks.bench_check --suits 1,2,4 --deals 1000

The deals are those of consecutive game codes. Their CPU time is the process's around the call of
`check`, kernels loaded. The starts are whole processes, each cold one with an empty folder for
compiled code.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tqdm import tqdm

from benchmarks.command_line import new_parser, positive
from benchmarks.deals import codes, suits_name, warm_up
from benchmarks.figures import mean, percentile, table
from benchmarks.machine import machine_line
from simon_solver.answers.solver import check
from simon_solver.search.verdict import StoppedBy, Verdict

CHECK_START = ("check", "SS1-S1-AAAAABD")
SOLVE_START = ("solve", "SS1-S4-AAAAABD")


@dataclass(frozen=True)
class Measurement:
    """What `check` said and used. The wins are not kept: many objects slow the collector down."""

    verdict: Verdict
    states: int
    cpu_seconds: float


def measure(suits: int, deals: int, start: int) -> list[Measurement]:
    """Check the deals of so many consecutive codes.

    Raises:
        KeyboardInterrupt: Ctrl-C ended a search.
    """
    done = []
    chosen = islice(codes(suits, start), deals)
    for code in tqdm(chosen, total=deals, desc=suits_name(suits), disable=None, leave=False):
        position = code.deal()
        begun = time.process_time()
        result = check(position)
        seconds = time.process_time() - begun
        done.append(Measurement(result.verdict, result.states, seconds))
        if result.stopped_by is StoppedBy.INTERRUPT:
            raise KeyboardInterrupt
    return done


def verdict_row(suits: int, done: Sequence[Measurement]) -> list[object]:
    """How many deals have which verdict."""
    counts = Counter(one.verdict for one in done)
    return [suits, len(done), *(counts[verdict] for verdict in Verdict)]


def time_row(suits: int, done: Sequence[Measurement]) -> list[object]:
    """CPU milliseconds a deal."""
    times = [1000 * one.cpu_seconds for one in done]
    return [suits, percentile(times, 50), mean(times), percentile(times, 99), max(times)]


def state_row(suits: int, done: Sequence[Measurement]) -> list[object]:
    """Expanded states a deal, and a CPU second."""
    states = [one.states for one in done]
    seconds = sum(one.cpu_seconds for one in done)
    return [suits, percentile(states, 50), mean(states), float(max(states)), sum(states) / seconds]


def run_once(arguments: Sequence[str], cache: str) -> tuple[float, float]:
    """CPU and wall seconds of the command line as a process of its own."""
    command = [sys.executable, "-m", "simon_solver", *arguments]
    before, begun = os.times(), time.perf_counter()
    subprocess.run(
        command, env=os.environ | {"NUMBA_CACHE_DIR": cache}, check=True, capture_output=True
    )
    after, wall = os.times(), time.perf_counter() - begun
    user, system = (
        getattr(after, name) - getattr(before, name)
        for name in ("children_user", "children_system")
    )
    return user + system, wall


def start_rows(arguments: Sequence[str], warm_starts: int) -> list[list[object]]:
    """A cold start, then the median of some warm ones."""
    with tempfile.TemporaryDirectory() as cache:
        cold = run_once(arguments, cache)
        warm = [run_once(arguments, cache) for _ in range(warm_starts)]
    name = " ".join(arguments)
    cpu, wall = (statistics.median(times) for times in zip(*warm, strict=True))
    return [[f"{name}, cold", *cold], [f"{name}, warm", cpu, wall]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = new_parser("benchmarks.bench_check", __doc__)
    parser.add_argument("--deals", type=positive, default=1000, help="deals of each suit count")
    parser.add_argument(
        "--starts", type=int, default=5, help="warm starts of the program; 0 leaves starts out"
    )
    options = parser.parse_args(arguments)
    print(machine_line(), flush=True)
    warm_up(options.suits)
    found = {suits: measure(suits, options.deals, options.start) for suits in options.suits}
    print("\nVerdicts\n")
    print(table(["suits", "deals", *Verdict], [verdict_row(*item) for item in found.items()]))
    print("\nCPU ms a deal\n")
    print(
        table(
            ["suits", "median", "mean", "99 %", "max"], [time_row(*item) for item in found.items()]
        )
    )
    print("\nExpanded states a deal\n")
    print(
        table(
            ["suits", "median", "mean", "max", "states/CPU s"],
            [state_row(*item) for item in found.items()],
        )
    )
    if options.starts:
        rows = [
            row for start in (CHECK_START, SOLVE_START) for row in start_rows(start, options.starts)
        ]
        print(f"\nThe whole process, warm: median of {options.starts}\n")
        print(table(["start", "CPU s", "wall s"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
