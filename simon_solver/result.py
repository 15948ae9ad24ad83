"""What a search found out: verdicts, reasons for stopping, and the frozen results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from numbers import Integral, Real

from simon_solver.errors import LimitError
from simon_solver.rules import Step


def need_whole_number(name: str, number: object) -> None:
    """Check an argument that a caller may have got wrong.

    Raises:
        TypeError: it is no whole number.
    """
    if not isinstance(number, Integral):
        raise TypeError(f"expected a whole number as {name}, got {number!r}")


def _is_real(number: object) -> bool:
    return isinstance(number, Real)


class Verdict(StrEnum):
    """Can the game be won? `UNDETERMINED` says that a limit ended the search, never a proof."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDETERMINED = "undetermined"


class StoppedBy(StrEnum):
    """Which limit ended a search before its question was answered.

    `INTERRUPT` says that Ctrl-C was pressed during the call, and may stand beside a complete answer
    when it came too late to end the search: whoever asks next should know that the user wants out.
    """

    TIME = "time"
    MEMORY = "memory"
    STATES = "states"
    INTERRUPT = "interrupt"


@dataclass(frozen=True)
class Limits:
    """Bounds on a search: wall seconds, MiB of nodes and tables, expanded states; 0 is no bound.

    Raises:
        LimitError: a bound is negative, or the memory bound is not positive.
        TypeError: a bound is no number, or a fraction of a MiB or of a state.
    """

    seconds: float = 60.0
    memory_mib: int = 4096
    states: int = 0

    def __post_init__(self) -> None:
        if not _is_real(self.seconds):
            raise TypeError(f"expected a number of seconds as time limit, got {self.seconds!r}")
        need_whole_number("memory limit", self.memory_mib)
        need_whole_number("state limit", self.states)
        if not self.seconds >= 0:
            raise LimitError(f"expected a time limit of at least 0 seconds, got {self.seconds}")
        if not self.memory_mib >= 1:
            raise LimitError(f"expected a memory limit of at least 1 MiB, got {self.memory_mib}")
        if not self.states >= 0:
            raise LimitError(f"expected a state limit of at least 0, got {self.states}")


@dataclass(frozen=True)
class Progress:
    """A look into a running search, for a progress display."""

    stage: str
    """What is being asked, such as ``deciding`` or ``proving the best score``."""
    states: int
    """States expanded so far in the whole call."""
    score: int | None
    """Score of the best line found so far, None before the verdict."""
    score_bound: int | None
    """Proven upper bound on any line's score so far, None while unknown."""


ProgressCallback = Callable[[Progress], None]


@dataclass(frozen=True)
class CheckResult:
    """The answer to "can this position be won?".

    `solution` is a win replayed by `rules.replay`, not a short one; empty unless winnable. `states`
    counts expanded states (successors generated), `seconds` is wall time.
    """

    verdict: Verdict
    solution: tuple[Step, ...]
    stopped_by: StoppedBy | None
    states: int
    seconds: float


@dataclass(frozen=True)
class SolveResult:
    """The verdict and the best line found.

    `score`, `moves` and `runs_removed` are totals from the start of the game as given, so they
    include removals declared in the input and moves made before it; `solution` holds the moves of
    the best line from the position on (none when no line gains). `score_bound` is a proven upper
    bound on the score of any line.
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

    `verdict` is that position's. `score` is the best total score known that can be had from there
    on, the move itself counted, won or not; None when scores were not asked for. `score_bound` is a
    proven upper bound on it.
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

    `score` is the best total score known, that of making no move at all included; None when scores
    were not asked for. There are no moves when the position is won, which is then winnable, or
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
