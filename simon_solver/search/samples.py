"""Small searches that call every entry of a group: compiled code is made for them, and tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simon_solver.kernels.codes import dealing, replaying
from simon_solver.kernels.native.blocks import arrays_of
from simon_solver.kernels.relaxations import lifts
from simon_solver.kernels.searches.options import WHEN, Options
from simon_solver.kernels.state import pool
from simon_solver.kernels.state.task import Task, build_task, fill
from simon_solver.search.buffers import Buffers
from simon_solver.search.engines import AStar, CompleteSearch, Engine, LooseSearch, MacroSearch
from simon_solver.search.groups import Group

_OPTIONS = Options(use_lifts=1, waiting=1, taken=1, parents=1, weight_g=1, weight_h=1)
_COLUMNS = [
    [(2, 0), (4, 1), (1, 0)],
    [(3, 1), (1, 1)],
    [(4, 0), (2, 1), (3, 0)],
    [],
]  # ranks and suits
_RANKS = 4
_ROOM = 1 << 30
_STATES = 200


def sample(group: Group) -> list[np.ndarray[Any, Any]]:
    """Run the group's searches; returns all that they have left in their arrays."""
    task, work = build_task(_COLUMNS, _RANKS), Buffers(len(_COLUMNS))
    found = _SAMPLES[group](task, work)
    records = (task, work.lifts, work.classes, work.bounds, work.scratch, work.macro, work.loose)
    others = (work.laying, work.board)
    left = [array for record in (*records, *others) for array in arrays_of(record)]
    if group is not Group.DECIDING:
        left += arrays_of(work.pool)
    return [np.array(found, np.int64), *(array.copy() for array in left)]


def _run(engine: Engine) -> list[int]:
    """The outcome, and the moves if there are any."""
    engine.begin(_ROOM)
    outcome = engine.step(_STATES)
    return [outcome, engine.expanded, *engine.path().tolist()]


def _decide(task: Task, work: Buffers) -> list[int]:
    fill(task)
    found = [int(lifts.start_may_be_won(task, work.lifts))]
    macro = MacroSearch(task, work, _STATES, eager=True)
    found += _run(macro)
    found.append(int(replaying.wins(task, macro.path(), work.board)))
    pack = dealing.new_pack([1, 2, 3, 4, 17, 18, 19, 20])
    dealing.deal(7, pack, task)
    return [*found, *pack.order.tolist()]


def _prove(task: Task, work: Buffers) -> list[int]:
    return _with_rehash(AStar(task, work, _OPTIONS), work)


def _complete(task: Task, work: Buffers) -> list[int]:
    options = _OPTIONS._replace(weight_h=2, use_classes=WHEN.always)
    return _with_rehash(CompleteSearch(task, work, options), work)


def _loosely(task: Task, work: Buffers) -> list[int]:
    options = _OPTIONS._replace(weight_h=2, use_classes=WHEN.always)
    return _with_rehash(LooseSearch(task, work, options), work)


def _with_rehash(engine: Engine, work: Buffers) -> list[int]:
    found = _run(engine)
    pool.rehash(work.pool)
    return found


_SAMPLES: dict[Group, Callable[[Task, Buffers], list[int]]] = {
    Group.DECIDING: _decide,
    Group.PROVING: _prove,
    Group.COMPLETE: _complete,
    Group.LOOSE: _loosely,
}
