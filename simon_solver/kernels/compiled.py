"""The `jit` decorator of all kernels, and where their compiled code is kept.

numba's cache looks only at the file of the function it loads, so an edit in another file would
leave stale code in use. The cache folder is therefore named by a digest of all kernel sources, and
of whatever else changes the code: settings, versions, the processor. Machines that share a home
folder have a cache each.

Kernels that are needed together are a *group* with a folder of its own in there, compiled when
first one of them is needed. numba reads whatever it finds, and a damaged file makes each call fail.
So a marker in the group's folder lists the files as they were when all its kernels had been
compiled; a folder that differs from its marker is emptied and filled anew.

Processes that find no marker at the same time all compile. That is safe without a lock: numba
writes each file under another name and then renames it, takes a missing one for a kernel not yet
compiled, and within one folder all of them write the same code. `start_over` deletes only files
that are in place. A process leaves a marker only if each kernel that it used is there; otherwise,
and when another one writes later, the next start compiles again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, SupportsInt, TypeVar

import llvmlite
import numba
import numpy as np
import platformdirs
from llvmlite import binding
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:

    def int64(value: SupportsInt) -> int:
        """A number of 64 bits, which counts as an `int` wherever kernels meet."""

else:
    int64 = np.int64

SEARCH, COMPLETE, LOOSE, CODES = "search", "complete", "loose", "codes"
"""Groups: what most positions need; the complete and the loose search, for others; what only long
lists of game codes need beside them."""

_SOURCES = Path(__file__).parent
_MARKER = "complete.json"
_KEPT, _UNFINISHED = ("*.nbi", "*.nbc"), "*.tmp.*"
_ABANDONED = 3600.0  # seconds after which nobody still writes an unfinished file
_ROOM = 1 << 22  # bytes; all kernels take less


def _digest() -> str:
    """Hex digest of all that the compiled code depends on."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCES.rglob("*.py")):
        digest.update(
            path.relative_to(_SOURCES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
        )
    settings = numba.config
    depends = (
        str(_SOURCES),  # numba keeps code apart by it
        sys.implementation.cache_tag,
        (numba.__version__, llvmlite.__version__),
        (settings.BOUNDSCHECK, settings.OPT, settings.CPU_NAME, settings.CPU_FEATURES),
        (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()),
    )
    digest.update(repr(depends).encode())
    return digest.hexdigest()[:20]


def _cache_folder() -> Path | None:
    """The folder for this build's compiled code, made if need be; None where none can be written.

    `NUMBA_CACHE_DIR` names the parent folder; else it is the user's cache folder.
    """
    parent = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("simon-solver")
    folder = Path(parent) / f"kernels-{_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            if not (folder / SEARCH / _MARKER).exists():
                file.write(bytes(_ROOM))  # better to find out about a full disk now
    except OSError as error:
        warnings.warn(
            f"compiled kernels cannot be saved, so every run compiles them again: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


CACHE_FOLDER = None if numba.config.DISABLE_JIT else _cache_folder()


def is_complete(group: str = SEARCH) -> bool:
    """True when no kernel of the group needs to be compiled: all are kept, and as written."""
    if numba.config.DISABLE_JIT:
        return True
    if CACHE_FOLDER is None:
        return False
    try:
        folder = CACHE_FOLDER / group
        told = json.loads((folder / _MARKER).read_text(encoding="utf-8"))
        return bool(told) and told == _kept_files(folder)
    except (OSError, ValueError):
        return False


def mark_complete(group: str = SEARCH) -> None:
    """Note that the group has been compiled and kept, unless some of it has been deleted since."""
    if CACHE_FOLDER is None:
        return
    # A marker that cannot be written costs the next start some seconds, and no more.
    with contextlib.suppress(OSError):
        folder = CACHE_FOLDER / group
        kept = _kept_files(folder)
        names = {Path(file).name.partition("-")[0] + Path(file).suffix for file in kept}
        used = _used_entries(group)
        if not {name + suffix for name in used for suffix in (".nbi", ".nbc")} <= names:
            return
        text = json.dumps(kept, indent=0)
        # The name makes `start_over` remove the file if the program is killed here.
        unfinished = folder / f"{_MARKER}.tmp.{os.getpid()}"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(folder / _MARKER)


def start_over(group: str = SEARCH) -> None:
    """Empty the group's folder; other processes may be writing there at the same time."""
    if CACHE_FOLDER is None:
        return
    folder = CACHE_FOLDER / group
    old = time.time() - _ABANDONED
    with contextlib.suppress(OSError):
        (folder / _MARKER).unlink()
    for pattern in (*_KEPT, _UNFINISHED):
        for file in list(folder.rglob(pattern)):
            with contextlib.suppress(OSError):
                if pattern != _UNFINISHED or file.stat().st_mtime < old:
                    file.unlink()


def _used_entries(group: str) -> Iterator[str]:
    """The names that numba gives the files of the kernels used so far, up to the line number."""
    for kernel in _entries[group]:
        if kernel.signatures:
            yield f"{kernel.__module__.rpartition('.')[2]}.{kernel.__qualname__}"


def _kept_files(folder: Path) -> dict[str, list[int]]:
    """Size and time of the last change of each file of compiled code.

    Raises:
        OSError: one is deleted at this moment.
    """
    files = sorted(file for pattern in _KEPT for file in folder.rglob(pattern))
    facts = [(file, file.stat()) for file in files]
    return {
        file.relative_to(folder).as_posix(): [stat.st_size, stat.st_mtime_ns]
        for file, stat in facts
    }


class _Once(event.Listener):  # type: ignore[misc]
    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def on_start(self, _event: event.Event) -> None:
        callback, self._callback = self._callback, None
        if callback is not None:
            callback()

    def on_end(self, _event: event.Event) -> None:
        pass


def before_compiling(callback: Callable[[], None]) -> None:
    """Call back once, when the first kernel is about to be compiled, not just loaded."""
    event.register("numba:compile", _Once(callback))


@contextlib.contextmanager
def quick_compilation() -> Iterator[None]:
    """Leave out optimizations that cost a tenth of the compile time and gain these kernels nothing.

    Other users of numba in the process keep their settings.
    """
    names = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
    before = {name: getattr(numba.config, name) for name in names}
    numba.config.OPT = type(before["OPT"])(1)
    numba.config.LOOP_VECTORIZE = numba.config.SLP_VECTORIZE = 0
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(numba.config, name, value)


@contextlib.contextmanager
def _numba_cache_dir(folder: Path) -> Iterator[None]:
    """Point numba at our folder while a kernel is declared; other users of numba keep theirs."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


_entries: dict[str, list[Any]] = {
    SEARCH: [],
    COMPLETE: [],
    LOOSE: [],
    CODES: [],
}  # kernels that are kept on disk

# `_nrt`: kernels allocate nothing, so they need no reference counts (undocumented, but it makes
# them a third faster here); a cfunc wrapper would be compiled for nothing
_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Declare a kernel that only other kernels call; it is compiled and kept as part of those."""
    return numba.njit(no_cpython_wrapper=True, **_OPTIONS)(function)


def entry(function: Callable[P, R], group: str = SEARCH) -> Callable[P, R]:
    """Declare a kernel that Python calls: compiled on first use and kept on disk.

    It releases the interpreter lock while it runs.
    """
    if CACHE_FOLDER is None:
        return numba.njit(**_OPTIONS)(function)
    with _numba_cache_dir(CACHE_FOLDER / group):
        kernel = numba.njit(cache=True, **_OPTIONS)(function)
    _entries[group].append(kernel)
    return kernel


def complete_entry(function: Callable[P, R]) -> Callable[P, R]:
    """`entry` for the complete search."""
    return entry(function, COMPLETE)


def loose_entry(function: Callable[P, R]) -> Callable[P, R]:
    """`entry` for the loose search."""
    return entry(function, LOOSE)


def codes_entry(function: Callable[P, R]) -> Callable[P, R]:
    """`entry` for lists of game codes."""
    return entry(function, CODES)


class Preparation:
    """Has the kernels of a group compiled by `compile_all`, once a process, in any thread."""

    def __init__(self, group: str, compile_all: Callable[[], None]) -> None:
        self._group = group
        self._compile_all = compile_all
        self._lock = threading.Lock()
        self._ready = threading.Event()

    def __call__(self) -> None:
        """Return when the kernels are ready; quick when they are.

        Code kept by an earlier process serves if all of it is there, just as it was written.
        """
        if self._ready.is_set():
            return
        with self._lock:
            if not self._ready.is_set() and not is_complete(self._group):
                start_over(self._group)
                with quick_compilation():
                    self._compile_all()
                mark_complete(self._group)
            self._ready.set()
