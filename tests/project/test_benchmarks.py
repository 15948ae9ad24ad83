"""The benchmarks run, and their tables have the rows and columns that they should; no times."""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import (
    bench_ablation,
    bench_best,
    bench_check,
    bench_difficulty,
    bench_fc_solve,
    bench_rates,
    bench_start,
    metering,
)
from benchmarks.cpu_limit import cpu_limit
from benchmarks.figures import figure, percentile
from benchmarks.machine import machine_line
from simon_solver.game.codes import parse_code
from tests.support.fc_solve import needs_fc_solve

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="no interval timers")

Table = tuple[list[str], list[list[str]]]


def tables(output: str) -> dict[str, Table]:
    """Head and rows of each table, by the line above it."""
    found: dict[str, Table] = {}
    title = ""
    for line in output.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            title = line or title
        elif title not in found:
            found[title] = (cells, [])
        elif not set(line) <= set("|-:"):
            found[title][1].append(cells)
    return found


def first_cells(table: Table) -> list[str]:
    return [row[0] for row in table[1]]


def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_check.main(["--suits", "4,1", "--deals", "12"]) == 0
    output = capsys.readouterr().out
    assert output.startswith(machine_line())
    found = tables(output)
    assert list(found) == ["Verdicts", "CPU ms a deal", "Expanded states a deal"]
    for table in found.values():
        assert first_cells(table) == ["4", "1"]
    head, rows = found["Verdicts"]
    assert head == ["suits", "deals", "winnable", "unwinnable", "undetermined"]
    for row in rows:
        assert int(row[1]) == 12 == sum(map(int, row[2:]))


@pytest.mark.slow
def test_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_start.main(["--suits", "4", "--codes", "2", "--runs", "1"]) == 0
    output = capsys.readouterr().out
    assert output.startswith(machine_line())
    decided, seconds, processes = tables(output).values()
    assert decided == (
        ["command", "codes", "decided"],
        [["check, 4 suits", "2", "100.0 %"], ["solve --first, 4 suits", "2", "100.0 %"]],
    )
    assert first_cells(seconds) == first_cells(decided)
    assert processes[0] == ["process", "CPU", "wall"]
    assert first_cells(processes) == [
        "check SS1-S1-AAAAABD, fresh",
        "solve SS1-S4-AAAAABD, fresh: first win on the screen",
        "solve SS1-S4-AAAAABD, fresh: proof",
        "rates --deals 1000, fresh",
        "warm-up, fresh",
        "check SS1-S1-AAAAABD, warm",
        "--help, warm",
        "--version, warm",
        "show SS1-S4-AAAAABD, warm",
    ]
    (seen,) = (row[2] for row in processes[1] if row[0].endswith("on the screen"))
    assert float(seen) > 0


def test_a_run_that_fails_is_not_measured(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="check SS1-S9-AAAAABD: exit code 2: "):
        bench_start.run_once(["check", "SS1-S9-AAAAABD"], str(tmp_path))


def test_what_begins_to_compile_is_not_decided_at_once(tmp_path: Path) -> None:
    run = bench_start.run_once(["check", "SS1-S1-AAAAABD"], str(tmp_path))
    assert run.exit_code == 0
    assert bench_start.Fresh(run, compiled=False).decided_at_once
    assert not bench_start.Fresh(run, compiled=True).decided_at_once
    assert not bench_start.Fresh(run._replace(exit_code=3), compiled=False).decided_at_once


BUSY = "import time\nwhile time.process_time() < 0.5: pass"


def test_children_count() -> None:
    code = (
        "import subprocess, sys\n"
        f"subprocess.run([sys.executable, '-c', {BUSY!r}])\n"
        "print('half')\n"
        f"subprocess.Popen([sys.executable, '-c', {BUSY!r}], stdout=subprocess.DEVNULL,"
        " stderr=subprocess.DEVNULL)\n"
        "sys.exit(7)"
    )
    run = metering.meter([sys.executable, "-c", code], os.environ)
    assert (run.exit_code, run.output, run.seen) == (7, "half\n", None)
    assert run.cpu > (1.0 if sys.platform == "linux" else 0.5)


