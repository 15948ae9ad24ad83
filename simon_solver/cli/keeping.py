"""The file in which a game is kept while it is played."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from simon_solver.batch.files import check_name, locked
from simon_solver.cli.output import put_error
from simon_solver.errors import InputError
from simon_solver.saved import read_saved, save
from simon_solver.table import Table

SAVE_VARIABLE = "SIMON_SOLVER_SAVE"

_KIND = ".json"
_OTHER = "name another file with --save"


def usual_file() -> str:
    """The file where games are kept if no other is named; its folder is made if need be.

    Raises:
        InputError: the folder cannot be made.
    """
    named = os.environ.get(SAVE_VARIABLE)
    if named:
        return named
    folder = Path(platformdirs.user_state_dir("simon-solver", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror or error}; {_OTHER}") from None
    return str(folder / f"play{_KIND}")


class Keeper:
    """Keeps one game in one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.failed = False
        """The game as it stands is not in the file."""

    def take_up(self) -> Table:
        """The game that is kept.

        Raises:
            SimonError: there is none, or none that can be read.
        """
        return read_saved(self.file)

    def begin(self, table: Table) -> str:
        """Keep a new game; returns the file to which an unfinished one has gone, mostly none.

        Raises:
            SimonError: there is a file that holds no game.
        """
        path, previous = Path(self.file), ""
        if path.exists() and path.stat().st_size:
            before = read_saved(self.file)
            if (before.opening or before.actions) and not before.position.is_won:
                previous = str(path.with_suffix(f".previous{_KIND}"))
                path.replace(previous)
        self.keep(table)
        return previous

    def keep(self, table: Table) -> None:
        """Write the game as it stands; where that fails, say so once."""
        try:
            save(table, self.file)
        except OSError as error:
            if not self.failed:
                put_error(f"Warning: the game is not saved: {self.file}: {error.strerror or error}")
            self.failed = True
        else:
            self.failed = False


@contextmanager
def keeper(file: str | None) -> Iterator[Keeper]:
    """Keeps a game in the file, None for the usual one, which is nobody else's meanwhile.

    Raises:
        InputError: it cannot be written there, or another game is being played there.
    """
    name = usual_file() if file is None else file
    # Written anew as a whole, a link would become a file of its own.
    if Path(name).is_symlink():
        name = str(Path(name).resolve())
    check_name(name, [_KIND])
    with locked(name, f"another game is being played and kept there; {_OTHER}"):
        yield Keeper(name)
