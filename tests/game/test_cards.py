"""Cards: names, symbols, words."""

from __future__ import annotations

import pytest

from simon_solver.errors import CardError
from simon_solver.game.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    KING,
    SPADES,
    SUITS,
    card_name,
    card_names,
    card_symbol,
    make_card,
    parse_card,
    rank_of,
    spoken_card,
    suit_of,
)

ALL_CARDS = [make_card(rank, suit) for suit in SUITS for rank in range(1, KING + 1)]


def test_all_cards_differ_and_fit_a_byte() -> None:
    assert len(set(ALL_CARDS)) == 52
    assert all(0 < card < 256 for card in ALL_CARDS)


@pytest.mark.parametrize("card", ALL_CARDS)
def test_names_read_back(card: int) -> None:
    assert make_card(rank_of(card), suit_of(card)) == card
    assert parse_card(card_name(card)) == card
    assert parse_card(card_name(card).lower()) == card
    assert parse_card(card_symbol(card)) == card


@pytest.mark.parametrize(
    ("text", "rank", "suit"),
    [
        ("AS", 1, SPADES),
        ("th", 10, HEARTS),
        ("10H", 10, HEARTS),
        ("10h", 10, HEARTS),
        ("kd", 13, DIAMONDS),
        ("2C", 2, CLUBS),
        ("Q♠", 12, SPADES),
        ("J♡", 11, HEARTS),
        ("9♢", 9, DIAMONDS),
        ("10♧", 10, CLUBS),
        ("7♥\ufe0f", 7, HEARTS),
    ],
)
def test_spellings(text: str, rank: int, suit: int) -> None:
    assert parse_card(text) == make_card(rank, suit)


@pytest.mark.parametrize(
    "text",
    ["", "H", "7", "1H", "11H", "0S", "7X", "HH", "H7", "7HH", " 7H", "7 H", "joker", "100S"],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert str(caught.value) == f"expected a card like '7H', got {text!r}"


def test_ten_is_printed_as_a_letter() -> None:
    assert card_name(make_card(10, HEARTS)) == "TH"
    assert card_symbol(make_card(10, HEARTS)) == "T♥"


def test_spoken_cards() -> None:
    assert [spoken_card(make_card(rank, CLUBS)) for rank in (1, 2, 10, 11, 12, 13)] == [
        "ace of clubs",
        "2 of clubs",
        "10 of clubs",
        "jack of clubs",
        "queen of clubs",
        "king of clubs",
    ]
    assert spoken_card(make_card(1, SPADES)) == "ace of spades"
    assert spoken_card(make_card(5, HEARTS)) == "5 of hearts"
    assert spoken_card(make_card(9, DIAMONDS)) == "9 of diamonds"


def test_lists_of_cards_are_separated_by_blanks() -> None:
    assert card_names([make_card(1, SPADES), make_card(13, HEARTS)]) == "AS KH"
    assert card_names(()) == ""
