"""Replaying move lists: won, not won, illegal, and the totals of each."""

from __future__ import annotations

from simon_solver.deals import read_deal, read_moves
from simon_solver.moves import Move
from simon_solver.verification import Outcome, verify

from .helpers import DATA

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


def test_moves_after_the_win_are_illegal() -> None:
    moves = read_moves(str(SAMPLES / "ms72_win93_from_to_count.txt"))
    replay = verify(read_deal("kpat:72"), [*moves, moves[0]])
    assert replay.outcome is Outcome.ILLEGAL
    assert replay.error.startswith("move 94: it takes 1 cards from column 10, which has 0")
