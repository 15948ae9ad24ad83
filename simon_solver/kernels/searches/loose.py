"""The loose search: whether a deal without copies can be won, with many positions in one node.

A node knows where each head and each hidden card is, as a class of L1 does (see `classes`, whose
tables and whose form of a row are used here), and of each other exposed card that it lies on a
known card, that it is the base of a column, or that it is *loose*: it lies on some exposed card one
rank higher that no card is known to cover. A node stands for all such arrangements.

RUNNABLE has the set ρ of `docs/algorithms.md`, in which all runnable cards are [LS.1]; *settling* a
node makes those loose that are in ρ, are no bases and whose layer has *holes*. The steps are lifts,
moves of free cards, and removals; each legal move is one of them or stays in the node [LS.2]. After
a step loose cards may have to be *placed*, on any parent that no card is known to cover, before the
lifted head's column shows the next segment [LS.3]. So when nothing is left, there is no win [LS.4].

Within a node every arrangement leads to every other, but for runs that are complete too early, so a
goal is no win before moves have been found [LS.5]: see `laying`.

A node is dropped if L0 or L1 proves it lost when its turn comes. Only a lift or a removal can lose
a game [S.3], so other nodes are not asked about. The search is best first on f = weight_g * g +
weight_h * h, where g counts steps other than removals, and h hidden segments and cards that cannot
be on the next card of their suit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import jit, loose_entry
from simon_solver.kernels.relaxations import classes as l1
from simon_solver.kernels.relaxations.classes import (
    ABOVE,
    BASE,
    BELOW,
    BIT,
    CARDS,
    COLUMNS,
    GONE,
    HEAD,
    HIDDEN,
    KINGS,
    NO_CARD,
    PER_RANK,
    RANK,
    RUNS,
    STATE_WIDTH,
    SUIT,
    SUITED,
    SUITS,
    UNKNOWN,
    column_of_head,
    size,
    uncover,
)
from simon_solver.kernels.searches.astar import EXHAUSTED, FULL, RUNNING, WEIGHT_G, WEIGHT_H, WON
from simon_solver.kernels.state.fields import MAX_CARDS, MAX_COLUMNS, MAX_RANKS, RUN_BITS
from simon_solver.kernels.state.game import COPIES, RANKS, START_RUNS, Game, Ints
from simon_solver.kernels.state.pool import (
    CURSOR,
    EXPANDED,
    F_LIMIT,
    GOAL,
    H_LIMIT,
    IN_PART,
    NODES,
    RUNS_MASK,
    UNASKED,
    append_node,
    dequeue,
    enqueue,
    find,
    first_queued,
    make_facts,
    moves_to,
)
from simon_solver.kernels.state.words import mix_a, mix_b

MOST_CLASSES = np.int64(10_000)
"""Classes that L1 looks at for one node; a literal would compile L1 twice."""

PLACE_BITS, PLACES = 3, 21
"""Of a place in a packed node: the parent's index in its rank, or one of the next; PLACES of them
fit in a word."""
AT_BASE, ANYWHERE, AT_HEAD = 4, 5, 6
MOST_WAYS = 6
"""In so many ways are cards placed at once."""
BELOW_BITS, BELOWS = 6, 10
"""Of a column's hidden segments."""


class Loose(NamedTuple):
    """Working arrays of the loose search, reused from position to position."""

    node: Ints
    """[n] the node that is expanded: the place of each card, then see BELOW and RUNS in `classes`,
    then RUNNABLE"""
    rows: Ints
    """[depth, n] the same of nodes that are made, the first of them as a step leaves it"""
    todo: Ints
    """[depth, (FIRST, LAST, WAYS)] FIRST and LAST: layers of a row that must be settled, by their
    parents' rank; WAYS: in how many ways the cards placed so far could have been"""
    holes: Ints
    """[rank] of the node: holes of the layer whose parents have the rank"""
    steps: Ints
    """[n] those from the node, see `_code`"""
    packed: Ints
    """[word] a packed node"""


RUNNABLE = STATE_WIDTH
"""+ rank: the runnable cards, a bit for each"""
ROW_WIDTH = RUNNABLE + MAX_RANKS + 1
FIRST, LAST, WAYS = range(3)

START, PLACING, MOVE, LIFT, REMOVAL = range(5)
"""Kinds of steps. PLACING: of a node that is not settled; MOVE: of a free card."""
CODE_BITS = 8
CODE_MASK = (1 << CODE_BITS) - 1


