"""The lift relaxation L0: a position it calls lost cannot be won; the reverse says nothing.

Asked about a number of runs (see `forget`), it says in the same way that so many cannot leave.

L0 forgets how the exposed cards are arranged. It plays on the lift vector (how many segments of
each column have been lifted off) and the removed runs alone, all that is irreversible in a game
[S.1] [S.3]. A lift must find room by the counts of cards [L0.1] [L0.2], a removal needs its cards
[L0.3]; a suit with one copy leaves at once [L0.4]. Hence the answer "lost" is right [L0.5]. The
memo is keyed by an exact number [L0.6]; what it keeps, and what `most_runs` then proves: [L0.7].

Numbers in brackets are statements of `docs/algorithms/`; a bad head is a head for short.

In the code: the lift vector is `Lifts.depth`. T is `SHOWS.free` and P is `SHOWS.shown`, packed
counts with a field for each rank, in a row of `Lifts.frame`. C is `SHOWS.clear`, E is `slack`; a
rank has room for a card if the field of `rooms` says that P[r + 1] exceeds T[r].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.relaxations.memo import (
    Memo,
    forget_all,
    is_full,
    make_room,
    new_memo,
    recall,
    remember,
)
from simon_solver.kernels.state.fields import BELOW_SHIFT, MAX_CARDS, MAX_COLUMNS, RUN_BITS
from simon_solver.kernels.state.task import BELOW, INFO, SHOWS, Ints, Task
from simon_solver.kernels.state.words import count_runs

NO_COUNTS = 2
"""Entries of a row of `Task.shows` that are no counts."""
COLUMN_BITS = 5
FREE_KING = (1 << COLUMN_BITS) - 1
"""In a choice: the run leaves with a king that is free, not with a column's head."""
MAX_CHOICES = 2 * MAX_COLUMNS + 4
"""In a vector: for each column a lift and a removal with its head, for each suit a removal with a
free king."""
MAX_DEPTH = 2 * MAX_CARDS
"""Vectors on a way. Each after the first lifts a head, of which there are fewer than cards, or
removes a run, which has two cards at least: a run of one leaves before a search begins."""


class Lifts(NamedTuple):
    """Working arrays of L0, reused from position to position and from game to game."""

    depth: Ints
    """[column] depth of the segment that shows: the lift vector"""
    counts: Ints
    """[name] see `LIFTS`"""
    played: Ints
    """[n] columns lifted so far, for taking them back; a head is lifted once"""
    frame: Ints
    """[vector, name] the counts of each vector on the way, as in `Task.shows`; then see `_FRAME`"""
    choice: Ints
    """[vector, n] the open choices of each"""
    memo: Memo
    """of vectors and removed runs, by their exact number"""


class _Lifts(NamedTuple):
    """Of `Lifts.counts`."""

    played: int = 0
    """lifts"""
    most_runs: int = 1
    """most runs removed in any vector that the last search came to"""
    wanted: int = 2
    """the question: how many runs can leave, 0 for a win"""


LIFTS = _Lifts()


class _Frame(NamedTuple):
    """Of `Lifts.frame`, after the counts."""

    runs: int = 8
    """packed runs removed"""
    mark: int = 9
    """lifts before it"""
    choices: int = 10
    """how many there are"""
    next: int = 11
    """the next of them"""
    width: int = 12


_FRAME = _Frame()


def new_lifts(memo_slots: int = 1 << 15) -> Lifts:
    """Fresh working arrays; `memo_slots` is a power of two, small enough for a core's cache."""
    arrays = Lifts(
        depth=np.zeros(MAX_COLUMNS, np.int64),
        counts=np.zeros(len(LIFTS), np.int64),
        played=np.zeros(MAX_CARDS, np.int64),
        frame=np.zeros((MAX_DEPTH, _FRAME.width), np.int64),
        choice=np.zeros((MAX_DEPTH, MAX_CHOICES), np.int64),
        memo=new_memo(memo_slots),
    )
    lifts = lasting(arrays)
    forget(lifts)
    return lifts


