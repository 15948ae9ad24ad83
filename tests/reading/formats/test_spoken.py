"""The app's spoken description: its own wording, likely variants, faults and their places."""

from __future__ import annotations

import pytest
from hypothesis import given

from simon_solver.errors import FormatError
from simon_solver.game.cards import CLUBS, HEARTS, SPADES
from simon_solver.game.codes import parse_code
from simon_solver.game.layout import DECKS
from simon_solver.game.position import Position
from simon_solver.reading.formats import columns, spoken
from simon_solver.reading.formats.known import format_of, read_board
from tests.support.deals import DATA
from tests.support.strategies import positions

SAMPLES = DATA / "samples"
SEED = (SAMPLES / "description_seed.txt").read_text(encoding="ascii")
LATE = (SAMPLES / "description_ms72_after75_GUESSED_WORDING.txt").read_text(encoding="ascii")
SEED_BOARD = columns.read((SAMPLES / "description_seed_as.board").read_text(encoding="ascii"))
LATE_BOARD = columns.read(
    (SAMPLES / "ms72_after75_1run_pysolfc_export.board").read_text(encoding="ascii")
)


@given(positions())
def test_round_trip(position: Position) -> None:
    text = spoken.write(position)
    assert spoken.read(text) == position
    assert read_board(text) == position


def test_the_apps_own_text() -> None:
    assert read_board(SEED) == SEED_BOARD
    assert spoken.write(SEED_BOARD) == SEED


def test_a_position_with_a_removed_run_and_an_empty_column() -> None:
    assert read_board(LATE) == LATE_BOARD
    assert LATE_BOARD.removed == (CLUBS,)


SPELLED = {"10 of": "ten of", "9 of": "nine of", "5 of": "Five of", "2 of": "two of"}


def _spelled(text: str) -> str:
    for digits, word in SPELLED.items():
        text = text.replace(digits, word)
    return text


@pytest.mark.parametrize(
    "text",
    [
        SEED.upper(),
        SEED.title(),
        SEED.rstrip(".\n"),
        SEED.strip(),
        SEED.replace("; ", "\n"),
        SEED.replace("; ", ";\r\n"),
        SEED.replace("; column", ". Column"),
        SEED.replace(": ", ":\n  ").replace(", ", ",\n  "),
        SEED.replace(" of ", "\nof "),
        SEED.replace("of diamonds;", "of diamonds ;").replace(", ", " , "),
        SEED.replace(", ", " and "),
        SEED.replace("column 1:", "column one :").replace("column 10:", "column ten:"),
        _spelled(SEED),
        "\ufeff" + SEED,
        SEED.removeprefix("No runs removed. "),
        SEED.replace("No runs removed", "0 runs removed"),
        f"Simple Simon\nGame SS1-S4-AAAAABD\nThe last card of column 3.\n{SEED}\nUndo 2 of 5",
        f"{SEED.strip()} Score 500. Selected: 5 of diamonds.",
        "; ".join(reversed(SEED.rstrip(".\n").removeprefix("No runs removed. ").split("; "))),
    ],
)
def test_variants_of_a_deal(text: str) -> None:
    position = read_board(text)
    assert position == SEED_BOARD


@pytest.mark.parametrize(
    "text",
    [
        LATE.replace("column 7: empty", "column 7: empty column"),
        LATE.replace("column 7: empty", "column 7: an empty column"),
        LATE.replace("column 7: empty", "column 7: no cards"),
        LATE.replace("column 7: empty", "column 7:"),
        LATE.replace("column 7: empty", "Column 7 is empty"),
        LATE.replace("column 7: empty; ", ""),
        LATE.replace("; ", "\n").replace("column 7: empty", "column 7: "),
        LATE.replace("1 run removed.", "One run removed: clubs."),
        LATE.replace("1 run removed.", "1 run removed (clubs)."),
        LATE.replace("1 run removed.", "No runs removed. 1 run removed, clubs."),
        LATE.replace("1 run removed. ", "") + " 1 run removed.",
    ],
)
def test_variants_of_a_later_position(text: str) -> None:
    assert read_board(text) == LATE_BOARD


def test_last_column_empty_and_text_after_it() -> None:
    text = LATE.replace("column 7: empty; ", "").rstrip(".\n")
    for end in ("; column 7 is empty", "; column 7:\nUndo move", "\ncolumn 7: empty\n\nNew game"):
        position = read_board(text + end)
        assert position.columns[6] == ()


def test_games_of_one_and_two_suits() -> None:
    for suits in (1, 2):
        position = parse_code(f"SS1-S{suits}-AAAAABD").deal()
        assert read_board(spoken.write(position)) == position


