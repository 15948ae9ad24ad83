"""Plots win rates and best scores as PNG or SVG, with the extra `plot` (matplotlib).

The picture reads without colour: each suit count has its own marker and hatching, and the rates are
written beside the marks. With the same versions of all libraries it is the same every time.
"""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from simon_solver.batch.summary import CONFIDENCE, BestScores, Summary
from simon_solver.errors import InputError
from simon_solver.game.layout import DECKS
from simon_solver.game.rules import score
from simon_solver.render.text import counted, layout_note
from simon_solver.text.outputs import check_name, kind_of, whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PNG, SVG = ".png", ".svg"
_WIDTH = 8.5  # inches, as are the heights
_HEAD, _ROW, _HISTOGRAM, _FOOT = 1.3, 0.65, 1.5, 0.9
_DOTS = 150  # of an inch of a PNG
_PLAIN, _SMALL = 10, 9  # points
_LEAST_BINS, _MOST_BINS = 10, 60
_STEPS = [1, 2, 5, 10]  # between whole numbers on an axis
_SETTINGS = {
    "font.family": ["DejaVu Sans", "sans-serif"],  # the first comes with matplotlib
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "simon-solver",  # names in the file that are the same every time
    "hatch.linewidth": 0.6,
}


class _Look(NamedTuple):
    """How a suit count is told from the others, with and without colour."""

    marker: str
    hatch: str
    colour: str


# Colours of M. Okabe and K. Ito, "Color universal design", 2008, https://jfly.uni-koeln.de/color/
_LOOKS = {
    1: _Look("o", "////", "#0072b2"),
    2: _Look("s", "....", "#d55e00"),
    4: _Look("D", "xxxx", "#009e73"),
}


@dataclass(frozen=True)
class _Bins:
    """Equal bins of whole scores, the first from `first` on, and where deals without a win go."""

    first: int
    width: int
    count: int

    @property
    def edges(self) -> list[float]:
        """Ends of the bins, each halfway between two scores."""
        return [self.first + self.width * number - 0.5 for number in range(self.count + 1)]

    @property
    def apart(self) -> tuple[float, float]:
        """The middle and the width of the bar of the deals without a win."""
        span = self.width * self.count
        return self.edges[0] - 0.13 * span, max(1, self.width, 0.03 * span)

    def heights(self, counts: dict[int, int]) -> list[int]:
        """How many of the counted scores are in each bin."""
        heights = [0] * self.count
        for value, count in counts.items():
            heights[(value - self.first) // self.width] += count
        return heights


def check_plot(file: str) -> None:
    """Find out before any work whether a picture can be written under this name.

    Raises:
        InputError: it is of no known kind, cannot be written, or matplotlib is missing.
    """
    check_name(file, (PNG, SVG))
    if "matplotlib" not in sys.modules and find_spec("matplotlib") is None:
        raise InputError(f"{file}: a plot needs matplotlib: pip install 'simon-solver[plot]'")


def write_plot(summaries: Sequence[Summary], file: str) -> None:
    """Draw the summaries into a file, which is there wholly or as it was before.

    Raises:
        InputError: as `check_plot`.
        OSError: it cannot be written.
    """
    check_plot(file)
    with _settings(), whole_file(file) as unfinished:
        figure = rates_figure(summaries)
        # A date would make each file another one.
        metadata = {"Date": None} if kind_of(file) == SVG else None
        figure.savefig(unfinished, format=kind_of(file)[1:], metadata=metadata)


def rates_figure(summaries: Sequence[Summary]) -> Figure:
    """The picture: win rates with their intervals, below them the best scores that are proven."""
    best = [(s.suits, s.best) for s in summaries if s.best is not None and s.best.proven]
    heights = [_HEAD + _ROW * len(summaries), *[_HISTOGRAM] * len(best)]
    with _settings():
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
        from matplotlib.layout_engine import ConstrainedLayoutEngine  # noqa: PLC0415

        figure = Figure(
            figsize=(_WIDTH, sum(heights) + _FOOT),
            dpi=_DOTS,
            layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.08),
        )
        title = "Simple Simon: win rates" + (" and best scores" if best else "")
        layouts = sorted({layout_note(summary.column_sizes) for summary in summaries})
        title = "\n".join(filter(None, [title, *layouts]))
        figure.suptitle(title, fontsize=13)
        grid = figure.subplots(
            len(heights), 1, squeeze=False, gridspec_kw={"height_ratios": heights}
        )
        panels: list[Axes] = list(grid[:, 0])
        _draw_rates(panels[0], summaries)
        if best:
            _draw_best(panels[1:], best)
        figure.supxlabel(_caption(summaries, bool(best)), x=0.015, ha="left", fontsize=_SMALL)
        _settle(figure)
    return figure


