"""What a call of a search ends with."""

from __future__ import annotations

from typing import NamedTuple


class _Outcome(NamedTuple):
    """Status codes of all searches that expand a few states a call."""

    running: int = 0
    """the budget of the call is spent"""
    won: int = 1
    """the goal has been reached"""
    exhausted: int = 2
    """nothing is left to expand"""
    full: int = 3
    """the pool must grow before the search can go on"""
    lost: int = 4
    """a relaxation proves that the start cannot reach the goal"""


OUTCOME = _Outcome()
