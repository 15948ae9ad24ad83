"""Where machine code is kept: what is known before the digest of this machine is."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "SIMON_SOLVER_CACHE"
"""The environment variable that names the folder of everything that is kept."""
PREFIX = "kernels-"
"""The names of folders with kernels begin so."""


def cache_folder() -> Path:
    """The folder of everything that is kept; it need not exist."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs  # noqa: PLC0415 - not needed by who names a folder

    return Path(platformdirs.user_cache_dir("simon-solver"))


def is_any_kept(group: str) -> bool:
    """Some version keeps code of this group; quick to find out, unlike whether it fits."""
    try:
        return any(cache_folder().glob(f"{PREFIX}*/{file_name(group)}"))
    except OSError:
        return False


def can_keep() -> bool:
    """Whether code can be kept: without sources there is no digest."""
    return __file__.endswith(".py") and Path(__file__).is_file()


def file_name(group: str) -> str:
    """The name of the file with a group's code."""
    return f"{group}.code"
