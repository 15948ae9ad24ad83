"""The memo of a relaxation: what it has said about keys of 128 bits.

A memo serves one question after the other. What was said in an earlier *generation* counts as a
free slot, so nothing needs to be wiped out when the question changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import int64, internal
from simon_solver.kernels.state.slots import usable
from simon_solver.kernels.state.task import Ints


class Memo(NamedTuple):
    """A table with open addressing."""

    slots: Ints
    """[slot, name] see `_SLOT`"""
    counts: Ints
    """[name] see `MEMO`"""


class _Slot(NamedTuple):
    """Of `Memo.slots`."""

    key_a: int = 0
    key_b: int = 1
    stamp: int = 2
    """generation << 1 | answer"""


_SLOT = _Slot()


class _Memo(NamedTuple):
    """Of `Memo.counts`."""

    entries: int = 0
    """of this generation"""
    generation: int = 1


MEMO = _Memo()


def new_memo(slots: int) -> Memo:
    """A memo that knows nothing; `slots` is a power of two."""
    memo = Memo(np.zeros((slots, len(_SLOT)), np.int64), np.zeros(len(MEMO), np.int64))
    forget_all(memo)
    return memo


def forget_all(memo: Memo) -> None:
    """Begin a new generation, which no slot is of."""
    memo.counts[MEMO.generation] += 1
    memo.counts[MEMO.entries] = 0


@internal
def make_room(memo: Memo) -> None:
    """Forget everything if the memo is half full."""
    if memo.counts[MEMO.entries] * 2 >= memo.slots.shape[0]:
        memo.slots[:] = 0
        memo.counts[MEMO.entries] = 0


@internal
def is_full(memo: Memo) -> bool:
    """Nothing more is kept."""
    return memo.counts[MEMO.entries] >= usable(memo.slots.shape[0])


@internal
def _find(memo: Memo, key_a: int, key_b: int) -> int:
    """The slot of a key, or the free slot where it belongs."""
    slots = memo.slots
    mask = slots.shape[0] - 1
    generation = memo.counts[MEMO.generation]
    at = key_a & mask
    while slots[at, _SLOT.stamp] >> 1 == generation:
        if slots[at, _SLOT.key_a] == key_a and slots[at, _SLOT.key_b] == key_b:
            return at
        at = (at + 1) & mask
    return at


@internal
def recall(memo: Memo, key_a: int, key_b: int) -> int:
    """1 "may be won", 0 "lost", -1 not known."""
    stamp = memo.slots[_find(memo, key_a, key_b), _SLOT.stamp]
    if stamp >> 1 != memo.counts[MEMO.generation]:
        return int64(-1)
    return stamp & 1


@internal
def remember(memo: Memo, key_a: int, key_b: int, answer: int) -> None:
    """Keep an answer unless the memo is full."""
    at = _find(memo, key_a, key_b)
    slots = memo.slots
    if slots[at, _SLOT.stamp] >> 1 != memo.counts[MEMO.generation]:
        if is_full(memo):
            return
        memo.counts[MEMO.entries] += 1
    slots[at, _SLOT.key_a] = key_a
    slots[at, _SLOT.key_b] = key_b
    slots[at, _SLOT.stamp] = memo.counts[MEMO.generation] << 1 | answer
