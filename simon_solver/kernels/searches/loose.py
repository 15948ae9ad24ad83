"""The loose search: whether a deal without copies can be won, with many positions in one node.

A node knows where each head and each hidden card is, as a class of L1 does (see `classes`, whose
tables and whose form of a row are used here), and of each other exposed card that it lies on a
known card, that it is the base of a column, or that it is *loose*: it lies on some exposed card one
rank higher that no card is known to cover. A node stands for all such arrangements.

`NODE.runnable` has the set ρ of `docs/algorithms/`, in which all runnable cards are [LS.1];
*settling* a node makes those loose that are in ρ, are no bases and whose layer has *holes*. The
steps are lifts, moves of free cards, and removals; each legal move is one of them or stays in the
node [LS.2]. After a step loose cards may have to be *placed*, on any parent that no card is known
to cover, before the lifted head's column shows the next segment [LS.3]. So when nothing is left,
there is no win [LS.4].

Within a node every arrangement leads to every other, but for runs that are complete too early, so a
goal is no win before moves have been found [LS.5]: see `laying`.

A node is dropped if L0 or L1 proves it lost when its turn comes. Only a lift or a removal can lose
a game [S.3], so other nodes are not asked about. The search is best first on f = weight_g * g +
weight_h * h, where g counts steps other than removals, and h hidden segments and cards that cannot
be on the next card of their suit.

In the code: a node that is worked on is a row with a `PLACE` for each card, then a `ROW` and a
`NODE`, which holds the runnable cards of each rank. In the pool it is packed into words, see
`_pack`. The first of `Loose.rows` is what a step leads to, the others are ways to place its cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.relaxations import classes as l1
from simon_solver.kernels.relaxations.classes import (
    CARD,
    CLASSES,
    NO_CARD,
    PLACE,
    RANK,
    ROW,
    Classes,
    column_of_head,
    uncover,
)
from simon_solver.kernels.relaxations.lifts import Lifts
from simon_solver.kernels.searches.options import OPTION
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.fields import MAX_CARDS, MAX_COLUMNS, MAX_RANKS, RUN_BITS
from simon_solver.kernels.state.pool import (
    F_LIMIT,
    H_LIMIT,
    IN_PART,
    POOL,
    RUNS_MASK,
    UNASKED,
    Pool,
    append_node,
    dequeue,
    enqueue,
    find,
    first_queued,
    make_facts,
    moves_to,
    room,
)
from simon_solver.kernels.state.task import INFO, Ints, Task
from simon_solver.kernels.state.words import mix_a, mix_b, popcount

PLACE_BITS, PLACES_PER_WORD = 3, 21
"""Of a place in a packed node; PLACES_PER_WORD of them fit in a word."""
MOST_WAYS = 6
"""Cards are placed at once in so many ways. A card has up to four places, so this allows for two
cards; what has more ways becomes an unsettled node and is placed when its turn comes."""
BELOW_BITS, BELOWS_PER_WORD = 6, 10
"""Of a column's hidden segments."""


class Loose(NamedTuple):
    """Working arrays of the loose search, reused from position to position."""

    node: Ints
    """[n] the node that is expanded: the place of each card, then see `ROW` of `classes`,
    then `NODE`"""
    rows: Ints
    """[depth, n] the same of nodes that are made, the first of them as a step leaves it. A row that
    is one of w ways stands for a share of 1 / w of the step, and w is MOST_WAYS at most, so no more
    rows wait at the same time."""
    pending: Ints
    """[depth, name] see `_PENDING`"""
    holes: Ints
    """[rank] of the node: holes of the layer whose parents have the rank"""
    steps: Ints
    """[n] those from the node, see `_code`"""
    packed: Ints
    """[word] a packed node"""


class _Node(NamedTuple):
    """Of a row that stands for a node, after what a row of `classes` has."""

    runnable: int = ROW.width
    """+ rank: the runnable cards, a bit for each"""
    width: int = ROW.width + MAX_RANKS + 1


NODE = _Node()


class _Pending(NamedTuple):
    """Of `Loose.pending`."""

    first: int = 0
    """the lowest layer that must be settled, by its parents' rank"""
    last: int = 1
    """the highest"""
    ways: int = 2
    """in how many ways the cards placed so far could have been"""


_PENDING = _Pending()


