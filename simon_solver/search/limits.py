"""The limits that a caller sets for a search."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real

from simon_solver.errors import LimitError


@dataclass(frozen=True)
class Limits:
    """Bounds on a search: wall seconds, MiB of nodes and tables, expanded states; 0 is no bound.

    Raises:
        LimitError: a bound is negative, or the memory bound is not positive.
        TypeError: a bound is no number, or a fraction of a MiB or of a state.
    """

    seconds: float = 60.0
    memory_mib: int = 4096
    states: int = 0

    def __post_init__(self) -> None:
        if not _is_real(self.seconds):
            raise TypeError(f"expected a number of seconds as the time limit, got {self.seconds!r}")
        need_whole_number("the memory limit", self.memory_mib)
        need_whole_number("the state limit", self.states)
        if not self.seconds >= 0:
            raise LimitError(f"expected a time limit of at least 0 seconds, got {self.seconds}")
        if not self.memory_mib >= 1:
            raise LimitError(f"expected a memory limit of at least 1 MiB, got {self.memory_mib}")
        if not self.states >= 0:
            raise LimitError(f"expected a state limit of at least 0, got {self.states}")


def need_whole_number(name: str, number: object) -> None:
    """Check an argument that a caller may have got wrong.

    Raises:
        TypeError: it is no whole number.
    """
    if not isinstance(number, Integral):
        raise TypeError(f"expected a whole number as {name}, got {number!r}")


def _is_real(number: object) -> bool:
    return isinstance(number, Real)
