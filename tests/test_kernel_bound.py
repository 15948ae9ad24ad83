"""A lower bound must never exceed the moves that a win really needs."""

from __future__ import annotations

from random import Random

import numba
import numpy as np
import pytest

from simon_solver.kernels import bound
from tests.helpers import SMALL_SHAPES, random_deal, random_deal_with_run, reference_deals
from tests.kernel_helpers import explore, from_python, game_of

pytestmark = pytest.mark.kernel

count_unjoined = from_python(bound.unjoined)

SHAPES = (*SMALL_SHAPES, (3, (4, 4, 4)), (3, (3, 3, 2, 2, 2)), (4, (3, 3, 3, 3, 2, 2)))


@numba.njit
def _bound_all(game, heads, words, moves_left, bounds):  # type: ignore[no-untyped-def]
    for position in range(words.shape[0]):
        if moves_left[position] >= 0:
            bounds[position] = bound.waiting_bound(game, heads, words[position])


def run_audit(suits: int, decks: int, most: int, seed: str) -> None:
    """Compare the bound with the fewest moves from every winnable position of small decks."""
    rng, heads = Random(seed), bound.new_heads()
    gains = equal = positions = 0
    for _ in range(decks):
        ranks, sizes = rng.choice(SHAPES)
        make = random_deal_with_run if max(sizes) >= ranks and rng.random() < 0.3 else random_deal
        explored = explore(make(rng, suits, ranks, sizes), most)
        if explored is None:
            continue
        won = explored.moves_left >= 0
        bounds = np.zeros(len(won), np.int64)
        _bound_all(explored.game, heads, explored.words, explored.moves_left, bounds)
        plain = np.array([count_unjoined(explored.game, words) for words in explored.words[won]])
        assert (bounds[won] <= explored.moves_left[won]).all()
        assert (plain <= bounds[won]).all()
        gains += (plain < bounds[won]).sum()
        equal += (bounds[won] == explored.moves_left[won]).sum()
        positions += won.sum()
    # a bound of nothing, or one that adds nothing to U, would pass the lines above
    assert gains > 0
    assert equal > positions / 10 > 0


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_never_above_the_fewest_moves(suits: int) -> None:
    decks, most = (30, 1_500) if numba.config.DISABLE_JIT else (60, 20_000)
    run_audit(suits, decks, most, f"bound {suits}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_never_above_the_fewest_moves_in_many(suits: int, seed: int) -> None:
    run_audit(suits, 500, 60_000, f"bound {suits} {seed}")


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_full_deals(suits: int) -> None:
    heads = bound.new_heads()
    for deal in reference_deals(suits)[: 20 if numba.config.DISABLE_JIT else 200]:
        if deal.best_moves is not None:
            game = game_of(deal.position)
            least = bound.waiting_bound(game, heads, game.start)
            assert count_unjoined(game, game.start) <= least <= deal.best_moves, deal.name
