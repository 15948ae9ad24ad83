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
records. Numbers in brackets are statements of `docs/algorithms/`.

In the code: a node is a row of `Macro.columns` and of `Macro.facts`, see `_NODE`; the moves of its
edge are a stretch of `Macro.moves`. What is worked on stands in `Macro.work`: the node, the node
made ready, and the child, each with what a join must know of a column.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.relaxations.lifts import Lifts, may_be_won
from simon_solver.kernels.state.fields import BELOW_SHIFT
from simon_solver.kernels.state.successors import unjoined
from simon_solver.kernels.state.task import BELOW, INFO, Ints, Task
from simon_solver.kernels.state.words import mix_a, move_run, run_length, tail_length, top_rank

WEIGHT_U, WEIGHT_BAD = 4, -2
PRIORITY_BASE, PRIORITIES = 400, 1024
"""With 52 cards the weighted sum lies between -104 and 208."""
MAX_BLOCKERS, MAX_JOINS = 12, 64
"""At most twelve runs lie on a tail's highest card. When the trail is full, no more are joined."""
MAX_EDGE = MAX_BLOCKERS + 1 + MAX_JOINS
MOVES_PER_NODE = 8
"""Room for moves: an edge has three to six on average."""


class Macro(NamedTuple):
    """Nodes, table and queue of the macro search, and the moves along each edge."""

    columns: Ints
    """[node, column] words"""
    facts: Ints
    """[node, name] see `_NODE`"""
    moves: Ints
    """[n] moves: source | target << 4 | count << 8"""
    table: Ints
    """[slot] keys of 64 bits; 0 is free. A clash can only hide a win."""
    buckets: Ints
    """[priority] first node of each list, -1 for none"""
    work: Ints
    """[stage, column, name] see `STAGE` and `_WORK`"""
    trail: Ints
    """[n] the moves of the edge being followed"""
    path: Ints
    """[n] room for all moves of a line; see `winning_moves`"""
    counts: Ints
    """[name] see `MACRO`"""


class _Node(NamedTuple):
    """Of `Macro.facts`."""

    runs: int = 0
    """packed runs removed"""
    parent: int = 1
    first_move: int = 2
    """its edge's first"""
    end_move: int = 3
    """one past the edge's last"""
    next: int = 4
    """the next node in its list"""
    unjoined: int = 5
    """U"""
    edge: int = 6
    """source | target << 4 | kind"""


_NODE = _Node()


class _Edge(NamedTuple):
    """The kind of an edge, in bits."""

    shifts: int = 1 << 8
    """it is no lift but a shift"""
    eager: int = 1 << 9
    """its joins are eager"""
    starts: int = 1 << 10
    """it moves nothing and leads to the tidied start"""


EDGE = _Edge()

ANY = -1
"""Instead of a target: all of them."""


class _Stage(NamedTuple):
    """Of `Macro.work`."""

    node: int = 0
    """the node being expanded"""
    ready: int = 1
    """the same with a run ready to move"""
    child: int = 2


STAGE = _Stage()


class _Work(NamedTuple):
    """Of a column of a stage."""

    word: int = 0
    top: int = 1
    """rank of the top card, or 0"""
    wants: int = 2
    """rank of the parents of the column's maximal run, or 0"""


_WORK = _Work()


class _Macro(NamedTuple):
    """Of `Macro.counts`; the last four are of the edge being followed."""

    nodes: int = 0
    moves: int = 1
    """recorded moves"""
    entries: int = 2
    """of the table"""
    expanded: int = 3
    """nodes"""
    lowest: int = 4
    """no list below this priority holds a node"""
    trail: int = 5
    """length of the trail"""
    changed: int = 6
    """columns to look at for joins, a bit each"""
    gone: int = 7
    """packed runs removed after it"""
    joined: int = 8
    """how much lower its U is"""


MACRO = _Macro()


def new_macro(columns: int, nodes: int) -> Macro:
    """Fresh arrays for up to `nodes` nodes."""
    arrays = Macro(
        columns=np.zeros((nodes, columns), np.int64),
        facts=np.zeros((nodes, len(_NODE)), np.int64),
        moves=np.zeros(nodes * MOVES_PER_NODE + MAX_EDGE, np.int64),
        table=np.zeros(1 << (2 * nodes).bit_length(), np.int64),
        buckets=np.zeros(PRIORITIES, np.int64),
        work=np.zeros((len(STAGE), columns, len(_WORK)), np.int64),
        trail=np.zeros(MAX_EDGE, np.int64),
        path=np.zeros(nodes * MOVES_PER_NODE + MAX_EDGE, np.int64),
        counts=np.zeros(len(MACRO), np.int64),
    )
    return lasting(arrays)


