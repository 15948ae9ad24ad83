"""Positions in, proven answers out: the portfolio of searches, its limits, and the replay.

`check` asks "can it be won?", after a portfolio of searches:

1. the lift relaxation L0, which may say "unwinnable";
2. the macro search and then a search with forced joins, which may only say "winnable";
3. complete searches, which may say both: one with a bound on its states, one without.

`solve` then asks for the shortest win by A* with an admissible bound. Every win is replayed by
`rules.replay` before anyone sees it.

What a key collision could do: positions are told apart by 128-bit keys, and the table compares
all of them. If two different positions of one search had equal keys, the later one would be taken
for the earlier and not be searched, so a win below it could be missed; a win that is shown is
replayed and is never wrong. With n positions the chance is about n * n / 2^129: below 10^-22 for
a hundred million.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NamedTuple

import numpy as np

from simon_solver.cards import rank_of, suit_of
from simon_solver.errors import PositionError
from simon_solver.kernels import bound, lifts, macro, path, pool, search, successors
from simon_solver.kernels.game import Game, build_game
from simon_solver.moves import Move
from simon_solver.partial import fewest_moves_to_remove
from simon_solver.position import Position
from simon_solver.result import (
    CheckResult,
    Limits,
    Progress,
    ProgressCallback,
    SolveResult,
    StoppedBy,
    Verdict,
)
from simon_solver.rules import Step, replay, score, settle

MIB = 1 << 20
STEP_STATES = 1000
"""States a kernel expands before it comes back: some thousandths to hundredths of a second."""
PROGRESS_SECONDS = 0.2
FIRST_NODES, FIRST_SLOTS = 1 << 13, 1 << 14
SPARE_BYTES = 256 * MIB
"""Memory that must stay free on the machine when the pool grows."""


class Pass(NamedTuple):
    """One search of the portfolio: its options, and whether running dry proves a loss."""

    weight_g: int
    weight_h: int
    force_joins: bool
    complete: bool
    states: int
    """States it may expand, 0 for any number."""
    optimal: bool = False

    def options(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The options array of `search`."""
        return np.array(
            [self.weight_g, self.weight_h, self.force_joins, True, self.optimal], np.int64
        )


WIN_PASSES = (
    Pass(weight_g=1, weight_h=2, force_joins=True, complete=False, states=1_500),
    Pass(weight_g=1, weight_h=4, force_joins=False, complete=True, states=30_000),
    Pass(weight_g=1, weight_h=2, force_joins=False, complete=True, states=0),
)
BEST_PASS = Pass(weight_g=1, weight_h=1, force_joins=False, complete=True, states=0, optimal=True)


class _Stopped(Exception):  # noqa: N818 - a limit is no error
    """A limit ended the search."""

    def __init__(self, reason: StoppedBy) -> None:
        super().__init__(reason)
        self.reason = reason


class _Control:
    """The clock, the counters and the limits of one call."""

    def __init__(self, limits: Limits, on_progress: ProgressCallback | None) -> None:
        self.started = time.monotonic()
        self.limits = limits
        self.on_progress = on_progress
        self.interrupted = False
        self.states = 0
        self.stage = ""
        self.score: int | None = None
        self.score_bound: int | None = None
        self._next_report = self.started + PROGRESS_SECONDS

    @property
    def seconds(self) -> float:
        """Wall seconds since the call began."""
        return time.monotonic() - self.started

    def budget(self, wanted: int) -> int:
        """States that the next step may expand.

        Raises:
            _Stopped: a limit is reached.
        """
        if self.interrupted:
            raise _Stopped(StoppedBy.INTERRUPT)
        if self.limits.seconds and self.seconds >= self.limits.seconds:
            raise _Stopped(StoppedBy.TIME)
        if self.limits.states:
            wanted = min(wanted, self.limits.states - self.states)
            if wanted <= 0:
                raise _Stopped(StoppedBy.STATES)
        return wanted

    def report(self) -> None:
        """Tell the caller how far the search is, a few times a second."""
        now = time.monotonic()
        if self.on_progress is not None and now >= self._next_report:
            self._next_report = now + PROGRESS_SECONDS
            self.on_progress(Progress(self.stage, self.states, self.score, self.score_bound))

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let Ctrl-C end the search with what it has; a second one ends the program as usual."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)

        def note(_number: int, _frame: FrameType | None) -> None:
            self.interrupted = True
            signal.signal(signal.SIGINT, before)

        signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


