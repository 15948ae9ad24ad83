"""The class search L1: L0 and the places that cannot change; what it calls lost cannot be won.

L1 plays on lift vectors and removed runs as L0 does; see `lifts` for these, for T, P and the slack
E, and for the other question that can be asked. But it remembers where some cards are. A *class*
is a vector and, for some of the free cards, the card they lie on or that they are the base of a
column; where the others are is *open*. Heads and hidden cards are known by their columns. Free
cards that are alike may be called what one likes, so a class holds an arrangement of the cards if
it fits with some choice of names, and a position may name them in any way.

L1 first *normalizes* a class: what moves that neither lift nor remove can change becomes open, so
that each arrangement they lead to is in the class. Then it goes on to a class for each lift and
each removal that some arrangement in it may allow. So each line of moves is followed by classes,
and if none of them reaches the goal, no line does. A rule is sound if it leaves open and allows too
much rather than too little.

*Layers.* Cards of rank r - 1 are the *children* of the layer whose *parents* are the exposed cards
of rank r; each free child lies on one of those or is the base of a column. The layer has a *hole*
if P[r] > T[r - 1], otherwise it is *full*.

* E = 0: no column is ever empty, and of each rank just the fewest cards are bases. So in a layer
  with a hole some parents are always uncovered and no child is a base, and in a full one all
  parents are always covered: no child can come or go, but in a run that starts further down.
* E = 1: one column is empty (the *slot*), or one rank has one base more (is *in the slot*); then
  its layer has one uncovered parent more, and this is the only way a full layer can have one.
* E = 1, but the bases of all columns are known, and none can leave its column: it is a king, or
  not runnable, or its layer has no hole, all as for E = 0 with the known bases as the only ones.
  Then the first base to leave cannot be any of them, so none leaves, and what was said of E = 0
  holds, with T - (known bases) children in a layer.
* E >= 2: everything is left open, every head may be lifted.

*Runnable* is a card if it and all cards above it are a run, which then can be moved. From the aces
up each exposed card gets NO: never runnable; YES; or WITH_SLOT: not while the slot is empty or a
card of its own rank or a higher one is in it. A child is *fixed* if its place is known and it is NO
in a layer with a hole, or not YES in a full one (with no slot: whatever it is). It never moves: in
a full layer it would go to the empty slot, or to a parent that is uncovered because a card of its
own rank is in the slot, so it would be YES. The places of all others become open. A parent

* with a fixed child is runnable only together with it: NO if the suits differ, else like the child;
* else is YES in a layer with a hole;
* else, in a full layer, is covered unless one of the children's rank is in the slot. So it is YES
  if some child of its suit that is YES has an open place, else WITH_SLOT, or NO without a slot. (A
  child that is WITH_SLOT would need a still lower card in the slot.)

*Lifts.* The head must be runnable. If the layer above it has no hole, there must be a slot, and it
is empty or a card of the head's rank is in it: the head must be YES. Its new place is open; the
next segment is where it was dealt. If E = 0 and the layer has no hole any more, each parent has a
child now, and the children with open places are on the parents without known children: every way is
tried as a class of its own.

*Removals.* When a run leaves, all its cards are runnable, and all but the king are free and lie on
a card of their suit. So of each rank the suit needs a card that is not NO, and for those below the
king one that is not known to be elsewhere. L1 may also let a complete run lie, which allows more
than the rules. With copies it is not known which of them left, so the places of the suit's free
cards and of the cards on them become open.

The key of a class has 128 bits (see `pool`), made of the places that are known, by the numbers of
the cards and not by their types: with copies, classes that differ would share a key. Nothing else
is needed, since normalizing again would change nothing. A question that leads to too many classes
is answered with "may be won", then and later.

Source: the "locked pairs" of this project's search notes; the audit over every reachable position
of small decks is in `tests/test_kernel_classes.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels import lifts as l0
from simon_solver.kernels.compiled import jit
from simon_solver.kernels.fields import (
    BELOW_SHIFT,
    FIELD,
    LENGTH_SHIFT,
    MAX_CARDS,
    MAX_COLUMNS,
    RANK_SHIFT,
    RUN_BITS,
)
from simon_solver.kernels.game import (
    COPIES,
    DEPTH,
    FIRST,
    RANKS,
    SEGMENTS,
    START_RUNS,
    Ints,
)
from simon_solver.kernels.words import count_runs, mix_a, mix_b

# The place of a card: the number of the card it is known to lie on, or one of these. What is at
# most UNKNOWN is free, what is at most HEAD is exposed.
BASE, UNKNOWN, HEAD, HIDDEN, GONE = range(MAX_CARDS, MAX_CARDS + 5)
NO_CARD = -1

# what follows the places in a class
BELOW = MAX_CARDS
"""+ column: segments below the tail"""
RUNS = BELOW + MAX_COLUMNS
"""packed runs removed"""
STATE_WIDTH = RUNS + 1
BITS = 6
FIELDS = 10
"""Of the places and segments in a word of 60 bits, from which the key is made."""

COLUMN_BITS = 5
FREE_KING = (1 << COLUMN_BITS) - 1
"""In a choice: the run leaves with a king that is free, not with a column's head."""
LAST_HOLE = 1 << 8
"""In a choice: the lift fills the last hole of its layer."""
MOST_PAIRS = 4
"""More children and parents of a layer are not matched: too many ways."""


