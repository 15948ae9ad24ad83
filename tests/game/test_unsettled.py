"""Complete runs leave as soon as a position is made, whoever makes it."""

from __future__ import annotations

from random import Random

import pytest

from simon_solver.answers.verification import Outcome, verify
from simon_solver.game.deal import Deal
from simon_solver.game.layout import Deck
from simon_solver.game.position import Position
from simon_solver.game.rules import replay, settle
from simon_solver.search.reference import reference_solve
from tests.support.deals import SMALL_SHAPES, random_deal_with_run, small_deck

TWO_RANKS = Position(Deck(2, (5, 0, 0, 0)), ((1, 2, 2), (1, 1, 2), (1, 2), (2, 1)))
"""The last column is dealt as a complete run."""


def dealt_with_runs() -> list[Position]:
    """Small positions that were dealt with complete runs at column ends."""
    rng = Random("unsettled")
    return [
        random_deal_with_run(rng, suits, *shape)
        for suits in (1, 2, 4)
        for shape in SMALL_SHAPES
        for _ in range(5)
    ]


def test_what_leaves_is_a_run_of_one_suit() -> None:
    for position in dealt_with_runs():
        assert position.removed
        assert (
            sum(map(len, position.columns))
            == position.deck.size - len(position.removed) * position.deck.ranks
        )
        # it is the position that declares those runs as removed
        assert Position(position.deck, position.columns, position.removed) == position
        assert settle(position) == position


def test_a_run_under_other_cards_stays() -> None:
    position = Position(small_deck(1, 3), ((3, 2, 1, 1), (2, 3), (3, 2, 1, 3, 2, 1)))
    assert position.columns == ((3, 2, 1, 1), (2, 3), ())
    assert position.removed == (0, 0)


def test_a_win_of_such_a_position_replays() -> None:
    assert TWO_RANKS.columns[3] == ()
    assert TWO_RANKS.removed == (0,)
    result = reference_solve(TWO_RANKS)
    assert result.winnable
    win = [step.move for step in result.win]
    assert replay(TWO_RANKS, win)[1].is_won
    assert verify(TWO_RANKS, win).outcome is Outcome.WON
    assert verify(Deal("x", TWO_RANKS), win).outcome is Outcome.WON


@pytest.mark.kernel
def test_the_answer_of_solve_replays() -> None:
    from simon_solver import check, solve

    for position in [TWO_RANKS, *dealt_with_runs()][::6]:
        for solution in (solve(position).solution, check(position).solution):
            steps, end = replay(position, [step.move for step in solution])
            assert tuple(steps) == solution
            assert end.is_won == bool(check(position).solution) or not solution
