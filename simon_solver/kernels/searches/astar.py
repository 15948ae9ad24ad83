"""A* over positions, with equal weights or with more weight on the estimate.

h is a lower bound on the moves to the goal. Nodes that cannot beat the best way known are dropped,
shorter ways to known nodes are followed, and the search ends when no node could lead to a shorter
one [A.1]. With more weight on h the first way found proves nothing [T.4]. No move is ever forced
[T.2]. Options say how nodes are ordered (f = weight_g * g + weight_h * h) and which rules apply:

* *L0* (`use_lifts`): a new position that `lifts` proves lost is dropped. Sound for every question
  about wins [L0.5].
* *in layers* (`in_layers`, with equal weights): a node brings only the children whose
  f is its own, and goes back into the queue with the least f of the others: partial expansion
  (Yoshizumi, Miura and Ishida, 2000). The last layer, which is by far the largest, need not be
  stored. Sound for the shortest win [A.2].
* *waiting* (`waiting`): h goes up to the waiting bound [W.5]; without it h is U. A new
  node gets what its parent's conflicts prove [H.3]. When its turn comes its own are asked if it
  needs more; if so it goes back into the queue, with one move more [A.3]. Without `taken` no copy
  counts as taken; without `parents` a new node gets only its U, or one less than its parent. Sound
  for the shortest win.

Numbers in brackets are statements of `docs/algorithms/`.
"""

from __future__ import annotations

from typing import NamedTuple

from simon_solver.kernels.bounds.hitting import Conflicts, new_conflicts
from simon_solver.kernels.bounds.removal import moves_to_remove, new_needs
from simon_solver.kernels.bounds.waiting import Waits, exceeds, load, new_waits, payments_after
from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.relaxations.lifts import Lifts, may_be_won
from simon_solver.kernels.searches.options import OPTION
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state.pool import (
    F_LIMIT,
    H_LIMIT,
    H_MASK,
    IN_PART,
    LINK,
    NOT_QUEUED,
    POOL,
    RUNS_MASK,
    Pool,
    add_node,
    dequeue,
    enqueue,
    estimate_of,
    find,
    first_queued,
    lowest_f,
    make_facts,
    moves_to,
    parent_of,
    room,
    unpack,
)
from simon_solver.kernels.state.successors import (
    FACT,
    ROLE,
    Scratch,
    list_moves,
    look,
    make,
    role,
    unjoined,
    unmake,
)
from simon_solver.kernels.state.task import INFO, Ints, Task
from simon_solver.kernels.state.words import count_runs

HITTING_BUDGET = 2_000
"""Steps of each search for a hitting set. They bound the time for one position; where they do not
suffice, h stays lower than it could be, which is sound."""

NO_WIN = 1 << 20
"""`POOL.upper` while no win is known."""


class Bounds(NamedTuple):
    """Working arrays of the lower bounds."""

    waits: Waits
    conflicts: Conflicts
    needs: Ints
    """of `removal`"""


def new_bounds() -> Bounds:
    """Fresh working arrays."""
    return lasting(Bounds(new_waits(), new_conflicts(), new_needs()))


@entry
def start(
    task: Task, pool: Pool, scratch: Scratch, options: Ints, upper: int, estimate: int
) -> None:
    """Put the starting position into an empty pool.

    `upper`: moves of a known win or `NO_WIN`; `estimate`: a lower bound on a win's moves, or 0.
    """
    columns = scratch.columns
    for column in range(columns.shape[0]):
        columns[column] = task.start[column]
    look(task, scratch, int64(0))
    pool.counts[POOL.upper] = upper
    pool.counts[POOL.cursor] = F_LIMIT * H_LIMIT - 1
    h = estimate
    if options[OPTION.runs_wanted] == 0:
        h = max(h, unjoined(task, columns))
    facts = make_facts(int64(0), int64(0), h, int64(-1))
    key_a, key_b = scratch.facts[FACT.key_a], scratch.facts[FACT.key_b]
    node = add_node(pool, columns, key_a, key_b, facts, -1 - find(pool, key_a, key_b))
    _queue(pool, options, node)


