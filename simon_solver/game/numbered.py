"""Deals by number: ``kpat:72``, ``ms:24`` and ``pysol:24``, as those programs deal them.

Three names, two shuffles. The *MS* shuffle is the one that Microsoft FreeCell made known; KPat
deals all its games by it and PySolFC those below 32000. From 32000 on PySolFC shuffles by the
Mersenne Twister. Both come from the package pysol-cards (https://github.com/shlomif/pysol_cards),
whose own boundary is one higher than the application's: to it the deal 32000 is an MS deal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from simon_solver.errors import CodeError
from simon_solver.game.cards import Card, make_card
from simon_solver.game.layout import COLUMN_SIZES, DECKS
from simon_solver.game.position import Position

HIGHEST_NUMBERS = {"kpat": 2**31 - 1, "ms": 2**33 - 1, "pysol": 2**999 - 1}
"""The last deal of each program; the first is 1. PySolFC keeps flags in the bits from 999 on."""

_FIRST_MERSENNE_DEAL = 32000
_SUIT_OF_PYSOL = (3, 0, 1, 2)  # pysol-cards counts clubs, spades, hearts, diamonds
_NUMBERED = re.compile(r"([A-Za-z]+)\s*:\s*(\S.*)", re.ASCII)
_MOST_DIGITS = 320  # more than any limit above has; longer texts are never made a number


@dataclass(frozen=True, order=True)
class NumberedDeal:
    """The deal of a program (`kpat`, `ms` or `pysol`) with that number; `str` gives its name.

    Raises:
        CodeError: the program is unknown, or it has no such deal.
    """

    program: str
    number: int

    def __post_init__(self) -> None:
        if self.program not in HIGHEST_NUMBERS:
            raise CodeError(f"expected the program kpat, ms or pysol, got {self.program!r}")
        if not 1 <= self.number <= HIGHEST_NUMBERS[self.program]:
            raise CodeError(
                f"expected {self.program}:N with N from 1 to {_highest_name(self.program)}, "
                f"got {self.number}"
            )

    def __str__(self) -> str:
        return f"{self.program}:{self.number}"

    @property
    def kpat_number(self) -> int:
        """KPat's number of the same deal; 0 where KPat does not deal it."""
        known = self.number <= HIGHEST_NUMBERS["kpat"] and not self._is_mersenne
        return self.number if known else 0

    @property
    def _is_mersenne(self) -> bool:
        return self.program == "pysol" and self.number >= _FIRST_MERSENNE_DEAL

    def deal(self) -> Position:
        """The position that the program deals."""
        columns: list[list[Card]] = [[] for _ in COLUMN_SIZES]
        # Row by row: every column gets its next card, as long as it has room for one.
        cards = iter(reversed(_shuffled(self.number, self._is_mersenne)))
        for width in (9, 8, 7, 6, 5, 4, 3):
            for column in columns[:width]:
                column.append(next(cards))
        for column in columns:
            column.append(next(cards))
        return Position(DECKS[4], tuple(map(tuple, columns)))


def _shuffled(number: int, mersenne: bool) -> list[Card]:
    """The pack after the shuffle; it is dealt from its end."""
    # Imported here, so that who uses no numbered deal does without.
    from pysol_cards.cards import createCards, ms_rearrange  # noqa: PLC0415
    from pysol_cards.random import LCRandom31, MTRandom  # noqa: PLC0415

    pack = createCards(1)
    if mersenne:
        pack = MTRandom(number).shuffle(pack)
    else:
        pack = LCRandom31(number).shuffle(ms_rearrange(pack))
    return [make_card(card.rank, _SUIT_OF_PYSOL[card.suit]) for card in pack]


def parse_number(text: str) -> NumberedDeal:
    """Read a numbered deal such as ``kpat:72``, in either case.

    Raises:
        CodeError: says which programs or numbers were expected, and what was found.
    """
    match = _NUMBERED.fullmatch(text.strip())
    if match is None or match[1].lower() not in HIGHEST_NUMBERS:
        raise CodeError(f"expected a numbered deal kpat:N, ms:N or pysol:N, got {text.strip()!r}")
    program, digits = match[1].lower(), match[2]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
        raise CodeError(
            f"expected {program}:N with N from 1 to {_highest_name(program)}, got {digits!r}"
        )
    return NumberedDeal(program, int(digits))


def _highest_name(program: str) -> str:
    highest = HIGHEST_NUMBERS[program]
    return str(highest) if highest < 10**20 else f"2^{highest.bit_length()} - 1"
