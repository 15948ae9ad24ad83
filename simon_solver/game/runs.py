"""Runs: the cards at the end of a column that move as a unit, and those that leave the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from simon_solver.game.cards import ACE, Card, rank_of

Column = TypeVar("Column", tuple[Card, ...], bytes)


def run_length(column: Sequence[Card]) -> int:
    """Cards in the column's maximal run: one suit, each one rank below the card it lies on."""
    length = min(1, len(column))
    # a card's number is 16 times the suit plus the rank, so a true parent's is one more
    while length < len(column) and column[-length - 1] == column[-length] + 1:
        length += 1
    return length


def without_complete_runs(column: Column, ranks: int) -> Column:
    """What is left of the column when all complete runs at its end have left the table.

    `ranks` is the rank of the highest card: a complete run has a card of each rank down to the ace.
    """
    # A complete run ends with the ace: asked first, as few columns so long end in one.
    while len(column) >= ranks and rank_of(column[-1]) == ACE and run_length(column) == ranks:
        column = column[:-ranks]
    return column
