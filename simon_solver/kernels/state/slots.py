"""How full a table of slots may get before looking something up in it takes long."""

from __future__ import annotations

from simon_solver.kernels.forms import internal


def usable_slots(slots: int) -> int:
    """Entries that a table of so many slots serves.

    Beyond three quarters the way to a free slot, which each search for a new key goes, gets long.
    """
    return slots * 3 // 4


usable = internal(usable_slots)
"""The same for kernels."""
