"""A lower bound on the moves it takes to remove some more runs, of any suits.

For each way to share the runs among the suits: the *joins* that a suit's runs still need [R.1], and
the first moves of its *misplaced* cards that must go, as their suit is *emptied* or they lie above
a card of such a suit [R.2]. A suit needs the larger of both, and the bound is the least sum over
all ways [R.3]. The plain form is `search.removal_bound`.

Numbers in brackets are statements of `docs/algorithms/`. Sound for lines that remove that many
runs, winning or not.

In the code: q is `leaving`, packed runs; what the position says of each suit, J among it, is a row
of `needs`, see `NEEDS`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import int64, internal
from simon_solver.kernels.state.fields import (
    BELOW_SHIFT,
    FIELD_MASK,
    LENGTH_SHIFT,
    RANK_SHIFT,
    RUN_BITS,
)
from simon_solver.kernels.state.task import BELOW, INFO, MISPLACED_SHIFT, Ints, Task
from simon_solver.kernels.state.words import count_runs


class _Needs(NamedTuple):
    """Of `needs[suit]`, which counts cards."""

    misplaced: int = 0
    """+ suits (bit mask): below king rank, misplaced, by the suits that cannot be emptied before
    they have moved"""
    kings: int = 16
    """+ suits: kings, by the suits under them"""
    joined: int = 32
    """+ rank: joined cards"""
    width: int = 48


NEEDS = _Needs()
ENDLESS = 1 << 20
"""The bound where not so many runs are left."""


def new_needs() -> Ints:
    """A fresh working array."""
    return np.zeros((4, NEEDS.width), np.int64)


@internal
def _enter(needs: Ints, suit: int, rank: int, ranks: int, is_misplaced: bool, under: int) -> None:
    """Count one card; `under`: the suits of the cards under it."""
    if rank == ranks:
        needs[suit, NEEDS.kings + under] += 1
    elif is_misplaced:
        needs[suit, NEEDS.misplaced + (under | int64(1) << suit)] += 1
    else:
        needs[suit, NEEDS.joined + rank] += 1


@internal
def _count_cards(task: Task, needs: Ints, columns: Ints) -> None:
    """Fill `needs` from a position."""
    needs[:, :] = 0
    ranks = task.info[INFO.ranks]
    for column in range(columns.shape[0]):
        word = columns[column]
        under = int64(0)
        depth = task.below[word >> BELOW_SHIFT, BELOW.depth]
        for place in range(task.segment_start[column, depth]):
            card = task.card[column, place]
            suit = (card >> 4) & 3
            _enter(needs, suit, card & 15, ranks, card >> MISPLACED_SHIFT != 0, under)
            under |= int64(1) << suit
        length = (word >> LENGTH_SHIFT) & FIELD_MASK
        rank = (word >> RANK_SHIFT) & FIELD_MASK
        parent = int64(-1)
        for place in range(length - 1, -1, -1):
            suit = (word >> 2 * place) & 3
            _enter(needs, suit, rank, ranks, suit != parent, under)
            under |= int64(1) << suit
            parent = suit
            rank -= 1


@internal
def _moves_of_suit(needs: Ints, suit: int, ranks: int, leaving: int, emptied: int) -> int:
    """Moves of the suit's runs when `leaving` of them leave; `emptied`: suits, as a bit mask."""
    first = int64(0)
    # the number of sets: the compiler would unroll a loop whose bound it knows
    for under in range(needs.shape[1] // 3):
        if under & emptied:
            first += needs[suit, NEEDS.misplaced + under]
            if leaving == 0:
                first += needs[suit, NEEDS.kings + under]
    joins = int64(0)
    for rank in range(1, ranks):
        joins += max(int64(0), leaving - needs[suit, NEEDS.joined + rank])
    return max(first, joins)


@internal
def _runs_of(packed: int, suit: int) -> int:
    """The suit's number in packed runs."""
    return (packed >> (RUN_BITS * suit)) & ((1 << RUN_BITS) - 1)


@internal
def _moves_for(task: Task, needs: Ints, left: int, leaving: int) -> int:
    """Moves for the runs `leaving` of those `left` (both packed)."""
    emptied = int64(0)
    for suit in range(needs.shape[0]):
        here = _runs_of(leaving, suit)
        emptied |= int64(here > 0 and here == _runs_of(left, suit)) << suit
    total = int64(0)
    for suit in range(needs.shape[0]):
        total += _moves_of_suit(
            needs, suit, task.info[INFO.ranks], _runs_of(leaving, suit), emptied
        )
    return total


@internal
def moves_to_remove(task: Task, needs: Ints, columns: Ints, runs: int, wanted: int) -> int:
    """A lower bound on the moves until `wanted` runs are gone, with `runs` gone so far (packed).

    `needs` is for working; `ENDLESS` if there are not so many.
    """
    more = max(int64(0), wanted - count_runs(task, runs))
    left = task.info[INFO.start_runs] - runs
    _count_cards(task, needs, columns)
    least = int64(ENDLESS)
    last = int64(needs.shape[0] - 1)
    # every packed number of the right size that takes no more of a suit than there is
    leaving = int64(0)
    while leaving >> (RUN_BITS * last) == 0:
        rest = more - count_runs(task, leaving)
        if 0 <= rest <= _runs_of(left, last):
            whole = leaving | rest << (RUN_BITS * last)
            least = min(least, _moves_for(task, needs, left, whole))
        # count up, carrying where a suit has no more
        suit = int64(0)
        while suit < last and _runs_of(leaving, suit) == _runs_of(left, suit):
            leaving -= _runs_of(leaving, suit) << (RUN_BITS * suit)
            suit += 1
        leaving += int64(1) << (RUN_BITS * suit)
    return least
