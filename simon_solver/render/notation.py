"""Writes moves as fc-solve does, and in spoken words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from simon_solver.game.cards import RANK_NAMES, SUIT_NAMES, Card, rank_of, spoken_card, suit_of
from simon_solver.game.moves import Move
from simon_solver.game.rules import Step
from simon_solver.reading.solutions.groups import Drag, columns_of_removals


class Notation(StrEnum):
    """How moves are written."""

    SIMON = "simon"
    FC_SOLVE = "fc-solve"
    SPOKEN = "spoken"


@dataclass(frozen=True)
class Speech:
    """The notation, and whether moves are joined that other programs let a player do at once."""

    notation: Notation = Notation.SIMON
    mixed_runs: bool = False


_RULE = "-=-=-=-=-=-=-=-=-=-=-=-"
_SEPARATOR = "===================="


def fc_solve_lines(drags: Sequence[Drag]) -> Iterator[str]:
    """The output of ``fc-solve -m``: columns are counted from 0, each removal has its own line.

    Without the counts at its end, which tell of fc-solve's search.
    """
    yield from (_RULE, "")
    for drag in drags:
        yield from _fc_solve_block(
            f"Move {drag.move.count} cards from stack {drag.move.source} "
            f"to stack {drag.move.target}"
        )
        positions = zip(drag.positions, drag.positions[1:], strict=False)
        for step, (before, after) in zip(drag.steps, positions, strict=True):
            for column in columns_of_removals(before, step.move, after):
                yield from _fc_solve_block(
                    f"Move the sequence on top of Stack {column} to the foundations"
                )
    if drags and drags[-1].positions[-1].is_won:
        yield "This game is solveable."


def _fc_solve_block(line: str) -> tuple[str, ...]:
    return (line, "", _SEPARATOR, "")


def spoken_lines(drags: Sequence[Drag], moves_made: int) -> Iterator[str]:
    """A line a move, such as ``1. move the 9 and 8 of hearts from column 4 to column 7``.

    Numbers go on from `moves_made`, and count the single moves of those that are joined.
    """
    number = moves_made
    for drag in drags:
        number += len(drag.steps)
        line = f"{number:3}. {spoken_move(drag.move, drag.cards)}"
        if len(drag.steps) > 1:
            line += f", which is {len(drag.steps)} moves"
        yield line + "".join(map(spoken_removals, drag.steps))
    if drags and drags[-1].positions[-1].is_won:
        yield "     the table is empty: won"


def spoken_move(move: Move, cards: tuple[Card, ...]) -> str:
    """The move in words, such as ``move the queen of diamonds from column 9 to column 10``."""
    columns = f"from column {move.source + 1} to column {move.target + 1}"
    return f"move {spoken_cards(cards)} {columns}"


def spoken_cards(cards: tuple[Card, ...]) -> str:
    """The cards of a move in words: one, two or a run of one suit, or a sequence of several."""
    first, last = cards[0], cards[-1]
    if len(cards) == 1:
        return f"the {spoken_card(first)}"
    if len(set(map(suit_of, cards))) > 1:
        if len(cards) == 2:
            return f"the {spoken_card(first)} and the {spoken_card(last)}"
        return f"the cards from the {spoken_card(first)} down to the {spoken_card(last)}"
    rank = RANK_NAMES[rank_of(first)]
    if len(cards) == 2:
        return f"the {rank} and {spoken_card(last)}"
    return f"the run from the {rank} down to the {spoken_card(last)}"


def spoken_removals(step: Step) -> str:
    """What the move makes leave the table, to be added to its words; empty if nothing leaves."""
    return "".join(f"; the run of {SUIT_NAMES[suit]} leaves the table" for suit in step.removes)
