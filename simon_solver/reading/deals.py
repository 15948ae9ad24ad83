"""Reads the deal that an argument names, or that a text shows."""

from __future__ import annotations

import re
from typing import BinaryIO

from simon_solver.errors import CodeError, FormatError, InputError, SimonError
from simon_solver.game.codes import EXAMPLE, parse_code
from simon_solver.game.deal import Deal
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes, sizes_text
from simon_solver.game.numbered import HIGHEST_NUMBERS, parse_number
from simon_solver.reading.arguments import STANDARD_INPUT, exists, need_text, read_text, shown
from simon_solver.text.lines import beginning, lines_of

_WANTED = (
    f"a game code like {EXAMPLE}, a numbered deal like kpat:72, a file, or - for standard input"
)
# What only somebody who means a code or a numbered deal would write.
_CODE_LIKE = re.compile(r"\s*(?:SS\d|\w*-?S\d-)", re.IGNORECASE)
_NUMBER_LIKE = re.compile(
    rf"\s*(?:(?:{'|'.join(HIGHEST_NUMBERS)})\s*(?:[\d:#-]|\Z)|[a-z]{{2,}}\s*:)", re.IGNORECASE
)


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
    need_text(argument)
    named = _named_deal(argument, column_sizes)
    if isinstance(named, Deal):
        return named
    if argument != STANDARD_INPUT and not exists(argument):
        raise named or InputError(
            f"no such deal or file: expected {_WANTED}, got {beginning(argument)!r}"
        )
    text = read_text(argument, stdin, pipes=pipes)
    try:
        return parse_deal(text, argument, column_sizes)
    except SimonError as error:
        raise type(error)(f"{shown(argument)}: {error}") from None


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
    need_text(text)
    # A code or a number as an argument needs no format, and most arguments are one.
    from simon_solver.reading.formats.known import NAMES, format_of, read_game  # noqa: PLC0415
    from simon_solver.text.json_values import begins_an_object  # noqa: PLC0415

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
