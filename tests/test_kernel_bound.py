"""A lower bound must never exceed the moves that a win really needs."""

from __future__ import annotations

from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from simon_solver.codes import GameCode
from simon_solver.kernels import bound, search, successors
from simon_solver.kernels.game import RANKS, Game, Ints
from simon_solver.rules import settle
from tests.helpers import SMALL_SHAPES, random_deal, random_deal_with_run, reference_deals
from tests.kernel_helpers import explore, from_python, game_of, listed_moves

pytestmark = pytest.mark.kernel

count_unjoined = from_python(bound.unjoined)
greedy_extra, waiting_bound = map(from_python, (bound.greedy_extra, bound.waiting_bound))

SHAPES = (*SMALL_SHAPES, (3, (4, 4, 4)), (3, (3, 3, 2, 2, 2)), (4, (3, 3, 3, 3, 2, 2)))


@numba.njit
def _bound_all(game, heads, words, moves_left, bounds):  # type: ignore[no-untyped-def]
    for position in range(words.shape[0]):
        if moves_left[position] >= 0:
            bounds[position] = waiting_bound(game, heads, words[position])


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
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_never_above_the_fewest_moves_in_many(suits: int, seed: int) -> None:
    run_audit(suits, 500, 60_000, f"bound {suits} {seed}")


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_full_deals(suits: int) -> None:
    heads = bound.new_heads()
    for deal in reference_deals(suits)[: 20 if numba.config.DISABLE_JIT else 200]:
        if deal.best_moves is not None:
            game = game_of(deal.position)
            least = waiting_bound(game, heads, game.start)
            assert count_unjoined(game, game.start) <= least <= deal.best_moves, deal.name


look, make, move_roles = map(from_python, (successors.look, successors.make, successors.move_roles))
load_heads, shift_run, exchanged, keeps_extra = map(
    from_python, (bound.load_heads, bound.shift_run, bound.exchanged, search._keeps_extra)
)


def loaded(game: Game, words: Ints) -> tuple[bound.Heads, list[Any]]:
    """A position's heads, and all that matters of them in a form to compare."""
    heads = bound.new_heads()
    load_heads(game, heads, words)
    return heads, picture(heads, len(words))


def picture(heads: bound.Heads, columns: int) -> list[Any]:
    """What the arrays say, without what lies beyond the heads in use."""
    numbers = heads.column[:columns, bound.NUMBER].tolist()
    return [
        [heads.head[column, :number].tolist() for column, number in enumerate(numbers)],
        [
            int(heads.column[column, bound.OWN]) & ((1 << number) - 1)
            for column, number in enumerate(numbers)
        ],
        heads.copies.tolist(),
        [
            sorted(heads.place[kind, : heads.copies[kind, bound.COUNT]].tolist())
            for kind in range(len(heads.copies))
        ],
        [
            sorted(
                int(heads.place[kind, copy])
                for copy in range(heads.copies[kind, bound.COUNT])
                if heads.copies[kind, bound.TAKEN] >> copy & 1
            )
            for kind in range(len(heads.copies))
        ],
    ]


def without_masks(seen: list[Any]) -> list[Any]:
    """The picture but the masks of taken copies, whose bits depend on the order of copies."""
    head, own, copies, places, taken = seen
    return [head, own, [count for count, _ in copies], places, taken]


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_shifted_heads_are_those_of_the_position_made(suits: int, rng: Random) -> None:
    skipped = shifted = 0
    for _ in range(2 if numba.config.DISABLE_JIT else 12):
        position = settle(GameCode(suits, rng.randrange(26**7)).deal())
        game = game_of(position)
        scratch = successors.new_scratch(10)
        scratch.columns[:] = game.start
        runs = 0
        for _ in range(40):
            look(game, scratch, np.int64(runs))
            scratch.facts[successors.UNJOINED] = count_unjoined(game, scratch.columns)
            heads, before = loaded(game, scratch.columns)
            extra = greedy_extra(game, heads, np.int64(10))
            moves = listed_moves(game, scratch)
            for code in moves:
                move = np.int64(code)
                make(game, scratch, move)
                if scratch.made[successors.RUNS] == runs:
                    _, after = loaded(game, scratch.child)
                    kind, roles = move_roles(game, scratch, move)
                    source, target, ranks = move & 15, move >> 4 & 15, game.info[RANKS]
                    shift_run(heads, kind, move >> 8, source, target, roles, ranks)
                    assert without_masks(picture(heads, 10)) == without_masks(after)
                    now = greedy_extra(game, heads, np.int64(10))
                    least = waiting_bound(game, bound.new_heads(), scratch.child)
                    assert now == least - scratch.made[successors.UNJOINED]
                    if keeps_extra(game, scratch, move):
                        assert now == extra
                        skipped += 1
                    shift_run(heads, kind, move >> 8, target, source, exchanged(roles), ranks)
                    assert picture(heads, 10) == before
                    shifted += 1
                scratch.child[:] = scratch.columns
            if not moves:
                break
            make(game, scratch, np.int64(rng.choice(moves)))
            runs = int(scratch.made[successors.RUNS])
            scratch.columns[:] = scratch.child
    assert shifted > 100
    assert (skipped > 0) == (suits == 4)
