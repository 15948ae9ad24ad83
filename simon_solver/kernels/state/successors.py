"""The moves of a position and what each leads to: make, look, unmake.

Two kinds of moves are never listed, in any search: a whole column to an empty column (the same
position again), and a move to an empty column when one further left is empty too (the same
position up to the order of columns). Neither is needed ([S.5] in `docs/algorithms.md`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.bounds.removal import NEEDS_WIDTH
from simon_solver.kernels.compiled import jit
from simon_solver.kernels.state.fields import BELOW_SHIFT, MAX_CARDS
from simon_solver.kernels.state.game import RANKS, UNJOINED_BELOW, Ints
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
    """[column, (run length, top rank, hash half a, hash half b)] facts about each column"""
    facts: Ints
    """[(key half a, key half b, packed runs removed, U)] of the position"""
    moves: Ints
    """[n] listed moves: source | target << 4 | count << 8"""
    child: Ints
    """[column] words of the position made; equal to `columns` between moves"""
    made: Ints
    """[(key half a, key half b, packed runs removed, U, 1 if lifted or removed)] of that one"""
    needs: Ints
    """what `removal` counts"""


RUN, TOP, HASH_A, HASH_B = range(4)
KEY_A, KEY_B, RUNS, UNJOINED, BROKE = range(5)
JOINS, PARTS, SHIFTS = range(3)
"""What a move does to the card on top of its run: that lay on no true parent and gets one; lay on
one before; or got none."""


def new_scratch(columns: int) -> Scratch:
    """Fresh working arrays for that many columns."""
    return Scratch(
        columns=np.zeros(columns, np.int64),
        seen=np.zeros((columns, 4), np.int64),
        facts=np.zeros(4, np.int64),
        moves=np.zeros(max_moves(columns), np.int64),
        child=np.zeros(columns, np.int64),
        made=np.zeros(5, np.int64),
        needs=np.zeros((4, NEEDS_WIDTH), np.int64),
    )


def max_moves(columns: int) -> int:
    """No position has more listed moves: each card heads at most one to each column."""
    return columns * MAX_CARDS


@jit
def look(game, scratch, runs):
    """Fill all facts about `scratch.columns`, of which `runs` have been removed, but U."""
    columns = scratch.columns
    key_a = np.int64(0)
    key_b = np.int64(0)
    for column in range(columns.shape[0]):
        word = columns[column]
        hash_a = mix_a(word)
        hash_b = mix_b(word)
        key_a += hash_a
        key_b += hash_b
        scratch.child[column] = word
        scratch.seen[column, RUN] = run_length(word)
        scratch.seen[column, TOP] = top_rank(word)
        scratch.seen[column, HASH_A] = hash_a
        scratch.seen[column, HASH_B] = hash_b
    scratch.facts[KEY_A] = key_a
    scratch.facts[KEY_B] = key_b
    scratch.facts[RUNS] = runs


@jit
def list_moves(game, scratch):
    """Fill `scratch.moves`; returns their number."""
    columns = scratch.columns
    empty = np.int64(-1)
    for column in range(columns.shape[0]):
        if columns[column] == 0:
            empty = np.int64(column)
            break
    total = np.int64(0)
    for source in range(columns.shape[0]):
        word = columns[source]
        whole = tail_length(word) if word >> BELOW_SHIFT == 0 else np.int64(-1)
        for count in range(1, scratch.seen[source, RUN] + 1):
            parent_rank = scratch.seen[source, TOP] + count
            for target in range(columns.shape[0]):
                if columns[target] == 0:
                    if target != empty or count == whole:
                        continue
                elif scratch.seen[target, TOP] != parent_rank or target == source:
                    continue
                scratch.moves[total] = source | target << 4 | count << 8
                total += 1
    return total


@jit
def make(game, scratch, move):
    """Make a move in `scratch.child` and fill `scratch.made`."""
    source = move & 15
    target = (move >> 4) & 15
    count = move >> 8
    seen = scratch.seen
    word = scratch.columns[source]
    goal = scratch.columns[target]
    left, landed, gone = move_run(game, word, goal, count)
    lifted = left >> BELOW_SHIFT != word >> BELOW_SHIFT
    scratch.child[source] = left
    scratch.child[target] = landed
    made = scratch.made
    made[RUNS] = scratch.facts[RUNS] + gone
    made[BROKE] = lifted or gone != 0
    made[KEY_A] = (
        scratch.facts[KEY_A]
        - seen[source, HASH_A]
        - seen[target, HASH_A]
        + mix_a(left)
        + mix_a(landed)
    )
    made[KEY_B] = (
        scratch.facts[KEY_B]
        - seen[source, HASH_B]
        - seen[target, HASH_B]
        + mix_b(left)
        + mix_b(landed)
    )
    before = column_unjoined(game, word) + column_unjoined(game, goal)
    after = column_unjoined(game, left) + column_unjoined(game, landed)
    made[UNJOINED] = scratch.facts[UNJOINED] + after - before


@jit
def role(scratch, move):
    """What a listed move does to the card on top of its run."""
    word = scratch.columns[move & 15]
    goal = scratch.columns[(move >> 4) & 15]
    if move >> 8 < scratch.seen[move & 15, RUN]:
        return np.int64(PARTS)
    return np.int64(JOINS if goal != 0 and goal & 3 == word & 3 else SHIFTS)


@jit
def column_unjoined(game, word):
    """Cards of a column, below king rank, that do not lie on their true parent."""
    return game.below[word >> BELOW_SHIFT, UNJOINED_BELOW] + tail_unjoined(word, game.info[RANKS])


@jit
def unjoined(game, columns):
    """U of a position: its cards, below king rank, that do not lie on their true parent."""
    total = np.int64(0)
    for column in range(columns.shape[0]):
        total += column_unjoined(game, columns[column])
    return total


@jit
def unmake(scratch, move):
    """Bring `scratch.child` back to the position looked at."""
    source = move & 15
    target = (move >> 4) & 15
    scratch.child[source] = scratch.columns[source]
    scratch.child[target] = scratch.columns[target]
