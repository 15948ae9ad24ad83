"""Compiled dealing against the plain one."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from simon_solver.game.cards import rank_of, suit_of
from simon_solver.game.codes import CODE_COUNT, shuffled
from simon_solver.game.layout import LAYOUTS, Layout
from simon_solver.kernels.codes import dealing
from simon_solver.kernels.state.task import new_task

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("sizes", [None, (1, 9, 12, 0, 30), (13, 13, 13, 13)], ids=str)
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_dealing_agrees_with_the_scheme(suits: int, sizes: tuple[int, ...] | None) -> None:
    """Into one task again and again, as for a list of codes."""
    deck = LAYOUTS[suits].deck
    layout = Layout(deck, sizes or LAYOUTS[suits].column_sizes)
    columns = layout.column_sizes
    pack = dealing.new_pack([rank_of(card) | suit_of(card) << 4 for card in deck.cards])
    task = new_task(len(columns), max(columns), len(deck.cards))
    task.card[:] = np.arange(max(columns)) < np.array(columns)[:, None]
    rng = Random(f"dealing {suits}")
    for number in [0, 1, CODE_COUNT - 1, *(rng.randrange(CODE_COUNT) for _ in range(20))]:
        dealing.deal(number, pack, task)
        for dealt, wanted in zip(
            task.card.tolist(), layout.split(shuffled(deck.cards, number)), strict=True
        ):
            types = [rank_of(card) | suit_of(card) << 4 for card in wanted]
            assert dealt == types + [0] * (max(columns) - len(types))
