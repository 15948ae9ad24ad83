"""Reads what an argument names: a deal, moves, a solution or a design, from a text or a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from simon_solver.errors import CodeError, FormatError, InputError, SimonError, reason_of
from simon_solver.game.codes import EXAMPLE, parse_code
from simon_solver.game.deal import Deal
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes, sizes_text
from simon_solver.game.moves import MoveText, parse_moves
from simon_solver.game.numbered import HIGHEST_NUMBERS, parse_number
from simon_solver.reading.designs.comparing import Design, parse_design
from simon_solver.reading.formats import NAMES, format_of, read_game
from simon_solver.reading.solutions import is_solution_text, read_solution_text
from simon_solver.reading.solutions.printed import Solution
from simon_solver.text.inputs import MOST_BYTES, decode, file_bytes
from simon_solver.text.json_values import begins_an_object
from simon_solver.text.lines import beginning, lines_of

STANDARD_INPUT = "-"

Moves = TypeVar("Moves")

_WANTED = (
    f"a game code like {EXAMPLE}, a numbered deal like kpat:72, a file, or - for standard input"
)
# What only somebody who means a code or a numbered deal would write.
_CODE_LIKE = re.compile(r"\s*(?:SS\d|\w*-?S\d-)", re.IGNORECASE)
_NUMBER_LIKE = re.compile(
    rf"\s*(?:(?:{'|'.join(HIGHEST_NUMBERS)})\s*(?:[\d:#-]|\Z)|[a-z]{{2,}}\s*:)", re.IGNORECASE
)
_MOVE_LIKE = re.compile(r"[\d>:\s]*(?:#.*)?", re.DOTALL)


def read_deal(
    argument: str,
    stdin: BinaryIO | None = None,
    *,
    pipes: bool = True,
    column_sizes: ColumnSizes = COLUMN_SIZES,
) -> Deal:
    """Read the deal that an argument names: a code, a number, a file, or ``-`` for `stdin`.

    A code or number wins over a file of the same name. The format of a file is recognised from its
    content (see `parse_deal`). Without `pipes` only regular files are read (see `file_bytes`).
    A code is dealt into columns of `column_sizes`.

    Raises:
        SimonError: says what was expected and what was found, and in which file.
        TypeError: the argument is not a string.
    """
    _need_text(argument)
    named = _named_deal(argument, column_sizes)
    if isinstance(named, Deal):
        return named
    if argument != STANDARD_INPUT and not _exists(argument):
        raise named or InputError(
            f"no such deal or file: expected {_WANTED}, got {beginning(argument)!r}"
        )
    text = read_text(argument, stdin, pipes=pipes)
    try:
        return parse_deal(text, argument, column_sizes)
    except SimonError as error:
        raise type(error)(f"{_shown(argument)}: {error}") from None


def parse_deal(
    text: str, name: str = STANDARD_INPUT, column_sizes: ColumnSizes = COLUMN_SIZES
) -> Deal:
    """Read the deal in a text: a board in any known format, or a lone game code or numbered deal.

    A text with both a code and a board is read as the board, which is then called `name`. If the
    format records the moves made, the deal counts them. A code is dealt into columns of
    `column_sizes`.

    Raises:
        SimonError: the text is neither, or has a fault (the message names line and column), or
            its layout is not `column_sizes`, if these are not the usual ones.
        TypeError: it is not a string.
    """
    _need_text(text)
    if begins_an_object(text) or format_of(text) is not None:
        game = read_game(text)
        _check_layout(game.column_sizes, column_sizes, "a board")
        return Deal(name, game.position, game.moves_made, column_sizes=game.column_sizes)
    lines = [line.split("#", 1)[0].strip() for line in lines_of(text)]
    lines = [line for line in lines if line]
    if not lines:
        raise FormatError("expected a board, a game code or a numbered deal, got nothing")
    named = _named_deal(lines[0], column_sizes)
    if isinstance(named, Deal) and len(lines) == 1:
        return named
    if isinstance(named, Deal):
        raise FormatError(f"expected one deal or a board, got {lines[0]!r} and more lines")
    if named is not None and len(lines) == 1:
        raise named
    raise FormatError(
        f"expected a board, a game code or a numbered deal, got {beginning(lines[0])!r} "
        f"(a board may be {NAMES})"
    )


def _named_deal(text: str, column_sizes: ColumnSizes) -> Deal | CodeError | None:
    """The deal of a code or number; what is wrong with a text meant as one; else None."""
    fault = None
    try:
        code = parse_code(text)
        return Deal(str(code), code.deal(column_sizes), code=code, column_sizes=column_sizes)
    except CodeError as error:
        if _CODE_LIKE.match(text):
            fault = error
    try:
        number = parse_number(text)
    except CodeError as error:
        return fault or (error if _NUMBER_LIKE.match(text) else None)
    _check_layout(COLUMN_SIZES, column_sizes, str(number))
    return Deal(str(number), number.deal())


def _check_layout(found: ColumnSizes, wanted: ColumnSizes, what: str) -> None:
    """Complain of a deal that is not of the layout asked for, if that is not the usual one."""
    if wanted not in (COLUMN_SIZES, found):
        raise InputError(
            f"expected a game code to deal into columns of {sizes_text(wanted)}, got {what} with "
            "columns of its own"
        )


def read_moves(argument: str, stdin: BinaryIO | None = None) -> list[MoveText]:
    """Read the move list that an argument names: the list itself, a file, or ``-`` for `stdin`.

    Raises:
        SimonError: names file, line and column of the first text that is not a move.
    """
    return _read_played(argument, stdin, parse_moves, _is_move_list)


def read_solution(argument: str, stdin: BinaryIO | None = None) -> Solution:
    """Read the solution that an argument names, in any form that `read_solution_text` knows.

    Raises:
        SimonError: names file, line and column of what cannot be read.
    """
    return _read_played(
        argument,
        stdin,
        read_solution_text,
        lambda text: _is_move_list(text) or is_solution_text(text),
    )


def _is_move_list(text: str) -> bool:
    return bool(_MOVE_LIKE.fullmatch(text)) or ">" in text


def _read_played(
    argument: str,
    stdin: BinaryIO | None,
    read: Callable[[str], Moves],
    is_text: Callable[[str], bool],
) -> Moves:
    """What `read` makes of the argument if it is such a text, else of the file that it names."""
    if argument != STANDARD_INPUT and not _exists(argument):
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
        raise type(error)(f"{_shown(argument)}: {error}") from None


def read_design(argument: str, stdin: BinaryIO | None = None) -> Design:
    """Read a Cardz design file, or ``-`` for `stdin`.

    Raises:
        SimonError: names file, line and column of the first fault.
    """
    text = read_text(argument, stdin)
    try:
        return parse_design(text)
    except SimonError as error:
        raise type(error)(f"{_shown(argument)}: {error}") from None


def read_layout(argument: str, stdin: BinaryIO | None = None) -> ColumnSizes:
    """Read the column sizes of a design that differs from the game solved here in nothing else.

    Raises:
        SimonError: as `read_design`; or the design is another game (names the first difference).
    """
    design = read_design(argument, stdin)
    for other in design.differences:
        if not other.is_layout:
            raise InputError(
                f"{_shown(argument)}: expected a design of this game, columns aside, got another: "
                f"{other.rule}: expected {other.expected}, got {other.found} ({other.place}; "
                "the command 'rules' lists all differences)"
            )
    return design.column_sizes


def read_text(argument: str, stdin: BinaryIO | None = None, *, pipes: bool = True) -> str:
    """The whole text of a file, or of `stdin` for ``-``, at most `MOST_BYTES` long.

    Raises:
        InputError: it cannot be read, is too long, or is not text.
    """
    shown = _shown(argument)
    if argument == STANDARD_INPUT and stdin is None:
        raise InputError("standard input is closed")
    try:
        if argument == STANDARD_INPUT and stdin is not None:
            data = stdin.read(MOST_BYTES + 1)
        else:
            data = file_bytes(argument, pipes=pipes)
        return decode(data)
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {reason_of(error)}") from None
    except InputError as error:
        raise InputError(f"{shown}: {error}") from None


def _need_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"expected a string, got {type(text).__name__}: {beginning(repr(text))}")


def _exists(argument: str) -> bool:
    try:
        return bool(argument.strip()) and Path(argument).exists()
    except OSError:  # such as a name that is too long for any file
        return False


def _shown(argument: str) -> str:
    return "standard input" if argument == STANDARD_INPUT else argument
