"""The constant tables of one starting position, which every kernel reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.state import fields

Ints = npt.NDArray[np.int64]
ColumnCards = Sequence[tuple[int, int]]
"""A column, base first: (rank 1..13, suit 0..3) of each card."""


class Task(NamedTuple):
    """Tables of one starting position. "Below" numbers name untouched lower parts of columns.

    A *segment* is a maximal stretch of a starting column without a bad adjacency; column i has
    `segments[i]` of them, counted by depth: 0 is the base segment. What lies below a tail is always
    some whole segments of its own column, so their number is the *depth* of the tail.

    Kernels get this tuple in every call, and each array in it costs compile time in each of them,
    so the tables are merged into few.
    """

    info: Ints
    """[name] see `INFO`"""
    start: Ints
    """[column] words at the start"""
    column: Ints
    """[column, name] see `COLUMN`"""
    segment_start: Ints
    """[column, depth] index of a segment's first card, and one past the last segment's end"""
    card: Ints
    """[column, index from the base] rank | suit << 4 | misplaced << MISPLACED_SHIFT of the
    starting cards; misplaced: 1 for a card that is not on its true parent and no king at the
    base"""
    below: Ints
    """[below, name] see `BELOW`"""
    shows: Ints
    """[column, depth, name] what L0 counts in a column that shows the segment at this depth; see
    `lifts`"""


class _Info(NamedTuple):
    """Of `Task.info`."""

    ranks: int = 0
    """of the deck"""
    start_runs: int = 1
    """packed runs that must leave to win"""
    run_scale: int = 2
    """their weight in the exact number of a lift vector"""
    rank_bits: int = 3
    """bits of a rank's field in packed counts"""
    below_king: int = 4
    """the packed count of one card of each rank but the highest"""
    copies: int = 5
    """+ suit: complete runs of the suit"""
    first_card: int = 9
    """+ suit: cards of the suits before it, as `waiting` numbers cards"""


INFO = _Info()


class _Column(NamedTuple):
    """Of `Task.column`."""

    segments: int = 0
    """how many the column has"""
    scale: int = 1
    """weight of its lifts in a lift vector's exact number"""


COLUMN = _Column()


class _Below(NamedTuple):
    """Of `Task.below`."""

    uncovered: int = 0
    """the word that shows when the tail above is gone, complete runs taken off"""
    uncovered_runs: int = 1
    """those runs, packed"""
    depth: int = 2
    """segments below the tail"""
    unjoined: int = 3
    """cards in there, below king rank, that do not lie on their true parent"""


BELOW = _Below()


class _Shows(NamedTuple):
    """Of `Task.shows`. Packed counts have a field for each rank, the ace's second."""

    free: int = 0
    """packed count of the free cards"""
    shown: int = 1
    """packed count of the exposed cards"""
    free_of_suit: int = 2
    """+ suit: packed count of its free cards; in the lowest field its exposed kings"""
    clear: int = 6
    """1 if the segment is the base"""
    vector: int = 7
    """what the column adds to the number of the lift vector"""
    head: int = 8
    """no count: rank | suit << 4 of the segment's first card"""
    word: int = 9
    """no count: the column's word when it ends with this segment, untouched"""


SHOWS = _Shows()

MISPLACED_SHIFT = 6
TYPE_MASK = (1 << MISPLACED_SHIFT) - 1
"""A card's *type* is rank | suit << 4."""


def new_task(columns: int, width: int, cards: int) -> Task:
    """Empty tables for so many columns of up to `width` cards, `cards` in all."""
    task = Task(
        info=np.zeros(INFO.first_card + 4, np.int64),
        start=np.zeros(columns, np.int64),
        column=np.zeros((columns, 2), np.int64),
        segment_start=np.zeros((columns, width + 1), np.int64),
        card=np.zeros((columns, width), np.int64),
        below=np.zeros((cards + 1, 4), np.int64),
        shows=np.zeros((columns, width + 1, SHOWS.word + 1), np.int64),
    )
    return lasting(task)


def build_task(columns: Sequence[ColumnCards], ranks: int) -> Task:
    """The tables for a position without complete runs at column ends.

    Raises:
        ValueError: more columns, cards, ranks or copies than the kernels' fields hold.
    """
    _check_size(columns, ranks)
    task = new_task(len(columns), max(1, *map(len, columns)), sum(map(len, columns)))
    task.info[INFO.ranks] = ranks
    for index, column in enumerate(columns):
        task.card[index, : len(column)] = [rank | suit << 4 for rank, suit in column]
    fill(task)
    return task


