"""Deals by the number of their code, without Python objects; `game.codes` describes the scheme.

The numbers here are signed, those of the scheme are not: where it shifts to the right or compares,
the bits of a negative number are masked or it counts as large.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.state.task import Ints, Task

_LOW32 = (1 << 32) - 1


@internal
def _shifted(value: int, count: int) -> int:
    """The 64 bits of `value` moved to the right, zeros following."""
    return value >> count & (int64(1) << (64 - count)) - 1


@internal
def _draw(seed: int, choices: int) -> tuple[int, int]:
    """A number below `choices`, and the seed after it (SplitMix64, Lemire's bounded draw)."""
    # 2^64 modulo the number of choices
    rest = ((_LOW32 + 1) % choices) ** 2 % choices
    while True:
        seed += int64(-0x61C8864680B583EB)
        bits = (seed ^ _shifted(seed, int64(30))) * int64(-0x40A7B892E31B1A47)
        bits = (bits ^ _shifted(bits, int64(27))) * int64(-0x6B2FB644ECCEEE15)
        bits ^= _shifted(bits, int64(31))
        low = bits * choices
        if low < 0 or low >= rest:
            carry = (bits & _LOW32) * choices >> 32
            return (_shifted(bits, int64(32)) * choices + carry) >> 32, seed


class Pack(NamedTuple):
    """The cards to be dealt."""

    deck: Ints
    """[place] types in the order before the shuffle"""
    order: Ints
    """[place] room for the order after it"""


def new_pack(deck: Sequence[int]) -> Pack:
    """A pack of these types."""
    return lasting(Pack(np.array(deck, np.int64), np.zeros(len(deck), np.int64)))


@entry
def deal(number: int, pack: Pack, task: Task) -> None:
    """Deal the code number into `task.card`, whose places that hold a card are not 0."""
    deck, order, card = pack.deck, pack.order, task.card
    for place in range(deck.shape[0]):
        order[place] = deck[place]
    seed = int64(number)
    for last in range(deck.shape[0] - 1, 0, -1):
        chosen, seed = _draw(seed, int64(last + 1))
        taken = order[last]
        order[last] = order[chosen]
        order[chosen] = taken
    dealt = int64(0)
    for column in range(card.shape[0]):
        for place in range(card.shape[1]):
            if card[column, place] != 0:
                card[column, place] = order[dealt]
                dealt += 1
