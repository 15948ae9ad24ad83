"""Takes over the terminal: a full screen, keys as they are pressed, all restored at the end.

Signals are noted, and handled between two readings of keys, so that none comes in the middle of a
picture and the terminal is put back before the program ends or stops.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Sequence
from typing import Any, Self

from simon_solver.cli.shared.output import put
from simon_solver.errors import InputError

REDRAW = "redraw"

# "DEC Private Mode Set" of https://invisible-island.net/xterm/ctlseqs/ctlseqs.html: another screen,
# no cursor, and lines that are too long are cut.
_TAKE, _GIVE_BACK = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"

_KEY = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|[^\x1b]|\x1b")
_UNFINISHED = re.compile(rb"\x1b(?:[\[O][0-9;]*)?\Z")
_NAMES = {
    b"\x1b[D": "left", b"\x1bOD": "left", b"\x1b[C": "right", b"\x1bOC": "right",
    b"\x1b[H": "home", b"\x1bOH": "home", b"\x1b[1~": "home", b"\x1b[7~": "home",
    b"\x1b[F": "end", b"\x1bOF": "end", b"\x1b[4~": "end", b"\x1b[8~": "end",
}  # fmt: skip
_SIGNALS = [
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH,
]  # fmt: skip
_FATAL = (signal.SIGTERM, signal.SIGHUP)
_LONGEST_WAIT = 3600.0  # seconds; `select` takes no number of any size


def check_terminal(user: str) -> None:
    """Find out whether there is a terminal to draw on and to read keys from, as `user` needs it.

    Raises:
        InputError: there is none, or it can only add lines.
    """
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None or not stream.isatty():
            raise InputError(f"{user} needs a terminal, but standard {name} is not one")
    if os.environ.get("TERM", "") in ("", "dumb"):
        raise InputError(f"{user} needs a terminal that can move its cursor, but TERM names none")


class Terminal:
    """A context in which the terminal is ours; it is put back however the context ends.

    Ctrl-C raises `KeyboardInterrupt`; a signal that ends the program does so once all is put back.
    """

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._rest = b""
        self._fatal: int | None = None

    def __enter__(self) -> Self:
        self._settings = termios.tcgetattr(self._input)
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._waker, False)
        os.set_blocking(self._woken, False)
        self._wakeup = signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        # What is ignored stays so.
        self._handlers: dict[int, Any] = {
            number: signal.signal(number, lambda *_: None)
            for number in _SIGNALS
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        self._fatal = next(filter(_FATAL.__contains__, self._noted()), self._fatal)
        os.close(self._woken)
        os.close(self._waker)
        if self._fatal is not None:
            signal.raise_signal(self._fatal)

    @property
    def height(self) -> int:
        """Lines of the terminal, or of a usual one that does not tell."""
        return os.get_terminal_size(sys.stdout.fileno()).lines or 24

    def show(self, lines: Sequence[str]) -> None:
        """Draw these lines in place of the ones shown."""
        picture = f"{_CLEAR_LINE}\n".join(lines[: self.height])
        put(f"{_HOME}{picture}{_CLEAR_LINE}{_CLEAR_BELOW}", end="")

    def keys(self, seconds: float | None) -> list[str]:
        """The keys pressed, as soon as there are any; none once the time is over (None: never).

        A key is its character, ``left``, ``right``, ``home`` or ``end``. `REDRAW` stands for a
        picture that is lost or of the wrong size.
        """
        wait = None if seconds is None else min(seconds, _LONGEST_WAIT)
        ready, _, _ = select.select([self._input, self._woken], [], [], wait)
        found = []
        if self._woken in ready:
            # Those that end the program have the lowest numbers; one that follows is SIGCONT.
            for number in sorted(self._noted()):
                self._handle(number)
            found.append(REDRAW)
        if self._input in ready:
            found += self._read()
        return found

    def _noted(self) -> bytes:
        """The numbers of the signals that came since the last call."""
        try:
            return os.read(self._woken, 1024)
        except BlockingIOError:
            return b""

    def _read(self) -> list[str]:
        try:
            data = os.read(self._input, 1024)
        except OSError:
            data = b""
        if not data:  # the terminal is gone, and the signal that tells so is on its way
            self._handle(signal.SIGHUP)
        data = self._rest + data
        unfinished = _UNFINISHED.search(data)
        self._rest = unfinished[0] if unfinished else b""
        pressed = _KEY.findall(data.removesuffix(self._rest))
        return [_NAMES.get(key, key.decode("latin-1")) for key in pressed]

    def _handle(self, number: int) -> None:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        if number in _FATAL:
            self._fatal = number
            raise SystemExit(128 + number)
        if number == signal.SIGTSTP:
            self._give_back()
            ours = signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
            signal.signal(number, ours)
        if number in (signal.SIGTSTP, signal.SIGCONT):
            self._take()

    def _take(self) -> None:
        tty.setcbreak(self._input, termios.TCSANOW)
        put(_TAKE, end="")

    def _give_back(self) -> None:
        # A terminal that is gone needs nothing any more.
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(self._input, termios.TCSANOW, self._settings)
            put(_GIVE_BACK, end="")
