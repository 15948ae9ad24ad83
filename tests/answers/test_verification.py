"""Replaying move lists: won, not won, illegal, and the totals of each."""

from __future__ import annotations

import pytest

import simon_solver
from simon_solver.answers.verification import Outcome, replay, verify
from simon_solver.game.moves import Move, parse_moves
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import parse_deal, read_deal
from tests.support.deals import DATA

SAMPLES = DATA / "samples"


def test_the_wins_of_the_samples() -> None:
    for number, moves in ((72, 93), (266, 116), (309, 100)):
        text = read_moves(str(SAMPLES / f"ms{number}_win{moves}_from_to_count.txt"))
        replay = verify(read_deal(f"kpat:{number}"), text)
        assert replay.outcome is Outcome.WON
        assert (replay.score, replay.moves, replay.runs_removed) == (900 - moves, moves, 4)
        assert replay.error == ""
        assert len(replay.steps) == moves


def test_a_part_of_a_win_and_the_rest_after_it() -> None:
    moves = read_moves(str(SAMPLES / "ms72_win93_from_to_count.txt"))
    deal = read_deal("kpat:72")
    part = verify(deal, moves[:75])
    assert part.outcome is Outcome.NOT_WON
    assert (part.score, part.moves, part.runs_removed) == (525, 75, 1)
    rest = verify(deal.after(moves[:75]), moves[75:])
    assert rest.outcome is Outcome.WON
    assert (rest.score, rest.moves, rest.runs_removed) == (807, 93, 4)


def test_no_moves_at_all() -> None:
    replay = verify(read_deal("kpat:72"), [])
    assert replay.outcome is Outcome.NOT_WON
    assert (replay.score, replay.moves) == (500, 0)


def test_an_illegal_move_is_named_and_what_came_before_counts() -> None:
    deal = read_deal("SS1-S4-AAAAABD")
    replay = verify(deal, read_moves("9>10 3>9:1 1>2"))
    assert replay.outcome is Outcome.ILLEGAL
    assert replay.error == (
        "move 2: 3D cannot go on 6C: needs a card one rank higher (3>9:1 at line 1, column 6)"
    )
    assert (replay.score, replay.moves, len(replay.steps)) == (499, 1, 1)
    assert verify(deal, [Move(8, 8, 1)]).error == (
        "move 1: it goes from column 9 to itself (9>9:1)"
    )


def test_a_deal_is_as_good_as_a_position() -> None:
    deal = read_deal("SS1-S4-AAAAABD")
    moves = parse_moves("9>10 9>6")
    assert verify(deal.position, moves) == verify(deal, iter(moves))
    assert replay(deal.position, moves) == replay(deal, iter(moves))
    assert simon_solver.replay is replay
    later = deal.after(moves[:1])
    assert verify(later, moves[1:]).moves == verify(later.position, moves[1:]).moves + 1


@pytest.mark.parametrize(
    ("start", "moves", "message"),
    [
        ("kpat:72", [], "expected a Deal (as from read_deal) or a Position, got str: 'kpat:72'"),
        (None, [], "expected a Deal (as from read_deal) or a Position, got NoneType: None"),
        ("deal", "9>10", "move 1: expected a Move (or parse_moves of a text), got str: '9'"),
        ("deal", [Move(8, 9, 1), (4, 8, 1)], "move 2: expected a Move (or parse_moves of a text), "
         "got tuple: (4, 8, 1)"),
    ],
)  # fmt: skip
def test_wrong_types(start: object, moves: object, message: str) -> None:
    deal = read_deal("kpat:72") if start == "deal" else start
    for call in (verify, replay):
        with pytest.raises(TypeError) as error:
            call(deal, moves)  # type: ignore[arg-type]
        assert str(error.value) == message


def test_texts_are_texts() -> None:
    for call in (read_deal, parse_deal):
        with pytest.raises(TypeError, match=r"^expected a string, got int: 72$"):
            call(72)  # type: ignore[arg-type]


def test_moves_after_the_win_are_illegal() -> None:
    moves = read_moves(str(SAMPLES / "ms72_win93_from_to_count.txt"))
    replay = verify(read_deal("kpat:72"), [*moves, moves[0]])
    assert replay.outcome is Outcome.ILLEGAL
    assert replay.error.startswith("move 94: it takes 1 card from column 10, which has 0")
