"""The waiting bound, an admissible lower bound on the moves of a win.

**U** (`successors.unjoined`) is the number of cards below king rank that do not lie on their true
parent. A win has U moves and its *extra* moves [W.1], at least one for each card that it *pays* for
[W.2]. A card is *misplaced* if it is counted in U, or a king with cards under it. Misplaced cards
leave their column in order [W.3], each if it is paid for or can leave unpaid [W.4]. The fewest
payments that win this *relaxed game*, and U, are the bound [W.5].

Payments must hit every *conflict*: a set of misplaced and joined cards that keeps all its misplaced
ones [W.6]. Conflicts are found by playing: when no *end card*, a column's last misplaced one, can
leave, each waits for the columns that hold a copy of its true parent. The end cards of columns that
wait only for one another, with the children that keep further copies from them, are a conflict
[W.7]. It is granted for the rest of that game. What a child of the position inherits: [H.3].

Numbers in brackets are statements of `docs/algorithms/`. Sound for the shortest win.

In the code: a set of cards is a mask with a bit for each number. The covering cards of a card are
`_CARD.cover`, its shutting cards `_CARD.shut`. `present`
are the cards in place in the relaxed game, `granted` those paid for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.bounds.hitting import (
    CONFLICTS,
    NO_SET,
    Conflicts,
    activate,
    add_conflict,
    find_hitting,
    has_room,
    needs_least,
)
from simon_solver.kernels.forms import int64, internal
from simon_solver.kernels.state.fields import (
    BELOW_SHIFT,
    FIELD_MASK,
    LENGTH_SHIFT,
    MAX_CARDS,
    MAX_COLUMNS,
    MAX_RANKS,
    RANK_SHIFT,
)
from simon_solver.kernels.state.task import BELOW, INFO, MISPLACED_SHIFT, TYPE_MASK, Ints, Task


class Waits(NamedTuple):
    """A position as the waiting bound sees it, and the relaxed game played on it.

    Cards have numbers: by suit, then by rank, then by copy in the order they are met.
    """

    misplaced: Ints
    """[column, n] number of the n-th misplaced card from the top"""
    tail: Ints
    """[column, n] number of the n-th card of the tail from the top"""
    column: Ints
    """[column, name] see `_COLUMN`"""
    card: Ints
    """[number, name] see `_CARD`"""
    copies: Ints
    """[type] copies met"""
    masks: Ints
    """[role] cards of it, a bit each; see `_MASK`"""


class _Column(NamedTuple):
    """Of `Waits.column`; `gone`, `after` and `onward` are of the relaxed game."""

    number: int = 0
    """misplaced cards of the column"""
    gone: int = 1
    """of these, how many have left"""
    after: int = 2
    """bit mask of the columns that its end card waits for"""
    onward: int = 3
    """one of them"""
    needed: int = 4
    """1 if `least` payments are proven necessary even after its end card moved, 0 if not, -1 if
    nobody asked"""


_COLUMN = _Column()


class _Card(NamedTuple):
    """Of `Waits.card`."""

    cover: int = 0
    """the misplaced cards above the card"""
    shut: int = 1
    """those and the child joined to it: as long as one of them is in place no other child can be
    joined to it"""
    column: int = 2
    """where it lies"""
    parent: int = 3
    """number of the first copy of its true parent, or of a king -1 - (that of the lowest card of
    its suit)"""
    copies: int = 4
    """how many cards are alike"""


_CARD = _Card()


class _Mask(NamedTuple):
    """Of `Waits.masks`: the role of a card."""

    misplaced: int = 0
    joined: int = 1


_MASK = _Mask()

ABSENT = (1 << 62) - 1 + (1 << 62)
"""`cover` and `shut` of a card that is not on the table."""

# 2 is a primitive root of 67, so powers of two leave different remainders
_remainders = np.zeros(67, np.int64)
for _place in range(63):
    _remainders[(1 << _place) % 67] = _place
PLACE_OF = _remainders


def new_waits() -> Waits:
    """Fresh working arrays."""
    return Waits(
        misplaced=np.zeros((MAX_COLUMNS, MAX_CARDS), np.int64),
        tail=np.zeros((MAX_COLUMNS, MAX_RANKS), np.int64),
        column=np.zeros((MAX_COLUMNS, len(_COLUMN)), np.int64),
        card=np.zeros((MAX_CARDS, len(_CARD)), np.int64),
        copies=np.zeros(64, np.int64),
        masks=np.zeros(len(_MASK), np.int64),
    )


@internal
def _clear(task: Task, waits: Waits) -> None:
    """No card is on the table."""
    card = waits.card
    ranks = task.info[INFO.ranks]
    for suit in range(4):
        same = task.info[INFO.copies + suit]
        first = task.info[INFO.first_card + suit]
        for number in range(first, first + same * ranks):
            rank = (number - first) // same
            is_king = rank == ranks - 1
            card[number, _CARD.cover] = ABSENT
            card[number, _CARD.shut] = ABSENT
            card[number, _CARD.parent] = -1 - first if is_king else first + same * (rank + 1)
            card[number, _CARD.copies] = same
    waits.copies[:] = 0
    waits.masks[_MASK.misplaced] = 0
    waits.masks[_MASK.joined] = 0


@internal
def _enter(
    task: Task, waits: Waits, column: int, kind: int, role: int, above: int, child: int
) -> int:
    """Enter the next card of a column, top first; returns its number.

    `role` of `_MASK` or -1; `above` the misplaced cards above it; `child` the card joined to it,
    or 0.
    """
    suit = kind >> 4
    same = task.info[INFO.copies + suit]
    number = task.info[INFO.first_card + suit] + ((kind & 15) - 1) * same + waits.copies[kind]
    waits.copies[kind] += 1
    waits.card[number, _CARD.cover] = above
    waits.card[number, _CARD.shut] = above | child
    waits.card[number, _CARD.column] = column
    if role >= 0:
        waits.masks[role] |= int64(1) << number
    if role == _MASK.misplaced:
        waits.misplaced[column, waits.column[column, _COLUMN.number]] = number
        waits.column[column, _COLUMN.number] += 1
    return number


@internal
def load(task: Task, waits: Waits, columns: Ints, count_taken: int) -> None:
    """Enter all cards of a position; without `count_taken` no copy counts as taken."""
    _clear(task, waits)
    ranks = task.info[INFO.ranks]
    for column in range(columns.shape[0]):
        waits.column[column, _COLUMN.number] = 0
        waits.column[column, _COLUMN.needed] = -1
        word = columns[column]
        length = (word >> LENGTH_SHIFT) & FIELD_MASK
        rank = ((word >> RANK_SHIFT) & FIELD_MASK) - length + 1
        above = int64(0)
        child = int64(0)
        for place in range(length):
            suit = (word >> 2 * place) & 3
            role = int64(_MASK.misplaced)
            if place < length - 1 and (word >> (2 * place + 2)) & 3 == suit:
                role = int64(_MASK.joined)
            elif rank == ranks and word >> BELOW_SHIFT == 0:
                role = int64(-1)
            number = _enter(task, waits, column, suit << 4 | rank, role, above, child)
            waits.tail[column, place] = number
            bit = int64(1) << number
            above |= bit * (role == _MASK.misplaced)
            child = bit * (role == _MASK.joined) * count_taken
            rank += 1
        depth = task.below[word >> BELOW_SHIFT, BELOW.depth]
        for place in range(task.segment_start[column, depth] - 1, -1, -1):
            card = task.card[column, place]
            role = int64(_MASK.misplaced)
            if card >> MISPLACED_SHIFT == 0:
                # in place: joined, or a king at the base
                role = int64(_MASK.joined if place > 0 else -1)
            number = _enter(task, waits, column, card & TYPE_MASK, role, above, child)
            bit = int64(1) << number
            above |= bit * (role == _MASK.misplaced)
            child = bit * (role == _MASK.joined) * count_taken


@internal
def _missing_rank(waits: Waits, king: int, present: int) -> int:
    """First number of a lower rank of a king's suit with all copies covered; -1 for none."""
    card = waits.card
    same = card[king, _CARD.copies]
    first = -1 - card[king, _CARD.parent]
    while first + same <= king:
        covered = True
        for copy in range(first, first + same):
            if card[copy, _CARD.cover] & present == 0:
                covered = False
        if covered:
            return first
        first += same
    return int64(-1)


