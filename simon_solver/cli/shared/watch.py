"""``solve --watch``: plays a line of moves in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from simon_solver.cli.shared.output import style_of_output
from simon_solver.cli.shared.terminal import Terminal
from simon_solver.render.frames import frame
from simon_solver.render.scenes import Scene

_QUIT = {"q", "Q"}
_TOGGLE = " "


class Viewer:
    """Which scene is shown, out of `count`, and whether the next one comes by itself.

    Each scene stays for `delay` seconds of the clock that `now` tells.
    """

    def __init__(self, count: int, delay: float, now: float) -> None:
        self.last = count - 1
        self.place = 0
        self._delay = delay
        self._due: float | None = now + delay

    @property
    def playing(self) -> bool:
        """The next scene comes by itself."""
        return self._due is not None

    def wait(self, now: float) -> float | None:
        """Seconds until the next scene, None when it does not come by itself."""
        return None if self._due is None else max(0.0, self._due - now)

    def tick(self, now: float) -> None:
        """Go on if it is time."""
        if self._due is not None and now >= self._due:
            self._go(self.place + 1)
            self._due = now + self._delay if self.place < self.last else None

    def press(self, key: str, now: float) -> None:
        """Do what the key says: a step ends the play, a space bar ends it or goes on with it."""
        places = {
            "n": self.place + 1,
            "right": self.place + 1,
            "p": self.place - 1,
            "left": self.place - 1,
            "home": 0,
            "end": self.last,
        }
        if key in places:
            self._due = None
            self._go(places[key])
        elif key == _TOGGLE and self.playing:
            self._due = None
        elif key == _TOGGLE:
            # From the end, it starts again.
            if self.place == self.last:
                self.place = 0
            self._due = now + self._delay

    def _go(self, place: int) -> None:
        self.place = min(max(place, 0), self.last)


def watch(title: str, scenes: Sequence[Scene], delay: float) -> None:
    """Play the scenes until the user quits; each stays for `delay` seconds.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    style = style_of_output()
    player = Viewer(len(scenes), delay, monotonic())
    with Terminal() as terminal:
        while True:
            scene = scenes[player.place]
            state = "playing" if player.playing else "paused"
            remark = "the end" if player.place == player.last else state
            terminal.show(frame(scene, title, scenes[-1].moves, remark, style, terminal.height))
            keys = terminal.keys(player.wait(monotonic()))
            if _QUIT & set(keys):
                return
            player.tick(monotonic())
            for key in keys:
                player.press(key, monotonic())
