"""The bound on the moves to remove some runs, against its plain form and against the truth."""

from __future__ import annotations

from random import Random

import numba
import numpy as np
import pytest

from simon_solver.game.position import Position
from simon_solver.kernels.bounds import removal
from simon_solver.kernels.state.fields import RUN_BITS
from simon_solver.kernels.state.task import Ints
from simon_solver.search.removal_bound import NEVER, fewest_moves_to_remove
from tests.support.deals import SMALL_SHAPES, reference_deals
from tests.support.kernel import (
    Explored,
    as_kernel,
    columns_of,
    explored_decks,
    from_python,
    moves_to_runs,
    run_counts,
    task_of,
)

pytestmark = pytest.mark.kernel

SHAPES = (*SMALL_SHAPES, (3, (4, 4, 4)), (3, (3, 3, 2, 2, 2)), (6, (9, 9, 6)))
SUITS = (1, 2, 3, 4)

moves_to_remove = from_python(removal.moves_to_remove)


@as_kernel
def _ask_all(task, needs, words, runs, wanted, bounds) -> None:  # type: ignore[no-untyped-def]
    for position in range(words.shape[0]):
        bounds[position] = removal.moves_to_remove(
            task, needs, words[position], runs[position], wanted
        )


def all_bounds(explored: Explored, wanted: int) -> Ints:
    """[position] the bound on the moves until so many runs are gone since the start."""
    bounds = np.zeros(len(explored.runs), np.int64)
    _ask_all(
        explored.task, removal.new_needs(), explored.words, explored.runs, np.int64(wanted), bounds
    )
    return bounds


def position_at(start: Position, explored: Explored, number: int) -> Position:
    """A reachable position by its number."""
    gone = [
        suit
        for suit in range(4)
        for _ in range(int(explored.runs[number]) >> RUN_BITS * suit & (1 << RUN_BITS) - 1)
    ]
    columns = columns_of(explored.task, explored.words[number])
    return Position(start.deck, columns, (*start.removed, *gone))


@pytest.mark.parametrize("suits", SUITS)
def test_the_kernel_agrees_with_the_plain_form(suits: int) -> None:
    decks, each = (6, 20) if numba.config.DISABLE_JIT else (40, 100)
    rng, seen = Random(f"agree {suits}"), set()
    for start, explored in explored_decks(
        suits, decks, 400 if each == 20 else 20_000, f"{suits}", SHAPES
    ):
        numbers = rng.sample(range(len(explored.runs)), min(each, len(explored.runs)))
        gone = run_counts(explored)
        for number in numbers:
            plain = fewest_moves_to_remove(position_at(start, explored, number))
            for more, moves in enumerate(plain):
                wanted = np.int64(gone[number] + more)
                words, runs = explored.words[number], np.int64(explored.runs[number])
                bound = moves_to_remove(explored.task, removal.new_needs(), words, runs, wanted)
                assert bound == moves, (start, number, more)
                seen.add((more, moves))
            too_many = np.int64(gone[number] + len(plain))
            bound = moves_to_remove(explored.task, removal.new_needs(), words, runs, too_many)
            assert bound == removal.ENDLESS == NEVER
    assert len(seen) > 10


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_the_kernel_agrees_on_full_deals(suits: int) -> None:
    for deal in reference_deals(suits)[:20]:
        task = task_of(deal.position)
        for wanted, moves in enumerate(fewest_moves_to_remove(deal.position)):
            words = task.start
            bound = moves_to_remove(task, removal.new_needs(), words, np.int64(0), np.int64(wanted))
            assert bound == moves
            assert moves > 0 or wanted == 0


def audit(suits: int, decks: int, most: int, seed: str) -> None:
    exact = 0
    for start, explored in explored_decks(suits, decks, most, seed, SHAPES):
        left = start.deck.runs - len(start.removed)
        for wanted in range(1, left + 1):
            moves, bounds = moves_to_runs(explored, wanted), all_bounds(explored, wanted)
            wrong = np.flatnonzero((moves >= 0) & (bounds > moves))
            assert not wrong.size, (start, position_at(start, explored, int(wrong[0])), wanted)
            if wanted == left:
                assert (moves == explored.moves_left).all()
            exact += int(((moves > 0) & (bounds == moves)).sum())
    # one more would be too much for these
    assert exact > decks


@pytest.mark.parametrize("suits", SUITS)
def test_the_bound_never_says_too_much(suits: int) -> None:
    decks, most = (6, 400) if numba.config.DISABLE_JIT else (40, 20_000)
    audit(suits, decks, most, f"bound {suits}")


@pytest.mark.slow
@pytest.mark.parametrize("suits", SUITS)
def test_the_bound_never_says_too_much_in_many(suits: int) -> None:
    audit(suits, 1_000, 12_000, f"many bounds {suits}")
