"""The macro search: may say "won", never "lost".

A node is a position *tidied* by joins; an edge lifts one bad head: the blockers above it are
moved away until what lies on the head is one run, that run goes to one of its possible places,
and the position is tidied again. Best first on 4U - 2 * (bad adjacencies), L0 drops what is lost.
It wins most deals with a few dozen nodes; whatever it does is a sequence of legal moves, which it
records.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.fields import BELOW_SHIFT
from simon_solver.kernels.game import (
    DEPTH,
    RANKS,
    START_RUNS,
    Ints,
)
from simon_solver.kernels.lifts import may_be_won
from simon_solver.kernels.pool import key_of
from simon_solver.kernels.successors import unjoined
from simon_solver.kernels.words import move_run, run_length, tail_length, top_rank

WEIGHT_U, WEIGHT_BAD, PRIORITY_BASE, PRIORITIES = 4, -2, 400, 1024
MAX_BLOCKERS, MAX_JOINS = 12, 64
MAX_EDGE = MAX_BLOCKERS + 1 + MAX_JOINS


class Macro(NamedTuple):
    """Nodes, table and queue of the macro search, and the moves along each edge."""

    columns: Ints
    """[node, column] words"""
    facts: Ints
    """[node, (packed runs, parent, first move, one past the last, next in its list, loose)]
    A loose node has no bad adjacency left."""
    moves: Ints
    """[n] moves: source | target << 4 | count << 8"""
    table: Ints
    """[slot] key halves folded into one; 0 is free. A clash can only hide a win."""
    heads: Ints
    """[priority] first node of each list, -1 for none"""
    work: Ints
    """[column] words being played on"""
    counts: Ints
    """[nodes, recorded moves, table entries, expanded nodes]"""


RUNS, PARENT, FIRST_MOVE, END_MOVE, NEXT, LOOSE = range(6)
NODES, MOVES, ENTRIES, EXPANDED = range(4)


def new_macro(columns: int, nodes: int = 1500) -> Macro:
    """Fresh arrays for up to `nodes` nodes."""
    return Macro(
        columns=np.zeros((nodes, columns), np.int64),
        facts=np.zeros((nodes, 6), np.int64),
        moves=np.zeros(nodes * 32 + MAX_EDGE, np.int64),
        table=np.zeros(4096, np.int64),
        heads=np.zeros(PRIORITIES, np.int64),
        work=np.zeros(columns, np.int64),
        counts=np.zeros(4, np.int64),
    )


@jit
def _move(game, macro, columns, runs, source, target, count):
    """Play one move and record it; returns the packed runs removed after it."""
    macro.moves[macro.counts[MOVES]] = source | target << 4 | count << 8
    macro.counts[MOVES] += 1
    left, landed, gone = move_run(game, columns[source], columns[target], count)
    columns[source] = left
    columns[target] = landed
    return runs + gone


@jit
def _tidy(game, macro, columns, runs, own_suit_only):
    """Join what can be joined without breaking a bad adjacency; returns the packed runs after it.

    A maximal run that lies on a false parent or is a whole column goes onto its true parent; a
    whole column goes onto any parent, which makes an empty column, unless `own_suit_only`.
    """
    ranks = game.info[RANKS]
    again = True
    joins = 0
    while again:
        again = False
        for source in range(columns.shape[0]):
            word = columns[source]
            run = run_length(word)
            is_base = run == tail_length(word)
            if word == 0 or (is_base and word >> BELOW_SHIFT > 0):
                continue
            rank = top_rank(word) + run - 1
            if rank == ranks:
                continue
            place = np.int64(-1)
            for target in range(columns.shape[0]):
                other = columns[target]
                if target == source or other == 0 or top_rank(other) != rank + 1:
                    continue
                if other & 3 == word & 3:
                    place = np.int64(target)
                    break
                if is_base and not own_suit_only:
                    place = np.int64(target)
            if place >= 0 and joins < MAX_JOINS:
                runs = _move(game, macro, columns, runs, source, place, run)
                joins += 1
                again = True
    return runs


@jit
def _make_run(game, macro, columns, runs, source):
    """Move blockers away until the source's tail is one run; returns packed runs, -1 if stuck.

    A blocker goes to its true parent, else to a false one, else to an empty column.
    """
    for _ in range(MAX_BLOCKERS):
        word = columns[source]
        run = run_length(word)
        if run == tail_length(word):
            return runs
        rank = top_rank(word) + run - 1
        best = np.int64(3)
        place = np.int64(-1)
        for target in range(columns.shape[0]):
            other = columns[target]
            if target == source:
                continue
            if other == 0:
                cost = np.int64(2)
            elif top_rank(other) != rank + 1:
                continue
            else:
                cost = np.int64(other & 3 != word & 3)
            if cost < best:
                best = cost
                place = np.int64(target)
        if place < 0:
            return np.int64(-1)
        runs = _move(game, macro, columns, runs, source, place, run)
    return np.int64(-1)


@jit
def _is_new(macro, columns):
    """Enter a position in the table; False when it is there already."""
    key_a, key_b = key_of(columns)
    key = (key_a ^ key_b) | 1
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
def _add(game, macro, columns, runs, parent, first_move):
    """Add a position as a node and queue it."""
    node = macro.counts[NODES]
    bad = np.int64(0)
    for column in range(columns.shape[0]):
        macro.columns[node, column] = columns[column]
        bad += game.below[columns[column] >> BELOW_SHIFT, DEPTH]
    priority = WEIGHT_U * unjoined(game, columns) + WEIGHT_BAD * bad + PRIORITY_BASE
    priority = min(priority, np.int64(PRIORITIES - 1))
    macro.facts[node, RUNS] = runs
    macro.facts[node, PARENT] = parent
    macro.facts[node, FIRST_MOVE] = first_move
    macro.facts[node, END_MOVE] = macro.counts[MOVES]
    macro.facts[node, NEXT] = macro.heads[priority]
    macro.facts[node, LOOSE] = bad == 0
    macro.heads[priority] = node
    macro.counts[NODES] += 1


@jit
def _pop(macro):
    """Take the best node from the queue, -1 when it is empty."""
    for priority in range(macro.heads.shape[0]):
        node = macro.heads[priority]
        if node >= 0:
            macro.heads[priority] = macro.facts[node, NEXT]
            return node
    return np.int64(-1)


@jit
def _is_first_empty(columns, target):
    """The column is empty and none further left is."""
    for column in range(target):
        if columns[column] == 0:
            return False
    return columns[target] == 0


@jit
def _follow_edge(game, macro, node, source, target):
    """Play one edge of a node in `work`; returns the packed runs after it, or -1.

    The edge lifts the source's bad head to the target. Where no bad adjacency is left, it moves the
    source's run, which lies on a false parent.
    """
    columns = macro.work
    for column in range(columns.shape[0]):
        columns[column] = macro.columns[node, column]
    runs = macro.facts[node, RUNS]
    word = columns[source]
    if macro.facts[node, LOOSE]:
        if run_length(word) == tail_length(word):
            return np.int64(-1)
    else:
        if word >> BELOW_SHIFT == 0:
            return np.int64(-1)
        runs = _make_run(game, macro, columns, runs, source)
        if runs < 0:
            return runs
        word = columns[source]
    run = run_length(word)
    if columns[target] == 0:
        legal = _is_first_empty(columns, target)
    else:
        legal = top_rank(columns[target]) == top_rank(word) + run
    if not legal:
        return np.int64(-1)
    runs = _move(game, macro, columns, runs, source, target, run)
    # joins onto false parents would undo a loose node's move at once
    return _tidy(game, macro, columns, runs, macro.facts[node, LOOSE])


@entry
def search_macro(game, lifts, macro, most):
    """Search from the start for a win, expanding up to `most` nodes; True: the last node is one."""
    macro.counts[:] = 0
    macro.table[:] = 0
    macro.heads[:] = -1
    columns = macro.work
    for column in range(columns.shape[0]):
        columns[column] = game.start[column]
    runs = _tidy(game, macro, columns, np.int64(0), np.int64(0))
    _add(game, macro, columns, runs, np.int64(-1), np.int64(0))
    won = runs == game.info[START_RUNS]
    while not won:
        node = _pop(macro)
        if node < 0 or macro.counts[EXPANDED] >= most:
            return False
        macro.counts[EXPANDED] += 1
        for edge in range(columns.shape[0] * columns.shape[0]):
            source = edge // columns.shape[0]
            target = edge % columns.shape[0]
            if source == target:
                continue
            if not _has_room(macro):
                return False
            first_move = macro.counts[MOVES]
            runs = _follow_edge(game, macro, node, source, target)
            won = runs == game.info[START_RUNS]
            if runs < 0 or not (
                won or (_is_new(macro, columns) and may_be_won(game, lifts, columns, runs))
            ):
                macro.counts[MOVES] = first_move
                continue
            _add(game, macro, columns, runs, node, first_move)
            if won:
                break
    return True


def winning_moves(macro: Macro) -> list[tuple[int, int, int]]:
    """The moves (source, target, count) to the last node, after `search_macro` has won."""
    node, edges = int(macro.counts[NODES]) - 1, []
    while node >= 0:
        edges.append(macro.moves[macro.facts[node, FIRST_MOVE] : macro.facts[node, END_MOVE]])
        node = int(macro.facts[node, PARENT])
    moves = (int(move) for edge in reversed(edges) for move in edge)
    return [(move & 15, move >> 4 & 15, move >> 8) for move in moves]
