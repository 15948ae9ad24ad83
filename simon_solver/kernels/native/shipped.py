"""Translated kernels that came with the package: LLVM's bitcode, for any 64-bit processor.

They are made when the package is built (`scripts/build_hook.py`), so that numba need not be
loaded. They are valid only for the sources they were made from; a checkout whose kernels have been
edited does without, or makes them anew.
"""

from __future__ import annotations

from pathlib import Path

from simon_solver.kernels.native import files, sources
from simon_solver.kernels.native.files import Code

FOLDER = Path(__file__).with_name("bitcode")


def read(group: str) -> Code | None:
    """The translation of a group; None if there is none of these sources."""
    return files.read(_path(group), sources.digest())


def write(group: str, translation: Code) -> None:
    """Put a translation where `read` finds it.

    Raises:
        OSError: it cannot be written.
    """
    FOLDER.mkdir(exist_ok=True)
    files.write(_path(group), sources.digest(), translation)


def _path(group: str) -> Path:
    return FOLDER / f"{group}.bc"
