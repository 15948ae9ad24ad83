"""Lines of a text and places in it, the same for every reader.

A line ends as `str.splitlines` has it: at LF, CR or CR LF, and at the rarer ends that Unicode
knows, such as a vertical tab or a line separator.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


def lines_of(text: str) -> list[str]:
    """The lines without their ends, and without a byte order mark before the first."""
    return text.removeprefix("\ufeff").splitlines()


def beginning(text: str) -> str:
    """The first 40 characters of the text, to quote it in a message."""
    return text if len(text) <= 40 else text[:40] + "..."


class Places:
    """Where in a text its characters stand; the text is looked through once, not for each."""

    def __init__(self, text: str) -> None:
        # The full stop stands for what may follow a last line end: it is on a line of its own.
        ends = list(accumulate(map(len, f"{text}.".splitlines(keepends=True))))
        self._starts = [0, *ends[:-1]]

    def at(self, offset: int) -> str:
        """The place of a character, such as ``line 3, column 7``, both counted from 1."""
        row = bisect_right(self._starts, offset) - 1
        return f"line {row + 1}, column {offset - self._starts[row] + 1}"
