"""The constant tables of one starting position, which every kernel reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simon_solver.kernels import words

Ints = npt.NDArray[np.int64]
ColumnCards = Sequence[tuple[int, int]]
"""A column, base first: (rank 1..13, suit 0..3) of each card."""


class Game(NamedTuple):
    """Tables of one starting position. "Below" numbers name untouched lower parts of columns.

    A *segment* is a maximal stretch of a starting column without a bad adjacency; column i has
    `segments[i]` of them, counted by depth: 0 is the base segment. What lies below a tail is always
    some whole segments of its own column, so their number is the *depth* of the tail.
    """

    ranks: Ints
    """[ranks]"""
    start: Ints
    """[column] words at the start"""
    start_runs: Ints
    """[packed runs that must leave the table to win]"""
    uncovered: Ints
    """[below] the word that shows when the tail is gone, complete runs taken off"""
    uncovered_runs: Ints
    """[below] packed runs that leave the table then"""
    depth: Ints
    """[below] segments below, 0 for nothing"""
    unjoined: Ints
    """[below] cards below king rank in there that do not lie on their true parent"""
    segments: Ints
    """[column] number of segments at the start"""
    segment_start: Ints
    """[column, depth] index of a segment's first card, and one past the last segment's end"""
    card_rank: Ints
    """[column, index from the base] rank of a starting card"""
    card_suit: Ints
    """[column, index from the base] suit of a starting card"""
    is_head: Ints
    """[column, index from the base] 1: not on its true parent, and no king at the base"""
    lift_scale: Ints
    """[column] weight of a column's lifts in the exact number of a lift vector; last: of runs"""
    copies: Ints
    """[suit] complete runs in the starting cards"""


def build_game(columns: Sequence[ColumnCards], ranks: int) -> Game:
    """The tables for a position without complete runs at column ends.

    Raises:
        ValueError: more columns, cards, ranks or copies than the kernels' fields hold.
    """
    copies = _copies(columns, ranks)
    belows: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    tables: dict[str, list[int]] = {
        "uncovered": [0], "uncovered_runs": [0], "depth": [0], "unjoined": [0],
    }  # fmt: skip
    starts, start = [], []
    for column in columns:
        cuts = _segment_starts(column)
        for depth in range(1, len(cuts) - 1):
            below = tuple(column[: cuts[depth]])
            if below not in belows:
                belows[below] = len(belows)
                _add_below(tables, belows, column, cuts, depth, ranks)
        starts.append(cuts)
        start.append(_word(belows, column, cuts, len(cuts) - 2))
    width = max(1, *(len(column) for column in columns))
    shape = (len(columns), width)
    card_rank, card_suit, is_head = (np.zeros(shape, np.int64) for _ in range(3))
    segment_start = np.zeros((len(columns), width + 1), np.int64)
    for index, column in enumerate(columns):
        segment_start[index, : len(starts[index])] = starts[index]
        for place, (rank, suit) in enumerate(column):
            card_rank[index, place], card_suit[index, place] = rank, suit
            joined = place > 0 and column[place - 1] == (rank + 1, suit)
            is_head[index, place] = not joined and (place > 0 or rank < ranks)
    segments = [len(cuts) - 1 for cuts in starts]
    scale = np.cumprod([1] + [max(1, count) for count in segments])
    return Game(
        ranks=_ints([ranks]),
        start=_ints(start),
        start_runs=_ints([sum(n << (words.RUN_BITS * suit) for suit, n in enumerate(copies))]),
        segments=_ints(segments),
        segment_start=segment_start,
        card_rank=card_rank,
        card_suit=card_suit,
        is_head=is_head,
        lift_scale=_ints(scale),
        copies=_ints(copies),
        **{name: _ints(values) for name, values in tables.items()},
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
        ("columns", len(columns), words.MAX_COLUMNS),
        ("cards", sum(counts), words.MAX_CARDS),
        ("ranks", ranks, words.MAX_RANKS),
        ("copies of a suit", max(copies), words.MAX_COPIES),
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
    return shape << words.LENGTH_SHIFT | suits


def _add_below(
    tables: dict[str, list[int]],
    belows: dict[tuple[tuple[int, int], ...], int],
    column: ColumnCards,
    cuts: list[int],
    depth: int,
    ranks: int,
) -> None:
    """Fill the tables for what lies below the segment at `depth`."""
    below = column[: cuts[depth]]
    runs, shown = 0, depth - 1
    while shown >= 0:
        tail = column[cuts[shown] : cuts[shown + 1]]
        if len(tail) < ranks or len({suit for _, suit in tail}) > 1:
            break
        runs += 1 << (words.RUN_BITS * tail[0][1])
        shown -= 1
    tables["uncovered"].append(_word(belows, column, cuts, shown))
    tables["uncovered_runs"].append(runs)
    tables["depth"].append(depth)
    tables["unjoined"].append(
        sum(
            rank < ranks and not (place and below[place - 1] == (rank + 1, suit))
            for place, (rank, suit) in enumerate(below)
        )
    )
