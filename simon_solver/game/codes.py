"""Game codes such as ``SS1-S4-AAAAABD``: the name of a deal, and the deal of a name.

A code is the scheme ``SS1``, the suits ``S1``, ``S2`` or ``S4``, and seven letters that are a
number to base 26 (A = 0, first letter most significant). The number seeds SplitMix64, whose output
drives a Fisher-Yates shuffle with Lemire's unbiased bounded draw. The letters give the same
permutation for every suit count. The mapping is frozen: a released code never deals another board.
The cards go to the columns one after the other, from left to right, each from its base up. In
another layout than the usual one the code names the shuffle alone, and goes with the layout.

Sources: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014,
https://doi.org/10.1145/2660193.2660195; D. Lemire, "Fast random integer generation in an interval",
2019, https://doi.org/10.1145/3230636.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from simon_solver.errors import CodeError
from simon_solver.game.cards import Card
from simon_solver.game.layout import COLUMN_SIZES, DECKS, ColumnSizes, Layout
from simon_solver.game.position import Position

SCHEME = "SS1"
LETTER_COUNT = 7
CODE_COUNT = 26**LETTER_COUNT
"""Codes of each suit count: 8,031,810,176."""

EXAMPLE = "SS1-S4-AAAAABD"

# ASCII, or else a long s and the Kelvin sign would pass as letters when case is ignored.
_CODE = re.compile(r"SS1-S([124])-([A-Z]{7})", re.ASCII | re.IGNORECASE)
# Python's own digits for base 26 are 0-9 and A-P.
_TO_DIGITS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789ABCDEFGHIJKLMNOP")

_MASK64 = (1 << 64) - 1
_INCREMENT = 0x9E3779B97F4A7C15


@dataclass(frozen=True, order=True)
class GameCode:
    """A suit count (1, 2 or 4) and a number 0..26^7 - 1; `str` gives the code.

    Raises:
        CodeError: there is no such code.
    """

    suits: int
    number: int

    def __post_init__(self) -> None:
        if self.suits not in DECKS:
            raise CodeError(f"expected 1, 2 or 4 suits, got {self.suits}")
        if not 0 <= self.number < CODE_COUNT:
            raise CodeError(f"expected a number from 0 to {CODE_COUNT - 1}, got {self.number}")

    def __str__(self) -> str:
        return f"{SCHEME}-S{self.suits}-{letters_of(self.number)}"

    def deal(self, column_sizes: ColumnSizes = COLUMN_SIZES) -> Position:
        """The position that the code deals into columns of these sizes.

        Raises:
            DeckError: the sizes are not those of a layout of 52 cards.
        """
        layout = Layout(DECKS[self.suits], column_sizes)
        return Position(layout.deck, layout.split(shuffled(layout.deck.cards, self.number)))


def shuffled(deck: Sequence[Card], number: int) -> list[Card]:
    """The cards of a deck in the order in which the code with that number deals them."""
    cards = list(deck)
    state = number
    for last in range(len(cards) - 1, 0, -1):
        choices = last + 1
        while True:
            # SplitMix64: a Weyl sequence, each term scrambled to 64 output bits.
            state = (state + _INCREMENT) & _MASK64
            bits = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
            bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _MASK64
            product = (bits ^ (bits >> 31)) * choices
            # The remainder is below `choices`, so it is worked out only when it can matter.
            low = product & _MASK64
            if low >= choices or low >= (1 << 64) % choices:
                break
        chosen = product >> 64
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def letters_of(number: int) -> str:
    """The seven letters of a number 0..26^7 - 1, most significant first."""
    letters = []
    for _ in range(LETTER_COUNT):
        number, digit = divmod(number, 26)
        letters.append(chr(ord("A") + digit))
    return "".join(reversed(letters))


def parse_code(text: str) -> GameCode:
    """Read a game code, in either case, with or without blanks around it.

    Raises:
        CodeError: says which part of the code was expected to be what, and what it is.
    """
    code = text.strip()
    match = _CODE.fullmatch(code)
    if match is None:
        raise CodeError(f"expected a game code like {EXAMPLE}{_fault(code)}")
    return GameCode(int(match[1]), int(match[2].upper().translate(_TO_DIGITS), 26))


def _fault(code: str) -> str:
    """What is wrong with a text that is no code, as the end of the error's sentence."""
    scheme, dash, rest = code.partition("-")
    suits, second_dash, letters = rest.partition("-")
    if not (dash and second_dash):
        return f", got {code!r}"
    if scheme.upper() != SCHEME or not scheme.isascii():
        return f": scheme {SCHEME}, got {scheme!r} in {code!r}"
    if suits.upper() not in ("S1", "S2", "S4"):
        return f": suits S1, S2 or S4, got {suits!r} in {code!r}"
    if re.fullmatch("[A-Z]+", letters, re.ASCII | re.IGNORECASE):
        return f": {LETTER_COUNT} letters at the end, got {len(letters)} in {code!r}"
    return f": {LETTER_COUNT} letters A to Z at the end, got {letters!r} in {code!r}"
