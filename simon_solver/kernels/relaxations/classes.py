"""The class search L1: L0 and the places that cannot change; what it calls lost cannot be won.

L1 plays on lift vectors and removed runs as L0 does, and answers the same questions (see `lifts`).
But it remembers where some cards are. A *class* is a vector and, for some of the free cards, either
the card beneath or the fact that it is a column's base; where the others are is *open*. L1 first
*closes* a class: what moves that neither lift nor remove can change becomes open. Then it goes on
to a class for each lift and each removal that some arrangement in it may allow.

Numbers in brackets are statements of `docs/algorithms/`:

* spare columns and full layers [L1.1]; what becomes open [L1.2], also as known bases are let go one
  after the other [L1.3]; closing twice is closing once, on which the memo relies [L1.4];
* lifts [L1.5], removals [L1.6], and why "lost" is right [L1.8];
* the key of a class, 128 bits (see `pool`), names cards by their numbers [L1.7], not by their types
  [T.5].

A question that leads to too many classes is answered with "may be won".

In the code: a class is a row of `Classes.state`, with a `PLACE` for each card and then a `ROW`. T
is `RANK.free`, P is `RANK.shown`, N is `RANK.needed`, R[j] is `RANK.runnable + j` and M is
`RANK.moves`; where the text counts cards these are sets, a bit for each card of the rank. C is
`clear` and K is `spare`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.relaxations import lifts as l0
from simon_solver.kernels.relaxations.lifts import (
    COLUMN_BITS,
    FREE_KING,
    LIFTS,
    MAX_CHOICES,
    MAX_DEPTH,
    Lifts,
)
from simon_solver.kernels.relaxations.memo import (
    Memo,
    forget_all,
    make_room,
    new_memo,
    recall,
    remember,
)
from simon_solver.kernels.state.fields import (
    BELOW_SHIFT,
    FIELD_MASK,
    LENGTH_SHIFT,
    MAX_CARDS,
    MAX_COLUMNS,
    RANK_SHIFT,
    RUN_BITS,
)
from simon_solver.kernels.state.task import BELOW, COLUMN, INFO, Ints, Task
from simon_solver.kernels.state.words import count_runs, mix_a, mix_b, popcount


class _Place(NamedTuple):
    """The place of a card: the number of the card it is known to lie on, or one of these.

    What is at most `unknown` is free, what is at most `head` is exposed.
    """

    base: int = MAX_CARDS
    unknown: int = MAX_CARDS + 1
    """free, but open where"""
    head: int = MAX_CARDS + 2
    hidden: int = MAX_CARDS + 3
    gone: int = MAX_CARDS + 4


PLACE = _Place()

NO_CARD = -1


class _Row(NamedTuple):
    """Of a row of `Classes.state`, after the places of the cards."""

    below: int = MAX_CARDS
    """+ column: segments below the tail"""
    runs: int = MAX_CARDS + MAX_COLUMNS
    """packed runs removed"""
    width: int = MAX_CARDS + MAX_COLUMNS + 1


ROW = _Row()

FIELD_BITS, FIELDS_PER_WORD = 6, 10
"""Of the places and segments in a word of 60 bits, from which the key is made."""

MOST_CLASSES = int64(10_000)
"""Classes that L1 looks at for one position or node before it gives up, which is sound; a literal
would compile it twice."""


class Classes(NamedTuple):
    """Working arrays of L1, reused from position to position and from game to game."""

    head: Ints
    """[column, depth] the number of the first card of each segment"""
    by_card: Ints
    """[name, card] see `CARD`"""
    by_rank: Ints
    """[name, rank] see `RANK`"""
    word_by_depth: Ints
    """[depth] a word with so many segments below its tail"""
    state: Ints
    """[depth, n] the class of each frame: the place of each card, then see `ROW`"""
    frame: Ints
    """[depth, name] see `_FRAME`"""
    words: Ints
    """[column] words that ask L0 about a class"""
    memo: Memo
    """of classes"""
    counts: Ints
    """[name] see `CLASSES`"""


class _Card(NamedTuple):
    """Of `Classes.by_card`."""

    suit: int = 0
    rank: int = 1
    bit: int = 2
    """its own in a number with a bit for each card of its rank"""
    above: int = 3
    """the card dealt on it in its segment, or NO_CARD"""


CARD = _Card()


class _Rank(NamedTuple):
    """Of `Classes.by_rank`; sets have a bit for each card of the rank."""

    next_card: int = 0
    """cards numbered so far"""
    free: int = 1
    """T: the free ones"""
    shown: int = 2
    """P: the exposed ones"""
    based: int = 3
    """known bases"""
    left: int = 4
    """those that need not stay"""
    moves: int = 5
    """free cards that can move"""
    needed: int = 6
    """N"""
    full: int = 7
    """the layer whose parents have the rank is full"""
    suited: int = 8
    """+ suit: those of the suit"""
    runnable: int = 12
    """+ j: R[j]"""
    width: int = 12 + MAX_COLUMNS + 1


RANK = _Rank()


class _Frame(NamedTuple):
    """Of `Classes.frame`."""

    key_a: int = 0
    """one half of the key"""
    key_b: int = 1
    """the other half"""
    choices: int = 2
    """how many there are"""
    next: int = 3
    """the next of them"""
    first_choice: int = 4
    """from here on the choices: columns whose head is lifted, or suit + 1 << COLUMN_BITS |
    (column of the king, FREE_KING)"""


_FRAME = _Frame()


class _Classes(NamedTuple):
    """Of `Classes.counts`."""

    ready: int = 0
    """the tables are those of the task"""
    suits: int = 1
    columns: int = 2
    per_rank: int = 3
    """cards of each rank"""
    kings: int = 4
    """the number of the first king"""
    cards: int = 5
    visited: int = 6
    """classes that the last question came to"""


CLASSES = _Classes()


def new_classes(memo_slots: int = 1 << 16) -> Classes:
    """Fresh working arrays; `memo_slots` is a power of two."""
    arrays = Classes(
        head=np.zeros((MAX_COLUMNS, MAX_CARDS), np.int64),
        by_card=np.zeros((len(CARD), MAX_CARDS), np.int64),
        by_rank=np.zeros((RANK.width, MAX_CARDS), np.int64),
        word_by_depth=np.zeros(MAX_CARDS, np.int64),
        state=np.zeros((MAX_DEPTH, ROW.width), np.int64),
        frame=np.zeros((MAX_DEPTH, _FRAME.first_choice + MAX_CHOICES), np.int64),
        words=np.zeros(MAX_COLUMNS, np.int64),
        memo=new_memo(memo_slots),
        counts=np.zeros(len(CLASSES), np.int64),
    )
    classes = lasting(arrays)
    forget(classes)
    return classes


def forget(classes: Classes) -> None:
    """Drop tables and memo, as every new game and every new question must (see `lifts.forget`)."""
    classes.counts[CLASSES.ready] = 0
    forget_all(classes.memo)


@internal
def _recall(classes: Classes, depth: int) -> int:
    """What is known about the class of a frame: 1 "may be won", 0 "lost", -1 nothing."""
    frame = classes.frame
    return recall(classes.memo, frame[depth, _FRAME.key_a], frame[depth, _FRAME.key_b])


@internal
def _remember(classes: Classes, depth: int, answer: int) -> None:
    """Keep the answer for the class of a frame unless the memo is full."""
    frame = classes.frame
    remember(classes.memo, frame[depth, _FRAME.key_a], frame[depth, _FRAME.key_b], answer)


@internal
def get_ready(task: Task, classes: Classes) -> None:
    """Fill the tables for a new game: the cards are numbered by rank, aces first."""
    by_card, by_rank, counts = classes.by_card, classes.by_rank, classes.counts
    counts[CLASSES.ready] = 1
    counts[CLASSES.suits] = task.info.shape[0] - INFO.first_card
    counts[CLASSES.columns] = task.start.shape[0]
    counts[CLASSES.per_rank] = 0
    for suit in range(counts[CLASSES.suits]):
        counts[CLASSES.per_rank] += task.info[INFO.copies + suit]
    counts[CLASSES.cards] = task.info[INFO.ranks] * counts[CLASSES.per_rank]
    counts[CLASSES.kings] = counts[CLASSES.cards] - counts[CLASSES.per_rank]
    by_rank[RANK.next_card, :] = 0
    by_rank[RANK.suited : RANK.runnable, :] = 0
    classes.head[:, :] = NO_CARD
    for column in range(task.start.shape[0]):
        under = int64(NO_CARD)
        for depth in range(task.column[column, COLUMN.segments]):
            for place in range(
                task.segment_start[column, depth], task.segment_start[column, depth + 1]
            ):
                rank = task.card[column, place] & 15
                card = (rank - 1) * counts[CLASSES.per_rank] + by_rank[RANK.next_card, rank]
                suit = (task.card[column, place] >> 4) & 3
                by_card[CARD.suit, card] = suit
                by_card[CARD.rank, card] = rank
                by_card[CARD.bit, card] = int64(1) << by_rank[RANK.next_card, rank]
                by_rank[RANK.suited + suit, rank] |= by_card[CARD.bit, card]
                by_rank[RANK.next_card, rank] += 1
                by_card[CARD.above, card] = NO_CARD
                if place == task.segment_start[column, depth]:
                    classes.head[column, depth] = card
                else:
                    by_card[CARD.above, under] = card
                under = card
    # any word will do: L0 asks only how much is below
    for below in range(task.below.shape[0]):
        classes.word_by_depth[task.below[below, BELOW.depth]] = below << BELOW_SHIFT


@internal
def load(task: Task, classes: Classes, state: Ints, columns: Ints, runs: int) -> None:
    """Make a position's class, with the place of every card, in a row of `state`."""
    by_card = classes.by_card
    state[: ROW.width] = PLACE.gone
    state[ROW.runs] = runs
    for column in range(columns.shape[0]):
        below = task.below[columns[column] >> BELOW_SHIFT, BELOW.depth]
        state[ROW.below + column] = below
        for depth in range(below):
            card = classes.head[column, depth]
            while card != NO_CARD:
                state[card] = PLACE.hidden
                card = by_card[CARD.above, card]
        if below > 0:
            state[classes.head[column, below]] = PLACE.head
    for column in range(columns.shape[0]):
        word = columns[column]
        rank = (word >> RANK_SHIFT) & FIELD_MASK
        left = (word >> LENGTH_SHIFT) & FIELD_MASK
        under = PLACE.base
        if state[ROW.below + column] > 0:
            under = classes.head[column, state[ROW.below + column]]
            rank -= 1
            left -= 1
        while left > 0:
            left -= 1
            # of cards that are alike any will do
            card = (rank - 1) * classes.counts[CLASSES.per_rank]
            while state[card] != PLACE.gone or by_card[CARD.suit, card] != (word >> (2 * left)) & 3:
                card += 1
            state[card] = under
            under = card
            rank -= 1


