"""Compiled replaying against the rules."""

from __future__ import annotations

from random import Random

import numba
import numpy as np
import pytest

from simon_solver.errors import MoveError
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves, replay
from simon_solver.kernels.codes import replaying
from tests.support.deals import SMALL_SHAPES, random_deal, random_deal_with_run
from tests.support.kernel import task_of

pytestmark = pytest.mark.kernel

COMPILED = not numba.config.DISABLE_JIT


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