class Classes(NamedTuple):
    """Working arrays of L1, reused from position to position and from game to game."""

    head: Ints
    """[column, depth] the number of the first card of each segment"""
    table: Ints
    """[name, card, rank or number] see the names below"""
    state: Ints
    """[depth, n] the class of each frame: the place of each card, then see BELOW and RUNS"""
    frame: Ints
    """[depth, n] see the names below"""
    words: Ints
    """[column] words that ask L0 about a class"""
    memo: Ints
    """[slot, (key half a, key half b, generation and answer)]"""
    counts: Ints
    """see the names below"""


SUIT, ABOVE, RUNNABLE, CHILD, PARENT, FREE, SHOWN, BASED, WORD, TABLES = range(10)
"""Of `table`. For each card SUIT; ABOVE: the card dealt on it in its segment; RUNNABLE: NO,
WITH_SLOT or YES; CHILD: the card that is known to lie on it and does not move. PARENT: those to be
matched. For each rank FREE, SHOWN: free and exposed cards; BASED: those known to be a base. WORD:
for each number of segments a word with so many below its tail."""
NO, WITH_SLOT, YES = range(3)
KEY_A, KEY_B, CHOICES, NEXT, MATCHING, CHOICE = range(6)
"""Of `frame`: the key's halves, the number of choices, the next one and its next matching; from
CHOICE on: the choices, columns whose head is lifted or suit + 1 << COLUMN_BITS | (column of
the king, FREE_KING)."""
READY, SUITS, COLUMNS, PER_RANK, KINGS, CARDS, ENTRIES, GENERATION, VISITED, COUNTERS = range(10)
"""Of `counts`. READY: the tables are those of the game; PER_RANK: cards of each rank; KINGS: the
number of the first king; ENTRIES: of the memo; VISITED: classes that the last question came to."""


def new_classes(memo_slots: int = 1 << 16) -> Classes:
    """Fresh working arrays; `memo_slots` is a power of two."""
    depth = 2 * MAX_CARDS
    classes = Classes(
        head=np.zeros((MAX_COLUMNS, MAX_CARDS), np.int64),
        table=np.zeros((TABLES, MAX_CARDS), np.int64),
        state=np.zeros((depth, STATE_WIDTH), np.int64),
        frame=np.zeros((depth, CHOICE + 2 * MAX_COLUMNS + 4), np.int64),
        words=np.zeros(MAX_COLUMNS, np.int64),
        memo=np.zeros((memo_slots, 3), np.int64),
        counts=np.zeros(COUNTERS, np.int64),
    )
    forget(classes)
    return classes


def forget(classes: Classes) -> None:
    """Drop tables and memo, as every new game and every new question must (see `lifts.forget`)."""
    classes.counts[READY] = 0
    classes.counts[GENERATION] += 1
    classes.counts[ENTRIES] = 0


@jit
def _slot(classes, key_a, key_b):
    """The memo slot of a key, or the free slot where it belongs."""
    memo = classes.memo
    at = key_a & (memo.shape[0] - 1)
    while memo[at, 2] >> 1 == classes.counts[GENERATION]:
        if memo[at, 0] == key_a and memo[at, 1] == key_b:
            return at
        at = (at + 1) & (memo.shape[0] - 1)
    return at


