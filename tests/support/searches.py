"""The complete search and A* over small decks."""

from __future__ import annotations

import numba
import numpy as np

from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.kernels.relaxations import classes, lifts
from simon_solver.kernels.searches import astar, complete, path
from simon_solver.kernels.searches.options import OPTION, WHEN
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state import pool, successors
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.task import Task
from simon_solver.search.portfolio import as_moves
from tests.support.deals import SmallDeck, small_decks
from tests.support.kernel import task_of

SUITS = (1, 2, 4)


def decks_of(suits: int, part: int = 1) -> list[SmallDeck]:
    """Every `part`-th small deck with cards on the table; without compilation only a few."""
    rows = [row for row in small_decks() if row.suits == suits and row.fewest_moves != 0]
    if numba.config.DISABLE_JIT:
        return [row for row in rows if row.position.deck.ranks == 4][::30]
    return rows[::part]


class Search:
    """One search over a position, its pool grown as far as it asks."""

    def __init__(self, position: Position, *, decides: int = 0, **options: int) -> None:
        self.position = position
        self.decides = decides
        self.task: Task = task_of(position)
        columns = self.task.start.shape[0]
        words = pool.packed_words(columns, int(np.count_nonzero(self.task.card)))
        self.pool = pool.new_pool(words, 1 << 10, 1 << 11)
        self.scratch = successors.new_scratch(columns)
        self.lifts, self.bounds = lifts.new_lifts(1 << 12), astar.new_bounds()
        self.classes = classes.new_classes(1 << 12)
        self.options = np.array(
            [
                options.get("weight_g", 1),
                options.get("weight_h", 1),
                options.get("use_lifts", 0),
                options.get("waiting", 1),
                options.get("taken", 1),
                options.get("parents", 1),
                options.get("runs_wanted", 0),
                options.get("in_layers", 0),
                options.get("use_classes", WHEN.never),
            ],
            np.int64,
        )

    def run(self, upper: int = astar.NO_WIN, budget: int = 500) -> int:
        """The outcome of the search."""
        lifts.forget(self.lifts, int(self.options[OPTION.runs_wanted]))
        classes.forget(self.classes)
        astar.start(self.task, self.pool, self.scratch, self.options, upper, 0)
        outcome = OUTCOME.running
        while outcome in (OUTCOME.running, OUTCOME.full):
            if outcome == OUTCOME.full:
                larger = pool.grown(self.pool, 1 << 30)
                assert larger is not None
                self.pool = larger
            outcome = self.step(budget)
        return outcome

    def step(self, budget: int) -> int:
        """Expand up to so many states; returns the outcome."""
        after = (self.pool, self.scratch, self.options, budget)
        if self.decides:
            return complete.step(self.task, self.lifts, self.classes, *after)
        return astar.step(self.task, self.lifts, self.bounds, *after)

    def solution(self) -> list[Move]:
        """The moves to the goal."""
        goal = int(self.pool.counts[POOL.goal])
        return as_moves(path.moves_to_node(self.task, self.pool, self.scratch, goal))
