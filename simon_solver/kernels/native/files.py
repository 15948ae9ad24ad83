"""Files of code, used only if they are whole and were made for this purpose.

A file has a line of facts in JSON, the code, and a checksum of both, of the purpose and the name.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

_CHECKSUM = hashlib.sha256().digest_size


class Code(NamedTuple):
    """Machine code or LLVM's bitcode, and what its reader must know of it."""

    facts: dict[str, Any]
    content: bytes


def read(path: Path, purpose: str) -> Code | None:
    """The code in a file; None if there is none for this purpose, or none that is whole."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    told, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    if checksum != _checksum(told, purpose, path):
        return None
    facts, _, content = told.partition(b"\n")
    return Code(json.loads(facts), content)


def write(path: Path, purpose: str, code: Code) -> None:
    """Put code in a file; whoever reads it meanwhile gets the old file or the new one.

    Raises:
        OSError: it cannot be written; nothing is left behind.
    """
    told = json.dumps(code.facts).encode() + b"\n" + code.content
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(told + _checksum(told, purpose, path))
        unfinished.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def _checksum(told: bytes, purpose: str, path: Path) -> bytes:
    return hashlib.sha256(f"{purpose} {path.name} ".encode() + told).digest()