@jit
def _recall(classes, depth):
    """What is known about the class of a frame: 1 "may be won", 0 "lost", -1 nothing."""
    frame = classes.frame
    kept = classes.memo[_slot(classes, frame[depth, KEY_A], frame[depth, KEY_B]), 2]
    if kept >> 1 != classes.counts[GENERATION]:
        return np.int64(-1)
    return kept & 1


@jit
def _remember(classes, depth, answer):
    """Keep the answer for the class of a frame unless the memo is three quarters full."""
    key_a, key_b = classes.frame[depth, KEY_A], classes.frame[depth, KEY_B]
    at = _slot(classes, key_a, key_b)
    if classes.memo[at, 2] >> 1 != classes.counts[GENERATION]:
        if classes.counts[ENTRIES] * 4 >= classes.memo.shape[0] * 3:
            return
        classes.counts[ENTRIES] += 1
    classes.memo[at, 0] = key_a
    classes.memo[at, 1] = key_b
    classes.memo[at, 2] = classes.counts[GENERATION] << 1 | answer


@jit
def _get_ready(game, classes):
    """Fill the tables for a new game: the cards are numbered by rank, aces first."""
    table, counts = classes.table, classes.counts
    counts[READY] = 1
    counts[SUITS] = game.info.shape[0] - FIRST
    counts[COLUMNS] = game.start.shape[0]
    counts[PER_RANK] = 0
    for suit in range(counts[SUITS]):
        counts[PER_RANK] += game.info[COPIES + suit]
    counts[CARDS] = game.info[RANKS] * counts[PER_RANK]
    counts[KINGS] = counts[CARDS] - counts[PER_RANK]
    table[CHILD, :] = 0
    classes.head[:, :] = NO_CARD
    for column in range(game.start.shape[0]):
        under = np.int64(NO_CARD)
        for depth in range(game.column[column, SEGMENTS]):
            for place in range(
                game.segment_start[column, depth], game.segment_start[column, depth + 1]
            ):
                rank = game.card[column, place] & 15
                card = (rank - 1) * counts[PER_RANK] + table[CHILD, rank]
                table[CHILD, rank] += 1
                table[SUIT, card] = (game.card[column, place] >> 4) & 3
                table[ABOVE, card] = NO_CARD
                if place == game.segment_start[column, depth]:
                    classes.head[column, depth] = card
                else:
                    table[ABOVE, under] = card
                under = card
    # any word will do: L0 asks only how much is below
    for below in range(game.below.shape[0]):
        table[WORD, game.below[below, DEPTH]] = below << BELOW_SHIFT


@jit
def _load(game, classes, columns, runs):
    """Make the class of a position at depth 0."""
    state, table = classes.state, classes.table
    state[0, :] = GONE
    state[0, RUNS] = runs
    for column in range(columns.shape[0]):
        below = game.below[columns[column] >> BELOW_SHIFT, DEPTH]
        state[0, BELOW + column] = below
        for depth in range(below):
            card = classes.head[column, depth]
            while card != NO_CARD:
                state[0, card] = HIDDEN
                card = table[ABOVE, card]
        if below > 0:
            state[0, classes.head[column, below]] = HEAD
    for column in range(columns.shape[0]):
        word = columns[column]
        rank = (word >> RANK_SHIFT) & FIELD
        left = (word >> LENGTH_SHIFT) & FIELD
        under = np.int64(BASE)
        if state[0, BELOW + column] > 0:
            under = classes.head[column, state[0, BELOW + column]]
            rank -= 1
            left -= 1
        while left > 0:
            left -= 1
            # of cards that are alike any will do
            card = (rank - 1) * classes.counts[PER_RANK]
            while state[0, card] != GONE or table[SUIT, card] != (word >> (2 * left)) & 3:
                card += 1
            state[0, card] = under
            under = card
            rank -= 1


@jit
def _uncover(classes, depth, column):
    """The column's showing segment is gone: show the next."""
    state = classes.state
    state[depth, BELOW + column] -= 1
    below = state[depth, BELOW + column]
    under = np.int64(HEAD if below > 0 else BASE)
    card = classes.head[column, below]
    while card != NO_CARD:
        state[depth, card] = under
        under = card
        card = classes.table[ABOVE, card]


