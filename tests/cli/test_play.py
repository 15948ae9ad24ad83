"""``play`` with piped input: what each action says, what is refused, and where games are kept."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from click.testing import Result

from simon_solver.answers import advice
from simon_solver.cli.playing.dialogue import _COMMAND, _SHORT
from simon_solver.cli.playing.keeping import SAVE_VARIABLE, keeper
from simon_solver.cli.playing.saved import read_saved
from simon_solver.errors import MoveError
from simon_solver.game.moves import Move
from simon_solver.game.played import PlayedGame, tap
from simon_solver.game.rules import legal_moves
from simon_solver.reading.deals import read_deal
from simon_solver.render.play import HELP, RULE
from simon_solver.render.style import escaped
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.cli import StandInSolver, error_line, run, run_process
from tests.support.design import DESIGNS
from tests.support.play import LAST, LATE, LATE_LOSS, LATE_WIN
from tests.support.processes import start

CODE = "SS1-S4-AAAAABD"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the boards."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "late").write_text(LATE, encoding="ascii")
    (tmp_path / "last").write_text(LAST, encoding="ascii")
    return tmp_path


def typed(*lines: str, of: tuple[str, ...] = (CODE,)) -> Result:
    """The game after these lines of input, in which nothing goes wrong."""
    result = run("play", *of, stdin="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result


def answers(*lines: str, of: tuple[str, ...] = (CODE,)) -> list[str]:
    """What is answered to each line, on one line and without a board."""
    parts = re.split(r"^> .*\n", typed(*lines, of=of).stdout, flags=re.MULTILINE)[1:]
    found = []
    for part in parts[: len(lines)]:
        told = re.sub(r"^ +1   2 .*\n(?:  .*\n)*", "", part, flags=re.MULTILINE)
        found.append(" ".join(told.split()))
    return found


def test_a_game_from_a_pipe(folder: Path) -> None:
    del folder
    result = typed("9>10", "q")
    assert result.stdout.startswith(
        f"{CODE} (4 suits). Type a move such as 4 7, or ? for help.\n"
        "Note: the app's codes look like ours but name other deals; to solve an app\n"
        "deal, give its description.\n\n   1   2   3"
    )
    assert "\n\nScore 500, 0 moves, no runs removed.\n> 9>10\n\n   1   2" in result.stdout
    assert result.stdout.endswith(
        "\n1. move the queen of diamonds from column 9 to column 10, onto the king of\n"
        "diamonds.\nScore 499, 1 move, no runs removed.\n> q\n"
        "The game is saved; continue it with: simon-solver play --resume\n"
    )


def test_ways_to_write_a_move() -> None:
    for line in ("9 10", "9 10 1", "9>10", "9>10:1", " 9 > 10 : 1 ", "9>10:1 # a remark", "9\t10"):
        (told,) = answers(line)
        assert told.startswith("1. move the queen of diamonds from column 9 to column 10, ")
    (told,) = answers("9>10 9>6 5>9")
    assert [part[:2] for part in re.findall(r"\d\. move", told)] == ["1.", "2.", "3."]
    assert told.endswith("Score 497, 3 moves, no runs removed.")


def test_the_moves_before_a_wrong_one_are_made() -> None:
    (told, after) = answers("9>10 9>6 1>1 5>9", "b")
    assert told == (
        "1. move the queen of diamonds from column 9 to column 10, onto the king of diamonds. "
        "2. move the 6 of clubs from column 9 to column 6, onto the 7 of clubs. "
        "Score 498, 2 moves, no runs removed. "
        f"Not possible: it goes from column 1 to itself. {RULE}"
    )
    assert after == "Score 498, 2 moves, no runs removed."


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1 2", "K♣ cannot go on 8♠: a king goes only into an empty column"),
        ("1 11", "there is no column 11; the columns are 1 to 10"),
        ("4 5 2", "the top 2 cards of column 4 are not a run: only the top card moves"),
        ("4 5 9", "it takes 9 cards from column 4, which has 7"),
    ],
)
def test_a_wrong_move_is_answered_with_the_rule(line: str, told: str) -> None:
    assert answers(line) == [f"Not possible: {told}. {RULE}"]
    spoken = told.replace("K♣", "the king of clubs").replace("8♠", "the 8 of spades")
    assert answers(line, of=(CODE, "--spoken")) == [f"Not possible: {spoken}. {RULE}"]


@pytest.mark.parametrize(
    "line",
    [
        "foo",
        "4",
        "h 3",
        "q 1",
        "restart 2",
        "4 7 2 1",
        "4>",
        "t4x",
        "1234 5",
        "é",
        "t -4",
        "4 7:2",
        "u 0",
        "t 1000",
    ],
)
def test_what_is_not_understood_gets_one_friendly_line(line: str) -> None:
    assert answers(line) == [f"Not understood: {line}. Type a move such as 4 7, or ? for help."]


@pytest.mark.parametrize("line", ["0 0", "0 5", "9>0", "9 > 0 : 1", "b 0", "m 0", "t0"])
def test_columns_are_counted_from_1(line: str) -> None:
    (told,) = answers(line)
    told = told.removeprefix("Not possible: ").lower()
    assert told == "there is no column 0; the columns are 1 to 10."


def test_a_remark_and_an_empty_column() -> None:
    remark, _, empty = answers("# 9>10", "9>10 9>6", "9 1 1")
    assert remark == "Comment ignored."
    assert empty == f"Not possible: column 9 is empty. {RULE}"


def test_a_line_that_is_too_long_does_nothing() -> None:
    for length, told in ((4094, "1. move"), (4095, "Too long"), (4096, "Too"), (9000, "Too")):
        line = "9>10".ljust(length - 4) + " 9>6"
        found = answers(line, "9>10")
        assert found[0].startswith(told)
        assert found[1].startswith("1. move") == (told != "1. move")


def test_lines_of_any_kind_do_no_harm() -> None:
    stdin = b"\xff\xfe\x1b[A\0\n" + b"\x1b" * 99 + b"\n" + b"x" * 10_000 + b" 9>10\n\n# 9>10\n9>10"
    result = run("play", CODE, stdin=stdin)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert max(map(len, re.findall("Not understood: .*", result.stdout))) < 80
    assert len(re.findall("^1. move", result.stdout, re.MULTILINE)) == 1


def test_taps() -> None:
    moved = "move the queen of diamonds from column 9 to column 10, onto the king of diamonds."
    for line in ("t 9", "t9", "TAP 9"):
        assert answers(line) == [f"1. {moved} Score 499, 1 move, no runs removed."]
    assert answers("9>10 9>6", "t 5", "t 5", "t", "t 11") == [
        f"1. {moved} 2. move the 6 of clubs from column 9 to column 6, onto the 7 of clubs. "
        "Score 498, 2 moves, no runs removed.",
        "3. move the 9 of clubs from column 5 to column 9, which is empty. "
        "Score 497, 3 moves, no runs removed.",
        "Not possible: there is no empty column for 8♥, and the next card of its suit is not at "
        "the end of a column. Type m 5 to see where its cards can go.",
        "Say which column, such as t 4.",
        "Not possible: there is no column 11; the columns are 1 to 10.",
    ]


def test_where_cards_may_go(folder: Path) -> None:
    del folder
    late = typed("m 5", "3 2", "m", "m 4", "m 3", of=("late",)).stdout.split("\n> ")[1:]
    assert late[0] == "m 5\nmove     cards     onto\n5>3:5    5♦ .. A♦  6♠"
    assert late[2] == (
        "m\nmove     cards     onto\n"
        "1>2:5    5♠ .. A♠  6♠\n"
        "1>3:5    5♠ .. A♠  empty (or fewer cards)\n"
        "2>4:4    9♠ .. 6♠  T♣\n"
        "2>6:1    6♠        7♥\n"
        "2>8:1    6♠        7♦\n"
        "2>3:5    T♠ .. 6♠  empty (or fewer cards)\n"
        "4>3:1    T♣        empty\n"
        "5>2:5    5♦ .. A♦  6♠\n"
        "5>3:5    5♦ .. A♦  empty (or fewer cards)\n"
        "6>3:1    7♥        empty\n"
        "7>2:5    5♣ .. A♣  6♠\n"
        "7>6:6    6♣ .. A♣  7♥\n"
        "7>8:6    6♣ .. A♣  7♦\n"
        "7>3:7    7♣ .. A♣  empty (or fewer cards)\n"
        "8>3:2    8♦ 7♦     empty (or fewer cards)\n"
        "9>3:4    4♥ .. A♥  empty (or fewer cards)\n"
        "10>3:2   K♦ Q♦     empty (or fewer cards)"
    )
    assert late[3] == "m 4\nmove     cards     onto\n4>3:1    T♣        empty"
    assert late[4].startswith("m 3\nNot possible: column 3 is empty.")
    spoken = answers("m 4", "m 1", of=("kpat:46", "--spoken"))
    assert spoken == ["Column 4 has no moves.", "Column 1 has no moves."]


def test_undo_redo_and_restart() -> None:
    moved = "move the queen of diamonds from column 9 to column 10, onto the king of diamonds."
    found = answers(
        "u", "r", "restart", "9 10", "u", "r", "9 6", "u 5", "r 9", "restart", "u", "r 2"
    )
    assert found[:3] == [
        "There is nothing to undo.",
        "There is nothing to redo.",
        "You are at the start of the game.",
    ]
    assert found[4] == f"Undone: {moved} Score 500, 0 moves, no runs removed."
    assert found[5] == f"Redone: {moved} Score 499, 1 move, no runs removed."
    assert found[7] == "Undone: 2 actions. Score 500, 0 moves, no runs removed."
    assert found[8] == "Redone: 2 actions. Score 498, 2 moves, no runs removed."
    assert found[9] == "Back at the start of the game; u undoes this. " + (
        "Score 500, 0 moves, no runs removed."
    )
    assert found[10] == "Undone: the restart. Score 498, 2 moves, no runs removed."
    assert found[11] == "Redone: the restart. Score 500, 0 moves, no runs removed."


def test_moves_given_on_the_command_line_can_be_undone() -> None:
    found = answers("l", "u 2", "l", of=(CODE, "--after", "9>10 9>6", "--moves-made", "7"))
    assert found == [
        "9>10:1 9>6:1",
        "Undone: 2 actions. Score 493, 7 moves, no runs removed.",
        "No moves have been made.",
    ]


def test_a_column_in_words() -> None:
    assert answers("b 9", "b 11") == [
        "Column 9: 6 of clubs, queen of diamonds.",
        "There is no column 11; the columns are 1 to 10.",
    ]


def test_help_names_every_action() -> None:
    assert HELP in typed("?").stdout
    named = set(re.findall(r"^([a-z?]+)[ ,]", HELP, re.MULTILINE)) | {"r"}
    for short in set(_SHORT.values()):
        assert short in named
    assert _COMMAND.fullmatch("restart")
    assert max(map(len, HELP.splitlines())) < 80


def test_a_whole_game_with_a_slip(folder: Path) -> None:
    found = answers("h", LATE_LOSS, "h", "10 5", "HINT", "u 2", *LATE_WIN, "h", of=("late",))
    good = "It can still be won, but only after 9 of the 10 legal moves. Best: "
    assert found[0].startswith(good)
    assert LATE_LOSS not in found[0]
    assert found[0].endswith(" It leads to 880 points (proven best).")
    lost = "It can no longer be won (proven). Undo {} (u {}) and it can be won."
    assert found[2] == lost.format("1 move", 1)
    assert found[4] == lost.format("2 moves", 2)
    assert found[-1] == "The table is empty: you have won."
    assert found[-2].endswith(
        "the run of spades leaves the table. "
        "Score 880, 20 moves, runs removed: clubs, hearts, diamonds, spades. "
        "The table is empty. Searching for the best possible score; Ctrl-C stops this. "
        "You won with 880 points in 20 moves; that is the best possible score (proven). "
        "restart plays it again, u undoes the last move, q quits."
    )
    assert read_saved(os.environ[SAVE_VARIABLE]).position.is_won
    assert "saved" not in typed("q", of=("--resume",)).stdout
    del folder


def test_a_win_that_is_not_the_best(folder: Path) -> None:
    del folder
    found = answers("2>4:2", "4>1:2", "3>1", "u", "3>1:2", "restart", of=("last",))
    told = "You won with 897 points in 3 moves; the best possible is 898 (proven)."
    assert told in found[2]
    assert found[3].endswith("Score 798, 2 moves, runs removed: hearts, diamonds, clubs.")
    assert told in found[4]
    assert found[5].endswith("Score 800, 0 moves, runs removed: hearts, diamonds, clubs.")


def test_a_win_whose_best_is_not_known(folder: Path, solver: StandInSolver) -> None:
    del folder
    solver.answers = [StoppedBy.TIME, Verdict.UNWINNABLE]
    limits = ("--time-limit", "3", "--state-limit", "5", "--memory-limit", "9")
    found = answers("2>4:2", "4>1:2", "3>1", "u", "r", of=("last", *limits))
    # The stand-in knows of no line, and says that none scores more than 850.
    assert "3 moves; no better line is known, and no line scores more than 850." in found[2]
    assert len(solver.calls) == 2, "what is not proven is asked for again"
    options = {"time_limit": 3.0, "state_limit": 5, "memory_limit": 9}
    assert options.items() <= solver.calls[0].items()
    assert solver.calls[0]["deal"].moves_made == 0


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
def test_ctrl_c_while_the_kernels_are_loaded(folder: Path) -> None:
    before = "from simon_solver.cli.playing import dialogue; dialogue.load_search = interrupt"
    with start("play", str(folder / "last"), before=before) as process:
        output, errors = process.communicate("h\n2>4:2\n4>1:2\n3>1\n", timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert "> h\nStopped.\n> 2>4:2\n" in output
    assert "\nStopped.\nYou won with 897 points in 3 moves.\nrestart plays it again" in output


def test_solve_from_here(folder: Path) -> None:
    del folder
    result = typed("2>4:2", "s", of=("last",)).stdout.partition("\n> s\n")[2]
    assert result.startswith(
        "From here: winnable, score 897 (proven best), 3 moves, 4 runs removed.\n"
        "     move     cards     onto    score\n"
    )
    assert "     the table is empty: won\n" in result
    spoken = typed("s", of=("last", "--spoken")).stdout
    assert "> s\nSearching for an answer; Ctrl-C stops this.\nFrom here: winnable, " in spoken
    assert "\n  1. move the 4 and 3 of spades from column 2 to column 1\n" in spoken


def test_no_line_ends_before_the_number_of_a_column() -> None:
    told = typed("b", *["9 10", "h", "u"] * 2, "s", of=(CODE, "--spoken")).stdout
    assert all(len(line) < 80 for line in told.splitlines())
    assert len(re.findall(r"column \d", told)) > 100
    assert not re.search(r"[Cc]olumn\n", told)


def test_a_game_that_cannot_be_won() -> None:
    found = answers("h", "s", "m", of=("kpat:46",))
    assert found == [
        "This deal cannot be won at all (proven). No move gains points; 500 is the "
        "best score (proven).",
        "From here: unwinnable, score 500 (proven best: no move helps), 0 moves, 0 runs removed.",
        "There are no moves.",
    ]
    assert (
        "Score 500, 0 moves, no runs removed.\nNo moves are left.\n> "
        in typed(of=("kpat:46",)).stdout
    )


def test_stuck_after_a_move() -> None:
    found = answers("7 4", "h", "u", of=("kpat:612",))
    assert found[0].endswith(
        "1 move, no runs removed. No moves are left: undo some (u), or restart."
    )
    back = "Undo 1 move (u 1) and it can be won."
    assert found[1] == f"It can no longer be won (proven). {back}"
    assert found[2].endswith("Score 500, 0 moves, no runs removed.")


def test_further_back_than_undo_goes(folder: Path) -> None:
    del folder
    # Two moves that take each other back, made beyond the reach of undo after one that loses.
    found = answers(LATE_LOSS, " ".join(["10>5", "5>10"] * 60), "h", of=("late",))
    assert found[-1] == (
        "It can no longer be won (proven). It could still be won 121 moves ago, "
        "further back than undo goes: type restart."
    )


def test_a_limit_says_what_it_leaves_open(
    solver: StandInSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for question in ("hint", "check", "solve"):
        monkeypatch.setattr(advice, question, getattr(solver, question))
    # The stand-in knows of no line, and says that none scores more than 850.
    solver.answers = [StoppedBy.STATES] * 2
    nothing = "No known move leads to more than 500 points; no line scores more than 850"
    assert answers("h") == [
        f"It is not known whether this can still be won (state limit). {nothing} (state limit)."
    ]
    solver.answers = [Verdict.WINNABLE, StoppedBy.TIME]
    (told,) = answers("h")
    assert told.startswith(
        "It can still be won, whichever of the 5 legal moves comes next. For example: "
    )
    solver.answers = [Verdict.UNWINNABLE, StoppedBy.MEMORY, Verdict.UNWINNABLE]
    assert answers("9 10", "h")[1] == (
        "It can no longer be won (proven). It is not known whether it could be won earlier "
        "(memory limit). No move gains points; 499 is the best score (proven)."
    )


def test_in_words(folder: Path) -> None:
    del folder
    result = typed("9 10", "9 6", "b", "restart", "5 9", of=(CODE, "--spoken")).stdout
    assert "♠" not in result
    assert not re.search(r"\b[A2-9TJQK][SHDC]\b", result)
    first = (
        "1. move the queen of diamonds from column 9 to column 10, onto the king of\ndiamonds.\n"
        "Column 9 ends in the 6 of clubs. Column 10 ends in the queen of diamonds.\n"
        "Score 499, 1 move, no runs removed.\n> "
    )
    assert first in result
    assert "\nColumn 6 ends in the 6 of clubs. Column 9 is empty.\nScore 498" in result
    assert (
        "\ncolumn 9: empty;\ncolumn 10: king of diamonds, queen of diamonds.\nScore 498" in result
    )
    restarted = result.partition("> restart\n")[2].splitlines()
    assert restarted[0] == "Back at the start of the game; u undoes this."
    assert restarted[1].startswith("No runs removed. column 1: jack of diamonds, queen of spades,")
    assert max(map(len, result.splitlines())) < 80


def test_everything_fits_80_columns(folder: Path) -> None:
    (folder / ("long name " * 12)).write_text(LATE, encoding="ascii")
    actions = ("?", "m", "h", "s", LATE_LOSS, "h", "1 1", "l", "u", *LATE_WIN, "l")
    for spoken in ((), ("--spoken",)):
        result = typed(*actions, of=("long name " * 12, *spoken))
        # All but what is typed.
        told = [line for line in result.stdout.splitlines() if not line.startswith("> ")]
        assert max(map(len, told)) < 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected one of DEAL, --suits and --resume"),
        ([CODE, "--suits", "4"], "expected one of DEAL, --suits and --resume"),
        ([CODE, "--resume"], "expected one of DEAL, --suits and --resume"),
        (["--suits", "4", "--after", "1>2"], "--after and --moves-made need DEAL"),
        (["--resume", "--moves-made", "3"], "--after and --moves-made need DEAL"),
        (["--resume", "--layout", "eight-columns.cardz"], "--layout cannot be used with --resume"),
        (["--suits", "3"], "'3' is not one of '1', '2', '4'"),
        (["-"], "expected a file, got -: play reads actions from standard input"),
        ([CODE, "--after", "-"], "expected a file, got -: play reads actions from standard input"),
        ([CODE, "--after", "1>2"], "--after: move 1: KC cannot go on 8S"),
        (["bad"], "no such deal or file"),
        (["--resume"], "game-"),
        (["--resume"], ".json: no saved game"),
        ([CODE, "--save", "x.txt"], "x.txt: expected a file name ending in .json"),
        (
            [CODE, "--save", "no/x.json"],
            "no/x.json: cannot be written: it is a folder, or its folder does not",
        ),
        ([CODE, "--save", "a\0.json"], "a\\x00.json: cannot be written"),
    ],
)
def test_refused_before_the_game(arguments: list[str], message: str, folder: Path) -> None:
    (folder / "eight-columns.cardz").write_bytes((DESIGNS / "eight-columns.cardz").read_bytes())
    result = run("play", *arguments, stdin="q\n")
    assert result.exit_code == 2
    assert message in error_line(result)
    assert result.stdout == ""


def test_a_random_deal(solver: StandInSolver) -> None:
    for suits in ("1", "2", "4"):
        solver.answers = [Verdict.UNWINNABLE, StoppedBy.STATES, Verdict.WINNABLE]
        first = typed("q", of=("--suits", suits)).stdout.splitlines()[0]
        assert re.match(rf"SS1-S{suits}-[A-Z]{{7}} \({suits} suits?\)\. ", first)
        names = [call["deal"].name for call in solver.calls]
        assert len(set(names)) == len(names) == 3
        assert first.startswith(names[-1])
        assert read_saved(os.environ[SAVE_VARIABLE]).start.name == names[-1]
        solver.calls.clear()


def test_a_random_deal_that_is_not_found(solver: StandInSolver) -> None:
    solver.answers = [Verdict.UNWINNABLE] * 9
    result = run("play", "--suits", "4", "--time-limit", "0.6")
    assert result.exit_code == 3
    assert len(solver.calls) == 3, "each takes a quarter of a second"
    assert error_line(result).startswith("found no winnable deal within the limits")
    solver.calls.clear()
    solver.answers = [StoppedBy.STATES] * 1000
    result = run("play", "--suits", "4", "--time-limit", "0", "--state-limit", "1")
    assert (result.exit_code, len(solver.calls)) == (3, 1000)
    solver.answers = [StoppedBy.INTERRUPT]
    assert run("play", "--suits", "4").exit_code == 130


def test_another_layout(folder: Path) -> None:
    design = folder / "eight-columns.cardz"
    design.write_bytes((DESIGNS / "eight-columns.cardz").read_bytes())
    result = typed("b 8", "b 9", of=(CODE, "--layout", str(design)))
    assert "columns of 7 7 7 7 6 6 6 6" in result.stdout
    assert "There is no column 9; the columns are 1 to 8." in result.stdout
    assert "columns of 7 7 7 7 6 6 6 6" in typed("q", of=("--resume",)).stdout


def test_going_on_with_a_game() -> None:
    typed("9 10", "9 6", "u")
    result = typed("r", "u 5", of=("--resume",)).stdout
    assert result.startswith(f"{CODE} (4 suits). Type a move")
    assert "\n\nScore 499, 1 move, no runs removed.\n> r\n" in result
    assert "\nRedone: move the 6 of clubs from column 9 to column 6" in result
    assert "\nUndone: 2 actions.\n" in result
    # The file is a deal for any other command: the position at hand.
    file = os.environ[SAVE_VARIABLE]
    typed("r", of=("--resume",))
    record = json.loads(run("show", file, "--format", "json").stdout)
    assert (record["moves"], record["columns"][9]) == (1, ["KD", "QD"])


def random_line(game: PlayedGame, rng: Random) -> str:
    """Something to type, which has been done on the table."""
    action = rng.choice([*["move"] * 5, "t", "t", "u", "u", "r", "m", "b", "restart", "x", "1 1"])
    number = rng.randint(1, 11)
    if action == "move":
        move = rng.choice(legal_moves(game.position) or [Move(0, 0, 1)])
        action = str(move)
        if move.source != move.target:
            game.play(move)
    elif action == "t":
        with suppress(MoveError):
            game.play(tap(game.position, number - 1))
    elif action in ("u", "r"):
        number = rng.choice([1, 1, 2, 9])
        for _ in range(number):
            (game.undo if action == "u" else game.redo)()
    elif action == "restart" and rng.random() < 0.3:
        game.restart()
    elif action == "restart":
        action = "?"
    return f"{action} {number}" if action in ("t", "u", "r", "m", "b") else action


def test_dialogues_at_random(rng: Random) -> None:
    """Whatever is typed, what is shown last is what is kept, and the game goes on from there."""
    for number in range(20):
        game = PlayedGame(read_deal(rng.choice([CODE, "SS1-S1-AAAAABD", "kpat:72"])))
        lines = [random_line(game, rng) for _ in range(rng.randrange(1, 130))]
        file = f"{os.environ[SAVE_VARIABLE]}{number}.json"
        arguments = ["--save", file, *rng.choice([[], ["--spoken"]])]
        shown = typed(*lines, "", of=(game.start.name, *arguments)).stdout
        again = typed(of=("--resume", *arguments)).stdout
        runs = len(game.position.removed)
        told = re.findall(r"^Score .*", shown, re.MULTILINE)[-1]
        assert told.startswith(f"Score {game.score}, {len(game.steps)} move")
        assert ("no runs removed" in told) == (runs == 0)
        board = shown.rpartition("> \n")[0].rpartition("> \n")[2]
        assert "Score" in board
        assert board in again
        kept = read_saved(file)
        assert (kept.position, kept.steps) == (game.position, game.steps)
        assert (kept.actions, kept.redoable) == (game.actions, game.redoable)


def test_an_unfinished_game_makes_room(folder: Path) -> None:
    file = Path(os.environ[SAVE_VARIABLE])
    previous = file.with_suffix(".previous.json")
    for _ in range(2):  # nothing was done in the first game: nothing is lost
        assert "is now in another file" not in typed("q").stdout
    typed("9 10")
    told = typed("q", of=("kpat:72",)).stdout
    note = "Your unfinished game is now in another file; continue it with:\n"
    assert f"{note}  simon-solver play --resume --save {previous}\n" in told
    assert read_saved(str(previous)).deal.name == CODE
    assert len(read_saved(str(previous)).steps) == 1
    typed("2>1:2", "3>1:2", of=(str(folder / "last"),))
    assert "is now in another file" not in typed("q").stdout, "a game that is won is not missed"


def test_no_unfinished_game_is_lost(folder: Path) -> None:
    """Each goes to a name that no other has, be that played, kept, unreadable or a folder."""
    del folder
    file = Path("a.json")
    names = [file.with_suffix(f".previous{mark}.json") for mark in ("", *"-2 -3 -4 -5".split())]
    names[1].mkdir()
    names[2].write_text("text", encoding="ascii")
    typed("9 10", of=(CODE, "--save", str(names[0])))

    def begun(deal: str) -> str:
        return typed("9 10", of=(deal, "--save", str(file))).stdout

    begun(CODE)
    with keeper(str(names[0]), resume=True) as kept:
        kept.begin(
            PlayedGame(read_deal("kpat:72"))
        )  # nothing has been done in it, but it is played
        assert f"--resume --save {names[3]}\n" in begun("SS1-S2-AAAAABD")
    assert read_saved(str(names[3])).start.name == CODE
    assert f"--resume --save {names[0]}\n" in begun(CODE)
    assert read_saved(str(names[0])).start.name == "SS1-S2-AAAAABD"
    assert f"--resume --save {names[4]}\n" in begun(CODE)
    assert names[1].is_dir()
    assert names[2].read_text(encoding="ascii") == "text"


def test_a_file_of_another_kind_is_left_alone(folder: Path) -> None:
    file = folder / "other.json"
    for content in ('{"a": 1}', "text"):
        file.write_text(content, encoding="ascii")
        for arguments in (["--resume"], [CODE]):
            result = run("play", *arguments, "--save", "other.json", stdin="9 10\n")
            assert result.exit_code == 2
            assert error_line(result).startswith("other.json: ")
            more = error_line(result).endswith("; choose another file with --save")
            assert more == (arguments == [CODE])
            assert file.read_text(encoding="ascii") == content
    file.write_bytes(b"")
    assert "--resume --save other.json\n" in typed("9 10", of=(CODE, "--save", "other.json")).stdout
    assert len(read_saved("other.json").steps) == 1


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "link.json").symlink_to(folder / "real.json")
    typed("9 10", of=(CODE, "--save", "link.json"))
    assert (folder / "link.json").is_symlink()
    assert len(read_saved("real.json").steps) == 1


def test_a_file_has_one_player_at_a_time(folder: Path) -> None:
    del folder
    for name in ("a.json", None):
        with keeper(name) as kept:
            kept.begin(PlayedGame(read_deal(CODE)))
            arguments = [] if name is None else ["--save", name]
            for choice in ([CODE], ["--resume"]):
                result = run("play", *choice, *arguments)
                assert result.exit_code == 2
                assert error_line(result) == (
                    f"{kept.file}: another game is being played in this file; "
                    "choose another file with --save"
                )
        typed("q", of=(CODE, *arguments))


def test_a_disk_that_gets_full_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    typed("9 10")
    monkeypatch.setattr("os.fsync", full)
    result = run("play", "--resume", stdin="9 6\n5 9\n")
    assert result.exit_code == 70
    assert "Score 497, 3 moves" in result.stdout
    file = os.environ[SAVE_VARIABLE]
    why = f"{file}: No space left on device"
    assert result.stderr.splitlines() == [
        f"Warning: the game is not saved: {why}",
        f"Error: the game is NOT saved: {why}",
    ]
    assert "The game is saved" not in result.stdout
    # A new game would not be saved either: the old one stays where it is.
    result = run("play", "kpat:72", stdin="q\n")
    assert (result.exit_code, result.stdout) == (2, "")
    expected = (
        f"{file}: cannot be written: No space left on device; choose another file with --save"
    )
    assert error_line(result) == expected
    assert len(read_saved(file).steps) == 1
    assert not Path(file).with_suffix(".previous.json").exists()


def test_a_disk_that_has_room_again(monkeypatch: pytest.MonkeyPatch) -> None:
    typed("9 10")
    saves = iter([False, False, True, False, True])

    def sometimes_full(_: int) -> None:
        if not next(saves):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", sometimes_full)
    result = run("play", "--resume", stdin="9 6\nu\nr\nu\n")
    assert result.exit_code == 0
    file = os.environ[SAVE_VARIABLE]
    warning = f"Warning: the game is not saved: {file}: No space left on device"
    again = f"The game is saved again: {file}"
    assert result.stderr.splitlines() == [warning, again, warning, again]
    assert result.stdout.endswith("continue it with: simon-solver play --resume\n")
    kept = read_saved(file)
    assert (len(kept.steps), kept.redoable) == (1, 1)


def test_paths_that_lead_nowhere(folder: Path) -> None:
    (folder / "loop.json").symlink_to("pool.json")
    (folder / "pool.json").symlink_to("loop.json")
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    kept = folder / "protected.json"
    typed("9 10", of=(CODE, "--save", "protected.json"))
    kept.chmod(0o444)
    before = kept.read_bytes()
    faults = {
        "x" * 300 + ".json": "File name too long",
        "x" * 300 + "/a.json": "File name too long",
        "loop.json": "Too many levels of symbolic links",
        "folder.json": "it is a folder",
        "pipe.json": "expected a regular file, got a pipe or a device",
        "late/a.json": "",
        "a\0.json": "",
        "protected.json": "it is write-protected",
    }
    for name, fault in faults.items():
        for choice in ([CODE], ["--resume"]):
            result = run("play", *choice, "--save", name, stdin="9 10\n")
            assert result.exit_code == 2, result.stderr
            assert fault in error_line(result)
            assert escaped(name[:9]) in error_line(result)
    assert kept.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs other users")
def test_a_folder_that_may_not_be_entered(folder: Path) -> None:
    folder.chmod(0o777)
    for name in ("a.json", "folder/a.json"):
        (folder / "folder").mkdir(exist_ok=True)
        typed("9 10", of=(CODE, "--save", name))
    (folder / "folder").chmod(0)
    user = os.geteuid()
    if user == 0:  # who may enter any
        os.seteuid(65534)
    try:
        for choice in ([CODE], ["--resume"]):
            result = run("play", *choice, "--save", "folder/a.json", stdin="9 10\n")
            assert result.exit_code == 2, result.stderr
            assert error_line(result).startswith("folder/a.json: cannot be ")
            assert error_line(result).endswith(": Permission denied")
    finally:
        if user == 0:
            os.seteuid(0)
        (folder / "folder").chmod(0o700)


def test_resuming_nothing_makes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SAVE_VARIABLE, "")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    before = set(folder.iterdir())
    for arguments in ((), ("--save", "a.json")):
        assert "no saved game" in error_line(run("play", "--resume", *arguments))
    assert set(folder.iterdir()) == before


def test_the_usual_file(folder: Path) -> None:
    environment = {SAVE_VARIABLE: "", "XDG_STATE_HOME": str(folder / "state")}
    done = run_process("play", CODE, stdin=b"9 10\n", environment=environment)
    assert done.returncode == 0
    if sys.platform == "linux":
        (file,) = (folder / "state" / "simon-solver").glob("*.json")
        assert len(read_saved(str(file)).steps) == 1
    again = run_process("play", "--resume", stdin=b"u\n", environment=environment)
    assert b"Undone: move the queen of diamonds" in again.stdout
    (folder / "file").touch()
    broken = {SAVE_VARIABLE: "", "XDG_STATE_HOME": str(folder / "file")}
    refused = run_process("play", CODE, environment=broken)
    if sys.platform == "linux":
        assert refused.returncode == 2
        assert refused.stderr.count(b"\n") == 1
        assert b"simon-solver: cannot be created: " in refused.stderr


def test_playing_alone_loads_no_kernels() -> None:
    code = (
        "import sys; from simon_solver.cli.main import cli\n"
        f"cli.main(['play', {CODE!r}], standalone_mode=False); print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="t 9\nm\nu\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "False"
