"""The lift relaxation L0: a position it calls lost cannot be won; the reverse says nothing.

Asked about a number of runs (see `forget`), it says in the same way that so many cannot leave: what
follows is about any line of moves, and only the goal differs.

A bad adjacency is broken at most once and never made, so what is irreversible in a game is the
*lift vector* (how many segments of each column have been lifted off) and the removed runs. L0
forgets how the exposed cards are arranged and plays on those numbers alone, keeping two necessary
conditions.

Exposed are the cards from each column's topmost bad adjacency up. The card above that adjacency,
the *head*, still holds its place; all other exposed cards are *free*. With T[r] free and P[r]
exposed cards of rank r, and C columns without a bad adjacency:

* Every free card lies on an exposed card one rank higher or is the base of one of the C columns. So
  at least T[king] + sum of max(0, T[r] - P[r + 1]) of the C columns have a base, and at most
  E = C - that many can be empty at the same time. E < 0 cannot happen.
* Lifting a head of rank r and suit s needs a place: a free place on a rank r + 1 (T[r] < P[r +
  1]) or one of the E empty columns. The head travels with everything above it, which must be a
  run of suit s at that moment. If that run ends at rank z, its last card is uncovered: either z
  is the ace, or layer z - 1 has a place to spare (T[z - 1] < P[z]), or one more empty column is
  used up by a card that could lie there. The cards of suit s from z to r - 1 must be free.

A suit leaves when all its cards are exposed and all but the king free. For a suit with one copy
this is done at once: it lowers T[r] and P[r + 1] together, exposes more, and no head of that suit
other than the king remains, so no later condition gets harder. With copies both ways are tried.

Source: the "lift vectors" of this project's search notes; the audit over every reachable position
of small decks is in `tests/test_kernel_lifts.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.fields import BELOW_SHIFT, MAX_CARDS, RUN_BITS
from simon_solver.kernels.game import (
    COPIES,
    DEPTH,
    RANKS,
    RUN_SCALE,
    SCALE,
    SEGMENTS,
    START_RUNS,
    Ints,
)
from simon_solver.kernels.words import count_runs

KEY_BITS = 40
FREE_KING = 15
"""In a choice: the run leaves with a king that is free, not with a column's head."""
MAX_CHOICES = 96


class Lifts(NamedTuple):
    """Working arrays of L0, reused from position to position and from game to game."""

    free: Ints
    """[suit, rank] free cards"""
    shown: Ints
    """[suit, rank] exposed cards"""
    free_of_rank: Ints
    """[rank] T"""
    shown_of_rank: Ints
    """[rank] P"""
    lifted: Ints
    """[column] the lift vector"""
    counts: Ints
    """see the names below"""
    played: Ints
    """[n] choices played so far, for taking them back"""
    frame: Ints
    """[depth, (choices played before, memo key, number of choices, next choice)]"""
    choice: Ints
    """[depth, n] the open choices of each frame"""
    memo: Ints
    """[slot] generation, key and answer in one number; old generations count as free slots"""


CLEAR, RUNS, PLAYED, ENTRIES, GENERATION, MOST_RUNS, WANTED, COUNTERS = range(8)
"""Of `counts`: CLEAR: columns C; RUNS: packed runs removed; PLAYED: choices; ENTRIES: of the memo;
MOST_RUNS: most runs removed in any vector that the last search came to; WANTED: the question, how
many runs can leave, 0 for a win."""
MARK, KEY, CHOICES, NEXT = range(4)


def new_lifts(memo_slots: int = 1 << 16) -> Lifts:
    """Fresh working arrays; `memo_slots` is a power of two."""
    depth = MAX_CARDS + 8
    lifts = Lifts(
        free=np.zeros((4, 16), np.int64),
        shown=np.zeros((4, 16), np.int64),
        free_of_rank=np.zeros(16, np.int64),
        shown_of_rank=np.zeros(16, np.int64),
        lifted=np.zeros(16, np.int64),
        counts=np.zeros(COUNTERS, np.int64),
        played=np.zeros(2 * depth, np.int64),
        frame=np.zeros((depth, 4), np.int64),
        choice=np.zeros((depth, MAX_CHOICES), np.int64),
        memo=np.zeros(memo_slots, np.int64),
    )
    forget(lifts)
    return lifts


