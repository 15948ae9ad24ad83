"""Lists the moves of a line of play, in any notation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simon_solver.game.cards import Card
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, score
from simon_solver.reading.solutions.groups import Drag, drags
from simon_solver.render.notation import Notation, Speech, fc_solve_lines, spoken_lines
from simon_solver.render.style import Style

PLAIN_SPEECH = Speech()

_CARDS_WIDTH = 8  # three cards; longer runs are shown by their ends
_ONTO_WIDTH = 6
MOVE_HEADING = f"{'move':<9}{'cards':<{_CARDS_WIDTH}}  {'onto':<{_ONTO_WIDTH}}"


def move_lines(
    position: Position,
    steps: Sequence[Step],
    moves_made: int,
    style: Style,
    speech: Speech = PLAIN_SPEECH,
) -> Iterator[str]:
    """The moves in the notation asked for; their numbers go on from `moves_made`."""
    moves = [step.move for step in steps]
    found = drags(position, moves, mixed_runs=speech.mixed_runs)
    if speech.notation is Notation.FC_SOLVE:
        return fc_solve_lines(found)
    if speech.notation is Notation.SPOKEN:
        return spoken_lines(found, moves_made)
    return _simon_lines(found, moves_made, style)


def _simon_lines(found: Sequence[Drag], moves_made: int, style: Style) -> Iterator[str]:
    """A heading and a line a move: number, move, cards, where they go, score after it, removals."""
    yield f"{'':5}{MOVE_HEADING}  score"
    number = moves_made
    for drag in found:
        number += len(drag.steps)
        before, after = drag.positions[0], drag.positions[-1]
        line = f"{number:3}. {move_cells(before, drag.move, drag.cards, style)}  "
        line += f"{score(number, len(after.removed)):5}"
        if len(drag.steps) > 1:
            line += f"  {len(drag.steps)} moves"
        removes = [suit for step in drag.steps for suit in step.removes]
        if removes:
            suits = " ".join(map(style.suit, removes))
            line += f"  run of {suits} removed ({len(after.removed)})"
        yield line
    if found and found[-1].positions[-1].is_won:
        yield "     the table is empty: won"


def move_cells(position: Position, move: Move, cards: tuple[Card, ...], style: Style) -> str:
    """The move, its cards, and the card or empty column that they go to, under `MOVE_HEADING`."""
    target = position.columns[move.target]
    padding = " " * (_CARDS_WIDTH - style.cards_width(cards))
    onto = style.card(target[-1]) + " " * (_ONTO_WIDTH - 2) if target else "empty "
    return f"{move!s:<9}{style.cards(cards)}{padding}  {onto}"
