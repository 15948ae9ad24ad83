"""The macro search: may say "won", never "lost" [M.1].

A node is a position *tidied* by joins; an edge is a move that matters, with what it needs before
and what follows from it:

* a *lift*: the blockers above a bad head are moved away until what lies on the head is one run,
  which goes to one of its possible places;
* a *shift*: a run that lies on a false parent goes to another place.

Then the position is tidied again. Joins are forced, which can lose wins [T.1]. An *eager* search
counts among them that a bad head, laid bare, goes onto its true parent; what then is lost is tried
again without that. Best first on 4U - 2 * (bad adjacencies); a node that L0 proves lost is not
expanded. Most deals are won within a few dozen nodes. It does nothing but legal moves, which it
records. Numbers in brackets are statements of `docs/algorithms.md`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.relaxations.lifts import may_be_won
from simon_solver.kernels.state.fields import BELOW_SHIFT
from simon_solver.kernels.state.game import DEPTH, RANKS, START_RUNS, Ints
from simon_solver.kernels.state.successors import unjoined
from simon_solver.kernels.state.words import mix_a, move_run, run_length, tail_length, top_rank

WEIGHT_U, WEIGHT_BAD, PRIORITY_BASE, PRIORITIES = 4, -2, 400, 1024
MAX_BLOCKERS, MAX_JOINS = 12, 64
MAX_EDGE = MAX_BLOCKERS + 1 + MAX_JOINS
MOVES_PER_NODE = 8
"""Room for moves: an edge has three to six on average."""


class Macro(NamedTuple):
    """Nodes, table and queue of the macro search, and the moves along each edge."""

    columns: Ints
    """[node, column] words"""
    facts: Ints
    """[node, (packed runs, parent, first move, one past the last, next in its list, U, edge)]"""
    moves: Ints
    """[n] moves: source | target << 4 | count << 8"""
    table: Ints
    """[slot] keys of 64 bits; 0 is free. A clash can only hide a win."""
    heads: Ints
    """[priority] first node of each list, -1 for none"""
    work: Ints
    """[stage, column, (word, top rank or 0, parent rank wanted or 0)] of the node being expanded,
    the same with a run ready to move, and the child"""
    trail: Ints
    """[n] the moves of the edge being followed"""
    path: Ints
    """[n] room for all moves of a line; see `winning_moves`"""
    counts: Ints
    """see the names below"""


RUNS, PARENT, FIRST_MOVE, END_MOVE, NEXT, UNJOINED, EDGE = range(7)
"""EDGE: source | target << 4 | kind."""
SHIFTS, EAGER, STARTS = 1 << 8, 1 << 9, 1 << 10
"""The kind of an edge, in bits: it is no lift but a shift; its joins are eager; it moves nothing
and leads to the tidied start."""
ANY = -1
"""Instead of a target: all of them."""
NODE, READY, CHILD = range(3)
WORD, TOP, WANTS = range(3)
"""WANTS: the rank of the parents of the column's maximal run."""
NODES, MOVES, ENTRIES, EXPANDED, LOWEST, TRAIL, CHANGED, GONE, JOINED = range(9)
"""Of `counts`: nodes, recorded moves, table entries, expanded nodes, no list below this priority,
and of the edge: length of the trail, columns to look at for joins (a bit each), packed runs removed
after it, and how much lower its U is."""


def new_macro(columns: int, nodes: int) -> Macro:
    """Fresh arrays for up to `nodes` nodes."""
    return Macro(
        columns=np.zeros((nodes, columns), np.int64),
        facts=np.zeros((nodes, 7), np.int64),
        moves=np.zeros(nodes * MOVES_PER_NODE + MAX_EDGE, np.int64),
        table=np.zeros(1 << (2 * nodes).bit_length(), np.int64),
        heads=np.zeros(PRIORITIES, np.int64),
        work=np.zeros((3, columns, 3), np.int64),
        trail=np.zeros(MAX_EDGE, np.int64),
        path=np.zeros(nodes * MOVES_PER_NODE + MAX_EDGE, np.int64),
        counts=np.zeros(9, np.int64),
    )


