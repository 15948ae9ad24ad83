"""Admissible lower bounds on the moves of a win.

`unjoined` is U: the number of cards below king rank that do not lie on their true parent (same
suit, one rank higher). Each needs a move that puts it there, and one move settles one card.

`waiting_bound` adds to U. A *head* is a card counted in U, or a king with cards under it. Heads
leave their column in order, top first, because whatever moves is a run and a run has one head. A
head's first move can be the one counted in U only if some copy of its true parent is uncovered by
then, that is, if all heads above that copy have left; a buried king leaves without a move of its
own only with a complete run, for which some copy of every lower rank of its suit must be
uncovered. So:

* A head whose true parents all lie under it in its own column cannot start with a join: one more
  move.
* Otherwise strip heads from the column ends while their condition holds; every real order of
  first moves is at least as restricted. When no end can be stripped, follow from each end head
  the columns that hold what it waits for. A set of columns that only wait for one another (a
  bottom strongly connected component) stays stuck until one of its end heads makes a first move
  that is no join: one more move each; such sets are disjoint, so no move is counted twice. Then
  strip those heads, go on.

A move that is no join of its own head never lowers U, so the extra moves come on top of U. A head
that was charged counts as stripped whenever it is an end head: the other heads may then leave
earlier than they really can, which keeps the bound admissible. Sound for the shortest win, and
for "lost" never.

Source: the cycle bound of this project's design notes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.fields import BELOW_SHIFT, FIELD, LENGTH_SHIFT, RANK_SHIFT
from simon_solver.kernels.game import (
    DEPTH,
    HEAD_SHIFT,
    RANKS,
    TYPE_MASK,
    UNJOINED_BELOW,
    Ints,
)


class Heads(NamedTuple):
    """Working arrays of the waiting bound. A card's *type* is suit * 16 + rank."""

    head: Ints
    """[column, n] type of the n-th head from the base"""
    left: Ints
    """[column] heads not stripped yet"""
    charged: Ints
    """[column] bit n: the n-th head has been charged"""
    copies: Ints
    """[type] cards of that type on the table"""
    column_of: Ints
    """[type, copy] the column it lies in"""
    under: Ints
    """[type, copy] heads of that column at or below it: it is uncovered when no more are left"""
    waits: Ints
    """[column] bit mask of the columns that its end head waits for, itself included"""


def new_heads() -> Heads:
    """Fresh working arrays."""
    return Heads(
        head=np.zeros((16, 64), np.int64),
        left=np.zeros(16, np.int64),
        charged=np.zeros(16, np.int64),
        copies=np.zeros(64, np.int64),
        column_of=np.zeros((64, 8), np.int64),
        under=np.zeros((64, 8), np.int64),
        waits=np.zeros(16, np.int64),
    )


@jit
def unjoined(game, columns):
    """U of a position."""
    ranks = game.info[RANKS]
    total = np.int64(0)
    for column in range(columns.shape[0]):
        word = columns[column]
        total += game.below[word >> BELOW_SHIFT, UNJOINED_BELOW] + tail_unjoined(word, ranks)
    return total


@jit
def tail_unjoined(word, ranks):
    """Cards of a column's tail, below king rank, that do not lie on their true parent."""
    length = (word >> LENGTH_SHIFT) & FIELD
    if length == 0:
        return np.int64(0)
    # neighbours of different suits, one bit pair each; the head itself has no parent in the tail
    differs = (word ^ (word >> 2)) & ((np.int64(1) << (2 * (length - 1))) - 1)
    differs = (differs | (differs >> 1)) & 0x1555555
    total = np.int64(((word >> RANK_SHIFT) & FIELD) < ranks)
    while differs:
        differs &= differs - 1
        total += 1
    return total


@jit
def _add_card(heads, column, kind, is_head):
    """Enter the next card of a column, base first."""
    if is_head:
        heads.head[column, heads.left[column]] = kind
        heads.left[column] += 1
    copy = heads.copies[kind]
    heads.column_of[kind, copy] = column
    heads.under[kind, copy] = heads.left[column]
    heads.copies[kind] = copy + 1


@jit
def _load(game, heads, columns):
    """Enter all cards of a position; returns U."""
    ranks = game.info[RANKS]
    heads.copies[:] = 0
    total = np.int64(0)
    for column in range(columns.shape[0]):
        heads.left[column] = 0
        heads.charged[column] = 0
        word = columns[column]
        for place in range(game.segment_start[column, game.below[word >> BELOW_SHIFT, DEPTH]]):
            card = game.card[column, place]
            _add_card(heads, column, card & TYPE_MASK, card >> HEAD_SHIFT != 0)
        total += game.below[word >> BELOW_SHIFT, UNJOINED_BELOW]
        rank = (word >> RANK_SHIFT) & FIELD
        suit_below = np.int64(-1)
        for shift in range(2 * ((word >> LENGTH_SHIFT) & FIELD) - 2, -1, -2):
            suit = (word >> shift) & 3
            is_head = suit != suit_below and (rank < ranks or word >> BELOW_SHIFT > 0)
            if is_head and rank < ranks:
                total += 1
            _add_card(heads, column, suit * 16 + rank, is_head)
            suit_below = suit
            rank -= 1
    return total