@internal
def _is_kept(waits: Waits, misplaced: int, present: int) -> bool:
    """The cards present keep a misplaced card: it cannot leave unpaid [W.4]."""
    card = waits.card
    parent = card[misplaced, _CARD.parent]
    if parent < 0:
        return _missing_rank(waits, misplaced, present) >= 0
    for copy in range(parent, parent + card[misplaced, _CARD.copies]):
        if card[copy, _CARD.shut] & present == 0:
            return False
    return True


@internal
def is_conflict(waits: Waits, cards: int) -> bool:
    """The set of cards is a conflict of the position loaded."""
    rest = cards & waits.masks[_MASK.misplaced]
    if rest == 0 or cards & ~(waits.masks[_MASK.misplaced] | waits.masks[_MASK.joined]):
        return False
    while rest:
        low = rest & -rest
        rest ^= low
        if not _is_kept(waits, PLACE_OF[low % 67], cards):
            return False
    return True


@internal
def _strip(waits: Waits, columns: int, present: int, granted: int) -> int:
    """Let end cards leave until none can; returns the cards still present."""
    again = True
    while again:
        again = False
        for column in range(columns):
            gone = waits.column[column, _COLUMN.gone]
            while gone < waits.column[column, _COLUMN.number]:
                misplaced = waits.misplaced[column, gone]
                bit = int64(1) << misplaced
                if not granted & bit and _is_kept(waits, misplaced, present):
                    break
                present ^= bit
                gone += 1
                again = True
            waits.column[column, _COLUMN.gone] = gone
    return present


