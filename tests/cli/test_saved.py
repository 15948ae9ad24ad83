"""Saved games: written whole, read back with their history, and never trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simon_solver.cli.playing.saved import VERSION, parse_saved, read_saved, save, saved_record
from simon_solver.errors import SimonError
from simon_solver.game.deal import Deal
from simon_solver.game.moves import parse_moves
from simon_solver.game.played import MOST_UNDONE, PlayedGame
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.render.records import to_json
from tests.support.page import KPAT_72, WIN_72
from tests.support.strategies import positions


def told(game: PlayedGame) -> tuple[Any, ...]:
    """All that a table knows."""
    return (game.start, game.opening, game.actions, game.redoable, game.deal, game.steps)


def played_at_random(start: Deal, rng: Random, actions: int) -> PlayedGame:
    """A game in which moves and the history were gone through at random."""
    game = PlayedGame(start)
    for _ in range(actions):
        action = rng.choice(["move"] * 8 + ["undo"] * 3 + ["redo", "restart"])
        choices = legal_moves(game.position)
        if action == "move" and choices:
            game.play(rng.choice(choices))
        elif action == "restart" and rng.random() < 0.2:
            game.restart()
        elif action in ("undo", "redo"):
            (game.undo if action == "undo" else game.redo)()
    return game


@given(positions(), st.integers(0, 999), st.randoms(use_true_random=False), st.integers(0, 300))
@settings(max_examples=50)
def test_any_game_is_read_as_it_was_written(
    position: Position, made: int, rng: Random, actions: int
) -> None:
    game = played_at_random(Deal("a board", position, made), rng, actions)
    text = to_json(saved_record(game))
    assert told(parse_saved(text)) == told(game)
    # for any other command it is the position at hand
    deal = parse_deal(text, "a board")
    assert deal == game.deal


@pytest.mark.parametrize("name", ["SS1-S2-AAAAABD", "kpat:72", "pysol:24"])
def test_named_deals_keep_their_names(name: str, rng: Random) -> None:
    game = played_at_random(read_deal(name), rng, 150)
    again = parse_saved(to_json(saved_record(game)))
    assert told(again) == told(game)
    assert again.start.code == read_deal(name).code


def test_another_layout(rng: Random) -> None:
    sizes = (7, 7, 7, 7, 6, 6, 6, 6)
    game = played_at_random(read_deal("SS1-S4-AAAAABD", column_sizes=sizes), rng, 20)
    again = parse_saved(to_json(saved_record(game)))
    assert told(again) == told(game)
    assert again.start.column_sizes == sizes


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = PlayedGame(KPAT_72, WIN_72[:3])
    for move in WIN_72[3:]:
        game.play(move)
        save(game, str(file))
    assert told(read_saved(str(file))) == told(game)
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_file_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "game.json"
    game = PlayedGame(KPAT_72)
    save(game, str(file))
    before = file.read_bytes()
    game.play(WIN_72[0])
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(game, str(file))
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_file_keeps_its_mode_and_what_was_left_is_removed(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    (tmp_path / "game.json.tmp").write_text("left by a game that was killed", encoding="ascii")
    save(PlayedGame(KPAT_72), str(file))
    for mode in (0o600, 0o640):
        file.chmod(mode)
        save(PlayedGame(KPAT_72), str(file))
        assert file.stat().st_mode & 0o777 == mode
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    """The text of a game of three moves, of which one is undone, with a change."""
    game = PlayedGame(KPAT_72)
    for move in WIN_72[:3]:
        game.play(move)
    game.undo()
    record = saved_record(game)
    change(record)
    return json.dumps(record)


FAULTS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda r: r.pop("played"), "line 1, column 1: expected a game saved by play, got JSON with"),
    (lambda r: r.pop("columns"), "line 1, column 1: expected a JSON object with 'columns'"),
    (lambda r: r.update(played=[]), "expected 'version' of a game saved by play"),
    (lambda r: r["played"].pop("version"), "expected 'version' of a game saved by play"),
    (
        lambda r: r["played"].update(version=VERSION + 1),
        "expected a saved game of version 1, got version 2, written by another version",
    ),
    (lambda r: r["played"].update(version="1"), "expected a whole number as 'version', got '1'"),
    (lambda r: r["played"].update(version=-1), "expected a whole number as 'version', got -1"),
    (lambda r: r["played"].pop("start"), "expected 'start' of a game saved by play"),
    (lambda r: r["played"]["start"].pop("deal"), "expected 'deal' of a game saved by play"),
    (lambda r: r["played"]["start"]["columns"].reverse(), "expected the cards of kpat:72, got"),
    (lambda r: r["played"]["start"]["columns"][0].pop(), "start: expected 52 cards, got 51"),
    (lambda r: r["played"].update(opening=7), "expected a string as 'opening', got 7"),
    (lambda r: r["played"].update(opening="1>1"), "opening: move 1: it goes from"),
    (
        lambda r: r["played"].update(opening="x"),
        "opening: line 1, column 1: expected a move like '4>7:2', got 'x'",
    ),
    (
        lambda r: r["played"].update(actions="10>1 x"),
        "action 2: expected a legal move such as '4>7:2', got 'x'",
    ),
    (lambda r: r["played"].update(actions="#"), "such as '4>7:2', got '#'"),
    (lambda r: r["columns"][0].pop(), "the current board: expected 52 cards, got 51"),
    (
        lambda r: r["played"].update(actions="10>1 1>1"),
        "action 2: expected a legal move such as '4>7:2', got '1>1': it goes from column 1 to it",
    ),
    (lambda r: r["played"].update(actions="restart"), "action 1: expected a move, got a restart"),
    (lambda r: r["played"].update(undone=4), "expected 4 to 100 actions, got 3"),
    (
        lambda r: r["played"].update(actions="10>1 1>10 " * MOST_UNDONE),
        "expected 1 to 100 actions, got 200",
    ),
    (
        lambda r: r["played"].update(undone=0),
        "expected the cards and moves its actions lead to",
    ),
    (lambda r: r.update(moves=1), "expected the cards and moves its actions lead to"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS)
def test_what_is_wrong_is_said(change: Callable[[dict[str, Any]], object], message: str) -> None:
    with pytest.raises(SimonError) as caught:
        parse_saved(changed(change))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with pytest.raises(SimonError, match=r"game\.json: no saved game$"):
        read_saved(str(file))
    for content in (b"", b"{", b"\xff", b"[]", b"3", b"{}", b"[" * 10_000, b"SS1-S4-AAAAABD\n"):
        file.write_bytes(content)
        with pytest.raises(SimonError, match=rf"^{file}: .*expected ") as caught:
            read_saved(str(file))
        assert "\n" not in str(caught.value)


def test_spoilt_files_are_refused_or_play_by_the_rules(rng: Random) -> None:
    text = changed(lambda _: None)
    refused = 0
    for _ in range(500):
        place, end = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
        end = rng.choice([end, place, place + 1])
        spoilt = text[:place] + rng.choice(["", "1", '"', ">", "{", "S"]) + text[end:]
        try:
            game = parse_saved(spoilt)
        except SimonError:
            refused += 1
        else:
            moves = parse_moves(" ".join(str(step.move) for step in game.steps))
            assert PlayedGame(game.start, moves).position == game.position
    assert refused > 300