def test_what_is_seen_on_a_terminal() -> None:
    code = (
        "import os, time\n"
        "print(os.isatty(2), *os.get_terminal_size(2), flush=True)\n"
        "time.sleep(0.3)\n"
        "print('score 500', flush=True)\n"
        "time.sleep(0.3)"
    )
    command = [sys.executable, "-c", code]
    run = metering.meter(command, os.environ, on_terminal=True, pattern=bench_start.WIN_IS_SEEN)
    assert run.output == "True 100 24\r\nscore 500\r\n"
    assert run.seen is not None
    assert 0.3 <= run.seen <= run.wall - 0.3


@needs_fc_solve
def test_fc_solve(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_fc_solve.main(["--deals", "46"]) == 0
    found = tables(capsys.readouterr().out)
    assert list(found) == ["CPU ms a deal, kpat:1 to kpat:46", "Verdicts"]
    programs = ["fc-solve", "simon_solver, decide", "simon_solver, check"]
    assert [first_cells(table) for table in found.values()] == [programs] * 2
    theirs, decided, checked = (row[1:] for row in found["Verdicts"][1])
    # kpat:30 can be won, though fc-solve does not see it
    assert decided == checked
    assert decided[3] == "100.0 %"
    assert int(theirs[0]) < int(decided[0])


def test_fc_solve_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit):
        bench_fc_solve.main([])
    assert "fc-solve is not installed" in capsys.readouterr().err


@pytest.mark.slow
def test_rates(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--suits", "1,4", "--deals", "70", "--rounds", "1"]
    assert bench_rates.main(arguments) == 0
    table = tables(capsys.readouterr().out)["Deals a second, median of 1"]
    assert table[0] == [
        *("suits", "2 bare runs", "2 single runs", "2 workers", "of bare", "of single"),
    ]
    assert first_cells(table) == ["1 suit", "4 suits"]


@pytest.mark.slow
def test_difficulty(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--suits", "1,4", "--winnable", "4", "--compared", "2"]
    assert bench_difficulty.main(arguments) == 0
    spread, grades, correlations = tables(capsys.readouterr().out).values()
    assert first_cells(spread) == ["1", "4"]
    assert [row[1] for row in spread[1]] == ["4", "4"]
    assert first_cells(grades) == ["1 suit"] * 3 + ["4 suits"] * 3
    assert sum(int(row[2]) for row in grades[1]) == 4
    assert first_cells(correlations) == ["1 suit", "4 suits"]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([1.0, 2.0, 3.0], [5.0, 6.0, 60.0], 1.0),
        ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], -1.0),
        ([1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 2.0, 3.0], 1.0),
        ([1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 4.0, 3.0], 0.6),
        ([1.0, 1.0], [1.0, 2.0], math.nan),
    ],
)
def test_rank_correlations(left: list[float], right: list[float], expected: float) -> None:
    found = bench_difficulty.rank_correlation(left, right)
    assert found == pytest.approx(expected, nan_ok=True)


EASY = ("--suits", "4", "--winnable", "1", "--start", "29", "--time-limit", "20")
HARD = ("--suits", "4", "--winnable", "2", "--start", "17", "--memory-limit", "1")


