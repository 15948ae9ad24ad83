"""The verdicts of many game codes: what `solver.check` says of their deals, without its line.

The searches are the same. Dealing and replaying are compiled as well here, so that a deal costs no
Python object for a card or a move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from simon_solver.cards import rank_of, suit_of
from simon_solver.control import Control, Stopped
from simon_solver.finding import Finding
from simon_solver.kernels import compiled, dealing, replaying
from simon_solver.kernels.game import COPIES, RANKS, Game, build_game, fill, new_game
from simon_solver.layout import LAYOUTS
from simon_solver.result import Limits, StoppedBy, Verdict
from simon_solver.searcher import Searcher, prepare_complete


def _compile_all() -> None:
    """Call each kernel of codes, on a game of two cards."""
    game = build_game([[(1, 0), (2, 0)], [], []], 2)
    dealing.deal(0, game.card[0], np.zeros(2, np.int64), game.card)
    replaying.wins(game, np.zeros(0, np.int64), replaying.new_table(3))


_prepare = compiled.Preparation(compiled.CODES, _compile_all)


def prepare_codes(suit_counts: Iterable[int]) -> None:
    """Have all kernels compiled that `CodeDecider` needs for these suit counts.

    Raises:
        KeyError: there is no such suit count.
    """
    _prepare()
    for suits in suit_counts:
        cards = LAYOUTS[suits].deck.cards
        prepare_complete(copies=len(set(cards)) < len(cards))


class Outcome(NamedTuple):
    """What is known of one deal."""

    verdict: Verdict
    stopped_by: StoppedBy | None
    states: int


def decide(game: Game, limits: Limits) -> Outcome:
    """The verdict of the position behind the tables; a win has been replayed.

    Raises:
        RuntimeError: the win does not win, which would be a fault of the search.
    """
    runs = int(game.info[COPIES : COPIES + 4].sum())
    control, finding = Control(limits, None), Finding([0] * (runs + 1), 0, 0)
    with Searcher(game, control) as searcher:
        try:
            moves = searcher.find_win(finding)
        except Stopped as stop:
            return Outcome(finding.verdict, stop.reason, control.states)
    table = replaying.new_table(game.start.shape[0])
    if finding.verdict is Verdict.WINNABLE and not replaying.wins(game, moves, table):
        raise RuntimeError("a solution that should win does not")
    return Outcome(finding.verdict, None, control.states)


class CodeDecider:
    """Decides deals of codes of one suit count, one after the other, within limits for each.

    `memory_limit` in MiB, `state_limit` in expanded states (0: any number).

    Raises:
        KeyError: there is no such suit count.
        LimitError: a limit makes no sense.
    """

    def __init__(self, suits: int, *, memory_limit: int, state_limit: int) -> None:
        layout = LAYOUTS[suits]
        sizes, cards = layout.column_sizes, layout.deck.cards
        self._limits = Limits(0, memory_limit, state_limit)
        self._deck = np.array([rank_of(card) | suit_of(card) << 4 for card in cards], np.int64)
        self._order = np.zeros_like(self._deck)
        self._game = new_game(len(sizes), max(sizes), len(cards))
        self._game.info[RANKS] = layout.deck.ranks
        self._game.card[:] = np.arange(max(sizes)) < np.array(sizes)[:, None]
        prepare_codes([suits])

    def decide(self, number: int) -> Outcome:
        """The verdict of a code's deal; each win has been replayed."""
        dealing.deal(number, self._deck, self._order, self._game.card)
        fill(self._game)
        return decide(self._game, self._limits)
