"""Keeps a game in a file while it is played."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from simon_solver.cli.playing.saved import need_saved, read_saved, save
from simon_solver.cli.shared.output import put_error
from simon_solver.errors import InputError, SimonError, reason_of
from simon_solver.game.played import PlayedGame
from simon_solver.text.outputs import check_name, locked, tried_lock

SAVE_VARIABLE = "SIMON_SOLVER_SAVE"

_KIND = ".json"
_OTHER = "choose another file with --save"


def _usual_file(*, make_folder: bool) -> str:
    """The file where games are kept if no other is named.

    Raises:
        InputError: its folder is to be made and cannot be.
    """
    named = os.environ.get(SAVE_VARIABLE)
    if named:
        return named
    import platformdirs  # noqa: PLC0415 - not with a file of the user's

    folder = Path(platformdirs.user_state_dir("simon-solver", appauthor=False))
    try:
        if make_folder:
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be created: {reason_of(error)}; {_OTHER}") from None
    return str(folder / f"play{_KIND}")


class Keeper:
    """Keeps one game in one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.failed = ""
        """Why the game as it stands is not in the file, with its name; empty when it is there."""

    def take_up(self) -> PlayedGame:
        """The game that is kept.

        Raises:
            SimonError: there is none, or none that can be read.
        """
        return read_saved(self.file)

    def begin(self, game: PlayedGame) -> str:
        """Keep a new game; returns the file to which an unfinished one has gone, mostly none.

        Raises:
            SimonError: there is a file that holds no game, or no room for the new one; all is left
                as it was.
        """
        path, previous = Path(self.file), ""

        def make_room() -> None:
            nonlocal previous
            if unfinished:
                previous = _put_aside(path)

        try:
            there = path.exists() and path.stat().st_size > 0
            unfinished = there and _is_unfinished(self.file)
            save(game, self.file, make_room)
        except SimonError as error:
            raise type(error)(f"{error}; {_OTHER}") from None
        except OSError as error:
            reason = reason_of(error)
            raise InputError(f"{self.file}: cannot be written: {reason}; {_OTHER}") from None
        return previous

    def keep(self, game: PlayedGame) -> None:
        """Write the game as it stands; say so when that begins to fail, and when it works again."""
        failed = self.failed
        try:
            save(game, self.file)
        except OSError as error:
            self.failed = f"{self.file}: {reason_of(error)}"
            if not failed:
                put_error(f"Warning: the game is not saved: {self.failed}")
        else:
            self.failed = ""
            if failed:
                put_error(f"The game is saved again: {self.file}")


def _is_unfinished(file: str) -> bool:
    """True when the game in the file would be missed: it was begun, and is not won."""
    game = read_saved(file)
    return bool(game.opening or game.actions) and not game.position.is_won


def _put_aside(path: Path) -> str:
    """Give the file the first free name beside it, and return that."""
    for number in count(1):
        mark = "previous" if number == 1 else f"previous-{number}"
        other = str(path.with_suffix(f".{mark}{_KIND}"))
        # A game may be played there, which is as good as lost if it is replaced meanwhile.
        with tried_lock(other) as ours:
            if ours and _is_free(other):
                path.replace(other)
                return other
    raise AssertionError("numbers have no end")


def _is_free(file: str) -> bool:
    """Nothing is there, or a game that nobody misses."""
    if not os.path.lexists(file):
        return True
    try:
        return not Path(file).is_symlink() and not _is_unfinished(file)
    except SimonError:
        return False


@contextmanager
def keeper(file: str | None, *, resume: bool = False) -> Iterator[Keeper]:
    """Keeps a game in the file, None for the usual one, which is nobody else's meanwhile.

    To `resume`, it must be there: nothing is made.

    Raises:
        InputError: it cannot be written there, or another game is being played there.
    """
    name = _usual_file(make_folder=not resume) if file is None else file
    # Written anew as a whole, a link would become a file of its own.
    if os.path.islink(name):  # noqa: PTH114 - it takes any name, be it too long for a file
        name = os.path.realpath(name)
    if resume:
        need_saved(name)
    check_name(name, [_KIND])
    with locked(name, f"another game is being played in this file; {_OTHER}"):
        yield Keeper(name)
