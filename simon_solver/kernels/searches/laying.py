"""The moves of a win that the loose search has found.

Its nodes say how all but the loose cards lie, and how one node follows from another (see
`loose`). Here a whole arrangement is kept, which fits the node. For each step what is loose before
and known after it is put in its place first, from the highest rank down, then the card of the step
is made the highest of a run and goes where the next node has it. Moving a card disturbs only ranks
below its own, and of cards of its rank only those that are where it must go ([LS.5] in
`docs/algorithms/`).

A run may come together sooner than in the nodes. Then what they do with its cards is passed over,
and what should lie on them goes elsewhere. If that is not possible there is no answer. An answer is
a list of legal moves that wins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.relaxations.classes import (
    CARD,
    CLASSES,
    NO_CARD,
    PLACE,
    ROW,
    Classes,
    column_of_head,
    load,
    uncover,
)
from simon_solver.kernels.searches.loose import card_of, is_unsettled, unpack
from simon_solver.kernels.state.fields import MAX_CARDS, RUN_BITS
from simon_solver.kernels.state.pool import Pool
from simon_solver.kernels.state.task import INFO, Ints, Task

MOST_MOVES = 4096
"""Far more than a win needs; a line that gets longer is given up."""


class Laying(NamedTuple):
    """Working arrays."""

    row: Ints
    """[n] where each card lies, in the form of a row of `classes`; nothing is unknown"""
    child: Ints
    """[card] the card on it, or NO_CARD"""
    base: Ints
    """[column] the card that is its base, or NO_CARD; for columns without hidden segments"""
    nodes: Ints
    """[(before, after), n] the nodes of a step"""
    moves: Ints
    """[n] source | target << 4 | count << 8"""
    made: Ints
    """[0] moves so far"""


def new_laying(columns: int) -> Laying:
    """Fresh working arrays."""
    return Laying(
        row=np.zeros(ROW.width, np.int64),
        child=np.zeros(MAX_CARDS, np.int64),
        base=np.zeros(columns, np.int64),
        nodes=np.zeros((2, ROW.width), np.int64),
        moves=np.zeros(MOST_MOVES, np.int64),
        made=np.zeros(1, np.int64),
    )


@internal
def _note_places(classes: Classes, laying: Laying, column: int) -> None:
    """Note the cards of a column's last segment, which shows since now."""
    row = laying.row
    for card in range(classes.counts[CLASSES.cards]):
        if row[card] < PLACE.base:
            laying.child[row[card]] = card
    if row[ROW.below + column] == 0:
        laying.base[column] = classes.head[column, 0]


@internal
def _column_of(classes: Classes, laying: Laying, card: int) -> int:
    """The column that an exposed card is in."""
    while laying.row[card] < PLACE.base:
        card = laying.row[card]
    if laying.row[card] == PLACE.head:
        return column_of_head(classes, laying.row, card)
    column = int64(0)
    while laying.base[column] != card:
        column += 1
    return column


@internal
def _empty_column(classes: Classes, laying: Laying) -> int:
    """An empty column, or -1."""
    for column in range(classes.counts[CLASSES.columns]):
        if laying.row[ROW.below + column] == 0 and laying.base[column] == NO_CARD:
            return column
    return int64(-1)


@internal
def _open_parent(classes: Classes, laying: Laying, card: int) -> int:
    """An uncovered exposed card for a card to lie on, or NO_CARD.

    The next card of its suit comes last, so that no run is complete before it is wanted.
    """
    per_rank = classes.counts[CLASSES.per_rank]
    found = int64(NO_CARD)
    first = classes.by_card[CARD.rank, card] * per_rank
    for parent in range(first, first + per_rank):
        if laying.row[parent] > PLACE.head or laying.child[parent] != NO_CARD:
            continue
        if (
            found == NO_CARD
            or classes.by_card[CARD.suit, parent] != classes.by_card[CARD.suit, card]
        ):
            found = int64(parent)
    return found


@internal
def _last_card(classes: Classes, laying: Laying, column: int) -> int:
    """The last card of a column, or NO_CARD."""
    below = laying.row[ROW.below + column]
    card = classes.head[column, below] if below > 0 else laying.base[column]
    while card != NO_CARD and laying.child[card] != NO_CARD:
        card = laying.child[card]
    return card


@internal
def _take_run(task: Task, classes: Classes, laying: Laying, column: int) -> bool:
    """Take away the run that a column ends with; False if there is none that is complete."""
    row = laying.row
    card = _last_card(classes, laying, column)
    if card == NO_CARD or card >= classes.counts[CLASSES.per_rank]:
        return False
    suit = classes.by_card[CARD.suit, card]
    for _ in range(task.info[INFO.ranks] - 1):
        card = row[card]
        if card >= PLACE.base or classes.by_card[CARD.suit, card] != suit:
            return False
    hidden = row[card] == PLACE.head
    for rank in range(1, task.info[INFO.ranks] + 1):
        gone = card_of(classes, suit, rank)
        row[gone] = PLACE.gone
        laying.child[gone] = NO_CARD
    row[ROW.runs] += int64(1) << RUN_BITS * suit
    laying.base[column] = NO_CARD
    if hidden:
        uncover(classes, row, column)
        _note_places(classes, laying, column)
    return True


