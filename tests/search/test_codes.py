"""Verdicts of codes are those that `check` gives of the deals that they name."""

from __future__ import annotations

from random import Random

import numba
import numpy as np
import pytest

from simon_solver.answers import solver
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.game.layout import LAYOUTS
from simon_solver.kernels.codes import replaying
from simon_solver.kernels.state.task import TYPE_MASK
from simon_solver.search import codes
from simon_solver.search.codes import CodeDecider
from simon_solver.search.portfolio import Portfolio
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.kernel import columns_of, task_of

pytestmark = pytest.mark.kernel

COMPILED = not numba.config.DISABLE_JIT


def decider_of(suits: int, state_limit: int = 0) -> CodeDecider:
    return CodeDecider(LAYOUTS[suits], memory_limit=2048, state_limit=state_limit)


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_codes_deal_the_same_boards(suits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables filled again and again for other deals equal those made for each."""
    tasks = []

    class Watched(Portfolio):
        def find_win(self, _finding: object) -> np.ndarray:
            tasks.append(self.task)
            return np.zeros(0, np.int64)

    monkeypatch.setattr(codes, "Portfolio", Watched)
    rng, decider = Random(f"deals {suits}"), decider_of(suits)
    numbers = [0, 1, CODE_COUNT - 1, *(rng.randrange(CODE_COUNT) for _ in range(300))]
    for number in numbers[: None if COMPILED else 30]:
        decider.decide(number)
        task, position = tasks.pop(), GameCode(suits, number).deal()
        fresh = task_of(position)
        assert columns_of(task, task.start) == position.columns
        for name in ("info", "start", "column"):
            assert np.array_equal(getattr(task, name), getattr(fresh, name)), name
        assert np.array_equal(task.card & TYPE_MASK > 0, fresh.card > 0)
        assert np.array_equal(task.card, fresh.card)
        belows = fresh.column[:, 0].sum() - len(fresh.start) + 1
        assert np.array_equal(task.below[: belows // 2], fresh.below[: belows // 2])
        for column, segments in enumerate(fresh.column[:, 0]):
            for name in ("segment_start", "shows"):
                table, other = getattr(task, name)[column], getattr(fresh, name)[column]
                assert np.array_equal(table[:segments], other[:segments]), name


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_verdicts_of_codes_are_those_of_check(suits: int) -> None:
    decider, limited = decider_of(suits), decider_of(suits, 20)
    verdicts = set()
    for number in range(150) if COMPILED else range(45, 48):
        position = GameCode(suits, number).deal()
        known = solver.check(position, time_limit=0)
        assert decider.decide(number) == (known.verdict, None, known.states)
        verdicts.add(known.verdict)
        cut = limited.decide(number)
        known = solver.check(position, time_limit=0, state_limit=20)
        assert cut == (known.verdict, known.stopped_by, known.states)
        assert cut.stopped_by in (None, StoppedBy.STATES)
    assert verdicts == {Verdict.WINNABLE, Verdict.UNWINNABLE} or not COMPILED


def test_a_win_that_does_not_win_is_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "wins", lambda *_: False)
    with pytest.raises(RuntimeError, match="a solution that should win"):
        decider_of(1).decide(29)
