"""Bitcode that comes with the package serves every machine, and only the sources it was made of."""

from __future__ import annotations

import os
import re
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from simon_solver.kernels.native import shipped, sources
from simon_solver.kernels.native.files import Code
from simon_solver.search.groups import Group

CODE = Code({"root": "a"}, b"bitcode")
GROUPS = [group.value for group in Group]
is_built = pytest.mark.skipif(
    "CI" not in os.environ and None in map(shipped.read, GROUPS),
    reason="the package was not built since its kernels were edited",
)


def test_what_is_written_is_read_while_the_sources_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "new")
    assert shipped.read("x") is None
    shipped.write("x", CODE)
    assert shipped.read("x") == CODE
    (tmp_path / "new" / "y.bc").write_bytes((tmp_path / "new" / "x.bc").read_bytes())
    assert shipped.read("y") is None
    monkeypatch.setattr(sources, "digest", lambda: "another")
    assert shipped.read("x") is None


@is_built
@pytest.mark.parametrize("group", GROUPS)
def test_nothing_in_it_is_of_the_machine_that_made_it(group: str) -> None:
    translation = shipped.read(group)
    assert translation is not None
    module = llvm.parse_bitcode(translation.content)
    text = str(module)
    assert not re.search(r"inttoptr \(?i64 \d", text)  # an address
    assert '"target-' not in text  # a processor, or what it can do
    used = {function.name for function in module.functions if function.is_declaration}
    assert {name for name in used if not name.startswith("llvm.")} <= {"memset", "memcpy"}
    assert not any(".x86." in name for name in used)


@is_built
@pytest.mark.parametrize(
    "triple", ["aarch64-unknown-linux-gnu", "arm64-apple-darwin", "x86_64-pc-windows-msvc"]
)
def test_it_is_turned_into_code_for_other_machines(triple: str) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(triple)
    except RuntimeError:
        pytest.skip("this LLVM has not that target")
    translation = shipped.read("deciding")
    assert translation is not None
    module = llvm.parse_bitcode(translation.content)
    machine = target.create_target_machine(opt=1, codemodel="jitdefault", jit=True)
    module.triple, module.data_layout = triple, str(machine.target_data)
    assert len(machine.emit_object(module)) > 10_000
