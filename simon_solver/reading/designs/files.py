"""Reads design files: the whole game, or the layout of one that differs in nothing else."""

from __future__ import annotations

from typing import BinaryIO

from simon_solver.errors import InputError, SimonError
from simon_solver.game.layout import ColumnSizes
from simon_solver.reading.arguments import read_text, shown
from simon_solver.reading.designs.comparing import Design, parse_design


def read_design(argument: str, stdin: BinaryIO | None = None) -> Design:
    """Read a Cardz design file, or ``-`` for `stdin`.

    Raises:
        SimonError: names file, line and column of the first fault.
    """
    text = read_text(argument, stdin)
    try:
        return parse_design(text)
    except SimonError as error:
        raise type(error)(f"{shown(argument)}: {error}") from None


def read_layout(argument: str, stdin: BinaryIO | None = None) -> ColumnSizes:
    """Read the column sizes of a design that differs from the game solved here in nothing else.

    Raises:
        SimonError: as `read_design`; or the design is another game (names the first difference).
    """
    design = read_design(argument, stdin)
    for other in design.differences:
        if not other.is_layout:
            raise InputError(
                f"{shown(argument)}: expected a design of this game, columns aside, got another: "
                f"{other.rule}: expected {other.expected}, got {other.found} ({other.place}; "
                "the command 'rules' lists all differences)"
            )
    return design.column_sizes
