"""``verify --improve`` and the notations of ``solve``: with a stand-in solver and with the real."""

from __future__ import annotations

import json

import pytest

from simon_solver.game.moves import parse_moves
from simon_solver.reading.deals import read_deal
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.cli import StandInSolver, error_line, run
from tests.support.deals import DATA

CODE = "SS1-S4-AAAAABD"
FC_SOLVE = str(DATA / "samples" / "ms24_fcsolve_m.txt")


def test_the_solver_is_asked_only_when_wanted(solver: StandInSolver) -> None:
    assert run("verify", CODE, "9>10").exit_code == 1
    assert solver.calls == []
    # Of an illegal list there is nothing to improve.
    assert run("verify", CODE, "9>9", "--improve").exit_code == 2
    assert solver.calls == []


def test_limits_and_the_start_reach_the_solver(solver: StandInSolver) -> None:
    run(
        "verify", CODE, "9>6", "--improve", "--after", "9>10", "--moves-made", "2",
        "--time-limit", "3", "--memory-limit", "50", "--state-limit", "7",
    )  # fmt: skip
    (call,) = solver.calls
    assert (call["time_limit"], call["memory_limit"], call["state_limit"]) == (3, 50, 7)
    assert call["best"] is True
    assert call["deal"].moves_made == 3
    assert call["deal"].position == read_deal(CODE).after(parse_moves("9>10")).position


@pytest.mark.parametrize(
    ("moves", "answer", "best", "exit_code"),
    [
        ("9>10", Verdict.UNWINNABLE, "500 (proven best: no move helps): 1 point more", 1),
        ("# none", Verdict.UNWINNABLE, "500 (proven best: no move helps): the same", 1),
        ("9>10 9>6", StoppedBy.TIME, "500 (not proven best, time limit; no line scores more than "
         "850): 2 points more", 1),
        ("9>10", StoppedBy.INTERRUPT, "500 (not proven best, interrupted; no line scores more than "
         "850): 1 point more", 130),
    ],
)  # fmt: skip
def test_how_far_it_is_from_the_best(
    moves: str, answer: Verdict | StoppedBy, best: str, exit_code: int, solver: StandInSolver
) -> None:
    solver.answers = [answer]
    result = run("verify", CODE, moves, "--improve")
    assert result.exit_code == exit_code
    assert result.stdout.splitlines()[-1] == f"best     {best}"


def test_more_than_the_best_that_a_limit_left(solver: StandInSolver) -> None:
    solver.answers = [StoppedBy.STATES]
    win = str(DATA / "samples" / "ms72_win93_from_to_count.txt")
    result = run("verify", "kpat:72", win, "--improve")
    assert result.exit_code == 0
    assert result.stdout.endswith("): 307 points less\n")


def test_the_better_line_is_shown() -> None:
    result = run("verify", "ms:24", FC_SOLVE, "--improve")
    assert result.exit_code == 0
    assert "best     837 (proven best): 38 points more\n" in result.stdout
    given, better = result.stdout.split("\n\nThe better line:\n")
    assert given.endswith("\n101. 4>9:5    5♦ .. A♦  6♦        799  run of ♦ removed (4)\n"
                          "     the table is empty: won")  # fmt: skip
    assert run("verify", "ms:24", "-", stdin=better).exit_code == 0
    assert "        837  run of" in better
    record = json.loads(run("verify", "ms:24", FC_SOLVE, "--improve", "--format", "json").stdout)
    assert (record["score"], record["best"]["score"]) == (799, 837)
    assert record["best"]["best_proven"] is True
    assert len(record["best"]["solution"]) == 63


def test_the_best_line_is_the_best() -> None:
    best = run("solve", CODE, "--format", "json").stdout
    result = run("verify", CODE, "-", "--improve", stdin=best)
    assert result.exit_code == 0
    assert result.stdout.endswith("best     840 (proven best): the same\n")


@pytest.mark.parametrize("mixed_runs", [[], ["--mixed-runs"]])
@pytest.mark.parametrize("notation", ["simon", "fc-solve", "spoken"])
def test_what_solve_prints_is_read_again(notation: str, mixed_runs: list[str]) -> None:
    printed = run("solve", "kpat:4", "--first", "--notation", notation, *mixed_runs)
    assert printed.exit_code == 0
    result = run("verify", "kpat:4", "-", stdin=printed.stdout)
    assert result.exit_code == 0
    points = printed.stdout.split("\nscore    ")[1].split()[0]
    assert f"\nscore    {points} (" in result.stdout


def test_solve_speaks() -> None:
    printed = run("solve", CODE, "--notation", "spoken").stdout
    assert "\n\n  1. move the queen of diamonds from column 9 to column 10\n" in printed
    assert printed.endswith(
        "; the run of diamonds leaves the table\n     the table is empty: won\n"
    )


def test_an_unknown_notation() -> None:
    result = run("solve", CODE, "--notation", "pysol")
    assert result.exit_code == 2
    assert error_line(result).startswith("Invalid value for '--notation': 'pysol' is not one of ")
