"""Where compiled code is kept, and when it is made anew. Each case runs in a fresh process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest

import simon_solver
from simon_solver.answers.solver import solve
from simon_solver.game.codes import parse_code
from simon_solver.kernels.bounds import hitting, waiting
from simon_solver.kernels.codes import dealing, replaying
from simon_solver.kernels.relaxations import lifts
from simon_solver.kernels.searches import astar, complete, laying, loose, macro, path
from simon_solver.kernels.state import pool, successors, task
from simon_solver.search.codes import CodeDecider

PACKAGE = Path(simon_solver.__file__).parent

COUNT = """
import numpy as np
from simon_solver.kernels import compiled
from simon_solver.kernels.searches import path
from simon_solver.kernels.state import pool
nodes = pool.new_pool(1, 2, 8)
nodes.facts[1] = 1 << 33  # its parent is node 0
print(path._ancestors(nodes, 1, np.zeros(4, np.int64)), compiled.CACHE_FOLDER)
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with the package of `PYTHONPATH`, or of this checkout."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    path = environment.pop("PYTHONPATH", str(PACKAGE.parent))
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**inherited, "PYTHONPATH": path, **environment},
        cwd=path,  # it comes first when modules are looked for
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )


def count_and_folder(**environment: str) -> tuple[int, str]:
    count, folder = run(COUNT, **environment).stdout.split()
    return int(count), folder


def test_code_is_kept_in_the_named_folder(tmp_path: Path) -> None:
    key, folder = count_and_folder(NUMBA_CACHE_DIR=str(tmp_path))
    assert Path(folder).parent == tmp_path
    kept = {file: file.stat().st_mtime_ns for file in Path(folder).rglob("*.nb?")}
    assert kept
    assert count_and_folder(NUMBA_CACHE_DIR=str(tmp_path)) == (key, folder)
    assert {file: file.stat().st_mtime_ns for file in Path(folder).rglob("*.nb?")} == kept


@pytest.mark.skipif(sys.platform != "linux", reason="the variable is for Linux")
def test_code_is_kept_in_the_user_cache_folder(tmp_path: Path) -> None:
    _, folder = count_and_folder(XDG_CACHE_HOME=str(tmp_path))
    assert Path(folder).parent == tmp_path / "simon-solver"
    assert not list(PACKAGE.rglob("*.nb?"))


def test_works_uncached_with_a_warning_when_nothing_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / "a file, no folder"
    file.touch()
    ended = run(COUNT, NUMBA_CACHE_DIR=str(file))
    assert ended.stdout.endswith("None\n")
    assert "compiled kernels cannot be saved" in ended.stderr


