"""Results as text and JSON, letter by letter."""

from __future__ import annotations

import json

import pytest

from simon_solver.answers.results import CheckResult, SolveResult
from simon_solver.answers.verification import verify
from simon_solver.game.deal import Deal
from simon_solver.game.rules import replay
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import read_deal
from simon_solver.reading.formats.known import read_board
from simon_solver.render import records, solved, text, verified
from simon_solver.render.style import Style
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.deals import DATA

PLAIN, ASCII, COLOUR = Style(), Style(symbols=False), Style(colour=True)
WIN = read_moves(str(DATA / "samples" / "ms72_win93_from_to_count.txt"))
LATE = Deal("kpat:72", read_deal("kpat:72").position).after(WIN[:88])
STEPS = tuple(replay(LATE.position, WIN[88:])[0])
SOLVED = SolveResult(Verdict.WINNABLE, 807, 93, 4, 807, STEPS, None, 1234, 0.5)
LOST = SolveResult(Verdict.UNWINNABLE, 500, 0, 0, 500, (), None, 1, 0.0012345)
CODE = read_deal("SS1-S4-AAAAABD")


def test_solve_text() -> None:
    assert solved.solve_text(LATE, SOLVED, PLAIN) == (
        "deal     kpat:72 (4 suits)\n"
        "verdict  winnable\n"
        "score    807 (proven best)\n"
        "line     93 moves, 4 runs removed\n"
        "search   1,234 states in 0.50 s\n"
        "\n"
        "     move     cards     onto    score\n"
        " 89. 5>4:3    3♦ 2♦ A♦  4♦        611\n"
        " 90. 4>1:10   T♦ .. A♦  empty     610\n"
        " 91. 4>2:1    J♥        Q♥        609\n"
        " 92. 6>2:10   T♥ .. A♥  J♥        708  run of ♥ removed (3)\n"
        " 93. 1>6:10   T♦ .. A♦  J♦        807  run of ♦ removed (4)\n"
        "     the table is empty: won"
    )


def test_without_symbols_all_is_ascii() -> None:
    for shown in (solved.solve_text(LATE, SOLVED, ASCII), text.show_text(LATE, ASCII)):
        assert shown.isascii()
    assert " 92. 6>2:10   TH .. AH  JH        708  run of H removed (3)" in solved.solve_text(
        LATE, SOLVED, ASCII
    )


