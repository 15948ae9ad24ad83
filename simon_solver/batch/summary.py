"""Statistics of a span of deals: win rate with its interval, effort, best scores."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import NormalDist

from simon_solver.batch.pieces import Span
from simon_solver.batch.store import Counts, Store
from simon_solver.game.codes import GameCode
from simon_solver.game.layout import ColumnSizes

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Spread:
    """How values are spread; a quantile is the least value that so many are not above."""

    least: float
    median: float
    mean: float
    p99: float
    most: float


@dataclass(frozen=True)
class BestScores:
    """Deals by their proven best scores, and winnable ones by their fewest moves."""

    proven: int
    unproven: int
    scores: dict[int, int]
    moves: dict[int, int]


@dataclass(frozen=True)
class Summary:
    """What is known of the deals of a span that have been looked at."""

    suits: int
    column_sizes: ColumnSizes
    start: str
    """The code that the span starts with."""
    counts: Counts
    win_rate: float | None
    """Winnable ones among the deals that are decided; None when there are none."""
    win_rate_interval: tuple[float, float] | None
    """Wilson's interval; the lower end takes the undetermined for lost, the upper for won."""
    cpu_seconds: Spread | None
    states: Spread | None
    best: BestScores | None
    versions: tuple[str, ...]
    """Solver versions that made the rows."""


def summarize(store: Store, span: Span, *, best: bool) -> Summary:
    """The statistics of a span, with best scores if they are asked for."""
    counts = store.counts(span)
    decided = counts.winnable + counts.unwinnable
    interval = None
    if counts.deals:
        low, _ = wilson(counts.winnable, counts.deals)
        _, high = wilson(counts.winnable + counts.undetermined, counts.deals)
        interval = low, high
    return Summary(
        suits=span.suits,
        column_sizes=store.column_sizes,
        start=str(GameCode(span.suits, span.first)),
        counts=counts,
        win_rate=counts.winnable / decided if decided else None,
        win_rate_interval=interval,
        cpu_seconds=spread(array("d", store.ordered(span, "cpu_seconds"))),
        states=spread(array("q", map(int, store.ordered(span, "states")))),
        best=_best_scores(store, span, counts.deals) if best else None,
        versions=store.versions(span),
    )


def known_span(store: Store, span: Span) -> Span | None:
    """The part of a span from its first deal in the store on; None when there is no deal."""
    first = store.counts(span).first
    return None if first is None else Span(span.suits, first, span.stop - first)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The ends of the score interval of a proportion, between 0 and 1; `trials` is positive.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927,
    https://doi.org/10.1080/01621459.1927.10502953.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, square = successes / trials, z * z / trials
    middle = rate + square / 2
    half = math.sqrt(square * (rate * (1 - rate) + square / 4))
    low, high = (middle - half) / (1 + square), (middle + half) / (1 + square)
    # rounding must not make a certain end uncertain
    return (0.0 if successes == 0 else low), (1.0 if successes == trials else high)


def spread(ordered: Sequence[float]) -> Spread | None:
    """How values, the least first, are spread; None when there are none."""
    if not ordered:
        return None
    return Spread(
        least=ordered[0],
        median=ordered[_rank(50, len(ordered))],
        mean=math.fsum(ordered) / len(ordered),
        p99=ordered[_rank(99, len(ordered))],
        most=ordered[-1],
    )


def spread_of_counts(counts: dict[int, int]) -> Spread | None:
    """The same from how often each value occurs, the least first."""
    if not counts:
        return None
    values, ends = list(counts), list(accumulate(counts.values()))
    total = ends[-1]

    def quantile(percent: int) -> int:
        rank = _rank(percent, total)
        return next(value for value, end in zip(values, ends, strict=True) if end > rank)

    mean = sum(value * count for value, count in counts.items()) / total
    return Spread(values[0], quantile(50), mean, quantile(99), values[-1])


def _rank(percent: int, count: int) -> int:
    """The index of a quantile among so many ordered values."""
    return -(-percent * count // 100) - 1


def _best_scores(store: Store, span: Span, deals: int) -> BestScores:
    scores = store.best_counts(span, "score", won=False)
    proven = sum(scores.values())
    return BestScores(proven, deals - proven, scores, store.best_counts(span, "moves", won=True))