@jit
def _set(game, macro, stage, column, word):
    """Put a word into a column of the stage, with what joins need to know of it."""
    macro.work[stage, column, WORD] = word
    top = np.int64(0)
    wants = np.int64(0)
    if word != 0:
        top = top_rank(word)
        wants = top + run_length(word)
        if wants > game.info[RANKS]:
            wants = np.int64(0)
    macro.work[stage, column, TOP] = top
    macro.work[stage, column, WANTS] = wants


@jit
def _copy_stage(macro, source):
    """Begin the next stage as a copy of this one."""
    for column in range(macro.work.shape[1]):
        for fact in range(macro.work.shape[2]):
            macro.work[source + 1, column, fact] = macro.work[source, column, fact]


@jit
def _move(game, macro, stage, source, target, count):
    """Play one move in a stage and note all it does."""
    word = macro.work[stage, source, WORD]
    goal = macro.work[stage, target, WORD]
    macro.trail[macro.counts[TRAIL]] = source | target << 4 | count << 8
    macro.counts[TRAIL] += 1
    macro.counts[CHANGED] |= (np.int64(1) << source) | (np.int64(1) << target)
    # only maximal runs are moved, and those lie on no true parent
    macro.counts[JOINED] += np.int64(goal != 0 and goal & 3 == word & 3)
    left, landed, gone = move_run(game, word, goal, count)
    _set(game, macro, stage, source, left)
    _set(game, macro, stage, target, landed)
    macro.counts[GONE] += gone


@jit
def _may_join(word, own_suit, kind):
    """Whether a join may move the column's maximal run onto a parent of this kind.

    A whole column goes onto any parent, which makes an empty column, unless the edge is a shift:
    that would undo it. Else a run goes onto its true parent only, and a bad head only in an
    eager search.
    """
    run_is_tail = run_length(word) == tail_length(word)
    if own_suit:
        return kind & EAGER > 0 or word >> BELOW_SHIFT == 0 or not run_is_tail
    return kind & SHIFTS == 0 and run_is_tail and word >> BELOW_SHIFT == 0


@jit
def _goes_to(macro, stage, source, kind):
    """Where a join would move the column's run, or -1."""
    wants = macro.work[stage, source, WANTS]
    place = np.int64(-1)
    if wants == 0:
        return place
    word = macro.work[stage, source, WORD]
    for target in range(macro.work.shape[1]):
        if macro.work[stage, target, TOP] == wants:
            own_suit = macro.work[stage, target, WORD] & 3 == word & 3
            if _may_join(word, own_suit, kind):
                place = np.int64(target)
                if own_suit:
                    return place
    return place


@jit
def _comes_to(macro, stage, target, kind):
    """A column whose run a join would move onto this one, or -1."""
    top = macro.work[stage, target, TOP]
    place = np.int64(-1)
    if top == 0:
        return place
    suit = macro.work[stage, target, WORD] & 3
    for source in range(macro.work.shape[1]):
        if macro.work[stage, source, WANTS] == top:
            word = macro.work[stage, source, WORD]
            own_suit = word & 3 == suit
            if _may_join(word, own_suit, kind):
                place = np.int64(source)
                if own_suit:
                    return place
    return place


@jit
def _tidy(game, macro, stage, kind):
    """Make all joins, where columns have changed."""
    while macro.counts[CHANGED] and macro.counts[TRAIL] < macro.trail.shape[0]:
        column = np.int64(0)
        while (macro.counts[CHANGED] >> column) & 1 == 0:
            column += 1
        source = column
        target = _goes_to(macro, stage, column, kind)
        if target < 0:
            target = column
            source = _comes_to(macro, stage, column, kind)
        if source < 0:
            macro.counts[CHANGED] ^= np.int64(1) << column
        else:
            count = run_length(macro.work[stage, source, WORD])
            _move(game, macro, stage, source, target, count)