def forget(lifts: Lifts, wanted: int = 0) -> None:
    """Drop the memo, as every new game and every new question must.

    `wanted`: the question is whether so many runs in all can leave; 0: whether all can.
    """
    lifts.counts[LIFTS.wanted] = wanted
    forget_all(lifts.memo)


@internal
def _recall(lifts: Lifts, key: int) -> int:
    """1 "may be won", 0 "lost", -1 not known."""
    return recall(lifts.memo, _mixed(key), key)


@internal
def _remember(lifts: Lifts, key: int, answer: int) -> None:
    """Keep an answer unless the memo is full."""
    remember(lifts.memo, _mixed(key), key, answer)


@internal
def _mixed(key: int) -> int:
    """Where the memo looks for a vector first: its number alone differs too little in low bits."""
    return (key * int64(0x1E3779B97F4A7C15)) >> 24


@internal
def _count(task: Task, lifts: Lifts, at: int, column: int, depth: int, sign: int) -> None:
    """Add to a vector's counts what the column counts when it shows this depth, or take it off."""
    for name in range(task.shows.shape[2] - NO_COUNTS):
        lifts.frame[at, name] += sign * task.shows[column, depth, name]


@internal
def _lift(task: Task, lifts: Lifts, at: int, column: int) -> None:
    """Lift the head that shows in the column."""
    depth = lifts.depth[column]
    _count(task, lifts, at, column, depth, int64(-1))
    _count(task, lifts, at, column, depth - 1, int64(1))
    lifts.depth[column] = depth - 1
    lifts.played[lifts.counts[LIFTS.played]] = column
    lifts.counts[LIFTS.played] += 1


@internal
def _remove_run(task: Task, lifts: Lifts, at: int, suit: int) -> None:
    """Take a run of the suit, whose king is free, out of all counts."""
    run = task.info[INFO.below_king] | int64(1) << task.info[INFO.rank_bits] * task.info[INFO.ranks]
    lifts.frame[at, SHOWS.free] -= run
    lifts.frame[at, SHOWS.shown] -= run
    lifts.frame[at, SHOWS.free_of_suit + suit] -= run + 1
    lifts.frame[at, _FRAME.runs] += int64(1) << (RUN_BITS * suit)
    lifts.frame[at, SHOWS.vector] += task.info[INFO.run_scale] << (RUN_BITS * suit)


@internal
def _play(task: Task, lifts: Lifts, at: int, choice: int) -> None:
    """Play a choice: column, or suit + 1 << COLUMN_BITS | (column of the king, FREE_KING)."""
    column = choice & FREE_KING
    if column != FREE_KING:
        _lift(task, lifts, at, column)
    suit = (choice >> COLUMN_BITS) - 1
    if suit >= 0:
        _remove_run(task, lifts, at, suit)


@internal
def _take_back(lifts: Lifts, mark: int) -> None:
    """Take lifts back until only `mark` of them are played."""
    while lifts.counts[LIFTS.played] > mark:
        lifts.counts[LIFTS.played] -= 1
        lifts.depth[lifts.played[lifts.counts[LIFTS.played]]] += 1


@internal
def _rooms(task: Task, frame: Ints) -> int:
    """For each rank below the king, how many cards one rank higher it has more than free cards.

    Packed, with the highest bit of each field for 0.
    """
    bits = task.info[INFO.rank_bits]
    ones = task.info[INFO.below_king]
    fields = (ones << bits) - ones
    return ((frame[SHOWS.shown] >> bits & fields) | ones << (bits - 1)) - (
        frame[SHOWS.free] & fields
    )


@internal
def _slack(task: Task, frame: Ints, rooms: int) -> int:
    """E: how many columns can be empty at the same time at best [L0.1]."""
    bits = task.info[INFO.rank_bits]
    half = int64(1) << (bits - 1)
    slack = frame[SHOWS.clear] - (frame[SHOWS.free] >> bits * task.info[INFO.ranks])
    lacking = ~rooms & task.info[INFO.below_king] << (bits - 1)
    if lacking:
        for rank in range(1, task.info[INFO.ranks]):
            slack -= max(int64(0), half - (rooms >> bits * rank & (2 * half - 1)))
    return slack


