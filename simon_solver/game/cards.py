"""Cards as small integers; the only module that reads and writes their names.

A card is ``suit * 16 + rank`` with rank 1 (ace) to 13 (king) and suit 0..3 in the order spades,
hearts, diamonds, clubs. Plain integers keep the rules short and the columns cheap to compare.
"""

from __future__ import annotations

from simon_solver.errors import CardError

Card = int
Suit = int
Rank = int

SPADES, HEARTS, DIAMONDS, CLUBS = SUITS = range(4)
ACE, TEN, JACK, QUEEN, KING = 1, 10, 11, 12, 13

SUIT_LETTERS = "SHDC"
SUIT_SYMBOLS = "♠♥♦♣"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_LETTERS = " A23456789TJQK"
RANK_NAMES = (
    "", "ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king",
)  # fmt: skip

_SUIT_OF = {
    **{letter: suit for suit, letter in enumerate(SUIT_LETTERS)},
    **{symbol: suit for suit, symbol in enumerate(SUIT_SYMBOLS)},
    **{symbol: suit for suit, symbol in enumerate("♤♡♢♧")},
}
_RANK_OF = {letter: rank for rank, letter in enumerate(RANK_LETTERS) if rank} | {"10": TEN}


def make_card(rank: Rank, suit: Suit) -> Card:
    """The card of that rank (1..13) and suit (0..3)."""
    return suit << 4 | rank


def rank_of(card: Card) -> Rank:
    """1 (ace) to 13 (king)."""
    return card & 15


def suit_of(card: Card) -> Suit:
    """0..3: spades, hearts, diamonds, clubs."""
    return card >> 4


def card_name(card: Card) -> str:
    """Rank then suit in two letters, such as ``TH``; this is how a card is always printed."""
    return RANK_LETTERS[rank_of(card)] + SUIT_LETTERS[suit_of(card)]


def card_symbol(card: Card) -> str:
    """Like `card_name` with the suit as a symbol, such as ``T♥``."""
    return RANK_LETTERS[rank_of(card)] + SUIT_SYMBOLS[suit_of(card)]


def spoken_card(card: Card) -> str:
    """The card in words, such as ``10 of hearts``."""
    return f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"


def card_names(cards: tuple[Card, ...] | list[Card]) -> str:
    """Card names separated by blanks, in the order given."""
    return " ".join(map(card_name, cards))


def parse_card(text: str) -> Card:
    """Read one card: rank (``T`` or ``10``) then suit (letter or symbol), in either case.

    Raises:
        CardError: the text is not a card.
    """
    name = text.upper().removesuffix("\ufe0f")  # emoji style of a suit symbol
    rank, suit = _RANK_OF.get(name[:-1]), _SUIT_OF.get(name[-1:])
    if rank is None or suit is None:
        raise CardError(f"expected a card like '7H', got {text!r}")
    return make_card(rank, suit)
