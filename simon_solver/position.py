"""A position: the columns, base card first, and the suits of the runs removed so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from simon_solver.cards import Card, Suit, card_names
from simon_solver.errors import PositionError
from simon_solver.layout import Deck


@dataclass(frozen=True)
class Position:
    """Cards on the table and runs removed; together they are exactly the deck.

    `columns` go left to right, each from its base to its top; `removed` lists suits in the order
    their runs left.

    Raises:
        PositionError: names the missing and the surplus cards.
    """

    deck: Deck
    columns: tuple[tuple[Card, ...], ...]
    removed: tuple[Suit, ...] = ()

    def __post_init__(self) -> None:
        cards = [card for column in self.columns for card in column]
        for suit in self.removed:
            cards.extend(self.deck.run_of(suit))
        cards.sort()
        if cards != self.deck.sorted_cards:
            raise PositionError(composition_error(cards, self.deck))

    @property
    def is_won(self) -> bool:
        """True when the table is empty."""
        return not any(self.columns)


def composition_error(cards: Iterable[Card], deck: Deck) -> str:
    """What `cards` (removed runs included) lack or have too often, against the deck."""
    have, want = Counter(cards), Counter(deck.cards)
    parts = [f"expected {deck.size} cards, got {have.total()}"]
    for word, difference in (("missing", want - have), ("too many", have - want)):
        if difference:
            parts.append(f"{word}: {card_names(sorted(difference.elements()))}")
    return "; ".join(parts)
