"""The rules of Simple Simon as plain Python: the oracle that every solution is replayed with.

Nothing here is fast and nothing here is shared with the search kernels, so that a fault of theirs
cannot vouch for itself. The rules take any deck and any number of columns.

Complete runs at column ends leave the table before anything else happens, on a deal or on reading
as well. So every function below takes a position for what `settle` makes of it, and the positions
that they return are settled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from simon_solver.errors import MoveError
from simon_solver.game.cards import ACE, Card, Suit, card_name, rank_of, suit_of
from simon_solver.game.moves import Move, MoveText
from simon_solver.game.position import Position

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


def run_length(column: tuple[Card, ...]) -> int:
    """Cards in the column's maximal run: one suit, each one rank below the card it lies on."""
    length = min(1, len(column))
    while length < len(column) and _is_true_parent(column[-length - 1], column[-length]):
        length += 1
    return length


def _is_true_parent(lower: Card, upper: Card) -> bool:
    """`upper` may lie on `lower` as part of the same run."""
    return suit_of(lower) == suit_of(upper) and rank_of(lower) == rank_of(upper) + 1


def ends_in_complete_run(position: Position, column: tuple[Card, ...]) -> bool:
    """The column's top cards are king (or the highest rank) to ace of one suit."""
    # A complete run ends with the ace: asked first, as few columns so long end in one.
    ranks = position.deck.ranks
    ends_in_ace = len(column) >= ranks and rank_of(column[-1]) == ACE
    return ends_in_ace and run_length(column) == ranks


def settle(position: Position) -> Position:
    """Remove complete runs from column ends until none is left, as happens on a deal or reading."""
    columns, removed = list(position.columns), list(position.removed)
    for index in range(len(columns)):
        while ends_in_complete_run(position, columns[index]):
            removed.append(suit_of(columns[index][-1]))
            columns[index] = columns[index][: -position.deck.ranks]
    if len(removed) == len(position.removed):
        return position
    return Position(position.deck, tuple(columns), tuple(removed))


def why_illegal(position: Position, move: Move) -> str:
    """The rule that the move breaks, in words; empty when it is legal."""
    return _why_illegal(settle(position), move)


def _why_illegal(settled: Position, move: Move) -> str:
    """`why_illegal` in a settled position."""
    columns = settled.columns
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
    return why_not_onto(settled, source[-move.count], move.target)


def why_not_onto(settled: Position, head: Card, column: int) -> str:
    """The rule that a group breaks whose highest card is `head`, there; empty when it may go."""
    target = settled.columns[column]
    if not target or rank_of(target[-1]) == rank_of(head) + 1:
        return ""
    if rank_of(head) == settled.deck.ranks:
        rule = f"needs an empty column, as every card of rank {rank_of(head)} does"
        if settled.deck.ranks == 13:
            rule = "a king goes only into an empty column"
    elif rank_of(target[-1]) == 1:
        rule = "nothing goes on an ace"
    else:
        rule = "needs a card one rank higher"
    return f"{card_name(head)} cannot go on {card_name(target[-1])}: {rule}"


def legal_moves(position: Position) -> list[Move]:
    """Every legal move, by source, target and number of cards."""
    position = settle(position)
    return [
        move
        for source, column in enumerate(position.columns)
        for target in range(len(position.columns))
        for count in range(1, run_length(column) + 1)
        if not _why_illegal(position, move := Move(source, target, count))
    ]


def apply(position: Position, move: Move) -> Position:
    """The position after the move, with the runs it completes removed.

    Raises:
        MoveError: says which rule the move breaks.
    """
    return _apply(settle(position), move)


def _apply(settled: Position, move: Move) -> Position:
    """`apply` in a settled position."""
    reason = _why_illegal(settled, move)
    if reason:
        raise MoveError(reason)
    columns = list(settled.columns)
    columns[move.target] += columns[move.source][-move.count :]
    columns[move.source] = columns[move.source][: -move.count]
    return settle(Position(settled.deck, tuple(columns), settled.removed))


def complete(position: Position, text: MoveText | Move) -> Move:
    """The move with its number of cards, which may be left out when only one is legal.

    Raises:
        MoveError: no number of cards is legal, or more than one is.
    """
    if text.count is not None:
        return Move(text.source, text.target, text.count)
    position = settle(position)
    counts = [
        count
        for count in range(1, position.deck.ranks + 1)
        if not _why_illegal(position, Move(text.source, text.target, count))
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
    return _play(settle(position), text)


def _play(settled: Position, text: MoveText | Move) -> tuple[Step, Position]:
    """`play` in a settled position."""
    move = complete(settled, text)
    after = _apply(settled, move)
    cards = settled.columns[move.source][-move.count :]
    return Step(move, cards, after.removed[len(settled.removed) :]), after


def replay(position: Position, moves: Iterable[MoveText | Move]) -> tuple[list[Step], Position]:
    """Play a move list from a position; returns what each move did and the position after it.

    Raises:
        MoveError: names the first move that breaks a rule, and the rule.
    """
    steps: list[Step] = []
    position = settle(position)
    for number, text in enumerate(moves, 1):
        try:
            step, position = _play(position, text)
        except MoveError as error:
            raise MoveError(f"move {number}: {error}") from None
        steps.append(step)
    return steps, position
