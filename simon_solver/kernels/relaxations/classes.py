"""The class search L1: L0 and the places that cannot change; what it calls lost cannot be won.

L1 plays on lift vectors and removed runs as L0 does, and answers the same questions (see `lifts`).
But it remembers where some cards are. A *class* is a vector and, for some of the free cards, the
card they lie on or that they are the base of a column; where the others are is *open*. L1 first
*closes* a class: what moves that neither lift nor remove can change becomes open. Then it goes on
to a class for each lift and each removal that some arrangement in it may allow.

Numbers in brackets are statements of `docs/algorithms.md`:

* spare columns and full layers [L1.1]; what becomes open [L1.2], also as known bases are let go one
  after the other [L1.3]; closing twice is closing once, on which the memo relies [L1.4];
* lifts [L1.5], removals [L1.6], and why "lost" is right [L1.8];
* the key of a class, 128 bits (see `pool`), names cards by their numbers [L1.7], not by their types
  [T.5].

Symbols: T is FREE, P is SHOWN, N is NEEDED, K is `spare`, R[j] is RUNNABLE + j, M is MOVES. A
question that leads to too many classes is answered with "may be won".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import jit
from simon_solver.kernels.relaxations import lifts as l0
from simon_solver.kernels.state.fields import (
    BELOW_SHIFT,
    FIELD,
    LENGTH_SHIFT,
    MAX_CARDS,
    MAX_COLUMNS,
    RANK_SHIFT,
    RUN_BITS,
)
from simon_solver.kernels.state.game import COPIES, DEPTH, FIRST, RANKS, SEGMENTS, START_RUNS, Ints
from simon_solver.kernels.state.words import count_runs, mix_a, mix_b

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


(
    SUIT,
    RANK,
    BIT,
    ABOVE,
    NEXT_CARD,
    WORD,
    FREE,
    SHOWN,
    BASED,
    LEFT,
    MOVES,
    NEEDED,
    FULL,
    SUITED,
) = range(14)
RUNNABLE = SUITED + 4
TABLES = RUNNABLE + MAX_COLUMNS + 1
"""Of `table`. For each card SUIT; RANK; BIT: its own in a number with a bit for each card of its
rank; ABOVE: the card dealt on it in its segment. For each number of
segments WORD: one with so many below its tail. For each rank, with a bit for each of its cards,
FREE and SHOWN: free and exposed ones; BASED: known bases; LEFT: those that need not stay; MOVES:
free cards that can move; SUITED + suit: those of the suit; RUNNABLE + j: R[j]. And for each rank
NEEDED: N; FULL: the layer whose parents it has is full; NEXT_CARD: cards numbered so far."""
KEY_A, KEY_B, CHOICES, NEXT, CHOICE = range(5)
"""Of `frame`: the key's halves, the number of choices and the next one; from CHOICE on: the
choices, columns whose head is lifted or suit + 1 << COLUMN_BITS | (column of the king,
FREE_KING)."""
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
def get_ready(game, classes):
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
    table[NEXT_CARD, :] = 0
    table[SUITED:RUNNABLE, :] = 0
    classes.head[:, :] = NO_CARD
    for column in range(game.start.shape[0]):
        under = np.int64(NO_CARD)
        for depth in range(game.column[column, SEGMENTS]):
            for place in range(
                game.segment_start[column, depth], game.segment_start[column, depth + 1]
            ):
                rank = game.card[column, place] & 15
                card = (rank - 1) * counts[PER_RANK] + table[NEXT_CARD, rank]
                suit = (game.card[column, place] >> 4) & 3
                table[SUIT, card] = suit
                table[RANK, card] = rank
                table[BIT, card] = np.int64(1) << table[NEXT_CARD, rank]
                table[SUITED + suit, rank] |= table[BIT, card]
                table[NEXT_CARD, rank] += 1
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
def load(game, classes, state, columns, runs):
    """Make a position's class, with the place of every card, in a row of `state`."""
    table = classes.table
    state[:STATE_WIDTH] = GONE
    state[RUNS] = runs
    for column in range(columns.shape[0]):
        below = game.below[columns[column] >> BELOW_SHIFT, DEPTH]
        state[BELOW + column] = below
        for depth in range(below):
            card = classes.head[column, depth]
            while card != NO_CARD:
                state[card] = HIDDEN
                card = table[ABOVE, card]
        if below > 0:
            state[classes.head[column, below]] = HEAD
    for column in range(columns.shape[0]):
        word = columns[column]
        rank = (word >> RANK_SHIFT) & FIELD
        left = (word >> LENGTH_SHIFT) & FIELD
        under = np.int64(BASE)
        if state[BELOW + column] > 0:
            under = classes.head[column, state[BELOW + column]]
            rank -= 1
            left -= 1
        while left > 0:
            left -= 1
            # of cards that are alike any will do
            card = (rank - 1) * classes.counts[PER_RANK]
            while state[card] != GONE or table[SUIT, card] != (word >> (2 * left)) & 3:
                card += 1
            state[card] = under
            under = card
            rank -= 1


