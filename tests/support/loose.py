"""The loose search, driven by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.kernels.relaxations import classes, lifts
from simon_solver.kernels.searches import laying, loose, path
from simon_solver.kernels.searches.options import Options
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state import pool
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.task import Task
from simon_solver.search.portfolio import as_moves
from tests.support.kernel import task_of


class Search:
    """The loose search over one position, its pool grown as far as it asks."""

    def __init__(self, position: Position, weight_h: int = 2, nodes: int = 1 << 10) -> None:
        self.task: Task = task_of(position)
        columns = self.task.start.shape[0]
        words = loose.packed_words(columns, int(np.count_nonzero(self.task.card)))
        self.pool = pool.new_pool(words, nodes, 2 * nodes)
        self.lifts, self.classes = lifts.new_lifts(1 << 12), classes.new_classes(1 << 12)
        self.loose, self.laying = loose.new_loose(), laying.new_laying(columns)
        self.options = Options(weight_g=1, weight_h=weight_h).as_array()
        self.refused = 0

    def run(self, budget: int = 500, step: Any = loose.step) -> int:
        """The outcome of the search; `refused` counts how often the pool was full."""
        lifts.forget(self.lifts)
        classes.forget(self.classes)
        pool.clear(self.pool)
        outcome = OUTCOME.running
        while outcome in (OUTCOME.running, OUTCOME.full):
            if outcome == OUTCOME.full:
                self.refused += 1
                larger = pool.grown(self.pool, 1 << 30)
                assert larger is not None
                self.pool = larger
            outcome = step(
                self.task, self.lifts, self.classes, self.loose, self.pool, self.options, budget
            )
        return outcome

    def moves(self) -> list[Move] | None:
        """The moves of the win, None if they cannot be laid out."""
        nodes = path.nodes_to(self.pool, int(self.pool.counts[POOL.goal]))
        count = int(laying.lay(self.task, self.classes, self.pool, self.laying, nodes))
        return None if count < 0 else as_moves(self.laying.moves[:count])
