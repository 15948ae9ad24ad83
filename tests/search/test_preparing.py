"""Entries run compiled whenever they were declared. A fresh process has imported none yet."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import pytest


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="needs compiled kernels")
def test_kernels_that_are_imported_late_run_compiled() -> None:
    code = (
        "from simon_solver.kernels.compiled import ENTRIES\n"
        "from simon_solver.search.groups import Group\n"
        "from simon_solver.search.preparing import wait_for\n"
        "wait_for(Group)\n"
        "before = len(ENTRIES)\n"
        "from simon_solver.answers import solver\n"
        "from simon_solver.search import codes\n"
        "print(before < len(ENTRIES), [entry.name for entry in ENTRIES if not entry.compiled])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=True
    )
    assert (run.stdout, run.stderr) == ("True []\n", "")
