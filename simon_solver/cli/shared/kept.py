"""Says which compiled kernels are kept, and where."""

from __future__ import annotations

from importlib.metadata import version
from platform import python_version

from simon_solver.kernels.native.kept import folder
from simon_solver.kernels.native.places import file_name
from simon_solver.search.groups import Group
from simon_solver.search.preparing import kept_groups


def is_all_kept() -> bool:
    """No kernel needs to be compiled any more."""
    return len(kept_groups()) == len(Group)


def lines_about_kept() -> list[str]:
    """Where kernels are kept on this machine, and which groups of them are."""
    kept = kept_groups()
    names = ", ".join(group.value for group in kept) or "none"
    size = sum((folder() / file_name(group.value)).stat().st_size for group in kept)
    room = f" ({size >> 10} KiB)" if kept else ""
    return [f"cache    {folder()}", f"kept     {names}{room}"]


def lines_about_versions() -> list[str]:
    """The versions of what the answers rest on."""
    parts = [f"{name} {version(name)}" for name in ("numpy", "numba", "llvmlite")]
    return [f"Python   {python_version()}", f"with     {', '.join(parts)}"]
