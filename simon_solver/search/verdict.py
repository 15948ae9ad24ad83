"""What a search may say of a position, and what may end it before it can."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Can the game be won? `UNDETERMINED` says that a limit ended the search, never a proof."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDETERMINED = "undetermined"


class StoppedBy(StrEnum):
    """Which limit ended a search before its question was answered.

    `INTERRUPT` says that Ctrl-C was pressed during the call, and may stand beside a complete answer
    when it came too late to end the search: whoever asks next should know that the user wants out.
    """

    TIME = "time"
    MEMORY = "memory"
    STATES = "states"
    INTERRUPT = "interrupt"
