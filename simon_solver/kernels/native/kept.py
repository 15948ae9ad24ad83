"""The folder in which machine code is kept, and the files in it.

The folder is named by a digest of all that the code depends on: the kernels' sources, versions, the
processor. Machines that share a home folder have a folder each. A file ends with a checksum of all
before and of the folder's name, and is written under another name first. So what is read is whole
and was made for these kernels on this machine, or it is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import sys
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from simon_solver.kernels.native.places import PREFIX, cache_folder

_SOURCES = Path(__file__).parents[1]
_DIGITS = 20
_OURS = re.compile(f"{PREFIX}[0-9a-f]{{{_DIGITS}}}")
_UNUSED = 60 * 86400.0  # seconds after which a folder that nobody has used is deleted
_DAY = 86400.0
_CHECKSUM = hashlib.sha256().digest_size


class Code(NamedTuple):
    """Machine code, and what a loader must know of it."""

    facts: dict[str, Any]
    machine_code: bytes


@cache
def folder() -> Path:
    """The folder for code that fits these sources on this machine; it need not exist."""
    return cache_folder() / f"{PREFIX}{_digest()}"


def _digest() -> str:
    """Hex digest of all that machine code depends on."""
    import llvmlite  # noqa: PLC0415 - it takes a while to load
    from llvmlite import binding  # noqa: PLC0415

    digest = hashlib.sha256()
    for path in sorted(_SOURCES.rglob("*.py")):
        name = path.relative_to(_SOURCES).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    depends = (
        sys.implementation.cache_tag,
        (_version_of_numba(), llvmlite.__version__),
        binding.get_process_triple(),
        (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()),
    )
    digest.update(repr(depends).encode())
    return digest.hexdigest()[:_DIGITS]


def _version_of_numba() -> bytes:
    """What tells numba's version, without loading numba."""
    found = find_spec("numba")
    if found is not None and found.origin is not None:
        with contextlib.suppress(OSError):
            return Path(found.origin).with_name("_version.py").read_bytes()
    from importlib.metadata import version  # noqa: PLC0415 - slow, and rarely needed

    return version("numba").encode()


def read(path: Path) -> Code | None:
    """The code in a file; None if there is none, or none that is whole."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    content, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    if checksum != _checksum(content):
        return None
    facts, _, machine_code = content.partition(b"\n")
    _mark_used(path.parent)
    return Code(json.loads(facts), machine_code)


def write(path: Path, code: Code) -> None:
    """Keep code in a file.

    Raises:
        OSError: it cannot be written; nothing is left behind.
    """
    content = json.dumps(code.facts).encode() + b"\n" + code.machine_code
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content + _checksum(content))
        unfinished.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(folder().name.encode() + content).digest()


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
