"""Translates all kernels to LLVM's bitcode and puts it into the package.

    python -m scripts.translate_kernels

With it, numba need not be loaded: machine code is made of the bitcode in a second or two. Building
the package runs this; run it yourself after you have edited kernels, or go on without. Translations
that fit the sources are left alone. It takes half a minute of two cores.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from simon_solver.kernels.native import shipped
from simon_solver.search.compiling import translation
from simon_solver.search.groups import Group

PARTS = [(Group.LOOSE, Group.COMPLETE), (Group.PROVING, Group.DECIDING)]
"""A process each; the groups of a process share many kernels, which are translated once."""


def translate(groups: Sequence[Group]) -> None:
    """Translate the groups that have no translation of these sources."""
    gc.disable()  # a fifth of the time
    for group in groups:
        if shipped.read(group.value) is None:
            print(f"translating kernels: {group.value}", file=sys.stderr, flush=True)
            shipped.write(group.value, translation(group, lambda _done, _total: None))


def main() -> int:
    """Translate what has no translation; returns the exit code."""
    assert {group for part in PARTS for group in part} == set(Group)
    with ProcessPoolExecutor(len(PARTS)) as pool:
        list(pool.map(translate, PARTS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
