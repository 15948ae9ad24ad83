"""A* over positions, with equal weights or with more weight on the estimate.

h is a lower bound on the moves to the goal. Nodes that cannot beat the best way known are dropped,
shorter ways to known nodes are followed, and the search ends when no node could lead to a shorter
one [A.1]. With more weight on h the first way found proves nothing [T.4]. No move is ever forced
[T.2]. Options say how nodes are ordered (f = weight_g * g + weight_h * h) and which rules apply:

* *L0* (`USE_LIFTS`): a new position that `lifts` proves lost is dropped. Sound for every question
  about wins [L0.5].
* *in layers* (`IN_LAYERS`, with equal weights): a node brings only the children whose
  f is its own, and goes back into the queue with the least f of the others: partial expansion
  (Yoshizumi, Miura and Ishida, 2000). The last layer, which is by far the largest, need not be
  stored. Sound for the shortest win [A.2].
* *waiting* (`WAITING`): h goes up to the waiting bound [W.5]; without it h is U. A new
  node gets what its parent's conflicts prove [H.3]. When its turn comes its own are asked if it
  needs more; if so it goes back into the queue, with one move more [A.3]. Without `TAKEN` no copy
  counts as taken; without `PARENTS` a new node gets only its U, or one less than its parent. Sound
  for the shortest win.

Numbers in brackets are statements of `docs/algorithms.md`.
"""

from __future__ import annotations

import numpy as np

from simon_solver.kernels.bounds.removal import moves_to_remove
from simon_solver.kernels.bounds.waiting import exceeds, load, payments_after
from simon_solver.kernels.compiled import entry, jit
from simon_solver.kernels.relaxations.lifts import may_be_won
from simon_solver.kernels.state.game import START_RUNS
from simon_solver.kernels.state.pool import (
    CURSOR,
    CUT,
    EXPANDED,
    F_LIMIT,
    GOAL,
    H_LIMIT,
    H_MASK,
    IN_PART,
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
    parent_of,
    unpack,
)
from simon_solver.kernels.state.successors import (
    BROKE,
    JOINS,
    KEY_A,
    KEY_B,
    PARTS,
    RUNS,
    UNJOINED,
    list_moves,
    look,
    make,
    role,
    unjoined,
    unmake,
)
from simon_solver.kernels.state.words import count_runs

# what a step ends with
RUNNING, WON, EXHAUSTED, FULL, LOST = range(5)

# entries of the options array
(
    WEIGHT_G,
    WEIGHT_H,
    USE_LIFTS,
    WAITING,
    TAKEN,
    PARENTS,
    RUNS_WANTED,
    IN_LAYERS,
    USE_CLASSES,
    OPTIONS,
) = range(10)
"""USE_CLASSES is for `complete` only."""

HITTING_BUDGET = 2_000
"""Steps of each search for a hitting set."""

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
    pool.counts[CURSOR] = F_LIMIT * H_LIMIT - 1
    h = estimate
    if options[RUNS_WANTED] == 0:
        h = max(h, unjoined(game, columns))
    facts = make_facts(np.int64(0), np.int64(0), h, np.int64(-1))
    key_a, key_b = scratch.facts[KEY_A], scratch.facts[KEY_B]
    node = add_node(pool, columns, key_a, key_b, facts, -1 - find(pool, key_a, key_b))
    _queue(pool, options, node)


@jit
def _goal_runs(game, options):
    """How many runs are removed at the goal."""
    wanted = options[RUNS_WANTED]
    return wanted if wanted else count_runs(game, game.info[START_RUNS])


@jit
def is_goal(game, scratch, options):
    """The position made is a goal: the last runs wanted have left."""
    runs = scratch.made[RUNS]
    return runs != scratch.facts[RUNS] and count_runs(game, runs) >= _goal_runs(game, options)


@jit
def _is_cut(pool, moves):
    """A way of so many moves does not beat the best win known; notes that something is cut."""
    cut = moves >= pool.counts[UPPER]
    pool.counts[CUT] |= cut
    return cut


