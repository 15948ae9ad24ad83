"""The kernels' working arrays, lent from search to search."""

from __future__ import annotations

from collections import deque

import numpy as np

from simon_solver.kernels.codes import replaying
from simon_solver.kernels.relaxations import classes, lifts
from simon_solver.kernels.searches import astar, laying, loose, macro
from simon_solver.kernels.state import pool, successors
from simon_solver.kernels.state.task import Task
from simon_solver.search.control import Stopped
from simon_solver.search.verdict import StoppedBy

MIB = 1 << 20
SPARE_BYTES = 256 * MIB
"""Memory that must stay free on the machine when the pool grows."""
FIRST_NODES, FIRST_SLOTS = 1 << 13, 1 << 14
MACRO_NODES = 4_000
KEPT_BYTES = 4 * MIB
"""A larger pool is not kept for the next search."""


class Buffers:
    """Kernel arrays for positions of so many columns, lent to one portfolio at a time."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.lifts = lifts.new_lifts()
        self.classes = classes.new_classes()
        self.bounds = astar.new_bounds()
        self.scratch = successors.new_scratch(columns)
        self.macro = macro.new_macro(columns, MACRO_NODES)
        self.loose = loose.new_loose()
        self.laying = laying.new_laying(columns)
        self.board = replaying.new_board(columns)
        self._pool: pool.Pool | None = None

    @property
    def pool(self) -> pool.Pool:
        """Nodes, table and queue of the search that runs; there once `clear_pool` was called."""
        assert self._pool is not None
        return self._pool

    def clear_pool(self, task: Task, limit: int) -> None:
        """Make the pool an empty one that fits the game and the limit in bytes."""
        size = task.start.shape[0], int(np.count_nonzero(task.card))
        words = max(pool.packed_words(*size), loose.packed_words(*size))
        kept = self._pool
        if kept is not None:
            nodes, kept_words = kept.state.shape
            if kept_words != words or pool.pool_bytes(words, nodes, kept.table.shape[0]) > limit:
                kept = None
        if kept is None:
            self._pool = kept = pool.new_pool(words, FIRST_NODES, FIRST_SLOTS)
        pool.clear(kept)

    def grow_pool(self, limit: int) -> None:
        """Make room in the pool, within so many bytes.

        Raises:
            Stopped: the limit, or the machine, has no more memory.
        """
        import psutil  # noqa: PLC0415 - it takes a while to load, and most searches never grow

        nodes, words = self.pool.state.shape
        needed = pool.pool_bytes(words, nodes // 2, 2 * self.pool.table.shape[0])
        if psutil.virtual_memory().available < needed + SPARE_BYTES:
            raise Stopped(StoppedBy.MEMORY)
        try:
            larger = pool.grown(self.pool, limit)
        except MemoryError:
            larger = None
        if larger is None:
            raise Stopped(StoppedBy.MEMORY)
        self._pool = larger

    def shrink(self) -> None:
        """Drop a pool that has grown large."""
        if self._pool is not None and self._pool.state.nbytes > KEPT_BYTES:
            self._pool = None


# A search may run Python code that starts another one (a progress callback, a finalizer, a thread),
# so arrays are never shared: code that needs some takes them from here or makes new ones.
_free_buffers: deque[Buffers] = deque(maxlen=8)


def borrow(columns: int) -> Buffers:
    """Buffers that nobody else has."""
    try:
        buffers = _free_buffers.pop()
    except IndexError:
        return Buffers(columns)
    return buffers if buffers.columns == columns else Buffers(columns)


def give_back(buffers: Buffers) -> None:
    """Keep buffers for the next portfolio, without a pool that has grown large."""
    buffers.shrink()
    _free_buffers.append(buffers)
