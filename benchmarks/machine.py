"""What a measurement was made with."""

from __future__ import annotations

import hashlib
import platform
from contextlib import suppress
from os import cpu_count
from pathlib import Path

import numba
import numpy as np

import simon_solver

PACKAGE = Path(simon_solver.__file__).parent


def source_digest() -> str:
    """Twelve hex digits that tell one state of the package's code from another."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def machine_line() -> str:
    """The processor, the system and the versions that a measurement was made with."""
    return (
        f"{_processor()}, {cpu_count()} cores, {platform.system()} {platform.machine()}; "
        f"Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}; "
        f"simon_solver {simon_solver.__version__} (sources {source_digest()})"
    )


def _processor() -> str:
    """The processor's name, as far as the system tells."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
