"""The searches over one position: the portfolio that decides, A*, and plain exploration.

This is where Python meets the kernels: it owns their arrays, the order of the searches, and the
growth of the node pool. What is proven and what is not is settled here, by which search may say
what:

1. the lift relaxation L0 may say "unwinnable", and so may the class search L1 once the macro search
   has failed;
2. the macro search may only say "winnable";
3. the loose search may say both where no two cards are alike, the complete search elsewhere, and
   where no win of the loose one could be laid out: with a bound on the states, then without;
4. weighted A* finds short wins of a position that can be won, then A* with the same admissible
   bound finds and proves a shortest one;
5. for each number of runs that could make a better line than the best known, weighted A* and A*
   with another admissible bound find and prove the fewest moves that remove so many.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import NamedTuple

import numpy as np

from simon_solver.errors import PositionError
from simon_solver.game.cards import rank_of, suit_of
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.kernels import compiled
from simon_solver.kernels.bounds import hitting
from simon_solver.kernels.relaxations import classes, lifts
from simon_solver.kernels.relaxations.lifts import LIFTS
from simon_solver.kernels.searches import astar, complete, laying, loose, macro, path
from simon_solver.kernels.searches.macro import MACRO
from simon_solver.kernels.searches.options import WHEN, Options
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state import pool
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.task import INFO, Ints, Task, build_task
from simon_solver.search.buffers import MIB, Buffers, borrow, give_back
from simon_solver.search.control import Control, Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.removal_bound import NEVER
from simon_solver.search.verdict import StoppedBy, Verdict

STEP_STATES = 1000
"""States a kernel expands before it comes back: some thousandths to hundredths of a second."""
NO_MOVES = np.zeros(0, np.int64)
SPARE_BYTES = 256 * MIB
"""Memory that must stay free on the machine when the pool grows."""


class Pass(NamedTuple):
    """One run of A*, or of the loose or the complete search if it `decides`, and its options."""

    weight_g: int
    weight_h: int
    states: int = 0
    """States it may expand, 0 for any number."""
    decides: bool = False
    use_lifts: bool = True
    waiting: bool = True
    taken: bool = True
    parents: bool = True
    in_layers: bool = False
    runs_wanted: int = 0
    """The goal: so many runs removed, 0 for a win."""
    use_classes: int = WHEN.never

    def options(self) -> Ints:
        """The options array of the kernels."""
        return Options(
            weight_g=self.weight_g,
            weight_h=self.weight_h,
            use_lifts=int(self.use_lifts),
            waiting=int(self.waiting),
            taken=int(self.taken),
            parents=int(self.parents),
            runs_wanted=self.runs_wanted,
            in_layers=int(self.in_layers),
            use_classes=self.use_classes,
        ).as_array()


class MacroStage(NamedTuple):
    """A macro search: eager (1) or not, and the states it may expand."""

    eager: int
    states: int


ASK_CLASSES = Pass(1, 2, states=1, decides=True, use_classes=WHEN.start)
"""Just asks L1 about the start, and looks at it."""
STAGES = (
    MacroStage(eager=1, states=500),
    ASK_CLASSES,
    MacroStage(eager=0, states=250),
    Pass(1, 8, states=2_000, decides=True, use_classes=WHEN.always),
    Pass(1, 2, decides=True, use_classes=WHEN.always),
)
"""How a position is decided that L0 leaves open."""
SHORTEST_WIN = Pass(weight_g=1, weight_h=1, in_layers=True)
SHORTER_WINS = (
    SHORTEST_WIN._replace(weight_g=2, weight_h=3, states=2_000),
    SHORTEST_WIN._replace(weight_g=8, weight_h=9, states=10_000),
)
FEWEST_MOVES = Pass(weight_g=1, weight_h=1, waiting=False)
FEWER_MOVES = FEWEST_MOVES._replace(weight_h=3)
FIRST_ROUND, NEXT_ROUND = 20_000, 8
"""States of the first A* for each number of runs, and the growth from round to round."""
FEWER_SHARE = 8
"""The weighted search before it gets one in so many."""


def _compile_all() -> None:
    """Call each kernel of the searches that Python calls, on a game of two cards."""
    ace_under_two = [(1, 0), (2, 0)]
    task = build_task([ace_under_two, [], []], 2)
    buffers = Buffers(3)
    lifts.may_be_won(task, buffers.lifts, task.start, 0)
    macro.search_macro(task, buffers.lifts, buffers.macro, 1, 1)
    macro.winning_moves(buffers.macro)
    nodes = pool.new_pool(pool.packed_words(3, 2), 1 << 9, 1 << 10)
    options = SHORTEST_WIN.options()
    astar.start(task, nodes, buffers.scratch, options, astar.NO_WIN, 0)
    tables = task, buffers.lifts, buffers.bounds, nodes, buffers.scratch
    while astar.step(*tables, options, STEP_STATES) == OUTCOME.running:
        pass
    path.moves_to_node(task, nodes, buffers.scratch, int(nodes.counts[POOL.goal]))
    pool.clear(nodes)
    pool.rehash(nodes)


def _compile_complete() -> None:
    """Call the complete search on a game of two cards."""
    task, buffers = build_task([[(1, 0), (2, 0)], [], []], 2), Buffers(3)
    nodes = pool.new_pool(pool.packed_words(3, 2), 1 << 9, 1 << 10)
    options = STAGES[-1].options()
    astar.start(task, nodes, buffers.scratch, options, astar.NO_WIN, 0)
    complete.step(task, buffers.lifts, buffers.classes, nodes, buffers.scratch, options, 1)


def _compile_loose() -> None:
    """Call the kernels of the loose search on a game of two cards."""
    task, work = build_task([[(1, 0), (2, 0)], [], []], 2), Buffers(3)
    nodes = work.pool_for(task, 1 << 30)
    loose.step(task, work.lifts, work.classes, work.loose, nodes, STAGES[-1].options(), 9)
    root = np.zeros(1, np.int64)
    laying.lay(task, work.classes, nodes, work.laying, root)


_prepare = compiled.Preparation(compiled.SEARCH, _compile_all)
_prepare_complete = compiled.Preparation(compiled.COMPLETE, _compile_complete)
_prepare_loose = compiled.Preparation(compiled.LOOSE, _compile_loose)


def prepare() -> None:
    """Have the kernels compiled that nearly all positions need, so that no search waits for it."""
    _prepare()


def prepare_complete(*, copies: bool) -> None:
    """Have the search compiled as well that few positions need, those with or without copies."""
    _prepare()
    (_prepare_complete if copies else _prepare_loose)()


def task_of(position: Position) -> Task:
    """The kernels' tables of a settled position.

    Raises:
        PositionError: the position has more columns than the kernels' fields hold.
    """
    columns = [[(rank_of(card), suit_of(card)) for card in c] for c in position.columns]
    try:
        return build_task(columns, position.deck.ranks)
    except ValueError as error:
        raise PositionError(str(error)) from None


def as_moves(packed: Ints) -> list[Move]:
    """The kernels' moves as the rest of the package has them."""
    return [Move(move & 15, move >> 4 & 15, move >> 8) for move in packed.tolist()]


