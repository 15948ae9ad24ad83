"""Inputs as long as any may be, made to be slow: quadratic reading would take minutes or hours."""

from __future__ import annotations

import io

import pytest

from simon_solver.answers.verification import verify
from simon_solver.cli.commands.check import _read_lines
from simon_solver.errors import SimonError
from simon_solver.game.moves import MOST_MOVES, MoveText
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.reading.solutions.known import read_solution
from simon_solver.text.inputs import MOST_BYTES
from tests.support.deals import board

pytestmark = pytest.mark.slow

NINE = "AS 2S\n" * 9
ACE = "column 1: ace of spades"


def full(unit: str, before: str = "", after: str = "") -> str:
    """`before`, the unit as often as it fits into the longest text, and `after`."""
    room = MOST_BYTES - len((before + after).encode())
    return before + unit * (room // len(unit.encode())) + after


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (full(" ", "1 run removed", f"x {ACE}"), "expected 52 cards, got 14"),
        (full(" ", "1 run removed:", f"x {ACE}"), "expected 52 cards, got 14"),
        (full(" ", "1 run removed: clubs", f"x {ACE}"), "expected 52 cards, got 14"),
        (full(" ", "1 run removed: clubs,", f"x {ACE}"), "expected 52 cards, got 14"),
        (full(" ", "1 run removed: clubs and", f"x {ACE}"), "expected 52 cards, got 14"),
        (full("clubs, ", "4 runs removed: ", ACE), "line 1, column 1: expected 4 suits"),
        (full("1 run removed ", "", ACE), "expected 52 cards, got 14"),
        (full("ace of spades, ", "column 1: ", "x"), "line 1, column 1048571: expected a card"),
        (full("ace of spades,\n", "column 1: ", "ace of spades"), "line 53, column 1: expected at"),
        (full(f"{ACE}; "), "line 1, column 26: column 1 is described twice"),
        (full("column 1: "), "expected a board"),
        (full("column 1 ", f"{ACE}; "), "expected 52 cards, got 1;"),
        (full(" ", "column 1", "x column 2: ace of spades"), "expected 52 cards, got 1;"),
        (full(" ", "column 1 is", "x column 2: ace of spades"), "expected 52 cards, got 1;"),
        (full(" ", ACE, "x"), "line 1, column 1048576: expected ',' and a card"),
        (full(" ", f"{ACE},", "x"), "line 1, column 1048576: expected a card"),
        (full(" ", f"{ACE} and", "x"), "line 1, column 1048576: expected a card"),
        (full("S-K ", "Foundations: "), "expected 0 to 4 removed runs, got 262140"),
        (full("S-0 ", "Foundations: "), "expected 52 cards, got 0;"),
        (full("AS "), "line 1, column 157: expected at most 52 cards, got 349525"),
        (full("AS\n"), "line 11: expected 10 columns, got one more"),
        (full("\n", "", NINE), "expected 52 cards, got 18;"),
        (full("\n", NINE), "expected 52 cards, got 18;"),
        (full("\n", "AS\n", "AS\n"), "line 11: expected 10 columns, got one more"),
        (
            "\n" * (MOST_BYTES // 2 - 3) + "AS\n" + "#\n" * (MOST_BYTES // 4),
            "expected 52 cards, got 1",
        ),
        (full("#\n\n", "", NINE), "expected 52 cards, got 18;"),
        (full("Founds:\n", "", NINE), "expected 52 cards, got 18;"),
        (full("-", f"{NINE}3S\na", "a"), "expected 52 cards, got 19;"),
        (full("AS", f"{NINE}3S\n", "-"), "line 11, column 1: expected a card like '7H'"),
        (full("A", f"{NINE}3S\nSS1-S1-", "_"), "expected 52 cards, got 19;"),
        (full("SS1-S1", f"{NINE}3S\n"), "expected 52 cards, got 19;"),
        (full("1", "SS", "x\nAS"), "line 1, column 1: expected a card like '7H'"),
        (full("S", "Foundations: ", "-K"), "line 1, column 14: expected a removed run"),
        (full(" ", "founds", "x\nAS"), "line 1, column 1: expected a card like '7H'"),
        (full(" ", "kpat", "b"), "expected a board"),
        (full(" ", "kpat:", "\x7f1"), "expected kpat:N"),
        (full("a"), "expected a board"),
        (
            full("[", '{"columns": '),
            "line 1, column 20: expected a board in JSON, got values nested 9 deep",
        ),
        (
            full("1,", '{"columns": ['),
            "line 1, column 10010: expected a board in JSON, got more than",
        ),
        (
            full('["AS"],', '{"columns": ['),
            "line 1, column 17507: expected a board in JSON, got more",
        ),
        (
            full('"",', '{"tableau piles": [['),
            "line 1, column 15012: expected a board in JSON, got m",
        ),
        (full(" ", '{"tableau'), "line 1, column 2: expected a string in double quotes"),
        (full("\\n", '{"tableau'), "line 1, column 2: expected a string in double quotes"),
        (full("{"), "line 1, column 1: expected a JSON object with 'columns'"),
        (full("<dealer>"), "line 1, column 49: expected a saved game, got elements nested 7 deep"),
        (
            full("<c/>", "<dealer>"),
            "line 1, column 200005: expected a saved game, got more than 50000",
        ),
        (full("x", "<dealer ", "/>"), "line 1, column "),
        (full("x", "<dealer>"), "line 1, column "),
        (full("&lt;", "<dealer>"), "line 1, column "),
        (full("<!---->", "<dealer>"), "line 1, column "),
        (full("<", "<dealer"), "line 1, column "),
        (full("<?xml "), "line 1, column "),
        (full(" ", "<!DOCTYPE kpat"), "line 1, column "),
        (full("\n", "<"), "expected a board"),
        (full("h7 "), "line 1, column 157: expected at most 52 cards, got 349525"),
        (full("hhhhh "), "expected a board"),
        (full("h"), "expected a board"),
        (full("A", "SS1-S4-"), "expected a game code"),
        (full(" "), "expected a board, a game code or a numbered deal, got nothing"),
    ],
    ids=lambda value: ascii(value[:24]),
)
def test_texts(text: str, message: str) -> None:
    assert len(text.encode()) <= MOST_BYTES
    with pytest.raises(SimonError) as error:
        parse_deal(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (full("9>10 "), f"line 1, column 50001: expected at most {MOST_MOVES} moves, got more"),
        (full("9 10 1\n"), f"line 10001: expected at most {MOST_MOVES} moves, got more"),
        (full(" ", "9>10", "x"), "line 1, column 1048576: expected a move"),
        (full("1"), "line 1, column 1: expected a move"),
        (full("9>10 9 "), "line 1, column 6: expected a move"),
    ],
    ids=lambda value: ascii(value[:24]),
)
def test_move_lists(text: str, message: str) -> None:
    with pytest.raises(SimonError) as error:
        read_moves("-", io.BytesIO(text.encode()))
    assert str(error.value) == f"standard input: {message}" or message.endswith("move")
    assert str(error.value).startswith(f"standard input: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (full("\n", "", "58v1 x"), "line 1048571, column 1: expected a move like"),
        (full("\n", "", "58v1\nx"), "line 1048572, column 1: expected a line of fc-solve"),
        (full("m\n"), "line 1, column 1: expected a move like"),
        (full("58 "), f"line 1: expected at most {MOST_MOVES} moves, got more"),
        (full("-=", "", "x"), "line 1, column 1: expected a move like"),
        (full("move:"), "line 1, column 6: expected a line of fc-solve"),
        (full(" ", "This game is solveable.\nmove", "x"), "line 2, column 1: expected a line of"),
        (full(" ", "9h\nfoundations:", "x"), "line 2, column 1: expected a line of fc-solve"),
        (full("H-0 ", "9h\n", "x"), "line 2, column 1: expected a line of fc-solve"),
        (full(" ", "9h\nH-0\n--\n", "X\n\n"), "line 4, column 1048564: expected a card like"),
        (full(" ", "9h\nH-0\n:", "X\n\n"), "line 3, column 1048567: expected a card like"),
        (full(" from column 1 to column", "1. move a"), "line 1, column 1: expected a move like"),
        (full(" from column 1 to column 2", "1. move a", "x"), "line 1, column 1: expected a move"),
        (full("1. \n"), "line 1, column 1: expected a move like"),
        (full("1. 1>2:1\n"), f"expected at most {MOST_MOVES} moves, got 116508"),
        (full("["), "line 1, column 9: expected the JSON of `solve`, got values nested 9 deep"),
        (full('\\"', '{"'), "line 1, column "),
        (full('"', "{"), "line 1, column 4: expected ':'"),
        (full(" ", "{"), "line 1, column 1048577: expected a name"),
        (full("1", "["), "line 1, column 1048577: expected ',' or ']'"),
        (full('"a": 1,', "{", '"a": 1}'), "line 1, column 9: 'a' appears twice"),
        (
            "{" + "".join(f'"{n}": 1,' for n in range(90_000)) + '"89999": 1}',
            "line 1, column 978892: '89999' appears twice",
        ),
        (
            full("[],", '{"solution": [', "[]]}"),
            "line 1, column 600009: expected the JSON of `solve`, got more than 200000 values",
        ),
    ],
    ids=lambda value: ascii(value[:24]),
)
def test_solutions(text: str, message: str) -> None:
    with pytest.raises(SimonError) as error:
        read_solution("-", io.BytesIO(text.encode()))
    assert str(error.value).startswith(f"standard input: {message}")


@pytest.mark.parametrize("count", [1, None])
def test_replays(count: int | None) -> None:
    moves = [MoveText(9, 10, count, ""), MoveText(10, 9, count, "")] * (MOST_MOVES // 2)
    columns = "|".join(" ".join(f"{rank}{suit}" for rank in "A23456789TJQK") for suit in "SHDC")
    assert verify(board(f"{columns}|||||||"), [MoveText(0, 9, 1, ""), *moves]).moves == (
        MOST_MOVES + 1
    )


def test_lines_of_a_list() -> None:
    line = b"a" + b" " * 60_000 + b"b\n"
    queries = list(_read_lines(io.BytesIO(line * 17), "list"))
    assert [query.place for query in queries] == [
        f"list, line {number}: " for number in range(1, 18)
    ]
    with pytest.raises(SimonError, match="no such deal or file"):
        read_deal(queries[0].text)
