"""The searches over one position: the portfolio that decides, A*, and plain exploration.

This is where Python meets the kernels: it owns their arrays, the order of the searches, and the
growth of the node pool. What is proven and what is not is settled here, by which search may say
what:

1. the lift relaxation L0 may say "unwinnable";
2. the macro search and then a search with forced joins may only say "winnable";
3. complete searches may say both: one with a bound on its states, then one without;
4. weighted A* finds short wins of a position that can be won, then A* with the same admissible
   bound finds and proves a shortest one;
5. exploring in breadth-first order finds the best line of a lost position, if few are reachable.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from types import TracebackType
from typing import NamedTuple

import numpy as np

from simon_solver.cards import rank_of, suit_of
from simon_solver.control import Control, Stopped
from simon_solver.errors import PositionError
from simon_solver.kernels import (
    compiled,
    hitting,
    lifts,
    macro,
    path,
    pool,
    search,
    successors,
    waiting,
)
from simon_solver.kernels.fields import RUN_BITS
from simon_solver.kernels.game import Game, Ints, build_game
from simon_solver.moves import Move
from simon_solver.position import Position
from simon_solver.result import StoppedBy, Verdict
from simon_solver.rules import RUN_SCORE, score

MIB = 1 << 20
NEVER = 1 << 20
"""Moves to what cannot be reached."""
STEP_STATES = 1000
"""States a kernel expands before it comes back: some thousandths to hundredths of a second."""
FIRST_NODES, FIRST_SLOTS = 1 << 13, 1 << 14
MACRO_STATES = 2_000
KEPT_BYTES = 4 * MIB
"""A larger pool is not kept for the next search."""
SPARE_BYTES = 256 * MIB
"""Memory that must stay free on the machine when the pool grows."""


class Pass(NamedTuple):
    """One search: its options, and whether running dry proves a loss."""

    weight_g: int
    weight_h: int
    states: int = 0
    """States it may expand, 0 for any number."""
    complete: bool = True
    force_joins: bool = False
    use_lifts: bool = True
    optimal: bool = False
    waiting: bool = True
    taken: bool = True
    parents: bool = True

    def options(self) -> Ints:
        """The options array of `search`."""
        return np.array(
            [
                self.weight_g,
                self.weight_h,
                self.force_joins,
                self.use_lifts,
                self.optimal,
                self.waiting,
                self.taken,
                self.parents,
            ],
            np.int64,
        )


WIN_PASSES = (
    Pass(weight_g=1, weight_h=2, states=1_500, complete=False, force_joins=True),
    Pass(weight_g=1, weight_h=4, states=30_000),
    Pass(weight_g=1, weight_h=2),
)
SHORTEST_WIN = Pass(weight_g=1, weight_h=1, optimal=True)
SHORTER_WINS = (
    SHORTEST_WIN._replace(weight_g=2, weight_h=3, states=2_000),
    SHORTEST_WIN._replace(weight_g=8, weight_h=9, states=10_000),
)
ALL_LINES = Pass(weight_g=1, weight_h=0, states=100_000, use_lifts=False)


class _Buffers:
    """Kernel arrays for positions of so many columns, lent to one searcher at a time."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.lifts = lifts.new_lifts()
        self.waits = waiting.new_waits()
        self.conflicts = hitting.new_conflicts()
        self.scratch = successors.new_scratch(columns)
        self.macro = macro.new_macro(columns)
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


# A search may run Python code that starts another one (a progress callback, a finalizer, a thread),
# so arrays are never shared: who needs some takes them from here or makes new ones.
_free_buffers: deque[_Buffers] = deque(maxlen=8)


def _borrow(columns: int) -> _Buffers:
    """Buffers that nobody else has."""
    try:
        buffers = _free_buffers.pop()
    except IndexError:
        return _Buffers(columns)
    return buffers if buffers.columns == columns else _Buffers(columns)


def _give_back(buffers: _Buffers) -> None:
    """Keep buffers for the next searcher, without a pool that has grown large."""
    if buffers.pool is not None and buffers.pool.state.nbytes > KEPT_BYTES:
        buffers.pool = None
    _free_buffers.append(buffers)


_preparing = threading.Lock()
_ready = threading.Event()


