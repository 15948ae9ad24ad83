"""Our own answers as solutions: JSON with its claims, and the numbered list."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simon_solver.answers.verification import Outcome, verify_solution
from simon_solver.errors import FormatError
from simon_solver.game.deal import Deal
from simon_solver.game.moves import MOST_MOVES
from simon_solver.game.rules import replay
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import read_deal
from simon_solver.reading.solutions.known import is_solution_text, read_solution_text
from simon_solver.reading.solutions.printed import Form
from simon_solver.render.moves import move_lines
from simon_solver.render.notation import Notation, Speech
from simon_solver.render.records import step_record
from simon_solver.render.style import Style
from tests.support.deals import DATA

DEAL = read_deal("kpat:72")
STEPS = replay(DEAL.position, read_moves(str(DATA / "samples" / "ms72_win93_from_to_count.txt")))[0]
FIRST = {"from": 9, "to": 10, "cards": ["QD"], "removes": ""}


def record(**changes: Any) -> str:
    """The JSON of the win, with the step of a number changed: ``s3={"from": 2}``."""
    steps = list(map(step_record, STEPS))
    for name, change in changes.items():
        steps[int(name[1:]) - 1] |= change
    return json.dumps({"deal": "kpat:72", "score": 807, "solution": steps})


def test_json() -> None:
    for text in (record(), f"\ufeff\n {record()}\n", json.dumps(json.loads(record()), indent=2)):
        assert is_solution_text(text)
        solution = read_solution_text(text)
        assert (solution.form, solution.moves) == (Form.JSON, 93)
        result = verify_solution(DEAL, solution)
        assert (result.outcome, result.score, result.error) == (Outcome.WON, 807, "")
        assert result.steps == tuple(STEPS)


def test_json_without_removals_or_moves() -> None:
    steps = [{"from": 9, "to": 10, "cards": ["qd"], "seconds": None}]
    deal = read_deal("SS1-S4-AAAAABD")
    text = json.dumps({"solution": steps})
    assert verify_solution(deal, read_solution_text(text)).moves == 1
    assert read_solution_text('{"solution": []}').items == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"s1": {"cards": ["6D"]}},
         "move 1: it takes QH, but the text says 6D (10>1:1 at move 1 of "),
        ({"s2": {"from": 3}}, "move 2: "),
        ({"s3": {"removes": "H"}},
         "move 3: it completes no run, but the text says a run of hearts ("),
        ({"s93": {"removes": ""}},
         "move 93: it completes a run of diamonds, but the text says no run"),
        ({"s93": {"removes": "SH"}}, "move 93: it completes a run of diamonds, but the text says a "
         "run of spades and a run of hearts ("),
        ({"s5": {"to": 11}}, "move 5: there is no column 11"),
    ],
)  # fmt: skip
def test_claims_that_are_wrong(changes: dict[str, Any], message: str) -> None:
    result = verify_solution(DEAL, read_solution_text(record(**changes)))
    assert result.outcome is Outcome.ILLEGAL
    assert result.error.startswith(message)
    assert len(result.steps) == int(message.split()[1].rstrip(":")) - 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, column 2: expected a name in double quotes, got the end of the text"),
        ('{"solution": [],}', "line 1, column "),
        ("[]", "line 1, column 1: expected the JSON of `solve`, an object with a list of moves as "
         '"solution", got an array'),
        ("{}", "line 1, column 1: expected the JSON of `solve`, "),
        ('{"solution": {}}', "line 1, column 14: expected a list of moves, got an object"),
        ('{"solution": [], "solution": []}', "line 1, column 18: 'solution' appears twice"),
        ('{"score": NaN}', "line 1, column 11: expected a JSON value, got 'NaN}'"),
        ('{"solution": 1' + "0" * 5000 + "}", "line 1, column 14: expected a list of moves, got 1"),
        ("[" * 100_000, "line 1, column 9: expected the JSON of `solve`, got values nested"),
        ('{"a":' * 100_000, "line 1, column 41: expected the JSON of `solve`, got values nested"),
        ('{"' + '\\"' * 200_000, "line 1, column "),
        ('{"solution": [1]}',
         'move 1 of "solution", line 1, column 15: expected an object with "from", got 1'),
        (json.dumps({"solution": [FIRST, {"to": 1}]}),
         'move 2 of "solution", line 1, column 70: expected an object with "from", got an object'),
        (json.dumps({"solution": [FIRST | {"from": True}]}),
         'move 1 of "solution", line 1, column 24: expected a column number as "from", got tr'),
        (json.dumps({"solution": [FIRST | {"from": 9.0}]}),
         'move 1 of "solution", line 1, column 24: expected a column number as "from", got 9.'),
        (json.dumps({"solution": [FIRST | {"to": 0}]}),
         'move 1 of "solution", line 1, column 33: expected a column number as "to", got 0'),
        (json.dumps({"solution": [FIRST | {"cards": []}]}),
         'move 1 of "solution", line 1, column 46: expected at least one card, got an array'),
        (json.dumps({"solution": [FIRST | {"cards": [7]}]}),
         'move 1 of "solution", line 1, column 47: expected a card like \'7H\', got 7'),
        (json.dumps({"solution": [FIRST | {"cards": ["1H"]}]}),
         "move 1 of \"solution\", line 1, column 47: expected a card like '7H', got '1"),
        (json.dumps({"solution": [FIRST | {"removes": "X"}]}),
         'move 1 of "solution", line 1, column 65: expected suit letters as "removes", '),
        (json.dumps({"solution": [FIRST] * (MOST_MOVES + 1)}),
         "expected at most 10000 moves, got 10001"),
    ],
    ids=range(21),
)  # fmt: skip
def test_json_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_solution_text(text)
    assert str(error.value).startswith(message)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("mixed_runs", [False, True])
@pytest.mark.parametrize("notation", ["simon", "spoken"])
def test_the_numbered_list(notation: str, mixed_runs: bool) -> None:
    speech = Speech(Notation(notation), mixed_runs)
    lines = list(move_lines(DEAL.position, STEPS, 0, Style(), speech))
    text = "deal     kpat:72\n\n" + "\n".join(lines) + "\n"
    assert is_solution_text(text)
    solution = read_solution_text(text)
    assert solution.form is Form.LISTING
    assert (solution.moves < 93) is mixed_runs
    result = verify_solution(DEAL, solution)
    assert result.steps == tuple(STEPS) or mixed_runs
    assert (result.outcome, result.score) == (Outcome.WON, 807)


def test_a_numbered_list_that_is_wrong() -> None:
    with pytest.raises(FormatError, match=r"^line 2: columns are numbered from 1, got 0$"):
        read_solution_text("  1. 9>10:1 QD\n  2. 0>1:1")
    with pytest.raises(FormatError, match=r"^line 1: expected cards like 'the 9 and 8 of hearts'"):
        read_solution_text("1. move the lot from column 9 to column 1")
    with pytest.raises(FormatError, match=r"^line 1: expected .*, got .the 8 and 9 of hearts.$"):
        read_solution_text("1. move the 8 and 9 of hearts from column 9 to column 1; done")
    with pytest.raises(FormatError, match=r"^expected at most 10000 moves, got 10001$"):
        read_solution_text("1. 9>10:1\n" * (MOST_MOVES + 1))
    result = verify_solution(DEAL, read_solution_text("  1. 9>10:1   Q♦        K♦        499"))
    assert result.error == (
        "move 1: 6C cannot go on QH: needs a card one rank higher ('9>10:1' at line 1)"
    )


def test_moves_are_counted_on_from_those_made() -> None:
    later = Deal("", DEAL.position, 5)
    assert verify_solution(later, read_solution_text(record())).moves == 98
