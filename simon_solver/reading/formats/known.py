"""All formats of boards; that of a text is recognised from the content."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from simon_solver.errors import FormatError
from simon_solver.game.position import Position
from simon_solver.reading.formats import columns, kpat, record, solvitaire, spoken
from simon_solver.reading.formats.assembly import Game
from simon_solver.text.json_values import begins_an_object


class BoardFormat(Protocol):
    """What the module of a format offers."""

    NAME: str

    def recognises(self, text: str) -> bool:
        """True when the text, faults apart, is in this format."""

    def read(self, text: str) -> Position:
        """The position; raises `FormatError` with the place of the first fault."""


@runtime_checkable
class GameFormat(Protocol):
    """A format that records how many moves were made."""

    def read_game(self, text: str) -> Game:
        """The position and the moves made; raises `FormatError` like `read`."""


FORMATS: tuple[BoardFormat, ...] = (solvitaire, record, spoken, kpat, columns)
NAMES = f"{', '.join(known.NAME for known in FORMATS[:0:-1])} or {FORMATS[0].NAME}"

_PLAIN: tuple[BoardFormat, ...] = (spoken, columns)
"""Formats whose errors are clear without the name of the format."""


def format_of(text: str) -> BoardFormat | None:
    """The first format that recognises the text, None when none does."""
    return next((board for board in FORMATS if board.recognises(text)), None)


def read_board(text: str) -> Position:
    """The position that the text shows; see `read_game`."""
    return read_game(text).position


def read_game(text: str) -> Game:
    """The position that the text shows, complete runs at column ends removed and counted.

    Raises:
        FormatError: the text is in no known format, or shows two boards that differ; else names
            line and column of what is wrong, and the format or formats that the text may be in.
    """
    candidates = [board for board in FORMATS if board.recognises(text)]
    if begins_an_object(text) and not set(candidates) - set(_PLAIN):
        raise FormatError(
            "line 1, column 1: expected a JSON object with 'columns' or 'tableau piles', got "
            "another (for the design of a game, use 'rules' or --layout)"
        )
    if not candidates:
        raise FormatError(f"expected {NAMES}, got no card")
    likeliest, *others = candidates
    try:
        game = _read(likeliest, text)
    except FormatError as error:
        if not others and likeliest in _PLAIN:
            raise
        tried = f"read as {likeliest.NAME}"
        if others:
            tried += f"; it may also be {' or '.join(board.NAME for board in others)}"
        raise FormatError(f"{error} ({tried})") from None
    for board in others:
        try:
            other = board.read(text)
        except FormatError:
            continue  # it only looked like a second board
        if other != game.position:
            raise FormatError(
                f"expected one board, got two that differ: {likeliest.NAME} and {board.NAME}"
            )
    return game


def _read(board: BoardFormat, text: str) -> Game:
    return board.read_game(text) if isinstance(board, GameFormat) else Game(board.read(text))
