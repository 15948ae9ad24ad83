"""The constant tables of one starting position, which every kernel reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.state import fields

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
HEAD, WORD = VECTOR + 1, VECTOR + 2
"""Of `shows`. Packed counts have a field of WIDTH bits for each rank, the ace's second. FREE and
SHOWN: free and exposed cards; from FREE_OF_SUIT on: free cards of each suit, and in the lowest
field its exposed kings; CLEAR: 1 if the segment is the base; VECTOR: what the column adds to the
number of the lift vector. The others are no counts: HEAD: rank | suit << 4 of the segment's first
card; WORD: of the column when it ends with this segment, untouched."""
HEAD_SHIFT = 6
TYPE_MASK = (1 << HEAD_SHIFT) - 1
"""A card's *type* is rank | suit << 4."""


def new_game(columns: int, width: int, cards: int) -> Game:
    """Empty tables for so many columns of up to `width` cards, `cards` in all."""
    return Game(
        info=np.zeros(FIRST + 4, np.int64),
        start=np.zeros(columns, np.int64),
        column=np.zeros((columns, 2), np.int64),
        segment_start=np.zeros((columns, width + 1), np.int64),
        card=np.zeros((columns, width), np.int64),
        below=np.zeros((cards + 1, 4), np.int64),
        shows=np.zeros((columns, width + 1, WORD + 1), np.int64),
    )


def build_game(columns: Sequence[ColumnCards], ranks: int) -> Game:
    """The tables for a position without complete runs at column ends.

    Raises:
        ValueError: more columns, cards, ranks or copies than the kernels' fields hold.
    """
    _check_size(columns, ranks)
    game = new_game(len(columns), max(1, *map(len, columns)), sum(map(len, columns)))
    game.info[RANKS] = ranks
    for index, column in enumerate(columns):
        game.card[index, : len(column)] = [rank | suit << 4 for rank, suit in column]
    fill(game)
    return game


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
def fill(game):
    """Fill the tables from the types in `card`, which end with a 0 or the row, and info[RANKS]."""
    for suit in range(game.info.shape[0] - FIRST):
        game.info[COPIES + suit] = 0
    for column in range(game.start.shape[0]):
        _cut(game, column)
    _fill_info(game)
    belows = np.int64(1)
    for column in range(game.start.shape[0]):
        game.start[column] = 0
        for name in range(game.shows.shape[2]):
            game.shows[column, 0, name] = np.int64(name == CLEAR)
        for depth in range(game.column[column, SEGMENTS]):
            number = np.int64(0)
            if depth > 0:
                number = _number_below(game, column, depth)
                if number == 0:
                    number = belows
                    belows += 1
            _fill_shows(game, column, depth, number)
            if depth > 0:
                _fill_below(game, column, depth, number)
            game.start[column] = game.shows[column, depth, WORD]


@jit
def _cut(game, column):
    """Find a column's segments, mark its heads, count its cards by suit."""
    ranks = game.info[RANKS]
    segments = np.int64(0)
    size = np.int64(0)
    while size < game.card.shape[1] and game.card[column, size] != 0:
        card = game.card[column, size] & TYPE_MASK
        parent = game.card[column, size - 1] & TYPE_MASK if size > 0 else np.int64(0)
        if size == 0 or parent & 15 != (card & 15) + 1:
            game.segment_start[column, segments] = size
            segments += 1
        head = parent != card + 1 and (size > 0 or card & 15 < ranks)
        game.card[column, size] = card | np.int64(head) << HEAD_SHIFT
        game.info[COPIES + (card >> 4)] += 1
        size += 1
    game.segment_start[column, segments] = size
    game.column[column, SEGMENTS] = segments


