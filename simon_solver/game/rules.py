"""The rules of Simple Simon as plain Python: they replay every line of moves before it is shown.

Wins that are only counted are replayed by a compiled twin, which tests compare with these rules.

Nothing here is fast and nothing here is shared with the search kernels, so that a fault of theirs
cannot vouch for itself. The rules take any deck and any number of columns.

Complete runs at column ends leave the table before anything else happens, on a deal or on reading
as well: `Position` sees to that whenever one is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from simon_solver.errors import MoveError
from simon_solver.game.cards import Card, Suit, card_name, rank_of
from simon_solver.game.moves import Move, MoveText
from simon_solver.game.position import Position
from simon_solver.game.runs import run_length

START_SCORE = 500
RUN_SCORE = 100


@dataclass(frozen=True)
class Step:
    """One move as it was played: the cards it took, highest first, and the runs it completed."""

    move: Move
    cards: tuple[Card, ...]
    removes: tuple[Suit, ...]


def score(moves: int, runs_removed: int) -> int:
    """Points after that many moves and removals: 500 − moves + 100 × removals."""
    return START_SCORE - moves + RUN_SCORE * runs_removed


def settle(position: Position) -> Position:
    """The position itself: complete runs leave the table when it is made.

    Kept for callers of version 0.1.0, whose positions could end in complete runs.
    """
    return position


def why_illegal(position: Position, move: Move) -> str:
    """The rule that the move breaks, in words; empty when it is legal."""
    columns = position.columns
    for index in (move.source, move.target):
        if not 0 <= index < len(columns):
            return f"there is no column {index + 1}; the columns are 1 to {len(columns)}"
    if move.source == move.target:
        return f"it goes from column {move.source + 1} to itself"
    source = columns[move.source]
    if not 1 <= move.count <= len(source):
        cards = f"{move.count} card{'' if move.count == 1 else 's'}"
        return f"it takes {cards} from column {move.source + 1}, which has {len(source)}"
    if move.count > run_length(source):
        unit = f"only {run_length(source)} move together"
        return (
            f"the top {move.count} cards of column {move.source + 1} are not a run: "
            f"{'only the top card moves' if run_length(source) == 1 else unit}"
        )
    return why_not_onto(position, source[-move.count], move.target)


def why_not_onto(position: Position, head: Card, column: int) -> str:
    """The rule that a group breaks whose highest card is `head`, there; empty when it may go."""
    target = position.columns[column]
    if not target or rank_of(target[-1]) == rank_of(head) + 1:
        return ""
    if rank_of(head) == position.deck.ranks:
        rule = f"needs an empty column, as every card of rank {rank_of(head)} does"
        if position.deck.ranks == 13:
            rule = "a king goes only into an empty column"
    elif rank_of(target[-1]) == 1:
        rule = "nothing goes on an ace"
    else:
        rule = "needs a card one rank higher"
    return f"{card_name(head)} cannot go on {card_name(target[-1])}: {rule}"


def legal_moves(position: Position) -> list[Move]:
    """Every legal move, by source, target and number of cards."""
    return [
        move
        for source, column in enumerate(position.columns)
        for target in range(len(position.columns))
        for count in range(1, run_length(column) + 1)
        if not why_illegal(position, move := Move(source, target, count))
    ]


def apply(position: Position, move: Move) -> Position:
    """The position after the move, with the runs it completes removed.

    Raises:
        MoveError: says which rule the move breaks.
    """
    reason = why_illegal(position, move)
    if reason:
        raise MoveError(reason)
    columns = list(position.columns)
    columns[move.target] += columns[move.source][-move.count :]
    columns[move.source] = columns[move.source][: -move.count]
    return Position(position.deck, tuple(columns), position.removed)


def complete(position: Position, text: MoveText | Move) -> Move:
    """The move with its number of cards, which may be left out when only one is legal.

    Raises:
        MoveError: no number of cards is legal, or more than one is.
    """
    if text.count is not None:
        return Move(text.source, text.target, text.count)
    counts = [
        count
        for count in range(1, position.deck.ranks + 1)
        if not why_illegal(position, Move(text.source, text.target, count))
    ]
    if len(counts) > 1:
        raise MoveError(
            f"say how many cards, like {text.source + 1}>{text.target + 1}:{counts[0]} "
            f"({', '.join(map(str, counts))} are legal)"
        )
    whole = run_length(position.columns[text.source]) if _has(position, text.source) else 1
    return Move(text.source, text.target, counts[0] if counts else max(1, whole))


def _has(position: Position, column: int) -> bool:
    return column < len(position.columns)


def play(position: Position, text: MoveText | Move) -> tuple[Step, Position]:
    """Play one move; returns what it did and the position after it.

    Raises:
        MoveError: says which rule the move breaks.
    """
    move = complete(position, text)
    after = apply(position, move)
    cards = position.columns[move.source][-move.count :]
    return Step(move, cards, after.removed[len(position.removed) :]), after


def replay(position: Position, moves: Iterable[MoveText | Move]) -> tuple[list[Step], Position]:
    """Play a move list from a position; returns what each move did and the position after it.

    Raises:
        MoveError: names the first move that breaks a rule, and the rule.
    """
    steps: list[Step] = []
    for number, text in enumerate(moves, 1):
        try:
            step, position = play(position, text)
        except MoveError as error:
            raise MoveError(f"move {number}: {error}") from None
        steps.append(step)
    return steps, position
