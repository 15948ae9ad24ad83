"""The waiting bound, an admissible lower bound on the moves of a win.

**U** (`successors.unjoined`) is the number of cards below king rank that do not lie on their true
parent. A win has U moves and its *extra* moves [W.1], at least one for each card that it *pays* for
[W.2]. A *head* is a card counted in U, or a king with cards under it. Heads leave their column in
order [W.3], each if it is paid for or can leave unpaid [W.4]. The fewest payments that win this
*relaxed game*, and U, are the bound [W.5].

Payments must hit every *conflict*: a set of heads and joined cards that keeps all its heads [W.6].
Conflicts are found by playing: when no end head can leave, each waits for the columns that hold a
copy of its true parent. The end heads of columns that wait only for one another, with the children
that keep further copies from them, are a conflict [W.7]. It is granted for the rest of that game.
What a child of the position inherits: [H.3].

Numbers in brackets are statements of `docs/algorithms.md`. Its covering heads are COVER here, its
shutting cards SHUT. Sound for the shortest win.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.bounds.hitting import (
    ACTIVE,
    CHOSEN,
    LEAST,
    NONE,
    USED,
    activate,
    add_conflict,
    find_hitting,
    has_room,
    needs_least,
)
from simon_solver.kernels.compiled import jit
from simon_solver.kernels.state.fields import (
    BELOW_SHIFT,
    FIELD,
    LENGTH_SHIFT,
    MAX_CARDS,
    MAX_COLUMNS,
    MAX_RANKS,
    RANK_SHIFT,
)
from simon_solver.kernels.state.game import (
    COPIES,
    DEPTH,
    FIRST,
    HEAD_SHIFT,
    RANKS,
    TYPE_MASK,
    Ints,
)


class Waits(NamedTuple):
    """A position as the waiting bound sees it, and the relaxed game played on it.

    Cards have numbers: by suit, then by rank, then by copy in the order they are met.
    """

    head: Ints
    """[column, n] number of the n-th head from the top"""
    tail: Ints
    """[column, n] number of the n-th card of the tail from the top"""
    column: Ints
    """[column, (NUMBER, GONE, AFTER, ONWARD, NEEDED)]"""
    card: Ints
    """[number, (COVER, SHUT, COLUMN, PARENT, SAME)]"""
    copies: Ints
    """[type] copies met"""
    masks: Ints
    """[(HEADS, JOINED)] cards of those roles"""


NUMBER, GONE, AFTER, ONWARD, NEEDED = range(5)
"""NUMBER: heads of the column. NEEDED: 1 if LEAST payments are proven necessary even after its end
head moved, 0 if not, -1 if nobody asked. Of the relaxed game: GONE: heads that left; AFTER: bit
mask of the columns that its end head waits for; ONWARD: one of them."""
COVER, SHUT, COLUMN, PARENT, SAME = range(5)
"""COVER: the heads above the card; SHUT: those and the child joined to it: as long as one of them
is in place no other child can be joined to it. COLUMN: where it lies. PARENT: number of the first
copy of its true parent, or of a king -1 - (that of the lowest card of its suit). SAME: copies."""
HEADS, JOINED = range(2)
ALL = (1 << 62) - 1 + (1 << 62)
"""COVER and SHUT of a card that is not on the table."""

# 2 is a primitive root of 67, so powers of two leave different remainders
_remainders = np.zeros(67, np.int64)
for _place in range(63):
    _remainders[(1 << _place) % 67] = _place
PLACE_OF = _remainders


def new_waits() -> Waits:
    """Fresh working arrays."""
    return Waits(
        head=np.zeros((MAX_COLUMNS, MAX_CARDS), np.int64),
        tail=np.zeros((MAX_COLUMNS, MAX_RANKS), np.int64),
        column=np.zeros((MAX_COLUMNS, 5), np.int64),
        card=np.zeros((MAX_CARDS, 5), np.int64),
        copies=np.zeros(64, np.int64),
        masks=np.zeros(2, np.int64),
    )


@jit
def _clear(game, waits):
    """No card is on the table."""
    card = waits.card
    ranks = game.info[RANKS]
    for suit in range(4):
        same = game.info[COPIES + suit]
        first = game.info[FIRST + suit]
        for number in range(first, first + same * ranks):
            rank = (number - first) // same
            is_king = rank == ranks - 1
            card[number, COVER] = ALL
            card[number, SHUT] = ALL
            card[number, PARENT] = -1 - first if is_king else first + same * (rank + 1)
            card[number, SAME] = same
    waits.copies[:] = 0
    waits.masks[HEADS] = 0
    waits.masks[JOINED] = 0


@jit
def _enter(game, waits, column, kind, role, above, child):
    """Enter the next card of a column, top first; returns its number.

    `role` HEADS, JOINED or -1; `above` the heads above it; `child` the card joined to it, or 0.
    """
    suit = kind >> 4
    same = game.info[COPIES + suit]
    number = game.info[FIRST + suit] + ((kind & 15) - 1) * same + waits.copies[kind]
    waits.copies[kind] += 1
    waits.card[number, COVER] = above
    waits.card[number, SHUT] = above | child
    waits.card[number, COLUMN] = column
    if role >= 0:
        waits.masks[role] |= np.int64(1) << number
    if role == HEADS:
        waits.head[column, waits.column[column, NUMBER]] = number
        waits.column[column, NUMBER] += 1
    return number


@jit
def load(game, waits, columns, count_taken):
    """Enter all cards of a position; without `count_taken` no copy counts as taken."""
    _clear(game, waits)
    ranks = game.info[RANKS]
    for column in range(columns.shape[0]):
        waits.column[column, NUMBER] = 0
        waits.column[column, NEEDED] = -1
        word = columns[column]
        length = (word >> LENGTH_SHIFT) & FIELD
        rank = ((word >> RANK_SHIFT) & FIELD) - length + 1
        above = np.int64(0)
        child = np.int64(0)
        for place in range(length):
            suit = (word >> 2 * place) & 3
            role = np.int64(HEADS)
            if place < length - 1 and (word >> (2 * place + 2)) & 3 == suit:
                role = np.int64(JOINED)
            elif rank == ranks and word >> BELOW_SHIFT == 0:
                role = np.int64(-1)
            number = _enter(game, waits, column, suit << 4 | rank, role, above, child)
            waits.tail[column, place] = number
            bit = np.int64(1) << number
            above |= bit * (role == HEADS)
            child = bit * (role == JOINED) * count_taken
            rank += 1
        depth = game.below[word >> BELOW_SHIFT, DEPTH]
        for place in range(game.segment_start[column, depth] - 1, -1, -1):
            card = game.card[column, place]
            role = np.int64(HEADS)
            if card >> HEAD_SHIFT == 0:
                # no head: joined, or a king at the base
                role = np.int64(JOINED) if place > 0 else np.int64(-1)
            number = _enter(game, waits, column, card & TYPE_MASK, role, above, child)
            bit = np.int64(1) << number
            above |= bit * (role == HEADS)
            child = bit * (role == JOINED) * count_taken


@jit
def _missing_rank(waits, king, present):
    """First number of a lower rank of a king's suit with all copies covered; -1 for none."""
    card = waits.card
    same = card[king, SAME]
    first = -1 - card[king, PARENT]
    while first + same <= king:
        covered = True
        for copy in range(first, first + same):
            if card[copy, COVER] & present == 0:
                covered = False
        if covered:
            return first
        first += same
    return np.int64(-1)


