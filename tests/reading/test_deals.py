"""Deals by any name: arguments, files, standard input, contents, and moves made before."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from simon_solver.errors import CodeError, FormatError, InputError, MoveError, SimonError
from simon_solver.game.codes import GameCode
from simon_solver.game.deal import Deal
from simon_solver.game.moves import Move, MoveText
from simon_solver.game.rules import START_SCORE, score
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.reading.formats import columns, spoken
from simon_solver.text.inputs import MOST_BYTES
from tests.support.deals import DATA

SAMPLES = DATA / "samples"
CODE = "SS1-S4-AAAAABD"
POSITION = GameCode(4, 29).deal()
BOARD = columns.write(POSITION)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_codes_and_numbers() -> None:
    assert read_deal(" ss1-s4-aaaaabd ") == Deal(CODE, POSITION, code=GameCode(4, 29))
    deal = read_deal("KPAT:0072")
    assert deal.name == "kpat:72"
    assert deal.code is None
    assert deal == Deal("kpat:72", read_deal("pysol:72").position)


def test_a_file_is_called_as_given(folder: Path) -> None:
    (folder / "deal.board").write_text(BOARD, encoding="utf-8")
    assert read_deal("deal.board") == Deal("deal.board", POSITION)
    assert read_deal(str(folder / "deal.board")).name == str(folder / "deal.board")


def test_standard_input() -> None:
    assert read_deal("-", io.BytesIO(BOARD.encode())) == Deal("-", POSITION)
    with pytest.raises(InputError, match="standard input is closed"):
        read_deal("-")


def test_text_encodings(folder: Path) -> None:
    text = BOARD.translate(str.maketrans("SHDC", "♠♥♦♣"))
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (folder / encoding).write_text(text, encoding=encoding)
        assert read_deal(encoding).position == POSITION


@pytest.mark.parametrize("text", [CODE, f"\ufeff# mine\n\n  {CODE.lower()}  # this one\r\n\n"])
def test_a_text_with_only_a_code_is_that_deal(text: str) -> None:
    assert parse_deal(text, "file.txt") == read_deal(CODE)
    assert parse_deal(text.replace(CODE, "kpat:72").replace(CODE.lower(), "kpat:72")) == read_deal(
        "kpat:72"
    )


@pytest.mark.parametrize("board", [BOARD, spoken.write(POSITION)])
def test_a_text_with_a_code_and_a_board_is_the_board(board: str) -> None:
    for text in (f"SS1-S1-ZZZZZZZ\n{board}", f"{board}\nSS1-S1-ZZZZZZZ\n"):
        assert parse_deal(text, "file.txt") == Deal("file.txt", POSITION)


def test_a_code_wins_over_a_file_of_that_name_and_a_file_over_a_bad_code(folder: Path) -> None:
    (folder / "SS1-S3-AAAAABD").write_text(BOARD, encoding="utf-8")
    (folder / CODE).write_text("no deal", encoding="utf-8")
    assert read_deal("SS1-S3-AAAAABD").name == "SS1-S3-AAAAABD"
    assert read_deal(CODE).position == POSITION
    with pytest.raises(FormatError, match=f"./{CODE}: expected a board"):
        read_deal(f"./{CODE}")


@pytest.mark.parametrize(
    ("argument", "kind", "message"),
    [
        ("SS1-S3-AAAAABD", CodeError, "suits S1, S2 or S4, got 'S3'"),
        ("SS2-S4-AAAAABD", CodeError, "scheme SS1, got 'SS2'"),
        ("S1-S4-AAAAABD", CodeError, "scheme SS1, got 'S1'"),
        ("SS1S4AAAAABD", CodeError, "expected a game code like SS1-S4-AAAAABD, got"),
        ("kpat:", CodeError, "expected a numbered deal kpat:N, ms:N or pysol:N, got 'kpat:'"),
        ("kpat:0", CodeError, "expected kpat:N with N from 1 to 2147483647, got 0"),
        ("kpat72", CodeError, "expected a numbered deal kpat:N, ms:N or pysol:N, got 'kpat72'"),
        ("foo:72", CodeError, "expected a numbered deal kpat:N, ms:N or pysol:N, got 'foo:72'"),
        ("no.board", InputError, "no such deal or file: expected a game code like SS1-S4-AAAAABD"),
        ("", InputError, "no such deal or file: .* got ''"),
        ("x" * 5000, InputError, r"no such deal or file: .* got 'x{40}\.\.\.'"),
        ("a\0b", InputError, "no such deal or file"),
    ],
)
def test_arguments_that_name_nothing(
    folder: Path, argument: str, kind: type[SimonError], message: str
) -> None:
    assert not any(folder.iterdir())
    with pytest.raises(kind, match=message):
        read_deal(argument)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "x.txt: expected a board, a game code or a numbered deal, got nothing"),
        (
            b"# only this\n\n",
            "x.txt: expected a board, a game code or a numbered deal, got nothing",
        ),
        (
            b"hello\nworld",
            "x.txt: expected a board, a game code or a numbered deal, got 'hello' (a board may be "
            "cards by column, a KPat saved game, a spoken description ('column 1: ace of "
            "spades, ...'), JSON written by 'convert --to json' or Solvitaire JSON)",
        ),
        (b"SS1-S3-AAAAABD\n", "x.txt: expected a game code like SS1-S4-AAAAABD: suits S1, S2 or"),
        (b"kpat:0\n", "x.txt: expected kpat:N with N from 1 to 2147483647, got 0"),
        (b"kpat:1\nkpat:2\n", "x.txt: expected one deal or a board, got 'kpat:1' and more lines"),
        (b"7H XH\n", "x.txt: line 1, column 4: expected a card like '7H', got 'XH'"),
        (b"\xff\xff", "x.txt: expected UTF-8 text, got byte 0xff at offset 0"),
        (b"7H \x80", "x.txt: expected UTF-8 text, got byte 0x80 at offset 3"),
        (b"7H \0", "x.txt: expected text, got a binary file"),
        (
            b" " * (MOST_BYTES + 1),
            f"x.txt: expected at most {MOST_BYTES} bytes of text, got more",
        ),
    ],
)
def test_contents_that_are_no_deal(folder: Path, content: bytes, message: str) -> None:
    (folder / "x.txt").write_bytes(content)
    with pytest.raises(SimonError) as error:
        read_deal("x.txt")
    assert str(error.value).startswith(message)
    with pytest.raises(SimonError) as error:
        read_deal("-", io.BytesIO(content))
    assert str(error.value).startswith(message.replace("x.txt", "standard input"))


def test_files_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(InputError, match=r"^\.: cannot be read: Is a directory$"):
        read_deal(".")
    (folder / "x").symlink_to("nowhere")
    with pytest.raises(InputError, match="no such deal or file"):
        read_deal("x")


def test_endless_input_is_cut_off() -> None:
    with pytest.raises(InputError, match="/dev/zero: expected at most 1048576 bytes of text"):
        read_deal("/dev/zero")


def test_after_counts_the_moves() -> None:
    deal = read_deal(CODE).after([MoveText(8, 9, None, "")])
    assert deal.moves_made == 1
    assert deal.name == CODE
    assert deal.position.columns[9] == (*POSITION.columns[9], POSITION.columns[8][-1])
    with pytest.raises(MoveError, match=r"^move 2: there is no column 11"):
        read_deal(CODE).after([Move(8, 9, 1), Move(10, 0, 1)])


def test_after_a_whole_win_the_score_is_that_of_the_win() -> None:
    moves = read_moves(str(SAMPLES / "ms72_win93_from_to_count.txt"))
    deal = read_deal("kpat:72").after(moves)
    assert deal.position.is_won
    assert score(deal.moves_made, len(deal.position.removed)) == START_SCORE + 400 - 93


def test_read_moves(folder: Path) -> None:
    assert [move.count for move in read_moves("4>7:2 3>5")] == [2, None]
    assert read_moves("4 7 2")[0][:3] == (3, 6, 2)
    assert read_moves("") == read_moves("# none") == []
    assert len(read_moves("-", io.BytesIO(b"4>7\n1>2"))) == 2
    (folder / "moves.txt").write_text("9>10\n", encoding="ascii")
    assert read_moves("moves.txt") == [MoveText(8, 9, None, "line 1, column 1")]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("moves.txt", "no such file or move list: expected moves like '4>7:2 3>5', a file"),
        ("4>7 x", "line 1, column 5: expected a move like '4>7:2', got 'x'"),
        ("4>x", "line 1, column 1: expected a move like '4>7:2', got '4>x'"),
        ("1 2 3 4", "line 1: expected from, to and count like '4 7 2', got '1 2 3 4'"),
        ("0>1", "line 1, column 1: columns are numbered from 1, got 0"),
    ],
)
def test_bad_moves(folder: Path, argument: str, message: str) -> None:
    with pytest.raises(SimonError) as error:
        read_moves(argument)
    assert str(error.value).startswith(message)
    (folder / "bad.txt").write_text("9>10\n4>x\n", encoding="ascii")
    with pytest.raises(FormatError, match=r"bad.txt: line 2, column 1: expected a move"):
        read_moves("bad.txt")
