"""Plays a written solution by the rules, one single move after the other.

Moves of several suits are expanded, removals happen at once and are compared with those that the
text names, and so are boards. Where the text does not say how many cards go into an empty column,
the numbers are tried until the rest can be played.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

from simon_solver.errors import MoveError, PositionError
from simon_solver.game.cards import SUIT_NAMES, Card, card_names, rank_of
from simon_solver.game.moves import MOST_MOVES, Move, MoveText
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, play
from simon_solver.game.runs import run_length
from simon_solver.reading.solutions.fc_solve import WRONG_GAME
from simon_solver.reading.solutions.groups import (
    columns_of_removals,
    runs_of,
    sequence_length,
    single_moves,
)
from simon_solver.reading.solutions.printed import (
    ClaimedMove,
    GroupMove,
    Item,
    PrintedBoard,
    RunRemoval,
    Solution,
    is_move,
)

_ANY_COLUMN = -1
_MOST_PLAYED = 2 * MOST_MOVES  # moves, before no more numbers of cards are tried


@dataclass(frozen=True)
class Played:
    """The single moves that were played and the position after them.

    `item` is what cannot be played, and `number` the number of the move that it is or that comes
    before it; the steps and the position are those before that item. None says that all was
    played.
    """

    steps: tuple[Step, ...]
    position: Position
    item: Item | None = None
    number: int = 0
    fault: str = ""


def play_solution(start: Position, solution: Solution) -> Played:
    """What comes of the solution, played from this position."""
    return _Replayer(start, solution.items).play()


@dataclass(frozen=True)
class _Choice:
    """A move of an unknown number of cards: where it was made, and the numbers left to try."""

    index: int
    position: Position
    steps: int
    completed: Counter[int]
    counts: list[int]


@dataclass
class _Replayer:
    """The state of the game between two items; `completed` counts runs removed by column.

    They are the ones that left the table by the rules and that the text has not named yet.
    """

    position: Position
    items: tuple[Item, ...]
    steps: list[Step] = field(default_factory=list)
    completed: Counter[int] = field(default_factory=Counter)
    choices: list[_Choice] = field(default_factory=list)
    known: set[object] = field(default_factory=set)
    played: int = 0

    def __post_init__(self) -> None:
        # Runs that were complete on the deal may be named as well, in whatever column they lay.
        self.completed[_ANY_COLUMN] += len(self.position.removed)

    def play(self) -> Played:
        index, failed, furthest = 0, Played((), self.position), -1
        count: int | None = None
        while index < len(self.items):
            try:
                self._take(index, count)
            except MoveError as fault:
                if index > furthest:
                    furthest, failed = index, self._failure(index, str(fault))
                if not self.choices or self.played > _MOST_PLAYED:
                    return failed
                index, count = self._back()
                continue
            index, count = index + 1, None
        return Played(tuple(self.steps), self.position)

    def _failure(self, index: int, fault: str) -> Played:
        number = sum(map(is_move, self.items[: index + 1]))
        return Played(tuple(self.steps), self.position, self.items[index], number, fault)

    def _back(self) -> tuple[int, int]:
        """Take up the last choice; returns where it is and the number of cards to take now."""
        choice = self.choices[-1]
        self.position, self.completed = choice.position, Counter(choice.completed)
        del self.steps[choice.steps :]
        count = choice.counts.pop(0)
        if not choice.counts:
            self.choices.pop()
        return choice.index, count

    def _take(self, index: int, count: int | None) -> None:
        """Play an item; `count` is what is tried now of a move that does not tell it.

        Raises:
            MoveError: says what is wrong; nothing was played of it.
        """
        item = self.items[index]
        if isinstance(item, MoveText):
            self._play(item)
        elif isinstance(item, ClaimedMove):
            self._play_claimed(item)
        elif isinstance(item, GroupMove):
            self._play_group(index, item, count)
        elif isinstance(item, RunRemoval):
            self._remove(item)
        else:
            self._compare(item)

    def _play(self, move: Move | MoveText) -> None:
        if len(self.steps) >= MOST_MOVES:
            raise MoveError(f"expected at most {MOST_MOVES} single moves, got more")
        self.played += 1
        step, after = play(self.position, move)
        self.completed.update(columns_of_removals(self.position, step.move, after))
        self.steps.append(step)
        self.position = after

    def _play_claimed(self, item: ClaimedMove) -> None:
        step, _ = play(self.position, item.move)
        if step.cards != item.cards:
            raise MoveError(
                f"it takes {card_names(step.cards)}, but the text says {card_names(item.cards)}"
            )
        if item.removes is not None and sorted(item.removes) != sorted(step.removes):
            done, told = (
                " and ".join(f"a run of {SUIT_NAMES[suit]}" for suit in suits) or "no run"
                for suits in (step.removes, item.removes)
            )
            raise MoveError(f"it completes {done}, but the text says {told}")
        self._play(item.move)

    def _play_group(self, index: int, item: GroupMove, count: int | None) -> None:
        if count is None:
            count = item.count
        if count is None:
            count = self._choose(index, item)
        for move in single_moves(self.position, Move(item.source, item.target, count)):
            self._play(move)

    def _choose(self, index: int, item: GroupMove) -> int:
        """The first number of cards to try; the others are kept for `_back`.

        Raises:
            MoveError: all have been tried in this very position.
        """
        counts = self._counts(item)
        if len(counts) > 1:
            key = (index, self.position.columns, frozenset((+self.completed).items()))
            if key in self.known:
                raise MoveError("no number of cards makes the next moves possible")
            self.known.add(key)
            self.choices.append(
                _Choice(index, self.position, len(self.steps), Counter(self.completed), counts[1:])
            )
        return counts[0]

    def _counts(self, item: GroupMove) -> list[int]:
        """How many cards may be meant: what fits onto a card, or some runs into an empty column.

        fc-solve moves no part of a run there. Fewer runs come first: they take fewer moves.
        """
        columns = self.position.columns
        if not (item.source < len(columns) and item.target < len(columns)):
            return [1]
        column = columns[item.source]
        sequence = column[len(column) - sequence_length(column) :]
        if columns[item.target]:
            wanted = rank_of(columns[item.target][-1]) - 1
            fitting = [n for n in range(1, len(sequence) + 1) if rank_of(column[-n]) == wanted]
            return fitting or [max(1, run_length(column))]
        return list(accumulate(reversed(runs_of(sequence)))) or [1]

    def _remove(self, item: RunRemoval) -> None:
        if self.completed[item.column]:
            self.completed[item.column] -= 1
        elif self.completed[_ANY_COLUMN]:
            self.completed[_ANY_COLUMN] -= 1
        elif item.short:
            raise MoveError(f"it is not a complete run: {WRONG_GAME}")
        else:
            raise MoveError(f"no complete run has left column {item.column + 1}")

    def _compare(self, board: PrintedBoard) -> None:
        """Compare the position with a board, on which complete runs may still lie."""
        ours = self.position
        if board.columns == ours.columns and sorted(board.removed) == sorted(ours.removed):
            return
        try:
            told = Position(ours.deck, board.columns, board.removed)
        except PositionError as error:
            raise MoveError(f"the board at {board.place} is invalid: {error}") from None
        if len(told.columns) != len(ours.columns):
            raise MoveError(
                f"the board at {board.place} has {len(told.columns)} columns "
                f"instead of {len(ours.columns)}"
            )
        for number, (theirs, column) in enumerate(zip(told.columns, ours.columns, strict=True), 1):
            if theirs != column:
                raise MoveError(
                    f"the board at {board.place} differs: column {number} has "
                    f"{_named(theirs)} there, but {_named(column)} by the rules"
                )


def _named(column: tuple[Card, ...]) -> str:
    return card_names(column) or "no card"
