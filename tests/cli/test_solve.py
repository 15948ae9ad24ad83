"""``solve`` around a stand-in solver: what it asks, what it prints, progress and colour."""

from __future__ import annotations

import io
import json
from pathlib import Path
from time import time

import pytest

from simon_solver.cli.shared.output import style_of_output
from simon_solver.cli.shared.progress import SearchProgress, describe
from simon_solver.game.codes import parse_code
from simon_solver.reading.deals import read_deal
from simon_solver.search.progress import Progress
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.cli import StandInSolver, run
from tests.support.deals import DATA

CODE = "SS1-S4-AAAAABD"


def test_defaults(solver: StandInSolver) -> None:
    result = run("solve", CODE)
    assert result.exit_code == 0
    (call,) = solver.calls
    assert isinstance(call.pop("on_progress"), SearchProgress)
    assert call == {
        "deal": read_deal(CODE),
        "best": True,
        "time_limit": 60.0,
        "memory_limit": 4096,
        "state_limit": 0,
    }


def test_options_reach_the_solver(solver: StandInSolver) -> None:
    run(
        "solve", CODE, "--first", "--time-limit", "0.5", "--memory-limit", "100", "--state-limit",
        "9", "--after", "9>10", "--moves-made", "4",
    )  # fmt: skip
    (call,) = solver.calls
    assert call["best"] is False
    assert (call["time_limit"], call["memory_limit"], call["state_limit"]) == (0.5, 100, 9)
    assert call["deal"].moves_made == 5
    assert call["deal"].position.columns[8] == parse_code(CODE).deal().columns[8][:1]


def test_text(solver: StandInSolver) -> None:
    solver.answers = [StoppedBy.TIME]
    assert run("solve", CODE).stdout == (
        "deal     SS1-S4-AAAAABD (4 suits)\n"
        "verdict  undetermined (time limit)\n"
        "score    500 (not proven best, time limit; no line scores more than 850)\n"
        "line     0 moves, 0 runs removed\n"
        "search   7 states in 0.25 s\n"
        "Note: the app's codes look like ours but name other deals; "
        "to solve an app deal, give its description.\n"
    )
    assert "Note" not in run("solve", "kpat:72").stdout
    board = str(DATA / "samples" / "description_seed.txt")
    assert f"deal     {board} (4 suits)\n" in run("solve", board).stdout


@pytest.mark.usefixtures("solver")
def test_first() -> None:
    shown = run("solve", "kpat:72", "--first").stdout
    assert "score    500 (the first win found; no line scores more than 850)\n" in shown


def test_json(solver: StandInSolver) -> None:
    solver.answers = [Verdict.UNWINNABLE]
    result = run("solve", CODE, "--format", "json")
    assert result.exit_code == 1
    assert result.stdout == (
        '{"deal": "SS1-S4-AAAAABD", "suits": 4, "verdict": "unwinnable", "score": 500, '
        '"moves": 0, "runs_removed": 0, "best_proven": true, "score_bound": 500, '
        '"solution": [], "stopped_by": null, "states": 7, "seconds": 0.25}\n'
    )


def test_interrupted_search_prints_what_was_found(solver: StandInSolver) -> None:
    solver.answers = [StoppedBy.INTERRUPT]
    result = run("solve", "kpat:72", "--format", "json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["stopped_by"] == "interrupt"


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colour_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert not style_of_output().colour
    monkeypatch.setattr("sys.stdout", Terminal())
    assert style_of_output().colour
    assert style_of_output().symbols
    monkeypatch.setenv("NO_COLOR", "1")
    assert not style_of_output().colour
    monkeypatch.setenv("NO_COLOR", "")
    assert style_of_output().colour
    monkeypatch.setenv("TERM", "dumb")
    assert not style_of_output().colour


def _two_reports(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, seconds: float) -> str:
    """What is written on that standard error by a search that lasts so long."""
    monkeypatch.setattr("sys.stderr", stream)
    started = time()
    with SearchProgress() as show:
        monkeypatch.setattr("simon_solver.cli.shared.progress.time", lambda: started + seconds)
        show(Progress("deciding", 1000, None, None))
        if show._line is not None:
            show._line.mininterval = 0  # so that the second report is shown at once
        show(Progress("proving the best score", 2_500_000, 840, 850, Verdict.WINNABLE))
    return stream.getvalue()


def test_progress_after_half_a_second_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _two_reports(monkeypatch, Terminal(), 0.6)
    assert "deciding: 1.00k states" in shown
    assert "winnable, 840 so far, at most 850, proving the best score" in shown
    assert "2.50M states" in shown


def test_no_progress_before_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _two_reports(monkeypatch, Terminal(), 0.4) == ""


def test_no_progress_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _two_reports(monkeypatch, io.StringIO(), 100.0) == ""


def test_progress_in_words() -> None:
    assert describe(Progress("deciding", 1, None, None)) == "deciding"
    assert describe(Progress("deciding", 1, None, 900)) == "at most 900, deciding"


@pytest.mark.usefixtures("solver")
def test_a_deal_file_that_holds_a_code_is_called_by_it(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(CODE, encoding="ascii")
    assert run("solve", str(tmp_path / "x")).stdout.startswith(f"deal     {CODE} (4 suits)\n")
