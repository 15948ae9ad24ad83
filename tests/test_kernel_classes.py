"""The class search must never say no where a win, or so many runs removed, can be reached.

As for the lift relaxation, every reachable position of small decks is labelled and the class search
is asked about each: deck verdicts are too blunt. One rule was wrong in 2 of 3 million positions.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from simon_solver.codes import parse_code
from simon_solver.kernels import classes, lifts
from simon_solver.kernels.game import START_RUNS, Ints
from tests.helpers import SMALL_SHAPES, random_deal, random_deal_with_run, reference_deals
from tests.kernel_helpers import Explored, count_runs, explore, from_python, game_of, moves_to_runs

pytestmark = pytest.mark.kernel

SHAPES = (
    *SMALL_SHAPES,
    (3, (4, 4, 4)),
    (3, (3, 3, 2, 2, 2)),
    (4, (6, 5, 5)),
    (4, (4, 3, 3, 2, 2, 2)),
    (4, (3, 3, 3, 3, 2, 2)),
    (5, (7, 7, 6)),
    (5, (6, 5, 5, 4)),
    (5, (6, 5, 4, 3, 2)),
    (6, (9, 9, 6)),
    (6, (8, 6, 6, 4)),
)
MOST = 20_000
"""Reachable positions; a deck with more is passed over."""
CLASSES = 10_000
"""Classes that a question may come to."""

may_be_won = from_python(classes.may_be_won)


@numba.njit
def _ask_all(game, lift_work, work, words, runs, moves_left, answers):  # type: ignore[no-untyped-def]
    """Ask about every position that is no goal; 1 may reach one, 0 cannot, -1 not asked."""
    for position in range(words.shape[0]):
        answers[position] = -1
        if moves_left[position] != 0:
            answers[position] = classes.may_be_won(
                game, lift_work, work, words[position], runs[position], np.int64(CLASSES)
            )


class Audit:
    """Counts over many decks of (won positions called lost, lost ones called lost, lost ones)."""

    def __init__(self, ask_all: Callable[..., None] = _ask_all) -> None:
        self.ask_all = ask_all
        self.work, self.lifts = classes.new_classes(), lifts.new_lifts()
        self.positions = 0
        self.totals = np.zeros((5, 3), np.int64)
        self.by_lifts = 0

    def answers(self, explored: Explored, wanted: int, moves_left: Ints) -> Ints:
        """What the class search says about each position."""
        answers = np.zeros(len(explored.runs), np.int64)
        lifts.forget(self.lifts, wanted)
        classes.forget(self.work)
        self.ask_all(
            explored.game,
            self.lifts,
            self.work,
            explored.words,
            explored.runs,
            moves_left,
            answers,
        )
        return answers

    def add(self, explored: Explored, wanted: int) -> None:
        """Ask about all positions; with `wanted`, whether so many runs can leave."""
        moves_left = moves_to_runs(explored, wanted) if wanted else explored.moves_left
        called_lost = self.answers(explored, wanted, moves_left) == 0
        lost = moves_left < 0
        self.totals[wanted] += (
            (called_lost & ~lost).sum(),
            (called_lost & lost).sum(),
            lost.sum(),
        )

    def run(self, suits: int, decks: int, most: int, seed: str, every_goal: bool = True) -> None:
        """Add so many random decks, less those that are too large."""
        rng = Random(seed)
        for _ in range(decks):
            ranks, sizes = rng.choice(SHAPES)
            make = rng.choice((random_deal, random_deal, random_deal_with_run))
            if max(sizes) < ranks:
                make = random_deal
            explored = explore(make(rng, suits, ranks, sizes), most)
            if explored is None:
                continue
            left = int(count_runs(explored.game.info[START_RUNS : START_RUNS + 1])[0])
            for wanted in range(left + 1) if every_goal else (0,):
                self.add(explored, wanted)
            self.positions += len(explored.runs)

    @property
    def wrong(self) -> int:
        """Won positions called lost."""
        return int(self.totals[:, 0].sum())