@jit
def _remove(classes, depth, suit, column):
    """Take a run of the suit away whose king is the column's head, or free."""
    state, table = classes.state, classes.table
    for first in range(0, classes.counts[CARDS], classes.counts[PER_RANK]):
        card = first
        if first == classes.counts[KINGS] and column != FREE_KING:
            card = classes.head[column, state[depth, BELOW + column]]
        else:
            while state[depth, card] > UNKNOWN or table[SUIT, card] != suit:
                card += 1
        state[depth, card] = GONE
    # which of the cards that are alike are gone is not known
    for card in range(classes.counts[KINGS]):
        under = state[depth, card]
        if under <= UNKNOWN and (
            table[SUIT, card] == suit
            or (under < BASE and table[SUIT, under] == suit and state[depth, under] != HEAD)
        ):
            state[depth, card] = UNKNOWN
    state[depth, RUNS] += np.int64(1) << (RUN_BITS * suit)


@jit
def _count(classes, depth):
    """Count the cards of each rank; returns the slack E."""
    table = classes.table
    slack = np.int64(0)
    for column in range(classes.counts[COLUMNS]):
        slack += classes.state[depth, BELOW + column] == 0
    card = np.int64(0)
    rank = np.int64(0)
    while card < classes.counts[CARDS]:
        rank += 1
        table[FREE, rank] = 0
        table[SHOWN, rank] = 0
        table[BASED, rank] = 0
        for _ in range(classes.counts[PER_RANK]):
            place = classes.state[depth, card]
            table[FREE, rank] += place <= UNKNOWN
            table[SHOWN, rank] += place <= HEAD
            table[BASED, rank] += place == BASE
            card += 1
        if rank > 1:
            slack -= max(np.int64(0), table[FREE, rank - 1] - table[SHOWN, rank])
    return slack - table[FREE, rank]


@jit
def _has_hole(classes, rank, slot):
    """Some card of the rank has no child as long as no more than the known bases are bases."""
    table = classes.table
    children = table[FREE, rank - 1]
    if slot == 0:
        children -= table[BASED, rank - 1]
    return table[SHOWN, rank] > children


@jit
def _find_runnable(classes, depth, slot, write):
    """Fill RUNNABLE for so many slots, 2 for more; `write`: make the places of what moves open."""
    state, table = classes.state, classes.table
    suits, runnable, child = table[SUIT], table[RUNNABLE], table[CHILD]
    per_rank = classes.counts[PER_RANK]
    for card in range(per_rank):
        runnable[card] = YES if state[depth, card] <= HEAD else NO
    rank = np.int64(1)
    for first in range(per_rank, classes.counts[CARDS], per_rank):
        rank += 1
        hole = _has_hole(classes, rank, slot)
        for card in range(first, first + per_rank):
            child[card] = NO_CARD
        for card in range(first - per_rank, first):
            if state[depth, card] > UNKNOWN:
                continue
            if (hole and runnable[card] != NO) or (slot > 0 and runnable[card] == YES):
                if write:
                    state[depth, card] = UNKNOWN
            elif state[depth, card] < BASE:
                child[state[depth, card]] = card
        for card in range(first, first + per_rank):
            runnable[card] = NO
            if state[depth, card] > HEAD:
                continue
            if child[card] != NO_CARD:
                if suits[child[card]] == suits[card]:
                    runnable[card] = runnable[child[card]]
                continue
            if hole or slot > 1:
                runnable[card] = YES
                continue
            if slot > 0:
                runnable[card] = WITH_SLOT
            for other in range(first - per_rank, first):
                if (
                    state[depth, other] == UNKNOWN
                    and runnable[other] == YES
                    and suits[other] == suits[card]
                ):
                    runnable[card] = YES


@jit
def _may_empty(classes, depth):
    """With E = 1: a column may be empty, or its base may leave it. RUNNABLE is that of no slot."""
    bases = np.int64(0)
    for card in range(classes.counts[CARDS]):
        if classes.state[depth, card] == BASE:
            bases += 1
            above = card // classes.counts[PER_RANK] + 2
            can_move = card < classes.counts[KINGS] and classes.table[RUNNABLE, card] == YES
            if can_move and _has_hole(classes, above, np.int64(0)):
                return True
    for column in range(classes.counts[COLUMNS]):
        bases -= classes.state[depth, BELOW + column] == 0
    return bases < 0


