"""Which form the kernels run in: interpreted at first, compiled where that pays.

A group of kernels whose code is kept is loaded when it is first wanted. One that is not runs
interpreted: most deals are decided that way before any compiler would have started. Once this
process has expanded some hundred states so, the groups that are wanted are compiled in processes of
their own (see `compiling`), while the search here goes on. A search may change from one form to the
other between two steps: both work on the same arrays, and do the same to them.

Where no such process can be had, or what it makes cannot be used, numba compiles in this one.
With `NUMBA_DISABLE_JIT` everything stays interpreted; with `NUMBA_BOUNDSCHECK` numba compiles in
this process, since its errors must come out.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from simon_solver.game.layout import Deck
from simon_solver.kernels.forms import ENTRIES, run_compiled
from simon_solver.kernels.native.places import can_keep, file_name, is_any_kept
from simon_solver.search.groups import Group

if TYPE_CHECKING:
    from simon_solver.search.jobs import Job

PATIENCE = {Group.PROVING: 100}
"""Interpreted states after which the compiling of a group begins; a proof mostly takes many."""
USUAL_PATIENCE = 400
POLL_SECONDS = 0.05


class Compiling(NamedTuple):
    """How far compiling is."""

    done: int
    """Kernels translated so far."""
    total: int
    """Kernels of the groups that are being compiled; 0 if not known, or if they came translated."""
    seconds: float
    """Wall seconds since it began."""


class Kept(NamedTuple):
    """What is kept of compiled kernels."""

    folder: Path
    groups: list[Group]
    size: int
    """Bytes of machine code."""

    @property
    def is_complete(self) -> bool:
        """No kernel needs to be compiled any more."""
        return len(self.groups) == len(Group)


def want(group: Group, *, compiling: bool = True) -> bool:
    """Whether the group's kernels are compiled; with `compiling`, have them compiled if it pays."""
    if group in _ready:
        return True
    if _mode() == "interpreted":
        return False
    with _lock:
        if group in _ready:
            return True
        if group not in _looked_for:
            _looked_for.add(group)
            if _mode() == "in this process":
                _compile_here(group)
            else:
                _load(group)
        elif group in _jobs:
            _finish(group)
        elif compiling and _interpreted >= PATIENCE.get(group, USUAL_PATIENCE):
            _begin([group])
        return group in _ready


def is_ready(group: Group) -> bool:
    """The group's kernels are compiled."""
    return group in _ready


