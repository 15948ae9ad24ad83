"""Options and fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from hypothesis import settings

from simon_solver.kernels.forms import ENTRIES
from simon_solver.search.groups import Group
from simon_solver.search.preparing import wait_for

# What tests have numba compile in their own process runs briefly: quick compiling pays more.
os.environ.update(NUMBA_OPT="1", NUMBA_LOOP_VECTORIZE="0", NUMBA_SLP_VECTORIZE="0")

# The same examples on every run, and no opinion on how long one may take.
settings.register_profile("project", derandomize=True, deadline=None)
settings.load_profile("project")

_NUMBERS = count()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--slow``."""
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the slow tests out unless asked for; let keys wrap around in kernel tests."""
    if not config.getoption("--slow"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    # Without compilation a wrapping 64-bit product warns; it is meant.
    wraps = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
    for item in items:
        if item.get_closest_marker("kernel"):
            item.add_marker(wraps)


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """Have all kernels compiled, so that none is slow and no command says that it compiles."""
    wait_for(Group)


@pytest.fixture(autouse=True)
def _forms() -> Iterator[None]:
    """Have each test leave the kernels in the form that it found them in."""
    before = [entry.compiled for entry in ENTRIES]
    yield
    after = [entry.compiled for entry in ENTRIES[: len(before)]]
    for entry, form in zip(ENTRIES, before, strict=False):
        entry.compiled = form
    assert after == before


@pytest.fixture(autouse=True)
def _games(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `play` keep games where no other test and no user has one."""
    file = tmp_path_factory.getbasetemp() / f"game-{next(_NUMBERS)}.json"
    monkeypatch.setenv("SIMON_SOLVER_SAVE", str(file))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """A random generator of the test's own: its seed is the test's name."""
    return Random(request.node.name)
