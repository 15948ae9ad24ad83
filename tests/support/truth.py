"""What plain search says of every position that can be reached."""

from __future__ import annotations

from simon_solver.game.position import Position
from simon_solver.game.rules import score
from simon_solver.game.tableau import Tableau
from tests.support.kernel import columns_of, explore, moves_to_runs, run_counts

Truth = dict[Tableau, tuple[bool, int]]
"""Of every position that can be reached: can it be won, and its best score without moves made."""


def truth_about(start: Position, most: int) -> Truth | None:
    """By plain search; None when more than so many positions can be reached."""
    explored = explore(start, most)
    if explored is None:
        return None
    before, runs = len(start.removed), run_counts(explored)
    best = [score(0, before + int(done)) for done in runs]
    for wanted in range(1, start.deck.runs - before + 1):
        for number, moves in enumerate(moves_to_runs(explored, wanted).tolist()):
            if moves >= 0:
                best[number] = max(best[number], score(moves, before + wanted))
    tableaux = [
        tuple(sorted(map(bytes, columns_of(explored.task, words)))) for words in explored.words
    ]
    won = [moves >= 0 for moves in explored.moves_left.tolist()]
    return dict(zip(tableaux, zip(won, best, strict=True), strict=True))
