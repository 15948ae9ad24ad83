"""The portfolio: the order of its engines, and what may happen on the way without any effect."""

from __future__ import annotations

from collections import Counter, deque

import numba
import pytest

from simon_solver.answers.results import SolveResult
from simon_solver.answers.solver import solve
from simon_solver.game.codes import parse_code
from simon_solver.kernels.forms import ENTRIES
from simon_solver.search import buffers, engines, preparing
from simon_solver.search.control import Control
from simon_solver.search.engines import Engine, LooseSearch, MacroSearch
from simon_solver.search.finding import Finding
from simon_solver.search.limits import Limits
from simon_solver.search.portfolio import (
    ANY_STATES,
    EAGER_STATES,
    GREEDY_STATES,
    LAZY_STATES,
    Portfolio,
    task_of,
)
from simon_solver.search.removal_bound import fewest_moves_to_remove
from simon_solver.search.verdict import Verdict
from tests.support.deals import SmallDeck, assert_wins
from tests.support.searches import SUITS, decks_of

pytestmark = pytest.mark.kernel

COMPILED = not numba.config.DISABLE_JIT


def stages(decider: str) -> list[tuple[str, int]]:
    """The engines in their order and the states of each, where this one decides."""
    return [
        ("MacroSearch", EAGER_STATES),
        (decider, 1),
        ("MacroSearch", LAZY_STATES),
        (decider, GREEDY_STATES),
        (decider, ANY_STATES),
    ]


class Watched(Portfolio):
    """Notes the engines that run, and the states of each."""

    def __init__(self, deck: SmallDeck) -> None:
        super().__init__(task_of(deck.position), Control(Limits(), None))
        self.position = deck.position
        self.seen: list[tuple[str, int]] = []

    def _run(self, engine: Engine, finding: Finding, states: int) -> int:
        self.seen.append((type(engine).__name__, states))
        return super()._run(engine, finding, states)

    def verdict(self) -> Verdict:
        """The verdict; a win has been replayed."""
        finding = Finding(fewest_moves_to_remove(self.position), 0, len(self.position.removed))
        with self:
            self.decide(finding)
        if finding.verdict is Verdict.WINNABLE:
            assert_wins(self.position, finding.win)
        return finding.verdict


@pytest.mark.parametrize("suits", SUITS)
def test_engines_are_asked_in_their_order_until_one_knows(suits: int) -> None:
    order = stages("LooseSearch" if suits == 4 else "CompleteSearch")
    ends = Counter[int]()
    for deck in decks_of(suits, part=3):
        one = Watched(deck)
        assert (one.verdict() is Verdict.WINNABLE) == deck.winnable
        assert one.seen == order[: len(one.seen)]
        # a macro search never says that there is no win
        assert deck.winnable or not one.seen or one.seen[-1][0] != "MacroSearch"
        ends[len(one.seen)] += 1
    assert len(ends) >= (3 if COMPILED else 2)


@pytest.mark.parametrize("suits", SUITS)
def test_the_last_engines_know_all(suits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no macro search finds a win, and the loose one cannot lay its own out."""
    monkeypatch.setattr(MacroSearch, "step", lambda *_: engines.GAVE_UP)
    monkeypatch.setattr(LooseSearch, "path", lambda _: engines.NO_MOVES)
    order = stages("LooseSearch" if suits == 4 else "CompleteSearch")
    if suits == 4:
        order += [stage for stage in stages("CompleteSearch") if stage[0] != "MacroSearch"]
    for deck in decks_of(suits, part=3):
        one = Watched(deck)
        assert (one.verdict() is Verdict.WINNABLE) == deck.winnable
        if deck.winnable:
            assert one.seen[-1][0] == "CompleteSearch"
        # a win of the loose search that has no moves leads on to the complete one at once
        assert set(one.seen) <= set(order)
        assert [order.index(stage) for stage in one.seen] == sorted(map(order.index, one.seen))


def told(result: SolveResult) -> tuple[object, ...]:
    """All that a result says, but for the time."""
    return (
        *(result.verdict, result.score, result.score_bound, result.moves, result.states),
        *(result.solution, result.stopped_by),
    )


@pytest.mark.parametrize("suits", SUITS)
def test_the_form_of_the_kernels_may_change_at_every_step(
    suits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    decks = decks_of(suits, part=40)
    known = [told(solve(deck.position)) for deck in decks]
    compiled = [entry.compiled for entry in ENTRIES]
    assert all(compiled) == COMPILED
    monkeypatch.setattr(engines._PoolEngine, "stride", 3)
    step, forms = Portfolio._step, Counter[bool]()

    def changing(one: Portfolio, engine: Engine, states: int) -> int:
        is_compiled = COMPILED and sum(forms.values()) % 2 == 1
        forms[is_compiled] += 1
        for entry, form in zip(ENTRIES, compiled, strict=True):
            monkeypatch.setattr(entry, "compiled", form if is_compiled else None)
        return step(one, engine, states)

    monkeypatch.setattr(Portfolio, "_step", changing)
    assert [told(solve(deck.position)) for deck in decks] == known
    assert forms[False] > len(decks)
    assert forms[True] == (forms.total() // 2 if COMPILED else 0)
    assert preparing.is_ready(MacroSearch.group) == COMPILED


@pytest.mark.parametrize("code", ["SS1-S1-AAAAABD", "SS1-S2-AAAAABD", "SS1-S4-AAAAABD"])
def test_growth_of_memory_keeps_the_answer(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position, limit = parse_code(code).deal(), 3_000 if COMPILED else 100
    grow, sizes = buffers.Buffers.grow_pool, list[int]()

    def watched(one: buffers.Buffers, most: int) -> None:
        grow(one, most)
        sizes.append(one.pool.state.shape[0])

    monkeypatch.setattr(buffers.Buffers, "grow_pool", watched)
    found = []
    for nodes in (1 << 17, 1 << 8):
        # no pool of another search, which may be larger
        monkeypatch.setattr(buffers, "_free_buffers", deque())
        monkeypatch.setattr(buffers, "FIRST_NODES", nodes)
        monkeypatch.setattr(buffers, "FIRST_SLOTS", 2 * nodes)
        sizes.clear()
        found.append((told(solve(position, state_limit=limit)), len(sizes) > 1))
    assert found == [(found[0][0], False), (found[0][0], True)]
