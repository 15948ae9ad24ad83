"""Translates all kernels to LLVM's bitcode and puts it into the package.

    python -m scripts.translate_kernels

With it, no user needs numba: machine code is made of the bitcode in a second or two. Building the
package runs this; run it yourself after you have edited kernels, or go on without. Translations
that fit the sources are left alone. It takes about half a minute.
"""

from __future__ import annotations

import gc
import sys

from simon_solver.kernels.native import shipped
from simon_solver.search.compiling import translation
from simon_solver.search.groups import Group


def main() -> int:
    """Translate what has no translation; returns the exit code."""
    gc.disable()  # a fifth of the time
    for group in Group:
        if shipped.read(group.value) is None:
            print(f"translating kernels: {group.value}", file=sys.stderr, flush=True)
            shipped.write(group.value, translation(group, lambda _done, _total: None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
