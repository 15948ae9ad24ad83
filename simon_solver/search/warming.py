"""Has the kernels compiled, or loaded, before a search needs them: each group by a tiny search."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from simon_solver.game.layout import Deck
from simon_solver.kernels import compiled
from simon_solver.kernels.codes import dealing, replaying
from simon_solver.kernels.relaxations import lifts
from simon_solver.kernels.searches.options import Options
from simon_solver.kernels.state import pool
from simon_solver.kernels.state.task import Task, build_task
from simon_solver.search.buffers import Buffers
from simon_solver.search.engines import (
    NO_MOVES,
    AStar,
    CompleteSearch,
    Engine,
    LooseSearch,
    MacroSearch,
)

_OPTIONS = Options()
_ROOM = 1 << 30


def _tiny() -> tuple[Task, Buffers]:
    """A game of two cards, an ace under a two, which is won in one move; and arrays for it."""
    return build_task([[(1, 0), (2, 0)], [], []], 2), Buffers(3)


def _run(engine: Engine) -> None:
    engine.begin(_ROOM)
    engine.step(9)
    engine.path()


def _compile_search() -> None:
    task, work = _tiny()
    lifts.may_be_won(task, work.lifts, task.start, 0)
    _run(MacroSearch(task, work, 1, eager=True))
    _run(AStar(task, work, _OPTIONS))
    pool.clear(work.pool)
    pool.rehash(work.pool)


def _compile_complete() -> None:
    task, work = _tiny()
    _run(CompleteSearch(task, work, _OPTIONS))


def _compile_loose() -> None:
    task, work = _tiny()
    _run(LooseSearch(task, work, _OPTIONS))


def _compile_codes() -> None:
    task, _ = _tiny()
    dealing.deal(0, task.card[0], np.zeros(2, np.int64), task.card)
    replaying.wins(task, NO_MOVES, replaying.new_board(3))


_search = compiled.Preparation(compiled.SEARCH, _compile_search)
_complete = compiled.Preparation(compiled.COMPLETE, _compile_complete)
_loose = compiled.Preparation(compiled.LOOSE, _compile_loose)
_codes = compiled.Preparation(compiled.CODES, _compile_codes)


def prepare() -> None:
    """Have the kernels ready that nearly all positions need, so that no search waits for them."""
    _search()


def prepare_complete(*, copies: bool) -> None:
    """Have the search ready as well that few positions need, those with or without copies."""
    _search()
    (_complete if copies else _loose)()


def prepare_codes(decks: Iterable[Deck]) -> None:
    """Have all kernels ready that `search.codes` needs for these decks."""
    _codes()
    for deck in decks:
        prepare_complete(copies=max(deck.copies) > 1)
