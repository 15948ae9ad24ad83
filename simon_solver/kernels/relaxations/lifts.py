"""The lift relaxation L0: a position it calls lost cannot be won; the reverse says nothing.

Asked about a number of runs (see `forget`), it says in the same way that so many cannot leave.

L0 forgets how the exposed cards are arranged. It plays on the lift vector (how many segments of
each column have been lifted off) and the removed runs alone, all that is irreversible in a game
[S.1] [S.3]. A lift must find room by the counts of cards [L0.1] [L0.2], a removal needs its cards
[L0.3]; a suit with one copy leaves at once [L0.4]. Hence the answer "lost" is right [L0.5]. The
memo is keyed by an exact number [L0.6]; what it keeps, and what MOST_RUNS then proves: [L0.7].

Numbers in brackets are statements of `docs/algorithms.md`. Its symbols here: T is FREE, P is SHOWN,
C is CLEAR, E is the slack, P[r + 1] - T[r] the rooms; a bad head is a head for short.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.state.fields import BELOW_SHIFT, MAX_CARDS, MAX_COLUMNS, RUN_BITS
from simon_solver.kernels.state.game import (
    BELOW_KING,
    CLEAR,
    COPIES,
    DEPTH,
    FIRST,
    FREE,
    FREE_OF_SUIT,
    HEAD,
    RANKS,
    RUN_SCALE,
    SHOWN,
    START_RUNS,
    VECTOR,
    WIDTH,
    WORD,
    Ints,
)
from simon_solver.kernels.state.words import count_runs

KEY_BITS = 40
NO_COUNTS = WORD + 1 - HEAD
COLUMN_BITS = 5
FREE_KING = (1 << COLUMN_BITS) - 1
"""In a choice: the run leaves with a king that is free, not with a column's head."""
MAX_CHOICES = 96


class Lifts(NamedTuple):
    """Working arrays of L0, reused from position to position and from game to game."""

    depth: Ints
    """[column] depth of the segment that shows: the lift vector"""
    counts: Ints
    """see the names below"""
    played: Ints
    """[n] columns lifted so far, for taking them back"""
    frame: Ints
    """[vector, name] the counts of each vector on the way, as in `Game.shows`, and its choices"""
    choice: Ints
    """[vector, n] the open choices of each"""
    memo: Ints
    """[slot] generation, key and answer in one number; old generations count as free slots"""


PLAYED, ENTRIES, GENERATION, MOST_RUNS, WANTED, COUNTERS = range(6)
"""Of `counts`: PLAYED: lifts; ENTRIES: of the memo; MOST_RUNS: most runs removed in any vector that
the last search came to; WANTED: the question, how many runs can leave, 0 for a win."""
RUNS, MARK, CHOICES, NEXT = HEAD, HEAD + 1, HEAD + 2, HEAD + 3
"""Of `frame`, after the counts: packed runs removed, lifts before it, number of choices, next."""


