"""fc-solve and KPat read what `convert` writes; only their absence, and not on CI, skips a test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from simon_solver.game.deal import Deal
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.render.boards import converted
from tests.support.deals import DATA, random_walk
from tests.support.fc_solve import needs_fc_solve

SAMPLES = DATA / "samples"
GAMES = "/usr/games"  # where Debian has games, which is not in every PATH
PATH = os.pathsep.join([os.environ.get("PATH", ""), GAMES])
FC_SOLVE, KPAT, DBUS_RUN, DBUS_SEND = (
    shutil.which(name, path=PATH) for name in ("fc-solve", "kpat", "dbus-run-session", "dbus-send")
)


def needs(*programs: str | None) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        None in programs and not os.environ.get("CI"), reason="a program is not installed"
    )


def walked(number: int, seed: int, moves: int) -> list[Position]:
    """Positions of a random game that prefers to put cards onto others."""
    return list(random_walk(Random(seed), read_deal(f"kpat:{number}").position, moves))


def late_positions() -> list[Position]:
    """Positions along the win of deal 72, with up to four runs removed."""
    deal = read_deal("kpat:72")
    lines = (SAMPLES / "ms72_win93_from_to_count.txt").read_text(encoding="ascii").splitlines()
    numbers = [list(map(int, line.split())) for line in lines if not line.startswith("#")]
    found = []
    for source, target, count in numbers:
        deal = deal.after([Move(source - 1, target - 1, count)])
        found.append(deal.position)
    assert found[-1].is_won
    assert {len(position.removed) for position in found} >= {0, 1, 2, 4}
    return found


LATE = late_positions()[66::3]
EARLY = [*walked(24, 1, 8)[::4], *walked(72, 2, 40)[::10]]


def fc_solve_reads(text: str, tmp_path: Path) -> Position | None:
    """The first state that fc-solve prints of a board it solves, by our reader."""
    board = tmp_path / "board"
    board.write_text(text, encoding="ascii", newline="")
    done = subprocess.run(
        [str(FC_SOLVE), "-g", "simple_simon", "-mi", "2000", "-p", "-t", "-sam", str(board)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    state = re.search(r"^Foundations: .*\nFreecells: *\n(?::.*\n){10}", done.stdout, re.MULTILINE)
    if state:
        return parse_deal(state[0]).position
    # It has read the board all the same; one with a card too many or too few ends it sooner.
    assert "I could not solve this game." in done.stdout or "exceeded" in done.stdout
    return None


@needs_fc_solve
@pytest.mark.parametrize("number", range(len(EARLY)))
def test_fc_solve_reads_the_board(number: int, tmp_path: Path) -> None:
    read = fc_solve_reads(converted(Deal("", EARLY[number]), "fc-solve"), tmp_path)
    assert read in (None, EARLY[number])


@needs_fc_solve
@pytest.mark.parametrize("number", range(len(LATE)))
def test_fc_solve_reads_boards_with_empty_columns_and_runs_removed(
    number: int, tmp_path: Path
) -> None:
    position = LATE[number]
    read = fc_solve_reads(converted(Deal("", position), "fc-solve"), tmp_path)
    assert read is not None
    assert read.columns == position.columns
    assert sorted(read.removed) == sorted(position.removed)


@needs_fc_solve
def test_fc_solve_finds_a_win_near_the_end(tmp_path: Path) -> None:
    text = converted(Deal("", late_positions()[75]), "fc-solve")
    (tmp_path / "board").write_text(text, encoding="ascii")
    done = subprocess.run(
        [str(FC_SOLVE), "-g", "simple_simon", "-l", "the-last-mohican", str(tmp_path / "board")],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert "This game is solveable." in done.stdout


@needs_fc_solve
def test_fc_solve_takes_columns_of_20_cards_and_no_longer_ones(tmp_path: Path) -> None:
    deck = [card for column in read_deal("kpat:72").position.columns for card in column]
    for longest in (20, 21):
        rest = deck[longest:]
        columns = [deck[:longest], *(rest[n::9] for n in range(9))]
        text = converted(
            Deal("", Position(read_deal("kpat:72").position.deck, tuple(map(tuple, columns)))),
            "cards",
        )
        (tmp_path / "board").write_text(text, encoding="ascii")
        done = subprocess.run(
            [str(FC_SOLVE), "-g", "simple_simon", "-mi", "100", str(tmp_path / "board")],
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode == 0) == (longest == 20)


# Opens a game and closes the window as soon as its title shows the game; set up so, KPat then
# saves the game. Run within a session bus of its own.
DRIVER = """
import os, subprocess, sys, time

kpat, send, game, title = sys.argv[1:]
child = subprocess.Popen([kpat, game])
service = f"--dest=org.kde.kpat-{child.pid}"
window = [send, "--session", "--print-reply", service, "/kpat/MainWindow"]
widget = "org.qtproject.Qt.QWidget"
get = ["org.freedesktop.DBus.Properties.Get", f"string:{widget}", "string:windowTitle"]
end = time.monotonic() + 60
try:
    while title not in subprocess.run([*window, *get], capture_output=True, text=True).stdout:
        assert child.poll() is None and time.monotonic() < end, "no window with the game"
        time.sleep(0.05)
    subprocess.run([*window, f"{widget}.close"], check=True, stdout=subprocess.DEVNULL)
    child.wait(30)
finally:
    child.kill()
"""


def kpat_saves(text: str, number: int, folder: Path) -> str:
    """What KPat saves after it has opened a game."""
    for name in ("config", "data", "cache", "run"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "run").chmod(0o700)
    settings = "[General Settings]\nRememberStateOnExit=true\nSolver=false\nAutodrop=false\n"
    (folder / "config" / "kpatrc").write_text(settings, encoding="ascii")
    (folder / "game.kpat").write_text(text, encoding="utf-8", newline="")
    (folder / "driver.py").write_text(DRIVER, encoding="ascii")
    environment = {
        **os.environ,
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_RUNTIME_DIR": str(folder / "run"),
    }
    driver = [sys.executable, "driver.py", KPAT, DBUS_SEND, "game.kpat", f"Simple Simon - {number}"]
    done = subprocess.run(
        [str(DBUS_RUN), "--", *map(str, driver)],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return (folder / "data" / "kpat" / "savedstate.xml").read_text(encoding="utf-8")


@needs(KPAT, DBUS_RUN, DBUS_SEND)
@pytest.mark.parametrize("name", ["kpat:72", "SS1-S4-AAAAABD", "late", "later"])
def test_kpat_saves_a_game_as_it_was_written(name: str, tmp_path: Path) -> None:
    late = {"late": 74, "later": 84}
    if name in late:
        deal = Deal(name, late_positions()[late[name]])
        assert deal.position.removed
    else:
        deal = read_deal(name)
    assert legal_moves(deal.position)
    text = converted(deal, "kpat")
    saved = kpat_saves(text, 72 if name == "kpat:72" else 0, tmp_path)
    assert saved == text
    assert parse_deal(saved).position == deal.position


@needs(KPAT, DBUS_RUN, DBUS_SEND)
@pytest.mark.parametrize("name", ["ms72_20moves_undone_to_8.kpat", "ms72_after75_1run_legacy.xml"])
def test_a_game_that_kpat_saves_again_is_read_alike(name: str, tmp_path: Path) -> None:
    text = (SAMPLES / name).read_text(encoding="ascii")
    saved = kpat_saves(text, 72, tmp_path)
    assert parse_deal(saved).position == parse_deal(text).position
    if name.endswith(".kpat"):
        assert saved == text
        assert parse_deal(saved).moves_made == 8
