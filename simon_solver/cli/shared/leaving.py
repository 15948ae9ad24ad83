"""Handles Ctrl-C before there is anything to print, and after everything is printed."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from simon_solver.cli.shared.exit_codes import EXIT_INTERRUPTED


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Have Ctrl-C end the program without another word.

    An exception would not do while modules are loaded or kernels compiled: it would be lost, with a
    traceback, in the callbacks of the compiler.
    """
    if not _is_ours():
        yield
        return

    def leave(*_: object) -> NoReturn:
        os._exit(EXIT_INTERRUPTED)

    signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def finish_undisturbed() -> None:
    """From now on ignore Ctrl-C: the answer is out, what is left is the end of the interpreter.

    That takes a while after a large search, and there a handler in Python would no longer serve.
    """
    if _is_ours():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def finish_silently() -> None:
    """Add no code that resets colours to the output: ours are reset where they end.

    Libraries load colorama where it is installed, which writes one as the process ends.
    """
    reset = getattr(sys.modules.get("colorama.initialise"), "reset_all", None)
    if reset is not None:
        atexit.unregister(reset)


def _is_ours() -> bool:
    """True when Ctrl-C is as Python has it: the caller has no other plans for it."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return usual and threading.current_thread() is threading.main_thread()
