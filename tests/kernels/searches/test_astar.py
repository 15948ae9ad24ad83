"""A*, with every rule on and off, against breadth-first search on small decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import replay
from simon_solver.kernels.searches import astar
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.task import INFO
from tests.support.deals import (
    DATA,
    SMALL_SHAPES,
    assert_wins,
    board,
    random_deal,
    random_deal_with_run,
)
from tests.support.kernel import Explored, explore, moves_to_runs
from tests.support.searches import SUITS, Search, decks_of

pytestmark = pytest.mark.kernel

FRESH_SHAPES = (*SMALL_SHAPES, (5, (5, 5, 4, 3, 3)), (3, (3, 3, 2, 2, 2)))


def fresh_decks(seed: str, suits: int, count: int) -> Iterator[tuple[Position, Explored]]:
    """So many random small decks with cards on the table, and all that can be reached in them."""
    rng = Random(seed)
    while count:
        ranks, sizes = rng.choice(FRESH_SHAPES)
        make = random_deal_with_run if max(sizes) >= ranks and rng.random() < 0.2 else random_deal
        position = make(rng, suits, ranks, sizes)
        explored = explore(position, 10_000)
        if explored is not None and explored.runs[0] != explored.task.info[INFO.start_runs]:
            count -= 1
            yield position, explored


RULES: list[dict[str, int]] = [
    {"use_lifts": 1},
    {"use_lifts": 0},
    {"use_lifts": 1, "taken": 0},
    {"use_lifts": 1, "parents": 0},
    {"use_lifts": 1, "in_layers": 1},
    {"use_lifts": 0, "in_layers": 1, "waiting": 0},
    {"use_lifts": 1, "waiting": 0},
    {"use_lifts": 1, "weight_g": 2, "weight_h": 3},
]
"""What must not change the length of a shortest win, by what is on or off."""


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("suits", SUITS)
def test_optimal_search_finds_shortest_wins(suits: int, rules: dict[str, int]) -> None:
    for deck in decks_of(suits):
        one = Search(deck.position, **rules)
        assert (one.run() == OUTCOME.won) == deck.winnable, deck
        if deck.winnable:
            solution = one.solution()
            assert_wins(deck.position, solution)
            assert len(solution) == deck.fewest_moves == one.pool.counts[POOL.upper]


def removed_runs(position: Position, moves: Sequence[Move]) -> int:
    """Runs that leave in the moves."""
    return sum(len(step.removes) for step in replay(position, moves)[0])


RUNS_RULES: list[dict[str, int]] = [
    {"use_lifts": 1},
    {"use_lifts": 0},
    {"use_lifts": 1, "weight_h": 3},
]
"""What must not change the fewest moves that remove some runs."""


def assert_fewest_moves(position: Position, runs: int, fewest: int, rules: dict[str, int]) -> None:
    """The search finds that so many more runs take `fewest` moves, -1 for never."""
    one = Search(position, waiting=0, runs_wanted=runs, **rules)
    outcome = one.run()
    if fewest < 0:
        assert outcome == OUTCOME.exhausted, (position, runs, rules)
        assert not one.pool.counts[POOL.cut]
        return
    assert outcome == OUTCOME.won, (position, runs, rules)
    solution = one.solution()
    assert len(solution) == fewest == one.pool.counts[POOL.upper], (position, runs, rules)
    assert removed_runs(position, solution) >= runs
    again = Search(position, waiting=0, runs_wanted=runs, **rules)
    assert again.run(upper=fewest) == OUTCOME.exhausted
    assert again.pool.counts[POOL.cut]


@pytest.mark.parametrize("rules", RUNS_RULES, ids=str)
@pytest.mark.parametrize("suits", SUITS)
def test_search_for_runs_finds_the_fewest_moves(suits: int, rules: dict[str, int]) -> None:
    seen = Counter[tuple[int, bool]]()
    for deck in decks_of(suits, part=2):
        before = len(deck.position.removed)
        for runs in range(before + 1, deck.position.deck.runs + 1):
            fewest = deck.fewest_by_runs[runs] if runs < len(deck.fewest_by_runs) else -1
            assert_fewest_moves(deck.position, runs - before, fewest, rules)
            seen[runs - before, fewest > 0] += 1
    assert seen[1, True]
    assert seen[1, False]
    assert seen[3, True]


def test_a_start_that_cannot_beat_the_known_win_is_cut() -> None:
    one = Search(decks_of(4)[0].position)
    astar.start(one.task, one.pool, one.scratch, one.options, 5, 200)
    outcome = one.step(10)
    assert outcome == OUTCOME.exhausted
    assert one.pool.counts[POOL.cut]
    assert not one.pool.counts[POOL.expanded]


@pytest.mark.slow
@pytest.mark.parametrize("suits", SUITS)
def test_search_for_runs_finds_the_fewest_moves_in_many(suits: int) -> None:
    """A thousand fresh decks for each suit count, against breadth-first search."""
    for position, explored in fresh_decks(f"many runs {suits}", suits, 1_000):
        for runs in range(1, position.deck.runs - len(position.removed) + 1):
            fewest = int(moves_to_runs(explored, runs)[0])
            for rules in RUNS_RULES:
                assert_fewest_moves(position, runs, fewest, rules)


@pytest.mark.slow
@pytest.mark.parametrize("suits", SUITS)
def test_optimal_search_finds_shortest_wins_of_many(suits: int) -> None:
    """A thousand fresh decks for each suit count, against breadth-first search."""
    for position, explored in fresh_decks(f"many {suits}", suits, 1_000):
        fewest = explored.moves_left[0]
        for rules in RULES:
            one = Search(position, **rules)
            assert (one.run() == OUTCOME.won) == (fewest >= 0), position
            if fewest >= 0:
                assert len(one.solution()) == fewest, (position, rules)


@pytest.mark.parametrize("suits", SUITS)
def test_optimal_search_with_a_known_win(suits: int) -> None:
    for deck in decks_of(suits, part=3):
        if deck.fewest_moves is None:
            continue
        equal = Search(deck.position, use_lifts=1)
        assert equal.run(upper=deck.fewest_moves) == OUTCOME.exhausted, deck
        longer = Search(deck.position, use_lifts=1)
        assert longer.run(upper=deck.fewest_moves + 1) == OUTCOME.won
        assert len(longer.solution()) == deck.fewest_moves


def test_the_trap_of_joins() -> None:
    """Joining 6D to 7D takes the place of 5C away; without that the position is won."""
    text = (DATA / "samples" / "ms309_after54_join_trap.board").read_text(encoding="utf-8")
    trap = board("|".join(text.splitlines()))
    free = Search(trap, weight_h=2, use_lifts=1)
    assert free.run() == OUTCOME.won
    assert_wins(trap, free.solution())


@pytest.mark.parametrize("budget", [1, 7, 5000])
def test_results_do_not_depend_on_the_budget_of_a_step(budget: int) -> None:
    deck = decks_of(4)[3]
    one, other = (Search(deck.position, weight_h=1, use_lifts=1) for _ in range(2))
    assert one.run(budget=budget) == other.run(budget=1000)
    assert one.pool.counts[POOL.expanded] == other.pool.counts[POOL.expanded]
    assert one.pool.counts[POOL.nodes] == other.pool.counts[POOL.nodes]
