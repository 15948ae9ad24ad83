"""Output files, which are written as a whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from simon_solver.errors import InputError, SimonError, reason_of


def kind_of(file: str) -> str:
    """How the name ends, in lower case, such as ``.csv``."""
    return Path(file).suffix.lower()


def check_name(file: str, kinds: Sequence[str]) -> None:
    """Find out whether a file of one of these kinds can be written under this name.

    Raises:
        InputError: it is of another kind, or nothing can be written there, as onto a pipe, a device
            or a file that is write-protected.
    """
    if kind_of(file) not in kinds:
        raise InputError(f"{file}: expected a file name ending in {' or '.join(kinds)}")
    path = Path(file)
    try:
        if "\0" in file or path.is_dir() or not path.parent.is_dir():
            raise InputError(
                f"{file}: cannot be written: it is a folder, or its folder does not exist"
            )
        with suppress(FileNotFoundError):
            _check_present(path)
        # The only sure way to know is to try, under the name that writing will use.
        _unfinished(file).touch()
        _unfinished(file).unlink()
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {reason_of(error)}") from None


def _check_present(path: Path) -> None:
    """Find out whether what is there can be replaced."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise InputError(f"{path}: expected a regular file, got a pipe or a device")
    if not mode & 0o222:
        raise InputError(f"{path}: cannot be written: it is write-protected")
    with path.open("r+b"):
        pass


@contextmanager
def whole_file(file: str, *, alone: bool = False) -> Iterator[Path]:
    """A name to write to; it becomes the file when all is written, and is removed if that fails.

    A file that is replaced leaves its mode to the new one. Who is `alone`, as with a lock, leaves
    nothing behind if killed that the next one does not remove.

    Raises:
        OSError: it cannot be written.
    """
    unfinished = Path(f"{file}.tmp") if alone else _unfinished(file)
    unfinished.unlink(missing_ok=True)
    try:
        unfinished.touch(exist_ok=False)
        with suppress(FileNotFoundError):
            unfinished.chmod(stat.S_IMODE(Path(file).stat().st_mode))
        yield unfinished
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def locked(file: str, in_use: str, kind: type[SimonError] = InputError) -> Iterator[None]:
    """The lock of a file's only writer: a file beside it, found through any links.

    It ends with the process that holds it. Errors are of this kind.

    Raises:
        SimonError: another process has it (the message is `in_use`), or it cannot be created.
    """
    with tried_lock(file, kind) as ours:
        if not ours:
            raise kind(f"{file}: {in_use}")
        yield


@contextmanager
def tried_lock(file: str, kind: type[SimonError] = InputError) -> Iterator[bool]:
    """The same lock, if it is free: False when another process has it.

    Raises:
        SimonError: it cannot be created.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - a file is mostly written without

    # Other than Path.resolve, it takes links that lead in a circle.
    lock = FileLock(f"{os.path.realpath(file)}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    except OSError as error:
        raise kind(f"{file}: cannot be locked: {reason_of(error)}") from None
    try:
        yield True
    finally:
        lock.release()


def _unfinished(file: str) -> Path:
    return Path(f"{file}.{os.getpid()}.tmp")
