"""Ctrl-C as a note that a search looks at, in place of an exception in the midst of it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether Ctrl-C was pressed."""

    def __init__(self) -> None:
        self.seen = False


@contextmanager
def noted_interrupt() -> Iterator[Interrupt]:
    """Have the first Ctrl-C noted, not raised; a second one is handled as before.

    Once the context has ended, each Ctrl-C has either been noted or is raised as before: none is
    lost. Only the main thread gets signals, so elsewhere nothing is noted; nor is it where the
    program ignores Ctrl-C, as one in the background may.
    """
    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or before in (signal.SIG_IGN, None):
        yield interrupt
        return

    def note(_number: int, _frame: FrameType | None) -> None:
        interrupt.seen = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
