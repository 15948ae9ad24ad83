"""Compiled dealing and replaying against the plain ones, and verdicts of codes against `check`."""

from __future__ import annotations

from random import Random

import numba
import numpy as np
import pytest

from simon_solver.answers import solver
from simon_solver.errors import MoveError
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.game.layout import LAYOUTS
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves, replay
from simon_solver.kernels.codes import replaying
from simon_solver.kernels.state.task import TYPE_MASK
from simon_solver.search import codes
from simon_solver.search.codes import CodeDecider
from simon_solver.search.portfolio import Portfolio
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.deals import SMALL_SHAPES, random_deal, random_deal_with_run
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


def outcome(position: Position, moves: list[Move]) -> bool:
    """Whether the rules allow the moves, and they win."""
    try:
        return replay(position, moves)[1].is_won
    except MoveError:
        return False


def packed_moves(moves: list[Move]) -> np.ndarray:
    numbers = [source | target << 4 | count << 8 for source, target, count in moves]
    return np.array(numbers, np.int64)


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_replaying_agrees_with_the_rules(suits: int) -> None:
    """Random lines, mostly legal, sometimes with a move that is not, some of them wins."""
    rng, wins, losses, illegal = Random(f"replay {suits}"), 0, 0, 0
    for _ in range(600 if COMPILED else 60):
        ranks, sizes = rng.choice([*SMALL_SHAPES, (2, (2, 2, 2, 2)), (3, (3, 3, 3, 3, 0))])
        make = random_deal_with_run if max(sizes) >= ranks and rng.random() < 0.3 else random_deal
        start = position = make(rng, suits, ranks, sizes)
        if start.is_won:
            continue
        moves: list[Move] = []
        for _ in range(40):
            options = legal_moves(position)
            if not options or position.is_won:
                break
            move = rng.choice(options)
            if rng.random() < 0.01:
                columns = len(sizes)
                move = Move(rng.randrange(columns), rng.randrange(columns), rng.randint(0, 4))
            moves.append(move)
            try:
                position = replay(position, [move])[1]
            except MoveError:
                illegal += 1
                break
        task = task_of(start)
        won = replaying.wins(task, packed_moves(moves), replaying.new_board(len(sizes)))
        assert won == outcome(start, moves)
        wins += bool(won)
        losses += not won
    assert wins
    assert losses
    assert illegal


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