def _settle(figure: Figure) -> None:
    """Lay the picture out once and for all.

    The last digits of a layout change from run to run (its solver goes by addresses in memory),
    and names in an SVG come from all digits. So the places are rounded.
    """
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(x, 4) for x in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))


@contextmanager
def _settings() -> Iterator[None]:
    """The settings of matplotlib for our pictures; the user's own do not matter here."""
    # It tells of its caches and fonts, which is no news about the picture.
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        from matplotlib import style  # noqa: PLC0415 - an extra

        with style.context(["default", _SETTINGS]):
            yield
    finally:
        logger.setLevel(level)


def _draw_rates(axes: Axes, summaries: Sequence[Summary]) -> None:
    """A row for each suit count, the first at the top: the rate and the ends of its interval."""
    rows = range(len(summaries))
    for row, summary in zip(rows, summaries, strict=True):
        if summary.win_rate_interval is None:
            continue
        low, high = (100 * end for end in summary.win_rate_interval)
        known = summary.win_rate is not None
        rate = 100 * summary.win_rate if summary.win_rate is not None else (low + high) / 2
        look = _LOOKS[summary.suits]
        _, ends, _ = axes.errorbar(
            [rate],
            [row],
            xerr=[[max(0.0, rate - low)], [max(0.0, high - rate)]],
            fmt=look.marker if known else "none",
            ecolor="black",
            markersize=6,
            markerfacecolor="white",
            markeredgecolor=look.colour,
            markeredgewidth=1.5,
            capsize=9,
            clip_on=False,
        )
        # Thin, and standing out above the mark, they show a very short interval, too.
        for end in ends:
            end.set_markeredgewidth(1)
    left, right = _rate_limits([s.win_rate_interval for s in summaries if s.win_rate_interval])
    axes.set_xlim(left, right)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.set_xticks([tick for tick in axes.get_xticks() if max(0, left) <= tick <= min(100, right)])
    axes.set_xlabel(
        "win rate in % of decided deals" + ("" if left <= 0 else " (the axis does not start at 0)")
    )
    axes.set_yticks(rows, [_deals_label(summary) for summary in summaries])
    axes.set_ylim(len(summaries) - 0.5, -0.5)
    axes.grid(axis="x", color="0.85")
    axes.set_axisbelow(True)
    values = axes.secondary_yaxis("right")
    values.set_yticks(rows, [_rate_label(summary) for summary in summaries])
    for side in (axes, values):
        side.tick_params(axis="y", length=0, labelsize=_SMALL)


def _rate_limits(intervals: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Ends of an axis in percent on which the intervals take as much room as they can."""
    low = min((100 * low for low, _ in intervals), default=0.0)
    high = max((100 * high for _, high in intervals), default=100.0)
    margin = 0.06 * (high - low)
    left, right = low - margin, high + margin
    # A little room beyond a natural end keeps the mark there off the frame.
    if left <= 0:
        left = -0.02 * right
    if right >= 100:
        right = 100 + 0.02 * (100 - left)
    return left, right


def _deals_label(summary: Summary) -> str:
    """Which deals were looked at."""
    counts = summary.counts
    label = f"{_suits(summary.suits)}, {counted(counts.deals, 'deal')}\nfrom {summary.start} on"
    return label + (f"\n{counts.undetermined:,} undetermined" if counts.undetermined else "")


def _rate_label(summary: Summary) -> str:
    """The rate and its interval, with so many digits that the ends of the interval differ."""
    if summary.win_rate_interval is None:
        return "no deals"
    low, high = (100 * end for end in summary.win_rate_interval)
    digits = min(6, max(2, 1 - math.floor(math.log10(high - low))))
    rate = "unknown" if summary.win_rate is None else f"{100 * summary.win_rate:.{digits}f} %"
    return f"{rate}\n{low:.{digits}f} to {high:.{digits}f} %"


def _draw_best(panels: Sequence[Axes], best: Sequence[tuple[int, BestScores]]) -> None:
    """A histogram for each suit count, all with the same bins."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - an extra

    parted = [_won_and_not(suits, scores) for suits, scores in best]
    bins = _bins_of([won for won, _ in parted])
    has_losses = any(lost for _, lost in parted)
    for axes, (suits, scores), (won, lost) in zip(panels, best, parted, strict=True):
        _draw_bars(axes, _LOOKS[suits], bins, won, lost)
        deals = counted(scores.proven + scores.unproven, "deal")
        axes.set_title(
            f"{_suits(suits)}: best scores of {deals}, {scores.proven:,} proven",
            loc="left",
            fontsize=_PLAIN,
        )
        axes.set_ylabel("deals")
        axes.margins(y=0.25)  # room for what is written on a bar
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True, steps=_STEPS))
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.grid(axis="y", color="0.85")
        axes.set_axisbelow(True)
        _set_score_axis(axes, bins, has_losses)
        axes.tick_params(labelbottom=axes is panels[-1])
    panels[-1].set_xlabel(
        "best score in points"
        + (f", bins of {bins.width} points" if bins.width > 1 else ", a bar for each point")
    )