@jit
def room(pool, scratch):
    """Nodes that leave room for all children of one more; see `usable_nodes`."""
    return min(pool.state.shape[0], pool.table.shape[0] * 3 // 4) - scratch.moves.shape[0]


@jit
def _queue(pool, options, node):
    """Queue a node by its estimate; among equal f small h come first."""
    h = estimate_of(pool.facts[node])
    f = options[WEIGHT_G] * moves_to(pool.facts[node]) + options[WEIGHT_H] * h
    enqueue(pool, node, f, h)


@jit
def _improve(game, pool, scratch, options, parent, node, is_goal):
    """Where the way to a known node, just made again, is shorter now: note it and queue the node.

    The estimate of one opened in part is about what it still has to bring, so it is not used.
    """
    facts = pool.facts[node]
    g = moves_to(pool.facts[parent]) + 1
    if g >= moves_to(facts):
        return
    h = estimate_of(facts)
    if facts & IN_PART:
        h = _plain_estimate(game, scratch, options)
    if g + h >= pool.counts[UPPER]:
        return
    if is_goal:
        pool.counts[UPPER] = g
        pool.counts[GOAL] = node
    if pool.link[node, 0] != NOT_QUEUED:
        dequeue(pool, node)
    pool.facts[node] = make_facts(facts & RUNS_MASK, g, h, parent)
    if not is_goal:
        _queue(pool, options, node)


@jit
def _add(pool, scratch, options, parent, h, slot, is_goal):
    """Add the position made as a node."""
    made = scratch.made
    facts = make_facts(made[RUNS], moves_to(pool.facts[parent]) + 1, h, parent)
    node = add_node(pool, scratch.child, made[KEY_A], made[KEY_B], facts, slot)
    if is_goal:
        pool.counts[UPPER] = moves_to(facts)
        pool.counts[GOAL] = node
    else:
        _queue(pool, options, node)


@jit
def open_node(game, pool, scratch, node):
    """Look at the position of a node and list its moves; returns their number."""
    unpack(pool, node, scratch.columns)
    look(game, scratch, pool.facts[node] & RUNS_MASK)
    scratch.facts[UNJOINED] = unjoined(game, scratch.columns)
    return list_moves(game, scratch)


@jit
def _rises(game, waits, conflicts, scratch, options, h):
    """The position looked at is proven to need more than h moves; else its conflicts are ready."""
    load(game, waits, scratch.columns, options[TAKEN])
    least = max(np.int64(0), h - scratch.facts[UNJOINED])
    return exceeds(waits, conflicts, scratch.columns.shape[0], least, np.int64(HITTING_BUDGET))


@jit
def _put_back(pool, options, node, h, in_part):
    """Queue a node again with a larger h, unless it is cut; `in_part`: IN_PART or 0."""
    facts = pool.facts[node]
    g = moves_to(facts)
    in_part |= facts & IN_PART
    pool.facts[node] = make_facts(facts & RUNS_MASK, g, h, parent_of(facts)) | in_part
    if g + h < pool.counts[UPPER]:
        _queue(pool, options, node)
    else:
        pool.counts[CUT] = 1


@jit
def _plain_estimate(game, scratch, options):
    """A lower bound for the position made, whatever led to it."""
    wanted = options[RUNS_WANTED]
    if wanted == 0:
        return scratch.made[UNJOINED]
    return moves_to_remove(game, scratch.needs, scratch.child, scratch.made[RUNS], wanted)


@jit
def _estimate(game, waits, conflicts, scratch, options, move, h):
    """A lower bound for the position made by a move from one that needs h moves at least."""
    made = scratch.made
    least = max(h - 1, _plain_estimate(game, scratch, options))
    if options[WAITING] == 0 or options[PARENTS] == 0 or made[RUNS] != scratch.facts[RUNS]:
        return least
    what = role(scratch, move)
    if what == JOINS:
        return least
    paid = payments_after(waits, conflicts, move & 15, move >> 8, what != PARTS)
    return max(least, made[UNJOINED] + paid)


@entry
def step(game, lifts, waits, conflicts, pool, scratch, options, budget):
    """Expand up to `budget` states; returns RUNNING, WON, EXHAUSTED or FULL (grow the pool).

    WON: GOAL is a shortest win. EXHAUSTED: none is shorter than UPPER was at the start, and there
    is none at all if nothing was CUT.
    """
    made = scratch.made
    waiting = options[WAITING] != 0
    in_order = options[WEIGHT_G] == options[WEIGHT_H]
    in_layers = in_order and options[IN_LAYERS] != 0
    for _ in range(budget):
        node = first_queued(pool)
        if node < 0 or (in_order and lowest_f(pool) >= pool.counts[UPPER]):
            pool.counts[CUT] |= node >= 0
            return WON if pool.counts[GOAL] >= 0 else EXHAUSTED
        if pool.counts[NODES] > room(pool, scratch):
            return FULL
        dequeue(pool, node)
        g, h = moves_to(pool.facts[node]), estimate_of(pool.facts[node])
        if _is_cut(pool, g + h):
            continue
        moves = open_node(game, pool, scratch, node)
        if waiting and _rises(game, waits, conflicts, scratch, options, h):
            _put_back(pool, options, node, h + 1, np.int64(0))
            continue
        pool.counts[EXPANDED] += 1
        later = np.int64(H_MASK)
        for index in range(moves):
            move = scratch.moves[index]
            make(game, scratch, move)
            won = is_goal(game, scratch, options)
            known = find(pool, made[KEY_A], made[KEY_B])
            keep = known < 0
            if not keep:
                _improve(game, pool, scratch, options, node, known, won)
            child_h = np.int64(0)
            if keep:
                child_h = _estimate(game, waits, conflicts, scratch, options, move, h)
                keep = not _is_cut(pool, g + 1 + child_h)
                if keep and in_layers and child_h >= h and not won:
                    later = min(later, child_h + 1)
                    keep = False
            if keep and options[USE_LIFTS] and made[BROKE] and not won:
                keep = may_be_won(game, lifts, scratch.child, made[RUNS])
            if keep:
                _add(pool, scratch, options, node, child_h, -1 - known, won)
            unmake(scratch, move)
        if later < H_MASK:
            _put_back(pool, options, node, later, np.int64(IN_PART))
    return RUNNING