@jit
def _is_kept(waits, head, present):
    """The cards present keep a head: it cannot leave unpaid [W.4]."""
    card = waits.card
    parent = card[head, PARENT]
    if parent < 0:
        return _missing_rank(waits, head, present) >= 0
    for copy in range(parent, parent + card[head, SAME]):
        if card[copy, SHUT] & present == 0:
            return False
    return True


@jit
def is_conflict(waits, cards):
    """The set of cards is a conflict of the position loaded."""
    heads = cards & waits.masks[HEADS]
    if heads == 0 or cards & ~(waits.masks[HEADS] | waits.masks[JOINED]):
        return False
    while heads:
        low = heads & -heads
        heads ^= low
        if not _is_kept(waits, PLACE_OF[low % 67], cards):
            return False
    return True


@jit
def _strip(waits, columns, present, granted):
    """Let end heads leave until none can; returns the cards still present."""
    again = True
    while again:
        again = False
        for column in range(columns):
            gone = waits.column[column, GONE]
            while gone < waits.column[column, NUMBER]:
                head = waits.head[column, gone]
                bit = np.int64(1) << head
                if not granted & bit and _is_kept(waits, head, present):
                    break
                present ^= bit
                gone += 1
                again = True
            waits.column[column, GONE] = gone
    return present


@jit
def _find_columns(waits, columns, present):
    """Note which columns each stuck column waits for; True if it is one column for each."""
    card = waits.card
    single = True
    for column in range(columns):
        after = np.int64(0)
        onward = np.int64(column)
        gone = waits.column[column, GONE]
        if gone < waits.column[column, NUMBER]:
            head = waits.head[column, gone]
            parent = card[head, PARENT]
            is_king = parent < 0
            if is_king:
                parent = _missing_rank(waits, head, present)
            for copy in range(parent, parent + card[head, SAME]):
                taken = card[copy, SHUT] & ~card[copy, COVER] & present
                if card[copy, COVER] != ALL and (is_king or not taken):
                    onward = card[copy, COLUMN]
                    after |= np.int64(1) << onward
        waits.column[column, AFTER] = after
        waits.column[column, ONWARD] = onward
        if after & (after - 1):
            single = False
    return single


@jit
def _end_bit(waits, column):
    """The end head of a stuck column."""
    return np.int64(1) << waits.head[column, waits.column[column, GONE]]