class _Code(NamedTuple):
    """A place in a packed node: the parent's index in its rank, or one of these."""

    base: int = 4
    anywhere: int = 5
    head: int = 6


_CODE = _Code()


class _Step(NamedTuple):
    """Kinds of steps."""

    start: int = 0
    placing: int = 1
    """of a loose card of a node that is not settled"""
    move: int = 2
    """of a free card"""
    lift: int = 3
    removal: int = 4


STEP = _Step()


class _Leaves(NamedTuple):
    """Whether a suit's run can leave."""

    now: int = 0
    """it is known to lie in order"""
    maybe: int = 1
    """it may lie in order"""
    never: int = 2


LEAVES = _Leaves()


CODE_BITS = 8
CODE_MASK = (1 << CODE_BITS) - 1


def new_loose() -> Loose:
    """Fresh working arrays."""
    return Loose(
        node=np.zeros(NODE.width, np.int64),
        rows=np.zeros((MOST_WAYS, NODE.width), np.int64),
        pending=np.zeros((MOST_WAYS, 3), np.int64),
        holes=np.zeros(MAX_RANKS + 1, np.int64),
        steps=np.zeros(2 * MAX_CARDS + 4, np.int64),
        packed=np.zeros(
            MAX_CARDS // PLACES_PER_WORD + 1 + MAX_COLUMNS // BELOWS_PER_WORD + 1, np.int64
        ),
    )


def has_no_copies(task: Task) -> bool:
    """The search can be used."""
    return bool(max(task.info[INFO.copies : INFO.copies + 4].tolist()) <= 1)


