"""Boards with a line a column: spellings, empty columns, removed runs, faults and their places."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from simon_solver.errors import FormatError
from simon_solver.game.cards import DIAMONDS, HEARTS, SPADES, card_names
from simon_solver.game.codes import parse_code
from simon_solver.game.layout import DECKS
from simon_solver.game.numbered import parse_number
from simon_solver.game.position import Position
from simon_solver.reading.formats import columns
from simon_solver.reading.formats.known import format_of, read_board
from tests.support.deals import DATA, board, board_text
from tests.support.strategies import positions

SAMPLES = DATA / "samples"
DEAL = parse_code("SS1-S4-AAAAABD").deal()
DEAL_TEXT = columns.write(DEAL)


def sample(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="ascii")


@given(positions())
def test_round_trip(position: Position) -> None:
    text = columns.write(position)
    assert columns.read(text) == position
    assert read_board(text) == position


@given(positions())
def test_spellings(position: Position) -> None:
    text = columns.write(position)
    symbols = str.maketrans("SHDC", "♠♥♦♣")
    board_lines = "\n".join(f": {card_names(column)}" for column in position.columns)
    runs = "".join(f" {'SHDC'[suit]}-k" for suit in position.removed)
    for variant in (
        text.lower(),
        text.replace("T", "10"),
        text.replace("\n", "\r\n"),
        "\ufeff" + text,
        re.sub(r"(?m)^(?!Found).*$", lambda line: line[0].translate(symbols), text),
        re.sub(r"(?m)^(?!Found).*$", lambda line: line[0].replace("T", "0"), text),
        re.sub(r"(?m)^(?!Found).*$", lambda line: line[0].replace("A", "1"), text),
        re.sub(r"\b([2-9ATJQK])([SHDC])\b", r"\2\1", text),
        re.sub(r"\b([2-9ATJQK])([SHDC])\b", r"\2\1", text).replace("T", "10").replace("A", "1"),
        re.sub(r"\b([2-9ATJQK])([SHDC])\b", "\\2\ufe0f\\1", text).translate(symbols).lower(),
        text.replace("Foundations", "Founds"),
        text.replace("Foundations", "DECKS"),
        text.replace(" ", "  \t"),
        text.rstrip("\n") if position.columns[-1] else text,
        f"Foundations: H-0 C-0{runs}\nFreecells:\n{board_lines}",
        f"# a comment\nSS1-S4-AAAAABD\n\nFounds:{runs}\n{board_lines}\n",
        f"{board_lines}\nFounds:{runs}\n\n",
    ):
        assert columns.recognises(variant)
        assert columns.read(variant) == position


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.board")), ids=lambda path: path.name)
def test_samples_are_read(path: object) -> None:
    text = sample(str(path).rsplit("/", 1)[-1])
    position = read_board(text)
    assert position.deck == DECKS[4]
    assert len(position.columns) == 10
    board_part = [line for line in text.replace("10", "T").splitlines() if "Founds" not in line]
    assert board_text(position) == "|".join(board_part)


def test_numbered_samples() -> None:
    for number in (24, 30, 46, 72, 266, 309, 317, 604):
        assert read_board(sample(f"ms{number}.board")) == parse_number(f"ms:{number}").deal()


def test_export_of_pysolfc_and_state_of_fc_solve_are_the_same_position() -> None:
    export = read_board(sample("ms72_after75_1run_pysolfc_export.board"))
    assert export == read_board(sample("ms72_after75_1run_fcsolve_state.txt"))
    assert export.removed == (3,)
    assert export.columns[6] == ()
    assert card_names(export.columns[0]) == "4D AS 9D"


def test_whole_deal_printed_by_fc_solve() -> None:
    assert read_board(sample("ms24_fcsolve_state.txt")) == parse_number("ms:24").deal()


def test_suits_are_decided_from_cards_and_removed_runs() -> None:
    for suits in (1, 2, 4):
        position = parse_code(f"SS1-S{suits}-AAAAABD").deal()
        assert read_board(columns.write(position)).deck == DECKS[suits]
    hearts = read_board(columns.write(parse_code("SS1-S1-AAAAABD").deal()).replace("S", "H"))
    assert hearts.deck.copies == (0, 4, 0, 0)
    left = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S\nAS KH\n4H QH JH TH\n9H 8H 7H 6H 5H\n3H 2H AH\n"
    assert read_board(f"Founds: S-K H-K\n{left}").deck == DECKS[2]
    assert read_board(f"Founds: D-K C-K\n{left}").deck == DECKS[4]


def test_two_removed_runs_of_one_suit() -> None:
    text = "Founds: S-K S-K S-K\n2S AS\n3S KS QS JS TS 9S 8S 7S 6S 5S 4S\n"
    position = read_board(text)
    assert position.removed == (SPADES, SPADES, SPADES)
    assert position.columns[2:] == ((),) * 8


def test_complete_runs_at_column_ends_are_removed_and_count() -> None:
    lines = DEAL_TEXT.replace("KD", "").splitlines()
    cards = [card for card in " ".join(lines).split() if not card.endswith("D")]
    text = "KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD\n" + " ".join(cards) + "\n"
    position = read_board(text)
    assert position.removed == (DIAMONDS,)
    assert position.columns[0] == ()


def test_a_won_position() -> None:
    position = read_board("Foundations: H-K C-K D-K S-K\n")
    assert position.is_won
    assert position.columns == ((),) * 10


def test_empty_lines_are_empty_columns_in_place() -> None:
    text = sample("ms72_after8.board")
    position = read_board(text)
    assert position.columns[5] == ()
    moved = "\n" + text.replace("\n\n", "\n")  # the empty line first: the first column is empty
    assert read_board(moved).columns == ((), *position.columns[:5], *position.columns[6:])
    short = text.replace("\n\n", "\n")
    assert read_board(short).columns == (*position.columns[:5], *position.columns[6:], ())


def test_empty_lines_between_ten_columns_are_none() -> None:
    assert read_board("\n\n" + DEAL_TEXT.replace("\n", "\n\n")) == DEAL


def test_comments_and_codes_beside_a_board_are_skipped() -> None:
    text = "# mine\nGame SS1-S1-ZZZZZZZ\n" + DEAL_TEXT.replace("KD\n", "KD  # the king\n")
    assert read_board(text) == DEAL


@pytest.mark.parametrize(
    "text", ["\n\n", "Some text\n", "\nScore: 500\n\n- 3 moves # 7H\n", "# 1H\nx y"]
)
def test_other_text_may_follow_the_tenth_column(text: str) -> None:
    assert read_board(DEAL_TEXT + text) == DEAL
    assert read_board(DEAL_TEXT + "Founds: H-0\n" + text) == DEAL


def test_other_text_may_follow_empty_columns() -> None:
    late = sample("ms72_after75_1run_pysolfc_export.board")
    assert read_board(late + "That is all.\n") == read_board(late)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("9H KH", "XH KH"), "line 1, column 7: expected a card like '7H', got 'XH'"),
        (("KD\n", "KD -\n"), "line 10, column 4: expected a card like '7H', got '-'"),
        (("8C 6S", ":: 6S"), "line 2, column 2: expected a card like '7H', got ':'"),
        (("\nKD\n", "\n\n"), "expected 52 cards, got 51; missing: KD"),
        (
            ("\nKD\n", "\nKC\n"),
            "expected 52 cards, got 52; missing: KD; too many: KC "
            "(KC: line 1, column 22; line 10, column 1)",
        ),
        (
            ("\nKD\n", "\nKD KD\n"),
            "expected 52 cards, got 53; too many: KD (KD: line 10, column 1; line 10, column 4)",
        ),
        (("6C QD\nKD\n", "6C\nQD\nKD\n"), "line 11: expected 10 columns, got one more"),
        (("\nKD\n", "\nKD\nSome 7H\n"), "line 11, column 1: expected a card like '7H', got "),
        (("\nKD\n", "\nKD\nSome\n\n(1h).\n"), "line 11, column 1: expected a card like '7H', "),
        (("\nKD\n", "\nKD\n7H7H\n"), "line 11, column 1: expected a card like '7H', got '7H7H'"),
        (("\nKD\n", "\nKD\nx\nFounds: \n"), "line 11, column 1: expected a card like '7H', "),
        (("\nQH", "\nSome text\nQH"), "line 8, column 1: expected a card like '7H', got 'Some'"),
    ],
)
def test_faults_name_their_place(change: tuple[str, str], message: str) -> None:
    assert change[0] in DEAL_TEXT
    with pytest.raises(FormatError) as error:
        read_board(DEAL_TEXT.replace(*change))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("run", ["H-5", "H", "HK", "X-K", "H-14", "hearts", "H-"])
def test_bad_foundations(run: str) -> None:
    with pytest.raises(FormatError) as error:
        read_board(f"Foundations: C-0 {run}\n{DEAL_TEXT}")
    assert str(error.value) == (
        f"line 1, column 18: expected a removed run like 'H-K', or 'H-0' for none, got {run!r}"
    )


def test_a_declared_run_that_is_on_the_table() -> None:
    with pytest.raises(FormatError) as error:
        read_board("Founds: H-K\n" + DEAL_TEXT)
    message = str(error.value)
    assert message.startswith("expected 52 cards, got 65; too many: AH 2H 3H ")
    assert "(13 counted for the removed run) (AH: line 4, column 4) (2H: " in message


def test_an_undeclared_run_is_missing() -> None:
    with pytest.raises(FormatError) as error:
        read_board(sample("ms72_after75_1run_pysolfc_export.board").replace("Founds: C-K\n", ""))
    assert str(error.value) == (
        "expected 52 cards, got 39; missing: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    )


def test_more_than_ten_columns_with_an_empty_one_between() -> None:
    lines = DEAL_TEXT.splitlines()
    merged = [" ".join(lines[:2]), "", *lines[2:5], "", *lines[5:]]
    with pytest.raises(FormatError, match="line 11: expected 10 columns, got one more"):
        read_board("\n".join(merged))


@pytest.mark.parametrize("suit", ["SUIT", "has", "Sa", "St", "D-1", "C"])
def test_words_that_are_no_card(suit: str) -> None:
    assert not columns.recognises(f"{suit} {suit}\n")
    assert read_board(f"{DEAL_TEXT}{suit}\n") == DEAL


def test_a_card_after_the_tenth_column_with_its_suit_first() -> None:
    with pytest.raises(FormatError, match="line 11: expected 10 columns, got one more"):
        read_board(DEAL_TEXT + "H7\n")


def test_boards_for_fc_solve() -> None:
    assert columns.write_fc_solve(DEAL) == DEAL_TEXT
    late = read_board(sample("ms72_after75_1run_fcsolve_state.txt"))
    assert columns.write_fc_solve(late) == columns.write(late)
    with pytest.raises(FormatError, match=r"^fc-solve supports only four suits, but this deal"):
        columns.write_fc_solve(parse_code("SS1-S1-AAAAABD").deal())
    cards = tuple(card for column in DEAL.columns for card in column)
    fits = Position(DECKS[4], (cards[20:40], cards[:20], cards[40:]))
    assert columns.read(columns.write_fc_solve(fits)).columns[:3] == fits.columns
    with pytest.raises(FormatError) as error:
        columns.write_fc_solve(Position(DECKS[4], (cards[21:40], cards[:21], cards[40:])))
    assert str(error.value) == "fc-solve takes at most 20 cards in a column, but column 2 has 21"


@pytest.mark.parametrize("text", ["", "\n\n", "hello world", "# AS 2S", "SS1-S4-AAAAABD"])
def test_texts_that_are_no_board(text: str) -> None:
    assert format_of(text) is None
    with pytest.raises(FormatError, match="got no card"):
        read_board(text)


def test_a_board_read_from_text_equals_the_helper() -> None:
    assert read_board(DEAL_TEXT) == board(board_text(DEAL))
    assert HEARTS in {card >> 4 for column in DEAL.columns for card in column}
