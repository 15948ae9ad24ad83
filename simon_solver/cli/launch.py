"""Starts the program; imports nothing large before Ctrl-C is under control."""

from __future__ import annotations

import os

from simon_solver.cli.shared.exit_codes import EXIT_INTERRUPTED
from simon_solver.cli.shared.leaving import (
    finish_silently,
    finish_undisturbed,
    leaving_at_once,
)


def main() -> None:
    """Run the program and exit."""
    # numpy would start a thread for each core to multiply matrices, and there are none to multiply
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with leaving_at_once():
        from simon_solver.cli.main import main as run  # noqa: PLC0415 - it takes a while
    try:
        run()
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None
    finally:
        finish_undisturbed()
        finish_silently()
