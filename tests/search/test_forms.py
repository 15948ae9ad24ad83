"""A search answers the same in whatever form its kernels run, even if it changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from simon_solver.answers.solver import check, solve
from simon_solver.game.position import Position
from simon_solver.kernels.forms import ENTRIES, running_as
from simon_solver.kernels.relaxations import lifts
from simon_solver.kernels.searches import loose
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.task import Task
from simon_solver.reading.deals import read_deal
from simon_solver.search import preparing
from simon_solver.search.buffers import Buffers
from simon_solver.search.engines import AStar, CompleteSearch, Engine, LooseSearch, MacroSearch
from simon_solver.search.groups import Group
from simon_solver.search.portfolio import DECIDE, FEWEST_MOVES, SHORTEST_WIN, task_of
from tests.support.deals import random_walk, small_decks

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
        with running_as(lambda _entry: None):
            yield counted


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
    compare_small_decks(suits, 40, (1, 10, NEVER))


@pytest.mark.slow
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_many_small_decks(suits: int) -> None:
    compare_small_decks(suits, 6, (NEVER,))
    compare_small_decks(suits, 20, (1, 2, 5, 20, 50, 150))


def compare_small_decks(suits: int, step: int, changes: Sequence[int]) -> None:
    """Compare every so-manyth deck, changing to compiled kernels after each number of states."""
    decks = [deck for deck in small_decks() if deck.position.deck.suits == suits][::step]
    assert len(decks) > 5
    interpreted = 0
    for deck in decks:
        expected = told(deck.position, 20_000)
        for states in changes:
            with compiled_after(states) as counted:
                assert told(deck.position, 20_000) == expected, deck
            interpreted = max(interpreted, *counted)
    assert interpreted > 100


STEP_STATES = 2
FORMS: dict[str, Callable[[int], bool]] = {
    "compiled": lambda _step: True,
    "interpreted": lambda _step: False,
    "compiled after two steps": lambda step: step >= 2,
    "either in turn": lambda step: step % 2 == 1,
}


def engines_of(task: Task, work: Buffers) -> list[Engine]:
    """All that may be asked about the position."""
    engines: list[Engine] = [
        MacroSearch(task, work, 60, eager=True),
        MacroSearch(task, work, 60, eager=False),
        CompleteSearch(task, work, DECIDE),
        AStar(task, work, SHORTEST_WIN),
        AStar(task, work, FEWEST_MOVES._replace(runs_wanted=1)),
    ]
    if loose.has_no_copies(task):
        engines.append(LooseSearch(task, work, DECIDE))
    return engines


def all_left(number: int, position: Position, is_compiled: Callable[[int], bool]) -> list[Any]:
    """The outcome, states and moves of an engine, then the arrays as it has left them."""
    work = Buffers(len(position.columns))
    engine = engines_of(task_of(position), work)[number]
    lifts.forget(work.lifts, engine.runs_wanted)
    work.clear_pool(engine._task, 1 << 30)  # type: ignore[attr-defined]
    forms = {entry: entry.compiled for entry in ENTRIES}
    outcomes = []
    with running_as(lambda entry: entry.compiled):
        for step in range(60):
            for entry, form in forms.items():
                entry.compiled = form if is_compiled(step) else None
            if step == 0:
                engine.begin(1 << 30)
            outcomes.append(engine.step(STEP_STATES))
            if outcomes[-1] == OUTCOME.full:
                engine.grow(1 << 30)
            elif outcomes[-1] != OUTCOME.running:
                break
        moves = engine.path().tolist() if outcomes[-1] == OUTCOME.won else []
    records = (*vars(work).values(), work.pool)
    arrays = [array for record in records if isinstance(record, tuple) for array in record]
    return [outcomes, engine.expanded, moves, *(a for a in arrays if isinstance(a, np.ndarray))]


def compare_engines(position: Position) -> Counter[str]:
    """Have each engine search in all forms; counts those that took more than two steps."""
    seen = Counter[str]()
    task = task_of(position)
    for number, engine in enumerate(engines_of(task, Buffers(task.start.shape[0]))):
        expected, *others = (all_left(number, position, form) for form in FORMS.values())
        assert len(expected) > 30
        for form, found in zip(list(FORMS)[1:], others, strict=True):
            assert all(map(np.array_equal, found, expected)), (position, engine, form)
        seen[type(engine).__name__] += len(expected[0]) > 2 or engine.is_brief
    return seen


def compare_many(suits: int, start: int, step: int, moves: int) -> None:
    """Compare positions of small decks on random ways through them."""
    rng, seen = Random(f"{suits} {start}"), Counter[str]()
    decks = [deck for deck in small_decks() if deck.suits == suits]
    for deck in [deck for deck in decks if deck.position.deck.ranks > 4][start::step]:
        for position in random_walk(rng, deck.position, moves):
            if any(position.columns):
                seen += compare_engines(position)
    assert min(seen[kind.__name__] for kind in (MacroSearch, CompleteSearch, AStar)) > 1, seen
    assert suits != 4 or seen[LooseSearch.__name__] > 1, seen


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_engines_leave_the_same_numbers_everywhere(suits: int) -> None:
    compare_many(suits, 7, 90, 1)


@pytest.mark.slow
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_engines_of_many_positions(suits: int) -> None:
    compare_many(suits, 11, 12, 5)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("SS1-S1-AAAAABD", marks=pytest.mark.slow),
        pytest.param("SS1-S2-AAAAABD", marks=pytest.mark.slow),
        "SS1-S4-AAAADQJ",
    ],
)
def test_full_deals(code: str) -> None:
    position, limit = read_deal(code).position, 700
    expected = told(position, limit)
    for states in (300, NEVER):
        with compiled_after(states) as counted:
            assert told(position, limit) == expected
        assert counted[0] > min(states, 50)
