"""Solvitaire's JSON: an array for each column, base card first.

``{"tableau piles": [["4D", "10H"], ...], "foundations": ["AC", "2C", ...]}``. There are ten
arrays; the one of an empty column is empty. A card is ``A``, ``2`` to ``10``, ``J``, ``Q``, ``K``,
or its rank as a number, and the letter of its suit, in either case. The foundations hold all
thirteen cards of each removed run, those of a suit from the ace up. Other piles that the program
knows may be there, but empty.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from simon_solver.errors import CardError, FormatError
from simon_solver.game.cards import (
    KING,
    TEN,
    Card,
    Suit,
    card_name,
    make_card,
    parse_card,
    rank_of,
    suit_of,
)
from simon_solver.game.position import Position
from simon_solver.reading.formats.assembly import (
    COLUMN_COUNT,
    PlacedCard,
    assemble,
    need_four_suits,
)
from simon_solver.text.json_values import Value, begins_an_object, parse_json

NAME = "Solvitaire JSON"

_COLUMNS, _FOUNDATIONS = "tableau piles", "foundations"
_MARK = re.compile(r'[{,]\s*"tableau')
_NUMBERS = {"1": "A", "11": "J", "12": "Q", "13": "K"}
_OTHER_PILES = ("sequences", "hole", "stock", "waste", "reserve", "accordion", "cells")


def recognises(text: str) -> bool:
    """True when it begins as a JSON object and has the name of the tableau, or nearly."""
    return begins_an_object(text) and _MARK.search(text) is not None


def read(text: str) -> Position:
    """The position of the deal.

    Raises:
        FormatError: names line and column of what is wrong, or the cards missing or too many.
    """
    root = parse_json(text, "a board in JSON")
    columns: list[list[PlacedCard]] | None = None
    removed: list[Suit] = []
    for name, place, value in root.members:
        if name == _COLUMNS:
            columns = list(map(cards_of, array_of(value, "an array of ten columns")))
            if len(columns) != COLUMN_COUNT:
                raise FormatError(
                    f"{value.place}: expected {COLUMN_COUNT} columns, got {len(columns)}"
                )
        elif name == _FOUNDATIONS:
            removed = _removed_runs(cards_of(value))
        elif name not in _OTHER_PILES:
            raise FormatError(f"{place}: expected {_COLUMNS!r} or {_FOUNDATIONS!r}, got {name!r}")
        elif value.items or value.members or value.text not in ("", "null"):
            raise FormatError(f"{place}: expected no cards in {name!r}, which this game lacks")
    if columns is None:
        raise FormatError(f"{root.place}: expected a JSON object with {_COLUMNS!r}")
    return assemble(columns, removed)


def array_of(value: Value, wanted: str) -> Sequence[Value]:
    """The items of an array."""
    if value.kind != "array":
        raise value.wrong(wanted)
    return value.items


def cards_of(value: Value) -> list[PlacedCard]:
    """The cards of an array of texts."""
    cards = []
    for item in array_of(value, "an array of cards"):
        if item.kind != "string":
            raise item.wrong("a card like '7H'")
        rank, suit = item.text[:-1], item.text[-1:]
        try:
            cards.append(PlacedCard(parse_card(_NUMBERS.get(rank, rank) + suit), item.place))
        except CardError:
            raise item.wrong("a card like '7H'") from None
    return cards


def _removed_runs(foundations: Iterable[PlacedCard]) -> list[Suit]:
    """The suits of the runs that lie on the foundations, in the order of their kings."""
    removed: list[Suit] = []
    heights: Counter[Suit] = Counter()
    place = ""
    for card, place in foundations:
        suit = suit_of(card)
        if rank_of(card) != heights[suit] + 1:
            wanted = card_name(make_card(heights[suit] + 1, suit))
            raise FormatError(
                f"{place}: expected {wanted} (all cards of a removed run, ace first), "
                f"got {card_name(card)}"
            )
        heights[suit] += 1
        if heights[suit] == KING:
            removed.append(suit)
            heights[suit] = 0
    for suit, height in heights.items():
        if height:
            wanted = card_name(make_card(height + 1, suit))
            raise FormatError(
                f"{place}: expected {wanted} after it (all cards of a removed run, ace first), "
                "got no more cards"
            )
    return removed


def write(position: Position) -> str:
    """The JSON on one line.

    Raises:
        FormatError: the deck is not that of four suits, which alone Solvitaire knows.
    """
    need_four_suits(position, "Solvitaire")
    piles: dict[str, list[list[str]] | list[str]] = {
        _COLUMNS: [list(map(_name, column)) for column in position.columns]
    }
    if position.removed:
        piles[_FOUNDATIONS] = [
            _name(card)
            for suit in position.removed
            for card in reversed(position.deck.run_of(suit))
        ]
    return json.dumps(piles) + "\n"


def _name(card: Card) -> str:
    """The card with ``10`` for the ten; the program knows no ``T``."""
    name = card_name(card)
    return f"10{name[1:]}" if rank_of(card) == TEN else name
