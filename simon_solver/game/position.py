"""A position: the columns, base card first, and the suits of the runs removed so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from simon_solver.errors import PositionError
from simon_solver.game.cards import ACE, KING, SUITS, Card, Suit, card_names, make_card, suit_of
from simon_solver.game.layout import Deck
from simon_solver.game.runs import without_complete_runs

_CARDS = frozenset(make_card(rank, suit) for suit in SUITS for rank in range(ACE, KING + 1))


@dataclass(frozen=True)
class Position:
    """Cards on the table and runs removed; together they are exactly the deck.

    `columns` go left to right, each from its base to its top; `removed` lists suits in the order
    their runs left. Other sequences become tuples. A complete run at the end of a column leaves at
    once, as on a deal or on reading: no position has one.

    Raises:
        PositionError: names the missing and the surplus cards, or what is no card or no suit.
    """

    deck: Deck
    columns: tuple[tuple[Card, ...], ...]
    removed: tuple[Suit, ...] = ()

    def __post_init__(self) -> None:
        # A frozen dataclass sets its own fields so.
        try:
            object.__setattr__(self, "columns", tuple(map(tuple, self.columns)))
        except TypeError:
            raise PositionError(f"expected columns of cards, got {self.columns!r}") from None
        try:
            object.__setattr__(self, "removed", tuple(self.removed))
        except TypeError:
            raise PositionError(f"expected suits of removed runs, got {self.removed!r}") from None
        cards = [card for column in self.columns for card in column]
        _need_numbers(cards, _CARDS, "cards (16 times the suit, plus the rank)")
        _need_numbers(self.removed, SUITS, "suits 0 to 3 of removed runs")
        for suit in self.removed:
            cards.extend(self.deck.run_of(suit))
        cards.sort()
        if cards != self.deck.sorted_cards:
            raise PositionError(composition_error(cards, self.deck))
        self._remove_complete_runs()

    def _remove_complete_runs(self) -> None:
        for index, column in enumerate(self.columns):
            left = without_complete_runs(column, self.deck.ranks)
            if len(left) < len(column):
                runs = tuple(
                    suit_of(card) for card in reversed(column[len(left) :: self.deck.ranks])
                )
                columns = (*self.columns[:index], left, *self.columns[index + 1 :])
                object.__setattr__(self, "columns", columns)
                object.__setattr__(self, "removed", self.removed + runs)

    @property
    def is_won(self) -> bool:
        """True when the table is empty."""
        return not any(self.columns)


def _need_numbers(numbers: Sequence[object], known: Container[object], wanted: str) -> None:
    """All are whole numbers out of those known."""
    for number in numbers:
        if type(number) is not int or number not in known:
            raise PositionError(f"expected {wanted}, got {number!r}")


def composition_error(cards: Iterable[Card], deck: Deck) -> str:
    """What `cards` (removed runs included) lack or have too often, against the deck."""
    have, want = Counter(cards), Counter(deck.cards)
    parts = [f"expected {deck.size} cards, got {have.total()}"]
    for word, difference in (("missing", want - have), ("too many", have - want)):
        if difference:
            parts.append(f"{word}: {card_names(sorted(difference.elements()))}")
    return "; ".join(parts)
