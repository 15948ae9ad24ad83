"""Positions without the order of their columns, quick to compare and to play on.

*Columns* are a sorted tuple, each column the bytes of its cards, base first. Two positions that
differ only in the order of their columns are the same columns, and the removed runs follow from the
cards that are left.
"""

from __future__ import annotations

from simon_solver.game.cards import ACE, rank_of, suit_of
from simon_solver.game.layout import Deck
from simon_solver.game.position import Position
from simon_solver.game.rules import settle

Column = bytes

Table = tuple[Column, ...]


def table_of(position: Position) -> Table:
    """The position's columns without their order, complete runs removed."""
    return tuple(sorted(map(bytes, settle(position).columns)))


def position_of(table: Table, deck: Deck) -> Position:
    """A position with the table's columns in their sorted order, the removed runs by suit."""
    left = [card for column in table for card in column]
    removed = [
        suit
        for suit, copies in enumerate(deck.copies)
        for _ in range(copies - sum(suit_of(card) == suit for card in left) // deck.ranks)
    ]
    return Position(deck, tuple(map(tuple, table)), tuple(removed))


def run_length(column: Column) -> int:
    """Cards of the maximal run; a true parent's card number is its child's plus one."""
    length = min(1, len(column))
    while length < len(column) and column[-length - 1] == column[-length] + 1:
        length += 1
    return length


def without_complete_runs(column: Column, ranks: int) -> Column:
    """What is left of the column when the complete runs at its end have left the table."""
    while column and rank_of(column[-1]) == ACE and run_length(column) == ranks:
        column = column[:-ranks]
    return column