@jit
def _add_with_children(waits, conflicts, ends, present):
    """Enter the conflict of some end heads and the children that keep copies [W.7]; returns it."""
    card = waits.card
    conflict = ends
    while ends:
        low = ends & -ends
        ends ^= low
        head = PLACE_OF[low % 67]
        parent = card[head, PARENT]
        for copy in range(parent, parent + card[head, SAME] * (parent >= 0)):
            if card[copy, COVER] != ALL and card[copy, SHUT] & conflict == 0:
                conflict |= card[copy, SHUT] & ~card[copy, COVER] & present
    add_conflict(conflicts, conflict)
    return conflict


@jit
def _add_cycles(waits, conflicts, columns, present):
    """Enter the conflicts where each stuck column waits for one; returns their union."""
    seen = np.int64(0)
    union = np.int64(0)
    for first in range(columns):
        if waits.column[first, GONE] == waits.column[first, NUMBER]:
            continue
        way = np.int64(0)
        at = np.int64(first)
        while not (seen >> at) & 1:
            seen |= np.int64(1) << at
            way |= np.int64(1) << at
            at = waits.column[at, ONWARD]
        if not (way >> at) & 1:
            continue  # the way led into an older one
        last = at
        ends = np.int64(0)
        while True:
            ends |= _end_bit(waits, at)
            at = waits.column[at, ONWARD]
            if at == last:
                break
        union |= _add_with_children(waits, conflicts, ends, present)
    return union


@jit
def _add_components(waits, conflicts, columns, present):
    """Enter the conflicts of columns that wait only for one another; returns their union."""
    for column in range(columns):
        if waits.column[column, GONE] < waits.column[column, NUMBER]:
            waits.column[column, AFTER] |= np.int64(1) << column
    for via in range(columns):
        for column in range(columns):
            if (waits.column[column, AFTER] >> via) & 1:
                waits.column[column, AFTER] |= waits.column[via, AFTER]
    done = np.int64(0)
    union = np.int64(0)
    for column in range(columns):
        component = waits.column[column, AFTER]
        if component == 0 or (done >> column) & 1:
            continue
        ends = np.int64(0)
        is_closed = True
        for other in range(columns):
            if (component >> other) & 1:
                is_closed = is_closed and waits.column[other, AFTER] == component
                ends |= _end_bit(waits, other)
        if is_closed:
            done |= component
            union |= _add_with_children(waits, conflicts, ends, present)
    return union


@jit
def wins_relaxed(waits, conflicts, columns, paid):
    """Play the relaxed game; True if it is won with those cards paid for, else more conflicts."""
    granted = paid
    present = (waits.masks[HEADS] | waits.masks[JOINED]) & ~(waits.masks[JOINED] & paid)
    for column in range(columns):
        waits.column[column, GONE] = 0
    won = True
    while True:
        present = _strip(waits, columns, present, granted)
        if present & waits.masks[HEADS] == 0:
            return won
        won = False
        if _find_columns(waits, columns, present):
            more = _add_cycles(waits, conflicts, columns, present)
        else:
            more = _add_components(waits, conflicts, columns, present)
        granted |= more
        present &= ~(waits.masks[JOINED] & more)


@jit
def exceeds(waits, conflicts, columns, least, budget):
    """True if more than `least` payments are proven necessary for the position loaded.

    `budget`: steps of each search for a hitting set. The active conflicts, CHOSEN and LEAST are
    then as `needs_least` wants them.
    """
    counts = conflicts.counts
    counts[ACTIVE] = 0
    counts[CHOSEN] = 0
    counts[LEAST] = least
    for index in range(conflicts.kept.shape[0]):
        if is_conflict(waits, conflicts.kept[index]):
            counts[USED] |= np.int64(1) << index
            activate(conflicts, conflicts.kept[index])
    while has_room(conflicts):
        paid = find_hitting(conflicts, np.int64(0), least, budget)
        if paid < 0:
            return paid == NONE
        if wins_relaxed(waits, conflicts, columns, paid):
            counts[CHOSEN] = paid
            return False
    return False


@jit
def payments_after(waits, conflicts, column, count, is_head):
    """Payments proven necessary after `count` cards move from a column, no run being removed.

    `is_head`: the run that moves is that of the end head, else its top card was joined. What is
    left in place keeps what it kept, so all conflicts remain but those that hold that card, in
    which it has been paid for. 0 where the conflicts do not show that LEAST are needed.
    """
    least = conflicts.counts[LEAST]
    if is_head:
        if waits.column[column, NEEDED] < 0:
            end = np.int64(1) << waits.head[column, 0]
            waits.column[column, NEEDED] = needs_least(conflicts, end)
        return least * waits.column[column, NEEDED]
    if needs_least(conflicts, np.int64(1) << waits.tail[column, count - 1]):
        return least
    return (least - 1) * needs_least(conflicts, np.int64(0))
