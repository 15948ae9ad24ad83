"""Ctrl-C where there is nothing to print yet, or nothing any more."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from simon_solver.cli.exit_codes import EXIT_INTERRUPTED


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Have Ctrl-C end the program without another word.

    An exception would not do while modules are loaded or kernels compiled: it would be lost, with a
    traceback, in the callbacks of the compiler.
    """
    before = leave_at_once()
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def leave_at_once() -> Callable[..., Any] | None:
    """From now on end the program so, unless the caller has other plans for Ctrl-C.

    Returns the handler to be restored; None when nothing was changed.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        return None

    def leave(*_: object) -> NoReturn:
        os._exit(EXIT_INTERRUPTED)

    signal.signal(signal.SIGINT, leave)
    return signal.default_int_handler
