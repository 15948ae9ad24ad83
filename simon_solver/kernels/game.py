"""The constant tables of one starting position, which every kernel reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simon_solver.kernels import fields

Ints = npt.NDArray[np.int64]
ColumnCards = Sequence[tuple[int, int]]
"""A column, base first: (rank 1..13, suit 0..3) of each card."""


class Game(NamedTuple):
    """Tables of one starting position. "Below" numbers name untouched lower parts of columns.

    A *segment* is a maximal stretch of a starting column without a bad adjacency; column i has
    `segments[i]` of them, counted by depth: 0 is the base segment. What lies below a tail is always
    some whole segments of its own column, so their number is the *depth* of the tail.

    Kernels get this tuple in every call, and each array in it costs compile time in each of them,
    so the tables are merged into few.
    """

    info: Ints
    """see the names below"""
    start: Ints
    """[column] words at the start"""
    column: Ints
    """[column, (SEGMENTS, SCALE)]"""
    segment_start: Ints
    """[column, depth] index of a segment's first card, and one past the last segment's end"""
    card: Ints
    """[column, index from the base] rank | suit << 4 | head << HEAD_SHIFT of the starting cards;
    head: 1 for a card that is not on its true parent and no king at the base"""
    below: Ints
    """[below, (UNCOVERED, UNCOVERED_RUNS, DEPTH, UNJOINED_BELOW)]"""
    shows: Ints
    """[column, depth, name] what L0 counts in a column that shows the segment at this depth; see
    `lifts`"""


RANKS, START_RUNS, RUN_SCALE, WIDTH, BELOW_KING, COPIES = range(6)
FIRST = COPIES + 4
"""Of `info`. START_RUNS: packed runs that must leave to win; RUN_SCALE: their weight in the exact
number of a lift vector; WIDTH: bits of a rank's field in packed counts; BELOW_KING: the packed
count of one card of each rank but the highest; from COPIES on: complete runs of each suit."""
SEGMENTS, SCALE = range(2)
"""SEGMENTS: how many the column has; SCALE: weight of its lifts in a lift vector's exact number."""
UNCOVERED, UNCOVERED_RUNS, DEPTH, UNJOINED_BELOW = range(4)
"""UNCOVERED: the word that shows when the tail above is gone, complete runs taken off;
UNCOVERED_RUNS: those runs, packed; DEPTH: segments below the tail; UNJOINED_BELOW: cards in
there, below king rank, that do not lie on their true parent."""
FREE, SHOWN, FREE_OF_SUIT = range(3)
CLEAR, VECTOR = FREE_OF_SUIT + 4, FREE_OF_SUIT + 5
HEAD = VECTOR + 1
"""Of `shows`. Packed counts have a field of WIDTH bits for each rank, the ace's second. FREE and
SHOWN: free and exposed cards; from FREE_OF_SUIT on: free cards of each suit, and in the lowest
field its exposed kings; CLEAR: 1 if the segment is the base; VECTOR: what the column adds to the
number of the lift vector. HEAD is no count: rank | suit << 4 of the segment's first card."""
HEAD_SHIFT = 6
TYPE_MASK = (1 << HEAD_SHIFT) - 1
"""A card's *type* is rank | suit << 4."""


def build_game(columns: Sequence[ColumnCards], ranks: int) -> Game:
    """The tables for a position without complete runs at column ends.

    Raises:
        ValueError: more columns, cards, ranks or copies than the kernels' fields hold.
    """
    copies = _copies(columns, ranks)
    belows: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    tables = [[0, 0, 0, 0]]
    starts, start = [], []
    for column in columns:
        cuts = _segment_starts(column)
        for depth in range(1, len(cuts) - 1):
            below = tuple(column[: cuts[depth]])
            if below not in belows:
                belows[below] = len(belows)
                tables.append(_below_row(belows, column, cuts, depth, ranks))
        starts.append(cuts)
        start.append(_word(belows, column, cuts, len(cuts) - 2))
    width = max(1, *(len(column) for column in columns))
    card = np.zeros((len(columns), width), np.int64)
    segment_start = np.zeros((len(columns), width + 1), np.int64)
    for index, column in enumerate(columns):
        segment_start[index, : len(starts[index])] = starts[index]
        for place, (rank, suit) in enumerate(column):
            joined = place > 0 and column[place - 1] == (rank + 1, suit)
            head = not joined and (place > 0 or rank < ranks)
            card[index, place] = rank | suit << 4 | head << HEAD_SHIFT
    segments = [len(cuts) - 1 for cuts in starts]
    *scales, run_scale = np.cumprod([1] + [max(1, count) for count in segments]).tolist()
    runs = sum(n << (fields.RUN_BITS * suit) for suit, n in enumerate(copies))
    bits = sum(copies).bit_length() + 1  # one to spare, so that no sum or difference overflows
    below_king = sum(1 << bits * rank for rank in range(1, ranks))
    shows = np.zeros((len(columns), width + 1, HEAD + 1), np.int64)
    for index, (column, cuts) in enumerate(zip(columns, starts, strict=True)):
        shows[index, : max(1, len(cuts) - 1)] = _shows(column, cuts, scales[index], bits, ranks)
    firsts = np.cumsum([0, *copies[:3]]) * ranks
    return Game(
        info=_ints([ranks, runs, run_scale, bits, below_king, *copies, *firsts]),
        start=_ints(start),
        column=_ints(list(zip(segments, scales, strict=True))),
        segment_start=segment_start,
        card=card,
        below=_ints(tables),
        shows=shows,
    )