def packed_words(columns: int, cards: int) -> int:
    """Words of a packed node."""
    return -(-cards // PLACES_PER_WORD) + -(-columns // BELOWS_PER_WORD)


@internal
def _pack(classes: Classes, loose: Loose, row: Ints) -> None:
    """Write a row into `packed`, but for its runs."""
    packed, counts = loose.packed, classes.counts
    packed[:] = 0
    first = counts[CLASSES.per_rank]  # of the parents' rank
    for card in range(counts[CLASSES.kings]):
        if card == first:
            first += counts[CLASSES.per_rank]
        place = row[card]
        # what is hidden or gone needs no field: columns and runs tell it
        field = int64(0)
        if place == PLACE.unknown:
            field = int64(_CODE.anywhere)
        elif place == PLACE.base:
            field = int64(_CODE.base)
        elif place == PLACE.head:
            field = int64(_CODE.head)
        elif place < PLACE.base:
            field = place - first
        packed[card // PLACES_PER_WORD] |= field << PLACE_BITS * (card % PLACES_PER_WORD)
    start = (counts[CLASSES.kings] + PLACES_PER_WORD - 1) // PLACES_PER_WORD
    for column in range(counts[CLASSES.columns]):
        below = row[ROW.below + column]
        packed[start + column // BELOWS_PER_WORD] |= below << BELOW_BITS * (
            column % BELOWS_PER_WORD
        )


@internal
def unpack(classes: Classes, pool: Pool, node: int, row: Ints) -> None:
    """Fill a row with a node of the pool."""
    counts = classes.counts
    runs = pool.facts[node] & RUNS_MASK
    row[ROW.runs] = runs
    first = counts[CLASSES.per_rank]  # of the parents' rank
    for card in range(counts[CLASSES.cards]):
        if card == first:
            first += counts[CLASSES.per_rank]
        place = PLACE.base
        if runs >> RUN_BITS * classes.by_card[CARD.suit, card] & 1:
            place = PLACE.gone
        elif card < counts[CLASSES.kings]:
            field = (
                pool.state[node, card // PLACES_PER_WORD] >> PLACE_BITS * (card % PLACES_PER_WORD)
                & 7
            )
            if field == _CODE.anywhere:
                place = PLACE.unknown
            elif field == _CODE.head:
                place = PLACE.head
            elif field < _CODE.base:
                place = first + field
        row[card] = place
    start = (counts[CLASSES.kings] + PLACES_PER_WORD - 1) // PLACES_PER_WORD
    for column in range(counts[CLASSES.columns]):
        word = pool.state[node, start + column // BELOWS_PER_WORD]
        below = word >> BELOW_BITS * (column % BELOWS_PER_WORD) & ((1 << BELOW_BITS) - 1)
        row[ROW.below + column] = below
        for depth in range(below):
            card = classes.head[column, depth]
            while card != NO_CARD:
                row[card] = PLACE.hidden
                card = classes.by_card[CARD.above, card]
        # a king has no field of its own, so only its column tells that it is a head
        if below > 0 and classes.head[column, below] >= counts[CLASSES.kings]:
            row[classes.head[column, below]] = PLACE.head


@internal
def count_holes(classes: Classes, row: Ints, rank: int) -> int:
    """Holes of the layer whose parents have the rank."""
    per_rank = classes.counts[CLASSES.per_rank]
    holes = int64(0)
    for parent in range((rank - 1) * per_rank, rank * per_rank):
        child = parent - per_rank
        holes += row[parent] <= PLACE.head
        # a loose child takes a parent as well, though not a known one
        holes -= row[child] <= PLACE.unknown and row[child] != PLACE.base
    return holes


@internal
def _settle_layer(classes: Classes, row: Ints, rank: int, runnable: int) -> tuple[int, int]:
    """Settle the layer whose parents have the rank; `runnable`: its runnable children.

    Returns (a card that was loose and must now be placed, where it can lie), or NO_CARD and the
    runnable parents; both as bits.
    """
    per_rank = classes.counts[CLASSES.per_rank]
    by_card = classes.by_card
    has_holes = count_holes(classes, row, rank) > 0
    first = (rank - 1) * per_rank
    shown = int64(0)
    covered = int64(0)
    joined = int64(0)
    unplaced = int64(NO_CARD)
    for index in range(per_rank):
        shown |= int64(row[first + index] <= PLACE.head) << index
        card = first - per_rank + index
        place = row[card]
        if place > PLACE.unknown or place == PLACE.base:
            continue
        moves = runnable >> index & 1
        if moves and has_holes:
            row[card] = PLACE.unknown
        elif place == PLACE.unknown:
            # it can no longer change its parent, so it matters where it lies
            unplaced = card
        else:
            parent = int64(1) << (place - first)
            covered |= parent
            # in a full layer a parent moves only together with a card of its suit
            if moves and by_card[CARD.suit, place] == by_card[CARD.suit, card]:
                joined |= parent
    # with a hole, each of these can be free of its loose card
    if unplaced != NO_CARD or has_holes:
        return unplaced, shown & ~covered
    return unplaced, joined


@internal
def _shown_aces(classes: Classes, row: Ints) -> int:
    """The exposed aces, as bits."""
    shown = int64(0)
    for card in range(classes.counts[CLASSES.per_rank]):
        shown |= int64(row[card] <= PLACE.head) << card
    return shown


@internal
def _estimate(classes: Classes, row: Ints) -> int:
    """h: hidden segments, and cards that cannot be on the next card of their suit."""
    counts, by_card, by_rank = classes.counts, classes.by_card, classes.by_rank
    per_rank = counts[CLASSES.per_rank]
    h = int64(0)
    for column in range(counts[CLASSES.columns]):
        h += row[ROW.below + column]
    rank = int64(1)
    for first in range(per_rank, counts[CLASSES.cards], per_rank):
        rank += 1
        shown = int64(0)
        joinable = int64(0)
        covered = int64(0)
        for index in range(per_rank):
            shown |= int64(row[first + index] <= PLACE.head) << index
            card = first - per_rank + index
            place = row[card]
            if place > PLACE.unknown:
                continue
            h += 1
            own = by_rank[RANK.suited + by_card[CARD.suit, card], rank]
            if place == PLACE.unknown:
                joinable |= own
            elif place < PLACE.base:
                covered |= int64(1) << (place - first)
                # nothing to pay where it lies on the next card of its suit already
                h -= by_card[CARD.suit, place] == by_card[CARD.suit, card]
        # each of these parents may have a loose card of its suit on it, which then counts nothing
        joinable &= shown & ~covered
        while joinable:
            joinable &= joinable - 1
            h -= 1
    return h


@internal
def _finish_lift(classes: Classes, row: Ints) -> int:
    """Show what lies under a head that has been lifted, if it is still hidden.

    Returns the column, or -1.
    """
    for column in range(classes.counts[CLASSES.columns]):
        below = row[ROW.below + column]
        if below > 0 and row[classes.head[column, below]] != PLACE.head:
            uncover(classes, row, column)
            return column
    return int64(-1)


@internal
def _is_lost(task: Task, lifts: Lifts, classes: Classes, row: Ints) -> bool:
    """L0 or L1 proves that no arrangement of the row can be won."""
    for at in range(ROW.width):
        classes.state[0, at] = row[at]
    _finish_lift(classes, classes.state[0])
    return not l1.class_may_be_won(task, lifts, classes, l1.MOST_CLASSES)


@internal
def _settle(task: Task, classes: Classes, row: Ints, pending: Ints) -> tuple[int, int]:
    """Settle the layers of a row that must be, and those above for which that makes a difference.

    Returns a card that must be placed and its possible parents as bits, `first` then being the
    layer; or NO_CARD and 0.
    """
    rank = pending[_PENDING.first]
    while rank <= task.info[INFO.ranks]:
        unplaced, runnable = _settle_layer(classes, row, rank, row[NODE.runnable + rank - 1])
        if unplaced != NO_CARD:
            pending[_PENDING.first] = rank
            return unplaced, runnable
        # all that the layers above depend on is as it was
        if rank >= pending[_PENDING.last] and row[NODE.runnable + rank] == runnable:
            break
        row[NODE.runnable + rank] = runnable
        rank += 1
    return int64(NO_CARD), int64(0)


@internal
def _settle_all(task: Task, classes: Classes, loose: Loose) -> None:
    """All layers of the first of `rows` must be settled."""
    loose.rows[0, NODE.runnable + 1] = _shown_aces(classes, loose.rows[0])
    loose.pending[0, _PENDING.first] = 2
    loose.pending[0, _PENDING.last] = task.info[INFO.ranks]


@internal
def _settle_segment(task: Task, classes: Classes, row: Ints, pending: Ints, column: int) -> None:
    """Settle what a column has shown since the rest of the row was settled."""
    head = classes.head[column, row[ROW.below + column]]
    last = head
    while classes.by_card[CARD.above, last] != NO_CARD:
        last = classes.by_card[CARD.above, last]
    row[NODE.runnable + 1] = _shown_aces(classes, row)
    # the layers below the segment have no new card
    pending[_PENDING.first] = max(int64(2), classes.by_card[CARD.rank, last])
    pending[_PENDING.last] = classes.by_card[CARD.rank, head]
    _settle(task, classes, row, pending)


@internal
def _spread(
    task: Task, classes: Classes, loose: Loose, pool: Pool, options: Ints, parent: int, flags: int
) -> None:
    """Settle the first of `rows` as `pending` says, and add what it becomes; see `_add`."""
    rows, pending = loose.rows, loose.pending
    per_rank = classes.counts[CLASSES.per_rank]
    pending[0, _PENDING.ways] = 1
    waiting = int64(1)
    while waiting > 0:
        waiting -= 1
        row = rows[waiting]
        unplaced, places = _settle(task, classes, row, pending[waiting])
        ways = pending[waiting, _PENDING.ways] * popcount(places)
        if unplaced == NO_CARD:
            column = _finish_lift(classes, row)
            if column >= 0:
                _settle_segment(task, classes, row, pending[waiting], column)
        elif ways <= MOST_WAYS:
            rank, last = pending[waiting, _PENDING.first], pending[waiting, _PENDING.last]
            for index in range(per_rank):
                if places >> index & 1:
                    # the first way is written over `row`; the others change the same card again
                    for at in range(NODE.width):
                        rows[waiting, at] = row[at]
                    rows[waiting, unplaced] = (rank - 1) * per_rank + index
                    pending[waiting, _PENDING.first] = rank
                    pending[waiting, _PENDING.last] = last
                    pending[waiting, _PENDING.ways] = ways
                    waiting += 1
            continue
        part = int64(unplaced != NO_CARD) * IN_PART
        _add(task, classes, loose, pool, options, parent, row, flags | part)


@internal
def _add(
    task: Task,
    classes: Classes,
    loose: Loose,
    pool: Pool,
    options: Ints,
    parent: int,
    row: Ints,
    flags: int,
) -> None:
    """Queue a row as a node with these flags unless it is known."""
    _pack(classes, loose, row)
    key_a = mix_a(row[ROW.runs])
    key_b = mix_b(row[ROW.runs])
    for at in range(pool.state.shape[1]):
        key_a = mix_a(key_a ^ loose.packed[at])
        key_b = mix_b(key_b ^ loose.packed[at])
    known = find(pool, key_a, key_b)
    if known >= 0:
        return
    h = _estimate(classes, row)
    g = int64(0)
    if parent >= 0:
        # neither placing a card nor a removal takes a move
        before = pool.facts[parent]
        g = moves_to(before)
        g += not is_unsettled(pool, parent) and before & RUNS_MASK == row[ROW.runs]
    facts = make_facts(row[ROW.runs], g, h, parent) | flags
    node = append_node(pool, key_a, key_b, facts, -1 - known)
    for at in range(pool.state.shape[1]):
        pool.state[node, at] = loose.packed[at]
    # in one list for each f, whose newest node comes first
    enqueue(pool, node, options[OPTION.weight_g] * g + options[OPTION.weight_h] * h, int64(0))
    if row[ROW.runs] == task.info[INFO.start_runs]:
        pool.counts[POOL.goal] = node


@internal
def is_unsettled(pool: Pool, node: int) -> bool:
    """Some loose card of the node must be placed."""
    return pool.facts[node] & IN_PART != 0


@internal
def _code(kind: int, card: int, place: int) -> int:
    """A step as one number: the card, or suit of a removal, and the place it goes to."""
    return kind << 2 * CODE_BITS | card << CODE_BITS | place


@internal
def _list_places(task: Task, classes: Classes, loose: Loose) -> int:
    """Fill `steps` with the ways to place a loose card of the node; returns how many.

    Fills `holes`, and `node` from `NODE.runnable` on, if the node is settled.
    """
    per_rank = classes.counts[CLASSES.per_rank]
    runnable = _shown_aces(classes, loose.node)
    loose.node[NODE.runnable + 1] = runnable
    count = int64(0)
    for rank in range(2, task.info[INFO.ranks] + 1):
        unplaced, runnable = _settle_layer(classes, loose.node, rank, runnable)
        if unplaced != NO_CARD:
            # what is above can be settled only when this card has a place
            for index in range(per_rank):
                if runnable >> index & 1:
                    parent = (rank - 1) * per_rank + index
                    loose.steps[count] = _code(STEP.placing, unplaced, parent)
                    count += 1
            break
        loose.node[NODE.runnable + rank] = runnable
        loose.holes[rank] = count_holes(classes, loose.node, rank)
    return count


@internal
def _empty_columns(classes: Classes, loose: Loose) -> int:
    """How many columns of the node are empty."""
    empty = int64(0)
    for column in range(classes.counts[CLASSES.columns]):
        # without hidden segments; each known base then takes one
        empty += loose.node[ROW.below + column] == 0
    for card in range(classes.counts[CLASSES.cards]):
        empty -= loose.node[card] == PLACE.base
    return empty


@internal
def card_of(classes: Classes, suit: int, rank: int) -> int:
    """The card of a rank and of a suit that the deck has."""
    card = (rank - 1) * classes.counts[CLASSES.per_rank]
    while classes.by_card[CARD.suit, card] != suit:
        card += 1
    return card


@internal
def _can_leave(task: Task, classes: Classes, loose: Loose, suit: int) -> int:
    """Whether the suit's run can leave: see `LEAVES`."""
    node = loose.node
    answer = LEAVES.now
    if task.info[INFO.copies + suit] == 0:
        return LEAVES.never
    parent = card_of(classes, suit, task.info[INFO.ranks])
    if node[parent] > PLACE.head:
        return LEAVES.never
    for rank in range(task.info[INFO.ranks] - 1, 0, -1):
        card = card_of(classes, suit, rank)
        if node[card] == PLACE.unknown:
            # all of a run at a column's end is runnable
            if loose.node[NODE.runnable + rank + 1] & classes.by_card[CARD.bit, parent] == 0:
                return LEAVES.never
            answer = LEAVES.maybe
        elif node[card] != parent:
            return LEAVES.never
        parent = card
    return answer


@internal
def _remove(task: Task, classes: Classes, loose: Loose, suit: int) -> None:
    """Take the suit's run away from the first of `rows`."""
    row = loose.rows[0]
    king = card_of(classes, suit, task.info[INFO.ranks])
    column = int64(-1)
    if row[king] == PLACE.head:
        # before the king is gone, by which its column is found
        column = column_of_head(classes, row, king)
    for rank in range(1, task.info[INFO.ranks] + 1):
        row[card_of(classes, suit, rank)] = PLACE.gone
    row[ROW.runs] += int64(1) << RUN_BITS * suit
    if column >= 0:
        uncover(classes, row, column)


@internal
def _list_steps(task: Task, classes: Classes, loose: Loose) -> int:
    """Fill `steps` with those from the settled node; returns how many.

    What comes last will be looked at first.
    """
    node, by_card, steps = loose.node, classes.by_card, loose.steps
    count = int64(0)
    for suit in range(classes.counts[CLASSES.suits]):
        if _can_leave(task, classes, loose, suit) == LEAVES.now:
            # the rules remove a complete run before anything else
            steps[0] = _code(STEP.removal, suit, int64(0))
            return int64(1)
    empty = _empty_columns(classes, loose)
    for card in range(classes.counts[CLASSES.cards]):
        place, rank = node[card], by_card[CARD.rank, card]
        if place > PLACE.head or node[NODE.runnable + rank] & by_card[CARD.bit, card] == 0:
            continue
        king = card >= classes.counts[CLASSES.kings]
        kind = STEP.lift if place == PLACE.head else STEP.move
        if empty > 0 and place != PLACE.base:
            steps[count] = _code(kind, card, PLACE.base)
            count += 1
        # any other runnable card is loose already if its layer has a hole
        if not king and loose.holes[rank + 1] > 0 and place in (PLACE.base, PLACE.head):
            steps[count] = _code(kind, card, PLACE.unknown)
            count += 1
    for suit in range(classes.counts[CLASSES.suits]):
        if _can_leave(task, classes, loose, suit) == LEAVES.maybe:
            steps[count] = _code(STEP.removal, suit, int64(0))
            count += 1
    return count


@internal
def _make(task: Task, classes: Classes, loose: Loose, code: int) -> int:
    """Make the first of `rows` what a step leads to, with `pending`; returns the step's kind."""
    kind, card, place = code >> 2 * CODE_BITS, code >> CODE_BITS & CODE_MASK, code & CODE_MASK
    if kind == STEP.start:
        l1.load(task, classes, loose.rows[0], task.start, int64(0))
        _settle_all(task, classes, loose)
        return kind
    for at in range(NODE.width):
        loose.rows[0, at] = loose.node[at]
    if kind == STEP.removal:
        _remove(task, classes, loose, card)
        _settle_all(task, classes, loose)
        return kind
    loose.rows[0, card] = place
    if kind == STEP.placing:
        # nothing above the card was settled before
        _settle_all(task, classes, loose)
    else:
        # only the layer that the card leaves or joins has changed, and what follows from it
        loose.pending[0, _PENDING.first] = loose.pending[0, _PENDING.last] = (
            classes.by_card[CARD.rank, card] + 1
        )
    return kind


@entry
def step(
    task: Task, lifts: Lifts, classes: Classes, loose: Loose, pool: Pool, options: Ints, budget: int
) -> int:
    """Expand up to `budget` nodes; returns an `OUTCOME` other than `lost`.

    An empty pool is one that begins. Won: `goal` is a node without cards. Exhausted: there is no
    win.
    """
    most = loose.steps.shape[0] * MOST_WAYS  # nodes that one may lead to
    for _ in range(budget):
        if pool.counts[POOL.nodes] + most > room(pool):
            return OUTCOME.full
        node = int64(-1)
        count = int64(1)
        if pool.counts[POOL.nodes] == 0:
            l1.get_ready(task, classes)
            # behind all lists: the first node that is queued moves it to its own
            pool.counts[POOL.cursor] = F_LIMIT * H_LIMIT - 1
            loose.steps[0] = _code(STEP.start, int64(0), int64(0))
        else:
            node = first_queued(pool)
            if node < 0:
                return OUTCOME.exhausted
            dequeue(pool, node)
            unpack(classes, pool, node, loose.node)
            if pool.facts[node] & UNASKED and _is_lost(task, lifts, classes, loose.node):
                continue
            pool.facts[node] &= ~UNASKED
            pool.counts[POOL.expanded] += 1
            count = _list_places(task, classes, loose)
            if count == 0:
                count = _list_steps(task, classes, loose)
        for index in range(count):
            kind = _make(task, classes, loose, loose.steps[index])
            # a move within the free cards can be taken back, so it loses no game [S.3]
            flags = int64(kind != STEP.move) * UNASKED
            _spread(task, classes, loose, pool, options, node, flags)
        if pool.counts[POOL.goal] >= 0:
            return OUTCOME.won
    return OUTCOME.running
