"""The package is layered: a part imports only parts that stand above it in `ORDER`."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import simon_solver

PACKAGE = Path(simon_solver.__file__).parent
ORDER = [
    "errors",
    "text",
    "game",
    "reading",
    "kernels",
    "search",
    "answers",
    "batch",
    "render",
    "cli",
]
"""Modules and sub-packages. `__init__` may import all but the users of its version."""
KERNELS = ["forms", "native", "state", "relaxations", "bounds", "searches", "codes"]
"""The same within `kernels`."""
USERS_OF_THE_VERSION = {"batch", "cli"}

FILES = sorted(PACKAGE.rglob("*.py"))


def module_of(file: Path) -> str:
    """The dotted name without the package, like ``reading.deals``; empty for the package."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in FILES}


def trees() -> Iterator[tuple[str, ast.Module]]:
    for module, file in MODULES.items():
        yield module, ast.parse(file.read_text(encoding="utf-8"), str(file))


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Absolute dotted names that the statements of the tree import, wherever they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(tree: ast.AST) -> set[str]:
    """Modules of the package that the tree imports."""
    found = set()
    for name in imported_names(tree):
        top, _, rest = name.partition(".")
        if top == "simon_solver":
            # `from simon_solver.game.cards import Card` names something inside the module.
            found.add(rest if rest in MODULES else rest.rpartition(".")[0])
    return found


IMPORTS = {module: own_imports(tree) for module, tree in trees()}


def part_of(module: str) -> str:
    return module.partition(".")[0]


@pytest.mark.parametrize("module", [name for name in MODULES if name not in ("", "__main__")])
def test_imports_go_up(module: str) -> None:
    part = part_of(module)
    assert part in ORDER, "a new part needs its place in ORDER"
    above = {*ORDER[: ORDER.index(part) + 1], *([""] if part in USERS_OF_THE_VERSION else [])}
    assert {part_of(other) for other in IMPORTS[module]} <= above


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("kernels.")])
def test_imports_of_kernels_go_up(module: str) -> None:
    above = KERNELS[: KERNELS.index(module.split(".")[1]) + 1]
    assert {other.split(".")[1] for other in IMPORTS[module]} <= set(above)


def test_the_package_does_not_need_the_users_of_its_version() -> None:
    assert not USERS_OF_THE_VERSION & {part_of(other) for other in IMPORTS[""]}


def folder_of(module: str) -> str:
    """The folder in which the module lies; a module at the top is a folder of its own."""
    return MODULES[module].relative_to(PACKAGE).parent.as_posix().replace(".", module)


def test_neither_modules_nor_folders_import_each_other_in_a_circle() -> None:
    list(TopologicalSorter(IMPORTS).static_order())
    folders: dict[str, set[str]] = {}
    for module, imports in IMPORTS.items():
        if module not in ("", "__main__"):
            others = {folder_of(other) for other in imports if other} - {folder_of(module)}
            folders.setdefault(folder_of(module), set()).update(others)
    assert len(folders) > 20
    list(TopologicalSorter(folders).static_order())


def test_kernels_stand_alone() -> None:
    kernels = [module for module in MODULES if part_of(module) == "kernels"]
    assert kernels
    for module in kernels:
        assert {part_of(other) for other in IMPORTS[module]} <= {"kernels"}, module


def test_only_the_searches_know_the_kernels() -> None:
    users = {
        module
        for module, imports in IMPORTS.items()
        if part_of(module) not in ("kernels", "search")
        and "kernels" in {part_of(other) for other in imports}
    }
    assert users == set()


def test_one_module_needs_numba() -> None:
    users = {
        module
        for module, tree in trees()
        if "numba" in {name.partition(".")[0] for name in imported_names(tree)}
    }
    assert users == {"kernels.native.translating", "kernels.native.twins"}


def test_the_rules_are_plain_python() -> None:
    for module, tree in trees():
        if part_of(module) not in ("kernels", "search"):
            foreign = {name.partition(".")[0] for name in imported_names(tree)}
            assert not foreign & {"numpy", "numba"}, module


def test_only_the_command_line_prints_and_exits() -> None:
    for module, tree in trees():
        if part_of(module) == "cli":
            continue
        for node in ast.walk(tree):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert called not in ("print", "sys.exit", "exit", "click.echo"), f"{module}: {called}"


@pytest.mark.parametrize(
    "statement",
    [
        "import simon_solver",
        "import simon_solver.cli.main",
        "import simon_solver.search.reference, simon_solver.answers.verification",
    ],
)
def test_numba_is_loaded_only_for_a_search(statement: str) -> None:
    code = f"{statement}; import sys; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False"]


def test_modules_and_functions_are_of_a_readable_size() -> None:
    root = Path(__file__).parents[2]
    others = [file for folder in ("benchmarks", "scripts") for file in (root / folder).glob("*.py")]
    assert len(others) > 10
    for file in [*FILES, *others]:
        module, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
        lines = text.count("\n")
        limit = 800 if (PACKAGE / "kernels") in file.parents else 450
        assert lines <= limit, f"{module}: {lines} lines"
        for node in ast.walk(ast.parse(text, module)):
            if isinstance(node, ast.FunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                assert length <= 60, f"{module}.{node.name}: {length} lines"