def _ints(values: Any) -> Ints:
    return np.ascontiguousarray(values, dtype=np.int64)


def _copies(columns: Sequence[ColumnCards], ranks: int) -> list[int]:
    """Complete runs per suit, after a check that every field of the kernels is wide enough."""
    counts = [0, 0, 0, 0]
    for column in columns:
        for _, suit in column:
            counts[suit] += 1
    copies = [count // ranks for count in counts]
    checks = (
        ("columns", len(columns), fields.MAX_COLUMNS),
        ("cards", sum(counts), fields.MAX_CARDS),
        ("ranks", ranks, fields.MAX_RANKS),
        ("copies of a suit", max(copies), fields.MAX_COPIES),
    )
    for what, count, limit in checks:
        if count > limit:
            raise ValueError(f"the search holds at most {limit} {what}, got {count}")
    return copies


def _segment_starts(column: ColumnCards) -> list[int]:
    """Indices where segments start, and the column's length at the end; [0] without cards."""
    cuts = [0]
    for place in range(1, len(column)):
        if column[place - 1][0] != column[place][0] + 1:
            cuts.append(place)
    return [*cuts, len(column)] if column else [0]


def _shows(
    column: ColumnCards, cuts: list[int], scale: int, bits: int, ranks: int
) -> list[list[int]]:
    """The rows of `Game.shows` for a column, by depth."""
    rows = []
    for depth in range(len(cuts) - 1):
        row = [0] * HEAD + [column[cuts[depth]][0] | column[cuts[depth]][1] << 4]
        for place in range(cuts[depth], len(column)):
            rank, suit = column[place]
            one = 1 << bits * rank
            row[SHOWN] += one
            row[FREE_OF_SUIT + suit] += rank == ranks
            if depth == 0 or place > cuts[depth]:
                row[FREE] += one
                row[FREE_OF_SUIT + suit] += one
        row[CLEAR] = int(depth == 0)
        row[VECTOR] = scale * (len(cuts) - 2 - depth)
        rows.append(row)
    return rows or [[0] * CLEAR + [1, 0, 0]]


def _word(
    belows: dict[tuple[tuple[int, int], ...], int],
    column: ColumnCards,
    cuts: list[int],
    depth: int,
) -> int:
    """The word of the column cut after the segment at `depth` (0 where there is none)."""
    if depth < 0:
        return 0
    tail = column[cuts[depth] : cuts[depth + 1]]
    suits = 0
    for _, suit in tail:
        suits = suits << 2 | suit
    shape = belows[tuple(column[: cuts[depth]])] << 8 | tail[0][0] << 4 | len(tail)
    return shape << fields.LENGTH_SHIFT | suits


def _below_row(
    belows: dict[tuple[tuple[int, int], ...], int],
    column: ColumnCards,
    cuts: list[int],
    depth: int,
    ranks: int,
) -> list[int]:
    """The row of `Game.below` for what lies below the segment at `depth`."""
    below = column[: cuts[depth]]
    runs, shown = 0, depth - 1
    while shown >= 0:
        tail = column[cuts[shown] : cuts[shown + 1]]
        if len(tail) < ranks or len({suit for _, suit in tail}) > 1:
            break
        runs += 1 << (fields.RUN_BITS * tail[0][1])
        shown -= 1
    unjoined = sum(
        rank < ranks and not (place and below[place - 1] == (rank + 1, suit))
        for place, (rank, suit) in enumerate(below)
    )
    return [_word(belows, column, cuts, shown), runs, depth, unjoined]
