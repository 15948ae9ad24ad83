"""The portfolio: which engine is asked about a position, in which order, and what that proves
[P.1].

1. The lift relaxation L0 may say "unwinnable", and so may the class search L1 once the eager macro
   search has failed.
2. A macro search may only say "winnable": eager first, then once more without eager joins.
3. A search that decides may say both: the loose one where no two cards are alike, the complete one
   elsewhere, and where no win of the loose one could be laid out. First it may expand some states
   with much weight on the estimate, then any number.
4. Weighted A* finds short wins of a position that can be won. A* with the same admissible bound
   finds and proves a shortest one.
5. For each number of runs that could make a better line than the best known, weighted A* and A*
   with another admissible bound find and prove the fewest moves that remove that many [B.2].

Numbers in brackets are statements of `docs/algorithms/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

from simon_solver.errors import PositionError
from simon_solver.game.cards import rank_of, suit_of
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.kernels.relaxations import classes, lifts
from simon_solver.kernels.relaxations.lifts import LIFTS
from simon_solver.kernels.searches import loose
from simon_solver.kernels.searches.options import WHEN, Options
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.task import INFO, Ints, Task, build_task
from simon_solver.search import preparing
from simon_solver.search.buffers import MIB, borrow, give_back
from simon_solver.search.control import Control
from simon_solver.search.engines import (
    NO_MOVES,
    AStar,
    CompleteSearch,
    Engine,
    LooseSearch,
    MacroSearch,
)
from simon_solver.search.finding import Finding
from simon_solver.search.groups import Group
from simon_solver.search.removal_bound import NEVER
from simon_solver.search.verdict import Verdict

INTERPRETED_STATES = 20
"""States of a step of interpreted kernels, which takes tens of milliseconds."""
EAGER_STATES, LAZY_STATES = 500, 250
"""States of the macro searches."""
ALL_RULES = Options(use_lifts=1, waiting=1, taken=1, parents=1)
"""Every rule that is sound for wins."""
ASK_CLASSES = ALL_RULES._replace(weight_g=1, weight_h=2, use_classes=WHEN.start)
"""With one state: just asks L1 about the start, and looks at it."""
DECIDE_GREEDILY = ASK_CLASSES._replace(weight_h=8, use_classes=WHEN.always)
GREEDY_STATES = 2_000
DECIDE = ASK_CLASSES._replace(use_classes=WHEN.always)
SHORTEST_WIN = ALL_RULES._replace(weight_g=1, weight_h=1, in_layers=1)
SHORTER_WINS = (
    (SHORTEST_WIN._replace(weight_g=2, weight_h=3), 2_000),
    (SHORTEST_WIN._replace(weight_g=8, weight_h=9), 10_000),
)
"""Options of weighted A*, and the states of each."""
FEWEST_MOVES = ALL_RULES._replace(weight_g=1, weight_h=1, waiting=0)
FEWER_MOVES = FEWEST_MOVES._replace(weight_h=3)
FIRST_ROUND, NEXT_ROUND = 20_000, 8
"""States of the first A* for each number of runs, and the growth from round to round."""
FEWER_SHARE = 8
"""The weighted search before it gets one in so many."""
ANY_STATES = 1 << 62
UNFINISHED = (OUTCOME.running, OUTCOME.full)
DISPROVEN = (OUTCOME.lost, OUTCOME.exhausted)
"""Outcomes of an engine that decides: the goal cannot be reached."""


def task_of(position: Position) -> Task:
    """The kernels' tables of a position.

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


