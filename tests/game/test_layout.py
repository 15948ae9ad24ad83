"""Decks and layouts: the parameters of the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from simon_solver.errors import DeckError
from simon_solver.game.cards import card_names, rank_of, suit_of
from simon_solver.game.layout import COLUMN_SIZES, DECKS, LAYOUTS, Deck, Layout


@pytest.mark.parametrize(
    ("suits", "copies"), [(1, {0: 4}), (2, {0: 2, 1: 2}), (4, {0: 1, 1: 1, 2: 1, 3: 1})]
)
def test_full_decks(suits: int, copies: dict[int, int]) -> None:
    deck = DECKS[suits]
    assert (deck.suits, deck.runs, deck.size, deck.ranks) == (suits, 4, 52, 13)
    assert len(deck.cards) == 52
    assert Counter(map(suit_of, deck.cards)) == {suit: 13 * n for suit, n in copies.items()}
    assert Counter(map(rank_of, deck.cards)) == dict.fromkeys(range(1, 14), 4)


def test_order_before_a_shuffle() -> None:
    assert card_names(Deck(2, (1, 1, 1, 1)).cards) == "AS 2S AH 2H AD 2D AC 2C"
    assert card_names(Deck(2, (2, 2, 0, 0)).cards) == "AS 2S AH 2H AS 2S AH 2H"
    assert card_names(Deck(2, (3, 0, 0, 1)).cards) == "AS 2S AC 2C AS 2S AS 2S"


def test_runs_go_down_from_the_highest_rank() -> None:
    assert card_names(DECKS[4].run_of(3)) == "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C AC"
    assert card_names(Deck(3, (1, 1, 0, 0)).run_of(1)) == "3H 2H AH"


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_a_deal_fills_the_columns_in_turn(suits: int) -> None:
    layout = LAYOUTS[suits]
    columns = layout.split(layout.deck.cards)
    assert tuple(map(len, columns)) == COLUMN_SIZES == (8, 8, 8, 7, 6, 5, 4, 3, 2, 1)
    assert sum(columns, ()) == layout.deck.cards


def test_columns_may_be_empty() -> None:
    layout = Layout(Deck(2, (1, 0, 0, 0)), (0, 2, 0))
    assert layout.split(layout.deck.cards) == ((), layout.deck.cards, ())


@pytest.mark.parametrize(
    ("ranks", "copies", "error"),
    [
        (0, (1, 1, 1, 1), "expected 1 to 13 ranks, got 0"),
        (14, (1, 1, 1, 1), "expected 1 to 13 ranks, got 14"),
        (13, (0, 0, 0, 0), "expected copies of four suits, got (0, 0, 0, 0)"),
        (13, (2, -1, 0, 0), "expected copies of four suits, got (2, -1, 0, 0)"),
    ],
)
def test_bad_decks(ranks: int, copies: tuple[int, int, int, int], error: str) -> None:
    with pytest.raises(DeckError) as caught:
        Deck(ranks, copies)
    assert str(caught.value) == error


@pytest.mark.parametrize(
    ("sizes", "error"),
    [
        ((26, 25), "expected columns for 52 cards, got 51"),
        ((60, -8), "expected column sizes of at least 0, got (60, -8)"),
        ((), "expected column sizes of at least 0, got ()"),
    ],
)
def test_bad_layouts(sizes: tuple[int, ...], error: str) -> None:
    with pytest.raises(DeckError) as caught:
        Layout(DECKS[4], sizes)
    assert str(caught.value) == error