def _draw_bars(
    axes: Axes, look: _Look, bins: _Bins, won: dict[int, int], lost: dict[int, int]
) -> None:
    """A bar for each bin, and one with its range for the scores of the deals without a win."""
    middle, width = bins.apart
    lefts, heights, widths = bins.edges[:-1], bins.heights(won), [float(bins.width)] * bins.count
    if lost:
        lefts, widths = [*lefts, middle - width / 2], [*widths, width]
        heights = [*heights, sum(lost.values())]
        axes.annotate(
            _range(lost),
            (middle, heights[-1]),
            (0, 2),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=_SMALL,
        )
    axes.bar(
        lefts,
        heights,
        widths,
        align="edge",
        hatch=look.hatch,
        facecolor="white",
        edgecolor=look.colour,
    )


def _won_and_not(suits: int, best: BestScores) -> tuple[dict[int, int], dict[int, int]]:
    """How many deals have which proven best score: by a line that wins, and by one that does not.

    Most deals that cannot be won score 500, so far below the rest that one axis is not for both.
    """
    runs = DECKS[suits].runs
    won = {score(moves, runs): count for moves, count in best.moves.items()}
    lost = {value: count - won.get(value, 0) for value, count in best.scores.items()}
    return won, {value: count for value, count in lost.items() if count > 0}


def _bins_of(counted_scores: Sequence[dict[int, int]]) -> _Bins:
    """Bins that hold all scores: one a score, or wider ones where that would be too many.

    Where there are few, empty ones on both sides keep the bars slim; without scores there are none.
    """
    values = [value for counts in counted_scores for value in counts]
    if not values:
        return _Bins(0, 1, 0)
    least, most = min(values), max(values)
    missing = max(0, _LEAST_BINS - (most - least))
    least, most = least - missing // 2, most + missing // 2
    width = next(w for w in (1, 2, 5, 10, 20, 50, 100) if (most - least) // w < _MOST_BINS)
    first = least // width * width
    return _Bins(first, width, (most - first) // width + 1)


def _set_score_axis(axes: Axes, bins: _Bins, has_losses: bool) -> None:
    """Ticks at scores, and one at the bar of the deals without a win, which stands apart."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415 - an extra

    left, right = bins.edges[0], bins.edges[-1]
    ticks: list[float] = []
    if bins.count:
        places = MaxNLocator(10, integer=True, steps=_STEPS).tick_values(left, right)
        ticks = [tick for tick in places if left <= tick <= right]
    labels = [f"{tick:.0f}" for tick in ticks]
    margin = 0.02 * (right - left) if bins.count else _LEAST_BINS / 2
    if has_losses:
        middle, _ = bins.apart
        ticks, labels = [middle, *ticks], ["no win", *labels]
        if bins.count:
            axes.axvline(left - 0.2 * (left - middle), color="0.4", linestyle=":")
        left = middle - 0.7 * (left - middle)
    axes.set_xticks(ticks, labels)
    axes.set_xlim(left - margin, right + margin)


def _caption(summaries: Sequence[Summary], has_best: bool) -> str:
    """What the marks mean, and whose answers they are."""
    lines = [
        f"Mark: win rate. Line: its {100 * CONFIDENCE:.0f} % interval (Wilson); the lower end "
        "counts undetermined deals as lost, the upper end as won."
    ]
    if has_best:
        lines.append(
            "No win: deals whose best line does not win, with their scores. "
            "Deals without a proven best score are not shown."
        )
    versions = dict.fromkeys(version for summary in summaries for version in summary.versions)
    if versions:
        lines.append(f"Solved by simon_solver {', '.join(versions)}.")
    return "\n".join(lines)


def _suits(suits: int) -> str:
    return counted(suits, "suit")


def _range(counts: dict[int, int]) -> str:
    least, most = min(counts), max(counts)
    return f"{least}" if least == most else f"{least}–{most}"