@jit
def _normalize(classes, depth, slack):
    """Forget what reversible moves can change, and fill RUNNABLE; returns E, 2 for more."""
    slot = min(slack, np.int64(2))
    if slot == 1:
        _find_runnable(classes, depth, np.int64(0), np.int64(0))
        slot = np.int64(_may_empty(classes, depth))
    _find_runnable(classes, depth, slot, np.int64(1))
    return slot


@jit
def _make_key(classes, depth):
    """Note the key of a normalized class in its frame."""
    state = classes.state
    key_a = mix_a(state[depth, RUNS])
    key_b = mix_b(state[depth, RUNS])
    packed = np.int64(0)
    filled = np.int64(0)
    for at in range(state.shape[1] - 1):
        field = state[depth, at]
        if at < BELOW:
            # segments tell what is exposed, and free kings are always bases
            field = field + 1 if at < classes.counts[KINGS] and field <= BASE else np.int64(0)
        packed = packed << BITS | field
        filled += 1
        if filled == FIELDS or at == state.shape[1] - 2:
            key_a = mix_a(key_a ^ packed)
            key_b = mix_b(key_b ^ packed)
            packed = np.int64(0)
            filled = np.int64(0)
    classes.frame[depth, KEY_A] = key_a
    classes.frame[depth, KEY_B] = key_b


@jit
def _can_leave(classes, depth, suit):
    """A run of the suit may come together, but for its king."""
    table = classes.table
    found = True
    for card in range(classes.counts[KINGS]):
        if card % classes.counts[PER_RANK] == 0:
            if not found:
                return False
            found = False
        under = classes.state[depth, card]
        if table[SUIT, card] == suit and table[RUNNABLE, card] != NO:
            found |= under == UNKNOWN or (under < BASE and table[SUIT, under] == suit)
    return found


@jit
def _list_removals(classes, depth):
    """List the ways in which a run can leave; returns how many."""
    frame, table = classes.frame, classes.table
    count = np.int64(0)
    for suit in range(classes.counts[SUITS]):
        if not _can_leave(classes, depth, suit):
            continue
        with_free_king = False
        for king in range(classes.counts[KINGS], classes.counts[CARDS]):
            place = classes.state[depth, king]
            if place > HEAD or table[SUIT, king] != suit or table[RUNNABLE, king] == NO:
                continue
            column = np.int64(FREE_KING)
            if place == HEAD:
                column = np.int64(0)
                while classes.head[column, classes.state[depth, BELOW + column]] != king:
                    column += 1
            elif with_free_king:
                continue
            else:
                with_free_king = True
            frame[depth, CHOICE + count] = ((suit + 1) << COLUMN_BITS) | column
            count += 1
    return count


@jit
def _list_lifts(classes, depth, slot, count):
    """Append the lifts, the cheapest first; returns the new count of choices."""
    frame, table = classes.frame, classes.table
    first = count
    for column in range(classes.counts[COLUMNS]):
        below = classes.state[depth, BELOW + column]
        if below == 0:
            continue
        head = classes.head[column, below]
        rank = head // classes.counts[PER_RANK] + 1
        hole = head < classes.counts[KINGS] and _has_hole(classes, rank + 1, slot)
        needed = np.int64(WITH_SLOT if hole else YES)
        if table[RUNNABLE, head] < needed or not (hole or slot > 0):
            continue
        # insertion by cost, then by segments left; the sort key rides in the high bits
        choice = ((needed * 64 + below) << 16) | column
        if slot == 0 and table[SHOWN, rank + 1] == table[FREE, rank] - table[BASED, rank] + 1:
            choice |= LAST_HOLE
        at = CHOICE + count
        while at > CHOICE + first and frame[depth, at - 1] > choice:
            frame[depth, at] = frame[depth, at - 1]
            at -= 1
        frame[depth, at] = choice
        count += 1
    for at in range(CHOICE + first, CHOICE + count):
        frame[depth, at] &= 0xFFFF
    return count