@jit
def _lay_bare(game, macro, source):
    """Move blockers away until the source's tail is one run; False if one has no place.

    A blocker goes to its true parent, else to a false one, else to an empty column.
    """
    for _ in range(MAX_BLOCKERS):
        word = macro.work[READY, source, WORD]
        run = run_length(word)
        if run == tail_length(word):
            return True
        wanted = top_rank(word) + run
        best = np.int64(3)
        place = np.int64(-1)
        for target in range(macro.work.shape[1]):
            other = macro.work[READY, target, WORD]
            if other == 0:
                cost = np.int64(2)
            elif macro.work[READY, target, TOP] != wanted:
                continue
            else:
                cost = np.int64(other & 3 != word & 3)
            if cost < best:
                best = cost
                place = np.int64(target)
        if place < 0:
            return False
        _move(game, macro, np.int64(READY), source, place, run)
    return False


@jit
def _is_new(macro, key):
    """Enter a key in the table; False when it is there already."""
    key |= 1
    mask = macro.table.shape[0] - 1
    at = (key >> 8) & mask
    while macro.table[at] != 0:
        if macro.table[at] == key:
            return False
        at = (at + 1) & mask
    macro.table[at] = key
    macro.counts[ENTRIES] += 1
    return True


@jit
def _has_room(macro):
    """Nodes, table and recorded moves have room for one more edge."""
    return (
        macro.counts[ENTRIES] * 2 < macro.table.shape[0]
        and macro.counts[NODES] < macro.columns.shape[0]
        and macro.counts[MOVES] + MAX_EDGE <= macro.moves.shape[0]
    )


@jit
def _add(game, macro, parent, edge, unjoined_now):
    """Add the child as a node and queue it, unless it is known; returns whether it is a win."""
    node = macro.counts[NODES]
    key = np.int64(0)
    bad = np.int64(0)
    for column in range(macro.work.shape[1]):
        word = macro.work[CHILD, column, WORD]
        macro.columns[node, column] = word
        key += mix_a(word)
        bad += game.below[word >> BELOW_SHIFT, DEPTH]
    if not _is_new(macro, key):
        return False
    priority = WEIGHT_U * unjoined_now + WEIGHT_BAD * bad + PRIORITY_BASE
    priority = max(np.int64(0), min(priority, np.int64(PRIORITIES - 1)))
    macro.facts[node, RUNS] = macro.counts[GONE]
    macro.facts[node, PARENT] = parent
    macro.facts[node, FIRST_MOVE] = macro.counts[MOVES]
    for at in range(macro.counts[TRAIL]):
        macro.moves[macro.counts[MOVES] + at] = macro.trail[at]
    macro.counts[MOVES] += macro.counts[TRAIL]
    macro.facts[node, END_MOVE] = macro.counts[MOVES]
    macro.facts[node, NEXT] = macro.heads[priority]
    macro.facts[node, UNJOINED] = unjoined_now
    macro.facts[node, EDGE] = edge
    macro.heads[priority] = node
    macro.counts[LOWEST] = min(macro.counts[LOWEST], priority)
    macro.counts[NODES] += 1
    return macro.counts[GONE] == game.info[START_RUNS]


@jit
def _pop(macro):
    """Take the best node from the queue, -1 when it is empty."""
    for priority in range(macro.counts[LOWEST], macro.heads.shape[0]):
        node = macro.heads[priority]
        if node >= 0:
            macro.heads[priority] = macro.facts[node, NEXT]
            macro.counts[LOWEST] = priority
            return node
    return np.int64(-1)


@jit
def _load(game, macro, node):
    """Make a node the one whose edges are followed; -1: the start as it is dealt."""
    for column in range(macro.work.shape[1]):
        word = game.start[column] if node < 0 else macro.columns[node, column]
        _set(game, macro, np.int64(NODE), column, word)


@jit
def _make_ready(game, macro, node, source, kind):
    """Play what comes before the source's run moves; False if there is no such edge."""
    word = macro.work[NODE, source, WORD]
    macro.counts[TRAIL] = 0
    macro.counts[JOINED] = 0
    macro.counts[CHANGED] = 0
    macro.counts[GONE] = 0
    if kind & STARTS:
        macro.counts[CHANGED] = (np.int64(1) << macro.work.shape[1]) - 1
    else:
        macro.counts[GONE] = macro.facts[node, RUNS]
        if kind & SHIFTS == 0 and word >> BELOW_SHIFT == 0:
            return False
        if kind & SHIFTS and run_length(word) == tail_length(word):
            return False
    _copy_stage(macro, np.int64(NODE))
    return kind & (STARTS | SHIFTS) > 0 or _lay_bare(game, macro, source)


