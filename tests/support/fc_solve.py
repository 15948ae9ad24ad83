"""Running fc-solve in tests; they are skipped where it is missing, but not in CI."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from simon_solver.game.position import Position
from simon_solver.reading.formats import columns

FC_SOLVE = "fc-solve"
SOLVED = "This game is solveable."
PRESETS = {"default": (), "the-last-mohican": ("-l", "the-last-mohican")}

needs_fc_solve = pytest.mark.skipif(
    shutil.which(FC_SOLVE) is None and not os.environ.get("CI"), reason="fc-solve is not installed"
)


def fc_solve(position: Position, preset: str, *options: str) -> str:
    """What fc-solve prints of a deal."""
    command = [FC_SOLVE, "-g", "simple_simon", *PRESETS[preset], "-mi", "100000", *options]
    run = subprocess.run(
        command, input=columns.write(position), text=True, capture_output=True, check=True
    )
    return run.stdout
