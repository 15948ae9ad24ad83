"""The JSON that `show` and `convert` print, read again, and texts in more formats than one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import FormatError
from simon_solver.game.cards import HEARTS, SPADES
from simon_solver.game.codes import parse_code
from simon_solver.game.deal import Deal
from simon_solver.game.layout import DECKS
from simon_solver.game.position import Position
from simon_solver.reading.deals import parse_deal
from simon_solver.reading.formats import columns, record, spoken
from simon_solver.reading.formats.assembly import Game
from simon_solver.reading.formats.known import format_of, read_board, read_game
from simon_solver.render.boards import converted
from tests.support.deals import DATA
from tests.support.strategies import positions

SAMPLES = DATA / "samples"
CODE = "SS1-S4-AAAAABD"
DEAL = parse_code(CODE).deal()
LATE = read_board((SAMPLES / "ms72_after75_1run.solvitaire.json").read_text(encoding="ascii"))
TEXT = converted(Deal("late", LATE, 75), "json")


@given(positions(), st.integers(0, 999))
def test_round_trip(position: Position, moves: int) -> None:
    text = converted(Deal("x", position, moves), "json")
    assert record.read(text) == position
    assert read_game(text) == Game(position, moves)
    deal = parse_deal(text)
    assert (deal.position, deal.moves_made) == (position, moves)


@pytest.mark.parametrize("name", ["deal", "suits", "score", "runs_removed"])
def test_most_names_may_be_left_out(name: str) -> None:
    values = json.loads(TEXT)
    del values[name]
    assert read_game(json.dumps(values, indent=1)) == Game(LATE, 75)


def test_columns_alone() -> None:
    values = {"columns": json.loads(TEXT)["columns"], "more": {"later": [None]}}
    with pytest.raises(FormatError, match="expected 52 cards, got 39; missing: AC 2C"):
        read_board(json.dumps(values))
    assert read_game(json.dumps({**values, "runs_removed": 1})) == Game(LATE, 0)
    text = json.dumps({"columns": [[f"{rank}S" for rank in range(1, 14)] * 4]})
    assert read_board(text).deck == DECKS[1]
    assert read_board(text).columns[1:] == ((),) * 9


def test_removed_runs_in_their_order() -> None:
    column = [f"{rank}{suit}" for suit in "SH" for rank in (*"2A3456789", *"TJQK")]
    text = {"columns": [column], "removed": "hs", "suits": 2}
    assert read_board(json.dumps(text)).removed == (HEARTS, SPADES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"suits": 4', '"suits": 2'), "line 1, column 27: expected 4, the number of suits of the"),
        (('"suits": 4', '"suits": "4"'), "line 1, column 27: expected a whole number, got '4'"),
        (('"moves": 75', '"moves": -1'), "line 1, column 53: expected a whole number, got -1"),
        (('"moves": 75', '"moves": 1.5'), "line 1, column 53: expected a whole number, got 1.5"),
        (('"moves": 75', '"moves": 1234567890'), "line 1, column 53: expected a whole number, got"),
        (('"runs_removed": 1', '"runs_removed": 2'), "line 1, column 87: expected 2 suits of remo"),
        (('"runs_removed": 1', '"runs_removed": 0'), "line 1, column 87: expected 0 suits of remo"),
        (('"removed": "C"', '"removed": "X"'), "line 1, column 87: expected suit letters like 'SH"),
        (('"removed": "C"', '"removed": 1'), "line 1, column 87: expected suit letters like 'SH',"),
    ],
)  # fmt: skip
def test_faults_name_their_place(change: tuple[str, str], message: str) -> None:
    assert change[0] in TEXT
    with pytest.raises(FormatError) as error:
        read_board(TEXT.replace(*change, 1))
    assert str(error.value).startswith(message)
    assert str(error.value).endswith(" (read as JSON written by 'convert --to json')")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"columns": 1}', "line 1, column 13: expected an array of columns, got 1"),
        ('{"columns": [1]}', "line 1, column 14: expected an array of cards, got 1"),
        ('{"columns": [["7H", "x"]]}', "line 1, column 21: expected a card like '7H', got 'x'"),
        ('{"a": {"columns": []}}', "line 1, column 1: expected a JSON object with 'columns'"),
        ('{"columns": [' + "[], " * 10 + "[]]}", "line 1, column 54: expected 10 columns, got one"),
        ('{"columns": [["AS"]], "runs_removed": 5}', "expected 0 to 4 removed runs, got 5"),
        ('{"columns": [["AS"]], "removed": "SSSSS"}', "expected 0 to 4 removed runs, got 5"),
    ],
)  # fmt: skip
def test_faults_of_columns(text: str, message: str) -> None:
    assert format_of(text) is record
    with pytest.raises(FormatError) as error:
        read_board(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "name",
    ['"tableau": ', "tableau", "column 1: ace of spades", '{"columns": 1}', "<?xml", "\udc80\n"],
)
def test_names_of_the_deal_do_not_matter(name: str) -> None:
    text = converted(Deal(name, LATE, 75), "json")
    assert format_of(text) is record
    assert read_game(text) == Game(LATE, 75)


def test_one_text_with_the_same_board_twice() -> None:
    assert read_board(spoken.write(LATE) + "\n" * 3 + columns.write(LATE)) == LATE
    assert read_board(columns.write(DEAL) + spoken.write(DEAL)) == DEAL


def test_one_text_with_two_boards() -> None:
    with pytest.raises(FormatError) as error:
        read_board(columns.write(DEAL) + spoken.write(LATE))
    assert str(error.value) == (
        "expected one board, got two that differ: a spoken description ('column 1: ace of spades, "
        "...') and cards by column"
    )


def test_a_fault_where_several_formats_are_possible() -> None:
    text = columns.write(DEAL) + spoken.write(LATE).replace("4 of diamonds, ace", "4 diamonds, ace")
    with pytest.raises(FormatError) as error:
        read_board(text)
    assert str(error.value) == (
        "line 11, column 33: expected a card like 'ace of spades', got '4 diamonds' (read as a "
        "spoken description ('column 1: ace of spades, ...'); it may also be cards by column)"
    )
