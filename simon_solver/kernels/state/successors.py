"""The moves of a position and what each leads to: make, look, unmake.

Two kinds of moves are never listed, in any search: a whole column to an empty column (the same
position again), and a move to an empty column when one further left is empty too (the same
position up to the order of columns). Neither is needed ([S.5] in `docs/algorithms/`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.state.fields import BELOW_SHIFT, MAX_CARDS
from simon_solver.kernels.state.task import BELOW, INFO, Ints, Task
from simon_solver.kernels.state.words import (
    mix_a,
    mix_b,
    move_run,
    run_length,
    tail_length,
    tail_unjoined,
    top_rank,
)


class Scratch(NamedTuple):
    """A position being looked at, its moves, and the one position that was just made from it."""

    columns: Ints
    """[column] words of the position"""
    seen: Ints
    """[column, name] see `SEEN`"""
    facts: Ints
    """[name] of the position; see `FACT`"""
    moves: Ints
    """[n] listed moves: source | target << 4 | count << 8"""
    child: Ints
    """[column] words of the position made; equal to `columns` between moves"""
    made: Ints
    """[name] the same of that one"""


class _Seen(NamedTuple):
    """Of `Scratch.seen`."""

    run: int = 0
    """length of the maximal run"""
    top: int = 1
    """rank of the top card"""
    hash_a: int = 2
    """one half of the word's hash"""
    hash_b: int = 3
    """the other half"""


SEEN = _Seen()


class _Fact(NamedTuple):
    """Of `Scratch.facts` and `Scratch.made`."""

    key_a: int = 0
    """one half of the position's key"""
    key_b: int = 1
    """the other half"""
    runs: int = 2
    """packed runs removed"""
    unjoined: int = 3
    """U"""
    irreversible: int = 4
    """of `made` alone: 1 if a head was lifted or a run left"""


FACT = _Fact()


class _Role(NamedTuple):
    """What a move does to the highest card of its run."""

    joins: int = 0
    """it lay on no true parent and gets one"""
    parts: int = 1
    """it lay on one before"""
    shifts: int = 2
    """it lay on none and gets none"""


ROLE = _Role()


def new_scratch(columns: int) -> Scratch:
    """Fresh working arrays for that many columns."""
    scratch = Scratch(
        columns=np.zeros(columns, np.int64),
        seen=np.zeros((columns, len(SEEN)), np.int64),
        facts=np.zeros(len(FACT) - 1, np.int64),
        moves=np.zeros(max_moves(columns), np.int64),
        child=np.zeros(columns, np.int64),
        made=np.zeros(len(FACT), np.int64),
    )
    return lasting(scratch)


def max_moves(columns: int) -> int:
    """No position has more listed moves: each card is the highest of one to each column at most."""
    return columns * MAX_CARDS


@internal
def look(task: Task, scratch: Scratch, runs: int) -> None:
    """Fill all facts about `scratch.columns`, of which `runs` have been removed, but U."""
    columns = scratch.columns
    key_a = int64(0)
    key_b = int64(0)
    for column in range(columns.shape[0]):
        word = columns[column]
        hash_a = mix_a(word)
        hash_b = mix_b(word)
        key_a += hash_a
        key_b += hash_b
        scratch.child[column] = word
        scratch.seen[column, SEEN.run] = run_length(word)
        scratch.seen[column, SEEN.top] = top_rank(word)
        scratch.seen[column, SEEN.hash_a] = hash_a
        scratch.seen[column, SEEN.hash_b] = hash_b
    scratch.facts[FACT.key_a] = key_a
    scratch.facts[FACT.key_b] = key_b
    scratch.facts[FACT.runs] = runs


@internal
def list_moves(task: Task, scratch: Scratch) -> int:
    """Fill `scratch.moves`; returns their number."""
    columns = scratch.columns
    empty = int64(-1)
    for column in range(columns.shape[0]):
        if columns[column] == 0:
            empty = int64(column)
            break
    total = int64(0)
    for source in range(columns.shape[0]):
        word = columns[source]
        whole = tail_length(word) if word >> BELOW_SHIFT == 0 else int64(-1)
        for count in range(1, scratch.seen[source, SEEN.run] + 1):
            parent_rank = scratch.seen[source, SEEN.top] + count
            for target in range(columns.shape[0]):
                if columns[target] == 0:
                    if target != empty or count == whole:
                        continue
                elif scratch.seen[target, SEEN.top] != parent_rank or target == source:
                    continue
                scratch.moves[total] = source | target << 4 | count << 8
                total += 1
    return total


@internal
def make(task: Task, scratch: Scratch, move: int) -> None:
    """Make a move in `scratch.child` and fill `scratch.made`."""
    source = move & 15
    target = (move >> 4) & 15
    count = move >> 8
    seen = scratch.seen
    word = scratch.columns[source]
    goal = scratch.columns[target]
    left, landed, gone = move_run(task, word, goal, count)
    lifted = left >> BELOW_SHIFT != word >> BELOW_SHIFT
    scratch.child[source] = left
    scratch.child[target] = landed
    made = scratch.made
    made[FACT.runs] = scratch.facts[FACT.runs] + gone
    made[FACT.irreversible] = lifted or gone != 0
    made[FACT.key_a] = (
        scratch.facts[FACT.key_a]
        - seen[source, SEEN.hash_a]
        - seen[target, SEEN.hash_a]
        + mix_a(left)
        + mix_a(landed)
    )
    made[FACT.key_b] = (
        scratch.facts[FACT.key_b]
        - seen[source, SEEN.hash_b]
        - seen[target, SEEN.hash_b]
        + mix_b(left)
        + mix_b(landed)
    )
    before = column_unjoined(task, word) + column_unjoined(task, goal)
    after = column_unjoined(task, left) + column_unjoined(task, landed)
    made[FACT.unjoined] = scratch.facts[FACT.unjoined] + after - before


@internal
def role(scratch: Scratch, move: int) -> int:
    """What a listed move does to the highest card of its run."""
    word = scratch.columns[move & 15]
    goal = scratch.columns[(move >> 4) & 15]
    if move >> 8 < scratch.seen[move & 15, SEEN.run]:
        return ROLE.parts
    return ROLE.joins if goal != 0 and goal & 3 == word & 3 else ROLE.shifts


@internal
def column_unjoined(task: Task, word: int) -> int:
    """Cards of a column, below king rank, that do not lie on their true parent."""
    return task.below[word >> BELOW_SHIFT, BELOW.unjoined] + tail_unjoined(
        word, task.info[INFO.ranks]
    )


@internal
def unjoined(task: Task, columns: Ints) -> int:
    """U of a position: its cards, below king rank, that do not lie on their true parent."""
    total = int64(0)
    for column in range(columns.shape[0]):
        total += column_unjoined(task, columns[column])
    return total


@internal
def unmake(scratch: Scratch, move: int) -> None:
    """Bring `scratch.child` back to the position looked at."""
    source = move & 15
    target = (move >> 4) & 15
    scratch.child[source] = scratch.columns[source]
    scratch.child[target] = scratch.columns[target]
