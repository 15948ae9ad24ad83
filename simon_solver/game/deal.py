"""A deal: a named position to ask about, and how the game came there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from simon_solver.game.codes import GameCode
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes
from simon_solver.game.moves import Move, MoveText
from simon_solver.game.position import Position
from simon_solver.game.rules import replay
from simon_solver.text.lines import beginning


@dataclass(frozen=True)
class Deal:
    """A named position to ask about, with the moves already made on the way to it.

    `name` is the canonical game code or numbered deal, else the file as given or ``-``; `code` is
    set when the deal came from a game code. `column_sizes` are those of the layout that the game
    began in, and go with the code.
    """

    name: str
    position: Position
    moves_made: int = 0
    code: GameCode | None = None
    column_sizes: ColumnSizes = COLUMN_SIZES

    def after(self, moves: Iterable[MoveText | Move]) -> Deal:
        """The deal after these moves, which count as made.

        Raises:
            MoveError: names the first move that breaks a rule, and the rule.
        """
        steps, position = replay(self.position, moves)
        return replace(self, position=position, moves_made=self.moves_made + len(steps))


def deal_of(start: Position | Deal) -> Deal:
    """The deal itself, or a nameless one of a position.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(start, Deal):
        return start
    if isinstance(start, Position):
        return Deal("", start)
    raise TypeError(
        f"expected a Deal (as from read_deal) or a Position, got {type(start).__name__}: "
        f"{beginning(repr(start))}"
    )