@jit
def _is_open(heads, kind):
    """Some copy of the type is uncovered."""
    for copy in range(heads.copies[kind]):
        if heads.left[heads.column_of[kind, copy]] <= heads.under[kind, copy]:
            return True
    return False


@jit
def _columns_of(heads, kind):
    """Bit mask of the columns that hold a copy of the type."""
    mask = np.int64(0)
    for copy in range(heads.copies[kind]):
        mask |= np.int64(1) << heads.column_of[kind, copy]
    return mask


@jit
def _can_leave(heads, kind, ranks):
    """The end head's condition for a first move that costs nothing extra."""
    rank = kind & 15
    if rank < ranks:
        return _is_open(heads, kind + 1)
    for lower in range(1, ranks):
        if not _is_open(heads, kind - lower):
            return False
    return True


@jit
def _waits_for(heads, kind, ranks):
    """Columns that hold what a stuck head waits for; for a king, one rank's, the fewest columns."""
    if kind & 15 < ranks:
        return _columns_of(heads, kind + 1)
    fewest = np.int64(99)
    chosen = np.int64(0)
    for lower in range(1, ranks):
        if _is_open(heads, kind - lower):
            continue
        mask = _columns_of(heads, kind - lower)
        size = np.int64(0)
        rest = mask
        while rest:
            rest &= rest - 1
            size += 1
        if size < fewest:
            fewest = size
            chosen = mask
    return chosen


@jit
def _charge_own_column(heads, columns, ranks):
    """Charge the heads whose true parents all lie under them in their own column."""
    extra = np.int64(0)
    for column in range(columns):
        for place in range(heads.left[column]):
            kind = heads.head[column, place]
            if kind & 15 == ranks:
                continue
            own = True
            for copy in range(heads.copies[kind + 1]):
                if heads.column_of[kind + 1, copy] != column or heads.under[kind + 1, copy] > place:
                    own = False
                    break
            if own:
                heads.charged[column] |= np.int64(1) << place
                extra += 1
    return extra


@jit
def _strip(heads, columns, ranks):
    """Strip end heads until none can leave; returns the mask of columns that still have heads."""
    again = True
    while again:
        again = False
        for column in range(columns):
            while heads.left[column] > 0:
                end = heads.left[column] - 1
                charged = (heads.charged[column] >> end) & 1
                if not charged and not _can_leave(heads, heads.head[column, end], ranks):
                    break
                heads.left[column] = end
                again = True
    stuck = np.int64(0)
    for column in range(columns):
        if heads.left[column] > 0:
            stuck |= np.int64(1) << column
    return stuck


@jit
def _charge_components(heads, columns, ranks, stuck):
    """Charge one move for each bottom component of the waiting relation; returns how many."""
    for column in range(columns):
        if (stuck >> column) & 1:
            kind = heads.head[column, heads.left[column] - 1]
            heads.waits[column] = (np.int64(1) << column) | _waits_for(heads, kind, ranks)
    for via in range(columns):
        if (stuck >> via) & 1:
            for column in range(columns):
                if (stuck >> column) & 1 and (heads.waits[column] >> via) & 1:
                    heads.waits[column] |= heads.waits[via]
    extra = np.int64(0)
    done = np.int64(0)
    for column in range(columns):
        if not (stuck >> column) & 1 or (done >> column) & 1:
            continue
        bottom = True
        for other in range(columns):
            if (heads.waits[column] >> other) & 1 and heads.waits[other] != heads.waits[column]:
                bottom = False
                break
        if bottom:
            extra += 1
            done |= heads.waits[column]
            for other in range(columns):
                if (heads.waits[column] >> other) & 1:
                    heads.charged[other] |= np.int64(1) << (heads.left[other] - 1)
    return extra


@entry
def waiting_bound(game, heads, columns):
    """U plus the extra moves that waiting heads force (see the module's argument)."""
    ranks = game.info[RANKS]
    count = columns.shape[0]
    total = _load(game, heads, columns)
    total += _charge_own_column(heads, count, ranks)
    while True:
        stuck = _strip(heads, count, ranks)
        if stuck == 0:
            return total
        total += _charge_components(heads, count, ranks, stuck)
