"""The exit codes of all commands; `docs/exit-codes.md` has them as a table."""

from __future__ import annotations

EXIT_OK = 0
EXIT_NO = 1
"""Unwinnable, or a legal move list that does not win."""
EXIT_BAD_INPUT = 2
EXIT_UNDETERMINED = 3
EXIT_INTERNAL_ERROR = 70
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141
"""The reader of our output has gone; what a shell reports of a program killed by SIGPIPE."""