class _Buffers(threading.local):
    """Kernel arrays, kept from call to call in each thread."""

    def __init__(self) -> None:
        self.lifts = lifts.new_lifts()
        self.heads = bound.new_heads()
        self.scratch: dict[int, successors.Scratch] = {}
        self.macro: dict[int, macro.Macro] = {}
        self.pool: pool.Pool | None = None

    def pool_for(self, game: Game, limit: int) -> pool.Pool:
        """An empty pool that fits the game and the limit in bytes."""
        words = pool.packed_words(game.start.shape[0], int(np.count_nonzero(game.card)))
        kept = self.pool
        if kept is not None:
            nodes, kept_words = kept.state.shape
            if kept_words != words or pool.pool_bytes(words, nodes, kept.table.shape[0]) > limit:
                kept = None
        if kept is None:
            self.pool = kept = pool.new_pool(words, FIRST_NODES, FIRST_SLOTS)
        pool.clear(kept)
        return kept


_buffers = _Buffers()


@dataclass
class _Finding:
    """What the searches of one call know so far."""

    verdict: Verdict = Verdict.UNDETERMINED
    moves: list[tuple[int, int, int]] | None = None
    stopped_by: StoppedBy | None = None
    fewest_moves: int = 0
    """Proven lower bound on the moves of a win."""


