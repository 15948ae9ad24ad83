"""Kernels are compiled by other processes, and whatever becomes of these, answers stay right."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Never

import filelock
import numba
import numpy as np
import psutil
import pytest

from simon_solver.answers.solver import check
from simon_solver.kernels.native import kept, shipped
from simon_solver.kernels.native.building import build
from simon_solver.kernels.native.files import Code
from simon_solver.kernels.native.places import CACHE_VARIABLE, file_name
from simon_solver.kernels.native.translating import translate
from simon_solver.reading.deals import read_deal
from simon_solver.search import compiling, jobs, preparing
from simon_solver.search.groups import Group
from tests.support.kernel import ancestors

pytestmark = pytest.mark.skipif(
    numba.config.DISABLE_JIT or numba.config.BOUNDSCHECK, reason="compiles in other processes"
)
CODE = Code({"root": "a", "entries": {}}, b"machine code")
PATIENT = 120  # seconds; long enough for any machine

WITHOUT_BITCODE = jobs._START.replace(
    "from simon_solver.search.compiling",
    "from simon_solver.kernels.native import shipped\nshipped.read = lambda _group: None\n"
    "from simon_solver.search.compiling",
)
BEGIN = """
from simon_solver.search import jobs, preparing
from simon_solver.search.groups import Group
"""
CHECK = """
import sys
from simon_solver import check, read_deal
told = [check(read_deal(f"SS1-S4-AAAAAB{last}")).verdict.value for last in "DEF"]
# only the process that compiles needs what numba has inside
assert "simon_solver.kernels.native.translating" not in sys.modules
print(*told, "numba" in sys.modules)
"""


def process(code: str, cache: Path) -> subprocess.Popen[str]:
    """A process that runs Python code with a cache folder of its own."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, CACHE_VARIABLE: str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told_by(code: str, cache: Path) -> str:
    with process(code, cache) as one:
        output, errors = one.communicate(timeout=PATIENT)
    assert (one.returncode, errors) == (0, "")
    return output.strip()


def answers() -> str:
    return " ".join(check(read_deal(f"SS1-S4-AAAAAB{last}")).verdict.value for last in "DEF")


def wait_until(found: object, what: str) -> None:
    end = time.monotonic() + PATIENT
    while not found():  # type: ignore[operator]
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    "start",
    [
        "import os; print(1, 9, flush=True); os.kill(os.getpid(), 9)",
        f"from numba.core import codegen; del codegen.JITCPUCodegen.set_env\n{WITHOUT_BITCODE}",
    ],
)
def test_a_process_that_fails_is_replaced_silently(start: str, tmp_path: Path) -> None:
    code = f"{BEGIN}jobs._START = {start!r}\npreparing.wait_for([Group.DECIDING]){CHECK}"
    assert told_by(code, tmp_path) == f"{answers()} True"


@pytest.mark.slow
def test_a_process_that_cannot_be_had_is_replaced_silently(tmp_path: Path) -> None:
    code = f"{BEGIN}import sys; sys.executable = '/bin/cat'\npreparing.wait_for([Group.DECIDING])"
    assert told_by(f"{code}{CHECK}", tmp_path) == f"{answers()} True"
    assert not list(tmp_path.rglob("*.code"))


def test_what_a_process_tells_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["rubbish", "1 5", "x y", "5 5", "1 2 3", "1 3", "2 3", ""]
    monkeypatch.setattr(jobs, "_START", f"print({chr(10).join(lines)!r})")
    job = jobs.Job([Group.DECIDING], tmp_path)
    wait_until(lambda: job.has_ended and job.total == 8, "it has not been heard")
    assert job.done == 7
    job.leave()


@pytest.mark.slow
def test_two_processes_share_the_work(tmp_path: Path) -> None:
    code = f"{BEGIN}preparing.wait_for([Group.DECIDING]){CHECK}"
    both = [process(code, tmp_path) for _ in range(2)]
    for one in both:
        output, errors = one.communicate(timeout=PATIENT)
        assert (output.strip(), errors) == (f"{answers()} False", "")
    (made,) = tmp_path.rglob("*.code")
    before = made.stat().st_mtime_ns
    assert told_by(code, tmp_path) == f"{answers()} False"
    assert made.stat().st_mtime_ns == before


def test_what_another_process_makes_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / file_name("deciding")
    monkeypatch.setattr(compiling, "_made", lambda _group: pytest.fail("compiled as well"))
    lock = filelock.FileLock(path.with_suffix(".lock"))
    with ThreadPoolExecutor() as pool:
        with lock:
            waiting = pool.submit(compiling.compile_group, Group.DECIDING, tmp_path)
            time.sleep(0.2)
            assert not waiting.done()
            kept.write(path, CODE)
        waiting.result(PATIENT)
    assert kept.read(path) == CODE


class NoLock(filelock.FileLock):
    """A lock on a file system that has none."""

    def acquire(self, *_: object, **__: object) -> Never:
        raise NotImplementedError


