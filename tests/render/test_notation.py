"""Moves in fc-solve's notation and in words, letter by letter, and read again."""

from __future__ import annotations

from random import Random

import pytest

from simon_solver.answers.verification import Outcome, verify_solution
from simon_solver.game.cards import parse_card
from simon_solver.game.deal import Deal
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, legal_moves, play, replay
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import read_deal
from simon_solver.reading.solutions.known import read_solution_text
from simon_solver.reading.solutions.printed import Form
from simon_solver.render.moves import move_lines
from simon_solver.render.notation import Notation, Speech, spoken_cards
from simon_solver.render.style import Style
from tests.support.deals import DATA, random_deal_with_run, small_deck

SAMPLES = DATA / "samples"
DEAL = read_deal("kpat:72")
WIN = read_moves(str(SAMPLES / "ms72_win93_from_to_count.txt"))
LATE = DEAL.after(WIN[:88])
STEPS = replay(LATE.position, WIN[88:])[0]


def lines(
    position: Position, steps: list[Step], notation: str, *, mixed_runs: bool = False, made: int = 0
) -> list[str]:
    speech = Speech(Notation(notation), mixed_runs)
    return list(move_lines(position, steps, made, Style(), speech))


def test_fc_solve() -> None:
    assert lines(LATE.position, STEPS, "fc-solve", made=88) == [
        "-=-=-=-=-=-=-=-=-=-=-=-",
        "",
        "Move 3 cards from stack 4 to stack 3",
        "",
        "====================",
        "",
        "Move 10 cards from stack 3 to stack 0",
        "",
        "====================",
        "",
        "Move 1 cards from stack 3 to stack 1",
        "",
        "====================",
        "",
        "Move 10 cards from stack 5 to stack 1",
        "",
        "====================",
        "",
        "Move the sequence on top of Stack 1 to the foundations",
        "",
        "====================",
        "",
        "Move 10 cards from stack 0 to stack 5",
        "",
        "====================",
        "",
        "Move the sequence on top of Stack 5 to the foundations",
        "",
        "====================",
        "",
        "This game is solveable.",
    ]


def test_the_real_output_word_for_word() -> None:
    # Its own solution, joined again, is what fc-solve printed, but for its counts at the end.
    text = (SAMPLES / "ms24_fcsolve_m.txt").read_text(encoding="ascii")
    deal = read_deal("ms:24")
    steps = list(verify_solution(deal, read_solution_text(text)).steps)
    found = lines(deal.position, steps, "fc-solve", mixed_runs=True)
    assert found == text.splitlines()[:-2]


def test_spoken() -> None:
    assert lines(LATE.position, STEPS, "spoken", made=88) == [
        " 89. move the run from the 3 down to the ace of diamonds from column 5 to column 4",
        " 90. move the run from the 10 down to the ace of diamonds from column 4 to column 1",
        " 91. move the jack of hearts from column 4 to column 2",
        " 92. move the run from the 10 down to the ace of hearts from column 6 to column 2; "
        "the run of hearts leaves the table",
        " 93. move the run from the 10 down to the ace of diamonds from column 1 to column 6; "
        "the run of diamonds leaves the table",
        "     the table is empty: won",
    ]


@pytest.mark.parametrize(
    ("cards", "spoken"),
    [
        ("QD", "the queen of diamonds"),
        ("9H 8H", "the 9 and 8 of hearts"),
        ("2S AS", "the 2 and ace of spades"),
        ("JH TH 9H 8H", "the run from the jack down to the 8 of hearts"),
        ("9H 8S", "the 9 of hearts and the 8 of spades"),
        ("JH TH 9C", "the cards from the jack of hearts down to the 9 of clubs"),
    ],
)
def test_spoken_cards(cards: str, spoken: str) -> None:
    assert spoken_cards(tuple(map(parse_card, cards.split()))) == spoken


def test_joined_moves_count_as_what_they_are() -> None:
    steps = replay(DEAL.position, WIN)[0]
    for notation in ("simon", "spoken"):
        single = lines(DEAL.position, steps, notation)
        joined = lines(DEAL.position, steps, notation, mixed_runs=True)
        assert len(joined) < len(single)
        assert joined[-2:] == single[-2:]  # the number of the last move among them
        assert any("  3 moves" in line or "which is 3 moves" in line for line in joined)


@pytest.mark.parametrize("mixed_runs", [False, True])
@pytest.mark.parametrize("sample", ["72_win93", "266_win116", "309_win100"])
def test_what_is_written_for_fc_solve_is_read_again(sample: str, mixed_runs: bool) -> None:
    name, moves = sample.split("_win")
    deal = read_deal(f"kpat:{name}")
    steps = replay(deal.position, read_moves(str(SAMPLES / f"ms{sample}_from_to_count.txt")))[0]
    for part in (steps, steps[:60]):
        text = "\n".join(lines(deal.position, part, "fc-solve", mixed_runs=mixed_runs))
        solution = read_solution_text(text)
        assert solution.form is Form.FC_SOLVE
        assert (solution.moves < len(part)) is mixed_runs
        result = verify_solution(deal, solution)
        assert result.error == ""
        assert result.moves == len(part)
        assert result.position.columns == replay(deal.position, [s.move for s in part])[1].columns
        assert result.steps == tuple(part) or mixed_runs
    assert int(moves) == len(steps)


def test_random_lines_are_read_again() -> None:
    rng, removed = Random(7), 0
    for number in range(60):
        start = random_deal_with_run(rng, 1 + number % 4, 4, (4, 4, 4, 4, 0, 0))
        position, steps = start, []
        for _ in range(40):
            choices = legal_moves(position)
            if not choices:
                break
            step, position = play(position, rng.choice(choices))
            steps.append(step)
        removed += sum(len(step.removes) for step in steps)
        for mixed_runs in (False, True):
            text = "\n".join(lines(start, steps, "fc-solve", mixed_runs=mixed_runs))
            result = verify_solution(start, read_solution_text(text))
            assert result.error == "", text
            assert (result.moves, result.position.columns) == (len(steps), position.columns)
    assert removed > 10


def test_a_run_that_a_move_uncovers_has_its_line() -> None:
    # Only in positions from files and in small decks: the king lies on a complete run.
    deck = small_deck(4, 4)
    runs = [deck.run_of(suit) for suit in range(4)]
    columns = ((*runs[0], runs[1][0]), runs[1][1:], runs[2][:2], (runs[2][2], runs[3][3]), (), ())
    rest = (runs[2][3], *runs[3][:3])
    start = Position(deck, (*columns, rest))
    step, end = play(start, legal_moves(start)[0])
    assert step.removes == (0,)
    text = "\n".join(lines(start, [step], "fc-solve"))
    assert "Move the sequence on top of Stack 0 to the foundations" in text
    result = verify_solution(Deal("", start), read_solution_text(text))
    assert (result.outcome, result.error) == (Outcome.NOT_WON, "")
    assert result.position == end


def test_no_moves_at_all() -> None:
    assert lines(DEAL.position, [], "spoken") == []
    assert (
        verify_solution(
            DEAL, read_solution_text("\n".join(lines(DEAL.position, [], "fc-solve")))
        ).outcome
        is Outcome.NOT_WON
    )