def forget(lifts: Lifts, wanted: int = 0) -> None:
    """Drop the memo, as every new game and every new question must.

    `wanted`: the question is whether so many runs in all can leave; 0: whether all can.
    """
    lifts.counts[WANTED] = wanted
    lifts.counts[GENERATION] += 1
    lifts.counts[ENTRIES] = 0
    if lifts.counts[GENERATION] >= 1 << (62 - KEY_BITS):
        lifts.memo[:] = 0
        lifts.counts[GENERATION] = 1


@jit
def _slot(lifts, key):
    """The memo slot of a key, or the free slot where it belongs."""
    mask = lifts.memo.shape[0] - 1
    stamp = lifts.counts[GENERATION]
    tag = (stamp << KEY_BITS) | key
    at = ((key * np.int64(0x1E3779B97F4A7C15)) >> 24) & mask
    while True:
        entry = lifts.memo[at]
        if entry >> 1 == tag or entry >> (KEY_BITS + 1) != stamp:
            return at
        at = (at + 1) & mask


@jit
def _recall(lifts, key):
    """1 "may be won", 0 "lost", -1 not known."""
    entry = lifts.memo[_slot(lifts, key)]
    if entry >> (KEY_BITS + 1) != lifts.counts[GENERATION]:
        return np.int64(-1)
    return entry & 1


@jit
def _remember(lifts, key, answer):
    """Keep an answer unless the memo is three quarters full."""
    at = _slot(lifts, key)
    if lifts.memo[at] >> (KEY_BITS + 1) != lifts.counts[GENERATION]:
        if lifts.counts[ENTRIES] * 4 >= lifts.memo.shape[0] * 3:
            return
        lifts.counts[ENTRIES] += 1
    lifts.memo[at] = (((lifts.counts[GENERATION] << KEY_BITS) | key) << 1) | answer


@jit
def _expose(game, lifts, column, sign):
    """Count (or with sign -1 uncount) the segment that shows now in the column."""
    depth = game.column[column, SEGMENTS] - 1 - lifts.lifted[column]
    if depth < 0:
        return
    start = game.segment_start[column, depth]
    for place in range(start, game.segment_start[column, depth + 1]):
        rank = game.card[column, place] & 15
        suit = (game.card[column, place] >> 4) & 3
        lifts.shown_of_rank[rank] += sign
        lifts.shown[suit, rank] += sign
        if place > start or depth == 0:
            lifts.free_of_rank[rank] += sign
            lifts.free[suit, rank] += sign
    if depth == 0:
        lifts.counts[CLEAR] += sign


@jit
def _count_head(game, lifts, column, sign):
    """Count the head of the showing segment as free, or take that back."""
    depth = game.column[column, SEGMENTS] - 1 - lifts.lifted[column]
    place = game.segment_start[column, depth]
    rank = game.card[column, place] & 15
    lifts.free_of_rank[rank] += sign
    lifts.free[(game.card[column, place] >> 4) & 3, rank] += sign


@jit
def _count_run(game, lifts, suit, sign):
    """Take a run of the suit out of all counts (sign -1) or put it back; not the free king."""
    ranks = game.info[RANKS]
    for rank in range(1, ranks + 1):
        lifts.shown[suit, rank] += sign
        lifts.shown_of_rank[rank] += sign
        if rank < ranks:
            lifts.free[suit, rank] += sign
            lifts.free_of_rank[rank] += sign
    lifts.counts[RUNS] -= sign << (RUN_BITS * suit)


@jit
def _play(game, lifts, choice):
    """Play a choice: column, or (suit + 1) * 16 + (column of the king | FREE_KING)."""
    lifts.played[lifts.counts[PLAYED]] = choice
    lifts.counts[PLAYED] += 1
    column = choice & 15
    if choice < 16:
        _count_head(game, lifts, column, np.int64(1))
    else:
        suit = (choice >> 4) - 1
        _count_run(game, lifts, suit, np.int64(-1))
        if column == FREE_KING:
            lifts.free[suit, game.info[RANKS]] -= 1
            lifts.free_of_rank[game.info[RANKS]] -= 1
            return
    lifts.lifted[column] += 1
    _expose(game, lifts, column, np.int64(1))


