"""The complete search: whether a position can be won, in however many moves.

Best first on f = weight_g * g + weight_h * U. It keeps every position that it comes to, but for
those that are proven lost:

* *L0* (`use_lifts`): a new position that `lifts` proves lost is dropped. Only a lift or a removal
  can lose a game [S.3], so no other position is asked about.
* *L1* (`use_classes`): the same with what `classes` proves lost, which is more and takes longer;
  `WHEN.start`: the start alone, `WHEN.always`: all.

Both are sound, so when nothing is left to expand, no way leads to a win [C.1]. The first win need
not be short. Numbers in brackets are statements of `docs/algorithms/`.
"""

from __future__ import annotations

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.relaxations import classes as l1
from simon_solver.kernels.relaxations import lifts as l0
from simon_solver.kernels.relaxations.classes import Classes
from simon_solver.kernels.relaxations.lifts import Lifts
from simon_solver.kernels.searches.astar import has_room, is_goal, open_node
from simon_solver.kernels.searches.options import OPTION, WHEN
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.pool import (
    POOL,
    Pool,
    add_node,
    dequeue,
    enqueue,
    find,
    first_queued,
    make_facts,
    moves_to,
)
from simon_solver.kernels.state.successors import FACT, Scratch, make, unmake
from simon_solver.kernels.state.task import Ints, Task


@internal
def _is_lost(task: Task, lifts: Lifts, classes: Classes, scratch: Scratch, options: Ints) -> bool:
    """A relaxation that is in use proves the position lost that was just made."""
    child, runs = scratch.child, scratch.made[FACT.runs]
    if options[OPTION.use_lifts] and not l0.may_be_won(task, lifts, child, runs):
        return True
    if options[OPTION.use_classes] != WHEN.always:
        return False
    return not l1.may_be_won(task, lifts, classes, child, runs, l1.MOST_CLASSES)


@internal
def _add(pool: Pool, scratch: Scratch, options: Ints, parent: int, slot: int) -> int:
    """Add the position made as a node and queue it; returns the node."""
    made = scratch.made
    moves = moves_to(pool.facts[parent]) + 1
    facts = make_facts(made[FACT.runs], moves, made[FACT.unjoined], parent)
    node = add_node(pool, scratch.child, made[FACT.key_a], made[FACT.key_b], facts, slot)
    f = options[OPTION.weight_g] * moves + options[OPTION.weight_h] * made[FACT.unjoined]
    enqueue(pool, node, f, int64(0))
    return node


@entry
def step(
    task: Task,
    lifts: Lifts,
    classes: Classes,
    pool: Pool,
    scratch: Scratch,
    options: Ints,
    budget: int,
) -> int:
    """Expand up to `budget` states; returns an `OUTCOME`.

    Won: `goal` is a win. Exhausted: there is none. Lost: L1 proves that of the start.
    """
    asked = options[OPTION.use_classes] != WHEN.never and pool.counts[POOL.expanded] == 0
    if asked and not l1.may_be_won(task, lifts, classes, task.start, int64(0), l1.MOST_CLASSES):
        return OUTCOME.lost
    made = scratch.made
    for _ in range(budget):
        node = first_queued(pool)
        if node < 0:
            return OUTCOME.exhausted
        if not has_room(pool, scratch):
            return OUTCOME.full
        dequeue(pool, node)
        pool.counts[POOL.expanded] += 1
        for index in range(open_node(task, pool, scratch, node)):
            move = scratch.moves[index]
            make(task, scratch, move)
            known = find(pool, made[FACT.key_a], made[FACT.key_b])
            won = is_goal(task, scratch, options)
            asks = made[FACT.irreversible] != 0 and not won
            if known < 0 and not (asks and _is_lost(task, lifts, classes, scratch, options)):
                new = _add(pool, scratch, options, node, -1 - known)
                if won:
                    pool.counts[POOL.goal] = new
                    return OUTCOME.won
            unmake(scratch, move)
    return OUTCOME.running
