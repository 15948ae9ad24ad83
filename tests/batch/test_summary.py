"""Statistics: Wilson's interval, quantiles, and what is read from a store."""

from __future__ import annotations

import math
import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.batch.pieces import Span
from simon_solver.batch.store import open_store
from simon_solver.batch.summary import known_span, spread, spread_of_counts, summarize, wilson
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.batch import BEST, VERDICTS, best_row, row_of


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R, prop.test(x, n, correct = FALSE)$conf.int
        (10, 20, 0.2992980, 0.7007020),
        (0, 10, 0.0, 0.2775328),
        (10, 10, 0.7224672, 1.0),
        (1, 1, 0.2065493, 1.0),
    ],
)
def test_known_intervals(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-6)


@given(st.integers(1, 10**6), st.data())
def test_an_interval_ends_where_the_rate_is_as_unlikely_as_allowed(
    trials: int, data: st.DataObject
) -> None:
    successes = data.draw(st.integers(0, trials))
    rate = successes / trials
    low, high = wilson(successes, trials)
    assert 0 <= low <= rate <= high <= 1
    for end in (low, high):
        distance = 1.959963984540054 * math.sqrt(end * (1 - end) / trials)
        assert abs(rate - end) == pytest.approx(distance, abs=1e-7)


@given(st.lists(st.integers(0, 50), min_size=1))
def test_spreads(values: list[int]) -> None:
    values.sort()
    found = spread(values)
    assert found is not None
    assert (found.least, found.most) == (values[0], values[-1])
    assert found.mean == pytest.approx(statistics.fmean(values))
    for part, quantile in ((0.5, found.median), (0.99, found.p99)):
        assert quantile in values
        assert sum(value <= quantile for value in values) >= part * len(values)
        assert sum(value < quantile for value in values) < part * len(values)
    again = spread_of_counts(dict(sorted(Counter(values).items())))
    assert again is not None
    assert again.mean == pytest.approx(found.mean)
    assert (again.least, again.median, again.p99, again.most) == (
        *(found.least, found.median, found.p99, found.most),
    )


def test_of_nothing_there_are_no_statistics() -> None:
    assert spread([]) is spread_of_counts({}) is None
    with open_store(None) as store:
        summary = summarize(store, Span(4, 0, 10), best=True)
        assert known_span(store, Span(4, 0, 10)) is None
    assert summary.counts.deals == 0
    assert (summary.win_rate, summary.win_rate_interval, summary.states) == (None, None, None)
    assert summary.versions == ()


def test_undetermined_deals_widen_the_interval_on_both_sides() -> None:
    open_question = {"verdict": Verdict.UNDETERMINED, "stopped_by": StoppedBy.STATES}
    rows = [row_of(4, n) for n in range(80)]
    rows += [row_of(4, n, verdict=Verdict.UNWINNABLE) for n in range(80, 90)]
    rows += [row_of(4, n, **open_question) for n in range(90, 99)]
    rows += [row_of(4, 99, verdict=Verdict.UNDETERMINED, stopped_by=StoppedBy.MEMORY)]
    with open_store(None) as store:
        store.add(rows, VERDICTS)
        store.flush()
        summary = summarize(store, Span(4, 0, 200), best=False)
        decided = summarize(store, Span(4, 0, 90), best=False)
    assert summary.counts == (100, 80, 10, 10, 9, 1, 0)
    assert summary.win_rate == decided.win_rate == 80 / 90
    assert summary.win_rate_interval == (wilson(80, 100)[0], wilson(90, 100)[1])
    assert decided.win_rate_interval == wilson(80, 90)
    assert summary.states is not None
    assert (summary.states.median, summary.states.p99, summary.states.most) == (490, 980, 990)
    assert summary.cpu_seconds is not None
    assert summary.cpu_seconds.mean == pytest.approx(0.0495)
    assert summary.best is None


def test_best_scores_count_only_with_proof() -> None:
    rows = [best_row(4, 0, 60), best_row(4, 1, 60), best_row(4, 2, 71)]
    rows += [best_row(4, 3, 50, score_bound=860, stopped_by=StoppedBy.STATES)]
    lost = {"verdict": Verdict.UNWINNABLE, "score": 500, "score_bound": 500, "runs_removed": 0}
    rows += [best_row(4, 4, 0, **lost), row_of(4, 5)]
    with open_store(None) as store:
        store.add(rows, BEST)
        store.flush()
        best = summarize(store, Span(4, 0, 10), best=True).best
    assert best is not None
    assert (best.proven, best.unproven) == (4, 2)
    assert best.moves == {60: 2, 71: 1}
    assert best.scores == {500: 1, 829: 1, 840: 2}


def test_a_known_span_starts_with_a_deal() -> None:
    with open_store(None) as store:
        store.add([row_of(2, 5), row_of(2, 9), row_of(4, 1)], VERDICTS)
        store.flush()
        assert known_span(store, Span(2, 0, 100)) == Span(2, 5, 95)
        assert known_span(store, Span(2, 6, 4)) == Span(2, 9, 1)
        assert known_span(store, Span(2, 6, 3)) is None
        assert summarize(store, Span(2, 5, 95), best=False).start == "SS1-S2-AAAAAAF"