RUN = "king, queen, jack, 10, 9, 8, 7, 6, 5, 4, 3, 2, ace"
OPEN_RUN = "2, 10, 9, 8, 7, 6, 5, 4, 3, king, queen, jack, ace"


def _column(number: int, suit: str) -> str:
    return f"column {number}: {OPEN_RUN.replace(',', f' of {suit},')} of {suit}"


def test_unnamed_runs_are_those_that_are_missing_wholly() -> None:
    text = f"3 runs removed. {_column(4, 'hearts')}."
    assert read_board(text).deck == DECKS[4]
    assert read_board(text).removed == (0, 2, 3)
    text = f"2 runs removed. {_column(4, 'spades')}; {_column(5, 'hearts')}."
    assert read_board(text).deck == DECKS[4], "the deck with most suits is preferred"
    assert read_board(text.replace("removed", "removed: hearts, spades")).deck == DECKS[2]
    assert read_board(text.replace("removed", "removed: hearts, spades")).removed == (1, 0)
    text = f"1 run removed. {_column(1, 'spades')}; {_column(2, 'hearts')}; {_column(3, 'spades')}"
    assert read_board(text).removed == (HEARTS,)
    text = text.replace("hearts", "spades")
    assert read_board(text).removed == (SPADES,)
    assert read_board(text).deck == DECKS[1]


def test_all_runs_removed_leaves_an_empty_table() -> None:
    text = "4 runs removed. " + "; ".join(f"column {number}: empty" for number in range(1, 11))
    assert read_board(text).is_won


def test_complete_runs_at_column_ends_are_removed_and_count() -> None:
    run = f"{RUN.replace(',', ' of clubs,')} of clubs"
    text = f"3 runs removed. column 2: {run}."
    assert read_board(text).removed == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("column 1: ace of spades", "column 1: 1 of spades"),
            "line 1, column 28: expected a card like 'ace of spades', got '1 of spades'",
        ),
        (
            ("king of hearts", "king of heart"),
            "line 1, column 43: expected a card like 'ace of spades', got 'king of heart'",
        ),
        (
            ("ace of spades, king", "ace of spades king"),
            "line 1, column 42: expected ',' and a card or ';' and a column, got 'king of hearts'",
        ),
        (
            ("; column 2:", ";"),
            "line 1, column 144: expected a column like 'column 2:', got '3 of diamonds'",
        ),
        (
            ("column 2:", "column 1:"),
            "line 1, column 144: column 1 is described twice",
        ),
        (
            ("column 10:", "column 11:"),
            "line 1, column 834: expected column 1 to 10, got 'column 11:'",
        ),
        (
            ("5 of diamonds.", "5 of diamonds, "),
            "line 2, column 1: expected a card like 'ace of spades', got ''",
        ),
        (("5 of diamonds.", "empty."), "expected 52 cards, got 51; missing: 5D"),
        (
            ("5 of diamonds.", "ace of spades."),
            "expected 52 cards, got 52; missing: 5D; too many: AS "
            "(AS: line 1, column 28; line 1, column 845)",
        ),
        (
            ("No runs", "5 runs"),
            "line 1, column 1: expected 0 to 4 runs, got 5",
        ),
        (
            ("No runs removed.", "1 run removed: clubs, hearts."),
            "line 1, column 1: expected 1 suit of removed runs, got 2",
        ),
        (
            ("No runs removed.", "2 runs removed: clubs."),
            "line 1, column 1: expected 2 suits of removed runs, got 1",
        ),
    ],
)
def test_faults_name_their_place(change: tuple[str, str], message: str) -> None:
    assert change[0] in SEED
    with pytest.raises(FormatError) as error:
        read_board(SEED.replace(*change, 1))
    assert str(error.value) == message


@pytest.mark.parametrize("card", ["1 of spades", "ace of spade", "Ace of\nace", "x of spades"])
def test_a_lone_bad_card_has_its_place(card: str) -> None:
    with pytest.raises(FormatError) as error:
        read_board(f"My game\nColumn 4: {card}.")
    assert str(error.value).startswith(
        f"line 2, column 11: expected a card like 'ace of spades', got '{card[0]}"
    )


def test_a_removed_run_that_is_on_the_table() -> None:
    with pytest.raises(
        FormatError, match=r"expected 52 cards, got 65; too many: .* the removed run\)"
    ):
        read_board(SEED.replace("No runs", "1 run"))


@pytest.mark.parametrize(
    "text",
    ["column 1", "No runs removed.", "column 1: text", "ace of spades", "column 3: end of game"],
)
def test_texts_that_are_no_description(text: str) -> None:
    assert not spoken.recognises(text)
    assert format_of(text) is None


def test_a_description_without_columns_is_refused() -> None:
    with pytest.raises(FormatError, match="expected 52 cards, got 0"):
        spoken.read("No runs removed.")