@jit
def _take_back(game, lifts, mark):
    """Take choices back until only `mark` of them are played."""
    while lifts.counts[PLAYED] > mark:
        lifts.counts[PLAYED] -= 1
        choice = lifts.played[lifts.counts[PLAYED]]
        column = choice & 15
        suit = (choice >> 4) - 1
        if choice >= 16 and column == FREE_KING:
            lifts.free[suit, game.info[RANKS]] += 1
            lifts.free_of_rank[game.info[RANKS]] += 1
            _count_run(game, lifts, suit, np.int64(1))
            continue
        _expose(game, lifts, column, np.int64(-1))
        lifts.lifted[column] -= 1
        if choice < 16:
            _count_head(game, lifts, column, np.int64(-1))
        else:
            _count_run(game, lifts, suit, np.int64(1))


@jit
def _slack(game, lifts):
    """E: how many columns can be empty at the same time at best."""
    ranks = game.info[RANKS]
    based = lifts.free_of_rank[ranks]
    for rank in range(1, ranks):
        based += max(np.int64(0), lifts.free_of_rank[rank] - lifts.shown_of_rank[rank + 1])
    return lifts.counts[CLEAR] - based


@jit
def _can_leave(game, lifts, suit):
    """All cards of a copy of the suit are exposed, and all but the king free."""
    ranks = game.info[RANKS]
    for rank in range(1, ranks):
        if lifts.free[suit, rank] <= 0:
            return False
    return lifts.shown[suit, ranks] > 0


@jit
def _list_removals(game, lifts, suit, out, count):
    """Append the ways in which a run of the suit can leave; returns the new count."""
    if lifts.free[suit, game.info[RANKS]] > 0:
        out[count] = (suit + 1) * 16 + FREE_KING
        count += 1
    for column in range(game.start.shape[0]):
        depth = game.column[column, SEGMENTS] - 1 - lifts.lifted[column]
        if depth > 0:
            place = game.segment_start[column, depth]
            if (game.card[column, place] >> 4) & 3 == suit and game.card[
                column, place
            ] & 15 == game.info[RANKS]:
                out[count] = (suit + 1) * 16 + column
                count += 1
    return count


@jit
def _lift_cost(game, lifts, rank, suit):
    """Empty columns that lifting a head of this rank and suit takes up: 0, 1 or 2."""
    cost = np.int64(0)
    if rank == game.info[RANKS] or lifts.free_of_rank[rank] >= lifts.shown_of_rank[rank + 1]:
        cost += 1
    end = rank
    while end > 1 and lifts.free_of_rank[end - 1] >= lifts.shown_of_rank[end]:
        if lifts.free[suit, end - 1] <= 0:
            return cost + 1
        end -= 1
    return cost


@jit
def _list_lifts(game, lifts, slack, out, count):
    """Append the lifts that the slack allows, cheapest first; returns the new count."""
    first = count
    for column in range(game.start.shape[0]):
        depth = game.column[column, SEGMENTS] - 1 - lifts.lifted[column]
        if depth <= 0:
            continue
        place = game.segment_start[column, depth]
        cost = _lift_cost(
            game, lifts, game.card[column, place] & 15, (game.card[column, place] >> 4) & 3
        )
        if cost > slack:
            continue
        # insertion by cost, then by segments left; the sort key rides in the high bits
        entry = ((cost * 64 + depth) << 8) | column
        at = count
        while at > first and out[at - 1] > entry:
            out[at] = out[at - 1]
            at -= 1
        out[at] = entry
        count += 1
    for at in range(first, count):
        out[at] &= 255
    return count


@jit
def _vector_key(game, lifts):
    """The exact number of the lift vector and the removed runs."""
    columns = game.start.shape[0]
    key = game.info[RUN_SCALE] * lifts.counts[RUNS]
    for column in range(columns):
        key += game.column[column, SCALE] * lifts.lifted[column]
    return key


@jit
def _load(game, lifts, columns, runs):
    """Set the counts to those of a position."""
    lifts.free[:, :] = 0
    lifts.shown[:, :] = 0
    lifts.free_of_rank[:] = 0
    lifts.shown_of_rank[:] = 0
    lifts.counts[CLEAR] = 0
    lifts.counts[RUNS] = 0
    lifts.counts[PLAYED] = 0
    for column in range(game.start.shape[0]):
        lifts.lifted[column] = 0
        if game.column[column, SEGMENTS] == 0:
            lifts.counts[CLEAR] += 1
            continue
        target = (
            game.column[column, SEGMENTS] - 1 - game.below[columns[column] >> BELOW_SHIFT, DEPTH]
        )
        _expose(game, lifts, column, np.int64(1))
        while lifts.lifted[column] < target:
            _count_head(game, lifts, column, np.int64(1))
            lifts.lifted[column] += 1
            _expose(game, lifts, column, np.int64(1))
    for suit in range(4):
        gone = (runs >> (RUN_BITS * suit)) & ((1 << RUN_BITS) - 1)
        for _ in range(gone):
            _count_run(game, lifts, suit, np.int64(-1))
            lifts.free[suit, game.info[RANKS]] -= 1
            lifts.free_of_rank[game.info[RANKS]] -= 1