@jit
def _match(classes, depth, rank, number):
    """Put the children that lie somewhere in the full layer on its parents, in the numbered way.

    Returns how many ways there are; 1 and nothing is done if too many.
    """
    state, table = classes.state, classes.table
    suits, child, parent = table[SUIT], table[CHILD], table[PARENT]
    first = rank * classes.counts[PER_RANK]
    for card in range(first, first + classes.counts[PER_RANK]):
        child[card] = NO_CARD
    pairs = np.int64(0)
    for card in range(first - classes.counts[PER_RANK], first):
        if state[depth, card] < BASE:
            child[state[depth, card]] = card
        pairs += state[depth, card] == UNKNOWN
    found = np.int64(0)
    for card in range(first, first + classes.counts[PER_RANK]):
        if state[depth, card] <= HEAD and child[card] == NO_CARD:
            parent[found] = card
            found += 1
    if found != pairs or pairs > MOST_PAIRS:
        return np.int64(1)
    ways = np.int64(1)
    for card in range(first - classes.counts[PER_RANK], first):
        if state[depth, card] != UNKNOWN:
            continue
        # the parents left, one of the card's suit first
        for at in range(pairs):
            if suits[parent[at]] == suits[card]:
                parent[0], parent[at] = parent[at], parent[0]
                break
        ways *= pairs
        pick = number % pairs
        number //= pairs
        pairs -= 1
        state[depth, card] = parent[pick]
        parent[pick] = parent[pairs]
    return ways


@jit
def _follow(classes, depth):
    """Make the class at depth + 1 by the next choice of a frame, and step to the one after it."""
    state, frame = classes.state, classes.frame
    for at in range(state.shape[1]):
        state[depth + 1, at] = state[depth, at]
    choice = frame[depth, CHOICE + frame[depth, NEXT]]
    column = choice & FREE_KING
    suit = ((choice & (LAST_HOLE - 1)) >> COLUMN_BITS) - 1
    ways = np.int64(1)
    rank = np.int64(0)
    if suit >= 0:
        _remove(classes, depth + 1, suit, column)
    else:
        head = classes.head[column, state[depth, BELOW + column]]
        rank = head // classes.counts[PER_RANK] + 1
        state[depth + 1, head] = UNKNOWN if head < classes.counts[KINGS] else BASE
    if column != FREE_KING:
        _uncover(classes, depth + 1, column)
    filled = choice & LAST_HOLE and _count(classes, depth + 1) == 0
    if filled and not _has_hole(classes, rank + 1, np.int64(0)):
        ways = _match(classes, depth + 1, rank, frame[depth, MATCHING])
    frame[depth, MATCHING] += 1
    if frame[depth, MATCHING] >= ways:
        frame[depth, MATCHING] = 0
        frame[depth, NEXT] += 1


@jit
def may_be_won(game, lifts, classes, columns, runs, most):
    """False when L1 proves the position lost, or that WANTED runs in all cannot leave (`lifts`).

    `columns`: words; `runs`: packed runs removed so far, fewer than wanted; `most`: classes that it
    may come to before it gives up.
    """
    state, frame, counts = classes.state, classes.frame, classes.counts
    if counts[READY] == 0:
        _get_ready(game, classes)
    _load(game, classes, columns, runs)
    wanted = lifts.counts[l0.WANTED]
    if wanted == 0:
        wanted = count_runs(game, game.info[START_RUNS])
    counts[VISITED] = 0
    depth = np.int64(0)
    while depth >= 0 and counts[VISITED] < most:
        # a class just reached: ask the memo or list choices
        frame[depth, CHOICES] = 0
        frame[depth, NEXT] = 0
        frame[depth, MATCHING] = 0
        if count_runs(game, state[depth, RUNS]) >= wanted:
            break
        slack = _count(classes, depth)
        for column in range(columns.shape[0]):
            classes.words[column] = classes.table[WORD, state[depth, BELOW + column]]
        answer = np.int64(0)
        if slack >= 0 and l0.may_be_won(game, lifts, classes.words, state[depth, RUNS]):
            slot = _normalize(classes, depth, slack)
            _make_key(classes, depth)
            answer = _recall(classes, depth)
            if answer < 0:
                counts[VISITED] += 1
                count = _list_removals(classes, depth)
                frame[depth, CHOICES] = _list_lifts(classes, depth, slot, count)
        if answer == 1:
            break
        # back to the nearest class with a choice left
        while depth >= 0 and frame[depth, NEXT] == frame[depth, CHOICES]:
            if answer < 0:
                _remember(classes, depth, np.int64(0))
            answer = np.int64(-1)
            depth -= 1
        if depth >= 0:
            _follow(classes, depth)
            depth += 1
    for above in range(depth):
        _remember(classes, above, np.int64(1))
    return depth >= 0