@internal
def _set(task: Task, macro: Macro, stage: int, column: int, word: int) -> None:
    """Put a word into a column of the stage, with what joins need to know of it."""
    macro.work[stage, column, _WORK.word] = word
    top = int64(0)
    wants = int64(0)
    if word != 0:
        top = top_rank(word)
        wants = top + run_length(word)
        if wants > task.info[INFO.ranks]:
            wants = int64(0)
    macro.work[stage, column, _WORK.top] = top
    macro.work[stage, column, _WORK.wants] = wants


@internal
def _copy_stage(macro: Macro, source: int) -> None:
    """Begin the next stage as a copy of this one."""
    for column in range(macro.work.shape[1]):
        for fact in range(macro.work.shape[2]):
            macro.work[source + 1, column, fact] = macro.work[source, column, fact]


@internal
def _move(task: Task, macro: Macro, stage: int, source: int, target: int, count: int) -> None:
    """Play one move in a stage and note all it does."""
    word = macro.work[stage, source, _WORK.word]
    goal = macro.work[stage, target, _WORK.word]
    macro.trail[macro.counts[MACRO.trail]] = source | target << 4 | count << 8
    macro.counts[MACRO.trail] += 1
    macro.counts[MACRO.changed] |= (int64(1) << source) | (int64(1) << target)
    # only maximal runs are moved, and those lie on no true parent
    macro.counts[MACRO.joined] += int64(goal != 0 and goal & 3 == word & 3)
    left, landed, gone = move_run(task, word, goal, count)
    _set(task, macro, stage, source, left)
    _set(task, macro, stage, target, landed)
    macro.counts[MACRO.gone] += gone


@internal
def _may_join(word: int, own_suit: bool, kind: int) -> bool:
    """Whether a join may move the column's maximal run onto a parent of this kind.

    A whole column goes onto any parent, which makes an empty column, unless the edge is a shift:
    that would undo it. Else a run goes onto its true parent only, and a bad head only in an
    eager search.
    """
    run_is_tail = run_length(word) == tail_length(word)
    if own_suit:
        return kind & EDGE.eager > 0 or word >> BELOW_SHIFT == 0 or not run_is_tail
    return kind & EDGE.shifts == 0 and run_is_tail and word >> BELOW_SHIFT == 0


@internal
def _goes_to(macro: Macro, stage: int, source: int, kind: int) -> int:
    """Where a join would move the column's run, or -1."""
    wants = macro.work[stage, source, _WORK.wants]
    place = int64(-1)
    if wants == 0:
        return place
    word = macro.work[stage, source, _WORK.word]
    for target in range(macro.work.shape[1]):
        if macro.work[stage, target, _WORK.top] == wants:
            own_suit = macro.work[stage, target, _WORK.word] & 3 == word & 3
            if _may_join(word, own_suit, kind):
                place = int64(target)
                if own_suit:
                    return place
    return place


@internal
def _comes_to(macro: Macro, stage: int, target: int, kind: int) -> int:
    """A column whose run a join would move onto this one, or -1."""
    top = macro.work[stage, target, _WORK.top]
    place = int64(-1)
    if top == 0:
        return place
    suit = macro.work[stage, target, _WORK.word] & 3
    for source in range(macro.work.shape[1]):
        if macro.work[stage, source, _WORK.wants] == top:
            word = macro.work[stage, source, _WORK.word]
            own_suit = word & 3 == suit
            if _may_join(word, own_suit, kind):
                place = int64(source)
                if own_suit:
                    return place
    return place


@internal
def _tidy(task: Task, macro: Macro, stage: int, kind: int) -> None:
    """Make all joins, where columns have changed."""
    while macro.counts[MACRO.changed] and macro.counts[MACRO.trail] < macro.trail.shape[0]:
        column = int64(0)
        while (macro.counts[MACRO.changed] >> column) & 1 == 0:
            column += 1
        source = column
        target = _goes_to(macro, stage, column, kind)
        if target < 0:
            target = column
            source = _comes_to(macro, stage, column, kind)
        if source < 0:
            macro.counts[MACRO.changed] ^= int64(1) << column
        else:
            count = run_length(macro.work[stage, source, _WORK.word])
            _move(task, macro, stage, source, target, count)


