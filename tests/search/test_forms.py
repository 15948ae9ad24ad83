"""A search answers the same in whatever form its kernels run, even if it changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
import pytest

from simon_solver.answers.solver import check, solve
from simon_solver.game.position import Position
from simon_solver.kernels.compiled import ENTRIES
from simon_solver.reading.deals import read_deal
from simon_solver.search import preparing
from simon_solver.search.groups import Group
from tests.support.deals import small_decks

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="has one form only")


@contextmanager
def compiled_after(states: int) -> Iterator[list[int]]:
    """Interpreted kernels until so many states are expanded; the list tells how many were."""
    compiled = {entry: entry.compiled for entry in ENTRIES}
    counted = [0]

    def want(_group: Group, *, compiling: bool = True) -> bool:  # noqa: ARG001 - not the point
        if counted[0] >= states:
            for entry, form in compiled.items():
                entry.compiled = form
            return True
        return False

    def count(expanded: int) -> None:
        counted[0] += expanded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparing, "want", want)
        patch.setattr(preparing, "count", count)
        patch.setattr(preparing, "is_ready", lambda _group: counted[0] >= states)
        for entry in ENTRIES:
            entry.compiled = None
        try:
            yield counted
        finally:
            for entry, form in compiled.items():
                entry.compiled = form


def told(position: Position, limit: int) -> tuple[Any, ...]:
    """All that `check` and `solve` say, but for the time they took."""
    first, best = check(position, state_limit=limit), solve(position, state_limit=limit)
    return (
        *(first.verdict, first.solution, first.states, first.stopped_by),
        *(best.verdict, best.score, best.score_bound, best.solution, best.states, best.stopped_by),
    )


NEVER = 1 << 60


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_small_decks(suits: int) -> None:
    decks = [deck for deck in small_decks() if deck.position.deck.suits == suits][::40]
    assert len(decks) > 5
    interpreted = 0
    for deck in decks:
        expected = told(deck.position, 20_000)
        for states in (1, 10, NEVER):
            with compiled_after(states) as counted:
                assert told(deck.position, 20_000) == expected, deck
            interpreted = max(interpreted, *counted)
    assert interpreted > 100


@pytest.mark.parametrize("code", ["SS1-S1-AAAAABD", "SS1-S2-AAAAABD", "SS1-S4-AAAADQJ"])
def test_full_deals(code: str) -> None:
    position, limit = read_deal(code).position, 700
    expected = told(position, limit)
    for states in (300, NEVER):
        with compiled_after(states) as counted:
            assert told(position, limit) == expected
        assert counted[0] > min(states, 50)
