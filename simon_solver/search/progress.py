"""The progress that a running search reports to its caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simon_solver.search.verdict import Verdict


@dataclass(frozen=True)
class Progress:
    """How far a running search has got, for a progress display."""

    stage: str
    """What is being asked, such as ``deciding`` or ``proving the best score``."""
    states: int
    """States expanded so far in the whole call."""
    score: int | None
    """Score of the best line found so far, None before the verdict."""
    score_bound: int | None
    """Proven upper bound on any line's score so far, None while unknown."""
    verdict: Verdict = Verdict.UNDETERMINED
    """The verdict, `UNDETERMINED` while it is unknown."""


ProgressCallback = Callable[[Progress], None]
