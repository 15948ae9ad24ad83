"""Kept machine code to callables, by llvmlite and ctypes.

A file has one C function, `root`. Its first argument says which entry is meant; then come the
addresses of blocks, then numbers. Addresses and numbers that an entry does not take are 0.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import Any

import llvmlite.binding as llvm

from simon_solver.kernels.native.blocks import Layout, block_of, interned
from simon_solver.kernels.native.files import Code

BLOCKS, NUMBERS = 8, 4
"""Blocks and numbers that an entry may take."""
_ROOT = CFUNCTYPE(c_int64, c_int64, *[c_void_p] * BLOCKS, *[c_int64] * NUMBERS)


class CompiledEntry:
    """An entry as machine code; called with the same arguments as the kernel in Python."""

    def __init__(self, root: Any, number: int, layouts: list[Layout | None]) -> None:
        self._root, self._number = root, number
        self._blocks = [place for place, layout in enumerate(layouts) if layout is not None]
        self._numbers = [place for place, layout in enumerate(layouts) if layout is None]
        self._layouts = [layout for layout in layouts if layout is not None]
        self._blocks_left = [0] * (BLOCKS - len(self._blocks))
        self._numbers_left = [0] * (NUMBERS - len(self._numbers))

    def __call__(self, *arguments: Any) -> int:
        """Run it without the interpreter's lock.

        Raises:
            TypeError: an argument is not of the kind that the entry was compiled for.
        """
        if len(arguments) != len(self._blocks) + len(self._numbers):
            raise TypeError(f"expected {len(self._blocks) + len(self._numbers)} arguments")
        blocks = [block_of(arguments[place]) for place in self._blocks]  # until the call has ended
        layouts = [block.layout for block in blocks]
        if layouts != self._layouts:
            raise TypeError(f"expected arrays of {self._layouts}, got {layouts}")
        result: int = self._root(
            self._number,
            *[block.address for block in blocks],
            *self._blocks_left,
            *[int(arguments[place]) for place in self._numbers],
            *self._numbers_left,
        )
        return result


def load(code: Code) -> dict[str, CompiledEntry]:
    """The entries in machine code by name.

    Raises:
        RuntimeError: the code cannot be loaded.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    facts = code.facts
    machine = llvm.Target.from_triple(facts["triple"]).create_target_machine(jit=True)
    empty = llvm.parse_assembly(f'target triple = "{facts["triple"]}"')
    engine = llvm.create_mcjit_compiler(empty, machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.content))
    engine.finalize_object()
    address = engine.get_function_address(facts["root"])
    if not address:
        raise RuntimeError("the root function is missing")
    root = _ROOT(address)
    _engines.append(engine)
    return {
        name: CompiledEntry(root, number, [_layout(layout) for layout in layouts])
        for number, (name, layouts) in enumerate(facts["entries"].items())
    }


_engines: list[llvm.ExecutionEngine] = []  # they own the code that was loaded


def _layout(listed: list[list[Any]] | None) -> Layout | None:
    """A layout as it was before it was written as JSON."""
    if listed is None:
        return None
    return interned(tuple((kind, dimensions) for kind, dimensions in listed))
