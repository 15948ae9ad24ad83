"""``play`` on a real pseudo-terminal: whole games, Ctrl-C and Ctrl-D, and games that are killed."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path
from random import Random
from time import sleep

import pytest

from simon_solver.cli.playing.keeping import SAVE_VARIABLE
from simon_solver.cli.playing.saved import read_saved
from simon_solver.game.moves import parse_moves
from simon_solver.game.played import PlayedGame
from simon_solver.reading.deals import read_deal
from tests.support.cli import run
from tests.support.play import LATE, LATE_LOSS, LATE_WIN

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.support.terminal import PseudoTerminal, simon_solver

CODE = "SS1-S4-AAAAABD"
HARD = "SS1-S1-AAAAADE"  # takes minutes to prove
PROMPT = re.compile(r"(?m)^> ")
SCORE = re.compile(r"(?m)^Score -?\d+, ")


@pytest.fixture
def late(tmp_path: Path) -> str:
    """A board that can be won in 20 moves."""
    (tmp_path / "late").write_text(LATE, encoding="ascii")
    return str(tmp_path / "late")


def first_win(deal: str) -> list[str]:
    """The moves of some win."""
    solution = json.loads(run("solve", deal, "--first", "--format", "json").stdout)["solution"]
    return [f"{move['from']}>{move['to']}:{len(move['cards'])}" for move in solution]


def shown(terminal: PseudoTerminal) -> str:
    """What the terminal shows, without colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", terminal.output).replace("\r", "")


def wait_for_prompts(terminal: PseudoTerminal, number: int) -> None:
    terminal.wait_for(lambda terminal: len(PROMPT.findall(shown(terminal))) >= number)


def say(terminal: PseudoTerminal, line: str) -> str:
    """Type a line when there is a prompt for it; returns the answer on one line, up to the next."""
    wait_for_prompts(terminal, 1)
    prompts = len(PROMPT.findall(shown(terminal)))
    terminal.press(f"{line}\n")
    wait_for_prompts(terminal, prompts + 1)
    answer = PROMPT.split(shown(terminal))[-2].removeprefix(line)
    return " ".join(answer.split())


def test_a_game_with_a_slip_that_a_hint_finds(late: str) -> None:
    with simon_solver("play", late) as terminal:
        assert "It can still be won, but only after 9 of the 10 legal moves" in say(terminal, "h")
        say(terminal, LATE_LOSS)
        assert say(terminal, "hint") == (
            "It can no longer be won (proven). Undo 1 move (u 1) and it can be won."
        )
        assert "Undone: move the run from the 5 down to the ace of diamonds" in say(terminal, "u 1")
        for line in LATE_WIN[:-1]:
            say(terminal, line)
        assert say(terminal, LATE_WIN[-1].partition(":")[0].replace(">", " ")).endswith(
            "You won with 880 points in 20 moves; that is the best possible score (proven). "
            "restart plays it again, u undoes the last move, q quits."
        )
        assert "Score 781, 19 moves, runs removed: clubs, hearts, diamonds." in say(terminal, "u")
        assert "You won with 880 points in 20 moves" in say(terminal, "r")
        terminal.press("q\n")
        assert terminal.exit_code() == 0
        assert terminal.settings == terminal.settings_before


@pytest.mark.parametrize(
    ("keys", "code"), [("\x04", 0), ("\x03", 130), ("q\n", 0), ("u 1\x03", 130)]
)
def test_leaving_keeps_the_game(keys: str, code: int) -> None:
    with simon_solver("play", CODE) as terminal:
        say(terminal, "9 10")
        terminal.press(keys)
        assert terminal.exit_code() == code
        assert shown(terminal).endswith(
            "\nThe game is saved; continue it with: simon-solver play --resume\n"
        )
        assert terminal.settings == terminal.settings_before
    with simon_solver("play", "--resume") as terminal:
        assert "Undone: move the queen of diamonds" in say(terminal, "u")


