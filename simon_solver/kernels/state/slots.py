"""How full a table of slots may get before looking something up in it takes long."""

from __future__ import annotations

from simon_solver.kernels.compiled import jit


def usable_slots(slots: int) -> int:
    """Entries that a table of so many slots serves.

    Beyond three quarters the way to a free slot, which each search for a new key goes, gets long.
    """
    return slots * 3 // 4


usable = jit(usable_slots)
"""The same for kernels."""