@internal
def _move(task: Task, classes: Classes, laying: Laying, card: int, parent: int) -> bool:
    """Move the run from the card up onto a parent, or to an empty column for NO_CARD.

    Returns False if that cannot be.
    """
    row, child = laying.row, laying.child
    source = _column_of(classes, laying, card)
    target = _empty_column(classes, laying)
    if parent != NO_CARD:
        target = _column_of(classes, laying, parent)
        if child[parent] != NO_CARD:
            return False
    if target < 0 or laying.made[0] == MOST_MOVES:
        return False
    count = int64(1)
    top = card
    while child[top] != NO_CARD:
        top = child[top]
        count += 1
        if classes.by_card[CARD.suit, top] != classes.by_card[CARD.suit, card]:
            return False
    laying.moves[laying.made[0]] = source | target << 4 | count << 8
    laying.made[0] += 1
    place = row[card]
    if place < PLACE.base:
        child[place] = NO_CARD
    elif place == PLACE.base:
        laying.base[source] = NO_CARD
    if parent == NO_CARD:
        row[card] = PLACE.base
        laying.base[target] = card
    else:
        row[card] = parent
        child[parent] = card
    if place == PLACE.head:
        uncover(classes, row, source)
        _note_places(classes, laying, source)
    for column in (source, target):
        while _take_run(task, classes, laying, column):
            pass
    return True


@internal
def _move_away(task: Task, classes: Classes, laying: Laying, card: int) -> int:
    """Move the run from the card up to another parent, else to an empty column."""
    return _move(task, classes, laying, card, _open_parent(classes, laying, card))


@internal
def _gather(task: Task, classes: Classes, laying: Laying, card: int) -> bool:
    """Make the cards from this one up a run, unless it leaves; False if that fails.

    `_move` sees to it that no more than a run is moved.
    """
    top = card
    while laying.child[top] != NO_CARD:
        top = laying.child[top]
    while top != card and laying.row[top] != PLACE.gone:
        parent = laying.row[top]
        joined = classes.by_card[CARD.suit, parent] == classes.by_card[CARD.suit, top]
        if not joined and not _move_away(task, classes, laying, top):
            return False
        top = parent
    return True


@internal
def _bring(task: Task, classes: Classes, laying: Laying, card: int, parent: int) -> bool:
    """Lay the card on the parent, and what lies there elsewhere; False if that fails.

    If one of them has left, there is nothing to do.
    """
    row = laying.row
    there = laying.child[parent]
    if row[card] == parent or row[card] == PLACE.gone or row[parent] == PLACE.gone:
        return True
    if row[parent] > PLACE.head:
        return False
    if there != NO_CARD:
        if not _gather(task, classes, laying, there):
            return False
        if row[there] == parent and not _move_away(task, classes, laying, there):
            return False
    if not _gather(task, classes, laying, card):
        return False
    if row[card] == PLACE.gone or row[parent] == PLACE.gone:
        return True
    return _move(task, classes, laying, card, parent)


@internal
def _complete(task: Task, classes: Classes, laying: Laying, suit: int) -> bool:
    """Bring the suit's run together, so that it leaves; False if that fails."""
    for rank in range(task.info[INFO.ranks] - 1, 0, -1):
        card, parent = card_of(classes, suit, rank), card_of(classes, suit, rank + 1)
        if not _bring(task, classes, laying, card, parent):
            return False
    return laying.row[ROW.runs] >> RUN_BITS * suit & 1 > 0


@internal
def _card_that_moves(classes: Classes, before: Ints, after: Ints) -> int:
    """The card of a step that is no removal."""
    for column in range(classes.counts[CLASSES.columns]):
        if after[ROW.below + column] < before[ROW.below + column]:
            return classes.head[column, before[ROW.below + column]]
    card = int64(0)
    while (before[card] == PLACE.base) == (after[card] == PLACE.base):
        card += 1
    return card


@internal
def _step(task: Task, classes: Classes, laying: Laying, before: Ints, after: Ints) -> bool:
    """Play the moves of a step that is no removal; False if that fails."""
    row = laying.row
    moving = _card_that_moves(classes, before, after)
    for card in range(classes.counts[CLASSES.kings] - 1, -1, -1):
        known = card != moving and before[card] == PLACE.unknown and after[card] < PLACE.base
        if known and not _bring(task, classes, laying, card, after[card]):
            return False
    goal = after[moving]
    if goal < PLACE.base and row[goal] != PLACE.gone:
        return _bring(task, classes, laying, moving, goal)
    if not _gather(task, classes, laying, moving):
        return False
    if row[moving] == PLACE.gone or row[moving] == goal:
        return True
    parent = int64(NO_CARD)
    if goal != PLACE.base:
        parent = _open_parent(classes, laying, moving)
    return _move(task, classes, laying, moving, parent)


@entry
def lay(task: Task, classes: Classes, pool: Pool, laying: Laying, nodes: Ints) -> int:
    """Fill `moves` with those of a path of nodes from the start; returns how many, -1 if it fails.

    `classes` must be ready for the game.
    """
    laying.child[:] = NO_CARD
    laying.base[:] = NO_CARD
    laying.made[0] = 0
    load(task, classes, laying.row, task.start, int64(0))
    for column in range(classes.counts[CLASSES.columns]):
        if task.start[column] != 0:
            _note_places(classes, laying, column)
    unpack(classes, pool, nodes[0], laying.nodes[0])
    steps = int64(0)
    for at in range(1, nodes.shape[0]):
        if is_unsettled(pool, nodes[at]):
            continue
        before, after = laying.nodes[steps & 1], laying.nodes[(steps + 1) & 1]
        steps += 1
        unpack(classes, pool, nodes[at], after)
        done = False
        if after[ROW.runs] == before[ROW.runs]:
            done = _step(task, classes, laying, before, after)
        else:
            left = after[ROW.runs] ^ before[ROW.runs]
            suit = int64(0)
            while left >> RUN_BITS * suit != 1:
                suit += 1
            done = laying.row[ROW.runs] & left > 0 or _complete(task, classes, laying, suit)
        if not done:
            return int64(-1)
    return laying.made[0] if laying.row[ROW.runs] == task.info[INFO.start_runs] else int64(-1)