@internal
def _lay_bare(task: Task, macro: Macro, source: int) -> bool:
    """Move blockers away until the source's tail is one run; False if one has no place.

    A blocker goes to its true parent, else to a false one, else to an empty column.
    """
    for _ in range(MAX_BLOCKERS):
        word = macro.work[STAGE.ready, source, _WORK.word]
        run = run_length(word)
        if run == tail_length(word):
            return True
        wanted = top_rank(word) + run
        best = int64(3)
        place = int64(-1)
        for target in range(macro.work.shape[1]):
            other = macro.work[STAGE.ready, target, _WORK.word]
            if other == 0:
                cost = int64(2)
            elif macro.work[STAGE.ready, target, _WORK.top] != wanted:
                continue
            else:
                cost = int64(other & 3 != word & 3)
            if cost < best:
                best = cost
                place = int64(target)
        if place < 0:
            return False
        _move(task, macro, STAGE.ready, source, place, run)
    return False


@internal
def _is_new(macro: Macro, key: int) -> bool:
    """Enter a key in the table; False when it is there already."""
    key |= 1
    mask = macro.table.shape[0] - 1
    at = (key >> 8) & mask
    while macro.table[at] != 0:
        if macro.table[at] == key:
            return False
        at = (at + 1) & mask
    macro.table[at] = key
    macro.counts[MACRO.entries] += 1
    return True


@internal
def _has_room(macro: Macro) -> bool:
    """Nodes, table and recorded moves have room for one more edge."""
    return (
        macro.counts[MACRO.entries] * 2 < macro.table.shape[0]
        and macro.counts[MACRO.nodes] < macro.columns.shape[0]
        and macro.counts[MACRO.moves] + MAX_EDGE <= macro.moves.shape[0]
    )


@internal
def _add(task: Task, macro: Macro, parent: int, edge: int, unjoined_now: int) -> bool:
    """Add the child as a node and queue it, unless it is known; returns whether it is a win."""
    node = macro.counts[MACRO.nodes]
    key = int64(0)
    bad = int64(0)
    for column in range(macro.work.shape[1]):
        word = macro.work[STAGE.child, column, _WORK.word]
        macro.columns[node, column] = word
        key += mix_a(word)
        bad += task.below[word >> BELOW_SHIFT, BELOW.depth]
    if not _is_new(macro, key):
        return False
    priority = WEIGHT_U * unjoined_now + WEIGHT_BAD * bad + PRIORITY_BASE
    priority = max(int64(0), min(priority, int64(PRIORITIES - 1)))
    macro.facts[node, _NODE.runs] = macro.counts[MACRO.gone]
    macro.facts[node, _NODE.parent] = parent
    macro.facts[node, _NODE.first_move] = macro.counts[MACRO.moves]
    for at in range(macro.counts[MACRO.trail]):
        macro.moves[macro.counts[MACRO.moves] + at] = macro.trail[at]
    macro.counts[MACRO.moves] += macro.counts[MACRO.trail]
    macro.facts[node, _NODE.end_move] = macro.counts[MACRO.moves]
    macro.facts[node, _NODE.next] = macro.buckets[priority]
    macro.facts[node, _NODE.unjoined] = unjoined_now
    macro.facts[node, _NODE.edge] = edge
    macro.buckets[priority] = node
    macro.counts[MACRO.lowest] = min(macro.counts[MACRO.lowest], priority)
    macro.counts[MACRO.nodes] += 1
    return macro.counts[MACRO.gone] == task.info[INFO.start_runs]


@internal
def _pop(macro: Macro) -> int:
    """Take the best node from the queue, -1 when it is empty."""
    for priority in range(macro.counts[MACRO.lowest], macro.buckets.shape[0]):
        node = macro.buckets[priority]
        if node >= 0:
            macro.buckets[priority] = macro.facts[node, _NODE.next]
            macro.counts[MACRO.lowest] = priority
            return node
    return int64(-1)


@internal
def _load(task: Task, macro: Macro, node: int) -> None:
    """Make a node the one whose edges are followed; -1: the start as it is dealt."""
    for column in range(macro.work.shape[1]):
        word = task.start[column] if node < 0 else macro.columns[node, column]
        _set(task, macro, STAGE.node, column, word)


@internal
def _make_ready(task: Task, macro: Macro, node: int, source: int, kind: int) -> bool:
    """Play what comes before the source's run moves; False if there is no such edge."""
    word = macro.work[STAGE.node, source, _WORK.word]
    macro.counts[MACRO.trail] = 0
    macro.counts[MACRO.joined] = 0
    macro.counts[MACRO.changed] = 0
    macro.counts[MACRO.gone] = 0
    if kind & EDGE.starts:
        macro.counts[MACRO.changed] = (int64(1) << macro.work.shape[1]) - 1
    else:
        macro.counts[MACRO.gone] = macro.facts[node, _NODE.runs]
        if kind & EDGE.shifts == 0 and word >> BELOW_SHIFT == 0:
            return False
        if kind & EDGE.shifts and run_length(word) == tail_length(word):
            return False
    _copy_stage(macro, STAGE.node)
    return kind & (EDGE.starts | EDGE.shifts) > 0 or _lay_bare(task, macro, source)