@internal
def column_of_head(classes: Classes, state: Ints, head: int) -> int:
    """The column in which a head of a row of `state` is."""
    column = int64(0)
    while classes.head[column, state[ROW.below + column]] != head:
        column += 1
    return column


@internal
def uncover(classes: Classes, state: Ints, column: int) -> None:
    """The column's showing segment is gone from a row of `state`: show the next."""
    state[ROW.below + column] -= 1
    below = state[ROW.below + column]
    under = PLACE.head if below > 0 else PLACE.base
    card = classes.head[column, below]
    while card != NO_CARD:
        state[card] = under
        under = card
        card = classes.by_card[CARD.above, card]


@internal
def _remove(classes: Classes, depth: int, suit: int, column: int) -> None:
    """Take a run of the suit away whose king is the column's head, or free."""
    state, by_card = classes.state, classes.by_card
    for first in range(0, classes.counts[CLASSES.cards], classes.counts[CLASSES.per_rank]):
        card = first
        if first == classes.counts[CLASSES.kings] and column != FREE_KING:
            card = classes.head[column, state[depth, ROW.below + column]]
        else:
            while state[depth, card] > PLACE.unknown or by_card[CARD.suit, card] != suit:
                card += 1
        state[depth, card] = PLACE.gone
    # which of the cards that are alike are gone is not known
    for card in range(classes.counts[CLASSES.kings]):
        under = state[depth, card]
        if under <= PLACE.unknown and (
            by_card[CARD.suit, card] == suit
            or (
                under < PLACE.base
                and by_card[CARD.suit, under] == suit
                and state[depth, under] != PLACE.head
            )
        ):
            state[depth, card] = PLACE.unknown
    state[depth, ROW.runs] += int64(1) << (RUN_BITS * suit)