@internal
def _goal_runs(task: Task, options: Ints) -> int:
    """How many runs are removed at the goal."""
    wanted = options[OPTION.runs_wanted]
    return wanted if wanted else count_runs(task, task.info[INFO.start_runs])


@internal
def is_goal(task: Task, scratch: Scratch, options: Ints) -> bool:
    """The position made is a goal: the last runs wanted have left."""
    runs = scratch.made[FACT.runs]
    return runs != scratch.facts[FACT.runs] and count_runs(task, runs) >= _goal_runs(task, options)


@internal
def _is_cut(pool: Pool, moves: int) -> int:
    """A way of so many moves does not beat the best win known; notes that something is cut."""
    cut = moves >= pool.counts[POOL.upper]
    pool.counts[POOL.cut] |= cut
    return cut


@internal
def has_room(pool: Pool, scratch: Scratch) -> bool:
    """There is room for all children of one more node."""
    return pool.counts[POOL.nodes] + scratch.moves.shape[0] <= room(pool)


@internal
def _queue(pool: Pool, options: Ints, node: int) -> None:
    """Queue a node by its estimate; among equal f small h come first."""
    h = estimate_of(pool.facts[node])
    f = options[OPTION.weight_g] * moves_to(pool.facts[node]) + options[OPTION.weight_h] * h
    enqueue(pool, node, f, h)


@internal
def _improve(
    task: Task,
    bounds: Bounds,
    pool: Pool,
    scratch: Scratch,
    options: Ints,
    parent: int,
    node: int,
    is_goal: bool,
) -> None:
    """Where the way to a known node, just made again, is shorter now: note it and queue the node.

    The estimate of one opened in part is about what it still has to bring, so it is not used.
    """
    facts = pool.facts[node]
    g = moves_to(pool.facts[parent]) + 1
    if g >= moves_to(facts):
        return
    h = estimate_of(facts)
    if facts & IN_PART:
        h = _plain_estimate(task, bounds, scratch, options)
    if g + h >= pool.counts[POOL.upper]:
        return
    if is_goal:
        pool.counts[POOL.upper] = g
        pool.counts[POOL.goal] = node
    if pool.link[node, LINK.next] != NOT_QUEUED:
        dequeue(pool, node)
    pool.facts[node] = make_facts(facts & RUNS_MASK, g, h, parent)
    if not is_goal:
        _queue(pool, options, node)


@internal
def _add(
    pool: Pool, scratch: Scratch, options: Ints, parent: int, h: int, slot: int, is_goal: bool
) -> None:
    """Add the position made as a node."""
    made = scratch.made
    facts = make_facts(made[FACT.runs], moves_to(pool.facts[parent]) + 1, h, parent)
    node = add_node(pool, scratch.child, made[FACT.key_a], made[FACT.key_b], facts, slot)
    if is_goal:
        pool.counts[POOL.upper] = moves_to(facts)
        pool.counts[POOL.goal] = node
    else:
        _queue(pool, options, node)


@internal
def open_node(task: Task, pool: Pool, scratch: Scratch, node: int) -> int:
    """Look at the position of a node and list its moves; returns their number."""
    unpack(pool, node, scratch.columns)
    look(task, scratch, pool.facts[node] & RUNS_MASK)
    scratch.facts[FACT.unjoined] = unjoined(task, scratch.columns)
    return list_moves(task, scratch)


@internal
def _rises(task: Task, bounds: Bounds, scratch: Scratch, options: Ints, h: int) -> int:
    """The position looked at is proven to need more than h moves; else its conflicts are ready."""
    waits = bounds.waits
    load(task, waits, scratch.columns, options[OPTION.taken])
    least = max(int64(0), h - scratch.facts[FACT.unjoined])
    columns = scratch.columns.shape[0]
    return exceeds(waits, bounds.conflicts, columns, least, int64(HITTING_BUDGET))


