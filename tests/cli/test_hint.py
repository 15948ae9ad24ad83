"""``hint``: what it asks, what it prints, letter by letter, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from simon_solver.answers.results import Hint, MoveHint
from simon_solver.cli.shared.progress import SearchProgress
from simon_solver.game.rules import legal_moves, play
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import read_deal
from simon_solver.render.hints import hint_text
from simon_solver.render.style import Style
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.cli import StandInSolver, error_line, run
from tests.support.deals import DATA
from tests.support.processes import ended, start
from tests.support.terminal import simon_solver

CODE = "SS1-S4-AAAAABD"
WIN = DATA / "samples" / "ms72_win93_from_to_count.txt"
PLAIN, ASCII, COLOUR = Style(), Style(symbols=False), Style(colour=True)
WON, LOST, OPEN = Verdict.WINNABLE, Verdict.UNWINNABLE, Verdict.UNDETERMINED
START = read_deal(CODE)
STEPS = [play(START.position, move)[0] for move in legal_moves(START.position)]


def test_defaults(solver: StandInSolver) -> None:
    assert run("hint", CODE).exit_code == 0
    (call,) = solver.calls
    assert isinstance(call.pop("on_progress"), SearchProgress)
    assert call == {
        "deal": read_deal(CODE),
        "time_limit": 60.0,
        "memory_limit": 4096,
        "state_limit": 0,
    }


def test_options_reach_the_search(solver: StandInSolver) -> None:
    run(
        "hint", CODE, "--time-limit", "0.5", "--memory-limit", "100", "--state-limit", "9",
        "--after", "9>10", "--moves-made", "4",
    )  # fmt: skip
    (call,) = solver.calls
    assert (call["time_limit"], call["memory_limit"], call["state_limit"]) == (0.5, 100, 9)
    after = START.after(read_moves("9>10"))
    assert (call["deal"].position, call["deal"].moves_made) == (after.position, 5)


def test_text() -> None:
    shown = run("hint", CODE).stdout
    without_effort, count = re.subn(r"search   [\d,]+ states in \d+\.\d\d s\n", "", shown)
    assert count == 1
    assert without_effort == (
        "deal     SS1-S4-AAAAABD (4 suits)\n"
        "played   0 moves, 0 runs removed\n"
        "verdict  winnable\n"
        "score    840 (proven best)\n"
        "hint     9>10:1, move the queen of diamonds from column 9 to column 10\n"
        "Note: the app's codes look like ours but name other deals; "
        "to solve an app deal, give its description.\n"
        "\n"
        "move     cards     onto    score\n"
        "9>10:1   Q♦        K♦        840  keeps the win, best score\n"
        "2>5:1    8♠        9♣        840  keeps the win, best score\n"
        "5>7:1    9♣        T♦        839  keeps the win, loses 1 point\n"
        "6>2:1    7♣        8♠        839  keeps the win, loses 1 point\n"
        "9>1:1    Q♦        K♣        839  keeps the win, loses 1 point\n"
    )


def test_json_after_moves_from_a_file_and_a_board_from_standard_input(tmp_path: Path) -> None:
    win = WIN.read_text(encoding="ascii").splitlines()[1:]
    moves = tmp_path / "moves"
    moves.write_text("\n".join(win[:90]), encoding="ascii")
    board = (DATA / "samples" / "ms72.board").read_bytes()
    result = run("hint", "-", "--after", str(moves), "--format", "json", stdin=board)
    assert result.exit_code == 0
    record = json.loads(result.stdout)
    assert list(record) == [
        *("deal", "suits", "verdict", "score", "best_proven", "score_bound", "best", "moves"),
        *("stopped_by", "states", "seconds"),
    ]
    assert (record["deal"], record["verdict"], record["stopped_by"]) == ("-", "winnable", None)
    assert (record["score"], record["best_proven"], record["score_bound"]) == (807, True, 807)
    first = record["moves"][0]
    assert list(first) == [
        *("from", "to", "cards", "removes"),
        *("verdict", "score", "best_proven", "score_bound"),
    ]
    assert record["best"] == {name: first[name] for name in ("from", "to", "cards", "removes")}
    assert (first["verdict"], first["score"], first["best_proven"]) == ("winnable", 807, True)
    scores = [move["score"] for move in record["moves"] if move["verdict"] == "winnable"]
    assert scores == sorted(scores, reverse=True)
    again = run("hint", "kpat:72", "--after", "-", "--format", "json", stdin=moves.read_bytes())
    assert json.loads(again.stdout)["moves"] == record["moves"]


def test_won_and_stuck() -> None:
    won = run("hint", "kpat:72", "--after", str(WIN))
    assert won.exit_code == 0
    assert "score    807 (proven best)\nhint     the game is won\n" in won.stdout
    assert won.stdout.splitlines()[-1].startswith("search ")
    stuck = run("hint", "kpat:46")
    assert stuck.exit_code == 1
    assert "verdict  unwinnable\n" in stuck.stdout
    assert "hint     no move can be made\n" in stuck.stdout
    record = json.loads(run("hint", "kpat:46", "--format", "json").stdout)
    assert (record["best"], record["moves"], record["score"]) == (None, [], 500)


def test_errors() -> None:
    assert error_line(run("hint", CODE, "--after", "9>9")).startswith("--after: move 1: ")
    assert error_line(run("hint", "-", "--after", "-")) == (
        "standard input cannot be both the deal and the moves"
    )


def shown(
    verdict: Verdict,
    score: int,
    bound: int,
    *moves: tuple[Verdict, int, int],
    stopped_by: StoppedBy | None = None,
    style: Style = PLAIN,
) -> list[str]:
    """The lines about a made-up hint, whose moves have these verdicts, scores and bounds."""
    hints = tuple(MoveHint(step, *move) for step, move in zip(STEPS, moves, strict=False))
    lines = hint_text(START, Hint(verdict, score, bound, hints, stopped_by, 7, 0.25), style)
    return lines.split("\n")


def worths(lines: list[str]) -> list[str]:
    """What the table says of each move, from the score on."""
    table = lines[lines.index("") + 2 :]
    return [line[27:] if line[0].isdigit() else line for line in table]


def test_words_for_what_is_proven() -> None:
    lines = shown(
        WON, 840, 840, (WON, 840, 840), (WON, 839, 839), (WON, 838, 838), (LOST, 499, 499)
    )
    assert lines[2:5] == [
        "verdict  winnable",
        "score    840 (proven best)",
        "hint     2>5:1, move the 8 of spades from column 2 to column 5",
    ]
    assert worths(lines) == [
        "  840  keeps the win, best score",
        "  839  keeps the win, loses 1 point",
        "  838  keeps the win, loses 2 points",
        "  499  loses the game",
    ]


def test_words_for_what_is_not_proven() -> None:
    moves = [(WON, 840, 840), (WON, 838, 840), (WON, 837, 839), (OPEN, 499, 840), (LOST, 499, 512)]
    lines = shown(WON, 840, 840, *moves, stopped_by=StoppedBy.TIME)
    assert worths(lines) == [
        "  840  keeps the win, best score",
        "  838+ keeps the win, loses at most 2 points",
        "  837+ keeps the win, loses 1 to 3 points",
        "  499+ undetermined",
        "  499+ loses the game",
        "+ marks a score known to be reachable; a higher one may be possible.",
    ]
    lines = shown(WON, 840, 845, (WON, 840, 845), (WON, 839, 839), stopped_by=StoppedBy.MEMORY)
    assert lines[3] == (
        "score    840 (not proven best, memory limit; no line scores more than 845)"
    )
    assert worths(lines)[:2] == [
        "  840+ keeps the win, best score known",
        "  839  keeps the win, 1 point below the best known",
    ]


def test_words_for_a_lost_position() -> None:
    lines = shown(LOST, 512, 512, (LOST, 512, 512), (LOST, 510, 510))
    assert lines[4].startswith("hint     2>5:1, move the 8 of spades")
    assert worths(lines) == ["  512  best score", "  510  loses 2 points"]
    assert "stop here: no move scores more" in shown(LOST, 500, 500, (LOST, 499, 499))[4]
    lines = shown(LOST, 500, 600, (LOST, 499, 600), stopped_by=StoppedBy.STATES)
    assert "stop here: no known move scores more" in lines[4]


def test_words_for_an_undetermined_position() -> None:
    lines = shown(OPEN, 500, 850, (OPEN, 499, 850), (LOST, 499, 499), stopped_by=StoppedBy.TIME)
    assert lines[2] == "verdict  undetermined (time limit)"
    assert lines[4] == (
        "hint     no winning move is known; try 2>5:1, "
        "move the 8 of spades from column 2 to column 5"
    )
    assert worths(lines)[:2] == ["  499+ undetermined", "  499  cannot be won"]


def test_a_removal_is_told() -> None:
    deal = read_deal("kpat:72").after(read_moves(str(WIN))[:91])
    (step, _) = play(deal.position, read_moves(str(WIN))[91])
    hint = Hint(WON, 807, 807, (MoveHint(step, WON, 807, 807),), None, 7, 0.25)
    assert (
        "hint     6>2:10, move the run from the 10 down to the ace of hearts from column 6 to "
        "column 2; the run of hearts leaves the table\n"
    ) in hint_text(deal, hint, PLAIN)


def test_styles() -> None:
    moves = [(WON, 840, 840), (OPEN, 499, 840), (LOST, 499, 499)]
    plain, coloured = (
        "\n".join(shown(WON, 840, 840, *moves, style=style)) for style in (PLAIN, COLOUR)
    )
    assert "\x1b[32mkeeps the win\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert "\n".join(shown(WON, 840, 840, *moves, style=ASCII)).isascii()


def test_lines_fit_a_terminal() -> None:
    moves = [(WON, 740, 840), (WON, 731, 839), (OPEN, 499, 840), (LOST, 499, 600)]
    for bound in (840, 850):
        lines = shown(WON, 840, bound, *moves, stopped_by=StoppedBy.INTERRUPT)
        table = lines[lines.index("") :]
        assert max(map(len, table)) <= 80


INTERRUPTS = {
    "at its end": "from simon_solver.answers import hints\n"
    "told = hints._Hints.told\n"
    "hints._Hints.told = lambda *a, **k: (interrupt(), told(*a, **k))[1]",
    "while it is printed": "from simon_solver.cli.commands import hint\n"
    "put = hint.put\n"
    "hint.put = lambda text: (interrupt(), put(text))",
}


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
@pytest.mark.parametrize("moment", INTERRUPTS)
def test_a_late_ctrl_c_leaves_the_answer_whole(moment: str) -> None:
    run("hint", CODE)  # so that nothing is left to compile
    before = INTERRUPTS[moment]
    code, output, errors = ended(start("hint", CODE, "--format", "json", before=before))
    assert (code, errors) == (130, "")
    record = json.loads(output)
    assert (record["score"], len(record["moves"])) == (840, 5)
    assert record["stopped_by"] == ("interrupt" if moment == "at its end" else None)


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_progress_and_ctrl_c_on_a_terminal() -> None:
    run("hint", CODE)  # so that nothing is left to compile
    with simon_solver("hint", "SS1-S4-AAAAKXT", "--time-limit", "0") as terminal:
        terminal.wait_for(lambda seen: "looking for the best line" in seen.output)
        os.kill(terminal.process.pid, signal.SIGINT)
        assert terminal.exit_code() == 130
        assert "unwinnable" in terminal.output
        assert "(not proven best, interrupted; no line scores more than" in terminal.output


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_a_terminal_gets_no_code_after_the_answer() -> None:
    run("check", "SS1-S4-AAAAABD")  # so that nothing is left to compile
    with simon_solver("check", "SS1-S4-AAAAABD") as terminal:
        assert terminal.exit_code() == 0
    assert terminal.output == "SS1-S4-AAAAABD  \x1b[32mwinnable\x1b[0m\r\n"