def test_an_edit_in_another_file_is_seen(tmp_path: Path) -> None:
    copied = tmp_path / "package" / "simon_solver"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    where = {"PYTHONPATH": str(copied.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    before, folder = count_and_folder(**where)
    other = copied / "kernels" / "state" / "pool.py"
    source = other.read_text(encoding="utf-8")
    edited = source.replace("H_BITS = 12, 11, 8", "H_BITS = 12, 11, 9")
    assert edited != source
    other.write_text(edited, encoding="utf-8")
    after, other_folder = count_and_folder(**where)
    plain, _ = count_and_folder(**where, NUMBA_DISABLE_JIT="1")
    assert after == plain != before
    assert other_folder != folder


COMPLETE = """
import sys
from simon_solver.kernels import compiled
from simon_solver.search.warming import prepare
from simon_solver.game.codes import parse_code
from simon_solver.answers.solver import solve
compilations = []
compiled.before_compiling(lambda: compilations.append(1))
before = compiled.is_complete()
prepare()
print(before, compiled.is_complete(), len(compilations))
for suits in (1, 2, 4):
    solve(parse_code(f"SS1-S{suits}-AAAAABD").deal(), state_limit=3_000)
print(compiled.is_complete())
"""


def states(cache: Path, **environment: str) -> str:
    """Complete before and after `prepare`, compilations, complete after searches."""
    return " ".join(run(COMPLETE, NUMBA_CACHE_DIR=str(cache), **environment).stdout.split())


COLD, WARM = "False True 1 True", "True True 0 True"


def damage_nothing(file: Path) -> None:
    file.read_bytes()


def damage_size(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def damage_content(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def damage_by_deleting(file: Path) -> None:
    file.unlink()


def damage_by_one_more(file: Path) -> None:
    file.with_name(f"x{file.name}").write_bytes(b"x")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which all kernels are kept."""
    cache = tmp_path_factory.mktemp("filled")
    assert states(cache) == COLD
    return cache


@pytest.mark.parametrize(
    ("damage", "pattern", "complete"),
    [
        (damage_nothing, "*", True),
        (damage_size, "*.nbi", False),
        (damage_content, "*.nbi", False),
        (damage_content, "*.nbc", False),
        (damage_by_deleting, "*.nbc", False),
        (damage_by_one_more, "*.nbi", False),
        (damage_content, "complete.json", False),
        (damage_by_deleting, "complete.json", False),
    ],
)
def test_damage_is_seen(
    damage: Callable[[Path], None], pattern: str, complete: bool, filled: Path, tmp_path: Path
) -> None:
    cache = damaged(filled, tmp_path, damage, pattern)
    code = "from simon_solver.kernels import compiled; print(compiled.is_complete())"
    assert run(code, NUMBA_CACHE_DIR=str(cache)).stdout == f"{complete}\n"


def damaged(filled: Path, tmp_path: Path, damage: Callable[[Path], None], pattern: str) -> Path:
    """A copy of the filled cache with these files damaged."""
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)  # times are kept, too
    for file in filter(Path.is_file, list(cache.rglob(pattern))):
        damage(file)
    return cache


def test_a_damaged_cache_is_filled_anew(filled: Path, tmp_path: Path) -> None:
    cache = damaged(filled, tmp_path, damage_content, "*.nb?")
    assert states(cache) == COLD
    assert states(cache) == WARM


@pytest.mark.slow
def test_cold_starts_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: states(tmp_path), range(2)))
    assert all(state.startswith("False") for state in both)
    # Unless one ended while the other was still writing, and saw less than there is now.
    assert states(tmp_path) in (WARM, COLD)
    assert states(tmp_path) == WARM


@pytest.mark.slow
def test_files_deleted_while_another_process_compiles(tmp_path: Path) -> None:
    deleting = """
import time
from simon_solver.kernels import compiled
print("ready", flush=True)
while True:
    compiled.start_over()
    time.sleep(0.01)
"""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    environment["NUMBA_CACHE_DIR"] = str(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", deleting], env=environment, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        assert states(tmp_path) == "False False 1 False"
        other.kill()
    assert states(tmp_path) == COLD
    assert states(tmp_path) == WARM


def test_an_unfinished_file_of_another_process_is_left_alone(tmp_path: Path) -> None:
    folder = Path(count_and_folder(NUMBA_CACHE_DIR=str(tmp_path))[1]) / "search"
    new, old = folder / "x.nbc.tmp.1", folder / "x.nbc.tmp.2"
    for file in (new, old):
        file.touch()
    os.utime(old, (0, 0))
    run("from simon_solver.kernels import compiled; compiled.start_over()",
        NUMBA_CACHE_DIR=str(tmp_path))  # fmt: skip
    assert [file.name for file in folder.rglob("*") if file.is_file()] == [new.name]


def test_where_nothing_is_kept_nothing_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "a file, no folder"
    file.touch()
    code = """
from simon_solver.kernels import compiled
compiled.start_over()
compiled.mark_complete()
print(compiled.is_complete())
"""
    assert run(code, NUMBA_CACHE_DIR=str(file)).stdout == "False\n"


def test_without_compilation_all_is_complete(tmp_path: Path) -> None:
    code = "from simon_solver.kernels import compiled; print(compiled.is_complete())"
    ended = run(code, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="1")
    assert ended.stdout == "True\n"
    assert not list(tmp_path.iterdir())


def test_machines_that_share_a_home_folder_have_a_cache_each(tmp_path: Path) -> None:
    folders = {
        run(
            "from llvmlite import binding\n"
            f"binding.get_host_cpu_name = lambda: {name!r}\n"
            "from simon_solver.kernels import compiled; print(compiled.CACHE_FOLDER)",
            NUMBA_CACHE_DIR=str(tmp_path),
        ).stdout
        for name in ("znver4", "skylake", "znver4")
    }
    assert len(folders) == 2


def test_the_command_line_warns_in_one_line_and_says_not_once(tmp_path: Path) -> None:
    file = tmp_path / "a file, no folder"
    file.touch()
    code = "import sys; sys.argv[1:] = ['check', 'SS1-S1-AAAAABD', 'kpat:46']\n"
    ended = run(
        f"{code}from simon_solver.cli.launch import main\n"
        "try:\n    main()\nexcept SystemExit: pass",
        NUMBA_CACHE_DIR=str(file),
    )
    warning, note = ended.stderr.splitlines()
    assert warning.startswith(
        "Warning: compiled kernels cannot be saved, so every run compiles them again"
    )
    assert note == "Compiling search kernels (about half a minute)"


def test_what_prepare_compiles_is_all_that_searches_use(filled: Path) -> None:
    """Or files would be added, and the marker would not hold."""
    assert states(filled) == WARM


def test_bounds_checked_code_is_kept_apart(tmp_path: Path) -> None:
    folders = {
        count_and_folder(NUMBA_CACHE_DIR=str(tmp_path), **mode)[1]
        for mode in ({}, {"NUMBA_BOUNDSCHECK": "1"})
    }
    assert len(folders) == 2


def test_other_users_of_numba_keep_their_cache_folder(tmp_path: Path) -> None:
    code = f"import numba; numba.config.CACHE_DIR = 'theirs'{COUNT}print(numba.config.CACHE_DIR)"
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path)).stdout.endswith("\ntheirs\n")


def test_compiling_is_announced_once_and_only_when_it_happens(tmp_path: Path) -> None:
    code = """
import runpy, sys
sys.argv[1:] = ["check", "SS1-S1-AAAAABD"]
runpy.run_module("simon_solver", run_name="__main__")
"""
    notes = []
    for _ in range(2):
        ended = run(code, NUMBA_CACHE_DIR=str(tmp_path))
        assert ended.stdout == "SS1-S1-AAAAABD  winnable\n"
        notes.append(ended.stderr)
    assert notes == ["Compiling search kernels (first run only, about half a minute)\n", ""]


KERNELS = (
    *(complete, dealing, task, hitting, laying, lifts, loose, macro, path),
    *(pool, replaying, astar, successors, waiting),
)


def test_each_kernel_is_compiled_for_one_signature() -> None:
    """A second one would be compiled on first use by someone, and mean that types have slipped."""
    assert not numba.config.DISABLE_JIT
    for suits in (1, 2, 4):
        solve(parse_code(f"SS1-S{suits}-AAAAABD").deal(), state_limit=3_000)
        CodeDecider(simon_solver.LAYOUTS[suits], memory_limit=100, state_limit=3_000).decide(3)
    used = [
        kernel
        for module in KERNELS
        for kernel in vars(module).values()
        if getattr(kernel, "__module__", "") == module.__name__ and hasattr(kernel, "signatures")
    ]
    counts = {kernel.__name__: len(kernel.signatures) for kernel in used if kernel.signatures}
    assert {"may_be_won", "search_macro", "step", "start"} <= counts.keys()
    assert set(counts.values()) == {1}, counts