@jit
def column_of_head(classes, state, head):
    """The column in which a head of a row of `state` is."""
    column = np.int64(0)
    while classes.head[column, state[BELOW + column]] != head:
        column += 1
    return column


@jit
def uncover(classes, state, column):
    """The column's showing segment is gone from a row of `state`: show the next."""
    state[BELOW + column] -= 1
    below = state[BELOW + column]
    under = np.int64(HEAD if below > 0 else BASE)
    card = classes.head[column, below]
    while card != NO_CARD:
        state[card] = under
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
def size(mask):
    """How many bits are set."""
    size = np.int64(0)
    while mask:
        mask &= mask - 1
        size += 1
    return size


@jit
def _count(classes, depth):
    """Fill what is known of each rank; returns how many columns have no bad adjacency."""
    table = classes.table
    clear = np.int64(0)
    for column in range(classes.counts[COLUMNS]):
        clear += classes.state[depth, BELOW + column] == 0
    card = np.int64(0)
    rank = np.int64(0)
    while card < classes.counts[CARDS]:
        rank += 1
        free = np.int64(0)
        shown = np.int64(0)
        based = np.int64(0)
        for index in range(classes.counts[PER_RANK]):
            place = classes.state[depth, card]
            free |= np.int64(place <= UNKNOWN) << index
            shown |= np.int64(place <= HEAD) << index
            based |= np.int64(place == BASE) << index
            card += 1
        table[FREE, rank] = free
        table[SHOWN, rank] = shown
        table[BASED, rank] = based
        table[LEFT, rank] = 0
    return clear


@jit
def _spare_columns(classes, clear):
    """K, by the bases that have to stay; fills NEEDED and FULL [L1.1]."""
    table = classes.table
    kings = table[RANK, classes.counts[KINGS]]
    spare = clear - size(table[FREE, kings])
    for rank in range(1, kings):
        children = size(table[FREE, rank])
        parents = size(table[SHOWN, rank + 1])
        staying = size(table[BASED, rank] & ~table[LEFT, rank])
        table[NEEDED, rank] = max(staying, children - parents)
        table[FULL, rank + 1] = children - table[NEEDED, rank] >= parents
        spare -= table[NEEDED, rank]
    return spare


@jit
def _can_move(classes, rank, spare):
    """The cards of a rank below the king that can move when they are free."""
    if classes.table[FULL, rank + 1]:
        spare -= 1
    return classes.table[RUNNABLE + spare, rank] if spare >= 0 else np.int64(0)


@jit
def _find_runnable(classes, depth, spare):
    """Fill RUNNABLE and MOVES for so many spare columns [L1.2]."""
    state, table = classes.state, classes.table
    per_rank = classes.counts[PER_RANK]
    for used in range(spare + 1):
        table[RUNNABLE + used, 1] = table[SHOWN, 1]
    rank = np.int64(1)
    for first in range(per_rank, classes.counts[CARDS], per_rank):
        moves = _can_move(classes, rank, spare) & table[FREE, rank] & ~table[BASED, rank]
        moves |= table[LEFT, rank]
        table[MOVES, rank] = moves
        rank += 1
        shown = table[SHOWN, rank]
        still = table[FREE, rank - 1] & ~moves
        beside = shown  # parents without a known child that cannot move
        for index in range(per_rank):
            place = state[depth, first - per_rank + index]
            if still >> index & 1 and place < BASE:
                beside &= ~(np.int64(1) << (place - first))
        for used in range(spare + 1):
            runnable = beside
            if table[FULL, rank] and used == 0:
                runnable = np.int64(0)
            if table[FULL, rank]:
                runs = table[RUNNABLE + used, rank - 1] & table[FREE, rank - 1]
                for index in range(per_rank):
                    if runs >> index & 1 == 0:
                        continue
                    card = first - per_rank + index
                    own = shown & table[SUITED + table[SUIT, card], rank]
                    place = state[depth, card]
                    if moves >> index & 1 or place == UNKNOWN:
                        runnable |= own & beside
                    elif place < BASE:
                        runnable |= own & np.int64(1) << (place - first)
            table[RUNNABLE + used, rank] = runnable


@jit
def _close(classes, depth):
    """Make the places open that reversible moves can change, and fill the tables; returns K.

    A negative K: there is no such arrangement.
    """
    state, table = classes.state, classes.table
    clear = _count(classes, depth)
    spare = np.int64(0)
    again = True
    while again:
        spare = _spare_columns(classes, clear)
        if spare < 0:
            return spare
        _find_runnable(classes, depth, spare)
        again = False
        for rank in range(1, table[RANK, classes.counts[KINGS]]):
            leaving = table[BASED, rank] & ~table[LEFT, rank] & _can_move(classes, rank, spare)
            table[LEFT, rank] |= leaving
            again |= leaving != 0
    for card in range(classes.counts[KINGS]):
        if table[MOVES, table[RANK, card]] & table[BIT, card]:
            state[depth, card] = UNKNOWN
    return spare