@pytest.mark.parametrize("kind", [filelock.FileLock, NoLock])
def test_a_lock_that_cannot_be_had_only_costs_work(
    kind: type[filelock.FileLock], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / file_name("deciding")
    monkeypatch.setattr(compiling, "MOST_WAITING", 0.1)
    monkeypatch.setattr(compiling, "_made", lambda _group: CODE)
    monkeypatch.setattr(compiling, "_tried", lambda _group, code: code)
    with filelock.FileLock(path.with_suffix(".lock")):  # of a process that is stopped
        monkeypatch.setattr(filelock, "FileLock", kind)
        compiling.compile_group(Group.DECIDING, tmp_path)
    assert kept.read(path) == CODE


def ended(job: jobs.Job) -> jobs.Job:
    wait_until(lambda: job.has_ended, "the process goes on")
    return job


def test_what_a_process_prints_cannot_disturb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ["1 3", "2 3", "words", "1 2 3", "3 3", "-1 5", "", "1 4"]
    text = "\n".join(told).encode() + b"\n\xff\xfe\n" + 30_000 * b"much to say\n" + b"2 4\n"
    (tmp_path / "text").write_bytes(text)
    start = f"import sys; sys.stdout.buffer.write(open({str(tmp_path / 'text')!r}, 'rb').read())"
    monkeypatch.setattr(jobs, "_START", start)
    job = ended(jobs.Job([], tmp_path))
    assert (job.done, job.total) == (3 + 2, 3 + 4)


def test_a_process_is_told_to_finish_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = "import sys; open(sys.argv[2] + '/told', 'w').write(sys.stdin.readline())"
    monkeypatch.setattr(jobs, "_START", start)
    for name in ("kept", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(kept, "folder", lambda: tmp_path / "kept")
    told = [tmp_path / name / "told" for name in ("kept", "temporary")]
    for file in told:
        jobs.Job([], file.parent).leave()
    wait_until(lambda: all(file.exists() for file in told), "the processes were not told")
    wait_until(lambda: told[0].read_text() == "finish\n", "it was not told to finish")
    assert told[1].read_text() == ""


def test_no_module_of_the_current_folder_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "signal", "numpy"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w'); raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, tmp_path])  # some put no strings there
    job = ended(jobs.Job([], tmp_path))
    assert job._process.returncode == 0
    assert not (tmp_path / "imported").exists()


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
@pytest.mark.parametrize("handled", ["SIG_IGN", "SIG_DFL"])
def test_interrupts_are_ignored_where_they_were(handled: str, tmp_path: Path) -> None:
    code = (
        f"import signal; signal.signal(signal.SIGINT, signal.{handled})\n"
        "import subprocess, sys\n"
        "told = 'import signal; from simon_solver.search.compiling import main; main(\"\", []);'\n"
        "told += 'print(signal.getsignal(signal.SIGINT).name)'\n"
        "start = [sys.executable, '-c', told]\n"
        "with subprocess.Popen(start, stdin=subprocess.PIPE) as one: one.wait()"
    )
    assert told_by(code, tmp_path) == handled


@pytest.mark.slow
def test_what_was_begun_is_finished_after_an_orderly_end(tmp_path: Path) -> None:
    assert told_by(f"{BEGIN}preparing._begin([Group.DECIDING])", tmp_path) == ""
    wait_until(lambda: list(tmp_path.rglob(file_name("deciding"))), "nothing was kept")


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_the_death_of_the_parent_ends_the_work(ending: int, tmp_path: Path) -> None:
    code = (
        f"{BEGIN}jobs._START = {WITHOUT_BITCODE!r}\n"  # it takes long
        "preparing._begin([Group.DECIDING])\nprint('begun', flush=True); time.sleep(120)"
    )
    with process(f"import time\n{code}", tmp_path) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "begun\n"
        children = psutil.Process(one.pid).children()
        assert len(children) == 1
        one.send_signal(ending)
    _, alive = psutil.wait_procs(children, timeout=PATIENT)
    assert not alive
    assert not list(tmp_path.rglob("*.code"))


def bitcode() -> Code:
    """A translation that is quickly made."""
    return translate([ancestors()], lambda _done, _total: None)


def test_code_that_answers_otherwise_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = bitcode()
    monkeypatch.setattr(shipped, "read", lambda _group: None)
    monkeypatch.setattr(compiling, "translation", lambda _group, _report: code)
    compiling.compile_group(Group.DECIDING, tmp_path)
    made = kept.read(tmp_path / file_name("deciding"))
    assert made is not None
    assert made.content == build(code).content
    (tmp_path / file_name("deciding")).unlink()
    runs = iter([[np.zeros(3)], [np.ones(3)]])
    monkeypatch.setattr(compiling, "sample", lambda _group: next(runs))
    with pytest.raises(RuntimeError, match="differ"):
        compiling.compile_group(Group.DECIDING, tmp_path)
    assert not list(tmp_path.glob("*.code*"))


@pytest.mark.parametrize(
    ("facts", "content"),
    [
        ({"words": "16 bits, middle endian"}, None),
        ({"root": "nothing"}, None),
        ({}, b"no bitcode"),
    ],
)
def test_bitcode_that_does_not_serve_is_replaced_by_a_translation(
    facts: dict[str, str], content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = bitcode()
    bad = Code({**good.facts, **facts}, content or good.content)
    asked: list[Group] = []

    def translation(group: Group, _report: object) -> Code:
        asked.append(group)
        return good

    monkeypatch.setattr(shipped, "read", lambda _group: bad)
    monkeypatch.setattr(compiling, "translation", translation)
    compiling.compile_group(Group.DECIDING, tmp_path)
    assert asked == [Group.DECIDING]
    made = kept.read(tmp_path / file_name("deciding"))
    assert made is not None
    assert made.content == build(good).content
    asked.clear()
    monkeypatch.setattr(shipped, "read", lambda _group: good)
    compiling.compile_group(Group.PROVING, tmp_path)
    assert asked == []


@pytest.mark.slow
def test_numba_translates_where_no_bitcode_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(shipped, "read", lambda _group: None)
    monkeypatch.setattr(compiling, "_report", lambda *numbers: told.append(numbers))
    # building the package translates the other groups, and each machine tries them
    compiling.compile_group(Group.DECIDING, tmp_path)
    assert kept.read(tmp_path / file_name("deciding")) is not None
    # what another group has had translated in this process is not translated again
    assert told == [(done, told[-1][1]) for done in range(1, len(told) + 1)]


def test_kept_code_that_cannot_be_loaded_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / file_name("deciding")
    kept.write(path, Code({"triple": "x", "root": "y", "entries": {}}, b"no code"))
    monkeypatch.setattr(preparing, "_ready", set())
    preparing._load(Group.DECIDING, tmp_path)
    assert not path.exists()
    assert not preparing._ready


def test_a_folder_that_cannot_be_written_gives_a_warning_and_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = tmp_path / "a file, no folder"
    taken.touch()
    monkeypatch.setattr(kept, "folder", lambda: taken / "kernels-x")
    make = jobs.place_to_keep.__wrapped__
    with pytest.warns(RuntimeWarning, match="compiled kernels cannot be saved"):
        place = make()
    assert place is not None
    assert place.is_dir()

    def refuse(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryDirectory", refuse)
    with pytest.warns(RuntimeWarning, match="compiled kernels cannot be saved"):
        assert make() is None


@pytest.mark.slow
def test_where_nothing_can_be_kept_each_process_compiles_for_itself(tmp_path: Path) -> None:
    taken = tmp_path / "a file, no folder"
    taken.touch()
    code = (
        f"import warnings; warnings.simplefilter('always'){BEGIN}"
        f"preparing.wait_for([Group.DECIDING]){CHECK}print(jobs.place_to_keep())"
    )
    with process(code, taken) as one:
        output, errors = one.communicate(timeout=PATIENT)
    assert errors.count("RuntimeWarning: compiled kernels cannot be saved") == 1
    assert "Traceback" not in errors
    told, place = output.splitlines()
    assert told == f"{answers()} False"
    assert Path(place).parent == Path(tempfile.gettempdir())
    assert not Path(place).exists()


@pytest.mark.parametrize(
    ("executable", "expected"),
    [
        ("/usr/bin/python3", True),
        ("/opt/Python/pythonw.exe", True),
        ("/opt/pypy3", True),
        ("/usr/bin/blender", False),
        ("", False),
        (None, False),
    ],
)
def test_only_an_interpreter_is_started(
    executable: str | None, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert preparing._is_python() == expected
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not preparing._is_python()


class StandInJob:
    """A job that does nothing."""

    started, done, total, has_ended, place = 0.0, 1, 7, False, Path("nowhere")


def test_compiling_begins_when_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Group] = []
    for name in ("_ready", "_jobs"):
        monkeypatch.setattr(preparing, name, type(getattr(preparing, name))())
    monkeypatch.setattr(preparing, "_looked_for", set(Group))
    monkeypatch.setattr(preparing, "_interpreted", 0)
    monkeypatch.setattr(preparing, "_begin", begun.extend)
    preparing.count(99)
    assert not any(map(preparing.want, Group))
    preparing.count(1)
    assert not any(map(preparing.want, Group))
    assert begun == [Group.PROVING]
    preparing.count(preparing.USUAL_PATIENCE)
    assert not any(preparing.want(group, compiling=False) for group in Group)
    assert begun == [Group.PROVING]
    assert not preparing.want(Group.LOOSE)
    assert begun == [Group.PROVING, Group.LOOSE]
    assert preparing.compiling() is None
    monkeypatch.setattr(preparing, "_jobs", {Group.LOOSE: StandInJob()})
    state = preparing.compiling()
    assert state is not None
    assert (state.done, state.total) == (1, 7)
    assert preparing.is_compiling(Group.LOOSE)
    assert not preparing.is_compiling(Group.PROVING)
