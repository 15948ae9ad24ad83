"""Positions without the order of their columns, quick to compare and to play on.

*Columns* are a sorted tuple, each column the bytes of its cards, base first. Two positions that
differ only in the order of their columns are the same columns, and the removed runs follow from the
cards that are left.
"""

from __future__ import annotations

from simon_solver.game.cards import suit_of
from simon_solver.game.layout import Deck
from simon_solver.game.position import Position

Column = bytes

Table = tuple[Column, ...]


def table_of(position: Position) -> Table:
    """The position's columns without their order."""
    return tuple(sorted(map(bytes, position.columns)))


def position_of(table: Table, deck: Deck) -> Position:
    """A position with the table's columns in their sorted order, the removed runs by suit."""
    left = [card for column in table for card in column]
    removed = [
        suit
        for suit, copies in enumerate(deck.copies)
        for _ in range(copies - sum(suit_of(card) == suit for card in left) // deck.ranks)
    ]
    return Position(deck, tuple(map(tuple, table)), tuple(removed))
