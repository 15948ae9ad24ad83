"""The results of `check`, `solve` and `hint`, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from simon_solver.game.rules import Step
from simon_solver.search.verdict import StoppedBy, Verdict


@dataclass(frozen=True)
class CheckResult:
    """The answer to "can this position be won?".

    `solution` is a win, replayed by `rules.replay` and rarely a short one; it is empty unless the
    verdict is winnable. `states` counts expanded states (successors generated), `seconds` is wall
    time.
    """

    verdict: Verdict
    solution: tuple[Step, ...]
    stopped_by: StoppedBy | None
    states: int
    seconds: float


@dataclass(frozen=True)
class SolveResult:
    """The verdict and the best line found.

    `score`, `moves` and `runs_removed` are totals from the start of the game, so they include
    removals declared in the input and moves made before it. `solution` holds the moves of the best
    line from the position on; it is empty when no line gains points. `score_bound` is a proven
    upper bound on the score of any line.
    """

    verdict: Verdict
    score: int
    moves: int
    runs_removed: int
    score_bound: int
    solution: tuple[Step, ...]
    stopped_by: StoppedBy | None
    states: int
    seconds: float

    @property
    def best_proven(self) -> bool:
        """True when no line can score more than `score`."""
        return self.score == self.score_bound


@dataclass(frozen=True)
class MoveHint:
    """A legal move and what is known of the position after it.

    `verdict` is that of the position after the move. `score` is the best total score known to be
    reachable from there, won or not, with the move itself counted; None when scores were not asked
    for. `score_bound` is a proven upper bound on it.
    """

    step: Step
    verdict: Verdict
    score: int | None
    score_bound: int

    @property
    def best_proven(self) -> bool:
        """True when no line after the move can score more than `score`."""
        return self.score == self.score_bound


@dataclass(frozen=True)
class Hint:
    """The verdict of a position and what its legal moves are worth, the best first.

    `score` is the best total score known, counting the line of no moves at all; None when scores
    were not asked for. `moves` is empty when the position is won (the verdict is then winnable) or
    stuck. `states` counts expanded states, `seconds` is wall time.
    """

    verdict: Verdict
    score: int | None
    score_bound: int
    moves: tuple[MoveHint, ...]
    stopped_by: StoppedBy | None
    states: int
    seconds: float

    @property
    def best(self) -> MoveHint | None:
        """The best move, None when there is none."""
        return self.moves[0] if self.moves else None

    @property
    def best_proven(self) -> bool:
        """True when no line can score more than `score`."""
        return self.score == self.score_bound
