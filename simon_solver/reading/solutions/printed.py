"""The parts of a written solution, in the order of its text, before anything is played."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from simon_solver.game.cards import Card, Suit
from simon_solver.game.moves import MoveText


class Form(StrEnum):
    """The forms in which solutions are written."""

    MOVES = "moves"
    """A move list, ``4>7:2`` or ``4 7 2``."""
    LISTING = "listing"
    """The numbered moves that `solve` prints."""
    JSON = "json"
    """The answer of `solve` as JSON."""
    FC_SOLVE = "fc-solve"
    """What fc-solve prints."""


@dataclass(frozen=True)
class ClaimedMove:
    """A move with the cards it takes, highest first, and the suits of the runs it completes.

    What the text leaves out is None.
    """

    move: MoveText
    cards: tuple[Card, ...]
    removes: tuple[Suit, ...] | None


@dataclass(frozen=True)
class GroupMove:
    """The top `count` cards of `source`, of any suits, to `target`; columns from 0.

    `count` is None where the text does not tell it.
    """

    source: int
    target: int
    count: int | None
    text: str
    place: str

    @property
    def written(self) -> str:
        """The move in its own words, and where it was read."""
        return f"{self.text!r} at {self.place}"


@dataclass(frozen=True)
class RunRemoval:
    """A complete run that leaves the top of a column, counted from 0.

    `short` says that the notation has the same form for a single card.
    """

    column: int
    text: str
    place: str
    short: bool = False

    @property
    def written(self) -> str:
        """The removal in its own words, and where it was read."""
        return f"{self.text!r} at {self.place}"


@dataclass(frozen=True)
class PrintedBoard:
    """A board between the moves: its columns from left to right, and the removed runs."""

    columns: tuple[tuple[Card, ...], ...]
    removed: tuple[Suit, ...]
    place: str


Item = MoveText | ClaimedMove | GroupMove | RunRemoval | PrintedBoard


@dataclass(frozen=True)
class Solution:
    """A solution as it was written."""

    form: Form
    items: tuple[Item, ...]

    @property
    def moves(self) -> int:
        """How many moves the text has; removals are none."""
        return sum(is_move(item) for item in self.items)


def is_move(item: Item) -> bool:
    """The item is a move, and neither a removal nor a board."""
    return not isinstance(item, RunRemoval | PrintedBoard)
