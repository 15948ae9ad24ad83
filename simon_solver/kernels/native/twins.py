"""Kernels as functions of numba, which need only what numba's manual describes."""

from __future__ import annotations

import sys
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numba

from simon_solver.kernels.forms import functions


def dispatcher(kernel: Any) -> Any:
    """A kernel as a function that numba compiles when it is first called."""
    return _for_python().of(kernel)


class Twins:
    """Kernels as functions of numba, with these options beside those that all have.

    They share the code of those in Python, but among their globals each kernel is replaced by its
    twin.
    """

    def __init__(self, **options: Any) -> None:
        self._options = {"nogil": True, "error_model": "numpy", **options}
        self._modules: dict[str, ModuleType] = {}
        self._twins: dict[int, Any] = {}
        """By the `id` of kernels, and of modules with kernels: none of these ever ends."""

    def of(self, kernel: Any) -> Any:
        """The twin of a kernel."""
        if id(kernel) not in self._twins:
            self._add_modules()
        return self._twins[id(kernel)]

    def _add_modules(self) -> None:
        """Make twins of all kernels in modules that have none yet."""
        kernels = functions()
        # a module may be gone again, as that of a test
        new = {function.__module__ for function in kernels.values()} & sys.modules.keys()
        new -= self._modules.keys()
        self._modules |= {name: ModuleType(name) for name in new}
        for key, function in kernels.items():
            if function.__module__ in new:
                space = vars(self._modules[function.__module__])
                twin = FunctionType(function.__code__, space, function.__name__)
                self._twins[key] = numba.njit(**self._options)(twin)
        self._twins |= {id(sys.modules[name]): self._modules[name] for name in new}
        for name in new:
            for word, value in vars(sys.modules[name]).items():
                vars(self._modules[name])[word] = self._twins.get(id(value), value)


@cache
def _for_python() -> Twins:
    """Kernels that Python may call."""
    # Kernels allocate nothing, so they need no reference counts: without them numba takes a third
    # less time. Neither option is in its manual.
    brief = {"_nrt": False, "no_cfunc_wrapper": True}
    try:
        numba.njit(**brief)(_nothing)()
    except Exception:  # noqa: BLE001 - whatever numba says of options that it no longer has
        return Twins()
    return Twins(**brief)


def _nothing() -> None:
    """A function that is quickly compiled."""
