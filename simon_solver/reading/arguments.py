"""What an argument names: a text itself, a file with it, or ``-`` for standard input."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import BinaryIO, TypeVar

from simon_solver.errors import InputError, SimonError, reason_of
from simon_solver.game.moves import MoveText, parse_moves
from simon_solver.text.inputs import MOST_BYTES, decode, file_bytes
from simon_solver.text.lines import beginning

STANDARD_INPUT = "-"

Moves = TypeVar("Moves")

# What PySolFC saves is a pickle for each thing in a game, and the first thing is this name.
_SAVED_BY_PYSOLFC = re.compile(rb"(?:\x80[\x02-\x05].{0,55}?|[SV]'?|[UX].{1,4})PySolFC", re.DOTALL)
_MOVE_LIKE = re.compile(r"[\d>:\s]*(?:#.*)?", re.DOTALL)


def read_text(argument: str, stdin: BinaryIO | None = None, *, pipes: bool = True) -> str:
    """The whole text of a file, or of `stdin` for ``-``, at most `MOST_BYTES` long.

    Raises:
        InputError: it cannot be read, is too long, or is not text.
    """
    name = shown(argument)
    if argument == STANDARD_INPUT and stdin is None:
        raise InputError("standard input is closed")
    try:
        if argument == STANDARD_INPUT and stdin is not None:
            data = stdin.read(MOST_BYTES + 1)
        else:
            data = file_bytes(argument, pipes=pipes)
        _refuse_pysolfc(data)
        return decode(data)
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {reason_of(error)}") from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _refuse_pysolfc(data: bytes) -> None:
    """Say what to give in place of a saved game of PySolFC.

    Raises:
        InputError: this is one.
    """
    if _SAVED_BY_PYSOLFC.match(data):
        raise InputError(
            "expected text, got a PySolFC saved game, which is not safe to read; export the layout "
            "instead"
        )


def need_text(text: object) -> None:
    """Check an argument that a caller may have got wrong.

    Raises:
        TypeError: it is no string.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected a string, got {type(text).__name__}: {beginning(repr(text))}")


def exists(argument: str) -> bool:
    """There is a file of this name."""
    from pathlib import Path  # noqa: PLC0415 - slow to load, and a code or a number needs none

    try:
        return bool(argument.strip()) and Path(argument).exists()
    except OSError:  # such as a name that is too long for any file
        return False


def shown(argument: str) -> str:
    """How errors call what the argument names."""
    return "standard input" if argument == STANDARD_INPUT else argument


def read_moves(argument: str, stdin: BinaryIO | None = None) -> list[MoveText]:
    """Read the move list that an argument names: the list itself, a file, or ``-`` for `stdin`.

    Raises:
        SimonError: names file, line and column of the first text that is not a move.
    """
    return read_played(argument, stdin, parse_moves, is_move_list)


def is_move_list(text: str) -> bool:
    """True when the text is meant as a move list."""
    return bool(_MOVE_LIKE.fullmatch(text)) or ">" in text


def read_played(
    argument: str,
    stdin: BinaryIO | None,
    read: Callable[[str], Moves],
    is_text: Callable[[str], bool],
) -> Moves:
    """What `read` makes of the argument if it is such a text, else of the file that it names."""
    if argument != STANDARD_INPUT and not exists(argument):
        if is_text(argument):
            return read(argument)
        raise InputError(
            "no such file or move list: expected moves like '4>7:2 3>5', a file, or - for "
            f"standard input, got {beginning(argument)!r}"
        )
    text = read_text(argument, stdin)
    try:
        return read(text)
    except SimonError as error:
        raise type(error)(f"{shown(argument)}: {error}") from None