def test_best(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_best.main(EASY) == 0
    found = tables(capsys.readouterr().out)
    assert list(found) == [
        "Expanded states to the proof",
        "CPU seconds to the proof",
        "Proven within CPU seconds",
        "Scores (gap: bound less score where not proven)",
    ]
    for table in found.values():
        assert first_cells(table) == ["4"]
    assert found["Proven within CPU seconds"][0][1:5] == ["deals", "1 s", "3 s", "10 s"]


def test_best_of_deals_that_the_limit_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_best.main(HARD) == 0
    output = capsys.readouterr().out
    row = tables(output)["Scores (gap: bound less score where not proven)"][1][0]
    unproven = [line for line in output.splitlines() if "stopped by memory" in line]
    assert int(row[3]) == len(unproven) >= 1
    assert unproven[0].startswith("SS1-S4-AAAAA")


def test_best_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "best.csv"
    calls = [*HARD, "--csv", str(path)]
    assert bench_best.main(calls) == 0
    written = path.read_text(encoding="utf-8")
    origin, head, first, second = written.splitlines()
    assert "1 MiB" in origin
    assert head == "deal,suits,score,score_bound,moves,states,cpu_seconds,stopped_by"
    # The second line is cut off; the first is told apart from a new run by its score.
    marked = first.split(",")
    marked[2] = "123"
    path.write_text("\n".join([origin, head, ",".join(marked), second[:20]]), encoding="utf-8")
    assert bench_best.main([*calls, "--resume"]) == 0
    again = path.read_text(encoding="utf-8").splitlines()
    assert again[2] == ",".join(marked)
    assert again[3].split(",")[:6] == second.split(",")[:6]
    assert f"{marked[0]}: 123 of at most " in capsys.readouterr().out


@pytest.mark.parametrize("more", [[], ["--resume", "--time-limit", "1"]], ids=" ".join)
def test_best_mixes_no_files(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "best.csv"
    bench_best.RowFile(path, "limits of another run", resume=False).__exit__(None, None, None)
    before = path.read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        bench_best.main([*HARD, "--csv", str(path), *more])
    assert str(path) in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.slow
def test_ablation(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_ablation.main(EASY) == 0
    ((title, table),) = tables(capsys.readouterr().out).items()
    assert title == "4 suits"
    assert first_cells(table) == [name for name, _ in bench_ablation.SETTINGS]
    assert table[0][:4] == ["setting", "proven", "median states", "compared"]
    assert table[0][4:] == ["states", "ratio", "CPU s", "ratio"]
    assert table[1][0][5] == table[1][0][7] == "1.00"


def test_settings_are_compared_on_deals_that_both_prove() -> None:
    proof, none = bench_ablation.Proof, None
    proofs = {
        "all": [proof(60, 10, 1.0), proof(61, 20, 2.0), proof(none, 500, 9.0)],
        "less": [proof(60, 30, 2.0), proof(none, 500, 9.0), proof(62, 400, 8.0)],
        "nothing": [proof(none, 500, 9.0)] * 3,
    }
    assert bench_ablation.setting_rows(proofs) == [
        ["all", "2/3", 20, 2, 30.0, "1.00", 3.0, "1.00"],
        ["less", "2/3", 400, 1, 30.0, "3.00", 2.0, "2.00"],
        ["nothing", "0/3", math.inf, 0, 0.0, "–", 0.0, "–"],
    ]


def test_ablation_reports_settings_that_disagree(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lengths = iter(range(60, 1000))
    monkeypatch.setattr(
        bench_ablation, "prove", lambda *_: bench_ablation.Proof(next(lengths), 1, 1.0)
    )
    assert bench_ablation.main(EASY) == 1
    assert "settings disagree on the fewest moves" in capsys.readouterr().out


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN])
def test_a_limit_of_cpu_time_ends_a_search(handler: Any) -> None:
    before = signal.signal(signal.SIGINT, handler)
    try:
        # minutes of work
        row = bench_best.measure(parse_code("SS1-S1-AAAAADE"), 0.2, 1024)
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert (row.stopped_by, row.proven) == ("time", False)


def test_a_limit_of_cpu_time_leaves_all_else_alone() -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGPROF)]
    with cpu_limit(0.01) as limit:
        begun = time.process_time()
        while time.process_time() - begun < 0.1:
            pass
    assert not limit.passed
    assert handlers == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGPROF)]
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


@pytest.mark.parametrize(
    ("values", "level", "expected"),
    [
        ([3.0], 99, 3.0),
        ([4.0, 1.0, 3.0, 2.0], 50, 2.0),
        (range(1, 101), 99, 99.0),
        (range(1, 101), 100, 100.0),
        ([1.0, math.inf, math.inf], 50, math.inf),
        ([1.0, 2.0, math.inf], 50, 2.0),
    ],
)
def test_percentiles(values: Sequence[float], level: float, expected: float) -> None:
    assert percentile(values, level) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0"),
        (0.01234, "0.0123"),
        (0.000012, "0.0000"),
        (1.0, "1.00"),
        (12.34, "12.3"),
        (1234567.0, "1,234,567"),
        (math.inf, "–"),
        (math.nan, "–"),
    ],
)
def test_figures(value: float, expected: str) -> None:
    assert figure(value) == expected


@pytest.mark.parametrize(
    "arguments",
    [["--suits", "3"], ["--suits", ""], ["--winnable", "0"], ["--start", "-1"], ["--resume"]],
    ids=" ".join,
)
def test_bad_options(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        bench_best.main(arguments)
    assert stop.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("python -m benchmarks.bench_best: ")
