"""Files that are written as a whole or not at all, and whose names are checked before any work."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from simon_solver.errors import InputError, SimonError


def kind_of(file: str) -> str:
    """How the name ends, in lower case, such as ``.csv``."""
    return Path(file).suffix.lower()


def check_name(file: str, kinds: Sequence[str]) -> None:
    """Find out whether a file of one of these kinds can be written under this name.

    Raises:
        InputError: it is of another kind, or nothing can be written there.
    """
    if kind_of(file) not in kinds:
        raise InputError(f"{file}: expected a name that ends in {' or '.join(kinds)}")
    path = Path(file)
    try:
        if "\0" in file or path.is_dir() or not path.parent.is_dir():
            raise InputError(f"{file}: cannot be written: no such folder, or a folder itself")
        # The only sure way to know is to try, under the name that writing will use.
        _unfinished(file).touch()
        _unfinished(file).unlink()
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror or error}") from None


@contextmanager
def whole_file(file: str) -> Iterator[Path]:
    """A name to write to; it becomes the file when all is written, and is removed if that fails."""
    unfinished = _unfinished(file)
    try:
        yield unfinished
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def locked(file: str, in_use: str, kind: type[SimonError] = InputError) -> Iterator[None]:
    """The lock of a file's only writer: a file beside it, whatever links lead there.

    It ends with the process that holds it. Errors are of this kind.

    Raises:
        SimonError: another process has it, which `in_use` says; or none can be had there.
    """
    lock = FileLock(f"{Path(file).resolve()}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise kind(f"{file}: {in_use}") from None
    except OSError as error:
        raise kind(f"{file}: cannot be locked: {error.strerror or error}") from None
    try:
        yield
    finally:
        lock.release()


def _unfinished(file: str) -> Path:
    return Path(f"{file}.{os.getpid()}.tmp")
