"""The difficulty of a deal, against the plain rules and the labels of small decks."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simon_solver.answers.difficulty import (
    BOUNDS,
    GAMES,
    Difficulty,
    Grade,
    careless_choices,
    careless_game,
    careless_moves,
    difficulty,
    disorder,
    last_winnable,
)
from simon_solver.game.cards import rank_of
from simon_solver.game.codes import GameCode
from simon_solver.game.deal import Deal
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import apply, legal_moves
from simon_solver.game.runs import run_length
from simon_solver.game.tableau import Tableau, position_of, tableau_of
from simon_solver.search.reference import label_reachable
from tests.support.deals import SMALL_SHAPES, board, random_deal, small_deck
from tests.support.strategies import positions


def obviousness(position: Position, move: Move) -> int:
    """The kind of a move as the words of the module put it; 0 of one that is not made."""
    source, target = position.columns[move.source], position.columns[move.target]
    head, below = source[-move.count], source[: -move.count][-1:]
    is_true = [rank_of(card) == rank_of(head) + 1 for card in below]
    if move.count < run_length(source) or not (target or below):
        return 0
    if target and target[-1] == head + 1:
        return 1
    if is_true == [True]:
        return 4 if target else 5
    return 2 if target else 3


@given(positions(), st.integers(0, 1000))
def test_the_player_prefers_obvious_moves(position: Position, seed: int) -> None:
    deck, tableau = position.deck, tableau_of(position)
    ordered = position_of(tableau, deck)
    kinds: dict[Tableau, int] = {}
    for move in legal_moves(ordered):
        if kind := obviousness(ordered, move):
            after = tableau_of(apply(ordered, move))
            kinds[after] = min(kind, kinds.get(after, kind))
    assert {kind for kind, _ in careless_moves(tableau)} >= set(kinds.values())
    seen = list(careless_choices(tableau, deck.ranks, Random(seed)))
    assert set(seen) == set(kinds)
    first_seen = [kinds[after] for after in dict.fromkeys(seen)]
    assert first_seen == sorted(first_seen)
    assert all(disorder(after, deck.ranks) <= disorder(tableau, deck.ranks) for after in seen)


def test_luck_decides_among_moves_of_a_kind() -> None:
    for number in range(10):
        tableau = tableau_of(GameCode(4, number).deal())
        firsts = {next(careless_choices(tableau, 13, Random(seed))) for seed in range(100)}
        kinds = [kind for kind, _ in careless_moves(tableau)]
        assert len(firsts) == kinds.count(min(kinds))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("KS QS JS", 0),
        ("KS|QS", 1),  # at a base
        ("KS QH", 1),
        ("KS JS", 2),
        ("2S KS", 3),  # a king in the way is one
        ("KS QS 5H 4H 3S", 3),
    ],
)
def test_disorder(text: str, expected: int) -> None:
    columns = [column.split() for column in text.split("|")]
    ranks, suits = "A23456789TJQK", "SHDC"
    tableau = tuple(
        bytes(ranks.index(card[0]) + 1 | suits.index(card[1]) << 4 for card in column)
        for column in columns
    )
    assert disorder(tableau, 13) == expected


@given(positions())
def test_there_is_disorder_until_the_game_is_won(position: Position) -> None:
    assert (disorder(tableau_of(position), 13) == 0) == position.is_won


def small_deals(count: int) -> list[Position]:
    rng = Random(5)
    return [
        random_deal(rng, suits, *SMALL_SHAPES[number % len(SMALL_SHAPES)])
        for suits in (1, 2, 4)
        for number in range(count)
    ]


@pytest.mark.parametrize(
    "start",
    [  # every other one of those with copies or more suits has a great many positions
        pytest.param(start, marks=[pytest.mark.slow][: number > 6 and number % 2 == 0])
        for number, start in enumerate(small_deals(6))
    ],
)
def test_small_deals_are_as_difficult_as_their_positions_say(start: Position) -> None:
    labels = {tableau_of(position): won for position, won in label_reachable(start)}
    tableau, ranks = tableau_of(start), start.deck.ranks
    found = difficulty(start)
    if not labels[tableau]:
        assert found is None
        return
    left = wins = 0
    for number in range(GAMES):
        game = careless_game(tableau, ranks, Random(number))
        lasting = [labels[one] for one in game]
        assert lasting == sorted(lasting, reverse=True)
        last = game[sum(lasting) - 1]
        assert last_winnable(game, labels.__getitem__) == last
        left += disorder(last, ranks)
        wins += not any(last)
    total = GAMES * disorder(tableau, ranks)
    assert found == Difficulty(start.deck.suits, round(100 * left / total, 1), wins)


@pytest.mark.parametrize("length", range(1, 9))
def test_where_a_game_is_lost(length: int) -> None:
    game: list[Tableau] = [(bytes([number]),) for number in range(length)]
    for won in range(1, length + 1):
        winnable = game[:won]
        assert last_winnable(game, winnable.__contains__) == game[won - 1]


def test_a_game_never_comes_back() -> None:
    for suits in (1, 2, 4):
        for number in range(20):
            game = careless_game(tableau_of(GameCode(suits, number).deal()), 13, Random(number))
            assert len(set(game)) == len(game) > 1


@pytest.mark.slow
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_grades_of_the_first_deals_are_thirds(suits: int) -> None:
    found = [one for number in range(60) if (one := difficulty(GameCode(suits, number).deal()))]
    grades = [one.grade for one in found]
    for grade in Grade:
        assert 0.18 < grades.count(grade) / len(grades) < 0.5
    assert all(0 <= one.value <= 100 and 0 <= one.careless_wins <= GAMES for one in found)


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_grades_begin_at_their_bounds(suits: int) -> None:
    medium, hard = BOUNDS[suits]
    values = [0, medium - 0.1, medium, hard - 0.1, hard, 100]
    grades = [Difficulty(suits, value, 0).grade for value in values]
    assert grades == ["easy", "easy", "medium", "medium", "hard", "hard"]


@settings(max_examples=5, deadline=None)
@given(st.sampled_from([1, 2, 4]), st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_columns_means_nothing(suits: int, number: int, rng: Random) -> None:
    position = GameCode(suits, number).deal()
    columns = list(position.columns)
    rng.shuffle(columns)
    shuffled = Position(position.deck, tuple(columns))
    assert difficulty(shuffled) == difficulty(Deal("", position))


def test_difficulties_stay_what_they_are() -> None:
    # Another number is another measure: `VERSION` has to grow.
    found = [difficulty(GameCode(suits, 29).deal()) for suits in (1, 2, 4)]
    assert found == [Difficulty(1, 14.0, 50), Difficulty(2, 78.9, 2), Difficulty(4, 86.9, 0)]


def test_a_won_game_is_easy() -> None:
    won = board("", small_deck(4, 13), (0, 1, 2, 3))
    assert difficulty(won) == Difficulty(4, 0.0, GAMES)


def test_bad_arguments() -> None:
    with pytest.raises(TypeError, match="expected a Deal"):
        difficulty("SS1-S4-AAAAABD")  # type: ignore[arg-type]
