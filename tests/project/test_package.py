"""The names that `import simon_solver` offers, each loaded when it is first used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import simon_solver

NAMES: list[str] = vars(simon_solver)["__all__"]


def run(code: str) -> str:
    """What the code prints in a fresh process."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    ).stdout


def test_type_checkers_and_python_see_the_same_names() -> None:
    tree = ast.parse(Path(simon_solver.__file__).read_text(encoding="utf-8"))
    told = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("simon_solver.")
        for alias in node.names
    }
    homes = {
        name: f"simon_solver.{home}.{name}" for name, home in vars(simon_solver)["_HOMES"].items()
    }
    assert told == homes
    assert set(NAMES) == {*homes, "__version__"} <= set(dir(simon_solver))


def test_every_name_is_there() -> None:
    for name in NAMES:
        value = getattr(simon_solver, name)
        assert getattr(value, "__module__", "simon_solver.").startswith("simon_solver")
    assert simon_solver.card_name(simon_solver.read_deal("kpat:72").position.columns[0][0])
    names = run("from simon_solver import *; print(solve.__name__, Deal.__name__, len(dir()) > 20)")
    assert names.split() == ["solve", "Deal", "True"]


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="module 'simon_solver' has no attribute 'nonsense'"):
        getattr(simon_solver, "non" + "sense")


def test_the_import_alone_loads_nothing() -> None:
    code = "import __future__, sys; before = {*sys.modules}; import simon_solver\n"
    assert run(f"{code}print({{*sys.modules}} - before)") == "{'simon_solver'}\n"


def test_the_program_has_ctrl_c_in_hand_before_it_loads_anything_of_size() -> None:
    code = (
        "import sys, simon_solver.cli.launch\n"
        "print({'click', 'dataclasses', 'pathlib', 'numba', 'inspect'} & {*sys.modules})"
    )
    assert run(code) == "set()\n"
