"""Kernels to bitcode and machine code, and what that expects of numba and of the kernels."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import codegen, compiler

from simon_solver.kernels.forms import ENTRIES
from simon_solver.kernels.native import kept, translating, twins
from simon_solver.kernels.native.building import build
from simon_solver.kernels.native.loading import BLOCKS, NUMBERS, load
from simon_solver.kernels.native.translating import translate
from simon_solver.kernels.native.twins import dispatcher
from simon_solver.search import compiling
from simon_solver.search.groups import Group
from tests.support.kernel import ancestors

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="compiles")

NAMES = [
    (codegen.CPUCodeLibrary, "finalize"),
    (codegen.CPUCodeLibrary, "_optimize_functions"),
    (codegen.JITCodeLibrary, "get_pointer_to_function"),
    (codegen.JITCPUCodegen, "set_env"),
]


def test_each_entry_is_in_a_group_and_takes_no_more_than_it_may() -> None:
    examples = [compiling._examples(group) for group in Group]
    assert {entry.name for group in examples for entry in group} == {e.name for e in ENTRIES}
    for values in (values for group in examples for values in group.values()):
        blocks = sum(isinstance(value, (tuple, np.ndarray)) for value in values)
        assert blocks <= BLOCKS
        assert len(values) - blocks <= NUMBERS


def test_names_are_unique() -> None:
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)


def test_code_runs_as_the_kernel_does() -> None:
    entry, arguments = ancestors()
    told: list[tuple[int, int]] = []
    code = build(translate([(entry, arguments)], lambda *done: told.append(done)))
    compiled = load(code)[entry.name]
    expected = entry.function(*arguments)
    found = np.array(arguments[2])
    arguments[2][:] = 0
    assert compiled(*arguments) == expected == 2
    assert np.array_equal(arguments[2], found)
    assert told == [(number, len(told)) for number in range(1, len(told) + 1)]
    assert dispatcher(entry)(*arguments) == expected
    with pytest.raises(TypeError, match="expected 3 arguments"):
        compiled(*arguments[:2])
    with pytest.raises(TypeError, match="expected arrays"):
        compiled(*arguments[:2], np.zeros(4, np.int32))


def test_what_translating_takes_from_the_inside_of_numba_is_there() -> None:
    root = numba.cfunc("int64(int64)", _nrt=False)(lambda number: number)
    library = root._library
    for name in ("_final_module", "_linking_libraries", "_finalized"):
        assert hasattr(library, name), name
    assert root.native_name in [function.name for function in library._final_module.functions]


def test_the_steps_of_numba_are_among_its_own_and_in_its_order() -> None:
    state: Any = SimpleNamespace(func_ir=None, flags=compiler.Flags())
    usual = compiler.DefaultPassBuilder.define_nopython_pipeline(state).passes
    ours = translating._Pipeline.define_pipelines(state)[0].passes
    steps = iter(step for step, _ in usual)
    # `in` takes steps until it has found the one
    assert all(step in steps for step, _ in ours), [step for step, _ in usual]


def test_the_fallback_can_do_without_what_the_manual_does_not_describe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    brief = twins._for_python.__wrapped__()._options
    assert brief.keys() == {"nogil", "error_model", "_nrt", "no_cfunc_wrapper"}
    compiler_of = numba.njit

    def njit(**options: Any) -> Any:
        renamed = {name.replace("_nrt", "no_such_option"): on for name, on in options.items()}
        return compiler_of(**renamed)

    monkeypatch.setattr(numba, "njit", njit)
    manual = twins._for_python.__wrapped__()
    assert manual._options.keys() == {"nogil", "error_model"}
    entry, arguments = ancestors()
    assert manual.of(entry)(*arguments) == 2
    foreign = {
        name
        for node in ast.walk(ast.parse(Path(twins.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in [node.module if isinstance(node, ast.ImportFrom) else node.names[0].name]
        if name is not None and name.partition(".")[0] in ("numba", "llvmlite")
    }
    assert foreign == {"numba"}


@pytest.mark.parametrize(("owner", "name"), NAMES)
def test_a_numba_that_has_changed_is_noticed(
    owner: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert name in vars(owner)
    monkeypatch.delattr(owner, name)
    with pytest.raises(AttributeError, match="numba has changed"):
        translate([ancestors()], lambda _done, _total: None)


def test_numba_is_as_it_was_afterwards() -> None:
    before = [vars(owner)[name] for owner, name in NAMES]
    translate([ancestors()], lambda _done, _total: None)
    assert [vars(owner)[name] for owner, name in NAMES] == before

    @numba.njit  # type: ignore[untyped-decorator]
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42


def test_a_file_is_not_loaded_for_another_kernel(tmp_path: Path) -> None:
    entry, arguments = ancestors()
    code = build(translate([(entry, arguments)], lambda _done, _total: None))
    kept.write(tmp_path / "x", code)
    read = kept.read(tmp_path / "x")
    assert read is not None
    assert list(load(read)) == [entry.name]
    with pytest.raises(RuntimeError):
        load(read._replace(facts={**read.facts, "root": "nothing"}))


def test_looking_for_examples_leaves_the_forms_of_entries_alone() -> None:
    before = [entry.compiled for entry in ENTRIES]
    assert all(before) or numba.config.BOUNDSCHECK
    compiling._examples(Group.DECIDING)
    assert [entry.compiled for entry in ENTRIES] == before
