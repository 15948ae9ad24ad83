"""A limit of CPU seconds for a search.

CPU seconds are those of the process, user and system. Wall time says little where other programs
run at the same time, and even CPU seconds grow then: compare runs of one machine, made close
together.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

ALARM_SECONDS = 0.05
"""CPU seconds after which a limit that nobody listened to speaks again."""


@dataclass
class CpuLimit:
    """Whether the limit has ended the search."""

    passed: bool = False


@contextmanager
def cpu_limit(seconds: float) -> Iterator[CpuLimit]:
    """End a search by Ctrl-C once the block has used so many CPU seconds; 0 is no limit.

    The limits of `solve` are wall time, which on a busy machine is anyone's guess. Works in the
    main thread, on systems with interval timers.
    """
    limit = CpuLimit()

    def alarm(_number: int, _frame: FrameType | None) -> None:
        # Between searches nobody listens, and Ctrl-C would end the program.
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            limit.passed = True
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.raise_signal(signal.SIGINT)

    interrupt = signal.getsignal(signal.SIGINT)
    if interrupt is signal.SIG_IGN:
        # as for a program that a shell started in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = signal.signal(signal.SIGPROF, alarm)
    signal.setitimer(signal.ITIMER_PROF, seconds, ALARM_SECONDS)
    try:
        yield limit
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        signal.signal(signal.SIGINT, interrupt)
