"""Processes that compile groups of kernels beside this one (see `compiling`)."""

from __future__ import annotations

import atexit
import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from functools import cache
from pathlib import Path

from simon_solver.kernels.native import kept
from simon_solver.search.groups import Group

_ROOM = 1 << 20  # bytes; the code of a group takes less
_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from simon_solver.search.compiling import main
main(sys.argv[2], sys.argv[3:])
"""


class Job:
    """A process that compiles groups, and what it has told."""

    def __init__(self, groups: list[Group], place: Path) -> None:
        self.started = time.monotonic()
        self.done = self.total = 0
        self.place = place
        names = [group.value for group in groups]
        path = [str(folder) for folder in sys.path]
        self._process = subprocess.Popen(
            # -P: modules in the folder where the user happens to be are none of ours
            [sys.executable, "-P", "-c", _START, json.dumps(path), str(place), *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
        )
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self.leave)

    def _listen(self) -> None:
        """Count the kernels that the process tells of, until it ends."""
        before_done = before_total = 0
        with self._process as process:
            assert process.stdout is not None
            for line in process.stdout:
                numbers = line.split()
                if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
                    continue  # said by a library
                done, total = map(int, numbers)
                if done == 1:  # the next group
                    before_done, before_total = self.done, self.total
                self.done, self.total = before_done + done, before_total + total

    @property
    def has_ended(self) -> bool:
        """The process has ended, well or not."""
        return self._process.poll() is not None

    def leave(self) -> None:
        """Let the process finish its work for those who come later; if none will, end it."""
        pipe = self._process.stdin
        assert pipe is not None
        if pipe.closed:
            return
        with contextlib.suppress(OSError, ValueError), pipe:  # it may end at this moment
            if not self.has_ended and self.place == kept.folder():
                pipe.write("finish\n")
        self._process.returncode = 0  # nobody waits for it any more, and Python need not mind


@cache
def place_to_keep() -> Path | None:
    """A folder for compiled code that can be written; None if there is none."""
    try:
        place = kept.folder()
        _try_to_write(place)
    except OSError as error:
        warnings.warn(
            f"compiled kernels cannot be saved, so every run compiles them again: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
        return _temporary_place()
    return place


def _temporary_place() -> Path | None:
    try:
        temporary = tempfile.TemporaryDirectory(prefix="simon-solver-", ignore_cleanup_errors=True)
        atexit.register(temporary.cleanup)
        place = Path(temporary.name)
        _try_to_write(place)
    except OSError:
        return None
    return place


def _try_to_write(place: Path) -> None:
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=place) as file:
        file.write(bytes(_ROOM))
