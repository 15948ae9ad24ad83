"""Rates how hard a deal is for a player: how far careless play gets before it has lost.

Each of `GAMES` games is played from the deal by a *careless player*, who moves whole maximal runs.
Of the moves that lead to a board not seen in this game, the player makes one of the most obvious,
whichever comes to hand:

1. a run onto its own suit's next higher card;
2. onto one of another suit, if that opens a card or empties a column;
3. into an empty column, if that opens a card;
4. off a card of another suit onto a further one;
5. off a card of another suit into an empty column.

The player never takes a move back and gives up when no such move is left. A deal that is lost stays
lost, so where the game went wrong is found by bisection, with the exact verdict of some positions.

The *disorder* of a board counts 2 for a card on one that is not one rank higher, and else 1 for a
card that is not on its own suit's next higher one; kings at the base of a column count nothing. No
careless move adds to it, and it is 0 on the empty table alone. The **difficulty** is the share of
the deal's disorder that is left when the game is last not lost, in per cent, the mean of all games:
0 is a deal that careless play always wins, 100 one that its first move loses.

What else was tried: the share of legal moves that lose, along a short line that wins. On such a
line hardly any move loses, so two thirds of the deals of one suit would count as trivially easy,
and the wins of a patient player, who takes moves back, correlate less with it than with the
difficulty. How often careless play wins says nothing about most deals of four suits, which it never
wins. `benchmarks.bench_difficulty` compares them.

Everything is reproducible: the games are drawn from a fixed seed, columns count as a set, and
verdicts are limited by states and never by time. A position that is still open after so many states
counts as lost. What the measure rests on is proven as [P.3] in `docs/algorithms/`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from random import Random

from simon_solver.game.cards import Card, Rank, rank_of
from simon_solver.game.deal import Deal, deal_of
from simon_solver.game.layout import Deck
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.runs import run_length, without_complete_runs
from simon_solver.game.tableau import (
    Column,
    Tableau,
    position_of,
    tableau_of,
)
from simon_solver.search.limits import Limits
from simon_solver.search.verdict import StoppedBy, Verdict

__all__ = ["Difficulty", "Grade", "difficulty"]

VERSION = 1
"""Of the measure: numbers of different versions mean different things."""
GAMES = 64
MOST_MOVES = 200
"""Careless games are cut off after so many; hardly any gets there."""
LIMITS = Limits(seconds=0, memory_mib=2048, states=5_000)
"""For the verdict of a position in a game; hundreds of states are many."""
START_LIMITS = Limits(seconds=0, memory_mib=2048, states=1_000_000)


class Grade(StrEnum):
    """The difficulty in a word: each grade covers a third of winnable deals."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


BOUNDS = {1: (30.2, 55.9), 2: (59.1, 75.9), 4: (78.0, 86.2)}
"""By the number of suits: the difficulties from which on deals are medium, and hard."""


@dataclass(frozen=True)
class Difficulty:
    """How hard a winnable deal is: 0 to 100, and how many of `GAMES` careless games win."""

    suits: int
    value: float
    careless_wins: int

    @property
    def grade(self) -> Grade:
        """How the deal compares with others of as many suits, in the usual layout."""
        medium, hard = BOUNDS[self.suits]
        if self.value >= hard:
            return Grade.HARD
        return Grade.MEDIUM if self.value >= medium else Grade.EASY


def difficulty(start: Position | Deal) -> Difficulty | None:
    """Rate how hard the position is; None when no win is found within a million states.

    The first call on a machine has kernels compiled, which takes a second or two.

    Raises:
        MemoryError: the machine has no memory for so small a search.
        PositionError: the position has more columns than the search can hold.
        TypeError: the argument is of the wrong type, such as a game code as plain text.
    """
    from simon_solver.search.preparing import groups_of, wait_for  # noqa: PLC0415 - the kernels

    position = deal_of(start).position
    deck, tableau = position.deck, tableau_of(position)
    wait_for(groups_of([deck]))
    if not _can_be_won(tableau, deck, START_LIMITS):
        return None
    can_be_won = cache(lambda board: _can_be_won(board, deck, LIMITS))
    total, left, wins = disorder(tableau, deck.ranks), 0, 0
    for number in range(GAMES):
        game = careless_game(tableau, deck.ranks, Random(number))
        last = last_winnable(game, can_be_won)
        left += disorder(last, deck.ranks)
        wins += not any(last)
    value = round(100 * left / (GAMES * total), 1) if total else 0.0
    return Difficulty(deck.suits, value, wins)


