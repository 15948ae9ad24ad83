"""``solve --watch`` on a real pseudo-terminal: keys, signals, and the terminal as it was before."""

from __future__ import annotations

import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from simon_solver.cli.shared.watch import Viewer
from tests.support.cli import StandInSolver, error_line, run
from tests.support.page import LOST_BUT_FOR_A_RUN

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.support.terminal import PROGRAM, PseudoTerminal, simon_solver

CODE = "SS1-S4-AAAAABD"
HARD = "SS1-S1-AAAAADE"  # takes minutes to prove
WATCH = ("solve", CODE, "--watch")
SLOW = ("--delay", "1000")
TAKEN, GIVEN_BACK = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"


def assert_put_back(terminal: PseudoTerminal) -> None:
    """The terminal is as it was, and nothing was written since."""
    assert terminal.settings == terminal.settings_before
    assert terminal.output.count(TAKEN) == terminal.output.count(GIVEN_BACK) > 0
    assert terminal.output.endswith(GIVEN_BACK)


def test_a_line_plays_to_its_end() -> None:
    with simon_solver(*WATCH, "--delay", "0.01") as terminal:
        picture = terminal.wait_for_picture("the end")
        assert picture[0] == f"{CODE} (4 suits): winnable, 840 (proven best)"
        assert picture[1] == "move 60 of 60   score 840   removed ♣ ♥ ♠ ♦   the end"
        assert picture[2] == "the table is empty: won"
        seen = set(re.findall(r"move (\d+) of 60", terminal.output))
        assert seen == {str(number) for number in range(61)}
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert_put_back(terminal)
        # The answer stands on the screen that was left.
        assert "the table is empty: won" in terminal.output.split(TAKEN)[0]


def test_keys() -> None:
    with simon_solver(*WATCH, *SLOW) as terminal:
        picture = terminal.wait_for_picture("move 0 of 60   score 500   removed none   playing")
        assert "  J♦  8♣  T♠  7♥  4♦  7♠  9♠  Q♥  6♣  K♦" in picture
        for keys, number in (
            ("n", 1), ("\x1b[C", 2), ("\x1bOC", 3), ("nnn", 6), ("p", 5), ("\x1b[D", 4),
            ("\x1bOD", 3), ("\x1b[F", 60), ("n", 60), ("\x1b[4~p", 59), ("\x1b[1~", 0), ("p", 0),
            ("\x1b[8~", 60), ("\x1bOH", 0), ("x\x1b[Zén", 1),
        ):  # fmt: skip
            terminal.press(keys)
            state = "the end" if number == 60 else "paused"
            picture = terminal.wait_for_picture(f"move {number} of 60 ")
            assert picture[1].endswith(state)
        terminal.press("\x1b")
        terminal.press("[C")
        terminal.wait_for_picture("move 2 of 60 ")
        terminal.press(" ")
        terminal.wait_for_picture("playing")
        terminal.press(" ")
        terminal.wait_for_picture("paused")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert_put_back(terminal)


def test_colour_and_none() -> None:
    for no_color in ("", "1"):
        with simon_solver(*WATCH, *SLOW, NO_COLOR=no_color) as terminal:
            terminal.wait_for_picture("move 0 of 60")
            terminal.press("q")
            assert terminal.exit_code() == 0
            colours = re.findall(r"\x1b\[[\d;]*m", terminal.output)
            assert bool(colours) == (not no_color)


def test_an_encoding_without_suits() -> None:
    with simon_solver(*WATCH, *SLOW, PYTHONIOENCODING="ascii") as terminal:
        picture = terminal.wait_for_picture("move 0 of 60")
        assert any(" >QD" in line for line in picture)


def test_another_size() -> None:
    with simon_solver(*WATCH, *SLOW, rows=40, columns=100) as terminal:
        assert len(terminal.wait_for_picture("move 0 of 60")) == 40
        terminal.resize(15, 80)
        terminal.wait_for(lambda terminal: len(terminal.picture) == 15)
        assert terminal.picture[6].startswith("  ..  ..  ..  7♥")


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)],
)
@pytest.mark.parametrize("delay", ["0", "1000"])
def test_signals(number: signal.Signals, code: int, delay: str) -> None:
    with simon_solver(*WATCH, "--delay", delay) as terminal:
        terminal.wait_for_picture("move ")
        terminal.process.send_signal(number)
        assert terminal.exit_code() == code
        assert_put_back(terminal)


def test_ctrl_c() -> None:
    with simon_solver(*WATCH, *SLOW) as terminal:
        terminal.wait_for_picture("move 0 of 60")
        terminal.press("\x03")
        assert terminal.exit_code() == 130
        assert_put_back(terminal)


@pytest.mark.parametrize("delay", ["0", "1000"])
def test_a_terminal_that_goes_away(delay: str) -> None:
    with simon_solver(*WATCH, "--delay", delay) as terminal:
        terminal.wait_for_picture("move ")
        terminal.hang_up()
        assert terminal.process.wait(60) == -signal.SIGHUP


