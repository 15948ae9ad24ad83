"""Searches in other layouts: from 4 to 12 columns, of none to 52 cards, against plain search."""

from __future__ import annotations

from random import Random

import numba
import pytest

from simon_solver.answers.solver import check, solve
from simon_solver.game.codes import CODE_COUNT, GameCode, shuffled
from simon_solver.game.layout import DECKS, FEWEST_COLUMNS, MOST_COLUMNS, Layout
from simon_solver.game.position import Position
from simon_solver.search.codes import CodeDecider
from simon_solver.search.reference import reference_solve
from simon_solver.search.verdict import Verdict
from tests.support.deals import small_deck

pytestmark = pytest.mark.kernel

COMPILED = not numba.config.DISABLE_JIT


def random_sizes(rng: Random, cards: int) -> tuple[int, ...]:
    """Columns as many as can be solved, some empty and some tall."""
    # few of them more often, for with many a deal is mostly won
    columns = rng.choice([4, 5, rng.randint(FEWEST_COLUMNS, MOST_COLUMNS)])
    cuts = sorted(rng.randint(0, cards) for _ in range(columns - 1))
    return tuple(end - start for start, end in zip([0, *cuts], [*cuts, cards], strict=True))


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_small_decks_agree_with_plain_search(suits: int) -> None:
    rng, verdicts = Random(f"layouts {suits}"), set()
    for _ in range(40 if COMPILED else 4):
        deck = small_deck(suits, rng.choice([3, 4]))
        layout = Layout(deck, random_sizes(rng, deck.size))
        position = Position(deck, layout.split(shuffled(deck.cards, rng.randrange(CODE_COUNT))))
        known = reference_solve(position, 4_000)
        if known.verdict is Verdict.UNDETERMINED:
            continue
        found = solve(position, time_limit=0)
        assert (found.verdict, found.score) == (known.verdict, known.best_score), position
        assert found.best_proven
        verdicts.add(found.verdict)
    assert verdicts == {Verdict.WINNABLE, Verdict.UNWINNABLE} or not COMPILED


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("sizes", [(13,) * 4, (49, 1, 1, 1), (11, 11, 10, 10, 10), (52, 0, 0, 0)])
def test_tall_columns_agree_with_plain_search(suits: int, sizes: tuple[int, ...]) -> None:
    """Full decks in few columns often leave so few moves that plain search ends."""
    for number in range(6 if COMPILED else 1):
        position = GameCode(suits, number).deal(sizes)
        known = reference_solve(position, 2_000)
        found = solve(position, time_limit=0, state_limit=2_000)
        if known.verdict is not Verdict.UNDETERMINED:
            assert (found.verdict, found.score) == (known.verdict, known.best_score), position


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_verdicts_of_codes_are_those_of_check(suits: int) -> None:
    rng, verdicts = Random(f"layouts of codes {suits}"), set()
    for _ in range(60 if COMPILED else 3):
        layout = Layout(DECKS[suits], random_sizes(rng, 52))
        decider = CodeDecider(layout, memory_limit=256, state_limit=300)
        for _ in range(3):
            code = GameCode(suits, rng.randrange(CODE_COUNT))
            known = check(code.deal(layout.column_sizes), time_limit=0, state_limit=300)
            found = decider.decide(code.number)
            assert found == (known.verdict, known.stopped_by, known.states), (code, layout)
            verdicts.add(known.verdict)
    assert {Verdict.WINNABLE, Verdict.UNWINNABLE} <= verdicts or not COMPILED


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_runs_that_are_dealt_leave_at_once(suits: int) -> None:
    """No full deal is known in which this happens, but small ones have it often."""
    rng, dealt, won = Random(f"dealt runs {suits}"), 0, 0
    for _ in range(400 if COMPILED else 20):
        deck = small_deck(suits, rng.choice([1, 2, 2, 2]))
        layout = Layout(deck, random_sizes(rng, deck.size))
        number = rng.randrange(CODE_COUNT)
        position = Position(deck, layout.split(shuffled(deck.cards, number)))
        decider = CodeDecider(layout, memory_limit=64, state_limit=0)
        known = check(position, time_limit=0)
        assert decider.decide(number) == (known.verdict, None, known.states), position
        removed = len(position.removed)
        dealt += removed > 0
        won += removed == deck.runs
    assert dealt > won > 0
