"""The folder in which machine code is kept, and the files in it.

The folder is named by a digest of all that the code depends on: the kernels' sources, versions, the
processor. Machines that share a home folder have a folder each.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from simon_solver.kernels.native import files, sources
from simon_solver.kernels.native.files import Code
from simon_solver.kernels.native.places import PREFIX, cache_folder

_DIGITS = 20
_OURS = re.compile(f"{PREFIX}[0-9a-f]{{{_DIGITS}}}")
_UNUSED = 60 * 86400.0  # seconds after which a folder that nobody has used is deleted
_DAY = 86400.0


@cache
def folder() -> Path:
    """The folder for code that fits these sources on this machine; it need not exist."""
    return cache_folder() / f"{PREFIX}{_digest()}"


def _digest() -> str:
    """Hex digest of all that machine code depends on."""
    import llvmlite  # noqa: PLC0415 - it takes a while to load
    from llvmlite import binding  # noqa: PLC0415

    depends = (
        sources.digest(),
        sys.implementation.cache_tag,
        (_version_of_numba(), llvmlite.__version__),
        binding.get_process_triple(),
        (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()),
    )
    return hashlib.sha256(repr(depends).encode()).hexdigest()[:_DIGITS]


def _version_of_numba() -> bytes:
    """What tells numba's version, without loading numba."""
    found = find_spec("numba")
    if found is not None and found.origin is not None:
        with contextlib.suppress(OSError):
            return Path(found.origin).with_name("_version.py").read_bytes()
    from importlib.metadata import version  # noqa: PLC0415 - slow, and rarely needed

    return version("numba").encode()


def read(path: Path) -> Code | None:
    """The code in a file that fits; it counts as used from now on."""
    code = files.read(path, folder().name)
    if code is not None:
        _mark_used(path.parent)
    return code


def write(path: Path, code: Code) -> None:
    """Keep code in a file.

    Raises:
        OSError: it cannot be written; nothing is left behind.
    """
    files.write(path, folder().name, code)


def _mark_used(place: Path) -> None:
    """Note, at most once a day, that the folder is in use."""
    with contextlib.suppress(OSError):
        if time.time() - place.stat().st_mtime > _DAY:
            os.utime(place)


def delete_unused() -> None:
    """Delete the folders of other versions that have not been used for two months."""
    with contextlib.suppress(OSError):
        for other in folder().parent.iterdir():
            if other == folder() or _OURS.fullmatch(other.name) is None:
                continue  # the user may have named a folder that holds more than ours
            if time.time() - other.stat().st_mtime > _UNUSED:
                shutil.rmtree(other, ignore_errors=True)