def test_ctrl_c_during_the_search_ends_the_program() -> None:
    with simon_solver("solve", HARD, "--watch", "--time-limit", "0") as terminal:
        terminal.wait_for(lambda terminal: "proving the best score" in terminal.output)
        terminal.press("\x03")
        assert terminal.exit_code() == 130
        assert "not proven best, interrupted" in terminal.output
        assert TAKEN not in terminal.output


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell with job control")
def test_stopped_and_taken_up_again() -> None:
    with PseudoTerminal("bash", "--norc", "--noprofile", "-i", PS1="$ ") as terminal:
        terminal.press(f"{sys.executable} {' '.join((*PROGRAM, *WATCH, *SLOW))}\n")
        terminal.wait_for_picture("move 0 of 60")
        terminal.press("\x1a")
        terminal.wait_for(lambda terminal: "Stopped" in terminal.output.partition(GIVEN_BACK)[2])
        terminal.press("echo $((6 * 7))\n")
        terminal.wait_for(lambda terminal: "42\r\n" in terminal.output)
        pictures = terminal.output.count("move 0 of 60")
        terminal.press("fg\n")
        terminal.wait_for(lambda terminal: terminal.output.count("move 0 of 60") > pictures)
        terminal.press("n")
        terminal.wait_for_picture("move 1 of 60")
        terminal.press("q")
        terminal.wait_for(lambda terminal: terminal.output.count(GIVEN_BACK) == 2)
        terminal.wait_for(lambda terminal: "$ " in terminal.output.split(GIVEN_BACK)[-1])
        terminal.press("exit 7\n")
        assert terminal.exit_code() == 7
        assert terminal.output.count(TAKEN) <= terminal.output.count(GIVEN_BACK) + 1


def test_a_lost_deal_keeps_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "lost").write_text(LOST_BUT_FOR_A_RUN, encoding="ascii")
    with simon_solver("solve", str(tmp_path / "lost"), "--watch", "--delay", "0") as terminal:
        picture = terminal.wait_for_picture("the end")
        assert picture[2] == "the line ends here"
        terminal.press("q")
        assert terminal.exit_code() == 1


def test_without_a_line_there_is_nothing_to_watch() -> None:
    with simon_solver("solve", "kpat:46", "--watch") as terminal:
        assert terminal.exit_code() == 1
        assert "no move helps" in terminal.output
        assert TAKEN not in terminal.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--watch"], "--watch needs a terminal, but standard input is not one"),
        (["--watch", "--format", "json"], "--watch cannot be used with --format json"),
        (["--delay", "1"], "--delay needs --watch"),
        (["--watch", "--delay", "-1"], "expected a number of seconds of at least 0, got '-1'"),
        (["--watch", "--delay", "inf"], "expected a number of seconds of at least 0, got 'inf'"),
    ],
)
def test_refused_before_any_work(arguments: list[str], message: str, solver: StandInSolver) -> None:
    result = run("solve", CODE, *arguments)
    assert result.exit_code == 2
    assert message in error_line(result)
    assert result.stdout == ""
    assert solver.calls == []


def test_terminals_that_do_not_serve() -> None:
    command = ("sh", "-c", f"exec {sys.executable} -m simon_solver {' '.join(WATCH)} | cat")
    for terminal, message in (
        (PseudoTerminal(*command), "standard output is not one"),
        (simon_solver(*WATCH, TERM="dumb"), "needs a terminal that can move its cursor"),
        (simon_solver(*WATCH, TERM=""), "needs a terminal that can move its cursor"),
    ):
        with terminal:
            terminal.exit_code()
            assert message in terminal.output
            assert terminal.output.startswith("Error: --watch ")


def test_the_player() -> None:
    player = Viewer(count=4, delay=2.0, now=10.0)
    assert (player.place, player.playing, player.wait(10.5)) == (0, True, 1.5)
    player.tick(11.9)
    assert player.place == 0
    player.tick(12.0)
    assert (player.place, player.wait(12.0), player.wait(99.0)) == (1, 2.0, 0.0)
    player.press(" ", 13.0)
    assert (player.playing, player.wait(13.0)) == (False, None)
    player.tick(99.0)
    assert player.place == 1
    player.press(" ", 20.0)
    assert player.wait(20.0) == 2.0
    player.tick(22.0)
    player.tick(24.0)
    assert (player.place, player.playing) == (3, False)
    player.press(" ", 30.0)
    assert (player.place, player.playing) == (0, True)
    player.press("p", 30.0)
    assert (player.place, player.playing) == (0, False)
    for key, place in (("end", 3), ("n", 3), ("left", 2), ("home", 0), ("right", 1), ("z", 1)):
        player.press(key, 31.0)
        assert player.place == place
