"""Where compiled code is kept, and when it is made anew. Each case runs in a fresh process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import simon_solver
from simon_solver.codes import parse_code
from simon_solver.kernels import bound, lifts, macro, path, pool, search, successors
from simon_solver.solver import solve

PACKAGE = Path(simon_solver.__file__).parent

BOUND = """
from simon_solver.kernels import bound, compiled, game
one = game.build_game([[(2, 1), (9, 0), (8, 1), (7, 1)]], 9)
print(bound.waiting_bound(one, bound.new_heads(), one.start), compiled.CACHE_FOLDER)
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


def bound_and_folder(**environment: str) -> tuple[int, str]:
    bound, folder = run(BOUND, **environment).stdout.split()
    return int(bound), folder


def test_code_is_kept_in_the_named_folder(tmp_path: Path) -> None:
    key, folder = bound_and_folder(NUMBA_CACHE_DIR=str(tmp_path))
    assert Path(folder).parent == tmp_path
    kept = {file: file.stat().st_mtime_ns for file in Path(folder).rglob("*.nb?")}
    assert kept
    assert bound_and_folder(NUMBA_CACHE_DIR=str(tmp_path)) == (key, folder)
    assert {file: file.stat().st_mtime_ns for file in Path(folder).rglob("*.nb?")} == kept


@pytest.mark.skipif(sys.platform != "linux", reason="the variable is for Linux")
def test_code_is_kept_in_the_user_cache_folder(tmp_path: Path) -> None:
    _, folder = bound_and_folder(XDG_CACHE_HOME=str(tmp_path))
    assert Path(folder).parent == tmp_path / "simon-solver"
    assert not list(PACKAGE.rglob("*.nb?"))


def test_works_uncached_with_a_warning_when_nothing_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / "a file, no folder"
    file.touch()
    ended = run(BOUND, NUMBA_CACHE_DIR=str(file))
    assert ended.stdout.endswith("None\n")
    assert "compiled code cannot be kept" in ended.stderr


def test_an_edit_in_another_file_is_seen(tmp_path: Path) -> None:
    copied = tmp_path / "package" / "simon_solver"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    where = {"PYTHONPATH": str(copied.parent), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    before, folder = bound_and_folder(**where)
    fields = copied / "kernels" / "fields.py"
    source = fields.read_text(encoding="utf-8")
    edited = source.replace("FIELD = 15", "FIELD = 7")
    assert edited != source
    fields.write_text(edited, encoding="utf-8")
    after, other_folder = bound_and_folder(**where)
    plain, _ = bound_and_folder(**where, NUMBA_DISABLE_JIT="1")
    assert after == plain != before
    assert other_folder != folder


def test_bounds_checked_code_is_kept_apart(tmp_path: Path) -> None:
    folders = {
        bound_and_folder(NUMBA_CACHE_DIR=str(tmp_path), **mode)[1]
        for mode in ({}, {"NUMBA_BOUNDSCHECK": "1"})
    }
    assert len(folders) == 2


def test_other_users_of_numba_keep_their_cache_folder(tmp_path: Path) -> None:
    code = f"import numba; numba.config.CACHE_DIR = 'theirs'{BOUND}print(numba.config.CACHE_DIR)"
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
    assert notes == ["Compiling the search kernels once, this takes some seconds.\n", ""]


def test_each_kernel_is_compiled_for_one_signature() -> None:
    """A second one would be compiled on first use by someone, and mean that types have slipped."""
    assert not numba.config.DISABLE_JIT
    for suits in (1, 2, 4):
        solve(parse_code(f"SS1-S{suits}-AAAAABD").deal(), state_limit=3_000)
    used = [
        kernel
        for module in (lifts, bound, macro, pool, search, successors, path)
        for kernel in vars(module).values()
        if getattr(kernel, "__module__", "") == module.__name__ and hasattr(kernel, "signatures")
    ]
    counts = {kernel.__name__: len(kernel.signatures) for kernel in used if kernel.signatures}
    assert {"may_be_won", "search_macro", "step", "start", "waiting_bound"} <= counts.keys()
    assert set(counts.values()) == {1}, counts