def new_loose() -> Loose:
    """Fresh working arrays."""
    return Loose(
        node=np.zeros(ROW_WIDTH, np.int64),
        rows=np.zeros((2 * MOST_WAYS, ROW_WIDTH), np.int64),
        todo=np.zeros((2 * MOST_WAYS, 3), np.int64),
        holes=np.zeros(MAX_RANKS + 1, np.int64),
        steps=np.zeros(2 * MAX_CARDS + 4, np.int64),
        packed=np.zeros(MAX_CARDS // PLACES + 1 + MAX_COLUMNS // BELOWS + 1, np.int64),
    )


def has_no_copies(game: Game) -> bool:
    """The search can be used."""
    return bool(max(game.info[COPIES : COPIES + 4].tolist()) <= 1)


def packed_words(columns: int, cards: int) -> int:
    """Words of a packed node."""
    return -(-cards // PLACES) + -(-columns // BELOWS)


@jit
def _pack(classes, loose, row):
    """Write a row into `packed`, but for its runs."""
    packed, counts = loose.packed, classes.counts
    packed[:] = 0
    first = counts[PER_RANK]  # of the parents' rank
    for card in range(counts[KINGS]):
        if card == first:
            first += counts[PER_RANK]
        place = row[card]
        field = np.int64(0)
        if place == UNKNOWN:
            field = np.int64(ANYWHERE)
        elif place == BASE:
            field = np.int64(AT_BASE)
        elif place == HEAD:
            field = np.int64(AT_HEAD)
        elif place < BASE:
            field = place - first
        packed[card // PLACES] |= field << PLACE_BITS * (card % PLACES)
    start = (counts[KINGS] + PLACES - 1) // PLACES
    for column in range(counts[COLUMNS]):
        below = row[BELOW + column]
        packed[start + column // BELOWS] |= below << BELOW_BITS * (column % BELOWS)


@jit
def unpack(classes, pool, node, row):
    """Fill a row with a node of the pool."""
    counts = classes.counts
    runs = pool.facts[node] & RUNS_MASK
    row[RUNS] = runs
    first = counts[PER_RANK]  # of the parents' rank
    for card in range(counts[CARDS]):
        if card == first:
            first += counts[PER_RANK]
        place = np.int64(BASE)
        if runs >> RUN_BITS * classes.table[SUIT, card] & 1:
            place = np.int64(GONE)
        elif card < counts[KINGS]:
            field = pool.state[node, card // PLACES] >> PLACE_BITS * (card % PLACES) & 7
            if field == ANYWHERE:
                place = np.int64(UNKNOWN)
            elif field == AT_HEAD:
                place = np.int64(HEAD)
            elif field < AT_BASE:
                place = first + field
        row[card] = place
    start = (counts[KINGS] + PLACES - 1) // PLACES
    for column in range(counts[COLUMNS]):
        word = pool.state[node, start + column // BELOWS]
        below = word >> BELOW_BITS * (column % BELOWS) & ((1 << BELOW_BITS) - 1)
        row[BELOW + column] = below
        for depth in range(below):
            card = classes.head[column, depth]
            while card != NO_CARD:
                row[card] = HIDDEN
                card = classes.table[ABOVE, card]
        if below > 0 and classes.head[column, below] >= counts[KINGS]:
            row[classes.head[column, below]] = HEAD


@jit
def count_holes(classes, row, rank):
    """Holes of the layer whose parents have the rank."""
    per_rank = classes.counts[PER_RANK]
    holes = np.int64(0)
    for parent in range((rank - 1) * per_rank, rank * per_rank):
        child = parent - per_rank
        holes += row[parent] <= HEAD
        holes -= row[child] <= UNKNOWN and row[child] != BASE
    return holes


@jit
def _settle_layer(classes, row, rank, runnable):
    """Settle the layer whose parents have the rank; `runnable`: its runnable children.

    Returns (a card that was loose and must now be placed, where it can lie), or NO_CARD and the
    runnable parents; both as bits.
    """
    per_rank = classes.counts[PER_RANK]
    table = classes.table
    has_holes = count_holes(classes, row, rank) > 0
    first = (rank - 1) * per_rank
    shown = np.int64(0)
    covered = np.int64(0)
    joined = np.int64(0)
    unplaced = np.int64(NO_CARD)
    for index in range(per_rank):
        shown |= np.int64(row[first + index] <= HEAD) << index
        card = first - per_rank + index
        place = row[card]
        if place > UNKNOWN or place == BASE:
            continue
        moves = runnable >> index & 1
        if moves and has_holes:
            row[card] = UNKNOWN
        elif place == UNKNOWN:
            unplaced = card
        else:
            parent = np.int64(1) << (place - first)
            covered |= parent
            if moves and table[SUIT, place] == table[SUIT, card]:
                joined |= parent
    if unplaced != NO_CARD or has_holes:
        return unplaced, shown & ~covered
    return unplaced, joined


@jit
def _shown_aces(classes, row):
    """The exposed aces, as bits."""
    shown = np.int64(0)
    for card in range(classes.counts[PER_RANK]):
        shown |= np.int64(row[card] <= HEAD) << card
    return shown


@jit
def _estimate(classes, row):
    """h: hidden segments, and cards that cannot be on the next card of their suit."""
    counts, table = classes.counts, classes.table
    per_rank = counts[PER_RANK]
    h = np.int64(0)
    for column in range(counts[COLUMNS]):
        h += row[BELOW + column]
    rank = np.int64(1)
    for first in range(per_rank, counts[CARDS], per_rank):
        rank += 1
        shown = np.int64(0)
        joinable = np.int64(0)
        covered = np.int64(0)
        for index in range(per_rank):
            shown |= np.int64(row[first + index] <= HEAD) << index
            card = first - per_rank + index
            place = row[card]
            if place > UNKNOWN:
                continue
            h += 1
            own = table[SUITED + table[SUIT, card], rank]
            if place == UNKNOWN:
                joinable |= own
            elif place < BASE:
                covered |= np.int64(1) << (place - first)
                h -= table[SUIT, place] == table[SUIT, card]
        joinable &= shown & ~covered
        while joinable:
            joinable &= joinable - 1
            h -= 1
    return h


@jit
def _finish_lift(classes, row):
    """Show what lies under a head that has been lifted, if it is still hidden.

    Returns the column, or -1.
    """
    for column in range(classes.counts[COLUMNS]):
        below = row[BELOW + column]
        if below > 0 and row[classes.head[column, below]] != HEAD:
            uncover(classes, row, column)
            return column
    return np.int64(-1)


@jit
def _is_lost(game, lifts, classes, row):
    """L0 or L1 proves that no arrangement of the row can be won."""
    for at in range(STATE_WIDTH):
        classes.state[0, at] = row[at]
    _finish_lift(classes, classes.state[0])
    return not l1.class_may_be_won(game, lifts, classes, MOST_CLASSES)


@jit
def _settle(game, classes, row, todo):
    """Settle the layers of a row that must be, and those above for which that makes a difference.

    Returns a card that must be placed and its possible parents as bits, FIRST then being the layer;
    or NO_CARD and 0.
    """
    rank = todo[FIRST]
    while rank <= game.info[RANKS]:
        unplaced, runnable = _settle_layer(classes, row, rank, row[RUNNABLE + rank - 1])
        if unplaced != NO_CARD:
            todo[FIRST] = rank
            return unplaced, runnable
        if rank >= todo[LAST] and row[RUNNABLE + rank] == runnable:
            break
        row[RUNNABLE + rank] = runnable
        rank += 1
    return np.int64(NO_CARD), np.int64(0)


@jit
def _settle_all(game, classes, loose):
    """All layers of the first of `rows` must be settled."""
    loose.rows[0, RUNNABLE + 1] = _shown_aces(classes, loose.rows[0])
    loose.todo[0, FIRST] = 2
    loose.todo[0, LAST] = game.info[RANKS]


@jit
def _settle_segment(game, classes, row, todo, column):
    """Settle what a column has shown since the rest of the row was settled."""
    head = classes.head[column, row[BELOW + column]]
    last = head
    while classes.table[ABOVE, last] != NO_CARD:
        last = classes.table[ABOVE, last]
    row[RUNNABLE + 1] = _shown_aces(classes, row)
    todo[FIRST] = max(np.int64(2), classes.table[RANK, last])
    todo[LAST] = classes.table[RANK, head]
    _settle(game, classes, row, todo)


@jit
def _spread(game, classes, loose, pool, options, parent, flags):
    """Settle the first of `rows` as `todo` says, and add what it becomes; see `_add`."""
    rows, todo = loose.rows, loose.todo
    per_rank = classes.counts[PER_RANK]
    todo[0, WAYS] = 1
    waiting = np.int64(1)
    while waiting > 0:
        waiting -= 1
        row = rows[waiting]
        unplaced, places = _settle(game, classes, row, todo[waiting])
        ways = todo[waiting, WAYS] * size(places)
        if unplaced == NO_CARD:
            column = _finish_lift(classes, row)
            if column >= 0:
                _settle_segment(game, classes, row, todo[waiting], column)
        elif ways <= MOST_WAYS:
            rank, last = todo[waiting, FIRST], todo[waiting, LAST]
            for index in range(per_rank):
                if places >> index & 1:
                    for at in range(ROW_WIDTH):
                        rows[waiting, at] = row[at]
                    rows[waiting, unplaced] = (rank - 1) * per_rank + index
                    todo[waiting, FIRST] = rank
                    todo[waiting, LAST] = last
                    todo[waiting, WAYS] = ways
                    waiting += 1
            continue
        part = np.int64(unplaced != NO_CARD) * IN_PART
        _add(game, classes, loose, pool, options, parent, row, flags | part)


@jit
def _add(game, classes, loose, pool, options, parent, row, flags):
    """Queue a row as a node with these flags unless it is known."""
    _pack(classes, loose, row)
    key_a = mix_a(row[RUNS])
    key_b = mix_b(row[RUNS])
    for at in range(pool.state.shape[1]):
        key_a = mix_a(key_a ^ loose.packed[at])
        key_b = mix_b(key_b ^ loose.packed[at])
    known = find(pool, key_a, key_b)
    if known >= 0:
        return
    h = _estimate(classes, row)
    g = np.int64(0)
    if parent >= 0:
        # neither placing a card nor a removal takes a move
        before = pool.facts[parent]
        g = moves_to(before)
        g += not is_unsettled(pool, parent) and before & RUNS_MASK == row[RUNS]
    facts = make_facts(row[RUNS], g, h, parent) | flags
    node = append_node(pool, key_a, key_b, facts, -1 - known)
    for at in range(pool.state.shape[1]):
        pool.state[node, at] = loose.packed[at]
    enqueue(pool, node, options[WEIGHT_G] * g + options[WEIGHT_H] * h, np.int64(0))
    if row[RUNS] == game.info[START_RUNS]:
        pool.counts[GOAL] = node


@jit
def is_unsettled(pool, node):
    """Some loose card of the node must be placed."""
    return pool.facts[node] & IN_PART != 0


@jit
def _code(kind, card, place):
    """A step as one number: the card, or suit of a removal, and the place it goes to."""
    return kind << 2 * CODE_BITS | card << CODE_BITS | place


@jit
def _list_places(game, classes, loose):
    """Fill `steps` with the ways to place a loose card of the node; returns how many.

    Fills `holes`, and `node` from RUNNABLE on, if the node is settled.
    """
    per_rank = classes.counts[PER_RANK]
    runnable = _shown_aces(classes, loose.node)
    loose.node[RUNNABLE + 1] = runnable
    count = np.int64(0)
    for rank in range(2, game.info[RANKS] + 1):
        unplaced, runnable = _settle_layer(classes, loose.node, rank, runnable)
        if unplaced != NO_CARD:
            for index in range(per_rank):
                if runnable >> index & 1:
                    parent = (rank - 1) * per_rank + index
                    loose.steps[count] = _code(np.int64(PLACING), unplaced, parent)
                    count += 1
            break
        loose.node[RUNNABLE + rank] = runnable
        loose.holes[rank] = count_holes(classes, loose.node, rank)
    return count


@jit
def _empty_columns(classes, loose):
    """How many columns of the node are empty."""
    empty = np.int64(0)
    for column in range(classes.counts[COLUMNS]):
        empty += loose.node[BELOW + column] == 0
    for card in range(classes.counts[CARDS]):
        empty -= loose.node[card] == BASE
    return empty


@jit
def card_of(classes, suit, rank):
    """The card of a rank and of a suit that the deck has."""
    card = (rank - 1) * classes.counts[PER_RANK]
    while classes.table[SUIT, card] != suit:
        card += 1
    return card


COMPLETE, INCOMPLETE, NEVER = range(3)


@jit
def _can_leave(game, classes, loose, suit):
    """COMPLETE if the suit's run is known to lie in order, INCOMPLETE if it may, else NEVER."""
    node = loose.node
    answer = np.int64(COMPLETE)
    if game.info[COPIES + suit] == 0:
        return np.int64(NEVER)
    parent = card_of(classes, suit, game.info[RANKS])
    if node[parent] > HEAD:
        return np.int64(NEVER)
    for rank in range(game.info[RANKS] - 1, 0, -1):
        card = card_of(classes, suit, rank)
        if node[card] == UNKNOWN:
            if loose.node[RUNNABLE + rank + 1] & classes.table[BIT, parent] == 0:
                return np.int64(NEVER)
            answer = np.int64(INCOMPLETE)
        elif node[card] != parent:
            return np.int64(NEVER)
        parent = card
    return answer


@jit
def _remove(game, classes, loose, suit):
    """Take the suit's run away from the first of `rows`."""
    row = loose.rows[0]
    king = card_of(classes, suit, game.info[RANKS])
    column = np.int64(-1)
    if row[king] == HEAD:
        column = column_of_head(classes, row, king)
    for rank in range(1, game.info[RANKS] + 1):
        row[card_of(classes, suit, rank)] = GONE
    row[RUNS] += np.int64(1) << RUN_BITS * suit
    if column >= 0:
        uncover(classes, row, column)


@jit
def _list_steps(game, classes, loose):
    """Fill `steps` with those from the settled node; returns how many.

    What comes last will be looked at first.
    """
    node, table, steps = loose.node, classes.table, loose.steps
    count = np.int64(0)
    for suit in range(classes.counts[SUITS]):
        if _can_leave(game, classes, loose, suit) == COMPLETE:
            steps[0] = _code(np.int64(REMOVAL), suit, np.int64(0))
            return np.int64(1)
    empty = _empty_columns(classes, loose)
    for card in range(classes.counts[CARDS]):
        place, rank = node[card], table[RANK, card]
        if place > HEAD or node[RUNNABLE + rank] & table[BIT, card] == 0:
            continue
        king = card >= classes.counts[KINGS]
        kind = np.int64(LIFT if place == HEAD else MOVE)
        if empty > 0 and place != BASE:
            steps[count] = _code(kind, card, np.int64(BASE))
            count += 1
        if not king and loose.holes[rank + 1] > 0 and place in (BASE, HEAD):
            steps[count] = _code(kind, card, np.int64(UNKNOWN))
            count += 1
    for suit in range(classes.counts[SUITS]):
        if _can_leave(game, classes, loose, suit) == INCOMPLETE:
            steps[count] = _code(np.int64(REMOVAL), suit, np.int64(0))
            count += 1
    return count


@jit
def _make(game, classes, loose, code):
    """Make the first of `rows` what a step leads to, with `todo`; returns the kind of the step."""
    kind, card, place = code >> 2 * CODE_BITS, code >> CODE_BITS & CODE_MASK, code & CODE_MASK
    if kind == START:
        l1.load(game, classes, loose.rows[0], game.start, np.int64(0))
        _settle_all(game, classes, loose)
        return kind
    for at in range(ROW_WIDTH):
        loose.rows[0, at] = loose.node[at]
    if kind == REMOVAL:
        _remove(game, classes, loose, card)
        _settle_all(game, classes, loose)
        return kind
    loose.rows[0, card] = place
    if kind == PLACING:
        _settle_all(game, classes, loose)
    else:
        loose.todo[0, FIRST] = loose.todo[0, LAST] = classes.table[RANK, card] + 1
    return kind


@loose_entry
def step(game, lifts, classes, loose, pool, options, budget):
    """Expand up to `budget` nodes; returns RUNNING, WON, EXHAUSTED or FULL (grow the pool).

    An empty pool is one that begins. WON: GOAL is a node without cards. EXHAUSTED: there is no win.
    """
    most = loose.steps.shape[0] * MOST_WAYS
    for _ in range(budget):
        if pool.counts[NODES] + most > min(pool.state.shape[0], pool.table.shape[0] * 3 // 4):
            return FULL
        node = np.int64(-1)
        count = np.int64(1)
        if pool.counts[NODES] == 0:
            l1.get_ready(game, classes)
            pool.counts[CURSOR] = F_LIMIT * H_LIMIT - 1
            loose.steps[0] = _code(np.int64(START), np.int64(0), np.int64(0))
        else:
            node = first_queued(pool)
            if node < 0:
                return EXHAUSTED
            dequeue(pool, node)
            unpack(classes, pool, node, loose.node)
            if pool.facts[node] & UNASKED and _is_lost(game, lifts, classes, loose.node):
                continue
            pool.facts[node] &= ~UNASKED
            pool.counts[EXPANDED] += 1
            count = _list_places(game, classes, loose)
            if count == 0:
                count = _list_steps(game, classes, loose)
        for index in range(count):
            kind = _make(game, classes, loose, loose.steps[index])
            # a move within the free cards can be taken back, so it loses no game [S.3]
            flags = np.int64(kind != MOVE) * UNASKED
            _spread(game, classes, loose, pool, options, node, flags)
        if pool.counts[GOAL] >= 0:
            return WON
    return RUNNING
