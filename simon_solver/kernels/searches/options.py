"""What a search may be asked to do, as numbers in one array."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.state.task import Ints


class Options(NamedTuple):
    """The options of a search by name; their order is that of the array."""

    weight_g: int = 1
    weight_h: int = 1
    """f = weight_g * g + weight_h * h; equal weights find a shortest way"""
    use_lifts: int = 0
    """1: L0 may call positions lost"""
    waiting: int = 0
    """1: h is the waiting bound, not U alone"""
    taken: int = 0
    """1: that bound knows of taken copies"""
    parents: int = 0
    """1: a new node gets what its parent's conflicts prove"""
    runs_wanted: int = 0
    """the goal: so many runs removed, 0 for a win"""
    in_layers: int = 0
    """1: a node brings only the children whose f is its own"""
    use_classes: int = 0
    """which positions L1 may call lost, see `WHEN`; the loose search does not look here, it asks
    about all but those that a plain move leads to"""

    def as_array(self) -> Ints:
        """The array that kernels read through `OPTION`."""
        return np.array(self, np.int64)


OPTION = Options(*range(len(Options())))
"""The place of each option in the array."""


class _When(NamedTuple):
    """Values of `Options.use_classes`."""

    never: int = 0
    start: int = 1
    always: int = 2


WHEN = _When()
