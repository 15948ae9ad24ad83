"""The macro search: it wins only what can be won, by moves that the rules allow."""

from __future__ import annotations

from collections import Counter

import pytest

from simon_solver.game.codes import GameCode
from simon_solver.kernels.relaxations import lifts
from simon_solver.kernels.searches import macro
from simon_solver.kernels.searches.macro import MACRO
from simon_solver.search.portfolio import as_moves
from tests.support.deals import assert_wins
from tests.support.kernel import task_of
from tests.support.searches import SUITS, decks_of

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("eager", [0, 1])
@pytest.mark.parametrize("suits", SUITS)
def test_macro_search_wins_only_what_can_be_won(suits: int, eager: int) -> None:
    outcomes = Counter[bool]()
    for deck in decks_of(suits):
        task = task_of(deck.position)
        work = macro.new_macro(task.start.shape[0], 1_000)
        won = macro.search_macro(task, lifts.new_lifts(1 << 12), work, 2_000, eager)
        if won:
            assert deck.winnable
            assert_wins(deck.position, as_moves(work.path[macro.winning_moves(work) :]))
        outcomes[bool(won)] += 1
    assert outcomes[True]
    assert outcomes[False]


@pytest.mark.parametrize("eager", [0, 1])
@pytest.mark.parametrize("nodes", [1, 2, 20])
def test_macro_search_ends_when_it_is_full(nodes: int, eager: int) -> None:
    task = task_of(GameCode(4, 29).deal())
    work = macro.new_macro(10, nodes)
    assert not macro.search_macro(task, lifts.new_lifts(), work, 2_000, eager)
    assert work.counts[MACRO.nodes] == nodes
