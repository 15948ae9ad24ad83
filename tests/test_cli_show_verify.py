"""``show`` and ``verify``, letter by letter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simon_solver.formats import columns, spoken
from simon_solver.numbered import parse_number

from .cli_helpers import error_line, run
from .helpers import DATA

SAMPLES = DATA / "samples"
WIN = str(SAMPLES / "ms72_win93_from_to_count.txt")
CODE = "SS1-S4-AAAAABD"
BOARD = """\
   1   2   3   4   5   6   7   8   9  10
  J♦  8♣  T♠  7♥  4♦  7♠  9♠  Q♥  6♣  K♦
  Q♠  6♠  A♥  7♦  5♥  T♥  2♣  4♠  Q♦
  9♥  J♠  K♠  6♦  J♣  5♣  2♥  3♥
  K♥  Q♣  A♠  6♥  9♦  5♦  T♦
  2♦  3♣  J♥  8♦  8♥  7♣
  2♠  4♥  A♣  4♣  9♣
  T♣  5♠  A♦  3♠
  K♣  8♠  3♦
"""


def test_show_a_code() -> None:
    result = run("show", CODE.lower())
    assert result.exit_code == 0
    assert result.stdout == (
        "deal     SS1-S4-AAAAABD (4 suits)\n"
        "score    500 (0 moves, 0 runs removed)\n"
        "removed  none\n"
        "table    52 cards\n"
        "\n" + BOARD
    )


def test_show_after_moves() -> None:
    result = run("show", CODE, "--after", "9>10", "--moves-made", "3")
    assert "score    496 (4 moves, 0 runs removed)\n" in result.stdout
    assert "  Q♠  6♠  A♥  7♦  5♥  T♥  2♣  4♠      Q♦\n" in result.stdout


def test_show_standard_input_and_after_from_a_file() -> None:
    board = (SAMPLES / "ms72.board").read_bytes()
    result = run("show", "-", "--after", WIN, "--format", "json", stdin=board)
    record = json.loads(result.stdout)
    assert record["deal"] == "-"
    assert (record["score"], record["moves"], record["runs_removed"]) == (807, 93, 4)
    assert record["columns"] == [[]] * 10
    result = run("show", "kpat:72", "--after", "-", stdin=Path(WIN).read_bytes())
    assert "score    807 (93 moves, 4 runs removed)\n" in result.stdout


def test_show_json_is_one_line() -> None:
    result = run("show", "kpat:72", "--format", "json")
    assert result.stdout.count("\n") == 1
    record = json.loads(result.stdout)
    assert " ".join(record) == "deal suits score moves runs_removed removed columns"
    assert record["columns"][0] == ["4D", "AS", "9D", "5C", "7D", "3D", "TH", "KH"]


def test_show_reads_what_the_formats_write(tmp_path: Path) -> None:
    position = parse_number("ms:24").deal()
    drawings = set()
    for board in (columns, spoken):
        file = tmp_path / "deal.txt"
        file.write_text(board.write(position), encoding="utf-8")
        drawings.add(run("show", str(file)).stdout)
    assert len(drawings) == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["-"], b"7H XH", "standard input: line 1, column 4: expected a card like '7H', got 'XH'"),
        (["kpat:72", "--after", "9>9"], b"", "--after: move 1: it goes from column 9 to itself"),
        (["kpat:72", "--after", "x"], b"", "--after: no such file, and no move list: expected "),
        (
            ["-", "--after", "-"],
            b"",
            "standard input is either the deal or the moves, not both",
        ),
        (["kpat:72", "--after", "-"], b"4>x", "--after: standard input: line 1, column 1: expect"),
    ],
)
def test_show_errors(arguments: list[str], stdin: bytes, message: str) -> None:
    result = run("show", *arguments, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert error_line(result).startswith(message)


def test_verify_a_win() -> None:
    result = run("verify", "kpat:72", WIN)
    assert result.exit_code == 0
    assert result.stdout == (
        "deal     kpat:72 (4 suits)\noutcome  legal, won\nscore    807 (93 moves, 4 runs removed)\n"
    )


def test_verify_reads_quoted_lists_files_and_standard_input() -> None:
    for moves, stdin in (("9>10", b""), ("-", b"9>10  # a comment\n"), ("-", b"9 10 1\r\n")):
        result = run("verify", CODE, moves, stdin=stdin)
        assert result.exit_code == 1
        assert "outcome  legal, not won\nscore    499 (1 move, 0 runs removed)\n" in result.stdout


def test_verify_after_and_moves_made() -> None:
    moves = Path(WIN).read_text(encoding="ascii").splitlines()
    start, rest = "\n".join(moves[:50]), "\n".join(moves[50:])
    result = run("verify", "kpat:72", rest, "--after", start, "--moves-made", "7")
    assert result.exit_code == 0
    assert "score    800 (100 moves, 4 runs removed)\n" in result.stdout


def test_verify_an_illegal_move() -> None:
    result = run("verify", CODE, "9>10 3>9")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert error_line(result) == (
        "move 2: 3D cannot go on 6C: needs a card one rank higher (3>9 at line 1, column 6)"
    )


def test_verify_json() -> None:
    result = run("verify", "kpat:72", WIN, "--format", "json")
    assert result.stdout == (
        '{"deal": "kpat:72", "suits": 4, "outcome": "won", "score": 807, "moves": 93, '
        '"runs_removed": 4, "error": null}\n'
    )
    result = run("verify", CODE, "9>10 3>9", "--format", "json")
    assert result.exit_code == 2
    assert json.loads(result.stdout) == {
        "deal": CODE,
        "suits": 4,
        "outcome": "illegal",
        "score": 499,
        "moves": 1,
        "runs_removed": 0,
        "error": error_line(result),
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-", "-"], "standard input is either the deal or the moves, not both"),
        (["kpat:72", "-", "--after", "-"], "standard input is either the deal or the moves, not"),
        (["kpat:72", "nofile"], "no such file, and no move list: expected moves like '4>7:2 3>5'"),
        (["kpat:72", "1>2>3"], "line 1, column 1: expected a move like '4>7:2', got '1>2>3'"),
    ],
)
def test_verify_errors(arguments: list[str], message: str) -> None:
    result = run("verify", *arguments)
    assert result.exit_code == 2
    assert error_line(result).startswith(message)
