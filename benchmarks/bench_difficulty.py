"""How difficulties are spread over the winnable deals, and how they compare with other measures.

    python -m benchmarks.bench_difficulty --winnable 3000 --compared 300

The first table gives the bounds that divide the deals into thirds beside those of the package, and
what share of the deals has which grade. The others are about the first few of the deals: along a
short line that wins, the share of legal moves that lose the deal (of those that lead to one board,
one counts) and how many of its moves are the only ones that keep the win; how often careless play
wins; and how often a *patient player* does, who prefers the same moves but takes them back, until
`PATIENCE` boards have been seen.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from tqdm import tqdm

from benchmarks.command_line import new_parser, positive
from benchmarks.deals import suits_name, warm_up, winnable_codes
from benchmarks.figures import mean, percentile, share, table
from benchmarks.machine import machine_line
from simon_solver.answers.difficulty import (
    BOUNDS,
    GAMES,
    VERSION,
    Difficulty,
    Grade,
    careless_choices,
    difficulty,
)
from simon_solver.answers.solver import check, solve
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, apply, legal_moves
from simon_solver.game.tableau import Tableau, tableau_of
from simon_solver.search.verdict import Verdict

LINE_STATES = 2_000
"""States after the first win to find a shorter one."""
PATIENT_GAMES, PATIENCE = 50, 300


@dataclass(frozen=True)
class Comparison:
    """What other measures say of a deal, as shares; `only` is a number of moves."""

    lost: float
    only: int
    careless: float
    patient: float


def short_win(position: Position) -> Sequence[Step]:
    """A short line that wins, the same on every machine."""
    first = check(position, time_limit=0)
    best = solve(position, time_limit=0, state_limit=first.states + LINE_STATES)
    wins = best.runs_removed == position.deck.runs
    return best.solution if wins else first.solution


def along(position: Position, line: Sequence[Step]) -> tuple[float, int]:
    """The mean share of moves that lose along a winning line, and the number of only moves."""
    shares, only = [], 0
    for step in line:
        after = {tableau_of(other): other for other in _after_moves(position)}
        keeping = sum(check(other).verdict is Verdict.WINNABLE for other in after.values())
        shares.append(1 - keeping / len(after))
        only += keeping == 1 < len(after)
        position = apply(position, step.move)
    return mean(shares), only


def _after_moves(position: Position) -> list[Position]:
    return [apply(position, move) for move in legal_moves(position)]


def patient_player_wins(start: Tableau, ranks: int, luck: Random) -> bool:
    """Whether the player comes to a win, depth first, before the patience ends."""
    seen, branch = {start}, [careless_choices(start, ranks, luck)]
    while branch and len(seen) <= PATIENCE:
        found = next((other for other in branch[-1] if other not in seen), None)
        if found is None:
            branch.pop()
            continue
        if not any(found):
            return True
        seen.add(found)
        branch.append(careless_choices(found, ranks, luck))
    return False


def compare(position: Position, known: Difficulty) -> Comparison:
    """What the other measures say of a deal that can be won."""
    lost, only = along(position, short_win(position))
    start, ranks = tableau_of(position), position.deck.ranks
    games = range(PATIENT_GAMES)
    patient = mean([patient_player_wins(start, ranks, Random(number)) for number in games])
    return Comparison(lost, only, known.careless_wins / GAMES, patient)


def rank_correlation(left: Sequence[float], right: Sequence[float]) -> float:
    """Spearman's coefficient, -1 to 1; nan where all of one side are equal."""
    try:
        return statistics.correlation(_ranks(left), _ranks(right))
    except statistics.StatisticsError:
        return math.nan


def _ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value; equal ones share the mean of theirs."""
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + bisect_right(ordered, value)) / 2 for value in values]


def spread_row(suits: int, found: Sequence[Difficulty], seconds: float) -> list[object]:
    """How the difficulties are spread, the bounds that make thirds of them, and the grades."""
    values = [one.value for one in found]
    grades = Counter(one.grade for one in found)
    return [
        suits,
        len(found),
        *(f"{percentile(values, level):.1f}" for level in (0, 10, 50, 90, 100)),
        *(f"{percentile(values, 100 * third / 3):.1f}" for third in (1, 2)),
        *(f"{bound:.1f}" for bound in BOUNDS[suits]),
        *(share(grades[grade], len(found)) for grade in Grade),
        1000 * seconds / len(found),
    ]


def grade_rows(
    suits: int, found: Sequence[Difficulty], compared: Sequence[Comparison]
) -> Iterator[list[object]]:
    """The means of the other measures by grade."""
    for grade in Grade:
        ours = [other for one, other in zip(found, compared, strict=False) if one.grade is grade]
        yield [
            suits_name(suits),
            grade,
            len(ours),
            *(
                f"{100 * mean([getattr(one, name) for one in ours]):.1f} %"
                for name in ("lost", "careless", "patient")
            ),
            mean([float(one.only) for one in ours]),
        ]


def correlation_row(
    suits: int, found: Sequence[Difficulty], compared: Sequence[Comparison]
) -> list[object]:
    """Rank correlations of the measures with how often each player wins."""
    values = [one.value for one in found[: len(compared)]]
    lost, careless, patient = (
        [getattr(one, name) for one in compared] for name in ("lost", "careless", "patient")
    )
    pairs = ((values, careless), (values, patient), (lost, careless), (lost, patient))
    return [suits_name(suits), *(f"{rank_correlation(*pair):.2f}" for pair in pairs)]


def measure(
    suits: int, winnable: int, compared: int, start: int
) -> tuple[list[Difficulty], float, list[Comparison]]:
    """The difficulties of so many deals, their CPU seconds, and what the first compare with."""
    found, others, seconds = list[Difficulty](), list[Comparison](), 0.0
    chosen = winnable_codes(suits, winnable, start)
    for code in tqdm(chosen, total=winnable, desc=suits_name(suits), disable=None, leave=False):
        position = code.deal()
        begun = time.process_time()
        one = difficulty(position)
        seconds += time.process_time() - begun
        if one is not None:  # as it is unless a win takes a million states
            found.append(one)
            if len(others) < compared:
                others.append(compare(position, one))
    return found, seconds, others


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = new_parser("benchmarks.bench_difficulty", __doc__)
    parser.add_argument("--winnable", type=positive, default=3000, help="deals of each suit count")
    parser.add_argument("--compared", type=positive, default=300, help="how many are compared")
    options = parser.parse_args(arguments)
    print(machine_line(), flush=True)
    warm_up(options.suits)
    found = {
        suits: measure(suits, options.winnable, options.compared, options.start)
        for suits in options.suits
    }
    print(f"\nDifficulties, version {VERSION} of the measure\n")
    heads = ["suits", "deals", "least", "10 %", "median", "90 %", "most", "1/3", "2/3"]
    heads += ["medium from", "hard from", *Grade, "CPU ms"]
    print(table(heads, [spread_row(suits, d, t) for suits, (d, t, _) in found.items()]))
    print("\nBy grade\n")
    heads = ["suits", "grade", "deals", "moves that lose", "careless wins", "patient wins"]
    rows = [row for suits, (d, _, c) in found.items() for row in grade_rows(suits, d, c)]
    print(table([*heads, "only moves"], rows))
    print("\nRank correlations\n")
    heads = ["difficulty, careless", "difficulty, patient", "losing moves, careless"]
    rows = [correlation_row(suits, d, c) for suits, (d, _, c) in found.items()]
    print(table(["suits", *heads, "losing moves, patient"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