@internal
def _count(classes: Classes, depth: int) -> int:
    """Fill what is known of each rank; returns how many columns have no bad adjacency."""
    by_rank = classes.by_rank
    clear = int64(0)
    for column in range(classes.counts[CLASSES.columns]):
        clear += classes.state[depth, ROW.below + column] == 0
    card = int64(0)
    rank = int64(0)
    while card < classes.counts[CLASSES.cards]:
        rank += 1
        free = int64(0)
        shown = int64(0)
        based = int64(0)
        for index in range(classes.counts[CLASSES.per_rank]):
            place = classes.state[depth, card]
            free |= int64(place <= PLACE.unknown) << index
            shown |= int64(place <= PLACE.head) << index
            based |= int64(place == PLACE.base) << index
            card += 1
        by_rank[RANK.free, rank] = free
        by_rank[RANK.shown, rank] = shown
        by_rank[RANK.based, rank] = based
        by_rank[RANK.left, rank] = 0
    return clear


@internal
def _spare_columns(classes: Classes, clear: int) -> int:
    """K, by the bases that have to stay; fills `needed` and `full` [L1.1]."""
    by_card, by_rank = classes.by_card, classes.by_rank
    kings = by_card[CARD.rank, classes.counts[CLASSES.kings]]
    spare = clear - popcount(by_rank[RANK.free, kings])
    for rank in range(1, kings):
        children = popcount(by_rank[RANK.free, rank])
        parents = popcount(by_rank[RANK.shown, rank + 1])
        staying = popcount(by_rank[RANK.based, rank] & ~by_rank[RANK.left, rank])
        by_rank[RANK.needed, rank] = max(staying, children - parents)
        by_rank[RANK.full, rank + 1] = children - by_rank[RANK.needed, rank] >= parents
        spare -= by_rank[RANK.needed, rank]
    return spare


