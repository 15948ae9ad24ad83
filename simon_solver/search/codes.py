"""The verdicts of many game codes: what `solver.check` says of their deals, without its line.

The searches are the same. Kernels deal and replay as well here, so that a deal costs no Python
object for a card or a move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.game.cards import ACE, rank_of, suit_of
from simon_solver.game.codes import shuffled
from simon_solver.game.layout import Layout
from simon_solver.game.position import Position
from simon_solver.kernels.codes import dealing, replaying
from simon_solver.kernels.state.task import INFO, Task, fill, new_task
from simon_solver.search.control import Control, Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.limits import Limits
from simon_solver.search.portfolio import Portfolio, task_of
from simon_solver.search.preparing import groups_of, wait_for
from simon_solver.search.verdict import StoppedBy, Verdict


class Decision(NamedTuple):
    """What is known of one deal."""

    verdict: Verdict
    stopped_by: StoppedBy | None
    states: int


def decide(task: Task, limits: Limits) -> Decision:
    """The verdict of the position behind the tables; a win has been replayed.

    Raises:
        RuntimeError: the win does not win, which would be a fault of the search.
    """
    runs = sum(task.info[INFO.copies : INFO.copies + 4].tolist())
    control, finding = Control(limits, None), Finding([0] * (runs + 1), 0, 0)
    with Portfolio(task, control) as portfolio:
        try:
            moves = portfolio.find_win(finding)
        except Stopped as stop:
            return Decision(finding.verdict, stop.reason, control.states)
        board = portfolio.work.board
        if finding.verdict is Verdict.WINNABLE and not replaying.wins(task, moves, board):
            raise RuntimeError("a solution that should win does not")
    return Decision(finding.verdict, None, control.states)


class CodeDecider:
    """Decides deals of codes in one layout, one after the other, within limits for each.

    `memory_limit` in MiB, `state_limit` in expanded states (0: any number).

    Raises:
        LimitError: a limit is out of range.
    """

    def __init__(self, layout: Layout, *, memory_limit: int, state_limit: int) -> None:
        sizes, cards = layout.column_sizes, layout.deck.cards
        self._layout = layout
        self._limits = Limits(0, memory_limit, state_limit)
        self._pack = dealing.new_pack([rank_of(card) | suit_of(card) << 4 for card in cards])
        self._task = new_task(len(sizes), max(sizes), len(cards))
        self._task.info[INFO.ranks] = layout.deck.ranks
        self._task.card[:] = np.arange(max(sizes)) < np.array(sizes)[:, None]
        wait_for(groups_of([layout.deck]))

    def decide(self, number: int) -> Decision:
        """The verdict of a code's deal; each win has been replayed."""
        dealing.deal(number, self._pack, self._task)
        if self._task.card.shape[1] >= self._layout.deck.ranks and self._is_run_dealt():
            return self._decide_after_removals(number)
        fill(self._task)
        return decide(self._task, self._limits)

    def _is_run_dealt(self) -> bool:
        """Some column ends in a complete run, which the kernels do not expect at the start."""
        ranks = self._layout.deck.ranks
        for column, size in zip(self._task.card, self._layout.column_sizes, strict=True):
            run = column[max(0, size - ranks) : size]
            if run.size == ranks and (np.diff(run) == -1).all() and run[-1] & 15 == ACE:
                return True
        return False

    def _decide_after_removals(self, number: int) -> Decision:
        """The verdict of a deal in which a run leaves at once."""
        columns = self._layout.split(shuffled(self._layout.deck.cards, number))
        position = Position(self._layout.deck, columns)
        if position.is_won:
            return Decision(Verdict.WINNABLE, None, 0)
        return decide(task_of(position), self._limits)