@jit
def _start_key(game, columns, runs):
    """The number of a position's lift vector and removed runs."""
    count = game.start.shape[0]
    key = game.info[RUN_SCALE] * runs
    for column in range(count):
        if game.column[column, SEGMENTS] > 0:
            lifted = (
                game.column[column, SEGMENTS]
                - 1
                - game.below[columns[column] >> BELOW_SHIFT, DEPTH]
            )
            key += game.column[column, SCALE] * lifted
    return key


@jit
def _leaves_at_once(game, lifts):
    """A suit with a single copy that can leave (see the module's argument), or -1."""
    for suit in range(lifts.free.shape[0]):
        if game.info[COPIES + suit] == 1 and _can_leave(game, lifts, suit):
            return np.int64(suit)
    return np.int64(-1)


@jit
def _list_choices(game, lifts, out):
    """Fill `out` with what can be done in the present vector; returns how many choices."""
    count = np.int64(0)
    slack = _slack(game, lifts)
    if slack < 0:
        return count
    for suit in range(lifts.free.shape[0]):
        if game.info[COPIES + suit] > 1 and _can_leave(game, lifts, suit):
            count = _list_removals(game, lifts, suit, out, count)
    return _list_lifts(game, lifts, slack, out, count)


@entry
def may_be_won(game, lifts, columns, runs):
    """False when L0 proves the position lost, or that WANTED runs in all cannot leave.

    `columns`: words; `runs`: packed runs removed so far, fewer than wanted. The first search after
    `forget` goes through every vector of a lost game, so MOST_RUNS then bounds the runs that can
    leave in any line.
    """
    wanted = lifts.counts[WANTED]
    if wanted == 0:
        wanted = count_runs(game, game.info[START_RUNS])
    root = _start_key(game, columns, runs)
    answer = _recall(lifts, root)
    if answer >= 0:
        return answer == 1
    _load(game, lifts, columns, runs)
    lifts.counts[MOST_RUNS] = 0
    depth = np.int64(0)
    lifts.frame[0, MARK] = 0
    while depth >= 0:
        # a vector just reached: let what leaves at once leave, then ask the memo or list choices
        suit = _leaves_at_once(game, lifts)
        while suit >= 0:
            _list_removals(game, lifts, suit, lifts.choice[depth], np.int64(0))
            _play(game, lifts, lifts.choice[depth, 0])
            suit = _leaves_at_once(game, lifts)
        runs_now = count_runs(game, lifts.counts[RUNS])
        lifts.counts[MOST_RUNS] = max(lifts.counts[MOST_RUNS], runs_now)
        key = _vector_key(game, lifts)
        answer = np.int64(1)
        if runs_now < wanted:
            answer = _recall(lifts, key)
        if answer == 1:
            break
        lifts.frame[depth, KEY] = key
        lifts.frame[depth, CHOICES] = 0
        lifts.frame[depth, NEXT] = 0
        if answer < 0:
            lifts.frame[depth, CHOICES] = _list_choices(game, lifts, lifts.choice[depth])
        # back to the nearest vector with a choice left
        while depth >= 0 and lifts.frame[depth, NEXT] == lifts.frame[depth, CHOICES]:
            _remember(lifts, lifts.frame[depth, KEY], np.int64(0))
            _take_back(game, lifts, lifts.frame[depth, MARK])
            depth -= 1
        if depth >= 0:
            choice = lifts.choice[depth, lifts.frame[depth, NEXT]]
            lifts.frame[depth, NEXT] += 1
            depth += 1
            lifts.frame[depth, MARK] = lifts.counts[PLAYED]
            _play(game, lifts, choice)
    for above in range(depth):
        _remember(lifts, lifts.frame[above, KEY], np.int64(1))
    _remember(lifts, root, np.int64(depth >= 0))
    return depth >= 0
