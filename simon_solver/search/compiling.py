"""The process that makes the kept code of groups of kernels.

Code is kept only after this process has loaded it and run the samples with it: they must leave the
same numbers in all arrays as the kernels in Python do. So code that does not load, does not run or
answers otherwise on this machine stops this process, and no other.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simon_solver.kernels.forms import Entry, running_as
from simon_solver.kernels.native import kept, shipped
from simon_solver.kernels.native.building import build
from simon_solver.kernels.native.files import Code
from simon_solver.kernels.native.loading import load
from simon_solver.kernels.native.places import file_name
from simon_solver.search.groups import Group
from simon_solver.search.samples import sample

Examples = dict[Entry[..., Any], tuple[Any, ...]]
MOST_WAITING = 120.0
"""Seconds to wait for another process that makes the same file; it may be stopped, or hang."""


def main(folder: str, groups: Sequence[str]) -> None:
    """Compile these groups into the folder, telling on standard output how far it is."""
    # Ctrl-C ends this process at once, unless the one that started it ignores it; so does its end.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_follow_parent, daemon=True).start()
    gc.disable()  # a fifth of the time; what numba leaves behind is a few hundred MiB at most
    for group in groups:
        compile_group(Group(group), Path(folder))


def _follow_parent() -> None:
    """End with the parent, unless it says that this work should be finished."""
    if sys.stdin.readline() != "finish\n":
        os._exit(1)
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - until the end


def compile_group(group: Group, folder: Path) -> None:
    """Compile a group and keep its code, unless another process has done so meanwhile.

    Raises:
        OSError: the folder cannot be written.
        RuntimeError: the code does not do what the kernels in Python do.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(group.value)
    with _taking_turns(path):
        if kept.read(path) is None:
            kept.write(path, _made(group))
            kept.delete_unused()


@contextlib.contextmanager
def _taking_turns(path: Path) -> Iterator[None]:
    """Wait while another process makes the file, but not for ever: it saves work, and no more."""
    import filelock  # noqa: PLC0415 - only who compiles needs it

    lock = filelock.FileLock(path.with_suffix(".lock"), timeout=MOST_WAITING)
    # a time-out is an OSError, and a file system without locks gives either
    with contextlib.suppress(OSError, NotImplementedError):
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _made(group: Group) -> Code:
    """Machine code of the group that has been tried."""
    ready_made = shipped.read(group.value)
    if ready_made is not None:
        with contextlib.suppress(RuntimeError):  # it does not fit this machine
            return _tried(group, build(ready_made))
    return _tried(group, build(translation(group, _report)))


def translation(group: Group, report: Callable[[int, int], None]) -> Code:
    """The group's kernels as LLVM's bitcode; `report` is told how many of how many are done.

    Raises:
        AttributeError, ImportError: numba is not built as this expects.
    """
    from simon_solver.kernels.native.translating import translate  # noqa: PLC0415 - it loads numba

    return translate(list(_examples(group).items()), report)


def _report(done: int, total: int) -> None:
    with contextlib.suppress(OSError):  # who listened may be gone
        sys.stdout.write(f"{done} {total}\n")
        sys.stdout.flush()


def _examples(group: Group) -> Examples:
    """Each entry that the group's sample calls, with arguments of such a call."""
    examples: Examples = {}

    def noting(entry: Entry[..., Any]) -> Any:
        def call(*arguments: Any) -> Any:
            examples.setdefault(entry, arguments)
            with np.errstate(over="ignore"):
                return entry.function(*arguments)

        return call

    with running_as(noting):
        sample(group)
    return examples


def _tried(group: Group, code: Code) -> Code:
    """The code, which has done the group's sample as the kernels in Python do.

    Raises:
        RuntimeError: it has not.
    """
    loaded = load(code)
    with running_as(lambda _entry: None):
        expected = sample(group)
    with running_as(lambda entry: loaded.get(entry.name)):
        found = sample(group)
    if not all(map(np.array_equal, expected, found)):
        raise RuntimeError("compiled kernels differ from those in Python")
    return code
