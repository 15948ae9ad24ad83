"""The complete search: whether a position can be won, in however many moves.

Best first on f = weight_g * g + weight_h * U. It keeps every position that it comes to, but for
those that are proven lost:

* *L0* (`USE_LIFTS`): a new position that `lifts` proves lost is dropped. Only a lift or a removal
  can lose a game [S.3], so no other position is asked about.
* *L1* (`USE_CLASSES`): the same with what `classes` proves lost, which is more and takes longer;
  `START`: the start alone, `ALWAYS`: all.

Both are sound, so when nothing is left to expand, no way leads to a win [C.1]. The first win need
not be short. Numbers in brackets are statements of `docs/algorithms.md`.
"""

from __future__ import annotations

import numpy as np

from simon_solver.kernels.compiled import complete_entry, jit
from simon_solver.kernels.relaxations import classes as l1
from simon_solver.kernels.relaxations import lifts as l0
from simon_solver.kernels.searches.astar import (
    EXHAUSTED,
    FULL,
    LOST,
    RUNNING,
    USE_CLASSES,
    USE_LIFTS,
    WEIGHT_G,
    WEIGHT_H,
    WON,
    is_goal,
    open_node,
    room,
)
from simon_solver.kernels.state.pool import (
    EXPANDED,
    GOAL,
    NODES,
    add_node,
    dequeue,
    enqueue,
    find,
    first_queued,
    make_facts,
    moves_to,
)
from simon_solver.kernels.state.successors import BROKE, KEY_A, KEY_B, RUNS, UNJOINED, make, unmake

NEVER, START, ALWAYS = range(3)
"""Values of USE_CLASSES."""
MOST_CLASSES = np.int64(10_000)
"""Classes that L1 looks at for one position; a literal would compile L1 twice."""


@jit
def _is_lost(game, lifts, classes, scratch, options):
    """A relaxation that is in use proves the position lost that was just made."""
    child, runs = scratch.child, scratch.made[RUNS]
    if options[USE_LIFTS] and not l0.may_be_won(game, lifts, child, runs):
        return True
    if options[USE_CLASSES] != ALWAYS:
        return False
    return not l1.may_be_won(game, lifts, classes, child, runs, MOST_CLASSES)


@jit
def _add(pool, scratch, options, parent, slot):
    """Add the position made as a node and queue it; returns the node."""
    made = scratch.made
    moves = moves_to(pool.facts[parent]) + 1
    facts = make_facts(made[RUNS], moves, made[UNJOINED], parent)
    node = add_node(pool, scratch.child, made[KEY_A], made[KEY_B], facts, slot)
    f = options[WEIGHT_G] * moves + options[WEIGHT_H] * made[UNJOINED]
    enqueue(pool, node, f, np.int64(0))
    return node


@complete_entry
def step(game, lifts, classes, pool, scratch, options, budget):
    """Expand up to `budget` states; returns RUNNING, WON, EXHAUSTED, FULL (grow the pool) or LOST.

    WON: GOAL is a win. EXHAUSTED: there is none. LOST: L1 proves that of the start.
    """
    asked = options[USE_CLASSES] != NEVER and pool.counts[EXPANDED] == 0
    if asked and not l1.may_be_won(game, lifts, classes, game.start, np.int64(0), MOST_CLASSES):
        return LOST
    made = scratch.made
    for _ in range(budget):
        node = first_queued(pool)
        if node < 0:
            return EXHAUSTED
        if pool.counts[NODES] > room(pool, scratch):
            return FULL
        dequeue(pool, node)
        pool.counts[EXPANDED] += 1
        for index in range(open_node(game, pool, scratch, node)):
            move = scratch.moves[index]
            make(game, scratch, move)
            known = find(pool, made[KEY_A], made[KEY_B])
            won = is_goal(game, scratch, options)
            asks = made[BROKE] != 0 and not won
            if known < 0 and not (asks and _is_lost(game, lifts, classes, scratch, options)):
                new = _add(pool, scratch, options, node, -1 - known)
                if won:
                    pool.counts[GOAL] = new
                    return WON
            unmake(scratch, move)
    return RUNNING
