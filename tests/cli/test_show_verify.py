"""``show`` and ``verify``, letter by letter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simon_solver.game.numbered import parse_number
from simon_solver.reading.formats import columns, spoken
from tests.support.cli import error_line, run
from tests.support.deals import DATA

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
        (["kpat:72", "--after", "x"], b"", "--after: no such file or move list: expected "),
        (
            ["-", "--after", "-"],
            b"",
            "standard input cannot be both the deal and the moves",
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
    after = run("show", CODE, "--after", "9>10").stdout.split("\n\n")[1]
    assert result.stdout == (
        "deal     SS1-S4-AAAAABD (4 suits)\n"
        "outcome  illegal\n"
        "score    499 (1 move, 0 runs removed)\n"
        "\n" + after
    )
    assert error_line(result) == (
        "move 2: 3D cannot go on 6C: needs a card one rank higher (3>9 at line 1, column 6)"
    )


def test_verify_json() -> None:
    result = run("verify", "kpat:72", WIN, "--format", "json")
    assert result.stdout.startswith(
        '{"deal": "kpat:72", "suits": 4, "outcome": "won", "score": 807, "moves": 93, '
        '"runs_removed": 4, "error": null, "form": "moves", "moves_written": 93, '
        '"solution": [{"from": 10, "to": 1, "cards": ["QH"], "removes": ""}, {'
    )
    assert result.stdout.endswith(
        '"removes": "D"}], "removed": "CSHD", "columns": [[], [], [], [], [], [], [], [], [], []], '
        '"best": null}\n'
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
        "form": "moves",
        "moves_written": 2,
        "solution": [{"from": 9, "to": 10, "cards": ["QD"], "removes": ""}],
        "removed": "",
        "columns": json.loads(run("show", CODE, "--after", "9>10", "--format", "json").stdout)[
            "columns"
        ],
        "best": None,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-", "-"], "standard input cannot be both the deal and the moves"),
        (["kpat:72", "-", "--after", "-"], "standard input cannot be both the deal and the"),
        (["kpat:72", "nofile"], "no such file or move list: expected moves like '4>7:2 3>5'"),
        (["kpat:72", "1>2>3"], "line 1, column 1: expected a move like '4>7:2', got '1>2>3'"),
    ],
)
def test_verify_errors(arguments: list[str], message: str) -> None:
    result = run("verify", *arguments)
    assert result.exit_code == 2
    assert error_line(result).startswith(message)


FC_SOLVE = str(SAMPLES / "ms24_fcsolve_m.txt")


def test_verify_a_solution_of_fc_solve() -> None:
    result = run("verify", "ms:24", FC_SOLVE)
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "deal     ms:24 (4 suits)\n"
        "written  77 moves (fc-solve)\n"
        "outcome  legal, won\n"
        "score    799 (101 moves, 4 runs removed)\n"
        "\n"
        "     move     cards     onto    score\n"
        "  1. 5>8:1    J♦        Q♦        499\n"
    )
    assert result.stdout.count("\n") == 5 + 1 + 101 + 1
    for stdin in (Path(FC_SOLVE).read_bytes(), (SAMPLES / "ms24_fcsolve_m_snx.txt").read_bytes()):
        assert run("verify", "ms:24", "-", stdin=stdin).stdout == result.stdout
    record = json.loads(run("verify", "ms:24", FC_SOLVE, "--format", "json").stdout)
    assert (record["form"], record["moves_written"], record["moves"]) == ("fc-solve", 77, 101)
    assert len(record["solution"]) == 101


def test_verify_a_solution_with_a_wrong_move(tmp_path: Path) -> None:
    file = tmp_path / "moves"
    text = Path(FC_SOLVE).read_text(encoding="ascii")
    file.write_text(text.replace("Move 5 cards from stack 5 to stack 1", "Move 5 cards from "
                                 "stack 5 to stack 2", 1), encoding="ascii")  # fmt: skip
    result = run("verify", "ms:24", str(file))
    assert result.exit_code == 2
    assert "outcome  illegal\n" in result.stdout
    assert "\n\n   1   2   3   4   5   6   7   8   9  10\n" in result.stdout
    assert error_line(result) == (
        "move 12: 7H cannot go on 4H: needs a card one rank higher "
        "('Move 5 cards from stack 5 to stack 2' at line 47)"
    )


def test_verify_the_wrong_game() -> None:
    file = str(SAMPLES / "ms24_fcsolve_amateurstar_m_WRONG_GAME.txt")
    result = run("verify", "ms:24", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_line(result).startswith(f"{file}: line 3: fc-solve played another game, in ")


def test_verify_reads_json_from_the_command_line_and_standard_input() -> None:
    text = '{"solution": [{"from": 9, "to": 10, "cards": ["QD"], "removes": ""}]}'
    for moves, stdin in ((text, ""), ("-", text)):
        result = run("verify", CODE, moves, stdin=stdin)
        assert result.exit_code == 1
        assert "score    499 (1 move, 0 runs removed)\n" in result.stdout
        assert "written" not in result.stdout
    result = run("verify", CODE, "-", stdin="[" * 1000)
    assert error_line(result) == (
        "standard input: line 1, column 9: expected the JSON of `solve`, got values nested 9 deep"
    )


@pytest.mark.parametrize("mixed_runs", [[], ["--mixed-runs"]])
def test_verify_lists_moves_that_it_reads_again(mixed_runs: list[str]) -> None:
    for moves in (WIN, str(SAMPLES / "ms72_win93_from_to_count.txt")):
        written = run("verify", "kpat:72", moves, "--notation", "fc-solve", *mixed_runs).stdout
        again = run("verify", "kpat:72", "-", "--notation", "fc-solve", *mixed_runs, stdin=written)
        assert again.exit_code == 0
        listing = written[written.index("-=") :]
        assert again.stdout[again.stdout.index("-=") :] == listing
        assert "score    807 (93 moves, 4 runs removed)\n" in again.stdout


def test_verify_numbers_go_on_from_the_moves_made() -> None:
    result = run("verify", CODE, "9>10", "--moves-made", "6", "--notation", "spoken")
    assert result.stdout.endswith(
        "\n\n  7. move the queen of diamonds from column 9 to column 10\n"
    )


def test_show_lists_the_moves_before_the_board() -> None:
    plain = run("show", CODE, "--after", "9>10")
    result = run("show", CODE, "--after", "9>10", "--notation", "spoken")
    assert result.stdout == (
        plain.stdout + "\n  1. move the queen of diamonds from column 9 to column 10\n"
    )
    result = run("show", CODE, "--after", "9>10", "--notation", "fc-solve", "--moves-made", "3")
    assert result.stdout.endswith("\n\n-=-=-=-=-=-=-=-=-=-=-=-\n\n"
                                  "Move 1 cards from stack 8 to stack 9\n\n"
                                  "====================\n\n")  # fmt: skip
    assert run("verify", CODE, "-", stdin=result.stdout).exit_code == 1
    result = run("show", "kpat:72", "--after", WIN, "--mixed-runs")
    assert result.stdout.endswith("     the table is empty: won\n")
    assert "  3 moves\n" in result.stdout
    assert run("show", CODE, "--notation", "spoken").stdout == run("show", CODE).stdout


@pytest.mark.parametrize("option", [["--notation", "spoken"], ["--mixed-runs"]])
@pytest.mark.parametrize("command", [["show"], ["solve"], ["verify"]])
def test_notations_are_for_text(command: list[str], option: list[str]) -> None:
    moves = ["9>10"] if command == ["verify"] else []
    result = run(*command, CODE, *moves, *option, "--format", "json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_line(result).startswith(
        "--notation and --mixed-runs cannot be used with --format json"
    )
