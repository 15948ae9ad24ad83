"""Positions that already end in a complete run: every function loses it before anything else."""

from __future__ import annotations

from random import Random

import pytest

from simon_solver.answers.verification import Outcome, verify
from simon_solver.game.deal import Deal
from simon_solver.game.layout import Deck
from simon_solver.game.moves import Move, MoveText
from simon_solver.game.position import Position
from simon_solver.game.rules import apply, complete, legal_moves, play, replay, settle, why_illegal
from simon_solver.render.style import Style
from simon_solver.render.text import move_lines
from simon_solver.search.reference import reference_solve
from tests.support.deals import SMALL_SHAPES, random_deal_with_run

TWO_RANKS = Position(Deck(2, (5, 0, 0, 0)), ((1, 2, 2), (1, 1, 2), (1, 2), (2, 1)))
"""The last column is a complete run."""


def unsettled() -> list[Position]:
    """Small positions with complete runs at column ends."""
    rng = Random("unsettled")
    dealt = [
        random_deal_with_run(rng, suits, *shape)
        for suits in (1, 2, 4)
        for shape in SMALL_SHAPES
        for _ in range(5)
    ]
    assert all(settle(position) != position for position in dealt)
    return [TWO_RANKS, *dealt]


@pytest.mark.parametrize("position", unsettled())
def test_all_functions_take_a_position_for_what_settling_makes_of_it(position: Position) -> None:
    settled = settle(position)
    moves = legal_moves(position)
    assert moves == legal_moves(settled)
    assert replay(position, []) == ([], settled)
    assert Deal("", position) == Deal("", settled)
    assert Deal("", position).after([]).position == settled
    assert verify(position, []) == verify(settled, [])
    every = [Move(s, t, n) for s in range(3) for t in range(3) for n in range(4)]
    for move in [*moves, *every]:
        assert why_illegal(position, move) == why_illegal(settled, move)
    for move in moves:
        assert apply(position, move) == apply(settled, move)
        assert play(position, move) == play(settled, move)
        assert replay(position, [move]) == replay(settled, [move])
        counts = [other.count for other in moves if other[:2] == move[:2]]
        if len(counts) == 1:
            text = MoveText(move.source, move.target, None, "")
            assert complete(position, text) == complete(settled, text) == move
        lines = [list(move_lines(p, [play(p, move)[0]], 0, Style())) for p in (position, settled)]
        assert lines[0] == lines[1]


def test_a_win_of_an_unsettled_position_replays() -> None:
    assert reference_solve(TWO_RANKS).winnable
    win = [step.move for step in reference_solve(TWO_RANKS).win]
    assert replay(TWO_RANKS, win)[1].is_won
    assert verify(TWO_RANKS, win).outcome is Outcome.WON
    assert verify(Deal("x", TWO_RANKS), win).outcome is Outcome.WON


@pytest.mark.kernel
def test_the_answer_of_solve_replays() -> None:
    from simon_solver import check, solve

    for position in unsettled()[::6]:
        for solution in (solve(position).solution, check(position).solution):
            steps, end = replay(position, [step.move for step in solution])
            assert tuple(steps) == solution
            assert end.is_won == bool(check(position).solution) or not solution
