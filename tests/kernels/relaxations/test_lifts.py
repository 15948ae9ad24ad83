"""The lift relaxation must never say no where a win, or so many runs removed, can be reached.

Deck verdicts are too blunt a test for a relaxation: here every reachable position of small decks is
labelled, and the relaxation is asked about each.
"""

from __future__ import annotations

from random import Random

import numba
import numpy as np
import pytest

from simon_solver.kernels.forms import int64
from simon_solver.kernels.relaxations import lifts
from simon_solver.kernels.relaxations.memo import MEMO
from simon_solver.kernels.state.task import INFO
from tests.support.deals import SMALL_SHAPES, random_deal, reference_deals
from tests.support.kernel import (
    Explored,
    as_kernel,
    count_runs,
    explored_decks,
    moves_to_runs,
    task_of,
)

pytestmark = pytest.mark.kernel

SHAPES = (
    *SMALL_SHAPES,
    (3, (4, 4, 4)),
    (3, (3, 3, 2, 2, 2)),
    (4, (3, 3, 3, 3, 2, 2)),
    (6, (9, 9, 6)),
)
MOST = 20_000
"""Reachable positions; a deck with more is passed over."""


@as_kernel
def _ask_all(task, work, words, runs, moves_left, answers) -> None:  # type: ignore[no-untyped-def]
    """Ask about every position that is no goal; 1 may reach one, 0 cannot, -1 not asked."""
    for position in range(words.shape[0]):
        answers[position] = -1
        if moves_left[position] != 0:
            answers[position] = lifts.may_be_won(task, work, words[position], runs[position])


def audit(explored: Explored, work: lifts.Lifts, wanted: int = 0) -> tuple[int, int, int]:
    """Counts of (won positions called lost, lost ones called lost, lost ones).

    With `wanted`, won is a position from which so many runs can be removed in all.
    """
    answers = np.zeros(len(explored.runs), np.int64)
    lifts.forget(work, wanted)
    moves_left = moves_to_runs(explored, wanted) if wanted else explored.moves_left
    _ask_all(explored.task, work, explored.words, explored.runs, moves_left, answers)
    lost = moves_left < 0
    called_lost = answers == 0
    return (called_lost & ~lost).sum(), (called_lost & lost).sum(), lost.sum()


def run_audit(suits: int, decks: int, most: int, seed: str) -> None:
    work, positions = lifts.new_lifts(), 0
    totals = np.zeros((5, 3), np.int64)
    for position, explored in explored_decks(suits, decks, most, seed, SHAPES):
        assert explored.task.info[INFO.ranks] == position.deck.ranks
        left = int(count_runs(explored.task.info[INFO.start_runs : INFO.start_runs + 1])[0])
        for wanted in range(left + 1):
            totals[wanted] += audit(explored, work, wanted)
        positions += len(explored.runs)
    wrong, found, lost = totals.T
    assert not wrong.any()
    # a relaxation that never says "lost" would pass the line above
    assert (found > lost / 20).all()
    assert lost.all()
    assert positions > decks


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_no_won_position_is_called_lost(suits: int) -> None:
    decks, most = (20, 400) if numba.config.DISABLE_JIT else (60, 20_000)
    run_audit(suits, decks, most, f"audit {suits}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_no_won_position_is_called_lost_in_many(suits: int, seed: int) -> None:
    run_audit(suits, 470, MOST, f"audit {suits} {seed}")


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_full_deals(suits: int) -> None:
    work, called_lost = lifts.new_lifts(), 0
    for deal in reference_deals(suits)[: 20 if numba.config.DISABLE_JIT else 200]:
        task = task_of(deal.position)
        lifts.forget(work)
        may_be_won = lifts.may_be_won(task, work, task.start, int64(0))
        assert may_be_won or not deal.winnable, deal.name
        assert lifts.may_be_won(task, work, task.start, int64(0)) == may_be_won
        called_lost += not may_be_won
    assert called_lost >= (0 if numba.config.DISABLE_JIT else 1)


def test_a_full_memo_calls_less_lost() -> None:
    tiny, roomy, rng = lifts.new_lifts(4), lifts.new_lifts(), Random("memo")
    answers = set()
    for _ in range(40):
        task = task_of(random_deal(rng, 2, 4, (4, 4, 4, 4)))
        lifts.forget(tiny)
        lifts.forget(roomy)
        answer = lifts.may_be_won(task, roomy, task.start, int64(0))
        answers.add((bool(answer), bool(lifts.may_be_won(task, tiny, task.start, int64(0)))))
    assert answers == {(True, True), (False, True), (False, False)}


def test_old_generations_are_forgotten() -> None:
    work = lifts.new_lifts(64)
    rng = Random("generations")
    tasks = [task_of(random_deal(rng, 4, 4, (4, 4, 4, 4))) for _ in range(6)]
    fresh = [bool(lifts.may_be_won(g, lifts.new_lifts(), g.start, int64(0))) for g in tasks]
    again = []
    for task in tasks:
        lifts.forget(work)
        again.append(bool(lifts.may_be_won(task, work, task.start, int64(0))))
    assert again == fresh
    assert len(set(fresh)) == 2
    assert work.memo.counts[MEMO.generation] > len(tasks)
