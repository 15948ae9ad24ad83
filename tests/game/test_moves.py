"""Moves in text, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import FormatError
from simon_solver.game.moves import Move, MoveText, format_moves, parse_moves

COLUMN = st.integers(0, 98)
MOVES = st.lists(st.builds(Move, COLUMN, COLUMN, st.integers(1, 13)))


def plain(moves: list[MoveText]) -> list[tuple[int, int, int | None]]:
    return [(move.source, move.target, move.count) for move in moves]


@given(MOVES)
def test_printed_lists_read_back(moves: list[Move]) -> None:
    assert plain(parse_moves(format_moves(moves))) == moves


@given(MOVES)
def test_lines_of_numbers_read_back(moves: list[Move]) -> None:
    text = "\n".join(f"{move.source + 1} {move.target + 1} {move.count}" for move in moves)
    assert plain(parse_moves(text)) == moves


def test_columns_are_counted_from_one_in_text() -> None:
    assert str(Move(3, 6, 2)) == "4>7:2"
    assert format_moves((Move(0, 9, 1), Move(9, 0, 13))) == "1>10:1 10>1:13"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        (" \n\n", []),
        ("# 4>7\n", []),
        ("4>7:2", [(3, 6, 2)]),
        ("4>7", [(3, 6, None)]),
        ("4 7 2", [(3, 6, 2)]),
        ("4 7", [(3, 6, None)]),
        ("4\t7  2\r\n1>2\r\n", [(3, 6, 2), (0, 1, None)]),
        ("4>7:2 10>1\n# a comment\n2>3:1 # another\n", [(3, 6, 2), (9, 0, None), (1, 2, 1)]),
        ("1 2 3 # 4 5 6", [(0, 1, 3)]),
    ],
)
def test_what_is_read(text: str, moves: list[tuple[int, int, int | None]]) -> None:
    assert plain(parse_moves(text)) == moves


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("4>7:2 x>y", "line 1, column 7: expected a move like '4>7:2', got 'x>y'"),
        ("1>2\n  4>7:", "line 2, column 3: expected a move like '4>7:2', got '4>7:'"),
        ("4-7", "line 1, column 1: expected a move like '4>7:2', got '4-7'"),
        ("4>7:1000", "line 1, column 1: expected a move like '4>7:2', got '4>7:1000'"),
        ("4 7 2 1", "line 1: expected from, to and count like '4 7 2', got '4 7 2 1'"),
        ("1>2\n4", "line 2: expected from, to and count like '4 7 2', got '4'"),
        ("1>2 0>3:1", "line 1, column 5: columns are numbered from 1, got 0"),
        ("1 0 1", "line 1: columns are numbered from 1, got 0"),
    ],
)
def test_what_is_refused(text: str, error: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_moves(text)
    assert str(caught.value) == error


def test_places_tell_where_a_move_was_read() -> None:
    assert [move.place for move in parse_moves("1>2 3>4\n\n5 6 1")] == [
        "line 1, column 1",
        "line 1, column 5",
        "line 3",
    ]
