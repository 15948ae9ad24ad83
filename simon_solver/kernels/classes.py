"""L1 (draft)."""

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
    RANKS,
    RUN_SCALE,
    START_RUNS,
    VECTOR,
    Ints,
)
from simon_solver.kernels.words import count_runs, mix_a, mix_b

# The place of a card: the number of the card it is known to lie on, or one of these. What is at
# most UNKNOWN is free, what is at most HEAD is exposed.
BASE, UNKNOWN, HEAD, HIDDEN, GONE = range(MAX_CARDS, MAX_CARDS + 5)
PLACE_BITS = 6
PLACES_PER_WORD = 10

# what follows the places in a class
BELOW = MAX_CARDS
"""+ column: segments below the tail"""
RUNS = BELOW + MAX_COLUMNS
"""packed runs removed"""
WIDTH = RUNS + 1

FIRST_REMOVAL = 16
"""A choice is a column whose head is lifted, or (suit + 1) * 16 + (column of the king | FREE_KING).
"""
FREE_KING = 15
LAST_HOLE = 1 << 8
"""Added to a choice: the lift fills the last hole of its layer."""
MOST_MATCHED = 4
"""More children are not matched with their parents: too many ways."""


class Classes(NamedTuple):
    """Working arrays of L1, reused from position to position and from game to game."""

    card: Ints
    """[column, index from the base] the number of the card dealt there: by rank, aces first"""
    suit: Ints
    """[card]"""
    state: Ints
    """[depth, n] classes: the place of each card, then see BELOW and RUNS"""
    frame: Ints
    """[depth, (key half a, key half b, number of choices, next choice, next matching)]"""
    choice: Ints
    """[depth, n] the open choices of each frame"""
    layer: Ints
    """[rank, (free, shown, based)] cards of the rank: free, exposed, known to be a base"""
    runs: Ints
    """[card] NOT_RUNNABLE, WITH_SLOT or RUNNABLE"""
    child: Ints
    """[card] the child that never leaves the card, or -1"""
    pairs: Ints
    """[(child, parent), n] cards to be matched"""
    words: Ints
    """[column] words that ask L0 about a class"""
    depths: Ints
    """[segments below a tail] a word of some column with so many"""
    memo: Ints
    """[slot, (key half a, key half b, generation and answer)]"""
    counts: Ints
    """see the names below"""


NOT_RUNNABLE, WITH_SLOT, RUNNABLE = range(3)
FREE, SHOWN, BASED = range(3)
KEY_A, KEY_B, CHOICES, NEXT, MATCHING = range(5)
READY, PER_RANK, ENTRIES, GENERATION, VISITED, COUNTERS = range(6)
"""Of `counts`: READY: the tables are those of the game; PER_RANK: cards of each rank; ENTRIES: of
the memo; VISITED: classes that the last question came to."""


