"""Best-first search over positions: one loop whose options make it complete, greedy or optimal.

Options say how nodes are ordered (f = weight_g * g + weight_h * h) and which rules apply:

* *L0* (`USE_LIFTS`): a new position that `lifts` proves lost is dropped. Sound for every question
  about wins.
* *forced joins* (`FORCE_JOINS`): where `successors.list_forced_join` finds a join, only that move
  is tried. Loses wins (two known deals), so a search with it may say "won" and nothing else.
* *optimal* (`OPTIMAL`): h is the waiting bound (without `WAITING` only U; without `TAKEN` no copy
  counts as taken), nodes that cannot beat the best win known are dropped, shorter ways to known
  nodes are followed, and the search ends when no node could lead to a shorter win. Sound for the
  shortest win.
"""

from __future__ import annotations

import numpy as np

from simon_solver.kernels.bound import (
    ALWAYS_FREED,
    exchanged,
    greedy_extra,
    load_heads,
    shift_run,
    unjoined,
)
from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.game import COPIES, RANKS, START_RUNS
from simon_solver.kernels.lifts import may_be_won
from simon_solver.kernels.pool import (
    CURSOR,
    EXPANDED,
    F_LIMIT,
    GOAL,
    H_LIMIT,
    NODES,
    NOT_QUEUED,
    RUNS_MASK,
    UPPER,
    add_node,
    dequeue,
    enqueue,
    estimate_of,
    find,
    first_queued,
    lowest_f,
    make_facts,
    moves_to,
    unpack,
)
from simon_solver.kernels.successors import (
    BROKE,
    KEY_A,
    KEY_B,
    RUNS,
    UNJOINED,
    list_forced_join,
    list_moves,
    look,
    make,
    move_roles,
    unmake,
)

# what a step ends with
RUNNING, WON, EXHAUSTED, FULL = range(4)

# entries of the options array
WEIGHT_G, WEIGHT_H, FORCE_JOINS, USE_LIFTS, OPTIMAL, WAITING, TAKEN = range(7)

NO_WIN = 1 << 20
"""UPPER while no win is known."""


@entry
def start(game, pool, scratch, options, upper, estimate):
    """Put the starting position into an empty pool.

    `upper`: moves of a known win or `NO_WIN`; `estimate`: a lower bound on a win's moves, or 0.
    """
    columns = scratch.columns
    for column in range(columns.shape[0]):
        columns[column] = game.start[column]
    look(game, scratch, np.int64(0))
    pool.counts[UPPER] = upper
    pool.counts[GOAL] = -1
    pool.counts[CURSOR] = F_LIMIT * H_LIMIT - 1
    h = max(unjoined(game, columns), estimate)
    facts = make_facts(np.int64(0), np.int64(0), h, np.int64(-1))
    key_a, key_b = scratch.facts[KEY_A], scratch.facts[KEY_B]
    node = add_node(pool, columns, key_a, key_b, facts, -1 - find(pool, key_a, key_b))
    _queue(pool, options, node)


@jit
def _queue(pool, options, node):
    """Queue a node by its estimate; an optimal search prefers small h among equal f."""
    h = estimate_of(pool.facts[node])
    f = options[WEIGHT_G] * moves_to(pool.facts[node]) + options[WEIGHT_H] * h
    enqueue(pool, node, f, h * options[OPTIMAL])


@jit
def _improve(pool, options, parent, node, g):
    """Where the way to a known node is shorter now, note it and queue the node (again)."""
    facts = pool.facts[node]
    h = estimate_of(facts)
    if g >= moves_to(facts):
        return
    is_goal = node == pool.counts[GOAL]
    if is_goal:
        pool.counts[UPPER] = g
    elif g + h >= pool.counts[UPPER]:
        return
    if pool.link[node, 0] != NOT_QUEUED:
        dequeue(pool, node)
    pool.facts[node] = make_facts(facts & RUNS_MASK, g, h, parent)
    if not is_goal:
        _queue(pool, options, node)