class Searcher:
    """The searches over one position that has cards on the table; a context manager."""

    def __init__(self, task: Task, control: Control) -> None:
        self.task = task
        self.control = control
        self._buffers = borrow(task.start.shape[0])
        self.lifts = self._buffers.lifts
        self.scratch, self.macro = self._buffers.scratch, self._buffers.macro
        self._loosely = loose.has_no_copies(task)
        lifts.forget(self.lifts)
        classes.forget(self._buffers.classes)

    def __enter__(self) -> Searcher:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # what an exception leaves behind may be in any state
        if kind is None:
            give_back(self._buffers)

    def decide(self, finding: Finding) -> None:
        """Find out whether the position can be won; a win goes into the finding.

        Raises:
            Stopped: a limit came first.
        """
        finding.win = as_moves(self.find_win(finding))

    def find_win(self, finding: Finding) -> Ints:
        """Find the verdict; returns the kernels' moves of a win, none unless there is one.

        Raises:
            Stopped: a limit came first.
        """
        self.control.stage = "deciding"
        if not lifts.may_be_won(self.task, self.lifts, self.task.start, 0):
            finding.verdict = Verdict.UNWINNABLE
            finding.need(int(self.lifts.counts[LIFTS.most_runs]) + 1, NEVER)
            return NO_MOVES
        for stage in self._stages():
            if isinstance(stage, Pass):
                outcome = self._run(stage, finding)
                moves = self._path_to_goal() if outcome == OUTCOME.won else NO_MOVES
                if outcome in (OUTCOME.lost, OUTCOME.exhausted):
                    finding.verdict = Verdict.UNWINNABLE
                    return NO_MOVES
            else:
                moves = self._run_macro(stage)
            if moves.size:
                finding.verdict = Verdict.WINNABLE
                return moves
        raise AssertionError("a complete search without a limit has an answer")

    def _stages(self) -> Iterator[Pass | MacroStage]:
        """What is to be tried in turn."""
        yield from STAGES
        if self._loosely:
            # the moves of no win could be laid out
            self._loosely = False
            yield from (stage for stage in STAGES if isinstance(stage, Pass))

    def _run_macro(self, stage: MacroStage) -> Ints:
        """The moves of a win, none if the macro search finds none.

        Raises:
            Stopped: a limit of the call came first.
        """
        most = self.control.budget(stage.states)
        won = macro.search_macro(self.task, self.lifts, self.macro, most, stage.eager)
        self.control.states += int(self.macro.counts[MACRO.expanded])
        return self.macro.path[macro.winning_moves(self.macro) :].copy() if won else NO_MOVES

    def shorten(self, finding: Finding) -> None:
        """Replace the finding's win by a shortest one, with proof.

        Raises:
            Stopped: a limit came first; what was found and proven so far is in the finding.
        """
        self.control.stage = "proving the best score"
        prove = SHORTEST_WIN
        if self.task.info[INFO.copies : INFO.copies + 4].max() <= 2:
            # With four copies a layer of f has ten times the states of the one before, so it pays
            # not to store the last one; else three times, and opening nodes again costs more.
            prove = prove._replace(in_layers=False)
        for plan in (*SHORTER_WINS, prove):
            if len(finding.win) > finding.ways[-1]:
                outcome = OUTCOME.running
                try:
                    outcome = self._run(plan, finding, len(finding.win))
                finally:
                    if self.pool.counts[POOL.goal] >= 0:
                        finding.win = as_moves(self._path_to_goal())
                if outcome in (OUTCOME.won, OUTCOME.exhausted):
                    finding.need(finding.all_runs, len(finding.win))

    def explore(self, finding: Finding) -> None:
        """Find the best line that removes less than all runs, unless another is proven best.

        Every number of runs gets some states, then each that is still open gets more, and so on.

        Raises:
            Stopped: a limit came first; what was found and proven so far is in the finding.
        """
        self.control.stage = "looking for the best line"
        states = FIRST_ROUND
        while finding.score_bound > finding.best_score:
            for runs in range(1, finding.all_runs):
                self._remove(finding, runs, states)
            states *= NEXT_ROUND

    def _remove(self, finding: Finding, runs: int, states: int) -> None:
        """Look for a line that removes so many runs and scores more than any known.

        Raises:
            Stopped: as in `explore`.
        """
        lifts.forget(self.lifts, runs)
        classes.forget(self._buffers.classes)
        ask = ASK_CLASSES._replace(runs_wanted=runs)
        open_to_lifts = lifts.may_be_won(self.task, self.lifts, self.task.start, 0)
        if not open_to_lifts or self._run(ask, finding) in (OUTCOME.lost, OUTCOME.exhausted):
            finding.need(runs, NEVER)
        for base, most in ((FEWER_MOVES, states // FEWER_SHARE), (FEWEST_MOVES, states)):
            enough = finding.score(0, runs) - finding.best_score
            if finding.ways[runs] >= enough:
                return
            outcome = OUTCOME.running
            plan = base._replace(runs_wanted=runs, states=most)
            try:
                outcome = self._run(plan, finding, enough)
            finally:
                if self.pool.counts[POOL.goal] >= 0:
                    finding.line = as_moves(self._path_to_goal())
                    finding.runs = runs
            if outcome == OUTCOME.exhausted and not self.pool.counts[POOL.cut]:
                # not just too late: no line comes there at all
                finding.need(runs, NEVER)
            elif outcome in (OUTCOME.won, OUTCOME.exhausted):
                finding.need(runs, int(self.pool.counts[POOL.upper]))

    def _path_to_goal(self) -> Ints:
        """The moves to the goal of the last search, none if they cannot be laid out."""
        goal = int(self.pool.counts[POOL.goal])
        if self._is_loose:
            work, nodes = self._buffers, path.nodes_to(self.pool, goal)
            count = laying.lay(self.task, work.classes, self.pool, work.laying, nodes)
            return work.laying.moves[: max(0, int(count))].copy()
        return path.moves_to_node(self.task, self.pool, self.scratch, goal)

    def _run(self, plan: Pass, finding: Finding, upper: int = astar.NO_WIN) -> int:
        """Run one search to its end or to its own bound on states; returns the last outcome.

        Only ways to the goal in less than `upper` moves count. An optimal search improves the
        finding's bound.

        Raises:
            Stopped: a limit of the call came first.
        """
        self._begin(plan, finding, upper)
        outcome, left = OUTCOME.running, plan.states or 1 << 62
        while outcome in (OUTCOME.running, OUTCOME.full) and left > 0:
            outcome, expanded = self._step(plan, finding, min(STEP_STATES, left))
            left -= expanded
            if not plan.decides and plan.weight_g == plan.weight_h:
                reached = int(self.pool.counts[POOL.cursor]) // pool.H_LIMIT
                least = min(reached, int(self.pool.counts[POOL.upper]))
                finding.need(plan.runs_wanted or finding.all_runs, least)
        return outcome

    def _begin(self, plan: Pass, finding: Finding, upper: int) -> None:
        """Start a search: an empty pool with the start in it."""
        self._is_loose = plan.decides and self._loosely
        if plan.decides:
            with self.control.untimed():
                prepare_complete(copies=not self._loosely)
        limit = self.control.limits.memory_mib * MIB
        self.pool = self._buffers.pool_for(self.task, limit)
        hitting.forget(self._buffers.bounds.conflicts)
        least = finding.ways[plan.runs_wanted or -1]
        if not self._is_loose:
            astar.start(self.task, self.pool, self.scratch, plan.options(), upper, least)

    def _step(self, plan: Pass, finding: Finding, states: int) -> tuple[int, int]:
        """Expand up to so many states; returns the outcome and how many were expanded.

        Raises:
            Stopped: a limit of the call came first.
        """
        budget = self.control.budget(states)
        before = int(self.pool.counts[POOL.expanded])
        outcome = self._call(plan, budget)
        expanded = int(self.pool.counts[POOL.expanded]) - before
        self.control.states += expanded
        known = finding.verdict is not Verdict.UNDETERMINED
        self.control.report(finding.best_score if known else None, finding.score_bound)
        if outcome == OUTCOME.full:
            self._grow(self.control.limits.memory_mib * MIB)
        return outcome, expanded

    def _call(self, plan: Pass, budget: int) -> int:
        """Let the kernel of a pass expand up to so many states; returns the outcome."""
        task, work, options = self.task, self._buffers, plan.options()
        if self._is_loose:
            return int(
                loose.step(task, work.lifts, work.classes, work.loose, self.pool, options, budget)
            )
        if plan.decides:
            return int(
                complete.step(
                    task, work.lifts, work.classes, self.pool, work.scratch, options, budget
                )
            )
        return int(
            astar.step(
                task,
                work.lifts,
                work.bounds,
                self.pool,
                work.scratch,
                options,
                budget,
            )
        )

    def _grow(self, limit: int) -> None:
        """Make room in the pool.

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
        self.pool = self._buffers.pool = larger