@jit
def _fill_info(game):
    """Fill what is known of the whole position once its columns are cut."""
    ranks = game.info[RANKS]
    scale = np.int64(1)
    for column in range(game.start.shape[0]):
        game.column[column, SCALE] = scale
        scale *= max(np.int64(1), game.column[column, SEGMENTS])
    game.info[RUN_SCALE] = scale
    game.info[START_RUNS] = 0
    cards = np.int64(0)
    for suit in range(game.info.shape[0] - FIRST):
        game.info[FIRST + suit] = cards
        cards += game.info[COPIES + suit]
        game.info[COPIES + suit] //= ranks
        game.info[START_RUNS] += game.info[COPIES + suit] << (fields.RUN_BITS * suit)
    bits = np.int64(1)  # one to spare, so that no sum or difference overflows
    while cards // ranks >> (bits - 1):
        bits += 1
    game.info[WIDTH] = bits
    game.info[BELOW_KING] = 0
    for rank in range(1, ranks):
        game.info[BELOW_KING] |= np.int64(1) << bits * rank


@jit
def _number_below(game, column, depth):
    """The number of what lies below the segment, if an earlier column has the same, else 0."""
    size = game.segment_start[column, depth]
    for other in range(column):
        for level in range(1, game.column[other, SEGMENTS]):
            if game.segment_start[other, level] != size:
                continue
            place = np.int64(0)
            while place < size and game.card[other, place] == game.card[column, place]:
                place += 1
            if place == size:
                return game.shows[other, level, WORD] >> fields.BELOW_SHIFT
    return np.int64(0)


@jit
def _fill_shows(game, column, depth, number):
    """Fill a row of `shows`; `number`: of what lies below."""
    ranks = game.info[RANKS]
    start = game.segment_start[column, depth]
    for name in range(game.shows.shape[2]):
        game.shows[column, depth, name] = 0
    shows = game.shows[column, depth]
    shows[CLEAR] = np.int64(depth == 0)
    shows[VECTOR] = game.column[column, SCALE] * (game.column[column, SEGMENTS] - 1 - depth)
    shows[HEAD] = game.card[column, start] & TYPE_MASK
    for place in range(start, game.segment_start[column, game.column[column, SEGMENTS]]):
        card = game.card[column, place] & TYPE_MASK
        rank = card & 15
        one = np.int64(1) << game.info[WIDTH] * rank
        shows[SHOWN] += one
        shows[FREE_OF_SUIT + (card >> 4)] += np.int64(rank == ranks)
        if depth == 0 or place > start:
            shows[FREE] += one
            shows[FREE_OF_SUIT + (card >> 4)] += one
    suits = np.int64(0)
    for place in range(start, game.segment_start[column, depth + 1]):
        suits = suits << 2 | game.card[column, place] >> 4 & 3
    length = game.segment_start[column, depth + 1] - start
    shape = number << 8 | (shows[HEAD] & 15) << 4 | length
    shows[WORD] = shape << fields.LENGTH_SHIFT | suits


@jit
def _fill_below(game, column, depth, number):
    """Fill the row of `below` for what lies below the segment."""
    ranks = game.info[RANKS]
    runs = np.int64(0)
    word = np.int64(0)
    for shown in range(depth - 1, -1, -1):
        word = game.shows[column, shown, WORD]
        suit = word & 3
        run = (fields.SAME_SUIT * suit) & ((np.int64(1) << 2 * ranks) - 1)
        length = word >> fields.LENGTH_SHIFT & fields.FIELD
        if length != ranks or word & fields.SUITS_MASK != run:
            break
        runs += np.int64(1) << (fields.RUN_BITS * suit)
        word = np.int64(0)
    unjoined = np.int64(0)
    for place in range(game.segment_start[column, depth]):
        card = game.card[column, place]
        unjoined += np.int64(card >> HEAD_SHIFT > 0 and card & 15 < ranks)
    game.below[number, UNCOVERED] = word
    game.below[number, UNCOVERED_RUNS] = runs
    game.below[number, DEPTH] = depth
    game.below[number, UNJOINED_BELOW] = unjoined
