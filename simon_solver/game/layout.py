"""The parameters of the rules: which cards there are and how a deal lays them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from simon_solver.errors import DeckError
from simon_solver.game.cards import KING, SUITS, Card, Suit, make_card

ColumnSizes = tuple[int, ...]
"""Cards that each column is dealt, left to right."""


@dataclass(frozen=True)
class Deck:
    """`copies[suit]` sets of ace to `ranks` of each of the four suits (0: the suit is unused)."""

    ranks: int
    copies: tuple[int, int, int, int]

    def __post_init__(self) -> None:
        if not 1 <= self.ranks <= KING:
            raise DeckError(f"expected 1 to {KING} ranks, got {self.ranks}")
        if len(self.copies) != len(SUITS) or min(self.copies) < 0 or not any(self.copies):
            raise DeckError(f"expected copies of four suits, got {self.copies}")

    @property
    def suits(self) -> int:
        """How many different suits there are."""
        return sum(map(bool, self.copies))

    @property
    def runs(self) -> int:
        """How many complete runs the deck holds; the game is won when all are removed."""
        return sum(self.copies)

    @property
    def size(self) -> int:
        """Cards in the deck."""
        return self.ranks * self.runs

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """All cards, set by set, each suit in turn from the ace up: the order before a shuffle."""
        return tuple(
            make_card(rank, suit)
            for copy in range(max(self.copies))
            for suit in SUITS
            if copy < self.copies[suit]
            for rank in range(1, self.ranks + 1)
        )

    @cached_property
    def sorted_cards(self) -> list[Card]:
        """All cards by card number, to compare a position with."""
        return sorted(self.cards)

    def run_of(self, suit: Suit) -> tuple[Card, ...]:
        """The complete run of a suit, king (or the highest rank) first."""
        return tuple(make_card(rank, suit) for rank in range(self.ranks, 0, -1))


@dataclass(frozen=True)
class Layout:
    """A deck and the number of cards each column is dealt, left to right."""

    deck: Deck
    column_sizes: ColumnSizes

    def __post_init__(self) -> None:
        if min(self.column_sizes, default=-1) < 0:
            raise DeckError(f"expected column sizes of at least 0, got {self.column_sizes}")
        if sum(self.column_sizes) != self.deck.size:
            raise DeckError(
                f"expected columns for {self.deck.size} cards, got {sum(self.column_sizes)}"
            )

    def split(self, cards: Sequence[Card]) -> tuple[tuple[Card, ...], ...]:
        """Deal `cards` column by column, base first, from the first card on."""
        columns, start = [], 0
        for size in self.column_sizes:
            columns.append(tuple(cards[start : start + size]))
            start += size
        return tuple(columns)


def sizes_text(column_sizes: ColumnSizes) -> str:
    """The sizes as they are written everywhere, such as ``8 8 8 7 6 5 4 3 2 1``."""
    return " ".join(map(str, column_sizes))


COLUMN_SIZES: ColumnSizes = (8, 8, 8, 7, 6, 5, 4, 3, 2, 1)
FEWEST_COLUMNS, MOST_COLUMNS = 4, 12
"""Of other layouts of the same decks that can be solved; a column may have any number of cards."""
DECKS = {1: Deck(13, (4, 0, 0, 0)), 2: Deck(13, (2, 2, 0, 0)), 4: Deck(13, (1, 1, 1, 1))}
LAYOUTS = {suits: Layout(deck, COLUMN_SIZES) for suits, deck in DECKS.items()}