@internal
def _is_target(macro: Macro, word: int, target: int) -> bool:
    """A run that is ready to move may go there: a parent, or the first empty column."""
    if macro.work[STAGE.ready, target, _WORK.word] != 0:
        return macro.work[STAGE.ready, target, _WORK.top] == top_rank(word) + run_length(word)
    for column in range(target):
        if macro.work[STAGE.ready, column, _WORK.word] == 0:
            return False
    return True


@internal
def _follow(task: Task, macro: Macro, node: int, source: int, only: int, kind: int) -> bool:
    """Add the nodes to which the source's lift, or shift, leads: to all targets or to one.

    Returns whether one of them is a win. The node has been loaded.
    """
    if not _make_ready(task, macro, node, source, kind):
        return False
    trail = macro.counts[MACRO.trail]
    changed = macro.counts[MACRO.changed]
    gone = macro.counts[MACRO.gone]
    joined = macro.counts[MACRO.joined]
    unjoined_before = unjoined(task, task.start) if node < 0 else macro.facts[node, _NODE.unjoined]
    word = macro.work[STAGE.ready, source, _WORK.word]
    for target in range(macro.work.shape[1]):
        if only != ANY and only != target:
            continue
        if kind & EDGE.starts == 0 and not _is_target(macro, word, target):
            continue
        if not _has_room(macro):
            return False
        macro.counts[MACRO.trail] = trail
        macro.counts[MACRO.changed] = changed
        macro.counts[MACRO.gone] = gone
        macro.counts[MACRO.joined] = joined
        _copy_stage(macro, STAGE.ready)
        if kind & EDGE.starts == 0:
            _move(task, macro, STAGE.child, source, int64(target), run_length(word))
        _tidy(task, macro, STAGE.child, kind)
        now = unjoined_before - macro.counts[MACRO.joined]
        if _add(task, macro, node, source | target << 4 | kind, now):
            return True
    return False


@entry
def search_macro(task: Task, lifts: Lifts, macro: Macro, most: int, eager: int) -> bool:
    """Search from the start for a win, expanding up to `most` nodes; True: the last node is one.

    `eager`: 1 for an eager search, else 0.
    """
    macro.counts[:] = 0
    macro.table[:] = 0
    macro.buckets[:] = -1
    macro.counts[MACRO.lowest] = macro.buckets.shape[0]
    # Edges first .. last - 1 of the node are followed: lifts have even numbers, shifts odd ones.
    # One call for all purposes, or the compiler would make a copy for each.
    node = int64(-1)
    first, last, only = int64(0), int64(1), int64(0)
    kind = EDGE.starts | EDGE.eager * int64(eager)
    while True:
        _load(task, macro, node)
        for edge in range(first, last):
            shifts = EDGE.shifts * int64(edge & 1)
            if _follow(task, macro, node, int64(edge >> 1), only, kind | shifts):
                return True
        node = _pop(macro)
        if node < 0 or macro.counts[MACRO.expanded] >= most or not _has_room(macro):
            return False
        way = macro.facts[node, _NODE.edge]
        if may_be_won(task, lifts, macro.columns[node], macro.facts[node, _NODE.runs]):
            macro.counts[MACRO.expanded] += 1
            first, last, only = int64(0), 2 * int64(macro.work.shape[1]), int64(ANY)
            kind = EDGE.eager * int64(eager)
        else:
            # the way that led there once more, without eager joins if it had any
            node = macro.facts[node, _NODE.parent]
            first = 2 * (way & 15) + int64(way & EDGE.shifts > 0)
            last = first + int64(way & EDGE.eager > 0)
            only = way >> 4 & 15
            kind = way & EDGE.starts


@entry
def winning_moves(macro: Macro) -> int:
    """Write the moves to the last node, after `search_macro` has won, at the end of `path`.

    Returns where in `path` they begin.
    """
    begin = int64(macro.path.shape[0])
    node = macro.counts[MACRO.nodes] - 1
    while node >= 0:
        move = macro.facts[node, _NODE.end_move]
        while move > macro.facts[node, _NODE.first_move]:
            move -= 1
            begin -= 1
            macro.path[begin] = macro.moves[move]
        node = macro.facts[node, _NODE.parent]
    return begin
