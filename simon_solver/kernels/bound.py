"""Admissible lower bounds on the moves of a win: U and the waiting bound.

**U** is the number of cards below king rank that do not lie on their true parent (same suit, one
rank higher). Each needs a move that puts it there, and one move settles one card; a move that does
not put its own head onto a true parent does not lower U, so every such move comes on top of U.
Those are the *extra* moves that the waiting bound counts.

A *head* is a card counted in U, or a king with cards under it. Heads leave their column in order,
top first, because whatever moves is a run and has one head. A head's first move is no extra move
only if it goes onto a true parent that is *open* by then:

* uncovered: all heads above that copy of the parent have left;
* not *taken* by a child that is joined to it. Taking that child away is an extra move, since the
  child lies on a true parent before it.

A king with cards under it leaves without an extra move only with a complete run, for which some
copy of every lower rank of its suit must be uncovered.

**Relaxed game.** Take heads off the column ends in any order. A head may leave for nothing if its
condition holds; for one paid move it may leave anyway, or a *type* of card may be freed, which
means that taken copies of it count as not taken from then on. The first moves of the heads in a
real win, in their order, are such a sequence, and its paid moves are different extra moves of that
win: a first move that is no join, or a move that takes a joined child away. So the cheapest relaxed
sequence is a lower bound on the extra moves.

`greedy_extra` bounds that cheapest sequence from below. When no end head can leave, each end head
waits for the columns that hold a copy of its parent that is not taken (a king: of one rank that it
misses). A *bottom component* is a set of columns whose end heads wait only for one another. Nothing
changes in it until one of its end heads leaves paid or a type that one of them waits for is freed.
So each bottom component is charged one paid move, and then all of that is granted: its end heads
leave, its types are freed. Components that share a type are charged in turn, so that one freed type
never serves for two charges.

Sound for the shortest win. Finding the cheapest sequence exactly is worth one move and a half on a
deal of four suits and saves nine states of ten, but takes longer than it saves.

Source: the cycle bound and the notes on taken copies of this project's search experiments;
`tests/test_kernel_bound.py` compares the bound with the fewest moves from every winnable position
of small decks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import jit
from simon_solver.kernels.fields import (
    BELOW_SHIFT,
    FIELD,
    LENGTH_SHIFT,
    MAX_CARDS,
    MAX_COLUMNS,
    RANK_SHIFT,
)
from simon_solver.kernels.game import (
    DEPTH,
    HEAD_SHIFT,
    RANKS,
    TYPE_MASK,
    UNJOINED_BELOW,
    Ints,
)


class Heads(NamedTuple):
    """A position as the waiting bound sees it, and the relaxed game played on it."""

    head: Ints
    """[column, n] type of the n-th head from the base"""
    column: Ints
    """[column, (NUMBER, OWN, LEFT, CHARGED, WAITS, BLOCK)]"""
    copies: Ints
    """[type, (COUNT, TAKEN)] cards of that type on the table; bit mask of the taken copies"""
    place: Ints
    """[type, copy] column << PLACE_SHIFT | heads of that column at or below the card: it is
    uncovered when no more than those are left"""
    types: Ints
    """[(FREED, ALWAYS_FREED)] bit masks of types"""


NUMBER, OWN, LEFT, CHARGED, WAITS, BLOCK = range(6)
"""NUMBER: heads in the column. OWN: bit n says that all true parents of the n-th head lie under it
in its own column. Of the relaxed game: LEFT: heads left. CHARGED: bit n says that the n-th head may
leave. WAITS: bit mask of the columns that the end head waits for, its own included. BLOCK: what
keeps the end head, as `_blocker` has it."""
OPEN, UNKNOWN = -2, -1
COUNT, TAKEN = range(2)
FREED, ALWAYS_FREED = range(2)
"""FREED: types freed by now. ALWAYS_FREED: those freed from the start; with -1 no copy ever
counts as taken, which weakens the bound."""
PLACE_SHIFT = 8
PLACE_MASK = (1 << PLACE_SHIFT) - 1


def new_heads() -> Heads:
    """Fresh working arrays."""
    return Heads(
        head=np.zeros((MAX_COLUMNS, MAX_CARDS + 12), np.int64),
        column=np.zeros((MAX_COLUMNS, 6), np.int64),
        copies=np.zeros((64, 2), np.int64),
        place=np.zeros((64, 8), np.int64),
        types=np.zeros(2, np.int64),
    )


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
def unjoined(game, columns):
    """U of a position."""
    ranks = game.info[RANKS]
    total = np.int64(0)
    for column in range(columns.shape[0]):
        word = columns[column]
        total += game.below[word >> BELOW_SHIFT, UNJOINED_BELOW] + tail_unjoined(word, ranks)
    return total


@jit
def _add_card(heads, column, kind, is_head, is_joined):
    """Enter the next card of a column, base first; a joined card lies on the card before it."""
    if is_head:
        heads.head[column, heads.column[column, NUMBER]] = kind
        heads.column[column, NUMBER] += 1
    if is_joined:
        heads.copies[kind + 1, TAKEN] |= np.int64(1) << (heads.copies[kind + 1, COUNT] - 1)
    copy = heads.copies[kind, COUNT]
    heads.place[kind, copy] = column << PLACE_SHIFT | heads.column[column, NUMBER]
    heads.copies[kind, COUNT] = copy + 1


@jit
def load_heads(game, heads, columns):
    """Enter all cards of a position."""
    ranks = game.info[RANKS]
    heads.copies[:, :] = 0
    for column in range(columns.shape[0]):
        heads.column[column, NUMBER] = 0
        word = columns[column]
        suit_below = np.int64(-1)
        for place in range(game.segment_start[column, game.below[word >> BELOW_SHIFT, DEPTH]]):
            card = game.card[column, place]
            is_head = card >> HEAD_SHIFT != 0
            # no head and no king at the base: joined
            is_joined = not is_head and place > 0
            _add_card(heads, column, card & TYPE_MASK, is_head, is_joined)
        rank = (word >> RANK_SHIFT) & FIELD
        for shift in range(2 * ((word >> LENGTH_SHIFT) & FIELD) - 2, -1, -2):
            suit = (word >> shift) & 3
            is_joined = suit == suit_below
            is_head = not is_joined and (rank < ranks or word >> BELOW_SHIFT > 0)
            _add_card(heads, column, suit << 4 | rank, is_head, is_joined)
            suit_below = suit
            rank -= 1
    for column in range(columns.shape[0]):
        heads.column[column, OWN] = 0
        for n in range(heads.column[column, NUMBER]):
            _note_own(heads, column, n, ranks)


@jit
def _note_own(heads, column, n, ranks):
    """Set or clear the OWN bit of the n-th head of a column."""
    bit = np.int64(1) << n
    heads.column[column, OWN] &= ~bit
    kind = heads.head[column, n]
    if kind & 15 == ranks:
        return
    for copy in range(heads.copies[kind + 1, COUNT]):
        place = heads.place[kind + 1, copy]
        if place >> PLACE_SHIFT != column or place & PLACE_MASK > n:
            return
    heads.column[column, OWN] |= bit


@jit
def _top_copy(heads, kind, column):
    """The copy of a type that lies in the top run of a column, which has at most one."""
    wanted = column << PLACE_SHIFT | heads.column[column, NUMBER]
    copy = np.int64(0)
    while heads.place[kind, copy] != wanted:
        copy += 1
    return copy


@jit
def shift_run(heads, kind, count, source, target, roles, ranks):
    """Move a run of `count` cards from `kind` down between columns, no runs being removed.

    `roles`, one bit each: the head was joined in the source, was a head there, gets joined in the
    target, gets a head there. With the columns and each pair of roles exchanged it is undone.
    """
    if roles & 1:
        copy = _top_copy(heads, kind + 1, source)
        heads.copies[kind + 1, TAKEN] &= ~(np.int64(1) << copy)
    if roles & 4:
        copy = _top_copy(heads, kind + 1, target)
        heads.copies[kind + 1, TAKEN] |= np.int64(1) << copy
    after = heads.column[target, NUMBER] + ((roles >> 3) & 1)
    for below in range(count):
        copy = _top_copy(heads, kind - below, source)
        heads.place[kind - below, copy] = target << PLACE_SHIFT | after
    if roles & 2:
        heads.column[source, NUMBER] -= 1
    if roles & 8:
        heads.head[target, after - 1] = kind
        heads.column[target, NUMBER] = after
        _note_own(heads, target, after - 1, ranks)


@jit
def exchanged(roles):
    """The roles of `shift_run` that undo it."""
    return ((roles & 3) << 2) | (roles >> 2)


@jit
def _is_uncovered(heads, kind):
    """Some copy of the type is uncovered, taken or not."""
    for copy in range(heads.copies[kind, COUNT]):
        place = heads.place[kind, copy]
        if heads.column[place >> PLACE_SHIFT, LEFT] <= place & PLACE_MASK:
            return True
    return False


@jit
def _is_open(heads, kind):
    """Some copy of the type is uncovered and not taken, or the type is freed."""
    taken = heads.copies[kind, TAKEN]
    if (heads.types[FREED] >> kind) & 1:
        taken = np.int64(0)
    for copy in range(heads.copies[kind, COUNT]):
        place = heads.place[kind, copy]
        if (
            heads.column[place >> PLACE_SHIFT, LEFT] <= place & PLACE_MASK
            and not (taken >> copy) & 1
        ):
            return True
    return False


@jit
def _blocker(heads, kind, ranks):
    """OPEN when an end head can leave without a paid move, else what keeps it.

    That is the place of the one card it waits for (of a king: the first it misses), or UNKNOWN
    where it waits for one of several copies or for a freed type.
    """
    if kind & 15 == ranks:
        for lower in range(1, ranks):
            if not _is_uncovered(heads, kind - lower):
                single = heads.copies[kind - lower, COUNT] == 1
                return heads.place[kind - lower, 0] if single else np.int64(UNKNOWN)
        return np.int64(OPEN)
    if heads.copies[kind + 1, COUNT] == 1 and heads.copies[kind + 1, TAKEN] == 0:
        place = heads.place[kind + 1, 0]
        return np.int64(OPEN) if _is_reached(heads, place) else place
    return np.int64(OPEN) if _is_open(heads, kind + 1) else np.int64(UNKNOWN)


@jit
def _is_reached(heads, place):
    """A card at that place is uncovered."""
    return heads.column[place >> PLACE_SHIFT, LEFT] <= place & PLACE_MASK


@jit
def _waits_for(heads, kind, ranks):
    """Columns that hold what a stuck end head waits for; for a king, one rank, fewest columns."""
    fewest = np.int64(99)
    chosen = np.int64(0)
    first = np.int64(1) if kind & 15 == ranks else np.int64(-1)
    last = ranks if kind & 15 == ranks else np.int64(0)
    for lower in range(first, last):
        other = kind - lower
        taken = np.int64(0)
        if first > 0:
            if _is_uncovered(heads, other):
                continue
        elif not (heads.types[FREED] >> other) & 1:
            taken = heads.copies[other, TAKEN]
        mask = np.int64(0)
        for copy in range(heads.copies[other, COUNT]):
            if not (taken >> copy) & 1:
                mask |= np.int64(1) << (heads.place[other, copy] >> PLACE_SHIFT)
        rest = mask
        size = np.int64(0)
        while rest:
            rest &= rest - 1
            size += 1
        if size < fewest:
            fewest = size
            chosen = mask
        if size == 1:
            break
    return chosen


@jit
def _begin(heads, columns):
    """Set up the relaxed game; returns the moves that OWN heads cost whatever is done."""
    extra = np.int64(0)
    heads.types[FREED] = heads.types[ALWAYS_FREED]
    for column in range(columns):
        heads.column[column, LEFT] = heads.column[column, NUMBER]
        heads.column[column, BLOCK] = UNKNOWN
        own = heads.column[column, OWN] & ((np.int64(1) << heads.column[column, NUMBER]) - 1)
        heads.column[column, CHARGED] = own
        while own:
            own &= own - 1
            extra += 1
    return extra


@jit
def _strip(heads, columns, ranks):
    """Let end heads leave until none can; returns the mask of columns that still have heads."""
    again = True
    while again:
        again = False
        for column in range(columns):
            left = heads.column[column, LEFT]
            block = heads.column[column, BLOCK]
            if left == 0 or (block >= 0 and not _is_reached(heads, block)):
                continue
            while left > 0:
                if not (heads.column[column, CHARGED] >> (left - 1)) & 1:
                    block = _blocker(heads, heads.head[column, left - 1], ranks)
                    heads.column[column, BLOCK] = block
                    if block != OPEN:
                        break
                left -= 1
                heads.column[column, LEFT] = left
                again = True
    stuck = np.int64(0)
    for column in range(columns):
        if heads.column[column, LEFT] > 0:
            stuck |= np.int64(1) << column
    return stuck


@jit
def _charge_cycles(heads, columns, stuck):
    """`_charge` where each stuck end head waits for one card: bottom components are cycles.

    Returns -1, and charges nothing, where some end head waits for more than one.
    """
    for column in range(columns):
        if (stuck >> column) & 1 and heads.column[column, BLOCK] < 0:
            return np.int64(-1)
    extra = np.int64(0)
    seen = np.int64(0)
    for first in range(columns):
        if not (stuck >> first) & 1:
            continue
        way = np.int64(0)
        at = np.int64(first)
        while not (seen >> at) & 1:
            seen |= np.int64(1) << at
            way |= np.int64(1) << at
            at = heads.column[at, BLOCK] >> PLACE_SHIFT
        if not (way >> at) & 1:
            continue  # the way led into an older one
        extra += 1
        last = at
        while True:
            onward = heads.column[at, BLOCK] >> PLACE_SHIFT
            _grant(heads, at)
            at = onward
            if at == last:
                break
    return extra


@jit
def _grant(heads, column):
    """Allow the end head of a column to leave."""
    heads.column[column, CHARGED] |= np.int64(1) << (heads.column[column, LEFT] - 1)
    heads.column[column, BLOCK] = UNKNOWN


@jit
def _find_waits(heads, columns, ranks, stuck):
    """Fill in for each stuck column all columns that it waits for, over any number of steps."""
    for column in range(columns):
        if (stuck >> column) & 1:
            kind = heads.head[column, heads.column[column, LEFT] - 1]
            waits = (np.int64(1) << column) | _waits_for(heads, kind, ranks)
            heads.column[column, WAITS] = waits & stuck
    for via in range(columns):
        if not (stuck >> via) & 1:
            continue
        waits = heads.column[via, WAITS]
        if waits == np.int64(1) << via:
            continue
        for column in range(columns):
            if (heads.column[column, WAITS] >> via) & (stuck >> column) & 1:
                heads.column[column, WAITS] |= waits


@jit
def _is_bottom(heads, columns, column):
    """The columns that a stuck column waits for all wait for one another."""
    waits = heads.column[column, WAITS]
    for other in range(columns):
        if (waits >> other) & 1 and heads.column[other, WAITS] != waits:
            return False
    return True


@jit
def _types_of(heads, columns, component, ranks):
    """Bit mask of the types with taken copies that end heads of the component wait for."""
    types = np.int64(0)
    for column in range(columns):
        if (component >> column) & 1:
            kind = heads.head[column, heads.column[column, LEFT] - 1]
            if kind & 15 < ranks and heads.copies[kind + 1, TAKEN]:
                types |= np.int64(1) << (kind + 1)
    return types & ~heads.types[FREED]


@jit
def _charge(heads, columns, ranks, stuck):
    """Charge the bottom components and grant what they wait for; returns the paid moves."""
    extra = _charge_cycles(heads, columns, stuck)
    if extra >= 0:
        return extra
    _find_waits(heads, columns, ranks, stuck)
    extra = np.int64(0)
    done = np.int64(0)
    types = np.int64(0)
    for column in range(columns):
        if not (stuck >> column) & 1 or (done >> column) & 1:
            continue
        if not _is_bottom(heads, columns, column):
            continue
        component = heads.column[column, WAITS]
        done |= component
        needed = _types_of(heads, columns, component, ranks)
        if needed & types:
            continue
        types |= needed
        extra += 1
        for other in range(columns):
            if (component >> other) & 1:
                _grant(heads, np.int64(other))
    heads.types[FREED] |= types
    if types:
        for column in range(columns):
            heads.column[column, BLOCK] = UNKNOWN
    return extra


@jit
def greedy_extra(game, heads, columns):
    """A lower bound on the extra moves of a win from the position loaded, of `columns` columns."""
    ranks = game.info[RANKS]
    extra = _begin(heads, columns)
    stuck = _strip(heads, columns, ranks)
    while stuck:
        extra += _charge(heads, columns, ranks, stuck)
        stuck = _strip(heads, columns, ranks)
    return extra


@jit
def waiting_bound(game, heads, columns):
    """U plus `greedy_extra` of a position: the plain form of what the search keeps up to date."""
    load_heads(game, heads, columns)
    return unjoined(game, columns) + greedy_extra(game, heads, columns.shape[0])
