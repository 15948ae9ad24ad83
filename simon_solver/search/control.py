"""Keeps watch over one call while it searches: how far it has got, and whether it may go on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from simon_solver.search.finding import Finding
from simon_solver.search.interrupts import Interrupt, noted_interrupt
from simon_solver.search.limits import Limits
from simon_solver.search.progress import Progress, ProgressCallback
from simon_solver.search.verdict import StoppedBy, Verdict

PROGRESS_SECONDS = 0.2


class Stopped(Exception):
    """A limit ended the search."""

    def __init__(self, reason: StoppedBy) -> None:
        super().__init__(reason)
        self.reason = reason


class Control:
    """The clock, the counters and the limits of one call; the clock starts here."""

    def __init__(self, limits: Limits, on_progress: ProgressCallback | None) -> None:
        self.started = time.monotonic()
        self.limits = limits
        self.on_progress = on_progress
        self._interrupt = Interrupt()
        self.states = 0
        self.stage = ""
        self.about = ""
        """What is searched in place of the position asked about; empty if nothing else is."""
        self._next_report = self.started + PROGRESS_SECONDS

    @property
    def interrupted(self) -> bool:
        """True when Ctrl-C was noted, be it after the last step of the search."""
        return self._interrupt.seen

    @property
    def seconds(self) -> float:
        """Wall seconds since the call began."""
        return time.monotonic() - self.started

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """Time spent here does not count towards the limit."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.started += time.monotonic() - begun

    def budget(self, wanted: int) -> int:
        """States that the next step may expand.

        Raises:
            Stopped: a limit is reached.
        """
        if self.interrupted:
            raise Stopped(StoppedBy.INTERRUPT)
        if self.limits.seconds and self.seconds >= self.limits.seconds:
            raise Stopped(StoppedBy.TIME)
        if self.limits.states:
            wanted = min(wanted, self.limits.states - self.states)
            if wanted <= 0:
                raise Stopped(StoppedBy.STATES)
        return wanted

    @contextmanager
    def lending(self, parts: int, states: int = 0) -> Iterator[None]:
        """One of so many equal parts of the time and states left may be used here, and no more.

        `states` bounds the states as well, unless it is 0.

        Raises:
            Stopped: a limit of the whole call is reached.
        """
        self.budget(1)
        whole, seconds, most = self.limits, 0.0, []
        if whole.seconds:
            seconds = self.seconds + (whole.seconds - self.seconds) / parts
        if whole.states:
            most.append(max(1, (whole.states - self.states) // parts))
        if states:
            most.append(states)
        self.limits = replace(whole, seconds=seconds, states=self.states + min(most) if most else 0)
        try:
            yield
        finally:
            self.limits = whole

    def report(self, finding: Finding) -> None:
        """Tell the caller how far the search is and what it has found, a few times a second."""
        now = time.monotonic()
        if self.on_progress is not None and now >= self._next_report:
            self._next_report = now + PROGRESS_SECONDS
            verdict = finding.verdict
            best = None if verdict is Verdict.UNDETERMINED else finding.best_score
            stage = self.about or self.stage
            self.on_progress(Progress(stage, self.states, best, finding.score_bound, verdict))

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let Ctrl-C end the search with what it has."""
        with noted_interrupt() as interrupt:
            self._interrupt = interrupt
            yield
