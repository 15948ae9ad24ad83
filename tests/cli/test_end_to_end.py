"""The command line with the real solver: proven scores, verified solutions, interrupts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.support.cli import run
from tests.support.deals import DATA

SAMPLES = DATA / "samples"


def solved(*arguments: str) -> dict[str, Any]:
    """The record that ``solve`` prints."""
    result = run("solve", "--format", "json", *arguments)
    assert result.stdout.count("\n") == 1, result.output
    record: dict[str, Any] = json.loads(result.stdout)
    return record


def move_list(record: dict[str, Any]) -> str:
    """The moves of a record in the notation that ``verify`` reads."""
    return " ".join(f"{m['from']}>{m['to']}:{len(m['cards'])}" for m in record["solution"])


@pytest.mark.parametrize(
    ("deal", "score"),
    [
        ("SS1-S4-AAAAABD", 840),
        ("SS1-S2-AAAAABD", 849),
        ("SS1-S1-AAAAABD", 856),
        (str(SAMPLES / "description_seed.txt"), 841),
    ],
)
def test_best_scores_are_proven_and_their_moves_verified(deal: str, score: int) -> None:
    record = solved(deal)
    assert record["verdict"] == "winnable"
    assert record["best_proven"] is True
    assert record["score"] == record["score_bound"] == score
    assert record["moves"] == len(record["solution"]) == 900 - score
    assert sum(len(move["removes"]) for move in record["solution"]) == 4
    verified = json.loads(run("verify", deal, move_list(record), "--format", "json").stdout)
    assert (verified["outcome"], verified["score"]) == ("won", score)


@pytest.mark.parametrize("deal", ["kpat:72", "kpat:266", "kpat:309", "pysol:98804262199142645760"])
def test_first_wins_of_deals_that_others_call_lost(deal: str) -> None:
    record = solved("--first", deal)
    assert record["verdict"] == "winnable"
    assert run("verify", deal, move_list(record)).exit_code == 0


def test_the_join_trap_is_winnable() -> None:
    trap = SAMPLES / "ms309_after54_join_trap.board"
    assert run("check", str(trap)).stdout == f"{trap}  winnable\n"


@pytest.mark.parametrize("number", [46, 317, 470])
def test_deals_without_a_first_move(number: int) -> None:
    result = run("solve", f"kpat:{number}")
    assert result.exit_code == 1
    assert "verdict  unwinnable\nscore    500 (" in result.stdout
    assert "line     0 moves, 0 runs removed\n" in result.stdout


def test_totals_go_on_from_the_position_given() -> None:
    win = (SAMPLES / "ms72_win93_from_to_count.txt").read_text(encoding="ascii").splitlines()
    assert win[0].startswith("#")
    record = solved("kpat:72", "--after", "\n".join(win[1:91]), "--moves-made", "2")
    assert record["verdict"] == "winnable"
    assert record["score"] == 900 - 95
    assert record["moves"] == 95
    assert record["runs_removed"] == 4
    assert len(record["solution"]) == 3


def test_check_of_the_same_letters_for_all_suit_counts() -> None:
    codes = [f"SS1-S{suits}-AAAAABD" for suits in (4, 2, 1)]
    result = run("check", "--input", "-", stdin="\n".join(codes))
    assert result.exit_code == 0
    assert result.stdout == "".join(f"{code}  winnable\n" for code in codes)


def test_a_state_limit_leaves_the_question_open() -> None:
    record = solved("kpat:30", "--state-limit", "1")
    assert record["stopped_by"] in ("states", None)
    assert run("solve", "kpat:30", "--first", "--state-limit", "1").exit_code in (0, 3)


INTERRUPTED_SOLVE = """
import os, signal, sys
# Tests may be started in the background, where Ctrl-C is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from simon_solver.cli.shared import searching

class Interrupt(searching.SearchProgress):
    def __call__(self, progress):
        os.kill(os.getpid(), signal.SIGINT)

searching.SearchProgress = Interrupt
from simon_solver.cli.main import main
sys.argv = ["simon-solver", "solve", "SS1-S1-AAAAABH", "--time-limit", "0", "--format", "json"]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_ctrl_c_prints_the_best_line_so_far() -> None:
    # The proof of this one-suit deal takes long; the first win is there at once.
    solved("--first", "SS1-S1-AAAAABH")  # so that nothing is left to compile
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_SOLVE], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 130, done.stderr
    record = json.loads(done.stdout)
    assert record["stopped_by"] == "interrupt"
    assert record["verdict"] == "winnable"
    assert record["best_proven"] is False
    assert record["score"] > 800
