"""How a search can end."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Can the game be won? `UNDETERMINED` says that a limit ended the search, never a proof."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDETERMINED = "undetermined"


class StoppedBy(StrEnum):
    """Which limit ended a search before its question was answered.

    `INTERRUPT` says that Ctrl-C was pressed during the call. It may stand beside a complete answer,
    if it came too late to end the search: the caller should know that the user wants to stop.
    """

    TIME = "time"
    MEMORY = "memory"
    STATES = "states"
    INTERRUPT = "interrupt"
