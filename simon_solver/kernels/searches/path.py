"""From a goal node back to moves.

A node's stored columns may stand in another order than those its parent's moves lead to: two
positions that differ in the order of their columns are one node. So the path is rebuilt by
content: from the start, each step makes the move whose position has the next node's key ([S.8] in
`docs/algorithms/`).
"""

from __future__ import annotations

import numpy as np

from simon_solver.kernels.forms import entry
from simon_solver.kernels.state.pool import RUNS_MASK, Pool, parent_of
from simon_solver.kernels.state.successors import FACT, Scratch, list_moves, look, make, unmake
from simon_solver.kernels.state.task import Ints, Task


@entry
def _follow(task: Task, pool: Pool, scratch: Scratch, nodes: Ints, moves: Ints) -> bool:
    """Fill `moves` with the move to each of `nodes`, which start with the root; False if none."""
    columns = scratch.columns
    for column in range(columns.shape[0]):
        columns[column] = task.start[column]
    for at in range(1, nodes.shape[0]):
        look(task, scratch, pool.facts[nodes[at - 1]] & RUNS_MASK)
        found = False
        for index in range(list_moves(task, scratch)):
            move = scratch.moves[index]
            make(task, scratch, move)
            found = (
                scratch.made[FACT.key_a] == pool.key[nodes[at], 0]
                and scratch.made[FACT.key_b] == pool.key[nodes[at], 1]
            )
            if found:
                moves[at - 1] = move
                break
            unmake(scratch, move)
        if not found:
            return False
        for column in range(columns.shape[0]):
            columns[column] = scratch.child[column]
    return True


@entry
def _ancestors(pool: Pool, node: int, out: Ints) -> int:
    """Fill `out` with the node and its ancestors, root last; returns how many there are."""
    count = 0
    while node >= 0:
        if count < out.shape[0]:
            out[count] = node
        count += 1
        node = parent_of(pool.facts[node])
    return count


def nodes_to(pool: Pool, node: int) -> Ints:
    """The nodes from the root to a node."""
    out: Ints = np.zeros(4096, np.int64)
    length = int(_ancestors(pool, node, out))
    if length > out.shape[0]:
        out = np.zeros(length, np.int64)
        _ancestors(pool, node, out)
    return np.ascontiguousarray(out[:length][::-1])


def moves_to_node(task: Task, pool: Pool, scratch: Scratch, node: int) -> Ints:
    """The moves (source | target << 4 | count << 8) from the start to a node.

    Raises:
        RuntimeError: the nodes do not form a path, which would be a fault of the search.
    """
    nodes = nodes_to(pool, node)
    moves: Ints = np.zeros(nodes.shape[0], np.int64)
    if not _follow(task, pool, scratch, nodes, moves):
        raise RuntimeError("the nodes of a win do not form a path")
    return moves[:-1]
