"""Positions: the cards must be the deck's."""

from __future__ import annotations

import pytest

from simon_solver.errors import PositionError
from simon_solver.game.cards import parse_card
from simon_solver.game.layout import DECKS, Deck
from simon_solver.game.position import Position, composition_error
from tests.support.deals import board, board_text, reference_deals

TWO_RANKS = Deck(2, (1, 1, 0, 0))


@pytest.mark.parametrize("text", ["AS 2S|AH|2H", "AS|||2S AH 2H", "AH 2H AS 2S"])
def test_columns_may_lie_in_any_way(text: str) -> None:
    assert board_text(board(text, TWO_RANKS)) == text


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_full_deals(suits: int) -> None:
    for deal in reference_deals(suits)[:20]:
        assert deal.position.deck == DECKS[suits]
        assert not deal.position.is_won


def test_removed_runs_count_as_cards() -> None:
    assert not board("AH|2H", TWO_RANKS, removed=(0,)).is_won
    assert board("||", TWO_RANKS, removed=(1, 0)).is_won
    assert Position(DECKS[1], ((),) * 10, (0, 0, 0, 0)).is_won


@pytest.mark.parametrize(
    ("text", "removed", "error"),
    [
        ("AS 2S|AH", (), "expected 4 cards, got 3; missing: 2H"),
        ("AS 2S|AH|", (0,), "expected 4 cards, got 5; missing: 2H; too many: AS 2S"),
        ("AS 2S|AH AH", (), "expected 4 cards, got 4; missing: 2H; too many: AH"),
        ("AS 2S|AH 3H", (), "expected 4 cards, got 4; missing: 2H; too many: 3H"),
        ("AS 2S|2H AH|2H", (), "expected 4 cards, got 5; too many: 2H"),
        ("", (0,), "expected 4 cards, got 2; missing: AH 2H"),
    ],
)
def test_other_cards_are_named(text: str, removed: tuple[int, ...], error: str) -> None:
    with pytest.raises(PositionError) as caught:
        board(text, TWO_RANKS, removed)
    assert str(caught.value) == error


def test_errors_list_every_card_that_differs() -> None:
    cards = list(map(parse_card, ("AS", "AS", "2S", "3D")))
    assert composition_error(cards, Deck(2, (2, 0, 0, 0))) == (
        "expected 4 cards, got 4; missing: 2S; too many: 3D"
    )


def test_other_sequences_become_tuples() -> None:
    columns = [[17, 18], [1, 2]]
    position = Position(TWO_RANKS, columns, [])  # type: ignore[arg-type]
    assert position == Position(TWO_RANKS, ((17, 18), (1, 2)), ())
    assert hash(position)
    columns[0].clear()
    assert position.columns == ((17, 18), (1, 2))


@pytest.mark.parametrize("card", [0, 14, 15, 16, 64, -1, 1000, "AS", None, 1.0, True, (1,)])
def test_what_is_no_card(card: object) -> None:
    with pytest.raises(PositionError) as caught:
        Position(TWO_RANKS, ((17, 18), (2, card)))  # type: ignore[arg-type]
    assert str(caught.value) == (f"expected cards (16 times the suit, plus the rank), got {card!r}")


@pytest.mark.parametrize("suit", [7, 4, -1, "S", None, 1.0])
def test_what_is_no_suit(suit: object) -> None:
    with pytest.raises(PositionError) as caught:
        Position(TWO_RANKS, ((1,), (2,)), (suit,))  # type: ignore[arg-type]
    assert str(caught.value) == f"expected suits 0 to 3 of removed runs, got {suit!r}"


@pytest.mark.parametrize("columns", [5, None, (1, 2), ((17, 18), None)])
def test_what_are_no_columns(columns: object) -> None:
    with pytest.raises(PositionError, match="expected columns of cards, got "):
        Position(TWO_RANKS, columns)  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="expected suits of removed runs, got 5"):
        Position(TWO_RANKS, ((17, 18), (1, 2)), 5)  # type: ignore[arg-type]
