"""Tables of figures in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

_BEYOND = 1e18
"""Stands for infinity in `percentile`: numpy works with differences."""


def percentile(values: Sequence[float], level: float) -> float:
    """The smallest of the values that `level` per cent of them do not exceed; they may be infinite.

    Always one of the values, so that a deal stands behind each figure.
    """
    finite = [min(value, _BEYOND) for value in values]
    found = float(np.percentile(finite, level, method="inverted_cdf"))
    return math.inf if found >= _BEYOND else found


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, nan of none."""
    return sum(values) / len(values) if values else math.nan


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table: the first column left, the others right aligned; floats by `figure`."""
    cells = [list(head)]
    cells += [[figure(x) if isinstance(x, float) else str(x) for x in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + " |"
        for row in cells
    ]
    rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def figure(value: float) -> str:
    """A number with about three significant digits and commas; a dash for what is not known."""
    if math.isnan(value) or math.isinf(value):
        return "–"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.{min(digits, 4)}f}"


def share(part: int, whole: int) -> str:
    """A part in per cent of the whole."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
