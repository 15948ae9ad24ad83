"""The sources that compiled kernels depend on."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[2]
_CALLERS = ("samples.py", "buffers.py", "engines.py")
"""Modules of `search` that tell which entries are compiled, and for which arrays."""


@cache
def digest() -> str:
    """Hex digest of all these sources: code of other sources is not used."""
    found = hashlib.sha256()
    callers = [_PACKAGE / "search" / name for name in _CALLERS]
    for path in [*sorted((_PACKAGE / "kernels").rglob("*.py")), *callers]:
        name = path.relative_to(_PACKAGE).as_posix()
        found.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
