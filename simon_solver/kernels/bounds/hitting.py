"""Conflicts and their hitting sets: the combinatorial half of the waiting bound.

A *conflict* is a set of cards of which at least one must be paid for; `waiting` says what that
means. Cards are bits, sets are masks. The size of a smallest *hitting set* is a lower bound on the
payments, whichever conflicts are known [H.1]. It is found by depth-first search [H.2].

Conflicts found in one position mostly hold in the positions expanded next, so the last ones are
kept and tested again: that is much cheaper than finding them again.

Numbers in brackets are statements of `docs/algorithms/`. Source: the implicit hitting set method
for such covering problems (Moreno-Centeno and Karp, 2013) and, of deadlocks in stacks of things,
Slaney and Thiébaux, "Blocks World revisited" (2001).

In the code: `Conflicts.kept` are the last conflicts found, `Conflicts.active` those of the position
at hand, and `Conflicts.frames` the way of the depth-first search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import int64, internal
from simon_solver.kernels.state.fields import MAX_CARDS
from simon_solver.kernels.state.task import Ints
from simon_solver.kernels.state.words import popcount

KEPT = 32
"""Conflicts kept from position to position. Each position tests all of them; up to 62 are possible,
as each has a bit of `used`."""
MOST_ACTIVE = 80
"""No relaxed game begins with more conflicts: the bound then stays lower than it could be, which is
sound."""
NO_SET, OUT_OF_BUDGET = -1, -2
"""No hitting set of that size; none found within the budget."""
SPARE_BUDGET = 200
"""Steps of a search for a hitting set that only sharpens the estimate of a child. Each move asks
for one, so they are few; without an answer the estimate is lower, which is sound."""


class Conflicts(NamedTuple):
    """Conflicts of the position at hand and of those before it."""

    kept: Ints
    """[n] conflicts found lately, in the order they are overwritten"""
    active: Ints
    """[n, name] conflicts of the position at hand, small ones first; see `_ACTIVE`"""
    frames: Ints
    """[depth, name] of the search for a hitting set; see `_FRAME`"""
    counts: Ints
    """[name] see `CONFLICTS`"""


class _Active(NamedTuple):
    """Of `Conflicts.active`."""

    cards: int = 0
    """the conflict"""
    size: int = 1
    """how many cards it has"""


_ACTIVE = _Active()


class _Frame(NamedTuple):
    """Of `Conflicts.frames`."""

    hit: int = 0
    """cards chosen"""
    excluded: int = 1
    """cards that must not be chosen"""
    untried: int = 2
    """cards of the conflict branched on that are still to be tried"""


_FRAME = _Frame()


class _Conflicts(NamedTuple):
    """Of `Conflicts.counts`."""

    next: int = 0
    """place in `kept` to overwrite"""
    used: int = 1
    """bit mask of the places that were active since `next` came by"""
    active: int = 2
    """how many conflicts are"""
    chosen: int = 3
    """cards that can be paid for to win the relaxed game, if known; of the position at hand, as
    `waiting.exceeds` leaves it"""
    least: int = 4
    """payments that are not too few; as `chosen`"""


CONFLICTS = _Conflicts()


def new_conflicts() -> Conflicts:
    """Fresh working arrays."""
    return Conflicts(
        kept=np.zeros(KEPT, np.int64),
        active=np.zeros((MOST_ACTIVE + MAX_CARDS, len(_ACTIVE)), np.int64),
        frames=np.zeros((MAX_CARDS + 1, len(_FRAME)), np.int64),
        counts=np.zeros(len(CONFLICTS), np.int64),
    )


def forget(conflicts: Conflicts) -> None:
    """Keep nothing, so that a search does not depend on the one before it."""
    conflicts.kept[:] = 0
    conflicts.counts[:] = 0


@internal
def has_room(conflicts: Conflicts) -> bool:
    """There is room for the conflicts of one more relaxed game.

    Each of them has an end card that leaves for it in that game, so there are no more than cards.
    """
    return conflicts.counts[CONFLICTS.active] <= MOST_ACTIVE


@internal
def activate(conflicts: Conflicts, conflict: int) -> None:
    """Enter a conflict of the position at hand."""
    active = conflicts.active
    size = popcount(conflict)
    at = conflicts.counts[CONFLICTS.active]
    while at > 0 and active[at - 1, _ACTIVE.size] > size:
        active[at, _ACTIVE.cards] = active[at - 1, _ACTIVE.cards]
        active[at, _ACTIVE.size] = active[at - 1, _ACTIVE.size]
        at -= 1
    active[at, _ACTIVE.cards] = conflict
    active[at, _ACTIVE.size] = size
    conflicts.counts[CONFLICTS.active] += 1


@internal
def add_conflict(conflicts: Conflicts, conflict: int) -> None:
    """Enter a conflict just found, and keep it in place of one not active for long."""
    counts = conflicts.counts
    while (counts[CONFLICTS.used] >> counts[CONFLICTS.next]) & 1:
        counts[CONFLICTS.used] ^= int64(1) << counts[CONFLICTS.next]
        counts[CONFLICTS.next] = (counts[CONFLICTS.next] + 1) % KEPT
    conflicts.kept[counts[CONFLICTS.next]] = conflict
    counts[CONFLICTS.next] = (counts[CONFLICTS.next] + 1) % KEPT
    activate(conflicts, conflict)


@internal
def find_hitting(conflicts: Conflicts, given: int, most: int, budget: int) -> int:
    """A hitting set of up to `most` cards besides those `given`, else NO_SET or OUT_OF_BUDGET.

    `budget`: steps of the search, at least 1.
    """
    active, frames = conflicts.active, conflicts.frames
    hit = given
    excluded = int64(0)
    depth = int64(0)
    for _ in range(budget):
        # how many conflicts not hit yet have no card in common; the first one is branched on
        apart = depth
        union = int64(0)
        branch = int64(0)
        for index in range(conflicts.counts[CONFLICTS.active]):
            conflict = active[index, _ACTIVE.cards]
            if conflict & hit:
                continue
            conflict &= ~excluded
            if conflict & union == 0:
                # a conflict with nothing left to choose comes here too
                apart = apart + 1 if conflict else most + 1
                if apart > most:
                    break
                union |= conflict
                if branch == 0:
                    branch = conflict
        if apart <= most:
            if branch == 0:
                return hit & ~given
            frames[depth, _FRAME.hit] = hit
            frames[depth, _FRAME.excluded] = excluded
            frames[depth, _FRAME.untried] = branch
            depth += 1
        while depth > 0 and frames[depth - 1, _FRAME.untried] == 0:
            depth -= 1
        if depth == 0:
            return int64(NO_SET)
        branch = frames[depth - 1, _FRAME.untried]
        card = branch & -branch
        hit = frames[depth - 1, _FRAME.hit] | card
        excluded = frames[depth - 1, _FRAME.excluded]
        frames[depth - 1, _FRAME.untried] = branch ^ card
        frames[depth - 1, _FRAME.excluded] = excluded | card
    return int64(OUT_OF_BUDGET)


@internal
def needs_least(conflicts: Conflicts, given: int) -> bool:
    """The conflicts without those that the cards `given` hit need `least` payments, proven."""
    if given & conflicts.counts[CONFLICTS.chosen]:
        return False
    most = conflicts.counts[CONFLICTS.least] - 1
    return find_hitting(conflicts, given, most, int64(SPARE_BUDGET)) == NO_SET
