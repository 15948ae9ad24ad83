"""Full deals with verdicts and shortest wins that other programs have established."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from simon_solver.answers.solver import check, solve
from simon_solver.game.numbered import parse_number
from simon_solver.search.verdict import Verdict
from tests.support.deals import DATA, assert_wins, reference_deals


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_verdicts(suits: int) -> None:
    seen = Counter[Verdict]()
    for deal in reference_deals(suits):
        result = check(deal.position)
        expected = Verdict.WINNABLE if deal.winnable else Verdict.UNWINNABLE
        assert result.verdict is expected, deal.name
        if deal.winnable:
            assert_wins(deal.position, result.solution)
        seen[expected] += 1
    assert len(seen) == 2


def test_verdicts_of_kpat_deals() -> None:
    with (DATA / "verdicts_ms_1_500.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 500
    for row in rows:
        position = parse_number(f"kpat:{row['deal']}").deal()
        result = check(position)
        assert result.verdict == row["exact"], row["deal"]
        if result.verdict is Verdict.WINNABLE:
            assert_wins(position, result.solution)


def compare_best(suits: int, start: int, step: int, state_limit: int) -> Counter[bool]:
    """Compare every `step`-th best score known; counts those proven within the states."""
    proven = Counter[bool]()
    for deal in reference_deals(suits)[start::step]:
        if deal.best_moves is None:
            continue
        result = solve(deal.position, time_limit=0, memory_limit=2048, state_limit=state_limit)
        assert_wins(deal.position, result.solution)
        assert result.score <= 900 - deal.best_moves <= result.score_bound, deal.name
        proven[result.best_proven] += 1
    return proven


@pytest.mark.parametrize("suits", [1, pytest.param(2, marks=pytest.mark.slow), 4])
def test_best_scores(suits: int) -> None:
    proven = compare_best(suits, 0, 16, 100_000)
    assert proven[True] > 2


@pytest.mark.slow
@pytest.mark.parametrize("start", [1, 5])
@pytest.mark.parametrize(("suits", "states"), [(1, 100_000), (2, 400_000), (4, 400_000)])
def test_more_best_scores(suits: int, states: int, start: int) -> None:
    proven = compare_best(suits, start, 8, states)
    assert proven[True] > proven[False]
