"""Builds a position from the cards in a text: which deck is it, and is it complete?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import NamedTuple

from simon_solver.errors import FormatError
from simon_solver.game.cards import SUITS, Card, Suit, card_name
from simon_solver.game.layout import COLUMN_SIZES, DECKS, ColumnSizes, Deck
from simon_solver.game.position import Position, composition_error

COLUMN_COUNT = len(COLUMN_SIZES)

_RANKS, _RUNS = 13, 4
_MOST_CARDS = 2 * _RANKS * _RUNS  # with more, a list of those that are too many helps nobody
_MOST_PLACED = 2  # surplus cards whose places an error names; more would fill the screen


class Game(NamedTuple):
    """A position, the moves made on the way to it, and the layout that the game began in."""

    position: Position
    moves_made: int = 0
    column_sizes: ColumnSizes = COLUMN_SIZES


class PlacedCard(NamedTuple):
    """A card and where it stands in the text, such as ``line 3, column 7``."""

    card: Card
    place: str


def _deck_of(suits: tuple[Suit, ...]) -> Deck:
    """The deck of 52 cards that has only these one, two or four suits, equally often."""
    copies = [_RUNS // len(suits) if suit in suits else 0 for suit in SUITS]
    return Deck(_RANKS, (copies[0], copies[1], copies[2], copies[3]))


# A deck with more suits comes first, so that it is preferred where the cards allow several.
_DECKS = (
    DECKS[4],
    *(_deck_of(suits) for suits in combinations(SUITS, 2)),
    *(_deck_of((suit,)) for suit in SUITS),
)


def assemble(
    columns: Sequence[Sequence[PlacedCard]],
    removed: Sequence[Suit] | int = (),
    column_count: int = COLUMN_COUNT,
) -> Position:
    """The position of these columns (base first), with `column_count` columns at least.

    The suits follow from the cards: 13 of each suit, 26 of two or 52 of one. `removed` holds the
    suits of the runs removed before, or only their number: then the runs that are wholly missing
    are found, and where several decks fit, the one with the most suits is taken: 13 spades and 13
    hearts with two runs removed are read as a game of four suits.

    Raises:
        FormatError: names the missing cards and those that are there too often, with their places.
    """
    placed = [card for column in columns for card in column]
    runs_before = removed if isinstance(removed, int) else len(removed)
    # Asked first: it takes long to compare very many cards with every deck there is.
    if not 0 <= runs_before <= _RUNS:
        raise FormatError(f"expected 0 to {_RUNS} removed runs, got {runs_before}")
    if len(placed) > _MOST_CARDS:
        size = _RANKS * _RUNS
        raise FormatError(f"{placed[size].place}: expected at most {size} cards, got {len(placed)}")
    table = Counter(card.card for card in placed)
    candidates = [(deck, runs) for deck in _DECKS for runs in _possible_runs(deck, removed)]
    for deck, runs in candidates:
        if _distance(table, deck, runs) == 0:
            break
    else:
        deck, runs = min(candidates, key=lambda candidate: _distance(table, *candidate))
        raise FormatError(_fault(placed, deck, runs))
    padding = ((),) * (column_count - len(columns))
    cards = tuple(tuple(card.card for card in column) for column in columns)
    return Position(deck, cards + padding, tuple(runs))


def _possible_runs(deck: Deck, removed: Sequence[Suit] | int) -> Iterable[Sequence[Suit]]:
    """The removed runs that may be meant: those named, or any so many of the deck."""
    if not isinstance(removed, int):
        return (removed,)
    used = [suit for suit in SUITS if deck.copies[suit]]
    return combinations_with_replacement(used, removed)


def _all_cards(table: Iterable[Card], deck: Deck, runs: Sequence[Suit]) -> Counter[Card]:
    return Counter(chain(table, *map(deck.run_of, runs)))


def _distance(table: Counter[Card], deck: Deck, runs: Sequence[Suit]) -> int:
    """Cards missing plus cards too many."""
    have, want = _all_cards(table.elements(), deck, runs), Counter(deck.cards)
    return (have - want).total() + (want - have).total()


def _fault(placed: Sequence[PlacedCard], deck: Deck, runs: Sequence[Suit]) -> str:
    """Which cards are missing or too many, and where the first of the latter stand."""
    have = _all_cards((card.card for card in placed), deck, runs)
    message = composition_error(have.elements(), deck)
    if runs:
        each = "the removed run" if len(runs) == 1 else f"each of {len(runs)} removed runs"
        message += f" (13 counted for {each})"
    for card in sorted(have - Counter(deck.cards))[:_MOST_PLACED]:
        places = "; ".join(place for other, place in placed if other == card)
        if places:
            message += f" ({card_name(card)}: {places})"
    return message


def need_four_suits(position: Position, program: str) -> None:
    """The position can be written for a program that plays with the deck of four suits alone.

    Raises:
        FormatError: it has another deck.
    """
    if position.deck != DECKS[4]:
        suits = position.deck.suits
        raise FormatError(
            f"{program} supports only four suits, but this deal has "
            f"{suits if suits > 1 else 'only one'}"
        )
