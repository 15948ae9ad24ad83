"""From a goal node back to moves.

A node's stored columns may stand in another order than those its parent's moves lead to: two positions
that differ in the order of their columns are one node. So the path is rebuilt by content: from the
start, each step makes the move whose position has the next node's key.
"""

from __future__ import annotations

import numpy as np

from simon_solver.kernels.compiled import jit
from simon_solver.kernels.game import Ints
from simon_solver.kernels.pool import key_of, parent_of
from simon_solver.kernels.words import BELOW_SHIFT, is_complete, put, run_length, take, top_rank


@jit
def _advance(game, columns, trial, key_a, key_b):
    """Make the move to the position with that key; returns it as in `rebuild`, or -1."""
    for source in range(columns.shape[0]):
        word = columns[source]
        for count in range(1, run_length(word) + 1):
            head_rank = top_rank(word) + count - 1
            for target in range(columns.shape[0]):
                if target == source:
                    continue
                if columns[target] != 0 and top_rank(columns[target]) != head_rank + 1:
                    continue
                landed = put(columns[target], np.int64(count), word & 3, head_rank)
                if is_complete(game, landed):
                    landed = game.uncovered[landed >> BELOW_SHIFT]
                for column in range(columns.shape[0]):
                    trial[column] = columns[column]
                trial[source] = take(game, word, np.int64(count))
                trial[target] = landed
                got_a, got_b = key_of(trial)
                if got_a == key_a and got_b == key_b:
                    for column in range(columns.shape[0]):
                        columns[column] = trial[column]
                    return np.int64(source | target << 4 | count << 8)
    return np.int64(-1)


@jit
def _follow(game, pool, nodes, moves):
    """Fill `moves` with the move to each of `nodes`, which start with the root; False if none."""
    columns = game.start.copy()
    trial = game.start.copy()
    for at in range(1, nodes.shape[0]):
        key_a = pool.key[nodes[at], 0]
        key_b = pool.key[nodes[at], 1]
        moves[at - 1] = _advance(game, columns, trial, key_a, key_b)
        if moves[at - 1] < 0:
            return False
    return True


@jit
def _ancestors(pool, node, out):
    """Fill `out` with the node and its ancestors, root last; returns how many there are."""
    count = 0
    while node >= 0:
        if count < out.shape[0]:
            out[count] = node
        count += 1
        node = parent_of(pool.facts[node])
    return count


def moves_to_node(game, pool, node: int) -> list[tuple[int, int, int]]:
    """The moves (source, target, count) from the start to a node.

    Raises:
        RuntimeError: the nodes do not form a path, which would be a fault of the search.
    """
    out: Ints = np.zeros(4096, np.int64)
    length = int(_ancestors(pool, node, out))
    if length > out.shape[0]:
        out = np.zeros(length, np.int64)
        _ancestors(pool, node, out)
    nodes = np.ascontiguousarray(out[:length][::-1])
    moves: Ints = np.zeros(max(1, length - 1), np.int64)
    if not _follow(game, pool, nodes, moves):
        raise RuntimeError("the nodes of a win do not form a path")
    return [(move & 15, move >> 4 & 15, move >> 8) for move in moves[: length - 1].tolist()]
