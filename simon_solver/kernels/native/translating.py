"""Kernels to LLVM's bitcode: numba types and translates them, LLVM links and simplifies them.

numba would turn each kernel into machine code by itself, and load it. Here it only translates
(`_translating_only`): the kernels are then linked into one module that has one C function, and
optimized together. That takes half the time, and the code is faster, since LLVM sees who calls
whom. It rests on a few names inside numba; where one is missing, this module cannot be imported or
translates nothing; its process ends, and the one that waits for it falls back on `twins`.

Nothing in the bitcode depends on the machine that made it but the size of pointers and the order of
bytes: `building` makes code for any processor of it.

Kernels raise no errors: with numpy's rules a division by zero does not, and an assignment to a
slice only would if the sizes differed. What numba adds to report errors is replaced by a trap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen, event, typed_passes, untyped_passes
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from simon_solver.kernels.forms import ENTRIES, Entry, functions
from simon_solver.kernels.native.blocks import layout_of
from simon_solver.kernels.native.building import SPEED, words
from simon_solver.kernels.native.files import Code
from simon_solver.kernels.native.loading import BLOCKS, NUMBERS
from simon_solver.kernels.native.twins import Twins


class _Pipeline(CompilerBase):  # type: ignore[misc]
    """The steps of numba that kernels need: no closures, no contexts, nothing to be inlined."""

    def define_pipelines(self) -> list[PassManager]:
        """The one pipeline; a tenth of the usual one's time is saved."""
        steps = PassManager("kernels")
        for step in (
            untyped_passes.TranslateByteCode,
            untyped_passes.FixupArgs,
            untyped_passes.IRProcessing,
            untyped_passes.GenericRewrites,
            untyped_passes.ReconstructSSA,
            typed_passes.NopythonTypeInference,
            typed_passes.PreLowerStripPhis,
            typed_passes.IRLegalization,
            typed_passes.AnnotateTypes,
            typed_passes.NativeLowering,
            typed_passes.NoPythonBackend,
        ):
            steps.add_pass(step, step.__name__)
        steps.finalize()
        return [steps]


Example = tuple[Entry[..., Any], tuple[Any, ...]]
"""An entry with arguments as it gets them."""
Report = Callable[[int, int], None]
"""Told how many kernels of how many have been translated."""

# Only the root calls the kernels. They allocate nothing, so they need no reference counts (`_nrt`).
_twins = Twins(_nrt=False, no_cfunc_wrapper=True, no_cpython_wrapper=True, pipeline_class=_Pipeline)
_LIBRARY = {"memset", "memcpy", "memmove"}  # what every C library has


def translate(examples: Sequence[Example], report: Report) -> Code:
    """Bitcode of the entries, for arguments like those of the examples.

    Raises:
        AttributeError, ImportError: numba is not built as this module expects.
    """
    entries = {entry.name: [_listed(value) for value in values] for entry, values in examples}
    with _translating_only(), _counting(examples, report):
        pointer = types.CPointer(types.CPointer(types.int64))
        number = types.int64
        signature = number(number, *[pointer] * BLOCKS, *[number] * NUMBERS)
        root = numba.cfunc(signature, _nrt=False, error_model="numpy")(_root(examples))
    module = _linked(root)
    _optimize(module)
    return Code(
        {"words": words(), "root": root.native_name, "entries": entries}, module.as_bitcode()
    )


def _listed(value: Any) -> list[tuple[str, int]] | None:
    """What the facts say of an argument: the layout of a record or an array, None for a number."""
    return list(layout_of(value)) if isinstance(value, (tuple, np.ndarray)) else None


def _root(examples: Sequence[Example]) -> FunctionType:
    """The function that calls each entry by its number."""
    space: dict[str, Any] = {"np": np}
    blocks = [f"p{number}" for number in range(BLOCKS)]
    numbers = [f"n{number}" for number in range(NUMBERS)]
    lines = [f"def root(which, {', '.join(blocks + numbers)}):", "    result = np.int64(0)"]
    for which, (entry, values) in enumerate(examples):
        free_blocks, free_numbers = iter(blocks), iter(numbers)
        arguments = [
            _rebuilt(value, next(free_blocks), space)
            if isinstance(value, (tuple, np.ndarray))
            else next(free_numbers)
            for value in values
        ]
        space[f"entry{which}"] = _twins.of(entry if entry in ENTRIES else entry.function)
        call = f"entry{which}({', '.join(arguments)})"
        lines.append(f"    if which == {which}:")
        gives_nothing = entry.function.__annotations__["return"] == "None"
        lines.append(f"        {call}" if gives_nothing else f"        result = np.int64({call})")
    lines.append("    return result")
    exec("\n".join(lines), space)  # the text above, and nothing else
    root = space["root"]
    assert isinstance(root, FunctionType)
    return root


def _rebuilt(record: Any, block: str, space: dict[str, Any]) -> str:
    """Source text that makes a record like this one of the block of that name."""
    arrays = dimensions = 0

    def text(part: Any) -> str:
        nonlocal arrays, dimensions
        if isinstance(part, np.ndarray):
            maker = f"array_{part.dtype}_{part.ndim}"
            space.setdefault(maker, _maker(numba.typeof(part)))
            shape = [f"{block}[0][{dimensions + axis}]" for axis in range(part.ndim)]
            arrays += 1
            dimensions += part.ndim
            return f"{maker}({block}[{arrays}], ({', '.join(shape)},))"
        kind = type(part)
        space[kind.__name__] = kind
        return f"{kind.__name__}({', '.join(map(text, part))})"

    return text(record)