@jit
def _open(game, pool, scratch, options, node):
    """Look at the position of a node and list its moves; returns their number."""
    unpack(pool, node, scratch.columns)
    look(game, scratch, pool.facts[node] & RUNS_MASK)
    scratch.facts[UNJOINED] = unjoined(game, scratch.columns)
    if options[FORCE_JOINS] and list_forced_join(game, scratch):
        return np.int64(1)
    return list_moves(game, scratch)


@jit
def _keeps_extra(game, scratch, move):
    """The position made has the same greedy extra moves as the one looked at, which need no count.

    So it is after a join in a suit of one copy: in the relaxed game that head could leave for
    nothing at once, nobody else waits for its parent, and its run is uncovered before and after.
    """
    return (
        scratch.made[UNJOINED] < scratch.facts[UNJOINED]
        and scratch.made[RUNS] == scratch.facts[RUNS]
        and game.info[COPIES + (scratch.columns[move & 15] & 3)] == 1
    )


@jit
def _shift_heads(game, heads, scratch, move, back):
    """Take the heads loaded from the position looked at to the one made, or `back`."""
    if scratch.made[RUNS] != scratch.facts[RUNS]:
        load_heads(game, heads, scratch.columns if back else scratch.child)
        return
    kind, roles = move_roles(game, scratch, move)
    source = move & 15
    target = (move >> 4) & 15
    if back:
        source, target, roles = target, source, exchanged(roles)
    shift_run(heads, kind, move >> 8, source, target, roles, game.info[RANKS])


@entry
def step(game, lifts, heads, pool, scratch, options, budget):
    """Expand up to `budget` states; returns RUNNING, WON, EXHAUSTED or FULL (grow the pool).

    WON: GOAL is a win, with `OPTIMAL` a shortest one. EXHAUSTED: no win (with `OPTIMAL`: none
    shorter than UPPER was at the start) under the rules chosen.
    """
    # as `usable_nodes` has it
    room = min(pool.state.shape[0], pool.table.shape[0] * 3 // 4) - scratch.moves.shape[0]
    optimal = options[OPTIMAL] != 0
    in_order = options[WEIGHT_G] == options[WEIGHT_H]
    heads.types[ALWAYS_FREED] = options[TAKEN] - 1
    for _ in range(budget):
        node = first_queued(pool)
        if node < 0 or (optimal and in_order and lowest_f(pool) >= pool.counts[UPPER]):
            return WON if pool.counts[GOAL] >= 0 else EXHAUSTED
        if pool.counts[NODES] > room:
            return FULL
        dequeue(pool, node)
        facts = pool.facts[node]
        if optimal and moves_to(facts) + estimate_of(facts) >= pool.counts[UPPER]:
            continue
        moves = _open(game, pool, scratch, options, node)
        if optimal and options[WAITING]:
            load_heads(game, heads, scratch.columns)
        pool.counts[EXPANDED] += 1
        g = moves_to(facts) + 1
        for index in range(moves):
            move = scratch.moves[index]
            make(game, scratch, move)
            made = scratch.made
            won = made[RUNS] == game.info[START_RUNS]
            known = find(pool, made[KEY_A], made[KEY_B])
            keep = known < 0
            if not keep and optimal:
                _improve(pool, options, node, known, g)
            if keep and options[USE_LIFTS] and made[BROKE] and not won:
                keep = may_be_won(game, lifts, scratch.child, made[RUNS])
            h = made[UNJOINED]
            if keep and optimal:
                if options[WAITING] and not _keeps_extra(game, scratch, move):
                    _shift_heads(game, heads, scratch, move, np.int64(0))
                    h += greedy_extra(game, heads, scratch.columns.shape[0])
                    _shift_heads(game, heads, scratch, move, np.int64(1))
                h = max(h, estimate_of(facts) - 1)
                keep = g + h < pool.counts[UPPER]
            if keep:
                child_facts = make_facts(made[RUNS], g, h, node)
                slot = -1 - known
                new = add_node(pool, scratch.child, made[KEY_A], made[KEY_B], child_facts, slot)
                if won:
                    pool.counts[UPPER] = g
                    pool.counts[GOAL] = new
                else:
                    _queue(pool, options, new)
            unmake(scratch, move)
            if won and not optimal:
                return WON
    return RUNNING
