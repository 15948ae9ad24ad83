"""The `jit` decorator of all kernels, and where their compiled code is kept.

numba's cache looks only at the file of the function it loads, so an edit in another file would
leave stale code in use. The cache folder is therefore named by a digest of all kernel sources, and
of the settings that change code without being part of numba's own key.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import event

Kernel = Callable[..., Any]
"""numba types a kernel by the arguments of its first call."""


def source_digest() -> str:
    """Hex digest of all kernel sources, numba's version and the bounds-check setting."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    settings = (numba.__version__, numba.config.BOUNDSCHECK, numba.config.OPT)
    digest.update(repr(settings).encode())
    return digest.hexdigest()[:20]


def _cache_folder() -> Path | None:
    """The folder for this build's compiled code, made if need be; None where none can be written.

    `NUMBA_CACHE_DIR` names the parent folder; else it is the user's cache folder.
    """
    parent = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("simon-solver")
    folder = Path(parent) / f"kernels-{source_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        warnings.warn(
            f"compiled code cannot be kept, so every start compiles anew: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
        return None


CACHE_FOLDER = None if numba.config.DISABLE_JIT else _cache_folder()


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
def _numba_cache_dir(folder: Path) -> Iterator[None]:
    """Point numba at our folder while a kernel is declared; other users of numba keep theirs."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


# `_nrt`: kernels allocate nothing, so they need no reference counts (undocumented, but it makes
# them a third faster here); a cfunc wrapper would be compiled for nothing
_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def jit(function: Kernel) -> Kernel:
    """Declare a kernel that only other kernels call; it is compiled and kept as part of those."""
    return numba.njit(no_cpython_wrapper=True, **_OPTIONS)(function)  # type: ignore[no-any-return]


def entry(function: Kernel) -> Kernel:
    """Declare a kernel that Python calls: compiled on first use and kept on disk.

    It releases the interpreter lock while it runs.
    """
    if CACHE_FOLDER is None:
        return numba.njit(**_OPTIONS)(function)  # type: ignore[no-any-return]
    with _numba_cache_dir(CACHE_FOLDER):
        return numba.njit(cache=True, **_OPTIONS)(function)  # type: ignore[no-any-return]
