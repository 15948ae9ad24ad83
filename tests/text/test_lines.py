"""Lines and places: one notion for all readers, whatever ends the lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import FormatError
from simon_solver.game.codes import parse_code
from simon_solver.game.moves import parse_moves
from simon_solver.reading.deals import parse_deal
from simon_solver.reading.formats import columns, spoken
from simon_solver.reading.formats.known import read_board
from simon_solver.text.lines import Places, lines_of

DEAL = parse_code("SS1-S4-AAAAABD").deal()
ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"]


@given(st.lists(st.sampled_from(["a", "bc", *ENDS])).map("".join))
def test_places_count_the_lines_that_there_are(text: str) -> None:
    places = Places(text)
    for number, line in enumerate(lines_of(text), 1):
        assert places.at(sum(map(len, text.splitlines(keepends=True)[: number - 1]))) == (
            f"line {number}, column 1"
        ), line
    before = f"{text}.".splitlines()
    assert places.at(len(text)) == f"line {len(before)}, column {len(before[-1])}"


@pytest.mark.parametrize("end", ENDS)
def test_every_reader_knows_every_end(end: str) -> None:
    board = columns.write(DEAL)
    assert read_board(board.replace("\n", end)) == DEAL
    with pytest.raises(FormatError, match=r"^line 9, column 4: expected a card like '7H', got 'Q'"):
        read_board(board.replace("6C QD", "6C Q").replace("\n", end))
    description = spoken.write(DEAL).replace("; ", end)
    assert read_board(description) == DEAL
    with pytest.raises(FormatError, match=r"^line 3, column 11: expected a card like 'ace of"):
        read_board(description.replace(f"{end}column 3: ", f"{end}column 3: x"))
    assert parse_deal(f"# mine{end}SS1-S4-AAAAABD  # this{end}").position == DEAL
    assert [move.place for move in parse_moves(f"1>2 # one{end}3 4 1")] == [
        "line 1, column 1",
        "line 2",
    ]


def test_a_byte_order_mark_takes_no_column() -> None:
    for board in (columns.write(DEAL), spoken.write(DEAL)):
        wrong = board.replace("JD", "JX").replace("column 1:", "column 0:")
        with pytest.raises(FormatError) as plain:
            read_board(wrong)
        with pytest.raises(FormatError) as marked:
            read_board("\ufeff" + wrong)
        assert str(marked.value) == str(plain.value)
    assert len(parse_moves("\ufeff1>2")) == 1
