"""Plain breadth-first search over the rules: complete, slow, and the yardstick of the fast engines.

It knows no bound, no pruning and no order of preference, so what it says about a small deck is what
the rules say. It serves decks of up to about twenty cards; a full deal is out of its reach.

It works on sorted columns (`game.tableau`). `successors` is the relation of `rules.legal_moves` and
`rules.apply` on them, written out anew because a `Position` checks its cards at every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from simon_solver.errors import SimonError
from simon_solver.game.cards import Card, rank_of
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, apply, legal_moves, replay, score
from simon_solver.game.runs import run_length, without_complete_runs
from simon_solver.game.tableau import (
    Column,
    Tableau,
    position_of,
    tableau_of,
)
from simon_solver.search.verdict import Verdict

MAX_POSITIONS = 1_000_000


class TooManyPositionsError(SimonError):
    """More positions can be reached than the caller allows."""


@dataclass(frozen=True)
class ReferenceResult:
    """What breadth-first search found.

    `win` is a shortest win and `best_line` a line with the best score at its end, both replayed by
    the rules; both are empty when there is none. `best_score` counts the runs that were removed
    before the position as well. `fewest_by_runs[r]` is the fewest moves after which at least `r`
    runs are removed; it ends with the most runs that can be. `positions` counts the tableaux seen.

    With verdict `UNDETERMINED` the limit ended the search, and the best line and the fewest moves
    are those of the tableaux seen, without a proof.
    """

    verdict: Verdict
    win: tuple[Step, ...]
    best_line: tuple[Step, ...]
    best_score: int
    fewest_by_runs: tuple[int, ...]
    positions: int

    @property
    def winnable(self) -> bool:
        """True when a win was found."""
        return self.verdict is Verdict.WINNABLE

    @property
    def fewest_moves(self) -> int | None:
        """Moves of a shortest win, None when there is no win or none was found."""
        return len(self.win) if self.winnable else None


def successors(tableau: Tableau, ranks: int) -> set[Tableau]:
    """Every tableau that one legal move leads to; `ranks` is the rank of the highest cards."""
    tableaux = set()
    for source_index, source in enumerate(tableau):
        for count in range(1, run_length(source) + 1):
            left, group = source[:-count], source[-count:]
            for target_index, target in enumerate(tableau):
                if target_index != source_index and _may_go(group[0], target):
                    columns = list(tableau)
                    columns[source_index] = without_complete_runs(left, ranks)
                    columns[target_index] = without_complete_runs(target + group, ranks)
                    tableaux.add(tuple(sorted(columns)))
    return tableaux


def _may_go(head: Card, target: Column) -> bool:
    """A group with this highest card may be laid on the column."""
    return not target or rank_of(target[-1]) == rank_of(head) + 1


def reference_solve(position: Position, max_positions: int = MAX_POSITIONS) -> ReferenceResult:
    """The verdict, a shortest win and the best score, by breadth-first search.

    The search ends with the first win: every tableau with fewer moves has been seen by then, and
    one with as many or more moves cannot score more than the win.
    """
    start = position
    runs_before = len(start.removed)
    root = tableau_of(start)
    parents: dict[Tableau, Tableau | None] = {root: None}
    fewest = [0] * (runs_before + 1)
    best_table, best_score = root, score(0, runs_before)
    layer, moves, cut_off = [root], 0, False
    while layer and any(layer[0]) and not cut_off:
        moves += 1
        layer, cut_off = _next_layer(layer, parents, start.deck.ranks, max_positions)
        # Most runs removed first: a win leads its layer, and the best tableau of the layer too.
        layer.sort(key=_cards_left)
        if layer:
            runs = start.deck.runs - _cards_left(layer[0]) // start.deck.ranks
            fewest += [moves] * (runs + 1 - len(fewest))
            if score(moves, runs) > best_score:
                best_table, best_score = layer[0], score(moves, runs)
    if layer and not any(layer[0]):
        verdict = Verdict.WINNABLE
    else:
        verdict = Verdict.UNDETERMINED if cut_off else Verdict.UNWINNABLE
    win = _line(start, layer[0], parents) if verdict is Verdict.WINNABLE else ()
    best_line = _line(start, best_table, parents)
    return ReferenceResult(verdict, win, best_line, best_score, tuple(fewest), len(parents))


def _next_layer(
    layer: Iterable[Tableau], parents: dict[Tableau, Tableau | None], ranks: int, max_positions: int
) -> tuple[list[Tableau], bool]:
    """The tableaux first reached from `layer`, entered in `parents`; True if the limit ended it."""
    found: list[Tableau] = []
    for tableau in layer:
        for successor in sorted(successors(tableau, ranks)):
            if successor not in parents:
                if len(parents) >= max_positions:
                    return found, True
                parents[successor] = tableau
                found.append(successor)
    return found, False


def _cards_left(tableau: Tableau) -> int:
    return sum(map(len, tableau))


def _line(
    start: Position, tableau: Tableau, parents: dict[Tableau, Tableau | None]
) -> tuple[Step, ...]:
    """The moves from `start` to `tableau`, found and replayed with the rules."""
    tableaux = [tableau]
    while (parent := parents[tableaux[-1]]) is not None:
        tableaux.append(parent)
    position, moves = start, []
    for wanted in reversed(tableaux[:-1]):
        move, position = next(
            (move, after)
            for move in legal_moves(position)
            if tableau_of(after := apply(position, move)) == wanted
        )
        moves.append(move)
    return tuple(replay(start, moves)[0])


def label_reachable(
    position: Position, max_positions: int = MAX_POSITIONS
) -> Iterator[tuple[Position, bool]]:
    """Every position that can be reached, the given one first, with True when it can be won.

    Won positions are found backwards from the empty tableau, so no label rests on a search that
    stops early. Positions that differ only in the order of their columns come once.

    Raises:
        TooManyPositionsError: more than `max_positions` can be reached.
    """
    deck = position.deck
    root = tableau_of(position)
    numbers, tableaux, parents = {root: 0}, [root], list[list[int]]([[]])
    for number, tableau in enumerate(tableaux):  # the list grows while it is walked
        for successor in sorted(successors(tableau, deck.ranks)):
            if successor not in numbers:
                if len(tableaux) >= max_positions:
                    raise TooManyPositionsError(
                        f"expected at most {max_positions} reachable positions, there are more"
                    )
                numbers[successor] = len(tableaux)
                tableaux.append(successor)
                parents.append([])
            parents[numbers[successor]].append(number)
    won = [not any(tableau) for tableau in tableaux]
    open_numbers = [number for number, is_won in enumerate(won) if is_won]
    while open_numbers:
        for parent in parents[open_numbers.pop()]:
            if not won[parent]:
                won[parent] = True
                open_numbers.append(parent)
    for tableau, is_won in zip(tableaux, won, strict=True):
        yield position_of(tableau, deck), is_won
