"""The groups of kernels that are compiled together, each for one question."""

from enum import Enum


class Group(Enum):
    """What the kernels of a group are for; the value names their file."""

    DECIDING = "deciding"
    """Most verdicts: the lift relaxation and the macro search, dealing and replaying."""
    PROVING = "proving"
    """Best scores: A* with its bounds."""
    COMPLETE = "complete"
    """Verdicts that the macro search leaves open, of decks with copies."""
    LOOSE = "loose"
    """The same of decks without copies."""
