"""A line of moves as scenes to step through: each table with its score and what is done next."""

from __future__ import annotations

from dataclasses import dataclass

from simon_solver.answers.results import SolveResult
from simon_solver.game.cards import spoken_card
from simon_solver.game.deal import Deal
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, play, score
from simon_solver.render.notation import spoken_move, spoken_removals


@dataclass(frozen=True)
class Scene:
    """The table after `moves` moves, counted from the start of the game as given.

    `step` is played next and `words` tell it; at the end it is None, and they say so.
    """

    position: Position
    moves: int
    step: Step | None
    words: str

    @property
    def score(self) -> int:
        """Points so far."""
        return score(self.moves, len(self.position.removed))


def scenes_of(deal: Deal, result: SolveResult) -> tuple[Scene, ...]:
    """The scenes of the best line, one more than it has moves, each replayed by the rules.

    Raises:
        MoveError: a move breaks a rule.
    """
    scenes = []
    position, moves = deal.position, result.moves - len(result.solution)
    for step in result.solution:
        played, after = play(position, step.move)
        scenes.append(Scene(position, moves, played, step_words(position, played)))
        position, moves = after, moves + 1
    if position.is_won:
        end = "the table is empty: won"
    else:
        end = "the line ends here" if scenes else "no moves to show"
    return (*scenes, Scene(position, moves, None, end))


def step_words(before: Position, step: Step) -> str:
    """The move and what the cards come to lie on, and the runs that leave then."""
    column = before.columns[step.move.target]
    onto = f"onto the {spoken_card(column[-1])}" if column else "which is empty"
    return f"{spoken_move(step.move, step.cards)}, {onto}{spoken_removals(step)}"
