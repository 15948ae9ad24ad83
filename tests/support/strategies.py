"""Random positions for hypothesis: whole decks in any columns, some runs removed."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from simon_solver.game.layout import COLUMN_SIZES, DECKS, Deck
from simon_solver.game.position import Position

FULL_DECKS = (*DECKS.values(), Deck(13, (0, 0, 4, 0)), Deck(13, (0, 2, 0, 2)))
"""The decks of 52 cards, and two with other suits than the game's own."""


@st.composite
def positions(draw: st.DrawFn, decks: Sequence[Deck] = FULL_DECKS) -> Position:
    """A position of ten columns of any sizes; any number of runs is removed."""
    deck = draw(st.sampled_from(decks))
    runs = draw(st.permutations([suit for suit in range(4) for _ in range(deck.copies[suit])]))
    removed = tuple(runs[: draw(st.integers(0, 4))])
    cards = list(deck.cards)
    for suit in removed:
        for card in deck.run_of(suit):
            cards.remove(card)
    # A shuffle by one random seed: drawing a permutation of 52 cards takes hypothesis long.
    draw(st.randoms(use_true_random=False)).shuffle(cards)
    last = len(COLUMN_SIZES) - 1
    cuts = [0, *sorted(draw(st.lists(st.integers(0, len(cards)), min_size=last, max_size=last)))]
    columns = (tuple(cards[start:end]) for start, end in zip(cuts, [*cuts[1:], 52], strict=True))
    return Position(deck, tuple(columns), removed)