def _maker(kind: types.Array) -> Any:
    """A function of numba that makes an array of this type of an address and a shape."""

    @intrinsic  # type: ignore[untyped-decorator]
    def make(_context: Any, address: Any, shape: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, _signature: Any, args: Any) -> Any:
            array = make_array(kind)(context, builder)
            lengths = cgutils.unpack_tuple(builder, args[1])
            size = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
            strides = [size]
            for length in reversed(lengths[1:]):
                strides.insert(0, builder.mul(strides[0], length))
            data = builder.bitcast(args[0], array.data.type)
            populate_array(array, data, lengths, strides, size, meminfo=None)
            return array._getvalue()

        return kind(address, shape), generate

    return make


@contextmanager
def _translating_only() -> Iterator[None]:
    """Have numba translate kernels to LLVM's language, and do no more.

    Raises:
        AttributeError: numba has other names for what this changes.
    """

    def finalize(library: Any) -> None:
        library._finalized = True

    changes: list[tuple[Any, str, Any]] = [
        (codegen.CPUCodeLibrary, "finalize", finalize),
        (codegen.CPUCodeLibrary, "_optimize_functions", lambda _library, _module: None),
        (codegen.JITCodeLibrary, "get_pointer_to_function", lambda _library, _name: 0),
        (codegen.JITCPUCodegen, "set_env", lambda _codegen, _name, _environment: None),
    ]
    before = [vars(owner)[name] for owner, name, _ in changes if name in vars(owner)]
    if len(before) < len(changes):
        raise AttributeError("numba has changed inside")
    for owner, name, change in changes:
        setattr(owner, name, change)
    try:
        yield
    finally:
        for (owner, name, _), old in zip(changes, before, strict=True):
            setattr(owner, name, old)


class _Counter(event.Listener):  # type: ignore[misc]
    """Reports each kernel that numba has translated."""

    def __init__(self, kernels: set[Any], report: Report) -> None:
        self._codes, self._total, self._report = kernels, len(kernels), report
        self._done: set[Any] = set()

    def on_start(self, _event: event.Event) -> None:
        pass

    def on_end(self, ended: event.Event) -> None:
        code = getattr(getattr(ended.data["dispatcher"], "py_func", None), "__code__", None)
        if code in self._codes and code not in self._done:
            self._done.add(code)
            self._report(len(self._done), self._total)


@contextmanager
def _counting(examples: Sequence[Example], report: Report) -> Iterator[None]:
    """Report how many of the kernels that the entries call have been translated."""
    listener = _Counter(_called(entry.function for entry, _ in examples), report)
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


def _called(by: Iterable[Callable[..., Any]]) -> set[CodeType]:
    """The code of these kernels and of all that they call."""
    kernels = functions()
    found: set[CodeType] = set()
    open_functions: list[Any] = list(by)
    while open_functions:
        function = open_functions.pop()
        if function.__code__ in found:
            continue
        found.add(function.__code__)
        space = function.__globals__
        parts = [space, *(vars(value) for value in space.values() if isinstance(value, ModuleType))]
        for name in function.__code__.co_names:
            for part in parts:
                called = kernels.get(id(part.get(name)))
                if called is not None:
                    open_functions.append(called)
    return found


def _linked(root: Any) -> llvm.ModuleRef:
    """One module with all that the root function needs; only the root is seen from outside."""
    library = root._library
    module, parts = library._final_module, {}
    left = list(library._linking_libraries)
    while left:
        part = left.pop()
        if id(part) not in parts:
            parts[id(part)] = part
            left += part._linking_libraries
    for part in parts.values():
        module.link_in(part._final_module, preserve=True)
    for function in module.functions:
        if not function.is_declaration and function.name != root.native_name:
            function.linkage = llvm.Linkage.internal
    _trap_errors(module)
    return module


def _trap_errors(module: llvm.ModuleRef) -> None:
    """Define all that only reports of errors would call: they stop the process."""
    text = []
    for function in module.functions:
        name = function.name
        if function.is_declaration and not name.startswith("llvm.") and name not in _LIBRARY:
            head = str(function).strip().replace("declare", "define", 1)
            head = re.sub(r" (local_unnamed_addr|#\d+)", "", head)
            text.append(f"{head} {{\n  call void @llvm.trap()\n  unreachable\n}}")
    for variable in module.global_variables:
        if variable.is_declaration:
            # pointers are written otherwise in every second version of LLVM
            head = re.sub(r", align \d+$", "", str(variable).strip().replace("external ", "", 1))
            text.append(f"{head} zeroinitializer")
    if text:
        trap = "declare void @llvm.trap()"
        others = llvm.parse_assembly("\n".join([f'target triple = "{module.triple}"', trap, *text]))
        names = [function.name for function in others.functions if not function.is_declaration]
        module.link_in(others)
        for name in names:
            module.get_function(name).linkage = llvm.Linkage.internal


def _optimize(module: llvm.ModuleRef) -> None:
    """Optimize the module as a whole; loops are left as they are, for most have few rounds."""
    options = llvm.create_pipeline_tuning_options(speed_level=SPEED)
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_interleaving = False
    # no processor is named, so nothing is used that only some have
    machine = llvm.Target.from_triple(module.triple).create_target_machine(opt=SPEED)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
