"""The pool grows without losing a node, and never beyond its limit."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from simon_solver.game.codes import GameCode
from simon_solver.kernels.searches import astar
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state import pool
from simon_solver.kernels.state.pool import POOL
from tests.support.kernel import from_python
from tests.support.searches import Search

pytestmark = pytest.mark.kernel

find = from_python(pool.find)


def test_growing_keeps_every_node() -> None:
    one = Search(GameCode(2, 29).deal(), weight_h=0)
    astar.start(one.task, one.pool, one.scratch, one.options, astar.NO_WIN, 0)
    keys: list[tuple[int, int]] = []
    sizes = set()
    rounds = 2 if numba.config.DISABLE_JIT else 12
    for _ in range(rounds):
        while one.step(100) != OUTCOME.full:
            pass
        count = one.pool.counts[POOL.nodes]
        keys[len(keys) : count] = map(tuple, one.pool.key[len(keys) : count].tolist())
        larger = pool.grown(one.pool, 1 << 30)
        assert larger is not None
        one.pool = larger
        sizes.add((len(one.pool.state), len(one.pool.table)))
        assert [find(one.pool, *map(np.int64, key)) for key in keys] == list(range(count))
    assert len(sizes) == rounds


def test_growing_stops_at_the_limit() -> None:
    nodes = pool.new_pool(4, 1 << 10, 1 << 11)
    limit, largest = 1 << 20, 0
    while True:
        used = pool.pool_bytes(4, len(nodes.state), len(nodes.table))
        assert largest < used <= limit
        largest = used
        larger = pool.grown(nodes, limit)
        if larger is None:
            break
        nodes = larger
    assert largest > limit / 2
