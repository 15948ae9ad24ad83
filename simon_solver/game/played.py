"""A game played by hand: its moves, what can be undone, and how it stands.

An action is a move or a restart. The last `MOST_UNDONE` actions can be undone and redone, whatever
they changed: cards, counts, score, removed runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from simon_solver.errors import MoveError
from simon_solver.game.cards import card_name, rank_of
from simon_solver.game.deal import Deal
from simon_solver.game.moves import MOST_MOVES, Move, MoveText
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, legal_moves, play, score, why_illegal
from simon_solver.game.runs import run_length

MOST_UNDONE = 100
"""Actions that can be taken back; older ones stay."""


@dataclass(frozen=True)
class _Stand:
    """A position and the moves that led to it from the start of the game."""

    position: Position
    steps: tuple[Step, ...]


class PlayedGame:
    """A game from its start on. `opening` is played at once and cannot be undone.

    Raises:
        MoveError: names the first move of the opening that breaks a rule, and the rule.
    """

    def __init__(self, start: Deal, opening: Iterable[MoveText | Move] = ()) -> None:
        self.start = start
        self._now = _Stand(start.position, ())
        self._before: deque[_Stand] = deque(maxlen=MOST_UNDONE)
        self._undone: list[_Stand] = []
        for number, move in enumerate(opening, 1):
            try:
                self.play(move)
            except MoveError as error:
                raise MoveError(f"move {number}: {error}") from None
        self._before.clear()

    @property
    def position(self) -> Position:
        """The cards as they lie."""
        return self._now.position

    @property
    def steps(self) -> tuple[Step, ...]:
        """The moves made since the start or the last restart, without those undone."""
        return self._now.steps

    @property
    def moves(self) -> int:
        """Moves that count: those made, and those before the start."""
        return self.start.moves_made + len(self.steps)

    @property
    def score(self) -> int:
        """Points so far."""
        return score(self.moves, len(self.position.removed))

    @property
    def deal(self) -> Deal:
        """The game as it stands, to ask about."""
        return replace(self.start, position=self.position, moves_made=self.moves)

    @property
    def is_stuck(self) -> bool:
        """No move is left, and cards are."""
        return not self.position.is_won and not legal_moves(self.position)

    @property
    def undoable(self) -> int:
        """Actions that can be undone, 0 to `MOST_UNDONE`."""
        return len(self._before)

    @property
    def redoable(self) -> int:
        """Actions that can be redone."""
        return len(self._undone)

    @property
    def moves_undoable(self) -> int:
        """Of the moves made, the last so many can be undone one after the other."""
        line = range(len(self.steps) - 1, -1, -1)
        stands = zip(reversed(self._before), line, strict=False)
        return next(
            (n for n, (stand, length) in enumerate(stands) if len(stand.steps) != length),
            min(len(line), len(self._before)),
        )

    @property
    def opening(self) -> tuple[Step, ...]:
        """The moves that can no longer be undone."""
        return (self._before[0] if self._before else self._now).steps

    @property
    def actions(self) -> tuple[Move | None, ...]:
        """What followed on the opening, undone actions included; None is a restart."""
        stands = [*self._before, self._now, *reversed(self._undone)]
        return tuple(after.steps[-1].move if after.steps else None for _, after in pairwise(stands))

    def play(self, text: MoveText | Move) -> Step:
        """Make a move; what was undone can no longer be redone.

        Raises:
            MoveError: says which rule the move breaks, or that there were `MOST_MOVES` moves.
        """
        step, position = play(self.position, text)
        if len(self.steps) == MOST_MOVES:
            raise MoveError(f"expected at most {MOST_MOVES} moves; undo some, or restart")
        self._act(_Stand(position, (*self.steps, step)))
        return step

    def restart(self) -> bool:
        """Go back to the start of the game, as an action; False when nothing has been done."""
        if not self.steps:
            return False
        self._act(_Stand(self.start.position, ()))
        return True

    def undo(self) -> bool:
        """Take the last action back; False when none is left that can be."""
        if not self._before:
            return False
        self._undone.append(self._now)
        self._now = self._before.pop()
        return True

    def redo(self) -> bool:
        """Do again what was undone last; False when there is nothing."""
        if not self._undone:
            return False
        self._before.append(self._now)
        self._now = self._undone.pop()
        return True

    def _act(self, stand: _Stand) -> None:
        self._before.append(self._now)
        self._now = stand
        self._undone.clear()


def moves_from(position: Position, column: int) -> list[Move]:
    """The legal moves from a column (0-based), by target and number of cards.

    Raises:
        MoveError: there is no such column, or no card in it.
    """
    _check_column(position, column)
    return [move for move in legal_moves(position) if move.source == column]


def tap(position: Position, column: int) -> Move:
    """Where the run at the end of a column (0-based) goes by itself, as a whole.

    Onto its own suit's next higher card, of several that with the longest run; else, unless it has
    its column for itself, into the leftmost empty column.

    Raises:
        MoveError: there is no such place, no such column or no card in it.
    """
    _check_column(position, column)
    cards = position.columns[column]
    count = run_length(cards)
    moves = [Move(column, target, count) for target in range(len(position.columns))]
    legal = [move for move in moves if not why_illegal(position, move)]
    joined = {move: _length_after(position, move) for move in legal}
    best = max(legal, key=lambda move: joined[move], default=None)
    if best is not None and joined[best] > count:
        return best
    empty = [move for move in legal if not position.columns[move.target]]
    alone = count == len(cards)
    if empty and not alone:
        return empty[0]
    head = card_name(cards[-count])
    room = f"{head} has a column to itself" if alone else f"there is no empty column for {head}"
    if rank_of(cards[-count]) == position.deck.ranks:
        raise MoveError(room)
    raise MoveError(f"{room}, and the next card of its suit is not at the end of a column")


def _check_column(position: Position, column: int) -> None:
    columns = position.columns
    if not 0 <= column < len(columns):
        raise MoveError(f"there is no column {column + 1}; the columns are 1 to {len(columns)}")
    if not columns[column]:
        raise MoveError(f"column {column + 1} is empty")


def _length_after(position: Position, move: Move) -> int:
    """Cards in the run that the moved ones are part of once they have gone there."""
    cards = position.columns[move.source][-move.count :]
    return run_length(position.columns[move.target] + cards)
