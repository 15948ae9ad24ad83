"""Starts the program; imports nothing large before Ctrl-C is under control."""

from __future__ import annotations

from simon_solver.cli.shared.exit_codes import EXIT_INTERRUPTED
from simon_solver.cli.shared.leaving import (
    finish_silently,
    finish_undisturbed,
    leaving_at_once,
)


def main() -> None:
    """Run the program and exit."""
    with leaving_at_once():
        from simon_solver.cli.main import main as run  # noqa: PLC0415 - it takes a while
    try:
        run()
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None
    finally:
        finish_undisturbed()
        finish_silently()