def prepare() -> None:
    """Have all kernels compiled, so that no search spends time on it; quick when they are.

    Code kept by an earlier process serves if all of it is there, just as it was written.
    """
    if _ready.is_set():
        return
    with _preparing:
        if not _ready.is_set() and not compiled.is_complete():
            compiled.start_over()
            with compiled.quick_compilation():
                _compile_all()
            compiled.mark_complete()
        _ready.set()


def _compile_all() -> None:
    """Call each kernel that Python calls, on a game of two cards."""
    ace_under_two = [(1, 0), (2, 0)]
    game = build_game([ace_under_two, [], []], 2)
    buffers = _Buffers(3)
    lifts.may_be_won(game, buffers.lifts, game.start, 0)
    macro.search_macro(game, buffers.lifts, buffers.macro, 1)
    nodes = pool.new_pool(pool.packed_words(3, 2), 1 << 9, 1 << 10)
    options = SHORTEST_WIN.options()
    search.start(game, nodes, buffers.scratch, options, search.NO_WIN, 0)
    outcome = search.RUNNING
    while outcome == search.RUNNING:
        outcome = search.step(
            game,
            buffers.lifts,
            buffers.waits,
            buffers.conflicts,
            nodes,
            buffers.scratch,
            options,
            STEP_STATES,
        )
    path.moves_to_node(game, nodes, buffers.scratch, int(nodes.counts[pool.GOAL]))
    pool.clear(nodes)
    pool.rehash(nodes)


@dataclass
class Finding:
    """What the searches of one call know so far.

    `ways[r]` is a proven lower bound on the moves after which r more runs can be removed; its last
    entry is about a win. `moves` is the best line known. Scores are totals: they count the moves
    made and the runs removed before the position.
    """

    ways: list[int]
    moves_made: int
    removed: int
    verdict: Verdict = Verdict.UNDETERMINED
    moves: list[Move] = field(default_factory=list)
    stopped_by: StoppedBy | None = None

    def need(self, runs: int, moves: int) -> None:
        """Note that so many runs take so many moves at least."""
        self.ways[runs] = max(self.ways[runs], moves)

    def score(self, moves: int, runs: int) -> int:
        """The total score after so many moves and removals from the position on."""
        return score(self.moves_made + moves, self.removed + runs)

    @property
    def score_bound(self) -> int:
        """Proven upper bound on the score of any line."""
        ways = self.ways[:-1] if self.verdict is Verdict.UNWINNABLE else self.ways
        return max(self.score(moves, runs) for runs, moves in enumerate(ways))

    @property
    def win_score(self) -> int | None:
        """The score of the best win known."""
        won = self.verdict is Verdict.WINNABLE
        return self.score(len(self.moves), len(self.ways) - 1) if won else None