class Portfolio:
    """The searches over one position that has cards on the table; a context manager."""

    def __init__(self, task: Task, control: Control) -> None:
        self.task = task
        self.control = control
        self.work = borrow(task.start.shape[0])
        if not preparing.is_ready(Group.DECIDING):
            with control.untimed():
                preparing.want(Group.DECIDING, compiling=False)
        self._lifts_of(runs_wanted=0)

    def __enter__(self) -> Portfolio:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # what an exception leaves behind may be in any state
        if kind is None:
            give_back(self.work)

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
        if not self._is_open_to_lifts():
            finding.verdict = Verdict.UNWINNABLE
            finding.need(int(self.work.lifts.counts[LIFTS.most_runs]) + 1, NEVER)
            return NO_MOVES
        for engine, states in self._deciders():
            outcome = self._run(engine, finding, states)
            if outcome in DISPROVEN:
                finding.verdict = Verdict.UNWINNABLE
                return NO_MOVES
            moves = engine.path() if outcome == OUTCOME.won else NO_MOVES
            if moves.size:
                finding.verdict = Verdict.WINNABLE
                return moves
        raise AssertionError("a complete search without a limit has an answer")

    def _deciders(self) -> Iterator[tuple[Engine, int]]:
        """The engines to try in turn where L0 leaves the verdict open, each with its states."""
        task, work = self.task, self.work
        yield MacroSearch(task, work, EAGER_STATES, eager=True), EAGER_STATES
        yield self._decider(ASK_CLASSES), 1
        yield MacroSearch(task, work, LAZY_STATES, eager=False), LAZY_STATES
        yield self._decider(DECIDE_GREEDILY), GREEDY_STATES
        yield self._decider(DECIDE), ANY_STATES
        # Only the loose search ends with a win and without its moves.
        for options, states in (
            (ASK_CLASSES, 1),
            (DECIDE_GREEDILY, GREEDY_STATES),
            (DECIDE, ANY_STATES),
        ):
            yield self._decider(options, loosely=False), states

    def _decider(self, options: Options, *, loosely: bool = True) -> CompleteSearch | LooseSearch:
        """An engine that decides this position: the loose one if that may be, without copies."""
        is_loose = loosely and loose.has_no_copies(self.task)
        kind = LooseSearch if is_loose else CompleteSearch
        return kind(self.task, self.work, options)

    def _lifts_of(self, runs_wanted: int) -> None:
        """From here on the relaxations are asked about so many removals, 0 for a win."""
        lifts.forget(self.work.lifts, runs_wanted)
        classes.forget(self.work.classes)

    def _is_open_to_lifts(self) -> bool:
        """L0 does not prove that the goal is out of reach from the start."""
        task, work = self.task, self.work
        return bool(lifts.start_may_be_won(task, work.lifts))

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
            prove = prove._replace(in_layers=0)
        for options, states in (*SHORTER_WINS, (prove, ANY_STATES)):
            if len(finding.win) > finding.ways[-1]:
                engine = self._astar(options, finding, len(finding.win))
                outcome = OUTCOME.running
                try:
                    outcome = self._run(engine, finding, states)
                finally:
                    if engine.has_goal:
                        finding.win = as_moves(engine.path())
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
        self._lifts_of(runs)
        ask = ASK_CLASSES._replace(runs_wanted=runs)
        if not self._is_open_to_lifts() or self._run(self._decider(ask), finding, 1) in DISPROVEN:
            finding.need(runs, NEVER)
        for options, most in ((FEWER_MOVES, states // FEWER_SHARE), (FEWEST_MOVES, states)):
            enough = finding.score(0, runs) - finding.best_score
            if finding.ways[runs] >= enough:
                return
            engine = self._astar(options._replace(runs_wanted=runs), finding, enough)
            outcome = OUTCOME.running
            try:
                outcome = self._run(engine, finding, most)
            finally:
                if engine.has_goal:
                    finding.line = as_moves(engine.path())
                    finding.runs = runs
            if outcome == OUTCOME.exhausted and not engine.was_cut:
                # not just too late: no line comes there at all
                finding.need(runs, NEVER)
            elif outcome in (OUTCOME.won, OUTCOME.exhausted):
                finding.need(runs, engine.fewest_known)

    def _astar(self, options: Options, finding: Finding, upper: int) -> AStar:
        """A* for ways to the options' goal in less than `upper` moves."""
        least = finding.ways[options.runs_wanted or -1]
        return AStar(self.task, self.work, options, upper=upper, least=least)

    def _run(self, engine: Engine, finding: Finding, states: int) -> int:
        """Run one engine to its end or to so many states; returns the last outcome.

        What it proves of the fewest moves on the way goes into the finding.

        Raises:
            Stopped: a limit of the call came first.
        """
        control, limit = self.control, self.control.limits.memory_mib * MIB
        engine.begin(limit)
        outcome, done = OUTCOME.running, 0
        while outcome in UNFINISHED and done < states:
            outcome = self._step(engine, states - done)
            before, done = done, engine.expanded
            control.states += done - before
            if not preparing.is_ready(engine.group):
                preparing.count(done - before)
            if not engine.is_brief:
                control.report(finding)
                finding.need(engine.runs_wanted or finding.all_runs, engine.least_moves)
            if outcome == OUTCOME.full:
                engine.grow(limit)
        return outcome

    def _step(self, engine: Engine, states: int) -> int:
        """Have the engine expand up to so many states; returns the outcome.

        Time that passes while kernels are being compiled is no time of the call.

        Raises:
            Stopped: a limit of the call came first.
        """
        control, group = self.control, engine.group
        if preparing.is_ready(group):
            return engine.step(control.budget(min(engine.stride, states)))
        control.budget(1)  # Ctrl-C ends a process that compiles, and then nobody should take over
        with control.untimed():
            is_compiled = preparing.want(group, compiling=states > 1)
        stride = engine.stride if is_compiled or engine.is_brief else INTERPRETED_STATES
        budget = control.budget(min(stride, states))
        with control.untimed() if preparing.is_compiling(group) else nullcontext():
            return engine.step(budget)
