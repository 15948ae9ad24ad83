"""Stand-ins for what takes long, shared by the tests of the commands."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.batch import Inline
from tests.support.cli import StandInSolver


@pytest.fixture
def solver(monkeypatch: pytest.MonkeyPatch) -> StandInSolver:
    """A stand-in for `solver` and `hints`, so that nothing is searched or compiled."""
    stand_in = StandInSolver()
    for name, calls in (("solver", ("solve", "check")), ("hints", ("hint",))):
        module = ModuleType(f"simon_solver.answers.{name}")
        for call in calls:
            setattr(module, call, getattr(stand_in, call))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for command in ("shared.searching", "commands.check", "commands.play", "playing.dialogue"):
        monkeypatch.setattr(f"simon_solver.cli.{command}.load_search", lambda *_: None)
    return stand_in


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No search and no processes, in an empty working folder."""
    monkeypatch.setattr("simon_solver.batch.workers.LocalWorkers", Inline)
    monkeypatch.setattr("simon_solver.cli.commands.rates.prepare_kernels", lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path