class Searcher:
    """The searches over one settled position that has cards on the table; a context manager.

    Raises:
        PositionError: the position has more columns than the kernels' fields hold.
    """

    def __init__(self, position: Position, control: Control) -> None:
        columns = [[(rank_of(card), suit_of(card)) for card in c] for c in position.columns]
        try:
            self.game = build_game(columns, position.deck.ranks)
        except ValueError as error:
            raise PositionError(str(error)) from None
        self.control = control
        self._buffers = _borrow(len(columns))
        self.lifts, self.waits = self._buffers.lifts, self._buffers.waits
        self.scratch, self.macro = self._buffers.scratch, self._buffers.macro
        lifts.forget(self.lifts)

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
            _give_back(self._buffers)

    def decide(self, finding: Finding) -> None:
        """Find out whether the position can be won; a win is the finding's line.

        Raises:
            Stopped: a limit came first.
        """
        self.control.stage = "deciding"
        if not lifts.may_be_won(self.game, self.lifts, self.game.start, np.int64(0)):
            finding.verdict = Verdict.UNWINNABLE
            for runs in range(int(self.lifts.counts[lifts.MOST_RUNS]) + 1, len(finding.ways)):
                finding.need(runs, NEVER)
            return
        most = self.control.budget(MACRO_STATES)
        won = macro.search_macro(self.game, self.lifts, self.macro, most)
        self.control.states += int(self.macro.counts[macro.EXPANDED])
        if won:
            finding.verdict = Verdict.WINNABLE
            finding.moves = [Move(*move) for move in macro.winning_moves(self.macro)]
            return
        for plan in WIN_PASSES:
            outcome = self._run(plan, finding)
            if outcome == search.WON:
                finding.verdict = Verdict.WINNABLE
                finding.moves = self._path(int(self.pool.counts[pool.GOAL]))
                return
            if outcome == search.EXHAUSTED and plan.complete:
                finding.verdict = Verdict.UNWINNABLE
                return

    def shorten(self, finding: Finding) -> None:
        """Replace the finding's win by a shortest one, with proof.

        Raises:
            Stopped: a limit came first; what was found and proven so far is in the finding.
        """
        self.control.stage = "proving the best score"
        for plan in (*SHORTER_WINS, SHORTEST_WIN):
            if len(finding.moves) > finding.ways[-1]:
                outcome = search.RUNNING
                try:
                    outcome = self._run(plan, finding, len(finding.moves))
                finally:
                    if self.pool.counts[pool.GOAL] >= 0:
                        finding.moves = self._path(int(self.pool.counts[pool.GOAL]))
                if outcome in (search.WON, search.EXHAUSTED):
                    finding.need(-1, len(finding.moves))

    def explore(self, finding: Finding) -> None:
        """Find the best line of a lost position, and how many moves each number of runs takes.

        Exact when the relaxation lets no run leave, or few positions can be reached; else it gives
        up early, with weaker bounds.

        Raises:
            Stopped: a limit came first.
        """
        if finding.score_bound == finding.score(0, 0):
            return
        self.control.stage = "looking for the best line"
        outcome = self._run(ALL_LINES, finding)
        facts = self.pool.facts[: self.pool.counts[pool.NODES]]
        moves = facts >> pool.G_SHIFT & pool.G_MASK
        packed = facts & pool.RUNS_MASK
        runs = sum(packed >> RUN_BITS * suit & (1 << RUN_BITS) - 1 for suit in range(4))
        # nodes come in order of their moves: whatever takes fewer than this has been seen
        seen = self.pool.counts[pool.CURSOR] // pool.H_LIMIT + 1
        for wanted in range(1, len(finding.ways)):
            enough = moves[runs >= wanted]
            if outcome == search.EXHAUSTED:
                finding.need(wanted, int(enough.min(initial=NEVER)))
            else:
                finding.need(wanted, int(enough.min(initial=seen)))
        finding.moves = self._path(int(np.argmax(RUN_SCORE * runs - moves)))

    def _path(self, node: int) -> list[Move]:
        return [Move(*m) for m in path.moves_to_node(self.game, self.pool, self.scratch, node)]

    def _run(self, plan: Pass, finding: Finding, upper: int = search.NO_WIN) -> int:
        """Run one search to its end or to its own bound on states; returns the last outcome.

        `upper` is the length of a known win. An optimal search improves the finding's bound.

        Raises:
            Stopped: a limit of the call came first.
        """
        self._begin(plan, finding, upper)
        outcome, left = search.RUNNING, plan.states or 1 << 62
        while outcome in (search.RUNNING, search.FULL) and left > 0:
            outcome, expanded = self._step(plan, finding, min(STEP_STATES, left))
            left -= expanded
            if plan.optimal and plan.weight_g == plan.weight_h:
                reached = int(self.pool.counts[pool.CURSOR]) // pool.H_LIMIT
                finding.need(-1, min(reached, int(self.pool.counts[pool.UPPER])))
        return outcome

    def _begin(self, plan: Pass, finding: Finding, upper: int) -> None:
        """Start a search: an empty pool with the start in it."""
        limit = self.control.limits.memory_mib * MIB
        self.pool = self._buffers.pool_for(self.game, limit)
        hitting.forget(self._buffers.conflicts)
        least = finding.ways[-1]
        search.start(self.game, self.pool, self.scratch, plan.options(), upper, least)

    def _step(self, plan: Pass, finding: Finding, states: int) -> tuple[int, int]:
        """Expand up to so many states; returns the outcome and how many were expanded.

        Raises:
            Stopped: a limit of the call came first.
        """
        budget = self.control.budget(states)
        before = int(self.pool.counts[pool.EXPANDED])
        outcome = search.step(
            self.game,
            self.lifts,
            self.waits,
            self._buffers.conflicts,
            self.pool,
            self.scratch,
            plan.options(),
            budget,
        )
        expanded = int(self.pool.counts[pool.EXPANDED]) - before
        self.control.states += expanded
        self.control.report(finding.win_score, finding.score_bound)
        if outcome == search.FULL:
            self._grow(self.control.limits.memory_mib * MIB)
        return outcome, expanded

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