def wait_for(groups: Iterable[Group], on_wait: Callable[[Compiling], None] | None = None) -> None:
    """Return when these groups are compiled, or at once if the user wants them interpreted.

    `on_wait` is called several times a second while they are being compiled.
    """
    if _mode() == "interpreted":
        return
    wanted = list(groups)
    with _lock:
        missing = [group for group in wanted if not want(group, compiling=False)]
        new = [group for group in missing if group not in _jobs]
        # two, as most machines have two cores; groups that share kernels share a process
        for part in (new[: (len(new) + 1) // 2], new[(len(new) + 1) // 2 :]):
            _begin(part)
    while not all(want(group, compiling=False) for group in wanted):
        if on_wait is not None and (state := compiling()) is not None:
            on_wait(state)
        time.sleep(POLL_SECONDS)


def warm_up() -> None:
    """Compile all kernels and keep them, so that no later search has to wait for it.

    It takes about two seconds on each machine, once. No search needs it: see above.
    """
    wait_for(Group)


def count(states: int) -> None:
    """Note that so many states have been expanded by interpreted kernels."""
    global _interpreted  # noqa: PLW0603 - it is the process that loses patience
    _interpreted += states


def is_compiling(group: Group) -> bool:
    """The group is being compiled by another process at this moment."""
    return group in _jobs


def compiling() -> Compiling | None:
    """How far the compiling is that goes on; None if none does."""
    jobs = set(_jobs.values())
    if not jobs:
        return None
    seconds = time.monotonic() - min(job.started for job in jobs)
    return Compiling(sum(job.done for job in jobs), sum(job.total for job in jobs), seconds)


def groups_of(decks: Iterable[Deck]) -> list[Group]:
    """The groups that decide deals of these decks."""
    copies = {max(deck.copies) > 1 for deck in decks}
    chosen = [Group.COMPLETE if more else Group.LOOSE for more in sorted(copies)]
    return [Group.DECIDING, *chosen]


def what_is_kept() -> Kept:
    """The folder of compiled kernels that fit this machine, and what is in it."""
    from simon_solver.kernels.native import kept  # noqa: PLC0415 - rarely needed

    place = kept.folder()
    codes = {group: kept.read(place / file_name(group.value)) for group in Group}
    found = {group: len(code.content) for group, code in codes.items() if code is not None}
    return Kept(place, list(found), sum(found.values()))


_lock = threading.RLock()
_ready: set[Group] = set()
_looked_for: set[Group] = set()
_jobs: dict[Group, Job] = {}
_interpreted = 0


@cache
def _mode() -> str:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "interpreted"
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        return "in this process"
    return "aside" if _is_python() and can_keep() else "in this process"


def _is_python() -> bool:
    """`sys.executable` is an interpreter, not a program that has one inside."""
    name = Path(sys.executable or "").stem.lower()
    return name.startswith(("python", "pypy")) and not getattr(sys, "frozen", False)


def _load(group: Group, place: Path | None = None) -> None:
    """Have the group run compiled if its code is kept in the folder and can be loaded."""
    if place is None and not is_any_kept(group.value):
        return
    from simon_solver.kernels.native import kept  # noqa: PLC0415 - they take a while to load
    from simon_solver.kernels.native.loading import load  # noqa: PLC0415

    path = (place or kept.folder()) / file_name(group.value)
    code = kept.read(path)
    if code is None:
        return
    try:
        compiled = load(code)
    except RuntimeError:
        with contextlib.suppress(OSError):
            path.unlink()  # or nobody would ever make it anew
        return
    run_compiled(compiled)
    _ready.add(group)


def _begin(groups: list[Group]) -> None:
    """Start a process that compiles these groups."""
    from simon_solver.search.jobs import Job, place_to_keep  # noqa: PLC0415 - rarely needed

    place = place_to_keep() if groups else None
    job = None
    if place is not None:
        with contextlib.suppress(OSError):
            job = Job(groups, place)
    for group in groups:
        if job is None:
            _compile_here(group)
        else:
            _jobs[group] = job


def _finish(group: Group) -> None:
    """Load what another process has compiled, if it has."""
    job = _jobs[group]
    ended = job.has_ended  # asked first: what an ended process has made is there
    # as long as it runs there may be a file that is no good, which it will replace
    if (job.place / file_name(group.value)).exists():
        _load(group, job.place)
    if ended or group in _ready:
        del _jobs[group]
        if group not in _ready:
            _compile_here(group)


def _compile_here(group: Group) -> None:
    """Have numba compile in this process the group's entries that are not compiled yet."""
    from simon_solver.kernels.native.twins import dispatcher  # noqa: PLC0415 - it loads numba
    from simon_solver.search.samples import sample  # noqa: PLC0415 - it imports the engines

    new = {entry: dispatcher(entry) for entry in ENTRIES if entry.compiled is None}
    for entry, form in new.items():
        entry.compiled = form
    try:
        sample(group)  # numba compiles what is called
    finally:
        for entry, form in new.items():
            if not form.signatures:  # of another group, which may yet come from elsewhere
                entry.compiled = None
    _ready.add(group)


def _begin_anew() -> None:
    """In a forked process: the jobs are children of the parent, which alone hears of them."""
    global _lock  # noqa: PLW0603 - a thread that is not here may have held it
    _lock = threading.RLock()
    _looked_for.difference_update(_jobs)
    _jobs.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
