"""Positions without the order of their columns, quick to compare and to play on.

A *tableau* is the sorted tuple of the columns, each column the bytes of its cards, base first. Two
positions that differ only in the order of their columns have the same tableau, and the removed runs
follow from the cards that are left.
"""

from __future__ import annotations

from simon_solver.game.cards import suit_of
from simon_solver.game.layout import Deck
from simon_solver.game.position import Position

Column = bytes
Tableau = tuple[Column, ...]


def tableau_of(position: Position) -> Tableau:
    """The tableau of a position."""
    return tuple(sorted(map(bytes, position.columns)))


def position_of(tableau: Tableau, deck: Deck) -> Position:
    """A position with the tableau's columns in their order, the removed runs by suit."""
    left = [card for column in tableau for card in column]
    removed = [
        suit
        for suit, copies in enumerate(deck.copies)
        for _ in range(copies - sum(suit_of(card) == suit for card in left) // deck.ranks)
    ]
    return Position(deck, tuple(map(tuple, tableau)), tuple(removed))
