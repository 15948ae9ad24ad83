"""Which form kernels run in, and who compiles them. Much of it needs a fresh process."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Never

import numba
import pytest

import simon_solver
from simon_solver.answers.solver import check
from simon_solver.kernels.forms import ENTRIES, run_compiled, running_as
from simon_solver.kernels.native import kept, twins
from simon_solver.kernels.native.places import CACHE_VARIABLE, file_name
from simon_solver.reading.deals import read_deal
from simon_solver.search import preparing, samples
from simon_solver.search.control import Control, Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.groups import Group
from simon_solver.search.limits import Limits
from simon_solver.search.portfolio import Portfolio, task_of
from simon_solver.search.verdict import StoppedBy, Verdict

PACKAGE = Path(simon_solver.__file__).parent
compiles_aside = pytest.mark.skipif(
    numba.config.DISABLE_JIT or numba.config.BOUNDSCHECK, reason="compiles in other processes"
)


def told_by(code: str, *, where: str = str(PACKAGE.parent), **environment: str) -> str:
    """What a fresh process prints that runs Python code."""
    plain = {name: text for name, text in os.environ.items() if not name.startswith("NUMBA_")}
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**plain, "PYTHONPATH": where, **environment},
        cwd=where if Path(where).is_dir() else Path(where).parent,  # it comes first on the path
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.strip()


@contextmanager
def fresh(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a process that has not looked for any group, nor run any kernel compiled."""
    for name in ("_ready", "_looked_for"):
        patch.setattr(preparing, name, set())
    patch.setattr(preparing, "_jobs", {})
    patch.setattr("simon_solver.kernels.forms._forms", {})
    with running_as(lambda _entry: None):
        yield


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="needs compiled kernels")
def test_kernels_that_are_imported_late_run_compiled() -> None:
    code = (
        "from simon_solver.kernels.forms import ENTRIES\n"
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


@pytest.mark.parametrize(
    ("environment", "mode"),
    [
        ({}, "aside"),
        ({"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0"}, "aside"),
        ({"NUMBA_DISABLE_JIT": ""}, "aside"),
        ({"NUMBA_DISABLE_JIT": "1"}, "interpreted"),
        ({"NUMBA_DISABLE_JIT": "1", "NUMBA_BOUNDSCHECK": "1"}, "interpreted"),
        ({"NUMBA_BOUNDSCHECK": "1"}, "in this process"),
    ],
)
def test_modes(environment: dict[str, str], mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert preparing._mode.__wrapped__() == mode
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert preparing._mode.__wrapped__() == ("in this process" if mode == "aside" else mode)


def test_what_stays_interpreted_loads_no_compiler_and_keeps_nothing(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from simon_solver import check, read_deal\n"
        "from simon_solver.search.groups import Group\n"
        "from simon_solver.search.preparing import wait_for, want\n"
        "wait_for(Group)\n"
        "told = check(read_deal('SS1-S1-AAAAABD'))\n"
        "print(told.verdict.value, want(Group.DECIDING), 'llvmlite' in sys.modules)"
    )
    told = told_by(code, NUMBA_DISABLE_JIT="1", **{CACHE_VARIABLE: str(tmp_path)})
    assert told == "winnable False False"
    assert not list(tmp_path.iterdir())


def test_a_package_in_an_archive_keeps_nothing(tmp_path: Path) -> None:
    archive = tmp_path / "package.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for source in PACKAGE.rglob("*.py"):
            file.write(source, source.relative_to(PACKAGE.parent))
    code = "from simon_solver.search import preparing as p; print(p._mode(), p.__file__)"
    mode, _, where = told_by(code, where=str(archive)).rpartition(" ")
    assert mode == "in this process"
    assert where.startswith(str(archive))


def test_a_package_of_bytecode_alone_keeps_nothing(tmp_path: Path) -> None:
    copied = tmp_path / "package" / PACKAGE.name
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(copied, quiet=1, legacy=True)
    for source in copied.rglob("*.py"):
        source.unlink()
    code = "from simon_solver.search import preparing as p; print(p._mode(), p.__file__)"
    mode, _, where = told_by(code, where=str(copied.parent)).rpartition(" ")
    assert mode == "in this process"
    assert where.startswith(str(copied))


@compiles_aside
def test_a_damaged_file_is_replaced_by_the_process_that_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, path = kept.folder() / file_name("deciding"), tmp_path / file_name("deciding")
    job = StandInJob(tmp_path)
    monkeypatch.setattr(preparing, "_compile_here", here)
    with fresh(monkeypatch):
        monkeypatch.setattr(preparing, "_looked_for", set(Group))
        monkeypatch.setattr(preparing, "_jobs", {Group.DECIDING: job, Group.LOOSE: job})
        assert not preparing.want(Group.DECIDING)  # there is no file yet
        path.write_bytes(good.read_bytes()[:-1])
        assert not preparing.want(Group.DECIDING)
        assert preparing.is_compiling(Group.DECIDING)
        shutil.copy(good, path)
        assert preparing.want(Group.DECIDING)
        assert not preparing.is_compiling(Group.DECIDING)
        job.has_ended = True
        with pytest.raises(CompiledHereError):
            preparing.want(Group.LOOSE)


class StandInJob:
    """A process that compiles into a folder."""

    started, done, total, has_ended = 0.0, 1, 7, False

    def __init__(self, place: Path) -> None:
        self.place = place


class CompiledHereError(Exception):
    pass


def here(_group: Group, **_: object) -> Never:
    raise CompiledHereError


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="has one form only")
def test_compiling_one_group_leaves_the_entries_of_others_interpreted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Dispatcher:
        signatures: tuple[str, ...] = ()

    made: dict[Any, Any] = {entry: Dispatcher() for entry in ENTRIES}
    first = ENTRIES[0]

    def sample(_group: Group) -> None:
        assert first.compiled is made[first]
        made[first].signatures = ("something",)

    monkeypatch.setattr(twins, "dispatcher", made.__getitem__)
    monkeypatch.setattr(samples, "sample", sample)
    with fresh(monkeypatch):
        preparing._compile_here(Group.DECIDING)
        assert [entry for entry in ENTRIES if entry.compiled is not None] == [first]
        assert preparing.is_ready(Group.DECIDING)
        monkeypatch.setattr(samples, "sample", here)
        with pytest.raises(CompiledHereError):
            preparing._compile_here(Group.PROVING)
        assert not preparing.is_ready(Group.PROVING)


def test_code_that_is_there_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = ENTRIES[:2]

    def form(*_: object) -> int:
        return 1

    with fresh(monkeypatch):
        run_compiled({one.name: form})
        run_compiled({one.name: print, other.name: print, "nothing.known": print})
        assert (one.compiled, other.compiled) == (form, print)


def test_an_interrupt_is_seen_before_anything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    position = read_deal("SS1-S1-AAAAABD").position
    control, finding = Control(Limits(0, 100, 0), None), Finding([0] * 5, 0, 0)
    control._interrupt.seen = True
    monkeypatch.setattr(preparing, "is_ready", lambda _group: False)
    with Portfolio(task_of(position), control) as portfolio:
        monkeypatch.setattr(preparing, "want", here)
        with pytest.raises(Stopped) as stop:
            portfolio.find_win(finding)
    assert stop.value.reason is StoppedBy.INTERRUPT
    assert finding.verdict is Verdict.UNDETERMINED


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_process_waits_for_no_thread_and_no_process_of_its_parent(tmp_path: Path) -> None:
    code = (
        "import os, threading, warnings\n"
        "from simon_solver.search import preparing\n"
        "from simon_solver.search.groups import Group\n"
        "warnings.simplefilter('ignore')\n"  # some Pythons say that threads and forks do not mix
        "holds, ends = threading.Event(), threading.Event()\n"
        "def hold():\n"
        "    with preparing._lock:\n"
        "        holds.set()\n"
        "        ends.wait()\n"
        "threading.Thread(target=hold, daemon=True).start()\n"
        "holds.wait()\n"
        "preparing._looked_for.update([Group.DECIDING, Group.LOOSE])\n"
        "preparing._jobs[Group.LOOSE] = None\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    told = preparing.want(Group.DECIDING), preparing.is_compiling(Group.LOOSE)\n"
        "    os._exit(0 if told == (False, False) and not preparing.want(Group.LOOSE) else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), *preparing._jobs)\n"
        "ends.set()"
    )
    assert told_by(code, **{CACHE_VARIABLE: str(tmp_path)}) == "0 Group.LOOSE"


@compiles_aside
def test_threads_search_side_by_side() -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from simon_solver import check, read_deal\n"
        "deals = [read_deal(f'SS1-S{suits}-AAAAAB{last}') for suits in (1, 4) for last in 'DEFG']\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    for told in pool.map(check, deals): print(told.verdict.value, told.states)"
    )
    deals = [read_deal(f"SS1-S{suits}-AAAAAB{last}") for suits in (1, 4) for last in "DEFG"]
    expected = [f"{told.verdict.value} {told.states}" for told in map(check, deals)]
    assert told_by(code).splitlines() == expected
