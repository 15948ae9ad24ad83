"""The loose search: its verdicts against every position that can be reached, and its moves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numba
import pytest

from simon_solver.game.codes import parse_code
from simon_solver.game.layout import Deck, Layout
from simon_solver.game.position import Position
from simon_solver.kernels.searches import loose
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.pool import POOL
from tests.support.deals import assert_wins, reference_deals
from tests.support.kernel import explore, from_python, task_of
from tests.support.loose import Search

pytestmark = pytest.mark.kernel

SHAPES = {
    1: ((5, (2, 2, 1)), (8, (4, 4)), (9, (5, 4)), (13, (7, 6)), (8, (3, 3, 2))),
    2: ((4, (3, 3, 2)), (5, (4, 3, 3)), (6, (4, 4, 4)), (6, (6, 6)), (5, (5, 5))),
    3: ((4, (4, 4, 4)), (4, (5, 4, 3)), (5, (4, 4, 4, 3)), (5, (5, 5, 5)), (6, (6, 6, 6))),
    4: ((3, (3, 3, 2, 2, 2)), (4, (4, 4, 4, 4)), (4, (5, 5, 4, 2)), (4, (6, 5, 5))),
}
"""Ranks and column sizes of small decks with one run of each suit."""
MOST = 20_000
"""Reachable positions; a deck with more is passed over."""


def decks(seed: str, suits: int, count: int) -> Iterator[tuple[Position, bool]]:
    """Small decks without copies, with cards that are left, and whether they can be won."""
    rng = Random(seed)
    while count:
        ranks, sizes = rng.choice(SHAPES[suits])
        deck = Deck(ranks, (1, int(suits > 1), int(suits > 2), int(suits > 3)))
        cards = list(deck.cards)
        rng.shuffle(cards)
        position = Position(deck, Layout(deck, sizes).split(cards))
        explored = explore(position, MOST)
        if explored is not None and explored.moves_left[0] != 0:
            count -= 1
            yield position, bool(explored.moves_left[0] > 0)


def audit(seed: str, suits: int, count: int, step: Any = loose.step) -> Counter[str]:
    """How many decks are won or lost, rightly or not, and how many wins cannot be laid out."""
    seen = Counter[str]()
    for position, winnable in decks(seed, suits, count):
        for weight_h in (0, 2, 8):
            one = Search(position, weight_h)
            outcome = one.run(step=step)
            assert outcome in (OUTCOME.won, OUTCOME.exhausted)
            won = outcome == OUTCOME.won
            seen["won" if won else "lost"] += 1
            if winnable and not won:
                seen["wins missed"] += 1
            if won:
                moves = one.moves()
                seen["not laid out"] += moves is None
                if moves is not None:
                    assert_wins(position, moves)
    return seen


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_verdicts_and_moves(suits: int) -> None:
    seen = audit(f"loose {suits}", suits, 10 if numba.config.DISABLE_JIT else 150)
    assert not seen["wins missed"]
    assert seen["won"]
    assert seen["lost"]
    assert seen["not laid out"] * 50 <= seen["won"]


@pytest.mark.slow
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_verdicts_and_moves_of_many(suits: int) -> None:
    seen = audit(f"many loose {suits}", suits, 1_000)
    assert not seen["wins missed"]
    assert seen["not laid out"] * 50 <= seen["won"]


MUTANTS = {
    "full layers move nothing up": ("                joined |= parent\n", "                pass\n"),
    "nothing becomes loose": (
        "            row[card] = PLACE.unknown\n        elif",
        "            pass\n        elif",
    ),
    "placed in one way": (
        "                    waiting += 1\n            continue\n",
        "                    waiting += index == 0\n            continue\n",
    ),
    "incomplete runs stay": ("== LEAVES.maybe:", "== -1:"),
    "keys without places": (" ^ loose.packed[at])", " ^ loose.packed[-1])"),
}
"""Wrong rules: what is put in place of what in the source."""


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="needs many positions")
@pytest.mark.parametrize("name", MUTANTS)
def test_the_audit_finds_wrong_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(loose.__file__).read_text(encoding="utf-8")
    old, new = MUTANTS[name]
    assert source.count(old) >= 1
    mutant = ModuleType(f"mutant: {name}")
    monkeypatch.setitem(sys.modules, mutant.__name__, mutant)
    exec(source.replace(old, new), vars(mutant))
    step = from_python(mutant.step)
    assert any(audit(f"m{suits}", suits, 150, step)["wins missed"] for suits in (4, 2, 1))


@pytest.mark.parametrize("weight_h", [2, 8])
def test_full_deals(weight_h: int) -> None:
    few = 3 if numba.config.DISABLE_JIT else 60
    outcomes = Counter[bool]()
    for deal in reference_deals(4)[:few]:
        one = Search(deal.position, weight_h, nodes=1 << 14)
        won = one.run() == OUTCOME.won
        assert won == deal.winnable, deal.name
        if won:
            moves = one.moves()
            assert moves is not None
            assert_wins(deal.position, moves)
        outcomes[won] += 1
    assert outcomes[True]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="needs many positions")
def test_small_tables_end_in_time() -> None:
    """With a full memo L0 took more than minutes for one node of this deal."""
    one = Search(parse_code("SS1-S4-HOINBXD").deal())
    assert one.run() == OUTCOME.won
    assert one.moves()


LOST = {"DQJ": 20_000, "HRN": 20_000, "KXT": 70_000}
"""Four-suit codes SS1-S4-AAAA... that are lost though L1 allows them, and the most nodes for it."""


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="needs many positions")
@pytest.mark.parametrize("end", LOST)
def test_lost_deals_that_the_class_search_allows(end: str) -> None:
    one = Search(parse_code(f"SS1-S4-AAAA{end}").deal(), nodes=1 << 14)
    assert one.run() == OUTCOME.exhausted
    assert 0 < one.pool.counts[POOL.expanded] < LOST[end]


@pytest.mark.parametrize("budget", [1, 7, 5_000])
def test_results_depend_neither_on_the_budget_nor_on_the_room(budget: int) -> None:
    few = 2 if numba.config.DISABLE_JIT else 30
    refused = 0
    for position, _ in decks("room", 4, few):
        tight, roomy = Search(position, nodes=2), Search(position, nodes=1 << 14)
        assert tight.run(budget) == roomy.run()
        assert tight.pool.counts[POOL.expanded] == roomy.pool.counts[POOL.expanded]
        assert tight.pool.counts[POOL.nodes] == roomy.pool.counts[POOL.nodes]
        assert not roomy.refused
        refused += tight.refused
    assert refused


def test_decks_with_copies_are_refused() -> None:
    for suits in (1, 2, 4):
        task = task_of(reference_deals(suits)[0].position)
        assert loose.has_no_copies(task) == (suits == 4)
