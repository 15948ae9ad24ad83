"""The complete search, with every rule on and off, against breadth-first search on small decks."""

from __future__ import annotations

from collections import Counter

import pytest

from simon_solver.kernels.searches.options import WHEN
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.pool import POOL
from tests.support.deals import assert_wins
from tests.support.searches import SUITS, Search, decks_of

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("use_classes", [WHEN.never, WHEN.start, WHEN.always])
@pytest.mark.parametrize("use_lifts", [0, 1])
@pytest.mark.parametrize("weights", [(1, 2), (1, 4), (0, 1)])
@pytest.mark.parametrize("suits", SUITS)
def test_complete_searches_decide(
    suits: int, weights: tuple[int, int], use_lifts: int, use_classes: int
) -> None:
    seen = Counter[int]()
    for deck in decks_of(suits):
        one = Search(
            deck.position,
            decides=1,
            weight_g=weights[0],
            weight_h=weights[1],
            use_lifts=use_lifts,
            use_classes=use_classes,
        )
        outcome = one.run()
        assert (outcome == OUTCOME.won) == deck.winnable, deck
        if deck.winnable:
            assert_wins(deck.position, one.solution())
        seen[outcome] += 1
    assert seen[OUTCOME.won]
    assert seen[OUTCOME.exhausted] or use_classes != WHEN.never
    assert (seen[OUTCOME.lost] > 0) == (use_classes != WHEN.never)
    assert set(seen) <= {OUTCOME.won, OUTCOME.exhausted, OUTCOME.lost}


@pytest.mark.parametrize("suits", SUITS)
def test_breadth_first_order_finds_shortest_wins(suits: int) -> None:
    for deck in decks_of(suits, part=4):
        if deck.winnable:
            one = Search(deck.position, decides=1, weight_h=0)
            assert one.run() == OUTCOME.won
            assert len(one.solution()) == deck.fewest_moves


@pytest.mark.parametrize("budget", [1, 7, 5000])
def test_results_do_not_depend_on_the_budget_of_a_step(budget: int) -> None:
    deck = decks_of(4)[3]
    one, other = (Search(deck.position, weight_h=2, use_lifts=1, decides=1) for _ in range(2))
    assert one.run(budget=budget) == other.run(budget=1000)
    assert one.pool.counts[POOL.expanded] == other.pool.counts[POOL.expanded]
    assert one.pool.counts[POOL.nodes] == other.pool.counts[POOL.nodes]
