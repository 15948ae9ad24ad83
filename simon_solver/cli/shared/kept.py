"""Says which compiled kernels are kept, and where."""

from __future__ import annotations

from importlib.metadata import version
from platform import python_version

from simon_solver.search.preparing import Kept


def lines_about(kept: Kept) -> list[str]:
    """Where kernels are kept on this machine, and which groups of them are."""
    names = ", ".join(group.value for group in kept.groups)
    told = f"{names} ({kept.size >> 10} KiB)" if names else "none"
    return [f"cache    {kept.folder}", f"kept     {told}"]


def lines_about_versions() -> list[str]:
    """The versions of what the answers rest on."""
    parts = [f"{name} {version(name)}" for name in ("numpy", "numba", "llvmlite")]
    return [f"Python   {python_version()}", f"with     {', '.join(parts)}"]
