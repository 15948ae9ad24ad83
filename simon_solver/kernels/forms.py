"""Declarations of kernels, each in two forms: interpreted and compiled.

A kernel is plain Python over numpy arrays. Some are *entries*, which Python calls; the others are
called by kernels alone. An entry runs interpreted until somebody gives it a compiled form (see
`native`), which takes the same arguments and answers the same, faster.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, SupportsInt, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING:

    def int64(value: SupportsInt) -> int:
        """A number of 64 bits, which counts as an `int` wherever kernels meet."""

else:
    int64 = np.int64


class Entry(Generic[P, R]):
    """A kernel that Python calls: interpreted, or compiled once `compiled` is set."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self.compiled: Callable[P, R] | None = None
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel in the form that it has now."""
        if self.compiled is not None:
            return self.compiled(*args, **kwargs)
        # numpy's numbers wrap around, as the machine's do; the hashes count on it
        with np.errstate(over="ignore"):
            return self.function(*args, **kwargs)


ENTRIES: list[Entry[..., Any]] = []
"""All entries declared so far."""
INTERNALS: list[Callable[..., Any]] = []
"""All other kernels declared so far."""
_forms: dict[str, Callable[..., Any]] = {}
"""Compiled forms of entries by their names."""


def internal(function: F) -> F:
    """Declare a kernel that only other kernels call."""
    INTERNALS.append(function)
    return function


def entry(function: Callable[P, R]) -> Entry[P, R]:
    """Declare a kernel that Python calls."""
    declared = Entry(function)
    declared.compiled = _forms.get(declared.name)
    ENTRIES.append(declared)
    return declared


def functions() -> dict[int, Callable[..., Any]]:
    """The functions of all kernels declared so far, by the `id` of what stands for each in code."""
    internals = {id(function): function for function in INTERNALS}
    return internals | {id(declared): declared.function for declared in ENTRIES}


@contextmanager
def running_as(form_of: Callable[[Entry[..., Any]], Callable[..., Any] | None]) -> Iterator[None]:
    """Have each entry run in this form, None for interpreted; afterwards all are as before."""
    before = [declared.compiled for declared in ENTRIES]
    for declared in ENTRIES:
        declared.compiled = form_of(declared)
    try:
        yield
    finally:
        for declared, form in zip(ENTRIES[: len(before)], before, strict=True):
            declared.compiled = form


def run_compiled(forms: Mapping[str, Callable[..., Any]]) -> None:
    """Have entries run in these forms, by name; those that are compiled already stay as they are.

    An entry may be declared later: modules with kernels are imported when they are needed.
    """
    for name, form in forms.items():
        _forms.setdefault(name, form)
    for declared in ENTRIES:
        if declared.compiled is None:
            declared.compiled = _forms.get(declared.name)