@internal
def _can_move(classes: Classes, rank: int, spare: int) -> int:
    """The cards of a rank below the king that can move when they are free."""
    if classes.by_rank[RANK.full, rank + 1]:
        spare -= 1
    return classes.by_rank[RANK.runnable + spare, rank] if spare >= 0 else int64(0)


@internal
def _find_runnable(classes: Classes, depth: int, spare: int) -> None:
    """Fill `runnable` and `moves` for so many spare columns [L1.2]."""
    state, by_card, by_rank = classes.state, classes.by_card, classes.by_rank
    per_rank = classes.counts[CLASSES.per_rank]
    for used in range(spare + 1):
        by_rank[RANK.runnable + used, 1] = by_rank[RANK.shown, 1]
    rank = int64(1)
    for first in range(per_rank, classes.counts[CLASSES.cards], per_rank):
        moves = (
            _can_move(classes, rank, spare) & by_rank[RANK.free, rank] & ~by_rank[RANK.based, rank]
        )
        moves |= by_rank[RANK.left, rank]
        by_rank[RANK.moves, rank] = moves
        rank += 1
        shown = by_rank[RANK.shown, rank]
        still = by_rank[RANK.free, rank - 1] & ~moves
        beside = shown  # parents without a known child that cannot move
        for index in range(per_rank):
            place = state[depth, first - per_rank + index]
            if still >> index & 1 and place < PLACE.base:
                beside &= ~(int64(1) << (place - first))
        for used in range(spare + 1):
            runnable = beside
            if by_rank[RANK.full, rank] and used == 0:
                runnable = int64(0)
            if by_rank[RANK.full, rank]:
                runs = by_rank[RANK.runnable + used, rank - 1] & by_rank[RANK.free, rank - 1]
                for index in range(per_rank):
                    if runs >> index & 1 == 0:
                        continue
                    card = first - per_rank + index
                    own = shown & by_rank[RANK.suited + by_card[CARD.suit, card], rank]
                    place = state[depth, card]
                    if moves >> index & 1 or place == PLACE.unknown:
                        runnable |= own & beside
                    elif place < PLACE.base:
                        runnable |= own & int64(1) << (place - first)
            by_rank[RANK.runnable + used, rank] = runnable


