"""Replays move lists and written solutions by `rules` alone: are they legal, and do they win?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from simon_solver.errors import MoveError
from simon_solver.game import rules
from simon_solver.game.deal import Deal, deal_of
from simon_solver.game.moves import Move, MoveText
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, play, score
from simon_solver.reading.solutions.playing import Played, play_solution
from simon_solver.reading.solutions.printed import (
    ClaimedMove,
    Form,
    GroupMove,
    Item,
    PrintedBoard,
    RunRemoval,
    Solution,
)


class Outcome(StrEnum):
    """How the replay of a move list ends."""

    WON = "won"
    NOT_WON = "not won"
    ILLEGAL = "illegal"


@dataclass(frozen=True)
class Replay:
    """What a move list did: all of it when it is legal, else the part before the fault.

    `score`, `moves` and `runs_removed` are totals from the start of the game, `position` is the one
    at the end. `error` names the first illegal move and the rule it breaks; it is empty when there
    is none. `moves_written` is the number of moves in the text, legal or not; it differs from the
    number of steps where another program writes several moves as one.
    """

    outcome: Outcome
    score: int
    moves: int
    runs_removed: int
    steps: tuple[Step, ...]
    position: Position
    error: str = ""
    form: Form = Form.MOVES
    moves_written: int = 0


def verify(start: Deal | Position, moves: Iterable[MoveText | Move]) -> Replay:
    """Play these moves and return the outcome; the moves that a deal counts stay counted.

    Raises:
        TypeError: the start is neither a deal nor a position, or a move is no move.
    """
    deal = deal_of(start)
    steps: list[Step] = []
    position, error = deal.position, ""
    listed = _moves_of(moves)
    for number, text in enumerate(listed, 1):
        try:
            step, position = play(position, text)
        except MoveError as fault:
            error = f"move {number}: {fault} ({_as_written(text)})"
            break
        steps.append(step)
    return _replay_of(deal, steps, position, error, Form.MOVES, len(listed))


def verify_solution(start: Deal | Position, solution: Solution) -> Replay:
    """Play a written solution and return the outcome; a mixed-suit move becomes single moves.

    Boards, cards and removals in the text must agree with the rules.

    Raises:
        TypeError: the start is neither a deal nor a position.
    """
    deal = deal_of(start)
    played = play_solution(deal.position, solution)
    error = "" if played.item is None else _fault_text(played, played.item)
    return _replay_of(deal, played.steps, played.position, error, solution.form, solution.moves)


def _replay_of(
    deal: Deal,
    steps: Sequence[Step],
    position: Position,
    error: str,
    form: Form,
    moves_written: int,
) -> Replay:
    outcome = Outcome.WON if position.is_won else Outcome.NOT_WON
    made, removed = deal.moves_made + len(steps), len(position.removed)
    return Replay(
        outcome=Outcome.ILLEGAL if error else outcome,
        score=score(made, removed),
        moves=made,
        runs_removed=removed,
        steps=tuple(steps),
        position=position,
        error=error,
        form=form,
        moves_written=moves_written,
    )


def replay(start: Deal | Position, moves: Iterable[MoveText | Move]) -> tuple[list[Step], Position]:
    """Play a move list; returns what each move did and the position after it.

    Raises:
        MoveError: names the first move that breaks a rule, and the rule.
        TypeError: the start is neither a deal nor a position, or a move is no move.
    """
    return rules.replay(deal_of(start).position, _moves_of(moves))


def _moves_of(moves: Iterable[MoveText | Move]) -> list[MoveText | Move]:
    """The moves, each of which is one.

    Raises:
        TypeError: says which is not; a tuple would be played as something else.
    """
    listed = list(moves)
    for number, move in enumerate(listed, 1):
        if not isinstance(move, Move | MoveText):
            raise TypeError(
                f"move {number}: expected a Move (or parse_moves of a text), "
                f"got {type(move).__name__}: {move!r}"
            )
    return listed


def _as_written(text: MoveText | Move) -> str:
    """The move in the notation of move lists, and where it was read if it was."""
    if isinstance(text, Move):
        return str(text)
    move = f"{text.source + 1}>{text.target + 1}"
    if text.count is not None:
        move += f":{text.count}"
    return f"{move} at {text.place}"


def _fault_text(played: Played, item: Item) -> str:
    """What cannot be played, with the number of the move, its own words and its place."""
    if isinstance(item, PrintedBoard | RunRemoval):
        where = f"after move {played.number}" if played.number else "before the first move"
        text = played.fault
        return f"{where}: {text}" + ("" if isinstance(item, PrintedBoard) else f" ({item.written})")
    if isinstance(item, GroupMove):
        written = item.written
    else:
        written = _as_written(item.move if isinstance(item, ClaimedMove) else item)
    return f"move {played.number}: {played.fault} ({written})"
