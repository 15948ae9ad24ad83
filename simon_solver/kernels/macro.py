"""The macro search: may say "won", never "lost".

A node is a position *tidied* by joins; an edge lifts one bad head: the blockers above it are moved away
until what lies on the head is one run, that run goes to one of its possible places, and the position is
tidied again. Best first on 4U - 2 * (bad adjacencies), L0 drops what is lost. It wins most deals with a
few dozen nodes; whatever it does is a sequence of legal moves, which it records.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.bound import unjoined
from simon_solver.kernels.compiled import jit
from simon_solver.kernels.game import Ints
from simon_solver.kernels.lifts import may_be_won
from simon_solver.kernels.pool import key_of
from simon_solver.kernels.words import (
    BELOW_SHIFT,
    RUN_BITS,
    is_complete,
    put,
    run_length,
    tail_length,
    take,
    top_rank,
)

WEIGHT_U, WEIGHT_BAD, PRIORITY_BASE, PRIORITIES = 4, -2, 400, 1024
MAX_BLOCKERS, MAX_TIDY = 12, 64


class Macro(NamedTuple):
    """Nodes, table and queue of the macro search, and the moves along each edge."""

    columns: Ints
    """[node, column] words"""
    facts: Ints
    """[node, (packed runs, parent, first move, one past the last move, next node in its list)]"""
    moves: Ints
    """[n] moves: source | target << 4 | count << 8"""
    table: Ints
    """[slot] key halves folded into one; 0 is free. A clash can only hide a win."""
    heads: Ints
    """[priority] first node of each list, -1 for none"""
    work: Ints
    """[column] words being played on"""
    count: Ints
    """[nodes, recorded moves, table entries, expanded nodes]"""


RUNS, PARENT, FIRST_MOVE, END_MOVE, NEXT = range(5)
NODES, MOVES, ENTRIES, EXPANDED = range(4)


def new_macro(columns: int, nodes: int = 1500) -> Macro:
    """Fresh arrays for up to `nodes` nodes."""
    return Macro(
        columns=np.zeros((nodes, columns), np.int64),
        facts=np.zeros((nodes, 5), np.int64),
        moves=np.zeros(nodes * 32, np.int64),
        table=np.zeros(4096, np.int64),
        heads=np.zeros(PRIORITIES, np.int64),
        work=np.zeros(columns, np.int64),
        count=np.zeros(4, np.int64),
    )


@jit
def _move(game, macro, columns, runs, source, target, count):
    """Play one move and record it; returns the packed runs removed after it."""
    if macro.count[MOVES] < macro.moves.shape[0]:
        macro.moves[macro.count[MOVES]] = source | target << 4 | count << 8
    macro.count[MOVES] += 1
    word = columns[source]
    if count == tail_length(word):
        runs += game.uncovered_runs[word >> BELOW_SHIFT]
    landed = put(columns[target], count, word & 3, top_rank(word) + count - 1)
    if is_complete(game, landed):
        runs += np.int64(1) << (RUN_BITS * (word & 3))
        runs += game.uncovered_runs[landed >> BELOW_SHIFT]
        landed = game.uncovered[landed >> BELOW_SHIFT]
    columns[source] = take(game, word, count)
    columns[target] = landed
    return runs


@jit
def _tidy(game, macro, columns, runs, own_suit_only):
    """Join what can be joined without breaking a bad adjacency; returns the packed runs after it.

    A maximal run that lies on a false parent or is a whole column goes onto its true parent; a whole
    column goes onto any parent, which makes an empty column, unless `own_suit_only`.
    """
    ranks = game.ranks[0]
    again = True
    rounds = 0
    while again and rounds < MAX_TIDY:
        again = False
        rounds += 1
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
            if place >= 0:
                runs = _move(game, macro, columns, runs, source, place, run)
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
def _enter(game, lifts, macro, columns, runs, parent, first_move):
    """Add a position unless it is known or lost. 1 won, 0 go on, -1 out of room."""
    key_a, key_b = key_of(columns)
    key = (key_a ^ key_b) | 1
    mask = macro.table.shape[0] - 1
    at = (key >> 8) & mask
    while macro.table[at] != 0:
        if macro.table[at] == key:
            return np.int64(0)
        at = (at + 1) & mask
    node = macro.count[NODES]
    if (
        macro.count[ENTRIES] * 2 > mask
        or node >= macro.columns.shape[0]
        or macro.count[MOVES] > macro.moves.shape[0]
    ):
        return np.int64(-1)
    macro.table[at] = key
    macro.count[ENTRIES] += 1
    won = runs == game.start_runs[0]
    if not won and not may_be_won(game, lifts, columns, runs):
        return np.int64(0)
    bad = np.int64(0)
    for column in range(columns.shape[0]):
        macro.columns[node, column] = columns[column]
        bad += game.depth[columns[column] >> BELOW_SHIFT]
    priority = WEIGHT_U * unjoined(game, columns) + WEIGHT_BAD * bad + PRIORITY_BASE
    priority = min(priority, np.int64(PRIORITIES - 1))
    macro.facts[node, RUNS] = runs
    macro.facts[node, PARENT] = parent
    macro.facts[node, FIRST_MOVE] = first_move
    macro.facts[node, END_MOVE] = macro.count[MOVES]
    macro.facts[node, NEXT] = macro.heads[priority]
    macro.heads[priority] = node
    macro.count[NODES] += 1
    return np.int64(won)


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
def _try_edge(game, lifts, macro, node, source, target, loosen):
    """Follow one edge and enter where it leads.

    Lifts the source's bad head to `target`; with `loosen`, moves the source's run there though no
    bad adjacency is broken (for positions that have none left). Returns 1 won, 0 go on, -1 out of
    room, -2 stuck whatever the target.
    """
    columns = macro.work
    for column in range(columns.shape[0]):
        columns[column] = macro.columns[node, column]
    runs = macro.facts[node, RUNS]
    first = macro.count[MOVES]
    known = macro.count[NODES]
    answer = np.int64(0)
    if not loosen:
        runs = _make_run(game, macro, columns, runs, source)
        if runs < 0:
            macro.count[MOVES] = first
            return np.int64(-2)
    word = columns[source]
    run = run_length(word)
    rank = top_rank(word) + run - 1
    if columns[target] == 0:
        legal = _is_first_empty(columns, target)
    else:
        legal = top_rank(columns[target]) == rank + 1
    if legal:
        runs = _move(game, macro, columns, runs, source, target, run)
        runs = _tidy(game, macro, columns, runs, loosen)
        answer = _enter(game, lifts, macro, columns, runs, node, first)
    if macro.count[NODES] == known:
        macro.count[MOVES] = first
    return answer


@jit
def _expand(game, lifts, macro, node):
    """Follow all edges of a node; 1 won, 0 go on, -1 out of room."""
    columns = macro.columns.shape[1]
    bad = np.int64(0)
    for column in range(columns):
        bad += game.depth[macro.columns[node, column] >> BELOW_SHIFT]
    loosen = bad == 0
    for source in range(columns):
        word = macro.columns[node, source]
        if loosen:
            if word == 0 or run_length(word) == tail_length(word):
                continue
        elif word >> BELOW_SHIFT == 0:
            continue
        for target in range(columns):
            if target == source:
                continue
            answer = _try_edge(game, lifts, macro, node, source, np.int64(target), loosen)
            if answer == -2:
                break
            if answer != 0:
                return answer
    return np.int64(0)


@jit
def search_macro(game, lifts, macro):
    """Search from the start for a win; returns True when the last node is one."""
    macro.count[:] = 0
    macro.table[:] = 0
    macro.heads[:] = -1
    columns = macro.work
    for column in range(columns.shape[0]):
        columns[column] = game.start[column]
    runs = _tidy(game, macro, columns, np.int64(0), False)
    answer = _enter(game, lifts, macro, columns, runs, np.int64(-1), np.int64(0))
    while answer == 0:
        node = _pop(macro)
        if node < 0:
            return False
        macro.count[EXPANDED] += 1
        answer = _expand(game, lifts, macro, node)
    return answer == 1


def winning_moves(macro: Macro) -> list[tuple[int, int, int]]:
    """The moves (source, target, count) to the last node, after `search_macro` has won."""
    node, edges = int(macro.count[NODES]) - 1, []
    while node >= 0:
        edges.append(macro.moves[macro.facts[node, FIRST_MOVE] : macro.facts[node, END_MOVE]])
        node = int(macro.facts[node, PARENT])
    moves = (int(move) for edge in reversed(edges) for move in edge)
    return [(move & 15, move >> 4 & 15, move >> 8) for move in moves]