@jit
def _is_target(macro, word, target):
    """A run that is ready to move may go there: a parent, or the first empty column."""
    if macro.work[READY, target, WORD] != 0:
        return macro.work[READY, target, TOP] == top_rank(word) + run_length(word)
    for column in range(target):
        if macro.work[READY, column, WORD] == 0:
            return False
    return True


@jit
def _follow(game, macro, node, source, only, kind):
    """Add the nodes to which the source's lift, or shift, leads: to all targets or to one.

    Returns whether one of them is a win. The node has been loaded.
    """
    if not _make_ready(game, macro, node, source, kind):
        return False
    trail = macro.counts[TRAIL]
    changed = macro.counts[CHANGED]
    gone = macro.counts[GONE]
    joined = macro.counts[JOINED]
    unjoined_before = unjoined(game, game.start) if node < 0 else macro.facts[node, UNJOINED]
    word = macro.work[READY, source, WORD]
    for target in range(macro.work.shape[1]):
        if only != ANY and only != target:
            continue
        if kind & STARTS == 0 and not _is_target(macro, word, target):
            continue
        if not _has_room(macro):
            return False
        macro.counts[TRAIL] = trail
        macro.counts[CHANGED] = changed
        macro.counts[GONE] = gone
        macro.counts[JOINED] = joined
        _copy_stage(macro, np.int64(READY))
        if kind & STARTS == 0:
            _move(game, macro, np.int64(CHILD), source, np.int64(target), run_length(word))
        _tidy(game, macro, np.int64(CHILD), kind)
        now = unjoined_before - macro.counts[JOINED]
        if _add(game, macro, node, source | target << 4 | kind, now):
            return True
    return False


@entry
def search_macro(game, lifts, macro, most, eager):
    """Search from the start for a win, expanding up to `most` nodes; True: the last node is one.

    `eager`: 1 for an eager search, else 0.
    """
    macro.counts[:] = 0
    macro.table[:] = 0
    macro.heads[:] = -1
    macro.counts[LOWEST] = macro.heads.shape[0]
    # Edges first .. last - 1 of the node are followed: lifts have even numbers, shifts odd ones.
    # One call for all purposes, or the compiler would make a copy for each.
    node = np.int64(-1)
    first, last, only = np.int64(0), np.int64(1), np.int64(0)
    kind = STARTS | EAGER * np.int64(eager)
    while True:
        _load(game, macro, node)
        for edge in range(first, last):
            shifts = SHIFTS * np.int64(edge & 1)
            if _follow(game, macro, node, np.int64(edge >> 1), only, kind | shifts):
                return True
        node = _pop(macro)
        if node < 0 or macro.counts[EXPANDED] >= most or not _has_room(macro):
            return False
        way = macro.facts[node, EDGE]
        if may_be_won(game, lifts, macro.columns[node], macro.facts[node, RUNS]):
            macro.counts[EXPANDED] += 1
            first, last, only = np.int64(0), 2 * np.int64(macro.work.shape[1]), np.int64(ANY)
            kind = EAGER * np.int64(eager)
        else:
            # the way that led there once more, without eager joins if it had any
            node = macro.facts[node, PARENT]
            first = 2 * (way & 15) + np.int64(way & SHIFTS > 0)
            last = first + np.int64(way & EAGER > 0)
            only = way >> 4 & 15
            kind = way & STARTS


@entry
def winning_moves(macro):
    """Write the moves to the last node, after `search_macro` has won, at the end of `path`.

    Returns where in `path` they begin.
    """
    begin = np.int64(macro.path.shape[0])
    node = macro.counts[NODES] - 1
    while node >= 0:
        move = macro.facts[node, END_MOVE]
        while move > macro.facts[node, FIRST_MOVE]:
            move -= 1
            begin -= 1
            macro.path[begin] = macro.moves[move]
        node = macro.facts[node, PARENT]
    return begin
