"""Kept machine code is whole and fits, or is not used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from llvmlite import binding

import simon_solver
from simon_solver.kernels.native import kept
from simon_solver.kernels.native.files import Code
from simon_solver.kernels.native.places import CACHE_VARIABLE, file_name, is_any_kept

PACKAGE = Path(simon_solver.__file__).parent
CODE = Code({"root": "a", "entries": {"x.y": [None]}}, b"\x00\n\xffmachine code")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with code."""
    place = tmp_path / file_name("group")
    kept.write(place, CODE)
    return place


def test_what_is_written_is_read(path: Path) -> None:
    assert kept.read(path) == CODE
    assert list(path.parent.iterdir()) == [path]


def test_a_file_with_any_wrong_byte_is_not_used(path: Path) -> None:
    data = path.read_bytes()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        path.write_bytes(changed)
        assert kept.read(path) is None


def test_a_file_of_another_length_is_not_used(path: Path) -> None:
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        assert kept.read(path) is None
    path.write_bytes(data + b"\0")
    assert kept.read(path) is None


def test_what_is_no_file_is_not_used(tmp_path: Path) -> None:
    assert kept.read(tmp_path / "nothing") is None
    assert kept.read(tmp_path) is None


def test_a_file_of_another_folder_is_not_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(kept, "folder", lambda: Path("kernels-of-another-version"))
        assert kept.read(path) is None
    assert kept.read(path) == CODE


def test_what_is_replaced_can_be_read_at_any_time(path: Path) -> None:
    other = CODE._replace(content=b"longer " * 10_000)
    ended = threading.Event()

    def replace() -> None:
        for number in range(200):
            kept.write(path, (other, CODE)[number % 2])
        ended.set()

    thread = threading.Thread(target=replace)
    thread.start()
    found = []
    while not ended.is_set():
        found.append(kept.read(path))
    thread.join()
    assert found
    assert all(code in (CODE, other) for code in found)


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    taken = tmp_path / file_name("group")
    taken.mkdir()
    (taken / "file").touch()
    with pytest.raises(OSError, match=r"irectory"):
        kept.write(taken, CODE)
    assert list(tmp_path.iterdir()) == [taken]


def test_a_folder_for_each_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    here = kept._digest()
    assert kept._digest() == here
    for fact in ("get_host_cpu_name", "get_process_triple"):
        with monkeypatch.context() as patch:
            patch.setattr(binding, fact, lambda: "another")
            assert kept._digest() != here


def test_a_folder_for_each_version(monkeypatch: pytest.MonkeyPatch) -> None:
    here = kept._digest()
    monkeypatch.setattr(kept, "_version_of_numba", lambda: b"another")
    assert kept._digest() != here


def test_the_version_of_numba_is_known_without_loading_it() -> None:
    code = (
        "import sys; from simon_solver.kernels.native import kept; "
        "told = kept._version_of_numba(); print('numba' in sys.modules); "
        "import numba; print(numba.__version__.encode() in told)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    "edited", ["kernels/forms.py", "kernels/state/pool.py", "search/samples.py"]
)
def test_an_edit_in_any_file_is_seen(edited: str, tmp_path: Path) -> None:
    copied = tmp_path / "simon_solver"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))

    def told() -> str:
        code = "from simon_solver.kernels.native import kept; print(kept.folder())"
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    before = told()
    assert told() == before
    file = copied / edited
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert told() != before


def _old(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "x.code").touch()
    month_ago = time.time() - 61 * 86400
    os.utime(folder, (month_ago, month_ago))
    return folder


def test_folders_that_nobody_uses_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    current = tmp_path / f"kernels-{'0' * 20}"
    monkeypatch.setattr(kept, "folder", lambda: current)
    _old(current)
    unused = _old(tmp_path / f"kernels-{'1' * 20}")
    # the folder may hold more than ours
    foreign = [_old(tmp_path / name) for name in ("others", "kernels-5.10", "kernels-of-mine")]
    used = _old(tmp_path / f"kernels-{'a' * 20}")
    kept.write(used / file_name("group"), CODE)
    os.utime(used, (0, 0))
    assert kept.read(used / file_name("group")) == CODE  # which tells that it is in use
    kept.delete_unused()
    assert sorted(tmp_path.iterdir()) == sorted([current, *foreign, used])
    assert not unused.exists()


@pytest.mark.parametrize(
    ("prepare", "expected"),
    [
        (lambda _folder: None, False),
        (lambda folder: (folder / "kernels-x").mkdir(), False),
        (
            lambda folder: kept.write(_made(folder / "kernels-x") / file_name("deciding"), CODE),
            True,
        ),
        (lambda folder: kept.write(_made(folder / "kernels-x") / file_name("other"), CODE), False),
    ],
)
def test_whether_any_version_is_kept(
    prepare: Callable[[Path], None],
    expected: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    prepare(tmp_path)
    assert is_any_kept("deciding") == expected


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
