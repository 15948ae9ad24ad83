"""Moves and their text form: ``4>7:2`` takes the top 2 cards of column 4 to column 7.

Columns are 0-based inside the program and 1-based in every text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from simon_solver.errors import FormatError
from simon_solver.text.lines import lines_of


class Move(NamedTuple):
    """Take the top `count` cards of column `source` to column `target` (0-based)."""

    source: int
    target: int
    count: int  # type: ignore[assignment]  # a move needs no tuple.count

    def __str__(self) -> str:
        return f"{self.source + 1}>{self.target + 1}:{self.count}"


class MoveText(NamedTuple):
    """A move as written; `count` is None where it was left out. `place` tells errors where."""

    source: int
    target: int
    count: int | None  # type: ignore[assignment]
    place: str


MOST_MOVES = 10_000
"""No game that anybody wants to see is longer; a win would be worth 900 points less this."""

_WORD = re.compile(r"\S+")
_ARROW = re.compile(r"(\d{1,3})>(\d{1,3})(?::(\d{1,3}))?")
_NUMBER = re.compile(r"\d{1,3}")


def format_moves(moves: list[Move] | tuple[Move, ...]) -> str:
    """The move list on one line, moves separated by blanks."""
    return " ".join(map(str, moves))


def parse_moves(text: str) -> list[MoveText]:
    """Read a move list: ``4>7:2`` or ``4>7`` separated by blanks, or ``4 7 2`` one a line.

    A ``#`` starts a comment that ends with the line. There may be `MOST_MOVES` moves.

    Raises:
        FormatError: names line and column of the first text that is not a move, or is one too many.
    """
    moves: list[MoveText] = []
    for number, raw in enumerate(lines_of(text), 1):
        words = list(_WORD.finditer(raw.split("#", 1)[0]))
        if words and all(_NUMBER.fullmatch(word[0]) for word in words):
            place = f"line {number}"
            if len(words) not in (2, 3):
                raise FormatError(
                    f"{place}: expected from, to and count like '4 7 2', got {raw.strip()!r}"
                )
            source, target, *count = (int(word[0]) for word in words)
            moves.append(_move_text(source, target, count[0] if count else None, place))
            _check_length(moves)
            continue
        for word in words:
            place = f"line {number}, column {word.start() + 1}"
            match = _ARROW.fullmatch(word[0])
            if match is None:
                raise FormatError(f"{place}: expected a move like '4>7:2', got {word[0]!r}")
            moved = None if match[3] is None else int(match[3])
            moves.append(_move_text(int(match[1]), int(match[2]), moved, place))
            _check_length(moves)
    return moves


def _check_length(moves: list[MoveText]) -> None:
    if len(moves) > MOST_MOVES:
        raise FormatError(f"{moves[-1].place}: expected at most {MOST_MOVES} moves, got more")


def _move_text(source: int, target: int, count: int | None, place: str) -> MoveText:
    if source < 1 or target < 1:
        raise FormatError(f"{place}: columns are numbered from 1, got 0")
    return MoveText(source - 1, target - 1, count, place)
