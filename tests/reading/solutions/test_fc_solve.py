"""What fc-solve prints: read, compared with its own boards, and played as single moves."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import pytest

from simon_solver.answers.verification import Outcome, Replay, verify_solution
from simon_solver.errors import FormatError
from simon_solver.game.deal import Deal
from simon_solver.game.moves import MOST_MOVES
from simon_solver.game.rules import legal_moves
from simon_solver.reading.deals import read_deal
from simon_solver.reading.formats import columns
from simon_solver.reading.solutions import fc_solve
from simon_solver.reading.solutions.known import is_solution_text, read_solution_text
from simon_solver.reading.solutions.printed import Form, GroupMove, PrintedBoard, RunRemoval
from tests.support.deals import DATA
from tests.support.fc_solve import PRESETS, SOLVED, needs_fc_solve
from tests.support.fc_solve import fc_solve as run_fc_solve

SAMPLES = DATA / "samples"
RULE = "-=-=-=-=-=-=-=-=-=-=-=-\n\n"
WRONG = "fc-solve played another game, in which single cards go to foundations"
START = (SAMPLES / "ms24_fcsolve_state.txt").read_text(encoding="ascii")
ELEVEN = START.replace(": AS", ": AS\n:")


def sample(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="ascii")


def played(deal: str, text: str) -> Replay:
    return verify_solution(read_deal(deal), read_solution_text(text))


@pytest.mark.parametrize(
    ("deal", "name", "written", "moves"),
    [
        ("ms:24", "ms24_fcsolve_m.txt", 77, 101),
        ("ms:24", "ms24_fcsolve_m_snx.txt", 77, 101),
        ("ms:116", "ms116_fcsolve_sam.txt", 52, 56),
        ("ms:116", "ms116_fcsolve_p_t_sam_snx.txt", 52, 56),
        ("ms:183", "ms183_fcsolve_m_sn.txt", 81, 125),
    ],
)
def test_whole_solutions(deal: str, name: str, written: int, moves: int) -> None:
    for text in (sample(name), sample(name).replace("\n", "\r\n"), f"Iteration: 0\n{sample(name)}"):
        replay = played(deal, text)
        assert replay.error == ""
        assert replay.outcome is Outcome.WON
        assert (replay.form, replay.moves_written) == (Form.FC_SOLVE, written)
        assert (replay.moves, replay.score) == (moves, 900 - moves)


@pytest.mark.parametrize(
    ("name", "moves"),
    [("ms24_fcsolve_p_t_sam_first3.txt", 2), ("ms24_fcsolve_sam_columns_first1.txt", 1)],
)
def test_texts_that_are_cut_off(name: str, moves: int) -> None:
    replay = played("ms:24", sample(name))
    assert replay.outcome is Outcome.NOT_WON
    assert replay.moves == replay.moves_written == moves


def test_both_notations_say_the_same() -> None:
    words, short = (
        [(type(item), *vars(item).values()) for item in fc_solve.read(sample(name)).items]
        for name in ("ms24_fcsolve_m.txt", "ms24_fcsolve_m_snx.txt")
    )
    assert len(words) == len(short) == 81
    for told, shortly in zip(words, short, strict=True):
        if told[0] is GroupMove:
            assert told[1:3] == shortly[1:3]
            assert shortly[3] in (None, told[3])
        else:
            assert told[:2] == shortly[:2] == (RunRemoval, told[1])


def test_boards_are_read_as_the_boards_that_they_are() -> None:
    deal = read_deal("ms:116").position
    for name in ("ms116_fcsolve_sam.txt", "ms116_fcsolve_p_t_sam_snx.txt"):
        boards = [i for i in fc_solve.read(sample(name)).items if isinstance(i, PrintedBoard)]
        assert boards[0].columns == deal.columns
        assert boards[0].removed == ()
        assert boards[-1].columns == ((),) * 10
        assert sorted(boards[-1].removed) == [0, 1, 2, 3]
        assert len(boards) == 52 + 4 + 1


@pytest.mark.parametrize(
    "text",
    [
        "Move 1 cards from stack 4 to stack 7",
        "  MOVE 1 card from stack 4 to stack 7  \n",
        "Move: 58 ",
        "58 36 107 24",
        "58 27v5",
        "9h",
        "This game is solveable.",
        "I could not solve this game.",
        RULE,
    ],
)
def test_recognised(text: str) -> None:
    assert fc_solve.recognises(text)
    assert is_solution_text(text)


@pytest.mark.parametrize("text", ["", "4 7 2", "58 36 10", "1 2 3 4", "4>7:2", "# Move 1", "h v5"])
def test_not_recognised(text: str) -> None:
    assert not fc_solve.recognises(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{RULE}Move 1 cards from stack 4", "line 3, column 1: expected a line of fc-solve such "
         "as 'Move 2 cards from stack 4 to stack 7', or moves such as '58 27v5', "
         "got 'Move 1 cards from stack 4'"),
        (f"{RULE}58  011", "line 3, column 5: expected a line of fc-solve"),
        (f"{RULE}Move: 58 1x", "line 3, column 10: expected a line of fc-solve"),
        (f"{RULE}58\n{RULE}58", "line 4: expected one solution, got a second"),
        ("I could not solve this game.\nTotal number of states checked is 1.\n",
         "expected a solution, got fc-solve's 'I could not solve this game.'"),
        ("Iterations count exceeded.\n",
         "expected a solution, got fc-solve's 'Iterations count exceeded.'"),
        (f"{RULE}{START}\n====\n\n{SOLVED}", "expected moves, got none; run fc-solve with -m or"),
        ("58 " * (MOST_MOVES + 1), "line 1: expected at most 10000 moves, got more"),
        ("Move a card from stack 9 to the foundations", f"line 1: {WRONG}, as with some of its "
         "presets; try another preset, such as '-l the-last-mohican' "
         "('Move a card from stack 9 to the foundations')"),
        (f"{RULE}Foundations: H-0 C-0 D-3 S-0\n", f"line 3: {WRONG}"),
        (f"{RULE}Foundations: H-0 C-0 D-0 S-0\n: 4C 1H\n\n", "line 4, column 6: expected a card"),
        (f"{RULE} H-0 C-0 D-0 S-0\n\n --  -- \n 4C  5H  6H\n\n", "line 6, column 10: expected a "
         "card under one of the 2 marks --, got '6H'"),
        (f"{RULE} H-0 C-0 D-0 S-0\n\n --  -- \n 4C  X\n\n", "line 6, column 6: expected a card "),
    ],
)  # fmt: skip
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_solution_text(text)
    assert str(error.value).startswith(message)


def test_the_wrong_game_in_the_real_output() -> None:
    with pytest.raises(FormatError, match=f"^line 3: {WRONG}"):
        read_solution_text(sample("ms24_fcsolve_amateurstar_m_WRONG_GAME.txt"))
    error = played("ms:24", "58 36 9h\n").error
    assert error.startswith(f"after move 2: it is not a complete run: {WRONG}")
    assert error.endswith("('9h' at line 1, column 7)")


@pytest.mark.parametrize(
    ("text", "message", "moves"),
    [
        ("Move 1 cards from stack 4 to stack 7\n\nMove 2 cards from stack 0 to stack 9",
         "move 2: the top 2 cards of column 1 do not go down rank by rank: KS lies on 8S "
         "('Move 2 cards from stack 0 to stack 9' at line 3)", 1),
        ("Move 1 cards from stack 4 to stack 10",
         "move 1: there is no column 11; the columns are 1 to 10 ('Move 1 cards from stack 4 to "
         "stack 10' at line 1)", 0),
        ("58 58v1", "move 2: 3S cannot go on JD: needs a card one rank higher "
         "('58v1' at line 1, column 4)", 1),
        ("58 1010v1", "move 2: it goes from column 10 to itself ('1010v1' at line 1, column 4)", 1),
        ("Move 1 cards from stack 4 to stack 7\n"
         "Move the sequence on top of Stack 7 to the foundations\n",
         "after move 1: no complete run has left column 8 "
         "('Move the sequence on top of Stack 7 to the foundations' at line 2)", 1),
        (f"{RULE}{START}\n\nMove: 58\n\n{START}\n\n", "after move 1: the board at line 19 differs: "
         "column 5 has 2D JS KH TC 3S JD there, but 2D JS KH TC 3S by the rules", 1),
        (f"{RULE}{START.replace('4C', '4H')}\n\nMove: 58\n", "before the first move: the board at "
         "line 3 is invalid: expected 52 cards, got 52; missing: 4C; too many: 4H", 0),
        (f"{RULE}{ELEVEN}\n\nMove: 58\n", "before the first move: the "
         "board at line 3 has 11 columns instead of 10", 0),
    ],
)  # fmt: skip
def test_what_cannot_be_played(text: str, message: str, moves: int) -> None:
    replay = played("ms:24", text)
    assert replay.outcome is Outcome.ILLEGAL
    assert replay.error.startswith(message)
    assert len(replay.steps) == moves
    # The position is that before the fault.
    assert (
        replay.position
        == verify_solution(
            read_deal("ms:24"), read_solution_text("5>8" if moves else "# none")
        ).position
    )


def test_numbers_of_cards_that_are_not_told_are_tried_but_not_for_ever() -> None:
    text = sample("ms183_fcsolve_m_sn.txt")
    end = text.index("\n\nThis game")
    started = process_time()
    replay = played("ms:183", text[:end] + "11" + text[end:])
    # All else can be played, so the fault is the one that comes latest.
    assert replay.error.startswith("move 82: it goes from column 1 to itself ('11' at line ")
    assert len(replay.steps) > 100
    # A long way to the fault, again for each number.
    part = text[: text.index("73 39")]
    position = played("ms:183", part).position
    move = next(
        move
        for move in legal_moves(position)
        if move == (move.source, move.target, len(position.columns[move.source]))
        and not position.columns[move.target]
    )
    there, back = (
        f"{one + 1}{other + 1}v{move.count:x} "
        for one, other in ((move.source, move.target), (move.target, move.source))
    )
    replay = played("ms:183", part + (there + back) * 4900 + "11")
    assert replay.error.startswith("move 9880: it goes from column 1 to itself")
    # Here the first move cannot be played, whatever is tried.
    assert played("ms:24", text).error.startswith("move 1: ")
    assert process_time() - started < 30


def test_a_run_that_stays_on_the_table_for_a_while() -> None:
    # fc-solve may leave a complete run where it is and name its removal some moves later.
    items = list(fc_solve.read(sample("ms24_fcsolve_m.txt")).items)
    place = next(n for n, item in enumerate(items) if isinstance(item, RunRemoval))
    assert isinstance(items[place + 1], GroupMove)
    items[place], items[place + 1] = items[place + 1], items[place]
    solution = replace(fc_solve.read("58"), items=tuple(items))
    assert verify_solution(read_deal("ms:24"), solution).outcome is Outcome.WON


def test_a_run_that_was_complete_from_the_start() -> None:
    position = read_deal(str(SAMPLES / "ms72_after75_1run_fcsolve_state.txt")).position
    removal = "Move the sequence on top of Stack 0 to the foundations\n"
    deal = Deal("", position)
    assert verify_solution(deal, read_solution_text(removal)).error == ""
    assert verify_solution(deal, read_solution_text(removal * 2)).error != ""


@needs_fc_solve
@pytest.mark.parametrize(
    "options",
    ["-m", "-m -sn", "-m -snx", "-sam", "-sam -p -t", "-sam -sn -p", "-sam -snx -t -sel"],
)
def test_the_program_itself(options: str) -> None:
    assert check_solutions(range(1, 16), options.split()) == 2 * 13


@needs_fc_solve
@pytest.mark.slow
@pytest.mark.parametrize("options", ["-m", "-m -sn", "-m -snx", "-sam", "-sam -snx -p -t"])
def test_all_solutions_of_two_hundred_deals(options: str) -> None:
    assert check_solutions(range(1, 201), options.split()) == 139 + 179


def check_solutions(numbers: range, options: list[str]) -> int:
    """All solutions of these deals by both presets win; returns how many there are."""
    found = 0
    for number in numbers:
        deal = read_deal(f"kpat:{number}")
        for preset in PRESETS:
            text = run_fc_solve(deal.position, preset, *options)
            if SOLVED in text:
                replay = verify_solution(deal, read_solution_text(text))
                assert replay.outcome is Outcome.WON, (number, preset, replay.error)
                assert replay.moves > replay.moves_written
                found += 1
    return found


@needs_fc_solve
def test_the_program_plays_the_wrong_game() -> None:
    position = read_deal("ms:24").position
    assert columns.write(position) == sample("ms24.board")
    for options in (["-m"], ["-sam"], ["-m", "-sn"], ["-sam", "-p", "-snx"]):
        text = run_fc_solve(position, "default", "-l", "amateur-star", *options)
        try:
            error = played("ms:24", text).error
        except FormatError as fault:
            error = str(fault)
        assert WRONG in error, options
