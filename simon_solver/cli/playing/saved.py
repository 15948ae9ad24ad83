"""Saved games of ``play``: JSON that any reader of deals takes as the current position.

The object is that of ``show --format json``, with ``played`` besides: the game at its start, the
moves that can no longer be undone (``opening``), the actions since (moves and ``restart``), and how
many of these are undone. A file is never trusted: the rules play all of it again when it is read,
and must come to the position that it tells.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from simon_solver.errors import FormatError, InputError, MoveError, SimonError, reason_of
from simon_solver.game.deal import Deal
from simon_solver.game.moves import format_moves, parse_moves
from simon_solver.game.played import MOST_UNDONE, PlayedGame
from simon_solver.reading.arguments import read_text
from simon_solver.reading.deals import parse_deal
from simon_solver.reading.formats.record import game_of
from simon_solver.render.records import Record, show_record, to_json
from simon_solver.text.json_values import Value, parse_json
from simon_solver.text.outputs import whole_file

VERSION = 1
"""Of the form of ``played``; files of higher versions are refused."""

_RESTART = "restart"
_WANTED = "a game saved by play"


def saved_record(game: PlayedGame) -> Record:
    """All of the game, with its history."""
    actions = (_RESTART if move is None else str(move) for move in game.actions)
    return {
        **show_record(game.deal),
        "played": {
            "version": VERSION,
            "start": show_record(game.start),
            "opening": format_moves([step.move for step in game.opening]),
            "actions": " ".join(actions),
            "undone": game.redoable,
        },
    }


def save(game: PlayedGame, file: str, before: Callable[[], None] = lambda: None) -> None:
    """Write the game; at any moment the file holds the whole of it, or of what was there before.

    The caller is its only writer. `before` is called when nothing but the renaming is left to do.

    Raises:
        OSError: it cannot be written.
    """
    with whole_file(file, alone=True) as unfinished:
        _write(game, unfinished)
        before()


def _write(game: PlayedGame, file: Path) -> None:
    with file.open("w", encoding="ascii") as out:
        out.write(to_json(saved_record(game)) + "\n")
        out.flush()
        # Renamed before its content is on the disk, it could be empty after a loss of power.
        os.fsync(out.fileno())


def need_saved(file: str) -> None:
    """Complain unless the file exists; its content is not checked.

    Raises:
        InputError: there is none, or none that can be reached.
    """
    try:
        Path(file).stat()
    except FileNotFoundError:
        raise InputError(f"{file}: no saved game") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"{file}: cannot be read: {reason_of(error)}") from None


def read_saved(file: str) -> PlayedGame:
    """The game that `save` has written, with what can be undone and redone.

    Raises:
        SimonError: there is no such file, or it holds no such game, or one of a later version; says
            what was expected and what was found, and where.
    """
    need_saved(file)
    text = read_text(file, pipes=False)
    try:
        return parse_saved(text)
    except SimonError as error:
        raise type(error)(f"{file}: {error}") from None


def parse_saved(text: str) -> PlayedGame:
    """The game in the text of such a file; see `read_saved`."""
    root = parse_json(text, _WANTED)
    played = root.member("played")
    if played is None:
        raise FormatError(f"{root.place}: expected {_WANTED}, got JSON without 'played'")
    version = _whole(played, "version")
    if version != VERSION:
        raise FormatError(
            f"{played.place}: expected a saved game of version {VERSION}, got version {version}, "
            "written by another version of this program"
        )
    start, opening = _start(_member(played, "start")), _text(played, "opening")
    with _errors_of("opening"):
        game = PlayedGame(start, parse_moves(opening))
    actions = _text(played, "actions").split()
    undone = _whole(played, "undone")
    if not undone <= len(actions) <= MOST_UNDONE:
        raise FormatError(
            f"{played.place}: expected {undone} to {MOST_UNDONE} actions, got {len(actions)}"
        )
    for number, action in enumerate(actions, 1):
        _act(game, action, f"action {number}")
    for _ in range(undone):
        game.undo()
    # What is told besides the history must agree with it.
    with _errors_of("the current board"):
        at_hand = game_of(root)
    if (at_hand.position, at_hand.moves_made) != (game.position, game.moves):
        raise FormatError(
            f"{root.place}: expected the cards and moves its actions lead to, got others"
        )
    return game


def _start(value: Value) -> Deal:
    """The game at its start. A code or a number must go with the cards that it deals."""
    with _errors_of("start"):
        game = game_of(value)
    name = _text(value, "deal")
    start = Deal(name, game.position, game.moves_made, column_sizes=game.column_sizes)
    try:
        named = parse_deal(name, column_sizes=game.column_sizes)
    except SimonError:
        return start  # the name of a file
    if named.name != name:
        return start
    if named.position != start.position:
        raise FormatError(f"{value.place}: expected the cards of {name}, got others")
    return replace(named, moves_made=game.moves_made)


def _act(game: PlayedGame, action: str, place: str) -> None:
    if action == _RESTART:
        if not game.restart():
            raise FormatError(f"{place}: expected a move, got a restart before any move")
        return
    wanted = f"{place}: expected a legal move such as '4>7:2', got {action!r}"
    try:
        moves = parse_moves(action)
    except FormatError:
        moves = []
    if len(moves) != 1:  # none in a remark
        raise FormatError(wanted)
    try:
        game.play(moves[0])
    except MoveError as error:
        raise FormatError(f"{wanted}: {error}") from None


@contextmanager
def _errors_of(part: str) -> Iterator[None]:
    """Say which part of the game an error is about."""
    try:
        yield
    except SimonError as error:
        raise type(error)(f"{part}: {error}") from None


def _member(value: Value, name: str) -> Value:
    found = value.member(name)
    if found is None:
        raise FormatError(f"{value.place}: expected {name!r} of {_WANTED}, got none")
    return found


def _text(value: Value, name: str) -> str:
    found = _member(value, name)
    if found.kind != "string":
        raise found.wrong(f"a string as {name!r}")
    return found.text


def _whole(value: Value, name: str) -> int:
    found = _member(value, name)
    if found.kind != "number" or not found.text.isdigit() or len(found.text) > 9:
        raise found.wrong(f"a whole number as {name!r}")
    return int(found.text)