class _Searcher:
    """The searches over one settled position."""

    def __init__(self, position: Position, control: _Control) -> None:
        columns = [[(rank_of(card), suit_of(card)) for card in c] for c in position.columns]
        try:
            self.game = build_game(columns, position.deck.ranks)
        except ValueError as error:
            raise PositionError(str(error)) from None
        width = len(columns)
        self.control = control
        self.lifts, self.heads = _buffers.lifts, _buffers.heads
        self.scratch = _buffers.scratch.setdefault(width, successors.new_scratch(width))
        self.macro = _buffers.macro.setdefault(width, macro.new_macro(width))
        lifts.forget(self.lifts)

    def decide(self, finding: _Finding) -> None:
        """Find out whether the position can be won.

        Raises:
            _Stopped: a limit came first.
        """
        self.control.stage = "deciding"
        self.control.budget(1)
        if not lifts.may_be_won(self.game, self.lifts, self.game.start, 0):
            finding.verdict = Verdict.UNWINNABLE
            return
        won = macro.search_macro(self.game, self.lifts, self.macro)
        self.control.states += int(self.macro.counts[macro.EXPANDED])
        if won:
            finding.verdict, finding.moves = Verdict.WINNABLE, macro.winning_moves(self.macro)
            return
        for plan in WIN_PASSES:
            outcome = self._run(plan, search.NO_WIN, 0, finding)
            if outcome == search.WON:
                finding.verdict, finding.moves = Verdict.WINNABLE, self._path()
                return
            if outcome == search.EXHAUSTED and plan.complete:
                finding.verdict = Verdict.UNWINNABLE
                return

    def shorten(self, finding: _Finding) -> None:
        """Find a shortest win of a position that can be won, with proof.

        Raises:
            _Stopped: a limit came first; what was found and proven so far is in the finding.
        """
        assert finding.moves is not None
        self.control.stage = "proving the best score"
        length = len(finding.moves)
        try:
            self._run(BEST_PASS, length, finding.fewest_moves, finding)
            finding.fewest_moves = min(length, int(self.pool.counts[pool.UPPER]))
        finally:
            if self.pool.counts[pool.GOAL] >= 0:
                finding.moves = self._path()

    def lower_bound(self) -> int:
        """The waiting bound of the start."""
        return int(bound.waiting_bound(self.game, self.heads, self.game.start))

    def _path(self) -> list[tuple[int, int, int]]:
        goal = int(self.pool.counts[pool.GOAL])
        return path.moves_to_node(self.game, self.pool, self.scratch, goal)

    def _run(self, plan: Pass, upper: int, estimate: int, finding: _Finding) -> int:
        """Run one search to its end or to its own bound on states; returns the last outcome.

        Raises:
            _Stopped: a limit of the call came first.
        """
        limit = self.control.limits.memory_mib * MIB
        options = plan.options()
        self.pool = _buffers.pool_for(self.game, limit)
        search.start(self.game, self.pool, self.scratch, options, upper, estimate)
        outcome, left = search.RUNNING, plan.states or 1 << 62
        while outcome in (search.RUNNING, search.FULL) and left > 0:
            if outcome == search.FULL:
                self._grow(limit)
            budget = self.control.budget(min(STEP_STATES, left))
            before = int(self.pool.counts[pool.EXPANDED])
            outcome = search.step(
                self.game, self.lifts, self.heads, self.pool, self.scratch, options, budget
            )
            expanded = int(self.pool.counts[pool.EXPANDED]) - before
            left -= expanded
            self.control.states += expanded
            if plan.optimal:
                reached = int(self.pool.counts[pool.CURSOR]) // pool.H_LIMIT
                finding.fewest_moves = max(finding.fewest_moves, min(reached, upper))
            self.control.report()
        return outcome

    def _grow(self, limit: int) -> None:
        """Make room in the pool.

        Raises:
            _Stopped: the limit, or the machine, has no more memory.
        """
        nodes, words = self.pool.state.shape
        slots = self.pool.table.shape[0]
        import psutil  # noqa: PLC0415 - it takes a while to load, and most searches never grow

        needed = pool.pool_bytes(words, nodes // 2, 2 * slots)
        if psutil.virtual_memory().available < needed + SPARE_BYTES:
            raise _Stopped(StoppedBy.MEMORY)
        try:
            larger = pool.grown(self.pool, limit)
        except MemoryError:
            larger = None
        if larger is None:
            raise _Stopped(StoppedBy.MEMORY)
        self.pool = _buffers.pool = larger


def check(
    position: Position,
    *,
    time_limit: float = 60.0,
    memory_limit: int = 2048,
    state_limit: int = 0,
    on_progress: ProgressCallback | None = None,
) -> CheckResult:
    """Whether the position can be won, with a win as witness.

    `time_limit` in wall seconds, `memory_limit` in MiB of nodes and tables, `state_limit` in
    expanded states; 0 is no limit of time or states.

    Raises:
        LimitError: a limit makes no sense.
        PositionError: the position has more columns than the search can hold.
    """
    control = _Control(Limits(time_limit, memory_limit, state_limit), on_progress)
    position = settle(position)
    finding = _Finding()
    with control.interruptible():
        _search(position, control, finding, best=False)
    steps = _replayed(position, finding)
    return CheckResult(
        finding.verdict, tuple(steps), finding.stopped_by, control.states, control.seconds
    )


def solve(
    position: Position,
    *,
    best: bool = True,
    time_limit: float = 60.0,
    memory_limit: int = 4096,
    state_limit: int = 0,
    moves_made: int = 0,
    on_progress: ProgressCallback | None = None,
) -> SolveResult:
    """The verdict and the best line, with a proof that it is the best where the limits allow.

    Limits are those of `check`, for the whole call. `best=False` stops at the first win.
    `moves_made` is the number of moves made before the position; it counts in the totals.

    Raises:
        LimitError: a limit makes no sense.
        PositionError: the position has more columns than the search can hold.
    """
    control = _Control(Limits(time_limit, memory_limit, state_limit), on_progress)
    position = settle(position)
    finding = _Finding()
    removed, left = len(position.removed), position.deck.runs - len(position.removed)
    ways = fewest_moves_to_remove(position)
    finding.fewest_moves = ways[left]
    with control.interruptible():
        _search(position, control, finding, best=best, moves_made=moves_made)
    steps = _best_part(_replayed(position, finding), moves_made, removed)
    runs = removed + sum(len(step.removes) for step in steps)
    total = moves_made + len(steps)
    ways[left] = max(ways[left], finding.fewest_moves)
    reachable = ways[: left + (finding.verdict is not Verdict.UNWINNABLE)]
    bounds = [score(moves_made + moves, removed + more) for more, moves in enumerate(reachable)]
    return SolveResult(
        verdict=finding.verdict,
        score=score(total, runs),
        moves=total,
        runs_removed=runs,
        score_bound=max(bounds),
        solution=tuple(steps),
        stopped_by=finding.stopped_by,
        states=control.states,
        seconds=control.seconds,
    )


def _search(
    position: Position, control: _Control, finding: _Finding, *, best: bool, moves_made: int = 0
) -> None:
    """Fill the finding, as far as the limits allow."""
    if position.is_won:
        finding.verdict, finding.moves = Verdict.WINNABLE, []
        return
    searcher = _Searcher(position, control)
    try:
        searcher.decide(finding)
        if finding.verdict is Verdict.WINNABLE and best:
            assert finding.moves is not None
            control.score = score(moves_made + len(finding.moves), position.deck.runs)
            finding.fewest_moves = max(finding.fewest_moves, searcher.lower_bound())
            searcher.shorten(finding)
    except _Stopped as stop:
        finding.stopped_by = stop.reason


def _replayed(position: Position, finding: _Finding) -> list[Step]:
    """The win played by the rules; none without one.

    Raises:
        RuntimeError: the win breaks a rule or does not win, which would be a fault of the search.
    """
    if finding.moves is None:
        return []
    steps, end = replay(position, [Move(*move) for move in finding.moves])
    if not end.is_won:
        raise RuntimeError("a solution that should win leaves cards on the table")
    return steps


def _best_part(steps: Sequence[Step], moves_made: int, removed: int) -> list[Step]:
    """The steps up to the moment of the highest score; all of them where the win is short."""
    best, best_score, runs = 0, score(moves_made, removed), removed
    for number, step in enumerate(steps, 1):
        runs += len(step.removes)
        now = score(moves_made + number, runs)
        if now > best_score or (now == best_score and number == len(steps)):
            best, best_score = number, now
    return list(steps[:best])
