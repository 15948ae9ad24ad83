"""Best-first search over positions: one loop whose options make it complete, greedy or optimal.

Options say how nodes are ordered (f = weight_g * g + weight_h * h) and which rules apply:

* *L0* (`USE_LIFTS`): a new position that `lifts` proves lost is dropped. Sound for every question
  about wins.
* *forced joins* (`FORCE_JOINS`): where a maximal run lies on a false parent or is a whole column, and
  its true parent shows, only that move is tried. Loses wins (two known deals), so a search with it may
  say "won" and nothing else.
* *optimal* (`OPTIMAL`): h is the waiting bound, nodes that cannot beat the best win known are dropped,
  shorter ways to known nodes are followed, and the search ends when no node could lead to a shorter
  win. Sound for the shortest win.

Two moves are never generated, in any search: a whole column to an empty column (the same position),
and a move to an empty column when another empty column further left exists (the same position up to
the order of columns).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.bound import Heads, new_heads, tail_unjoined, unjoined, waiting_bound
from simon_solver.kernels.compiled import jit
from simon_solver.kernels.game import Ints
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
    key_of,
    lowest_f,
    make_facts,
    moves_to,
    unpack,
)
from simon_solver.kernels.words import (
    BELOW_SHIFT,
    RUN_BITS,
    is_complete,
    mix_a,
    mix_b,
    put,
    run_length,
    tail_length,
    take,
    top_rank,
)

# what a step ends with
RUNNING, WON, EXHAUSTED, FULL = range(4)

# entries of the options array
WEIGHT_G, WEIGHT_H, FORCE_JOINS, USE_LIFTS, OPTIMAL = range(5)

NO_WIN = 1 << 20
"""UPPER while no win is known."""


class Scratch(NamedTuple):
    """Working arrays of the search."""

    columns: Ints
    """[column] words of the node being expanded"""
    child: Ints
    """[column] words of its child"""
    seen: Ints
    """[column, (run length, top rank, hash half a, hash half b)] of the node being expanded"""
    heads: Heads


RUN, TOP, HASH_A, HASH_B = range(4)


def new_scratch(columns: int) -> Scratch:
    """Fresh working arrays for that many columns."""
    return Scratch(
        columns=np.zeros(columns, np.int64),
        child=np.zeros(columns, np.int64),
        seen=np.zeros((columns, 4), np.int64),
        heads=new_heads(),
    )


@jit
def start(game, pool, scratch, options, upper):
    """Put the starting position into an empty pool; `upper`: moves of a known win or `NO_WIN`."""
    columns = scratch.columns
    for column in range(columns.shape[0]):
        columns[column] = game.start[column]
    pool.count[UPPER] = upper
    pool.count[GOAL] = -1
    pool.count[CURSOR] = F_LIMIT * H_LIMIT - 1
    key_a, key_b = key_of(columns)
    if options[OPTIMAL]:
        h = waiting_bound(game, scratch.heads, columns)
    else:
        h = unjoined(game, columns)
    facts = make_facts(np.int64(0), np.int64(0), h, np.int64(-1))
    node = add_node(pool, columns, key_a, key_b, facts, -1 - find(pool, key_a, key_b))
    _queue_node(pool, options, node, np.int64(0), h)


@jit
def _queue_node(pool, options, node, g, h):
    """Queue a node by its estimate; an optimal search prefers small h among equals."""
    f = options[WEIGHT_G] * g + options[WEIGHT_H] * h
    enqueue(pool, node, f, h * options[OPTIMAL])


@jit
def step(game, lifts, pool, scratch, options, budget):
    """Expand up to `budget` states; returns RUNNING, WON, EXHAUSTED or FULL (grow the pool).

    WON: GOAL is a win, with `OPTIMAL` a shortest one. EXHAUSTED: no win (with `OPTIMAL`: none
    shorter than UPPER was at the start) under the rules chosen.
    """
    room = min(pool.state.shape[0], pool.table.shape[0] // 2) - max_children(game)
    for _ in range(budget):
        node = first_queued(pool)
        if node < 0 or (options[OPTIMAL] and lowest_f(pool) >= pool.count[UPPER]):
            return WON if pool.count[GOAL] >= 0 else EXHAUSTED
        if pool.count[NODES] > room:
            return FULL
        dequeue(pool, node)
        pool.count[EXPANDED] += 1
        if _expand(game, lifts, pool, scratch, options, node):
            return WON
    return RUNNING


@jit
def max_children(game):
    """No position has more successors: every card of the deck heads at most one move a column."""
    return game.start.shape[0] * 52


@jit
def _look(game, pool, scratch, node):
    """Unpack a node and note what is seen of it; returns the first empty column or -1."""
    columns = scratch.columns
    unpack(pool, node, columns)
    empty = np.int64(-1)
    for column in range(columns.shape[0] - 1, -1, -1):
        word = columns[column]
        scratch.child[column] = word
        scratch.seen[column, RUN] = run_length(word)
        scratch.seen[column, TOP] = top_rank(word)
        scratch.seen[column, HASH_A] = mix_a(word)
        scratch.seen[column, HASH_B] = mix_b(word)
        if word == 0:
            empty = np.int64(column)
    return empty


@jit
def _forced_join(game, scratch):
    """A move that forced joins allows alone, as source * 16 + target, or -1."""
    columns = scratch.columns
    for source in range(columns.shape[0]):
        word = columns[source]
        run = scratch.seen[source, RUN]
        if run == 0 or (run == tail_length(word) and word >> BELOW_SHIFT > 0):
            continue
        head_rank = scratch.seen[source, TOP] + run - 1
        if head_rank == game.ranks[0]:
            continue
        for target in range(columns.shape[0]):
            if (
                target != source
                and columns[target] != 0
                and scratch.seen[target, TOP] == head_rank + 1
                and (columns[target] & 3) == (word & 3)
            ):
                return np.int64(source * 16 + target)
    return np.int64(-1)


@jit
def _expand(game, lifts, pool, scratch, options, node):
    """Generate the successors of a node; True when the search can end with a win."""
    empty = _look(game, pool, scratch, node)
    forced = np.int64(-1)
    if options[FORCE_JOINS]:
        forced = _forced_join(game, scratch)
    columns = scratch.columns
    for source in range(columns.shape[0]):
        word = columns[source]
        run = scratch.seen[source, RUN]
        if forced >= 0 and forced >> 4 != source:
            continue
        whole = tail_length(word) if word >> BELOW_SHIFT == 0 else np.int64(-1)
        for count in range(run if forced >= 0 else np.int64(1), run + 1):
            head_rank = scratch.seen[source, TOP] + count - 1
            for target in range(columns.shape[0]):
                if target == source or (forced >= 0 and forced & 15 != target):
                    continue
                if columns[target] == 0:
                    if target != empty or count == whole:
                        continue
                elif scratch.seen[target, TOP] != head_rank + 1:
                    continue
                if _visit(game, lifts, pool, scratch, options, node, source, target, count):
                    return True
    return False


@jit
def _visit(game, lifts, pool, scratch, options, node, source, target, count):
    """Make one move, enter the position it leads to, unmake it; True when the search can end."""
    seen = scratch.seen
    word = scratch.columns[source]
    facts = pool.facts[node]
    runs = facts & RUNS_MASK
    left = take(game, word, count)
    lifted = left >> BELOW_SHIFT != word >> BELOW_SHIFT
    if count == tail_length(word):
        runs += game.uncovered_runs[word >> BELOW_SHIFT]
    landed = put(scratch.columns[target], count, word & 3, seen[source, TOP] + count - 1)
    if is_complete(game, landed):
        runs += np.int64(1) << (RUN_BITS * (word & 3))
        runs += game.uncovered_runs[landed >> BELOW_SHIFT]
        landed = game.uncovered[landed >> BELOW_SHIFT]
        lifted = True
    pool_key = _child_key(pool, scratch, node, source, target, left, landed)
    g = moves_to(facts) + 1
    known = find(pool, pool_key[0], pool_key[1])
    if known >= 0:
        if options[OPTIMAL] and g < moves_to(pool.facts[known]):
            _improve(pool, options, node, known, g)
        return False
    child = scratch.child
    child[source] = left
    child[target] = landed
    won = runs == game.start_runs[0]
    keep = won or not options[USE_LIFTS] or not lifted or may_be_won(game, lifts, child, runs)
    h = np.int64(0)
    if keep:
        if options[OPTIMAL]:
            h = max(waiting_bound(game, scratch.heads, child), estimate_of(facts) - 1)
            keep = g + h < pool.count[UPPER]
        else:
            h = _child_unjoined(game, scratch, estimate_of(facts), source, target, left, landed)
    if keep:
        made = make_facts(runs, g, h, node)
        new = add_node(pool, child, pool_key[0], pool_key[1], made, -1 - known)
        if won:
            pool.count[UPPER] = g
            pool.count[GOAL] = new
        else:
            _queue_node(pool, options, new, g, h)
    child[source] = word
    child[target] = scratch.columns[target]
    return won and not options[OPTIMAL]


@jit
def _child_key(pool, scratch, node, source, target, left, landed):
    """The key after two columns changed."""
    seen = scratch.seen
    key_a = pool.key[node, 0] - seen[source, HASH_A] - seen[target, HASH_A]
    key_b = pool.key[node, 1] - seen[source, HASH_B] - seen[target, HASH_B]
    return key_a + mix_a(left) + mix_a(landed), key_b + mix_b(left) + mix_b(landed)


@jit
def _child_unjoined(game, scratch, before, source, target, left, landed):
    """U after two columns changed."""
    ranks = game.ranks[0]
    for word, sign in (
        (scratch.columns[source], np.int64(-1)),
        (scratch.columns[target], np.int64(-1)),
        (left, np.int64(1)),
        (landed, np.int64(1)),
    ):
        before += sign * (game.unjoined[word >> BELOW_SHIFT] + tail_unjoined(word, ranks))
    return before


@jit
def _improve(pool, options, parent, node, g):
    """A shorter way to a known node: note it and queue the node (again)."""
    facts = pool.facts[node]
    h = estimate_of(facts)
    if node == pool.count[GOAL]:
        pool.count[UPPER] = g
        pool.facts[node] = make_facts(facts & RUNS_MASK, g, h, parent)
        return
    if g + h >= pool.count[UPPER]:
        return
    if pool.link[node, 0] != NOT_QUEUED:
        dequeue(pool, node)
    pool.facts[node] = make_facts(facts & RUNS_MASK, g, h, parent)
    _queue_node(pool, options, node, g, h)