def test_a_terminal_that_goes_away() -> None:
    with simon_solver("play", CODE) as terminal:
        say(terminal, "9 10")
        terminal.hang_up()
        assert terminal.process.wait(60) == -signal.SIGHUP
    assert len(read_saved(os.environ[SAVE_VARIABLE]).steps) == 1


def test_a_terminal_that_goes_away_where_that_ends_no_program() -> None:
    code = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from simon_solver.cli.main import main\nmain()"
    )
    with PseudoTerminal(sys.executable, "-c", code, "play", CODE) as terminal:
        say(terminal, "9 10")
        terminal.hang_up()
        assert terminal.process.wait(60) == 0
    assert len(read_saved(os.environ[SAVE_VARIABLE]).steps) == 1


def test_a_line_that_the_terminal_cuts_off() -> None:
    with simon_solver("play", CODE) as terminal:
        wait_for_prompts(terminal, 1)
        for piece in ["9>10 "] * 1000:
            terminal.press(piece)
        assert say(terminal, "").endswith("a line has at most 4094 bytes. Line ignored.")
        assert "1. move" in say(terminal, "9 10")
        terminal.press("q\n")
        assert terminal.exit_code() == 0


@pytest.mark.parametrize("command", ["h", "s"])
def test_ctrl_c_ends_a_search_and_not_the_game(command: str) -> None:
    with simon_solver("play", HARD, "--time-limit", "0") as terminal:
        wait_for_prompts(terminal, 1)
        terminal.press(f"{command}\n")
        terminal.wait_for(lambda terminal: "proving the best score" in terminal.output)
        terminal.press("\x03")
        wait_for_prompts(terminal, 2)
        assert re.search(r"no line\s+scores\s+more\s+than\s+\d+", shown(terminal))
        assert "interrupted" in shown(terminal)
        assert "There is no column 11" in say(terminal, "b 11")
        terminal.press("q\n")
        assert terminal.exit_code() == 0


@pytest.mark.parametrize("wait", [0.0, 0.1, 0.2, 0.3, 0.5])
def test_ctrl_c_at_any_moment_of_a_hint(wait: float) -> None:
    with simon_solver("play", HARD) as terminal:
        wait_for_prompts(terminal, 1)
        terminal.press("h\n")
        terminal.wait_for(lambda terminal: "> h\r\n" in terminal.output)
        sleep(wait)
        terminal.press("\x03")
        terminal.wait_for(
            lambda terminal: (
                terminal.process.poll() is not None or len(PROMPT.findall(shown(terminal))) >= 2
            )
        )
        assert "Traceback" not in terminal.output
        # Before the hint has begun, it was pressed at the prompt.
        if terminal.process.poll() is None:
            assert "Score 500" in say(terminal, "b")
        else:
            assert terminal.exit_code() == 130


def test_ctrl_c_while_the_best_is_looked_for_at_the_end() -> None:
    *line, last = first_win(HARD)
    with simon_solver("play", HARD, "--time-limit", "0", "--after", " ".join(line)) as terminal:
        wait_for_prompts(terminal, 1)
        terminal.press(f"{last}\n")
        terminal.wait_for(lambda terminal: "proving the best score" in terminal.output)
        terminal.press("\x03")
        wait_for_prompts(terminal, 2)
        text = " ".join(shown(terminal).split())
        assert re.search(r"You won with \d+ points in \d+ moves; .*no line scores more than", text)
        terminal.press("q\n")
        assert terminal.exit_code() == 0