def _check_size(columns: Sequence[ColumnCards], ranks: int) -> None:
    """Make sure that every field of the kernels is wide enough.

    Raises:
        ValueError: one is not.
    """
    suits = Counter(suit for column in columns for _, suit in column)
    checks = (
        ("columns", len(columns), fields.MAX_COLUMNS),
        ("cards", suits.total(), fields.MAX_CARDS),
        ("ranks", ranks, fields.MAX_RANKS),
        ("copies of a suit", max(suits.values(), default=0) // ranks, fields.MAX_COPIES),
    )
    for what, count, limit in checks:
        if count > limit:
            raise ValueError(f"the search holds at most {limit} {what}, got {count}")


@entry
def fill(task: Task) -> None:
    """Fill the tables from `info[INFO.ranks]` and the types in `card`, where a 0 ends a column."""
    for suit in range(task.info.shape[0] - INFO.first_card):
        task.info[INFO.copies + suit] = 0
    for column in range(task.start.shape[0]):
        _cut(task, column)
    _fill_info(task)
    belows = int64(1)
    for column in range(task.start.shape[0]):
        task.start[column] = 0
        for name in range(task.shows.shape[2]):
            task.shows[column, 0, name] = int64(name == SHOWS.clear)
        for depth in range(task.column[column, COLUMN.segments]):
            number = int64(0)
            if depth > 0:
                number = _number_below(task, column, depth)
                if number == 0:
                    number = belows
                    belows += 1
            _fill_shows(task, column, depth, number)
            if depth > 0:
                _fill_below(task, column, depth, number)
            task.start[column] = task.shows[column, depth, SHOWS.word]


@internal
def _cut(task: Task, column: int) -> None:
    """Find a column's segments, mark its misplaced cards, count its cards by suit."""
    ranks = task.info[INFO.ranks]
    segments = int64(0)
    size = int64(0)
    while size < task.card.shape[1] and task.card[column, size] != 0:
        card = task.card[column, size] & TYPE_MASK
        parent = task.card[column, size - 1] & TYPE_MASK if size > 0 else int64(0)
        if size == 0 or parent & 15 != (card & 15) + 1:
            task.segment_start[column, segments] = size
            segments += 1
        misplaced = parent != card + 1 and (size > 0 or card & 15 < ranks)
        task.card[column, size] = card | int64(misplaced) << MISPLACED_SHIFT
        task.info[INFO.copies + (card >> 4)] += 1
        size += 1
    task.segment_start[column, segments] = size
    task.column[column, COLUMN.segments] = segments


@internal
def _fill_info(task: Task) -> None:
    """Fill what is known of the whole position once its columns are cut."""
    ranks = task.info[INFO.ranks]
    scale = int64(1)
    for column in range(task.start.shape[0]):
        task.column[column, COLUMN.scale] = scale
        scale *= max(int64(1), task.column[column, COLUMN.segments])
    task.info[INFO.run_scale] = scale
    task.info[INFO.start_runs] = 0
    cards = int64(0)
    for suit in range(task.info.shape[0] - INFO.first_card):
        task.info[INFO.first_card + suit] = cards
        cards += task.info[INFO.copies + suit]
        task.info[INFO.copies + suit] //= ranks
        task.info[INFO.start_runs] += task.info[INFO.copies + suit] << (fields.RUN_BITS * suit)
    bits = int64(1)  # one to spare, so that no sum or difference overflows
    while cards // ranks >> (bits - 1):
        bits += 1
    task.info[INFO.rank_bits] = bits
    task.info[INFO.below_king] = 0
    for rank in range(1, ranks):
        task.info[INFO.below_king] |= int64(1) << bits * rank


@internal
def _number_below(task: Task, column: int, depth: int) -> int:
    """The number of what lies below the segment, if an earlier column has the same, else 0."""
    size = task.segment_start[column, depth]
    for other in range(column):
        for level in range(1, task.column[other, COLUMN.segments]):
            if task.segment_start[other, level] != size:
                continue
            place = int64(0)
            while place < size and task.card[other, place] == task.card[column, place]:
                place += 1
            if place == size:
                return task.shows[other, level, SHOWS.word] >> fields.BELOW_SHIFT
    return int64(0)


@internal
def _fill_shows(task: Task, column: int, depth: int, number: int) -> None:
    """Fill a row of `shows`; `number`: of what lies below."""
    ranks = task.info[INFO.ranks]
    start = task.segment_start[column, depth]
    for name in range(task.shows.shape[2]):
        task.shows[column, depth, name] = 0
    shows = task.shows[column, depth]
    shows[SHOWS.clear] = int64(depth == 0)
    shows[SHOWS.vector] = task.column[column, COLUMN.scale] * (
        task.column[column, COLUMN.segments] - 1 - depth
    )
    shows[SHOWS.head] = task.card[column, start] & TYPE_MASK
    for place in range(start, task.segment_start[column, task.column[column, COLUMN.segments]]):
        card = task.card[column, place] & TYPE_MASK
        rank = card & 15
        one = int64(1) << task.info[INFO.rank_bits] * rank
        shows[SHOWS.shown] += one
        shows[SHOWS.free_of_suit + (card >> 4)] += int64(rank == ranks)
        if depth == 0 or place > start:
            shows[SHOWS.free] += one
            shows[SHOWS.free_of_suit + (card >> 4)] += one
    suits = int64(0)
    for place in range(start, task.segment_start[column, depth + 1]):
        suits = suits << 2 | task.card[column, place] >> 4 & 3
    length = task.segment_start[column, depth + 1] - start
    shape = number << 8 | (shows[SHOWS.head] & 15) << 4 | length
    shows[SHOWS.word] = shape << fields.LENGTH_SHIFT | suits


@internal
def _fill_below(task: Task, column: int, depth: int, number: int) -> None:
    """Fill the row of `below` for what lies below the segment."""
    ranks = task.info[INFO.ranks]
    runs = int64(0)
    word = int64(0)
    for shown in range(depth - 1, -1, -1):
        word = task.shows[column, shown, SHOWS.word]
        suit = word & 3
        run = (fields.SAME_SUIT * suit) & ((int64(1) << 2 * ranks) - 1)
        length = word >> fields.LENGTH_SHIFT & fields.FIELD_MASK
        if length != ranks or word & fields.SUITS_MASK != run:
            break
        runs += int64(1) << (fields.RUN_BITS * suit)
        word = int64(0)
    unjoined = int64(0)
    for place in range(task.segment_start[column, depth]):
        card = task.card[column, place]
        unjoined += int64(card >> MISPLACED_SHIFT > 0 and card & 15 < ranks)
    task.below[number, BELOW.uncovered] = word
    task.below[number, BELOW.uncovered_runs] = runs
    task.below[number, BELOW.depth] = depth
    task.below[number, BELOW.unjoined] = unjoined
