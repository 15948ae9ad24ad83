"""What a wheel holds: users have no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import simon_solver
from simon_solver.search.groups import Group

ROOT = Path(simon_solver.__file__).parents[1]


@pytest.mark.slow
def test_a_wheel_holds_all_sources_and_bitcode_of_them(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    command = [*pip, "wheel", "-q", "--no-deps", "--use-pep517", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=600)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")  # bitcode serves every machine
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    sources = {path.relative_to(ROOT) for path in (ROOT / "simon_solver").rglob("*.py")}
    assert {path.relative_to(unpacked) for path in unpacked.rglob("*.py")} == sources
    code = (
        "from simon_solver.kernels.native import shipped\n"
        f"names = {[group.value for group in Group]}\n"
        "print(shipped.__file__, *[shipped.read(name) is not None for name in names])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=unpacked,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert Path(told[0]).is_relative_to(unpacked)
    assert told[1:] == ["True"] * len(Group)