@internal
def _find_columns(waits: Waits, columns: int, present: int) -> int:
    """Note which columns each stuck column waits for; True if it is one column for each."""
    card = waits.card
    single = True
    for column in range(columns):
        after = int64(0)
        onward = int64(column)
        gone = waits.column[column, _COLUMN.gone]
        if gone < waits.column[column, _COLUMN.number]:
            misplaced = waits.misplaced[column, gone]
            parent = card[misplaced, _CARD.parent]
            is_king = parent < 0
            if is_king:
                parent = _missing_rank(waits, misplaced, present)
            for copy in range(parent, parent + card[misplaced, _CARD.copies]):
                taken = card[copy, _CARD.shut] & ~card[copy, _CARD.cover] & present
                if card[copy, _CARD.cover] != ABSENT and (is_king or not taken):
                    onward = card[copy, _CARD.column]
                    after |= int64(1) << onward
        waits.column[column, _COLUMN.after] = after
        waits.column[column, _COLUMN.onward] = onward
        if after & (after - 1):
            single = False
    return single


@internal
def _end_bit(waits: Waits, column: int) -> int:
    """The end card of a stuck column."""
    return int64(1) << waits.misplaced[column, waits.column[column, _COLUMN.gone]]


@internal
def _add_with_children(waits: Waits, conflicts: Conflicts, ends: int, present: int) -> int:
    """Enter the conflict of some end cards and the children that keep copies [W.7]; returns it."""
    card = waits.card
    conflict = ends
    while ends:
        low = ends & -ends
        ends ^= low
        misplaced = PLACE_OF[low % 67]
        parent = card[misplaced, _CARD.parent]
        for copy in range(parent, parent + card[misplaced, _CARD.copies] * (parent >= 0)):
            if card[copy, _CARD.cover] != ABSENT and card[copy, _CARD.shut] & conflict == 0:
                conflict |= card[copy, _CARD.shut] & ~card[copy, _CARD.cover] & present
    add_conflict(conflicts, conflict)
    return conflict


@internal
def _add_cycles(waits: Waits, conflicts: Conflicts, columns: int, present: int) -> int:
    """Enter the conflicts where each stuck column waits for one; returns their union."""
    seen = int64(0)
    union = int64(0)
    for first in range(columns):
        if waits.column[first, _COLUMN.gone] == waits.column[first, _COLUMN.number]:
            continue
        way = int64(0)
        at = int64(first)
        while not (seen >> at) & 1:
            seen |= int64(1) << at
            way |= int64(1) << at
            at = waits.column[at, _COLUMN.onward]
        if not (way >> at) & 1:
            continue  # the way led into an older one
        last = at
        ends = int64(0)
        while True:
            ends |= _end_bit(waits, at)
            at = waits.column[at, _COLUMN.onward]
            if at == last:
                break
        union |= _add_with_children(waits, conflicts, ends, present)
    return union