@internal
def _free_ranks(task: Task, frame: Ints, suit: int) -> int:
    """Ranks below the king of which the suit has a free card: the highest bit of each field."""
    bits = task.info[INFO.rank_bits]
    ones = task.info[INFO.below_king]
    high = ones << (bits - 1)
    return (frame[SHOWS.free_of_suit + suit] & (ones << bits) - ones) + (high - ones) & high


@internal
def _can_leave(task: Task, frame: Ints, suit: int) -> bool:
    """All cards of a copy of the suit are exposed, and all but the king free [L0.3]."""
    bits = task.info[INFO.rank_bits]
    if frame[SHOWS.free_of_suit + suit] & (int64(1) << bits) - 1 == 0:
        return False
    return _free_ranks(task, frame, suit) == task.info[INFO.below_king] << (bits - 1)


@internal
def _list_removals(task: Task, lifts: Lifts, at: int, suit: int, count: int) -> int:
    """Append the ways in which a run of the suit can leave; returns the new count."""
    king = task.info[INFO.ranks] | suit << 4
    if (
        lifts.frame[at, SHOWS.free_of_suit + suit]
        >> task.info[INFO.rank_bits] * task.info[INFO.ranks]
        > 0
    ):
        lifts.choice[at, count] = (suit + 1) << COLUMN_BITS | FREE_KING
        count += 1
    for column in range(task.start.shape[0]):
        depth = lifts.depth[column]
        if depth > 0 and task.shows[column, depth, SHOWS.head] == king:
            lifts.choice[at, count] = (suit + 1) << COLUMN_BITS | column
            count += 1
    return count


@internal
def _lift_cost(task: Task, frame: Ints, roomy: int, head: int) -> int:
    """Empty columns that lifting a head (rank | suit << 4) takes up: 0, 1 or 2 [L0.2].

    `roomy`: the highest bit of the field of each rank with room on the next.
    """
    bits = task.info[INFO.rank_bits]
    place = int64(1) << bits * (head & 15)
    cost = int64(roomy & place << (bits - 1) == 0)
    # The run goes down to the first rank with room, so no rank before that may lack a free card.
    barred = ~(roomy | _free_ranks(task, frame, head >> 4)) & task.info[INFO.below_king] << (
        bits - 1
    )
    return cost + int64(barred & place - 1 > roomy & place - 1)


@internal
def _list_lifts(task: Task, lifts: Lifts, at: int, rooms: int, slack: int, count: int) -> int:
    """Append the lifts that the slack allows, cheapest first; returns the new count."""
    first = count
    ones = task.info[INFO.below_king]
    roomy = rooms - ones & ones << (task.info[INFO.rank_bits] - 1)
    out = lifts.choice[at]
    for column in range(task.start.shape[0]):
        depth = lifts.depth[column]
        if depth == 0:
            continue
        cost = _lift_cost(task, lifts.frame[at], roomy, task.shows[column, depth, SHOWS.head])
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


@internal
def _load(task: Task, lifts: Lifts, columns: Ints, runs: int) -> None:
    """Set the first vector to that of a position."""
    lifts.counts[LIFTS.played] = 0
    lifts.frame[0, :] = 0
    for column in range(task.start.shape[0]):
        depth = task.below[columns[column] >> BELOW_SHIFT, BELOW.depth]
        lifts.depth[column] = depth
        _count(task, lifts, int64(0), int64(column), depth, int64(1))
    for suit in range(task.info.shape[0] - INFO.first_card):
        for _ in range((runs >> (RUN_BITS * suit)) & ((1 << RUN_BITS) - 1)):
            _remove_run(task, lifts, int64(0), int64(suit))


@internal
def _start_key(task: Task, columns: Ints, runs: int) -> int:
    """The number of a position's lift vector and removed runs."""
    key = task.info[INFO.run_scale] * runs
    for column in range(task.start.shape[0]):
        depth = task.below[columns[column] >> BELOW_SHIFT, BELOW.depth]
        key += task.shows[column, depth, SHOWS.vector]
    return key