def _can_be_won(tableau: Tableau, deck: Deck, limits: Limits) -> bool:
    """A win of the tableau was found within the limits.

    Raises:
        MemoryError: the machine has no memory for it.
    """
    from simon_solver.search.codes import decide  # noqa: PLC0415
    from simon_solver.search.portfolio import task_of  # noqa: PLC0415

    if not any(tableau):
        return True
    outcome = decide(task_of(position_of(tableau, deck)), limits)
    if outcome.stopped_by is StoppedBy.MEMORY:
        raise MemoryError("cannot measure the difficulty: the machine is out of memory")
    return outcome.verdict is Verdict.WINNABLE


def last_winnable(game: Sequence[Tableau], can_be_won: Callable[[Tableau], bool]) -> Tableau:
    """The last tableau of a game that can be won; the first can."""
    won, lost = 0, len(game)
    while lost - won > 1:
        middle = (won + lost) // 2
        if can_be_won(game[middle]):
            won = middle
        else:
            lost = middle
    return game[won]


def disorder(tableau: Tableau, ranks: int) -> int:
    """What is out of order on the table, see above; `ranks`: the rank of the highest cards."""
    return sum(_disorder(column, ranks) for column in tableau)


def _disorder(column: Column, ranks: int) -> int:
    base = sum(rank_of(card) < ranks for card in column[:1])
    return base + sum(_fault(lower, upper) for lower, upper in pairwise(column))


def _fault(lower: Card, upper: Card) -> int:
    """What a card adds to the disorder that lies on another one."""
    if lower == upper + 1:
        return 0
    return 1 if rank_of(lower) == rank_of(upper) + 1 else 2


def careless_game(tableau: Tableau, ranks: int, luck: Random) -> list[Tableau]:
    """The tableaux of a game of the careless player, from the given one on."""
    game, seen = [tableau], {tableau}
    while any(tableau) and len(game) <= MOST_MOVES:
        after = careless_choices(tableau, ranks, luck)
        found = next((other for other in after if other not in seen), None)
        if found is None:
            break
        tableau = found
        game.append(tableau)
        seen.add(tableau)
    return game


def careless_choices(tableau: Tableau, ranks: int, luck: Random) -> Iterator[Tableau]:
    """The tableaux that the player's moves lead to, in the order in which they come to mind."""
    # Of all that a `Random` draws, `random` alone is the same in every version of Python.
    choices = sorted((kind, luck.random(), move) for kind, move in careless_moves(tableau))
    return (_played(tableau, move, ranks) for _, _, move in choices)


def careless_moves(tableau: Tableau) -> Iterator[tuple[int, Move]]:
    """The moves that the player would make, each with its kind, 1 to 5, in any order."""
    tops = defaultdict[Rank, list[int]](list)
    for target, column in enumerate(tableau):
        tops[rank_of(column[-1]) if column else 0].append(target)
    for source, column in enumerate(tableau):
        count = run_length(column)
        if not count:
            continue
        head, is_base = column[-count], count == len(column)
        opens = not is_base and rank_of(column[-count - 1]) != rank_of(head) + 1
        for target in tops.get(rank_of(head) + 1, ()):
            is_own = tableau[target][-1] == head + 1
            yield 1 if is_own else 2 if opens or is_base else 4, Move(source, target, count)
        for target in tops.get(0, ())[:1]:  # empty columns are all the same
            if not is_base:
                yield 3 if opens else 5, Move(source, target, count)


def _played(tableau: Tableau, move: Move, ranks: int) -> Tableau:
    columns = list(tableau)
    group = columns[move.source][-move.count :]
    columns[move.source] = columns[move.source][: -move.count]
    columns[move.target] = without_complete_runs(columns[move.target] + group, ranks)
    # a complete run may have been below the group, in a small deck
    columns[move.source] = without_complete_runs(columns[move.source], ranks)
    return tuple(sorted(columns))