def test_colour_changes_nothing_but_the_colour() -> None:
    coloured = solved.solve_text(LATE, SOLVED, COLOUR)
    assert "verdict  \x1b[32mwinnable\x1b[0m\n" in coloured
    assert " 91. 4>2:1    \x1b[31mJ♥\x1b[0m        \x1b[31mQ♥\x1b[0m        609\n" in coloured
    for code in ("\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == solved.solve_text(LATE, SOLVED, PLAIN)
    assert "\x1b" not in solved.solve_text(LATE, SOLVED, PLAIN)


def test_solve_text_of_a_code_says_that_the_app_deals_another_board() -> None:
    assert solved.solve_text(CODE, LOST, PLAIN) == (
        "deal     SS1-S4-AAAAABD (4 suits)\n"
        "verdict  unwinnable\n"
        "score    500 (proven best: no move helps)\n"
        "line     0 moves, 0 runs removed\n"
        "search   1 state in 0.00 s\n"
        "Note: the app's codes look like ours but name other deals; "
        "to solve an app deal, give its description."
    )


@pytest.mark.parametrize(
    ("verdict", "stopped_by", "first", "lines"),
    [
        (
            Verdict.WINNABLE,
            StoppedBy.TIME,
            False,
            "verdict  winnable\n"
            "score    500 (not proven best, time limit; no line scores more than 850)",
        ),
        (
            Verdict.UNDETERMINED,
            StoppedBy.MEMORY,
            False,
            "verdict  undetermined (memory limit)\n"
            "score    500 (not proven best, memory limit; no line scores more than 850)",
        ),
        (
            Verdict.UNDETERMINED,
            StoppedBy.INTERRUPT,
            True,
            "verdict  undetermined (interrupted)\n"
            "score    500 (not proven best, interrupted; no line scores more than 850)",
        ),
        (
            Verdict.WINNABLE,
            None,
            True,
            "verdict  winnable\nscore    500 (the first win found; no line scores more than 850)",
        ),
        (
            Verdict.UNWINNABLE,
            None,
            True,
            "verdict  unwinnable\n"
            "score    500 (the best line was not searched for; no line scores more than 850)",
        ),
    ],
)
def test_unproven_scores(
    verdict: Verdict, stopped_by: StoppedBy | None, first: bool, lines: str
) -> None:
    result = SolveResult(verdict, 500, 0, 0, 850, (), stopped_by, 1, 0.0)
    assert lines in solved.solve_text(LATE, result, PLAIN, first)


@pytest.mark.parametrize(
    ("verdict", "runs", "moves", "remark"),
    [
        (Verdict.UNWINNABLE, 1, 88, "512 (proven best: one run in 88 moves)"),
        (Verdict.UNWINNABLE, 2, 101, "599 (proven best: 2 runs in 101 moves)"),
        (Verdict.WINNABLE, 3, 1, "799 (proven best: 3 runs in 1 move)"),
        (Verdict.WINNABLE, 4, 101, "799 (proven best)"),
    ],
)
def test_best_lines_that_win_or_not(verdict: Verdict, runs: int, moves: int, remark: str) -> None:
    score = 500 + 100 * runs - moves
    result = SolveResult(verdict, score, moves, runs, score, STEPS[:1], None, 1, 0.0)
    shown = solved.solve_text(LATE, result, PLAIN)
    assert f"verdict  {verdict}\nscore    {remark}\n" in shown


def test_check_text() -> None:
    result = CheckResult(Verdict.WINNABLE, (), None, 3, 0.1)
    assert text.check_text(CODE, result, PLAIN) == "SS1-S4-AAAAABD  winnable"
    assert text.check_text(LATE, result, PLAIN) == "kpat:72         winnable"
    result = CheckResult(Verdict.UNDETERMINED, (), StoppedBy.STATES, 3, 0.1)
    assert text.check_text(CODE, result, PLAIN) == "SS1-S4-AAAAABD  undetermined (state limit)"


def test_show_text() -> None:
    assert text.show_text(LATE, PLAIN) == (
        "deal     kpat:72 (4 suits)\n"
        "score    612 (88 moves, 2 runs removed)\n"
        "removed  ♣ ♠\n"
        "table    26 cards\n"
        "\n"
        "   1   2   3   4   5   6   7   8   9  10\n"
        "      K♥      J♥  3♦  K♦\n"
        "      Q♥      T♦  2♦  Q♦\n"
        "              9♦  A♦  J♦\n"
        "              8♦      T♥\n"
        "              7♦      9♥\n"
        "              6♦      8♥\n"
        "              5♦      7♥\n"
        "              4♦      6♥\n"
        "                      5♥\n"
        "                      4♥\n"
        "                      3♥\n"
        "                      2♥\n"
        "                      A♥"
    )


def test_show_text_of_an_empty_table() -> None:
    shown = text.show_text(LATE.after(WIN[88:]), PLAIN)
    assert shown.endswith("table    0 cards\n\n   1   2   3   4   5   6   7   8   9  10")


def test_verify_text() -> None:
    deal = read_deal("kpat:72")
    assert verified.verify_text(deal, verify(deal, WIN), PLAIN) == (
        "deal     kpat:72 (4 suits)\noutcome  legal, won\nscore    807 (93 moves, 4 runs removed)"
    )
    assert "outcome  legal, not won\n" in verified.verify_text(deal, verify(deal, WIN[:1]), PLAIN)
    assert "outcome  illegal\n" in verified.verify_text(deal, verify(deal, WIN[1:]), PLAIN)


def test_counts_have_their_noun() -> None:
    assert text.counted(1, "move") == "1 move"
    assert text.counted(0, "run") == "0 runs"
    assert text.counted(1234567, "state") == "1,234,567 states"


def test_solve_record() -> None:
    assert records.to_json(records.solve_record(LATE, SOLVED)) == (
        '{"deal": "kpat:72", "suits": 4, "verdict": "winnable", "score": 807, "moves": 93, '
        '"runs_removed": 4, "best_proven": true, "score_bound": 807, "solution": '
        '[{"from": 5, "to": 4, "cards": ["3D", "2D", "AD"], "removes": ""}, '
        '{"from": 4, "to": 1, "cards": '
        '["TD", "9D", "8D", "7D", "6D", "5D", "4D", "3D", "2D", "AD"], "removes": ""}, '
        '{"from": 4, "to": 2, "cards": ["JH"], "removes": ""}, '
        '{"from": 6, "to": 2, "cards": '
        '["TH", "9H", "8H", "7H", "6H", "5H", "4H", "3H", "2H", "AH"], "removes": "H"}, '
        '{"from": 1, "to": 6, "cards": '
        '["TD", "9D", "8D", "7D", "6D", "5D", "4D", "3D", "2D", "AD"], "removes": "D"}], '
        '"stopped_by": null, "states": 1234, "seconds": 0.5}'
    )


def test_solve_record_of_an_unfinished_search() -> None:
    result = SolveResult(Verdict.UNDETERMINED, 500, 0, 0, 850, (), StoppedBy.TIME, 10**7, 60.00049)
    record = json.loads(records.to_json(records.solve_record(CODE, result)))
    assert " ".join(record) == (
        "deal suits verdict score moves runs_removed best_proven score_bound solution "
        "stopped_by states seconds"
    )
    assert record["best_proven"] is False
    assert record["score_bound"] == 850
    assert record["solution"] == []
    assert record["stopped_by"] == "time"
    assert record["seconds"] == 60.0005


def test_check_record() -> None:
    result = CheckResult(Verdict.UNWINNABLE, (), None, 3, 0.00123456)
    assert records.to_json(records.check_record(CODE, result)) == (
        '{"deal": "SS1-S4-AAAAABD", "suits": 4, "verdict": "unwinnable", "stopped_by": null, '
        '"states": 3, "seconds": 0.0012}'
    )
    assert records.to_json(records.error_record("föö", "wrong")) == (
        '{"deal": "f\\u00f6\\u00f6", "error": "wrong"}'
    )


def test_show_record() -> None:
    assert records.show_record(LATE) == {
        "deal": "kpat:72",
        "suits": 4,
        "score": 612,
        "moves": 88,
        "runs_removed": 2,
        "removed": "CS",
        "columns": [
            [],
            ["KH", "QH"],
            [],
            ["JH", "TD", "9D", "8D", "7D", "6D", "5D", "4D"],
            ["3D", "2D", "AD"],
            ["KD", "QD", "JD", *(f"{rank}H" for rank in "T98765432A")],
            [],
            [],
            [],
            [],
        ],
    }


def test_verify_record() -> None:
    deal = read_deal("kpat:72")
    won = verify(deal, WIN)
    assert records.verify_record(deal, won) == {
        "deal": "kpat:72",
        "suits": 4,
        "outcome": "won",
        "score": 807,
        "moves": 93,
        "runs_removed": 4,
        "error": None,
        "form": "moves",
        "moves_written": 93,
        "solution": [records.step_record(step) for step in won.steps],
        "removed": "CSHD",
        "columns": [[]] * 10,
        "best": None,
    }
    assert records.verify_record(deal, won, SOLVED)["best"] == records.solve_record(deal, SOLVED)
    record = records.verify_record(deal, verify(deal, WIN[1:]))
    assert record["outcome"] == "illegal"
    assert record["moves"] == 3
    assert record["error"].startswith("move 4: ")
    assert len(record["solution"]) == 3
    assert record["columns"] == records.show_record(deal.after(WIN[1:4]))["columns"]


def test_suits_are_judged_with_the_removed_runs() -> None:
    board = read_board("Founds: D-K C-K\nKS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S\nAS KH\n"
                       "QH JH TH 9H 8H 7H 6H 5H 4H 3H AH 2H")  # fmt: skip
    assert records.show_record(Deal("-", board))["suits"] == 4
