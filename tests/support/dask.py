"""Real Dask schedulers and workers on this machine, for tests of the cluster."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil

TOP = Path(__file__).parent.parent.parent
_PATIENCE = 120.0  # seconds; a slow machine loads Dask for a while


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds.

    Raises:
        AssertionError: it took too long.
    """
    end = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class DaskCluster:
    """A scheduler and as many workers as are added; a context manager that leaves none behind."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.address = ""
        self._environment = environment
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.scheduler = self._start("scheduler", self._environment, "--port", "0")
        try:
            self.address = self._told("scheduler", r"Scheduler at: +(tcp://\S+)")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            if process.poll() is None:
                _kill_family(process.pid)
            process.wait(_PATIENCE)

    def add_workers(self, count: int, **environment: str) -> list[subprocess.Popen[bytes]]:
        """Start workers without a nanny, so that who is killed stays so; waits until they are in.

        `environment` may have THREADS.
        """
        threads = environment.pop("THREADS", "1")
        names = [f"worker{len(self._started) + number}" for number in range(count)]
        options = ("--nthreads", threads, "--no-nanny", "--memory-limit", "0")
        started = [
            self._start("worker", environment, self.address, "--name", name, *options, log=name)
            for name in names
        ]
        for name in names:
            self._told(name, "Registered to: +(tcp://)")
        return started

    def _start(
        self, program: str, environment: dict[str, str], *arguments: str, log: str = "scheduler"
    ) -> subprocess.Popen[bytes]:
        """A Dask program in the folder; it can import the tests, too."""
        extra = {"PYTHONPATH": str(TOP), **environment}
        command = [sys.executable, "-m", "dask", program, "--host", "127.0.0.1", "--no-dashboard"]
        with (self.folder / f"{log}.log").open("wb") as output:
            process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.folder,
                env={**os.environ, **extra},
            )
        self._started.append(process)
        return process

    def _told(self, log: str, pattern: str) -> str:
        """What a process tells in its log, as soon as it does; the group of a pattern."""
        found: list[str] = []

        def look() -> bool:
            text = (self.folder / f"{log}.log").read_text(encoding="utf-8", errors="replace")
            found[:] = re.findall(pattern, text)
            return bool(found)

        wait_until(look, f"{log} does not start")
        return found[0]


def _kill_family(pid: int) -> None:
    """End a process and all below it."""
    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(pid)
        for process in [parent, *parent.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