def new_lifts(memo_slots: int = 1 << 16) -> Lifts:
    """Fresh working arrays; `memo_slots` is a power of two."""
    depth = MAX_CARDS + 8
    lifts = Lifts(
        depth=np.zeros(MAX_COLUMNS, np.int64),
        counts=np.zeros(COUNTERS, np.int64),
        played=np.zeros(2 * depth, np.int64),
        frame=np.zeros((depth, NEXT + 1), np.int64),
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
def _is_full(lifts):
    """The memo is three quarters full, beyond which probing gets slow."""
    return lifts.counts[ENTRIES] * 4 >= lifts.memo.shape[0] * 3


@jit
def _remember(lifts, key, answer):
    """Keep an answer unless the memo is full."""
    at = _slot(lifts, key)
    if lifts.memo[at] >> (KEY_BITS + 1) != lifts.counts[GENERATION]:
        if _is_full(lifts):
            return
        lifts.counts[ENTRIES] += 1
    lifts.memo[at] = (((lifts.counts[GENERATION] << KEY_BITS) | key) << 1) | answer


@jit
def _count(game, lifts, at, column, depth, sign):
    """Add to a vector's counts what the column counts when it shows this depth, or take it off."""
    for name in range(game.shows.shape[2] - NO_COUNTS):
        lifts.frame[at, name] += sign * game.shows[column, depth, name]


@jit
def _lift(game, lifts, at, column):
    """Lift the head that shows in the column."""
    depth = lifts.depth[column]
    _count(game, lifts, at, column, depth, np.int64(-1))
    _count(game, lifts, at, column, depth - 1, np.int64(1))
    lifts.depth[column] = depth - 1
    lifts.played[lifts.counts[PLAYED]] = column
    lifts.counts[PLAYED] += 1


@jit
def _remove_run(game, lifts, at, suit):
    """Take a run of the suit, whose king is free, out of all counts."""
    run = game.info[BELOW_KING] | np.int64(1) << game.info[WIDTH] * game.info[RANKS]
    lifts.frame[at, FREE] -= run
    lifts.frame[at, SHOWN] -= run
    lifts.frame[at, FREE_OF_SUIT + suit] -= run + 1
    lifts.frame[at, RUNS] += np.int64(1) << (RUN_BITS * suit)
    lifts.frame[at, VECTOR] += game.info[RUN_SCALE] << (RUN_BITS * suit)


@jit
def _play(game, lifts, at, choice):
    """Play a choice: column, or suit + 1 << COLUMN_BITS | (column of the king, FREE_KING)."""
    column = choice & FREE_KING
    if column != FREE_KING:
        _lift(game, lifts, at, column)
    suit = (choice >> COLUMN_BITS) - 1
    if suit >= 0:
        _remove_run(game, lifts, at, suit)


@jit
def _take_back(lifts, mark):
    """Take lifts back until only `mark` of them are played."""
    while lifts.counts[PLAYED] > mark:
        lifts.counts[PLAYED] -= 1
        lifts.depth[lifts.played[lifts.counts[PLAYED]]] += 1


@jit
def _rooms(game, frame):
    """For each rank below the king, how many cards one rank higher it has more than free cards.

    Packed, with the highest bit of each field for 0.
    """
    bits = game.info[WIDTH]
    ones = game.info[BELOW_KING]
    fields = (ones << bits) - ones
    return ((frame[SHOWN] >> bits & fields) | ones << (bits - 1)) - (frame[FREE] & fields)


@jit
def _slack(game, frame, rooms):
    """E: how many columns can be empty at the same time at best [L0.1]."""
    bits = game.info[WIDTH]
    half = np.int64(1) << (bits - 1)
    slack = frame[CLEAR] - (frame[FREE] >> bits * game.info[RANKS])
    lacking = ~rooms & game.info[BELOW_KING] << (bits - 1)
    if lacking:
        for rank in range(1, game.info[RANKS]):
            slack -= max(np.int64(0), half - (rooms >> bits * rank & (2 * half - 1)))
    return slack


@jit
def _free_ranks(game, frame, suit):
    """Ranks below the king of which the suit has a free card: the highest bit of each field."""
    bits = game.info[WIDTH]
    ones = game.info[BELOW_KING]
    high = ones << (bits - 1)
    return (frame[FREE_OF_SUIT + suit] & (ones << bits) - ones) + (high - ones) & high


@jit
def _can_leave(game, frame, suit):
    """All cards of a copy of the suit are exposed, and all but the king free [L0.3]."""
    bits = game.info[WIDTH]
    if frame[FREE_OF_SUIT + suit] & (np.int64(1) << bits) - 1 == 0:
        return False
    return _free_ranks(game, frame, suit) == game.info[BELOW_KING] << (bits - 1)


@jit
def _list_removals(game, lifts, at, suit, count):
    """Append the ways in which a run of the suit can leave; returns the new count."""
    king = game.info[RANKS] | suit << 4
    if lifts.frame[at, FREE_OF_SUIT + suit] >> game.info[WIDTH] * game.info[RANKS] > 0:
        lifts.choice[at, count] = (suit + 1) << COLUMN_BITS | FREE_KING
        count += 1
    for column in range(game.start.shape[0]):
        depth = lifts.depth[column]
        if depth > 0 and game.shows[column, depth, HEAD] == king:
            lifts.choice[at, count] = (suit + 1) << COLUMN_BITS | column
            count += 1
    return count


@jit
def _lift_cost(game, frame, roomy, head):
    """Empty columns that lifting a head (rank | suit << 4) takes up: 0, 1 or 2 [L0.2].

    `roomy`: the highest bit of the field of each rank with room on the next.
    """
    bits = game.info[WIDTH]
    place = np.int64(1) << bits * (head & 15)
    cost = np.int64(roomy & place << (bits - 1) == 0)
    # The run goes down to the first rank with room, so no rank before that may lack a free card.
    barred = ~(roomy | _free_ranks(game, frame, head >> 4)) & game.info[BELOW_KING] << (bits - 1)
    return cost + np.int64(barred & place - 1 > roomy & place - 1)


@jit
def _list_lifts(game, lifts, at, rooms, slack, count):
    """Append the lifts that the slack allows, cheapest first; returns the new count."""
    first = count
    ones = game.info[BELOW_KING]
    roomy = rooms - ones & ones << (game.info[WIDTH] - 1)
    out = lifts.choice[at]
    for column in range(game.start.shape[0]):
        depth = lifts.depth[column]
        if depth == 0:
            continue
        cost = _lift_cost(game, lifts.frame[at], roomy, game.shows[column, depth, HEAD])
        if cost > slack:
            continue
        # insertion by cost, then by segments left; the sort key rides in the high bits
        entry = ((cost * 64 + depth) << 8) | column
        place = count
        while place > first and out[place - 1] > entry:
            out[place] = out[place - 1]
            place -= 1
        out[place] = entry
        count += 1
    for place in range(first, count):
        out[place] &= 255
    return count


@jit
def _load(game, lifts, columns, runs):
    """Set the first vector to that of a position."""
    lifts.counts[PLAYED] = 0
    lifts.frame[0, :] = 0
    for column in range(game.start.shape[0]):
        depth = game.below[columns[column] >> BELOW_SHIFT, DEPTH]
        lifts.depth[column] = depth
        _count(game, lifts, np.int64(0), np.int64(column), depth, np.int64(1))
    for suit in range(game.info.shape[0] - FIRST):
        for _ in range((runs >> (RUN_BITS * suit)) & ((1 << RUN_BITS) - 1)):
            _remove_run(game, lifts, np.int64(0), np.int64(suit))


@jit
def _start_key(game, columns, runs):
    """The number of a position's lift vector and removed runs."""
    key = game.info[RUN_SCALE] * runs
    for column in range(game.start.shape[0]):
        depth = game.below[columns[column] >> BELOW_SHIFT, DEPTH]
        key += game.shows[column, depth, VECTOR]
    return key


@jit
def _leaves_at_once(game, frame):
    """A suit with a single copy that can leave [L0.4], or -1."""
    for suit in range(game.info.shape[0] - FIRST):
        if game.info[COPIES + suit] == 1 and _can_leave(game, frame, suit):
            return np.int64(suit)
    return np.int64(-1)


@jit
def _list_choices(game, lifts, at):
    """List what can be done in a vector; returns how many choices."""
    count = np.int64(0)
    frame = lifts.frame[at]
    rooms = _rooms(game, frame)
    slack = _slack(game, frame, rooms)
    if slack < 0:
        return count
    for suit in range(game.info.shape[0] - FIRST):
        if game.info[COPIES + suit] > 1 and _can_leave(game, frame, suit):
            count = _list_removals(game, lifts, at, np.int64(suit), count)
    return _list_lifts(game, lifts, at, rooms, slack, count)


@entry
def may_be_won(game, lifts, columns, runs):
    """False when L0 proves the position lost, or that WANTED runs in all cannot leave.

    `columns`: words; `runs`: packed runs removed so far, fewer than wanted. The first search after
    `forget` goes through every vector of a lost game, so MOST_RUNS then bounds the runs that can
    leave in any line. Without room in the memo a search could take exponential time, so a question
    begins with half of it at least, and ends with "may be won" when it is full.
    """
    if lifts.counts[ENTRIES] * 2 >= lifts.memo.shape[0]:
        lifts.memo[:] = 0
        lifts.counts[ENTRIES] = 0
    wanted = lifts.counts[WANTED]
    if wanted == 0:
        wanted = count_runs(game, game.info[START_RUNS])
    root = _start_key(game, columns, runs)
    answer = _recall(lifts, root)
    if answer >= 0:
        return answer == 1
    _load(game, lifts, columns, runs)
    lifts.counts[MOST_RUNS] = 0
    at = np.int64(0)
    while at >= 0:
        # a vector just reached: let what leaves at once leave, then ask the memo or list choices
        suit = _leaves_at_once(game, lifts.frame[at])
        while suit >= 0:
            _list_removals(game, lifts, at, suit, np.int64(0))
            _play(game, lifts, at, lifts.choice[at, 0])
            suit = _leaves_at_once(game, lifts.frame[at])
        runs_now = count_runs(game, lifts.frame[at, RUNS])
        lifts.counts[MOST_RUNS] = max(lifts.counts[MOST_RUNS], runs_now)
        answer = np.int64(1)
        if runs_now < wanted:
            answer = _recall(lifts, lifts.frame[at, VECTOR])
        if answer == 1 or (answer < 0 and _is_full(lifts)):
            break
        lifts.frame[at, CHOICES] = 0
        lifts.frame[at, NEXT] = 0
        if answer < 0:
            lifts.frame[at, CHOICES] = _list_choices(game, lifts, at)
        # back to the nearest vector with a choice left
        while at >= 0 and lifts.frame[at, NEXT] == lifts.frame[at, CHOICES]:
            _remember(lifts, lifts.frame[at, VECTOR], np.int64(0))
            _take_back(lifts, lifts.frame[at, MARK])
            at -= 1
        if at >= 0:
            choice = lifts.choice[at, lifts.frame[at, NEXT]]
            lifts.frame[at, NEXT] += 1
            for name in range(lifts.frame.shape[1]):
                lifts.frame[at + 1, name] = lifts.frame[at, name]
            at += 1
            lifts.frame[at, MARK] = lifts.counts[PLAYED]
            _play(game, lifts, at, choice)
    for above in range(at):
        _remember(lifts, lifts.frame[above, VECTOR], np.int64(1))
    _remember(lifts, root, np.int64(at >= 0))
    return at >= 0
