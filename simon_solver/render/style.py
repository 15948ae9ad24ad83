"""Styles text: suits as symbols or letters, with or without colour."""

from __future__ import annotations

from dataclasses import dataclass

from simon_solver.game.cards import (
    DIAMONDS,
    HEARTS,
    SUIT_LETTERS,
    SUIT_SYMBOLS,
    Card,
    Suit,
    card_name,
    card_symbol,
    suit_of,
)

# Codes of "Select Graphic Rendition", ECMA-48, https://ecma-international.org/publications/
RED, GREEN, YELLOW, BOLD, REVERSE = "31", "32", "33", "1", "7"

_LONGEST_MESSAGE = 600


def escaped(text: str) -> str:
    """The text on one line, with control characters and others that cannot be seen escaped."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def shortened(text: str) -> str:
    """The text, with its middle cut out if it is long."""
    if len(text) <= _LONGEST_MESSAGE:
        return text
    half = _LONGEST_MESSAGE // 2
    return f"{text[:half]} ... {text[-half:]}"


@dataclass(frozen=True)
class Style:
    """What the place that shows the text can do."""

    symbols: bool = True
    """Suits as symbols rather than letters."""
    colour: bool = False
    """Red suits in red, verdicts in colours."""

    def paint(self, text: str, *codes: str) -> str:
        """The text with colour, when there is colour."""
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"

    def card(self, card: Card) -> str:
        """The card's rank and suit, two characters wide."""
        return self._in_suit_colour(
            card_symbol(card) if self.symbols else card_name(card), suit_of(card)
        )

    def suit(self, suit: Suit) -> str:
        """The suit, one character wide."""
        return self._in_suit_colour((SUIT_SYMBOLS if self.symbols else SUIT_LETTERS)[suit], suit)

    def cards(self, cards: tuple[Card, ...]) -> str:
        """A run from its highest card on: all of up to three cards, else its two ends."""
        if len(cards) <= 3:
            return " ".join(map(self.card, cards))
        return f"{self.card(cards[0])} .. {self.card(cards[-1])}"

    def cards_width(self, cards: tuple[Card, ...]) -> int:
        """Characters that `cards` takes on the screen."""
        return len(Style(symbols=False).cards(cards))

    def _in_suit_colour(self, text: str, suit: Suit) -> str:
        return self.paint(text, RED) if suit in (HEARTS, DIAMONDS) else text