def new_classes(memo_slots: int = 1 << 16) -> Classes:
    """Fresh working arrays; `memo_slots` is a power of two."""
    depth = 2 * MAX_CARDS
    classes = Classes(
        card=np.zeros((MAX_COLUMNS, MAX_CARDS), np.int64),
        suit=np.zeros(MAX_CARDS, np.int64),
        state=np.zeros((depth, WIDTH), np.int64),
        frame=np.zeros((depth, 5), np.int64),
        choice=np.zeros((depth, 2 * MAX_COLUMNS + 4), np.int64),
        layer=np.zeros((16, 3), np.int64),
        runs=np.zeros(MAX_CARDS, np.int64),
        child=np.zeros(MAX_CARDS, np.int64),
        pairs=np.zeros((2, MAX_CARDS), np.int64),
        words=np.zeros(MAX_COLUMNS, np.int64),
        depths=np.zeros(MAX_CARDS, np.int64),
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
    mask = classes.memo.shape[0] - 1
    at = key_a & mask
    while classes.memo[at, 2] >> 1 == classes.counts[GENERATION]:
        if classes.memo[at, 0] == key_a and classes.memo[at, 1] == key_b:
            return at
        at = (at + 1) & mask
    return at


@jit
def _recall(classes, key_a, key_b):
    """1 "may be won", 0 "lost", -1 not known."""
    kept = classes.memo[_slot(classes, key_a, key_b), 2]
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
    """Number the cards of a new game by rank."""
    if classes.counts[READY]:
        return
    classes.counts[READY] = 1
    per_rank = np.int64(0)
    for suit in range(4):
        per_rank += game.info[COPIES + suit]
    classes.counts[PER_RANK] = per_rank
    taken = classes.child
    for card in range(taken.shape[0]):
        taken[card] = 0
    for column in range(game.start.shape[0]):
        for place in range(game.card.shape[1]):
            rank = game.card[column, place] & 15
            if rank > 0:
                card = (rank - 1) * per_rank + taken[rank]
                taken[rank] += 1
                classes.card[column, place] = card
                classes.suit[card] = (game.card[column, place] >> 4) & 3
    for below in range(game.below.shape[0]):
        classes.depths[game.below[below, DEPTH]] = below << BELOW_SHIFT


@jit
def _load(game, classes, columns, runs):
    """Make the class of a position at depth 0."""
    state = classes.state
    per_rank = classes.counts[PER_RANK]
    for card in range(classes.suit.shape[0]):
        state[0, card] = GONE
    for column in range(columns.shape[0]):
        depth = game.below[columns[column] >> BELOW_SHIFT, DEPTH]
        state[0, BELOW + column] = depth
        for place in range(game.segment_start[column, depth]):
            state[0, classes.card[column, place]] = HIDDEN
        if depth > 0:
            state[0, classes.card[column, game.segment_start[column, depth]]] = HEAD
    for column in range(columns.shape[0]):
        word = columns[column]
        rank = (word >> RANK_SHIFT) & FIELD
        left = (word >> LENGTH_SHIFT) & FIELD
        under = np.int64(BASE)
        if state[0, BELOW + column] > 0:
            under = classes.card[column, game.segment_start[column, state[0, BELOW + column]]]
            rank -= 1
            left -= 1
        while left > 0:
            left -= 1
            card = (rank - 1) * per_rank
            while state[0, card] != GONE or classes.suit[card] != (word >> (2 * left)) & 3:
                card += 1
            state[0, card] = under
            under = card
            rank -= 1
    state[0, RUNS] = runs


@jit
def _expose(game, classes, depth, column):
    """The top segment of the column has been lifted off: show the next."""
    state = classes.state
    state[depth, BELOW + column] -= 1
    below = state[depth, BELOW + column]
    under = np.int64(HEAD if below > 0 else BASE)
    for place in range(game.segment_start[column, below], game.segment_start[column, below + 1]):
        card = classes.card[column, place]
        state[depth, card] = under
        under = card


@jit
def _lift(game, classes, depth, column):
    """Lift the head of the column to a place that is not known."""
    head = classes.card[column, game.segment_start[column, classes.state[depth, BELOW + column]]]
    is_king = head >= (game.info[RANKS] - 1) * classes.counts[PER_RANK]
    classes.state[depth, head] = BASE if is_king else UNKNOWN
    _expose(game, classes, depth, column)


@jit
def _remove(game, classes, depth, suit, column):
    """Remove a run of the suit whose king is the column's head, or free."""
    state = classes.state
    per_rank = classes.counts[PER_RANK]
    ranks = game.info[RANKS]
    for rank in range(1, ranks + 1):
        card = (rank - 1) * per_rank
        if rank == ranks and column != FREE_KING:
            card = classes.card[column, game.segment_start[column, state[depth, BELOW + column]]]
        else:
            while state[depth, card] > UNKNOWN or classes.suit[card] != suit:
                card += 1
        state[depth, card] = GONE
    # which of the cards that are alike have left is not known
    for card in range((ranks - 1) * per_rank):
        under = state[depth, card]
        if under <= UNKNOWN and (
            classes.suit[card] == suit
            or (under < BASE and classes.suit[under] == suit and state[depth, under] != HEAD)
        ):
            state[depth, card] = UNKNOWN
    state[depth, RUNS] += np.int64(1) << (RUN_BITS * suit)
    if column != FREE_KING:
        _expose(game, classes, depth, column)


@jit
def _count(game, classes, depth):
    """Count the cards of each layer; returns the slack E."""
    per_rank = classes.counts[PER_RANK]
    ranks = game.info[RANKS]
    slack = np.int64(0)
    for column in range(game.start.shape[0]):
        slack += classes.state[depth, BELOW + column] == 0
    card = np.int64(0)
    for rank in range(1, ranks + 1):
        free = np.int64(0)
        shown = np.int64(0)
        based = np.int64(0)
        for _ in range(per_rank):
            place = classes.state[depth, card]
            free += place <= UNKNOWN
            shown += place <= HEAD
            based += place == BASE
            card += 1
        classes.layer[rank, FREE] = free
        classes.layer[rank, SHOWN] = shown
        classes.layer[rank, BASED] = based
        if rank > 1:
            slack -= max(np.int64(0), classes.layer[rank - 1, FREE] - shown)
    return slack - classes.layer[ranks, FREE]


@jit
def _has_hole(classes, rank, slot):
    """Some card of the rank is free for a child as long as no child is in the slot."""
    layer = classes.layer
    based = np.int64(0) if slot else layer[rank - 1, BASED]
    return layer[rank, SHOWN] > layer[rank - 1, FREE] - based


@jit
def _find_runnable(game, classes, depth, slot, write):
    """Fill `runs`, with a slot or without; `write`: forget the places of what can move."""
    state, runs, child = classes.state, classes.runs, classes.child
    per_rank = classes.counts[PER_RANK]
    for card in range(per_rank):
        runs[card] = RUNNABLE if state[depth, card] <= HEAD else NOT_RUNNABLE
    for rank in range(2, game.info[RANKS] + 1):
        hole = _has_hole(classes, rank, slot)
        first = (rank - 1) * per_rank
        for card in range(first, first + per_rank):
            child[card] = -1
        for card in range(first - per_rank, first):
            if state[depth, card] > UNKNOWN:
                continue
            if (hole and runs[card] != NOT_RUNNABLE) or (slot > 0 and runs[card] == RUNNABLE):
                if write:
                    state[depth, card] = UNKNOWN
            elif state[depth, card] < BASE:
                child[state[depth, card]] = card
        for card in range(first, first + per_rank):
            runs[card] = NOT_RUNNABLE
            if state[depth, card] > HEAD:
                continue
            if child[card] >= 0:
                if classes.suit[child[card]] == classes.suit[card]:
                    runs[card] = runs[child[card]]
                continue
            if hole:
                runs[card] = RUNNABLE
                continue
            if slot:
                runs[card] = WITH_SLOT
            for other in range(first - per_rank, first):
                if (
                    state[depth, other] == UNKNOWN
                    and runs[other] == RUNNABLE
                    and classes.suit[other] == classes.suit[card]
                ):
                    runs[card] = RUNNABLE


@jit
def _slot_is_lost(game, classes, depth):
    """With E = 1: no base can ever leave its column, so none becomes empty."""
    per_rank = classes.counts[PER_RANK]
    ranks = game.info[RANKS]
    columns = np.int64(0)
    for column in range(game.start.shape[0]):
        columns += classes.state[depth, BELOW + column] == 0
    known = np.int64(0)
    for rank in range(1, ranks + 1):
        known += classes.layer[rank, BASED]
    if known < columns:
        return False
    _find_runnable(game, classes, depth, np.int64(0), np.int64(0))
    for card in range((ranks - 1) * per_rank):
        if classes.state[depth, card] == BASE and classes.runs[card] == RUNNABLE:
            if _has_hole(classes, card // per_rank + 2, np.int64(0)):
                return False
    return True


@jit
def _normalize(game, classes, depth, slack):
    """Forget what reversible moves can change, and fill `runs`; returns E, 0 to 2."""
    if slack >= 2:
        per_rank = classes.counts[PER_RANK]
        for card in range(game.info[RANKS] * per_rank):
            place = classes.state[depth, card]
            classes.runs[card] = RUNNABLE if place <= HEAD else NOT_RUNNABLE
            if place <= UNKNOWN and card < (game.info[RANKS] - 1) * per_rank:
                classes.state[depth, card] = UNKNOWN
        return np.int64(2)
    if slack == 1 and _slot_is_lost(game, classes, depth):
        slack = np.int64(0)
    _find_runnable(game, classes, depth, slack, np.int64(1))
    return slack


@jit
def _make_key(game, classes, depth):
    """Note the key of a normalized class in its frame."""
    vector = game.info[RUN_SCALE] * classes.state[depth, RUNS]
    for column in range(game.start.shape[0]):
        vector += game.shows[column, classes.state[depth, BELOW + column], VECTOR]
    key_a = mix_a(vector)
    key_b = mix_b(vector)
    packed = np.int64(0)
    filled = np.int64(0)
    # where free kings are goes without saying
    for card in range((game.info[RANKS] - 1) * classes.counts[PER_RANK]):
        place = classes.state[depth, card]
        packed = packed << PLACE_BITS | (place + 1 if place <= BASE else np.int64(0))
        filled += 1
        if filled == PLACES_PER_WORD:
            key_a = mix_a(key_a ^ packed)
            key_b = mix_b(key_b ^ packed)
            packed = np.int64(0)
            filled = np.int64(0)
    classes.frame[depth, KEY_A] = mix_a(key_a ^ packed)
    classes.frame[depth, KEY_B] = mix_b(key_b ^ packed)


@jit
def _passes_lifts(game, classes, lifts, depth):
    """L0 does not prove the class lost; it looks at how many segments are below each tail."""
    columns = game.start.shape[0]
    for column in range(columns):
        classes.words[column] = classes.depths[classes.state[depth, BELOW + column]]
    return l0.may_be_won(game, lifts, classes.words, classes.state[depth, RUNS])


@jit
def _can_leave(game, classes, depth, suit):
    """A run of the suit may come together; which king leaves with it is asked apart."""
    state = classes.state
    per_rank = classes.counts[PER_RANK]
    for rank in range(1, game.info[RANKS]):
        found = False
        for card in range((rank - 1) * per_rank, rank * per_rank):
            under = state[depth, card]
            if classes.suit[card] == suit and classes.runs[card] != NOT_RUNNABLE:
                found |= under == UNKNOWN or (under < BASE and classes.suit[under] == suit)
        if not found:
            return False
    return True


@jit
def _list_removals(game, classes, depth):
    """Fill the ways in which a run can leave; returns how many."""
    state, out = classes.state, classes.choice
    first_king = (game.info[RANKS] - 1) * classes.counts[PER_RANK]
    count = np.int64(0)
    for suit in range(4):
        if not _can_leave(game, classes, depth, suit):
            continue
        for king in range(first_king, first_king + classes.counts[PER_RANK]):
            if (
                state[depth, king] == BASE
                and classes.suit[king] == suit
                and classes.runs[king] != NOT_RUNNABLE
            ):
                out[depth, count] = (suit + 1) * FIRST_REMOVAL + FREE_KING
                count += 1
                break
        for column in range(game.start.shape[0]):
            below = state[depth, BELOW + column]
            king = classes.card[column, game.segment_start[column, below]]
            if (
                below > 0
                and king >= first_king
                and classes.suit[king] == suit
                and classes.runs[king] != NOT_RUNNABLE
            ):
                out[depth, count] = (suit + 1) * FIRST_REMOVAL + column
                count += 1
    return count


@jit
def _list_lifts(game, classes, depth, slack, count):
    """Append the lifts, the cheapest first; returns the new count of choices."""
    out, layer = classes.choice, classes.layer
    ranks = game.info[RANKS]
    first = count
    for column in range(game.start.shape[0]):
        below = classes.state[depth, BELOW + column]
        if below == 0:
            continue
        head = classes.card[column, game.segment_start[column, below]]
        rank = head // classes.counts[PER_RANK] + 1
        hole = rank < ranks and _has_hole(classes, rank + 1, np.int64(slack > 0))
        needed = np.int64(WITH_SLOT if hole else RUNNABLE)
        if classes.runs[head] < needed or (not hole and slack == 0):
            continue
        # insertion by cost, then by segments left; the sort key rides in the high bits
        entry = ((needed * 64 + below) << 16) | column
        if slack == 0:
            children = layer[rank, FREE] - layer[rank, BASED]
            if layer[rank + 1, SHOWN] == children + 1:
                entry |= LAST_HOLE
        at = count
        while at > first and out[depth, at - 1] > entry:
            out[depth, at] = out[depth, at - 1]
            at -= 1
        out[depth, at] = entry
        count += 1
    for at in range(first, count):
        out[depth, at] &= 0xFFFF
    return count


@jit
def _collect_pairs(classes, depth, head):
    """Collect children and parents of a full layer whose places are not known.

    Those of one suit get the same index as far as that goes. Returns how many, 0 if too many.
    """
    state, pairs, child = classes.state, classes.pairs, classes.child
    per_rank = classes.counts[PER_RANK]
    start = head // per_rank * per_rank
    parents = np.int64(0)
    for card in range(start + per_rank, start + 2 * per_rank):
        child[card] = -1
    for card in range(start, start + per_rank):
        if state[depth, card] < BASE:
            child[state[depth, card]] = card
    for card in range(start + per_rank, start + 2 * per_rank):
        if state[depth, card] <= HEAD and child[card] < 0:
            pairs[1, parents] = card
            parents += 1
    children = np.int64(0)
    for card in range(start, start + per_rank):
        if state[depth, card] == UNKNOWN:
            pairs[0, children] = card
            children += 1
    if children != parents or children > MOST_MATCHED:
        return np.int64(0)
    # suits: exchange parents, then children, so that pairs of one suit stand side by side
    paired = np.int64(0)
    for one in range(children):
        for other in range(paired, children):
            if classes.suit[pairs[0, one]] == classes.suit[pairs[1, other]]:
                pairs[1, paired], pairs[1, other] = pairs[1, other], pairs[1, paired]
                pairs[0, paired], pairs[0, one] = pairs[0, one], pairs[0, paired]
                paired += 1
                break
    return children


@jit
def _match(classes, depth, number, pairs):
    """Put each child of the pairs on a parent, in the way of that number; False if it is the last.
    """
    for child in range(pairs):
        left = pairs - child
        pick = child + number % left
        number //= left
        parent = classes.pairs[1, pick]
        classes.pairs[1, pick] = classes.pairs[1, child]
        classes.pairs[1, child] = parent
        classes.state[depth, classes.pairs[0, child]] = parent


@jit
def _follow(game, classes, depth):
    """Make the class at depth + 1 by the next choice of a frame, and step to the one after it."""
    state, frame = classes.state, classes.frame
    for at in range(state.shape[1]):
        state[depth + 1, at] = state[depth, at]
    choice = classes.choice[depth, frame[depth, NEXT]]
    column = choice & 15
    kind = (choice & (LAST_HOLE - 1)) // FIRST_REMOVAL
    depth += 1
    ways = np.int64(1)
    if kind > 0:
        _remove(game, classes, depth, kind - 1, column)
    elif choice & LAST_HOLE:
        head = classes.card[column, game.segment_start[column, state[depth, BELOW + column]]]
        state[depth, head] = UNKNOWN
        pairs = _collect_pairs(classes, depth, head)
        _expose(game, classes, depth, column)
        rank = head // classes.counts[PER_RANK] + 1
        if pairs > 1 and _count(game, classes, depth) == 0:
            if not _has_hole(classes, rank + 1, np.int64(0)):
                for factor in range(2, pairs + 1):
                    ways *= factor
                _match(classes, depth, frame[depth - 1, MATCHING], pairs)
    else:
        _lift(game, classes, depth, column)
    frame[depth - 1, MATCHING] += 1
    if frame[depth - 1, MATCHING] >= ways:
        frame[depth - 1, MATCHING] = 0
        frame[depth - 1, NEXT] += 1


@jit
def may_be_won(game, classes, lifts, columns, runs, most):
    """False when L1 proves the position lost."""
    _get_ready(game, classes)
    _load(game, classes, columns, runs)
    wanted = lifts.counts[l0.WANTED]
    if wanted == 0:
        wanted = count_runs(game, game.info[START_RUNS])
    frame = classes.frame
    classes.counts[VISITED] = 0
    depth = np.int64(0)
    while depth >= 0:
        answer = np.int64(1)
        slack = np.int64(0)
        frame[depth, CHOICES] = 0
        frame[depth, NEXT] = 0
        frame[depth, MATCHING] = 0
        if count_runs(game, classes.state[depth, RUNS]) < wanted:
            slack = _count(game, classes, depth)
            answer = np.int64(slack >= 0)
            if answer == 1:
                answer = np.int64(_passes_lifts(game, classes, lifts, depth))
            if answer == 1:
                slack = _normalize(game, classes, depth, slack)
                _make_key(game, classes, depth)
                answer = _recall(classes, frame[depth, KEY_A], frame[depth, KEY_B])
                if answer < 0:
                    classes.counts[VISITED] += 1
                    count = _list_removals(game, classes, depth)
                    frame[depth, CHOICES] = _list_lifts(game, classes, depth, slack, count)
        if answer == 1 or classes.counts[VISITED] > most:
            break
        known = answer == 0
        # back to the nearest class with a choice left
        while depth >= 0 and frame[depth, NEXT] == frame[depth, CHOICES]:
            if not known:
                _remember(classes, depth, np.int64(0))
            known = False
            depth -= 1
        if depth >= 0:
            _follow(game, classes, depth)
            depth += 1
    for above in range(depth):
        _remember(classes, above, np.int64(1))
    return depth >= 0
