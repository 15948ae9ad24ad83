"""Boards as text, one module per format; the format is recognised from the content.

A format is a module with `NAME`, `recognises`, `read` and `write`. To add one, write the module and
put it into `FORMATS`, the more telling ones first: the first that recognises a text reads it.
"""

from __future__ import annotations

from typing import Protocol

from simon_solver.errors import FormatError
from simon_solver.formats import columns, spoken
from simon_solver.position import Position


class BoardFormat(Protocol):
    """What every module of this package that is a format offers."""

    NAME: str

    def recognises(self, text: str) -> bool:
        """True when the text, faults apart, is in this format."""

    def read(self, text: str) -> Position:
        """The settled position; raises `FormatError` with the place of the first fault."""

    def write(self, position: Position) -> str:
        """The text that `read` makes the position of, with a line end."""


FORMATS: tuple[BoardFormat, ...] = (spoken, columns)


def format_of(text: str) -> BoardFormat | None:
    """The first format that recognises the text, None when none does."""
    return next((board for board in FORMATS if board.recognises(text)), None)


def read_board(text: str) -> Position:
    """The position that the text shows, complete runs at column ends removed and counted.

    Raises:
        FormatError: the text is in no known format, or names line and column of what is wrong.
    """
    board = format_of(text)
    if board is None:
        names = " or ".join(known.NAME for known in FORMATS)
        raise FormatError(f"expected {names}, found no card")
    return board.read(text)
