"""Runs a command, and tells how many wall and CPU seconds it has used.

    python -m benchmarks.metering [--terminal] [--seen PATTERN] COMMAND...

CPU seconds are those of the command and of all processes that it has started. On Linux those count
too that are still at work when the command ends; elsewhere nobody learns what they have used. The
answer is one JSON object. It is made in a process of its own, so that no other child's time is
mixed in. Needs Unix.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import json
import os
import pty
import re
import resource
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of <linux/prctl.h>: this process inherits orphans
_SIZE = (24, 100)  # lines and columns of the terminal
_CHUNK = 1 << 16


class Run(NamedTuple):
    """What a command has done and used."""

    exit_code: int
    wall: float
    """Wall seconds to the end of the command."""
    cpu: float
    """CPU seconds of the command and its children."""
    seen: float | None
    """Wall seconds until the pattern was printed; None if it never was."""
    output: str


def meter(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    on_terminal: bool = False,
    pattern: str = "",
) -> Run:
    """Run the command in this environment; on a terminal it draws a progress line.

    Raises:
        subprocess.CalledProcessError: the command could not be measured.
    """
    options = ["--terminal"] * on_terminal
    ended = subprocess.run(
        [sys.executable, __file__, *options, "--seen", pattern, *command],
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return Run(**json.loads(ended.stdout))


def _measured(command: Sequence[str], *, on_terminal: bool, pattern: str) -> Run:
    """Run the command as the first children of this process."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    reading, writing = pty.openpty() if on_terminal else os.pipe()
    if on_terminal:
        fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", *_SIZE, 0, 0))
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=writing, stderr=writing)
    os.close(writing)
    seen, output = None, b""
    while chunk := _read(reading):
        output += chunk
        if seen is None and pattern and re.search(pattern.encode(), output):
            seen = time.perf_counter() - begun
    exit_code = process.wait()
    wall = time.perf_counter() - begun
    _wait_for_orphans()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    return Run(exit_code, wall, cpu, seen, output.decode(errors="replace"))


def _read(file: int) -> bytes:
    """What has been written; nothing once all writers are gone."""
    try:
        return os.read(file, _CHUNK)
    except OSError:  # what Linux says of a terminal that nobody has open
        return b""


def _wait_for_orphans() -> None:
    """Wait for the processes that the command has left to this one."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metering")
    parser.add_argument("--terminal", action="store_true", help="give the command a terminal")
    parser.add_argument("--seen", default="", help="regular expression to look for in the output")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    run = _measured(options.command, on_terminal=options.terminal, pattern=options.seen)
    print(json.dumps(run._asdict()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
