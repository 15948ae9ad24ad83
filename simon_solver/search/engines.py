"""The engines: one class for each search that the kernels know, all with the same few methods.

`begin` puts the start into an empty engine, `step` expands states until it has an outcome, `grow`
makes room when the pool is full, and `path` lists the moves to the goal. What an `OUTCOME` proves
depends on the engine:

================  ======================  ==================================================
engine            won                     exhausted or lost
================  ======================  ==================================================
`MacroSearch`     a win                   never its outcome: it says `GAVE_UP`
`CompleteSearch`  a win                   there is no win
`LooseSearch`     a win, if `path` can    there is no win
                  lay out its moves
`AStar`           a way to the goal; a    no way to the goal takes fewer moves than `upper`
                  shortest one if it
                  weighs both alike
================  ======================  ==================================================
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from simon_solver.kernels.bounds import hitting
from simon_solver.kernels.searches import astar, complete, laying, loose, macro, path
from simon_solver.kernels.searches.macro import MACRO
from simon_solver.kernels.searches.options import Options
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state import pool
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.task import Ints, Task
from simon_solver.search.buffers import Buffers
from simon_solver.search.groups import Group

STEP_STATES = 1000
"""States a kernel expands before it returns: it takes milliseconds to tens of milliseconds."""
NO_MOVES = np.zeros(0, np.int64)
GAVE_UP = -1
"""The outcome of an engine that has ended without an answer."""


class Engine(Protocol):
    """A search from one start."""

    group: Group
    """The kernels that it runs."""
    stride: int
    """States of one step at most."""
    runs_wanted: int
    """The goal: so many runs removed, 0 for a win."""
    is_brief: bool
    """One step ends it, too soon for a report of its progress."""

    def begin(self, limit: int) -> None:
        """Forget all but the start; what grows takes at most `limit` bytes."""

    def step(self, states: int) -> int:
        """Expand up to so many states; returns the outcome."""

    def grow(self, limit: int) -> None:
        """Make room within so many bytes.

        Raises:
            Stopped: the limit, or the machine, has no more memory.
        """

    def path(self) -> Ints:
        """The kernels' moves to the goal; none if they cannot be laid out."""

    @property
    def expanded(self) -> int:
        """States expanded since `begin`."""

    @property
    def least_moves(self) -> int:
        """A proven lower bound on the moves to the goal."""


class MacroSearch:
    """Wins by macro moves, `eager` or not: it finds most of them at once, and proves nothing."""

    group = Group.DECIDING
    runs_wanted = least_moves = 0
    is_brief = True

    def __init__(self, task: Task, work: Buffers, states: int, *, eager: bool) -> None:
        self._task, self._work, self._eager = task, work, int(eager)
        self.stride = states  # it cannot go on from where it ended

    def begin(self, limit: int) -> None:
        """Nothing to do: every step begins anew."""

    def step(self, states: int) -> int:
        """Search with so many states."""
        work = self._work
        won = macro.search_macro(self._task, work.lifts, work.macro, states, self._eager)
        return OUTCOME.won if won else GAVE_UP

    def grow(self, limit: int) -> None:
        """Never needed: the arrays have a fixed size."""

    def path(self) -> Ints:
        """The moves of the win."""
        found = self._work.macro
        return found.path[macro.winning_moves(found) :].copy()

    @property
    def expanded(self) -> int:
        """States expanded by the last step."""
        return int(self._work.macro.counts[MACRO.expanded])


class _PoolEngine:
    """What engines share whose nodes are in the pool."""

    group: Group
    stride = STEP_STATES
    is_brief = False

    def __init__(self, task: Task, work: Buffers, options: Options) -> None:
        self._task, self._work, self._options = task, work, options.as_array()
        self.runs_wanted = options.runs_wanted

    def grow(self, limit: int) -> None:
        """Make room in the pool."""
        self._work.grow_pool(limit)

    @property
    def expanded(self) -> int:
        """States expanded since `begin`."""
        return int(self._work.pool.counts[POOL.expanded])

    @property
    def least_moves(self) -> int:
        """None is proven."""
        return 0

    @property
    def has_goal(self) -> bool:
        """A way to the goal is known."""
        return bool(self._work.pool.counts[POOL.goal] >= 0)

    def path(self) -> Ints:
        """The moves to the goal."""
        nodes, work = self._work.pool, self._work
        return path.moves_to_node(self._task, nodes, work.scratch, int(nodes.counts[POOL.goal]))


class CompleteSearch(_PoolEngine):
    """All that can be reached, but for what L0 or L1 proves lost: decides any position."""

    group = Group.COMPLETE

    def begin(self, limit: int) -> None:
        """Put the start into the pool."""
        self._work.clear_pool(self._task, limit)
        nodes, work = self._work.pool, self._work
        astar.start(self._task, nodes, work.scratch, self._options, astar.NO_WIN, 0)

    def step(self, states: int) -> int:
        """Expand up to so many states."""
        task, work = self._task, self._work
        return int(
            complete.step(
                task, work.lifts, work.classes, work.pool, work.scratch, self._options, states
            )
        )


class LooseSearch(_PoolEngine):
    """Many positions in one node, for decks without copies: decides them."""

    group = Group.LOOSE

    def begin(self, limit: int) -> None:
        """Leave the pool empty: the first step puts the start there."""
        self._work.clear_pool(self._task, limit)

    def step(self, states: int) -> int:
        """Expand up to so many nodes."""
        task, work = self._task, self._work
        return int(
            loose.step(task, work.lifts, work.classes, work.loose, work.pool, self._options, states)
        )

    def path(self) -> Ints:
        """The moves of the win, none if they cannot be laid out."""
        work = self._work
        nodes = path.nodes_to(work.pool, int(work.pool.counts[POOL.goal]))
        count = laying.lay(self._task, work.classes, work.pool, work.laying, nodes)
        return work.laying.moves[: max(0, int(count))].copy()


class AStar(_PoolEngine):
    """Ways to a goal in fewer moves than `upper`, the fewest if its weights are equal."""

    group = Group.PROVING

    def __init__(
        self,
        task: Task,
        work: Buffers,
        options: Options,
        *,
        upper: int = astar.NO_WIN,
        least: int = 0,
    ) -> None:
        super().__init__(task, work, options)
        self._is_optimal = options.weight_g == options.weight_h
        self._upper, self._least = upper, least

    def begin(self, limit: int) -> None:
        """Put the start into the pool."""
        work = self._work
        work.clear_pool(self._task, limit)
        hitting.forget(work.bounds.conflicts)
        astar.start(self._task, work.pool, work.scratch, self._options, self._upper, self._least)

    def step(self, states: int) -> int:
        """Expand up to so many states."""
        task, work = self._task, self._work
        return int(
            astar.step(
                task,
                work.lifts,
                work.bounds,
                work.pool,
                work.scratch,
                self._options,
                states,
            )
        )

    @property
    def least_moves(self) -> int:
        """The least f in the queue, or the moves of the best way known."""
        counts = self._work.pool.counts
        if not self._is_optimal:
            return 0
        return min(int(counts[POOL.cursor]) // pool.H_LIMIT, self.fewest_known)

    @property
    def fewest_known(self) -> int:
        """Moves of the best way known, else the `upper` it began with."""
        return int(self._work.pool.counts[POOL.upper])

    @property
    def was_cut(self) -> bool:
        """A way was dropped because it would take `upper` moves or more."""
        return bool(self._work.pool.counts[POOL.cut])
