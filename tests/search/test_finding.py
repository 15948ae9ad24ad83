"""What a finding concludes from the bounds and lines that it is given."""

from __future__ import annotations

from random import Random

import pytest

from simon_solver.game.moves import Move
from simon_solver.game.rules import score
from simon_solver.search.finding import Finding
from simon_solver.search.removal_bound import NEVER
from simon_solver.search.verdict import Verdict

MOVE = Move(0, 1, 1)


def test_more_runs_take_no_fewer_moves() -> None:
    finding = Finding([0, 5, 9, 30], 0, 0)
    finding.need(1, 12)
    assert finding.ways == [0, 12, 12, 30]
    finding.need(3, 8)
    assert finding.ways == [0, 12, 12, 30]
    finding.need(2, NEVER)
    assert finding.ways == [0, 12, NEVER, NEVER]


def test_the_bound_is_that_of_the_best_number_of_runs() -> None:
    finding = Finding([0, 5, 9, 30], 20, 1)
    assert finding.all_runs == 3
    assert finding.score_bound == score(20 + 30, 4)
    finding.verdict = Verdict.UNWINNABLE
    assert finding.score_bound == score(20 + 9, 3)
    finding.need(1, NEVER)
    assert finding.score_bound == score(20, 1)


@pytest.mark.parametrize(("verdict", "counts"), [(one, one == "winnable") for one in Verdict])
def test_a_win_counts_only_with_its_verdict(verdict: Verdict, counts: bool) -> None:
    finding = Finding([0, 5, 9], 3, 0, verdict, win=[MOVE] * 40, line=[MOVE] * 7, runs=1)
    assert finding.best_score == (score(3 + 40, 2) if counts else score(3 + 7, 1))


def test_a_line_may_be_better_than_a_win() -> None:
    finding = Finding([0, 5, 9], 0, 0, Verdict.WINNABLE, win=[MOVE] * 200, line=[MOVE] * 7, runs=1)
    assert finding.best_score == score(7, 1) > score(200, 2)


def test_the_bound_never_rises() -> None:
    rng = Random("findings")
    for _ in range(200):
        runs = rng.randint(1, 4)
        finding = Finding([0, *sorted(rng.randrange(60) for _ in range(runs))], 0, 0)
        finding.verdict = rng.choice(list(Verdict))
        bounds = [finding.score_bound]
        for _ in range(10):
            finding.need(rng.randint(1, runs), rng.choice([rng.randrange(300), NEVER]))
            assert finding.ways == sorted(finding.ways)
            bounds.append(finding.score_bound)
        assert bounds == sorted(bounds, reverse=True)
        assert bounds[-1] >= score(0, 0)