@internal
def _close(classes: Classes, depth: int) -> int:
    """Open every place that reversible moves can change, and fill the tables; returns K.

    A negative K: there is no such arrangement.
    """
    state, by_card, by_rank = classes.state, classes.by_card, classes.by_rank
    clear = _count(classes, depth)
    spare = int64(0)
    again = True
    while again:
        spare = _spare_columns(classes, clear)
        if spare < 0:
            return spare
        _find_runnable(classes, depth, spare)
        again = False
        for rank in range(1, by_card[CARD.rank, classes.counts[CLASSES.kings]]):
            leaving = (
                by_rank[RANK.based, rank]
                & ~by_rank[RANK.left, rank]
                & _can_move(classes, rank, spare)
            )
            by_rank[RANK.left, rank] |= leaving
            again |= leaving != 0
    for card in range(classes.counts[CLASSES.kings]):
        if by_rank[RANK.moves, by_card[CARD.rank, card]] & by_card[CARD.bit, card]:
            state[depth, card] = PLACE.unknown
    return spare


@internal
def _make_key(classes: Classes, depth: int) -> None:
    """Note the key of a closed class in its frame [L1.7]."""
    state = classes.state
    key_a = mix_a(state[depth, ROW.runs])
    key_b = mix_b(state[depth, ROW.runs])
    packed = int64(0)
    filled = int64(0)
    for at in range(state.shape[1] - 1):
        field = state[depth, at]
        if at < ROW.below:
            # segments tell what is exposed, and free kings are always bases
            field = (
                field + 1
                if at < classes.counts[CLASSES.kings] and field <= PLACE.base
                else int64(0)
            )
        packed = packed << FIELD_BITS | field
        filled += 1
        if filled == FIELDS_PER_WORD or at == state.shape[1] - 2:
            key_a = mix_a(key_a ^ packed)
            key_b = mix_b(key_b ^ packed)
            packed = int64(0)
            filled = int64(0)
    classes.frame[depth, _FRAME.key_a] = key_a
    classes.frame[depth, _FRAME.key_b] = key_b


@internal
def _is_runnable(classes: Classes, card: int, spare: int) -> bool:
    """The card is in R[spare]; nothing is for a negative number."""
    by_card, by_rank = classes.by_card, classes.by_rank
    runnable = by_rank[RANK.runnable + max(int64(0), spare), by_card[CARD.rank, card]]
    return spare >= 0 and runnable & by_card[CARD.bit, card] > 0


@internal
def _can_leave(classes: Classes, depth: int, suit: int, spare: int) -> bool:
    """A run of the suit may come together, but for its king [L1.6]."""
    state, by_card = classes.state, classes.by_card
    per_rank = classes.counts[CLASSES.per_rank]
    for first in range(0, classes.counts[CLASSES.kings], per_rank):
        found = False
        for card in range(first, first + per_rank):
            under = state[depth, card]
            if by_card[CARD.suit, card] == suit and _is_runnable(classes, card, spare):
                found |= under == PLACE.unknown or (
                    under < PLACE.base and by_card[CARD.suit, under] == suit
                )
        if not found:
            return False
    return True


@internal
def _list_removals(classes: Classes, depth: int, spare: int) -> int:
    """List the ways in which a run can leave; returns how many."""
    frame, by_card = classes.frame, classes.by_card
    count = int64(0)
    for suit in range(classes.counts[CLASSES.suits]):
        if not _can_leave(classes, depth, suit, spare):
            continue
        with_free_king = False
        for king in range(classes.counts[CLASSES.kings], classes.counts[CLASSES.cards]):
            place = classes.state[depth, king]
            if (
                place > PLACE.head
                or by_card[CARD.suit, king] != suit
                or not _is_runnable(classes, king, spare)
            ):
                continue
            column = int64(FREE_KING)
            if place == PLACE.head:
                column = column_of_head(classes, classes.state[depth], king)
            elif with_free_king:
                continue
            else:
                with_free_king = True
            frame[depth, _FRAME.first_choice + count] = ((suit + 1) << COLUMN_BITS) | column
            count += 1
    return count


