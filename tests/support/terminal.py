"""A pseudo-terminal for tests: programs that run on it, what they show, and keys for them."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import termios
from collections.abc import Callable
from time import monotonic
from typing import Any, Self

UP_TO = 60.0  # seconds that anything may take on a busy machine
PROGRAM = ["-m", "simon_solver"]

# The terminal becomes that of the program, so that Ctrl-C and Ctrl-Z reach it, also where the tests
# were started in the background, which ignores them.
_ADOPT = """
import fcntl, os, signal, sys, termios
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP, signal.SIGTTOU:
    signal.signal(number, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
_ESCAPE = re.compile(r"\x1b(?:\[[?0-9;]*[A-Za-z]|[=>])")


class PseudoTerminal:
    """A program on a terminal of its own; a context manager that ends it."""

    def __init__(
        self, *command: str, rows: int = 24, columns: int = 80, **environment: str
    ) -> None:
        self._master, self._slave = os.openpty()
        termios.tcsetwinsize(self._slave, (rows, columns))
        self.settings_before = self.settings
        self.output = ""
        self._bytes = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", _ADOPT, *command],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env={**os.environ, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    @property
    def settings(self) -> list[Any]:
        """How the terminal is set: echo, lines or single keys, and the like."""
        return termios.tcgetattr(self._slave)

    @property
    def picture(self) -> list[str]:
        """The last whole picture that the program drew, without colours."""
        pictures = re.findall(r"\x1b\[H((?:(?!\x1b\[H).)*?)\x1b\[J", self.output, re.DOTALL)
        return _ESCAPE.sub("", pictures[-1]).split("\r\n") if pictures else []

    def press(self, keys: str) -> None:
        """Type these keys."""
        os.write(self._master, keys.encode())

    def resize(self, rows: int, columns: int) -> None:
        """Give the terminal another size, of which the system tells the program."""
        termios.tcsetwinsize(self._slave, (rows, columns))

    def hang_up(self) -> None:
        """Take the terminal away."""
        os.close(self._master)
        self._master = os.open(os.devnull, os.O_RDWR)

    def wait_for(self, seen: Callable[[PseudoTerminal], bool]) -> None:
        """Take the output until it is as wanted."""
        until = monotonic() + UP_TO
        while not seen(self):
            assert monotonic() < until, f"not seen in:\n{self.output[-3000:]}"
            self._take(0.1)

    def wait_for_picture(self, text: str) -> list[str]:
        """Take the output until the text is in the picture, and return that."""
        self.wait_for(lambda terminal: text in "\n".join(terminal.picture))
        return self.picture

    def exit_code(self) -> int:
        """Wait for the program's end; the rest of its output is taken."""
        self.wait_for(lambda terminal: terminal.process.poll() is not None)
        while self._take(0.1):
            pass
        return self.process.wait()

    def _take(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], seconds)
        if ready:
            self._bytes += os.read(self._master, 65536)
            self.output = self._bytes.decode("utf-8", "ignore")
        return bool(ready)


def simon_solver(
    *arguments: str, rows: int = 24, columns: int = 80, **environment: str
) -> PseudoTerminal:
    """``simon-solver`` on a terminal."""
    command = [sys.executable, *PROGRAM, *arguments]
    return PseudoTerminal(*command, rows=rows, columns=columns, **environment)