@jit
def _make_key(classes, depth):
    """Note the key of a closed class in its frame [L1.7]."""
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
def _is_runnable(classes, card, spare):
    """The card is in R[spare]; nothing is for a negative number."""
    table = classes.table
    runnable = table[RUNNABLE + max(np.int64(0), spare), table[RANK, card]]
    return spare >= 0 and runnable & table[BIT, card] > 0


@jit
def _can_leave(classes, depth, suit, spare):
    """A run of the suit may come together, but for its king [L1.6]."""
    state, table = classes.state, classes.table
    per_rank = classes.counts[PER_RANK]
    for first in range(0, classes.counts[KINGS], per_rank):
        found = False
        for card in range(first, first + per_rank):
            under = state[depth, card]
            if table[SUIT, card] == suit and _is_runnable(classes, card, spare):
                found |= under == UNKNOWN or (under < BASE and table[SUIT, under] == suit)
        if not found:
            return False
    return True


@jit
def _list_removals(classes, depth, spare):
    """List the ways in which a run can leave; returns how many."""
    frame, table = classes.frame, classes.table
    count = np.int64(0)
    for suit in range(classes.counts[SUITS]):
        if not _can_leave(classes, depth, suit, spare):
            continue
        with_free_king = False
        for king in range(classes.counts[KINGS], classes.counts[CARDS]):
            place = classes.state[depth, king]
            if place > HEAD or table[SUIT, king] != suit or not _is_runnable(classes, king, spare):
                continue
            column = np.int64(FREE_KING)
            if place == HEAD:
                column = column_of_head(classes, classes.state[depth], king)
            elif with_free_king:
                continue
            else:
                with_free_king = True
            frame[depth, CHOICE + count] = ((suit + 1) << COLUMN_BITS) | column
            count += 1
    return count


@jit
def _list_lifts(classes, depth, spare, count):
    """Append the lifts [L1.5], the cheapest first; returns the new count of choices."""
    frame, table = classes.frame, classes.table
    first = count
    for column in range(classes.counts[COLUMNS]):
        below = classes.state[depth, BELOW + column]
        if below == 0:
            continue
        head = classes.head[column, below]
        rank = table[RANK, head]
        needed = np.int64(not _is_runnable(classes, head, spare))
        if head >= classes.counts[KINGS] or table[FULL, rank + 1]:
            needed = np.int64(1)
        if needed and not _is_runnable(classes, head, spare - 1):
            continue
        # insertion by cost, then by segments left; the sort key rides in the high bits
        choice = ((needed * 64 + below) << 16) | column
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
def _follow(classes, depth):
    """Make the class at depth + 1 by the next choice of a frame, and step to the one after it."""
    state, frame = classes.state, classes.frame
    for at in range(state.shape[1]):
        state[depth + 1, at] = state[depth, at]
    choice = frame[depth, CHOICE + frame[depth, NEXT]]
    frame[depth, NEXT] += 1
    column = choice & FREE_KING
    suit = (choice >> COLUMN_BITS) - 1
    if suit >= 0:
        _remove(classes, depth + 1, suit, column)
    else:
        head = classes.head[column, state[depth, BELOW + column]]
        state[depth + 1, head] = UNKNOWN if head < classes.counts[KINGS] else BASE
    if column != FREE_KING:
        uncover(classes, state[depth + 1], column)


@jit
def may_be_won(game, lifts, classes, columns, runs, most):
    """False when L1 proves the position lost, or that WANTED runs in all cannot leave (`lifts`).

    `columns`: words; `runs`: packed runs removed so far, fewer than wanted; `most`: classes that it
    may come to before it gives up.
    """
    if classes.counts[READY] == 0:
        get_ready(game, classes)
    load(game, classes, classes.state[0], columns, runs)
    return class_may_be_won(game, lifts, classes, most)


@jit
def class_may_be_won(game, lifts, classes, most):
    """The same for the class in the first row of `state`, when the tables are ready.

    Each question begins with half of the memo at least.
    """
    state, frame, counts = classes.state, classes.frame, classes.counts
    if counts[ENTRIES] * 2 >= classes.memo.shape[0]:
        classes.memo[:] = 0
        counts[ENTRIES] = 0
    wanted = lifts.counts[l0.WANTED]
    if wanted == 0:
        wanted = count_runs(game, game.info[START_RUNS])
    counts[VISITED] = 0
    depth = np.int64(0)
    while depth >= 0 and counts[VISITED] < most:
        # a class just reached: ask the memo or list choices
        frame[depth, CHOICES] = 0
        frame[depth, NEXT] = 0
        if count_runs(game, state[depth, RUNS]) >= wanted:
            break
        for column in range(counts[COLUMNS]):
            classes.words[column] = classes.table[WORD, state[depth, BELOW + column]]
        answer = np.int64(0)
        spare = np.int64(-1)
        if l0.may_be_won(game, lifts, classes.words, state[depth, RUNS]):
            spare = _close(classes, depth)
        if spare >= 0:
            _make_key(classes, depth)
            answer = _recall(classes, depth)
            if answer < 0:
                counts[VISITED] += 1
                count = _list_removals(classes, depth, spare)
                frame[depth, CHOICES] = _list_lifts(classes, depth, spare, count)
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