@internal
def _list_lifts(classes: Classes, depth: int, spare: int, count: int) -> int:
    """Append the lifts [L1.5], the cheapest first; returns the new count of choices."""
    frame, by_card, by_rank = classes.frame, classes.by_card, classes.by_rank
    first = count
    for column in range(classes.counts[CLASSES.columns]):
        below = classes.state[depth, ROW.below + column]
        if below == 0:
            continue
        head = classes.head[column, below]
        rank = by_card[CARD.rank, head]
        needed = int64(not _is_runnable(classes, head, spare))
        if head >= classes.counts[CLASSES.kings] or by_rank[RANK.full, rank + 1]:
            needed = int64(1)
        if needed and not _is_runnable(classes, head, spare - 1):
            continue
        # insertion by cost, then by segments left; the sort key rides in the high bits
        choice = ((needed * 64 + below) << 16) | column
        at = _FRAME.first_choice + count
        while at > _FRAME.first_choice + first and frame[depth, at - 1] > choice:
            frame[depth, at] = frame[depth, at - 1]
            at -= 1
        frame[depth, at] = choice
        count += 1
    for at in range(_FRAME.first_choice + first, _FRAME.first_choice + count):
        frame[depth, at] &= 0xFFFF
    return count


@internal
def _follow(classes: Classes, depth: int) -> None:
    """Make the class at depth + 1 by the next choice of a frame, and step to the one after it."""
    state, frame = classes.state, classes.frame
    for at in range(state.shape[1]):
        state[depth + 1, at] = state[depth, at]
    choice = frame[depth, _FRAME.first_choice + frame[depth, _FRAME.next]]
    frame[depth, _FRAME.next] += 1
    column = choice & FREE_KING
    suit = (choice >> COLUMN_BITS) - 1
    if suit >= 0:
        _remove(classes, depth + 1, suit, column)
    else:
        head = classes.head[column, state[depth, ROW.below + column]]
        state[depth + 1, head] = (
            PLACE.unknown if head < classes.counts[CLASSES.kings] else PLACE.base
        )
    if column != FREE_KING:
        uncover(classes, state[depth + 1], column)


@internal
def may_be_won(
    task: Task, lifts: Lifts, classes: Classes, columns: Ints, runs: int, most: int
) -> int:
    """False when L1 proves the position lost, or that `wanted` runs in all cannot leave (`lifts`).

    `columns`: words; `runs`: packed runs removed so far, fewer than wanted; `most`: classes that it
    may come to before it gives up.
    """
    if classes.counts[CLASSES.ready] == 0:
        get_ready(task, classes)
    load(task, classes, classes.state[0], columns, runs)
    return class_may_be_won(task, lifts, classes, most)


@internal
def class_may_be_won(task: Task, lifts: Lifts, classes: Classes, most: int) -> bool:
    """The same for the class in the first row of `state`, when the tables are ready.

    Each question begins with half of the memo at least.
    """
    state, frame, counts = classes.state, classes.frame, classes.counts
    make_room(classes.memo)
    wanted = lifts.counts[LIFTS.wanted]
    if wanted == 0:
        wanted = count_runs(task, task.info[INFO.start_runs])
    counts[CLASSES.visited] = 0
    depth = int64(0)
    while depth >= 0 and counts[CLASSES.visited] < most:
        # a class just reached: ask the memo or list choices
        frame[depth, _FRAME.choices] = 0
        frame[depth, _FRAME.next] = 0
        if count_runs(task, state[depth, ROW.runs]) >= wanted:
            break
        for column in range(counts[CLASSES.columns]):
            classes.words[column] = classes.word_by_depth[state[depth, ROW.below + column]]
        answer = int64(0)
        spare = int64(-1)
        if l0.may_be_won(task, lifts, classes.words, state[depth, ROW.runs]):
            spare = _close(classes, depth)
        if spare >= 0:
            _make_key(classes, depth)
            answer = _recall(classes, depth)
            if answer < 0:
                counts[CLASSES.visited] += 1
                count = _list_removals(classes, depth, spare)
                frame[depth, _FRAME.choices] = _list_lifts(classes, depth, spare, count)
        if answer == 1:
            break
        # back to the nearest class with a choice left
        while depth >= 0 and frame[depth, _FRAME.next] == frame[depth, _FRAME.choices]:
            if answer < 0:
                _remember(classes, depth, int64(0))
            answer = int64(-1)
            depth -= 1
        if depth >= 0:
            _follow(classes, depth)
            depth += 1
    for above in range(depth):
        _remember(classes, above, int64(1))
    return depth >= 0
