"""Expands moves of mixed-suit sequences, as other programs make them, into single moves.

Such a sequence goes down by one rank from card to card, in any suits, and consists of runs of one
suit each. With e empty columns beside the target, 2^e runs can be moved: the upper ones are parked
in an empty column (with the help of those that are left), the lower ones go to the target, and the
parked ones follow. Where every upper run has a column of its own, k runs take 2k - 1 moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from simon_solver.errors import MoveError
from simon_solver.game.cards import Card, card_name, rank_of
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, play, why_not_onto
from simon_solver.game.runs import run_length


@dataclass(frozen=True)
class Drag:
    """What a player may do at once: a move, or several that together move a sequence.

    `move` and `cards` are those of the whole; `positions` are the ones before each of the steps
    and after the last.
    """

    move: Move
    cards: tuple[Card, ...]
    steps: tuple[Step, ...]
    positions: tuple[Position, ...]


def sequence_length(column: tuple[Card, ...]) -> int:
    """Cards at the column's top that go down by one rank each, in any suits."""
    length = min(1, len(column))
    while length < len(column) and rank_of(column[-length - 1]) == rank_of(column[-length]) + 1:
        length += 1
    return length


def single_moves(position: Position, move: Move) -> list[Move]:
    """The moves of one suit each that together make this one.

    A move of one suit stands for itself, even if it is illegal: the rules judge of it.

    Raises:
        MoveError: several suits, and no sequence, no place for it, or too few empty columns.
    """
    columns = position.columns
    if not (0 <= move.source < len(columns) and 0 <= move.target < len(columns)):
        return [move]
    column = columns[move.source]
    if move.source == move.target or not run_length(column) < move.count <= len(column):
        return [move]
    taken = f"the top {move.count} cards of column {move.source + 1}"
    length = sequence_length(column)
    if move.count > length:
        raise MoveError(
            f"{taken} do not go down rank by rank: "
            f"{card_name(column[-length])} lies on {card_name(column[-length - 1])}"
        )
    reason = why_not_onto(position, column[-move.count], move.target)
    if reason:
        raise MoveError(reason)
    runs = runs_of(column[-move.count :])
    free = [n for n, cards in enumerate(columns) if not cards and n != move.target]
    if len(runs) > 2 ** len(free):
        needed = (len(runs) - 1).bit_length()
        raise MoveError(
            f"{taken} are {len(runs)} runs, which need {needed} empty "
            f"column{'' if needed == 1 else 's'} besides the target, but there "
            f"{'is' if len(free) == 1 else 'are'} {len(free) or 'none'}"
        )
    return _plan(runs, move.source, move.target, free)


def runs_of(cards: tuple[Card, ...]) -> list[int]:
    """Lengths of the runs of one suit that a sequence falls into, the highest cards first."""
    lengths: list[int] = []
    while cards:
        lengths.insert(0, run_length(cards))
        cards = cards[: -lengths[0]]
    return lengths


def _plan(runs: Sequence[int], source: int, target: int, free: Sequence[int]) -> list[Move]:
    """The fewest moves that bring the runs to the target by way of the free columns."""
    if len(runs) == 1:
        return [Move(source, target, runs[0])]
    parked = min(
        range(1, len(runs)), key=lambda upper: _cost(upper, len(runs) - upper, len(free) - 1)
    )
    lower, upper = runs[:-parked], runs[-parked:]
    park, others = free[0], free[1:]
    return [
        *_plan(upper, source, park, others),
        *_plan(lower, source, target, others),
        *_plan(upper, park, target, others),
    ]


def _cost(upper: int, lower: int, free: int) -> float:
    """Moves when the `upper` runs are parked, moved once more, and the `lower` ones are not."""
    return 2 * _fewest(upper, free) + _fewest(lower, free)


@cache
def _fewest(runs: int, free: int) -> float:
    """The fewest moves of that many runs by way of that many free columns; infinite if too few."""
    if runs == 1:
        return 1
    if runs > 2**free:
        return float("inf")
    return min(_cost(upper, runs - upper, free - 1) for upper in range(1, runs))


def columns_of_removals(before: Position, move: Move, after: Position) -> list[int]:
    """The column of each complete run that a move made leave the table: its source, its target."""
    found = []
    for column, change in ((move.source, -move.count), (move.target, move.count)):
        gone = len(before.columns[column]) + change - len(after.columns[column])
        found += [column] * (gone // after.deck.ranks)
    return found


def drags(position: Position, moves: Sequence[Move], *, mixed_runs: bool) -> list[Drag]:
    """The moves, each a drag of its own, or joined where they move a sequence of several suits.

    Moves are joined when `single_moves` makes as many of the whole, and the same position comes of
    it, so that reading a joined move again gives no other score.

    Raises:
        MoveError: a move breaks a rule.
    """
    positions, steps = [position], []
    for move in moves:
        step, after = play(positions[-1], move)
        steps.append(step)
        positions.append(after)
    found: list[Drag] = []
    start = 0
    while start < len(steps):
        move, length = steps[start].move, 1
        if mixed_runs:
            move, length = _longest(positions, start, move)
        end = start + length
        cards = positions[start].columns[move.source][-move.count :]
        taken, seen = tuple(steps[start:end]), tuple(positions[start : end + 1])
        found.append(Drag(move, cards, taken, seen))
        start = end
    return found


def _longest(positions: Sequence[Position], start: int, single: Move) -> tuple[Move, int]:
    """The move of a sequence that stands for the most moves from `start` on, and their number."""
    before = positions[start]
    column = before.columns[single.source]
    best, length = single, 1
    for count in range(run_length(column) + 1, sequence_length(column) + 1):
        for target in range(len(before.columns)):
            move = Move(single.source, target, count)
            try:
                moves = len(single_moves(before, move))
            except MoveError:
                continue
            if length < moves < len(positions) - start:
                after = positions[start + moves]
                if _moved(before, move).columns == after.columns:
                    best, length = move, moves
    return best, length


def _moved(position: Position, move: Move) -> Position:
    """The position with these cards in another column, legal or not."""
    columns = list(position.columns)
    columns[move.target] += columns[move.source][-move.count :]
    columns[move.source] = columns[move.source][: -move.count]
    return Position(position.deck, tuple(columns), position.removed)