@internal
def _add_components(waits: Waits, conflicts: Conflicts, columns: int, present: int) -> int:
    """Enter the conflicts of columns that wait only for one another; returns their union."""
    for column in range(columns):
        if waits.column[column, _COLUMN.gone] < waits.column[column, _COLUMN.number]:
            waits.column[column, _COLUMN.after] |= int64(1) << column
    for via in range(columns):
        for column in range(columns):
            if (waits.column[column, _COLUMN.after] >> via) & 1:
                waits.column[column, _COLUMN.after] |= waits.column[via, _COLUMN.after]
    done = int64(0)
    union = int64(0)
    for column in range(columns):
        component = waits.column[column, _COLUMN.after]
        if component == 0 or (done >> column) & 1:
            continue
        ends = int64(0)
        is_closed = True
        for other in range(columns):
            if (component >> other) & 1:
                is_closed = is_closed and waits.column[other, _COLUMN.after] == component
                ends |= _end_bit(waits, other)
        if is_closed:
            done |= component
            union |= _add_with_children(waits, conflicts, ends, present)
    return union


@internal
def wins_relaxed(waits: Waits, conflicts: Conflicts, columns: int, paid: int) -> int:
    """Play the relaxed game; True if it is won with those cards paid for, else more conflicts."""
    granted = paid
    present = (waits.masks[_MASK.misplaced] | waits.masks[_MASK.joined]) & ~(
        waits.masks[_MASK.joined] & paid
    )
    for column in range(columns):
        waits.column[column, _COLUMN.gone] = 0
    won = True
    while True:
        present = _strip(waits, columns, present, granted)
        if present & waits.masks[_MASK.misplaced] == 0:
            return won
        won = False
        if _find_columns(waits, columns, present):
            more = _add_cycles(waits, conflicts, columns, present)
        else:
            more = _add_components(waits, conflicts, columns, present)
        granted |= more
        present &= ~(waits.masks[_MASK.joined] & more)


@internal
def exceeds(waits: Waits, conflicts: Conflicts, columns: int, least: int, budget: int) -> bool:
    """True if more than `least` payments are proven necessary for the position loaded.

    `budget`: steps of each search for a hitting set. The active conflicts, `chosen` and `least`
    are then as `needs_least` wants them.
    """
    counts = conflicts.counts
    counts[CONFLICTS.active] = 0
    counts[CONFLICTS.chosen] = 0
    counts[CONFLICTS.least] = least
    for index in range(conflicts.kept.shape[0]):
        if is_conflict(waits, conflicts.kept[index]):
            counts[CONFLICTS.used] |= int64(1) << index
            activate(conflicts, conflicts.kept[index])
    while has_room(conflicts):
        paid = find_hitting(conflicts, int64(0), least, budget)
        if paid < 0:
            return paid == NO_SET
        if wins_relaxed(waits, conflicts, columns, paid):
            counts[CONFLICTS.chosen] = paid
            return False
    return False


@internal
def payments_after(
    waits: Waits, conflicts: Conflicts, column: int, count: int, is_misplaced: bool
) -> int:
    """Payments proven necessary after `count` cards move from a column, no run being removed.

    `is_misplaced`: the run that moves has the end card on top, else a joined one. What is
    left in place keeps what it kept, so all conflicts remain but those that hold that card, in
    which it has been paid for. 0 where the conflicts do not show that `least` are needed.
    """
    least = conflicts.counts[CONFLICTS.least]
    if is_misplaced:
        if waits.column[column, _COLUMN.needed] < 0:
            end = int64(1) << waits.misplaced[column, 0]
            waits.column[column, _COLUMN.needed] = needs_least(conflicts, end)
        return least * waits.column[column, _COLUMN.needed]
    if needs_least(conflicts, int64(1) << waits.tail[column, count - 1]):
        return least
    return (least - 1) * needs_least(conflicts, int64(0))
