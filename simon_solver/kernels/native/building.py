"""Translated kernels to machine code of this machine, by LLVM alone."""

from __future__ import annotations

import sys

import llvmlite.binding as llvm

from simon_solver.kernels.native.files import Code

SPEED = 1
"""LLVM's -O1; more takes longer, and the kernels get no faster."""


def build(translation: Code) -> Code:
    """Machine code of a translation.

    Raises:
        RuntimeError: the translation is not for numbers as this machine has them, or was made by an
            LLVM that this one does not understand.
    """
    if translation.facts["words"] != words():
        raise RuntimeError(f"expected code for {words()}")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_bitcode(translation.content)
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=SPEED,
        reloc="default",
        codemodel="jitdefault",  # as what loads it expects
        jit=True,
    )
    module.triple, module.data_layout = triple, str(machine.target_data)
    return Code({**translation.facts, "triple": triple}, machine.emit_object(module))


def words() -> str:
    """The size of pointers and the order of bytes: all that a translation knows of a machine."""
    return f"{sys.maxsize.bit_length() + 1} bits, {sys.byteorder} endian"