@internal
def _put_back(pool: Pool, options: Ints, node: int, h: int, in_part: int) -> None:
    """Queue a node again with a larger h, unless it is cut; `in_part`: IN_PART or 0."""
    facts = pool.facts[node]
    g = moves_to(facts)
    in_part |= facts & IN_PART
    pool.facts[node] = make_facts(facts & RUNS_MASK, g, h, parent_of(facts)) | in_part
    if g + h < pool.counts[POOL.upper]:
        _queue(pool, options, node)
    else:
        pool.counts[POOL.cut] = 1


@internal
def _plain_estimate(task: Task, bounds: Bounds, scratch: Scratch, options: Ints) -> int:
    """A lower bound for the position made, whatever led to it."""
    wanted = options[OPTION.runs_wanted]
    if wanted == 0:
        return scratch.made[FACT.unjoined]
    return moves_to_remove(task, bounds.needs, scratch.child, scratch.made[FACT.runs], wanted)


@internal
def _estimate(
    task: Task, bounds: Bounds, scratch: Scratch, options: Ints, move: int, h: int
) -> int:
    """A lower bound for the position made by a move from one that needs h moves at least."""
    made = scratch.made
    least = max(h - 1, _plain_estimate(task, bounds, scratch, options))
    if (
        options[OPTION.waiting] == 0
        or options[OPTION.parents] == 0
        or made[FACT.runs] != scratch.facts[FACT.runs]
    ):
        return least
    what = role(scratch, move)
    if what == ROLE.joins:
        return least
    paid = payments_after(bounds.waits, bounds.conflicts, move & 15, move >> 8, what != ROLE.parts)
    return max(least, made[FACT.unjoined] + paid)


@entry
def step(
    task: Task,
    lifts: Lifts,
    bounds: Bounds,
    pool: Pool,
    scratch: Scratch,
    options: Ints,
    budget: int,
) -> int:
    """Expand up to `budget` states; returns an `OUTCOME` other than `lost`.

    Won: `goal` is a shortest win. Exhausted: none is shorter than `upper` was at the start, and
    there is none at all if nothing was `cut`.
    """
    made = scratch.made
    waiting = options[OPTION.waiting] != 0
    in_order = options[OPTION.weight_g] == options[OPTION.weight_h]
    in_layers = in_order and options[OPTION.in_layers] != 0
    for _ in range(budget):
        node = first_queued(pool)
        if node < 0 or (in_order and lowest_f(pool) >= pool.counts[POOL.upper]):
            pool.counts[POOL.cut] |= node >= 0
            return OUTCOME.won if pool.counts[POOL.goal] >= 0 else OUTCOME.exhausted
        if not has_room(pool, scratch):
            return OUTCOME.full
        dequeue(pool, node)
        g, h = moves_to(pool.facts[node]), estimate_of(pool.facts[node])
        if _is_cut(pool, g + h):
            continue
        moves = open_node(task, pool, scratch, node)
        if waiting and _rises(task, bounds, scratch, options, h):
            _put_back(pool, options, node, h + 1, int64(0))
            continue
        pool.counts[POOL.expanded] += 1
        later = int64(H_MASK)
        for index in range(moves):
            move = scratch.moves[index]
            make(task, scratch, move)
            won = is_goal(task, scratch, options)
            known = find(pool, made[FACT.key_a], made[FACT.key_b])
            keep = known < 0
            if not keep:
                _improve(task, bounds, pool, scratch, options, node, known, won)
            child_h = int64(0)
            if keep:
                child_h = _estimate(task, bounds, scratch, options, move, h)
                keep = not _is_cut(pool, g + 1 + child_h)
                if keep and in_layers and child_h >= h and not won:
                    later = min(later, child_h + 1)
                    keep = False
            if keep and options[OPTION.use_lifts] and made[FACT.irreversible] and not won:
                keep = may_be_won(task, lifts, scratch.child, made[FACT.runs])
            if keep:
                _add(pool, scratch, options, node, child_h, -1 - known, won)
            unmake(scratch, move)
        if later < H_MASK:
            _put_back(pool, options, node, later, int64(IN_PART))
    return OUTCOME.running