@internal
def _leaves_at_once(task: Task, frame: Ints) -> int:
    """A suit with a single copy that can leave [L0.4], or -1."""
    for suit in range(task.info.shape[0] - INFO.first_card):
        if task.info[INFO.copies + suit] == 1 and _can_leave(task, frame, suit):
            return int64(suit)
    return int64(-1)


@internal
def _list_choices(task: Task, lifts: Lifts, at: int) -> int:
    """List what can be done in a vector; returns how many choices."""
    count = int64(0)
    frame = lifts.frame[at]
    rooms = _rooms(task, frame)
    slack = _slack(task, frame, rooms)
    if slack < 0:
        return count
    for suit in range(task.info.shape[0] - INFO.first_card):
        if task.info[INFO.copies + suit] > 1 and _can_leave(task, frame, suit):
            count = _list_removals(task, lifts, at, int64(suit), count)
    return _list_lifts(task, lifts, at, rooms, slack, count)


@entry
def start_may_be_won(task: Task, lifts: Lifts) -> bool:
    """What `may_be_won` says of the start, where no run has left."""
    return may_be_won(task, lifts, task.start, int64(0))


@entry
def may_be_won(task: Task, lifts: Lifts, columns: Ints, runs: int) -> bool:
    """False when L0 proves the position lost, or that `wanted` runs in all cannot leave.

    `columns`: words; `runs`: packed runs removed so far, fewer than wanted. The first search after
    `forget` goes through every vector of a lost game, so `most_runs` then bounds the runs that can
    leave in any line. Without room in the memo a search could take exponential time, so a question
    begins with half of it at least, and ends with "may be won" when it is full.
    """
    make_room(lifts.memo)
    wanted = lifts.counts[LIFTS.wanted]
    if wanted == 0:
        wanted = count_runs(task, task.info[INFO.start_runs])
    root = _start_key(task, columns, runs)
    answer = _recall(lifts, root)
    if answer >= 0:
        return answer == 1
    _load(task, lifts, columns, runs)
    lifts.counts[LIFTS.most_runs] = 0
    at = int64(0)
    while at >= 0:
        # a vector just reached: let what leaves at once leave, then ask the memo or list choices
        suit = _leaves_at_once(task, lifts.frame[at])
        while suit >= 0:
            _list_removals(task, lifts, at, suit, int64(0))
            _play(task, lifts, at, lifts.choice[at, 0])
            suit = _leaves_at_once(task, lifts.frame[at])
        runs_now = count_runs(task, lifts.frame[at, _FRAME.runs])
        lifts.counts[LIFTS.most_runs] = max(lifts.counts[LIFTS.most_runs], runs_now)
        answer = int64(1)
        if runs_now < wanted:
            answer = _recall(lifts, lifts.frame[at, SHOWS.vector])
        if answer == 1 or (answer < 0 and is_full(lifts.memo)):
            break
        lifts.frame[at, _FRAME.choices] = 0
        lifts.frame[at, _FRAME.next] = 0
        if answer < 0:
            lifts.frame[at, _FRAME.choices] = _list_choices(task, lifts, at)
        # back to the nearest vector with a choice left
        while at >= 0 and lifts.frame[at, _FRAME.next] == lifts.frame[at, _FRAME.choices]:
            _remember(lifts, lifts.frame[at, SHOWS.vector], int64(0))
            _take_back(lifts, lifts.frame[at, _FRAME.mark])
            at -= 1
        if at >= 0:
            choice = lifts.choice[at, lifts.frame[at, _FRAME.next]]
            lifts.frame[at, _FRAME.next] += 1
            for name in range(lifts.frame.shape[1]):
                lifts.frame[at + 1, name] = lifts.frame[at, name]
            at += 1
            lifts.frame[at, _FRAME.mark] = lifts.counts[LIFTS.played]
            _play(task, lifts, at, choice)
    for above in range(at):
        _remember(lifts, lifts.frame[above, SHOWS.vector], int64(1))
    _remember(lifts, root, int64(at >= 0))
    return at >= 0