@pytest.mark.slow
def test_killed_at_any_moment(rng: Random) -> None:
    """Whatever was shown is there again, with the history; at most one action was not shown."""
    moves = first_win(CODE)
    model = PlayedGame(read_deal(CODE))
    arguments = [CODE]
    for _ in range(12):
        lines, states = [], [told(model)]
        for _ in range(rng.randint(1, 12)):
            action = rng.choice(["move", "move", "move", "u", "r", "restart"])
            line = moves[len(model.steps)] if action == "move" else action
            done = {"u": model.undo, "r": model.redo, "restart": model.restart}
            if action == "move":
                model.play(parse_moves(line)[0])
            elif not done[action]():
                continue
            lines.append(line)
            states.append(told(model))
        with simon_solver("play", *arguments) as terminal:
            wait_for_prompts(terminal, 1)
            terminal.press("".join(f"{line}\n" for line in lines))
            sleep(rng.choice([0, rng.uniform(0, 0.05), rng.uniform(0, 0.3)]))
            terminal.process.kill()
            assert terminal.exit_code() == -signal.SIGKILL
            seen = len(SCORE.findall(shown(terminal))) - 1
        model = read_saved(os.environ[SAVE_VARIABLE])
        assert told(model) in states[seen : seen + 2]
        arguments = ["--resume"]
    assert not run("play", "--resume").stderr


def told(game: PlayedGame) -> tuple[object, ...]:
    return (game.position, game.steps, game.actions, game.redoable)


def test_killed_while_it_is_saved(tmp_path: Path) -> None:
    """The old file or the new one is there, never a part of one."""
    before = "import os; os.fsync = lambda _: os.kill(os.getpid(), 9)"
    code = f"{before}\nfrom simon_solver.cli.main import main\nmain()"
    assert run("play", CODE, stdin="9 10\n").exit_code == 0
    command = [sys.executable, "-c", code, "play", "--resume"]
    with PseudoTerminal(*command) as terminal:
        wait_for_prompts(terminal, 1)
        terminal.press("9 6\n")
        assert terminal.exit_code() == -signal.SIGKILL
        assert "2. move" not in shown(terminal)
    del tmp_path
    result = run("play", "--resume")
    assert "Score 499, 1 move, no runs removed." in result.stdout


def test_two_games_at_the_same_time() -> None:
    with simon_solver("play", CODE) as first:
        say(first, "9 10")
        for choice in (["--resume"], ["kpat:72"]):
            with simon_solver("play", *choice) as second:
                assert second.exit_code() == 2
                assert "another game is being played in this file" in second.output
        say(first, "9 6")
        first.process.kill()
        first.exit_code()
        # The one that was killed holds nothing any more.
        with simon_solver("play", "--resume") as second:
            assert "Undone: move the 6 of clubs" in say(second, "u")


@pytest.mark.parametrize(
    "environment",
    [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"PYTHONIOENCODING": "ascii"}, {}],
)
@pytest.mark.parametrize("spoken", [False, True])
def test_odd_terminals(environment: dict[str, str], spoken: bool, late: str) -> None:
    command = [sys.executable, "-m", "simon_solver", "play", late, *["--spoken"] * spoken]
    with PseudoTerminal(*command, rows=24, columns=80, **environment) as terminal:
        for line in ("?", "m", "h", LATE_LOSS, "h", "u", "1 1"):
            say(terminal, line)
        terminal.press("q\n")
        assert terminal.exit_code() == 0
        plain = spoken or environment
        colours = re.findall(r"\x1b\[[\d;]*m", terminal.output)
        if "PYTHONIOENCODING" in environment:
            assert terminal.output.isascii()
        else:
            assert bool(colours) == (not plain)
        # A prompt is on a line of its own, and nothing is longer than the terminal.
        assert max(map(len, shown(terminal).splitlines())) < 80
        if spoken:
            assert not set("♠♥♦♣\x1b") & set(terminal.output)


def test_several_lines_at_once_and_an_end_without_a_line_end() -> None:
    with simon_solver("play", CODE) as terminal:
        wait_for_prompts(terminal, 1)
        terminal.press("9 10\n9 6\n5 9\nu\n")
        wait_for_prompts(terminal, 5)
        terminal.press("r\x04\x04\x04")
        assert terminal.exit_code() == 0
        assert "Redone: move the 9 of clubs" in shown(terminal)
