"""Pieces of work: some consecutive codes in, one row per deal out.

`run_piece` is a plain function of a plain value, so that any process, on any machine, can run it.
Limits are counted in states and never in time: a row says the same wherever it was made, apart
from its CPU time. (Only a machine with less free memory than the limit allows can still end a
search sooner; the row says so.)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from simon_solver import __version__
from simon_solver.answers.difficulty import VERSION, Difficulty, difficulty
from simon_solver.errors import InputError, LimitError
from simon_solver.game.codes import CODE_COUNT, EXAMPLE, GameCode, parse_code
from simon_solver.game.layout import COLUMN_SIZES, DECKS, ColumnSizes, Layout
from simon_solver.search.verdict import StoppedBy, Verdict

if TYPE_CHECKING:
    from simon_solver.search.codes import CodeDecider

DEFAULT_STATES = 1_000_000
"""States to expand for a deal: at 20 nodes each they fit into the default memory, which so ends
no search."""
DEFAULT_MEMORY = 2048
MOST_LIMIT = (1 << 63) - 1
VERDICT_DEALS, BEST_DEALS, DIFFICULTY_DEALS = {1: 512, 2: 256, 4: 32}, 1, 4
"""Deals of a piece: some hundredths of a second of verdicts by the number of suits, for a piece
costs a quarter of a millisecond to hand over; or one best score, which can take minutes; or half a
second of difficulties."""


class Span(NamedTuple):
    """Consecutive codes of a suit count (1, 2 or 4), from the number `first` on."""

    suits: int
    first: int
    deals: int

    @property
    def stop(self) -> int:
        """The number after the last."""
        return self.first + self.deals

    def checked(self) -> Span:
        """The span itself, if there are such codes.

        Raises:
            CodeError: there is no such suit count or first number.
            InputError: it holds no deal, or goes on past the last code.
        """
        first = GameCode(self.suits, self.first)
        if self.deals < 1:
            raise InputError(f"expected at least 1 deal, got {self.deals}")
        if self.stop > CODE_COUNT:
            raise InputError(
                f"expected at most {CODE_COUNT - self.first} deals from {first} on "
                f"(there are no more codes), got {self.deals}"
            )
        return self


@dataclass(frozen=True)
class Terms:
    """What is asked of each deal: the best score or the verdict alone; states (0: any), MiB.

    `column_sizes`: the layout that the codes are dealt in. `difficulty`: that of the deals that can
    be won is asked for too; it has limits of its own.

    Raises:
        LimitError: a limit is more than a store can note.
    """

    best: bool = False
    state_limit: int = DEFAULT_STATES
    memory_limit: int = DEFAULT_MEMORY
    column_sizes: ColumnSizes = COLUMN_SIZES
    difficulty: bool = False

    def __post_init__(self) -> None:
        for name, limit in (("state", self.state_limit), ("memory", self.memory_limit)):
            if limit > MOST_LIMIT:
                raise LimitError(f"expected a {name} limit of at most {MOST_LIMIT}, got {limit}")


@dataclass(frozen=True)
class Piece:
    """Some deals to be decided by one worker in one go."""

    span: Span
    terms: Terms

    def codes(self) -> Iterator[GameCode]:
        """The codes in their order."""
        suits, first, _ = self.span
        return (GameCode(suits, number) for number in range(first, self.span.stop))

    def single_deals(self) -> list[Piece]:
        """The same work in the smallest pieces."""
        return [Piece(Span(code.suits, code.number, 1), self.terms) for code in self.codes()]


class Row(NamedTuple):
    """What is known of one deal.

    Scores and totals are those of `SolveResult`, None where only the verdict was asked for.
    `cpu_seconds` are those of the thread that ran the search. The last three are those of a
    `Difficulty` and of the measure, None where it was not asked for, or if there is none.
    """

    suits: int
    number: int
    verdict: Verdict
    stopped_by: StoppedBy | None
    score: int | None
    moves: int | None
    runs_removed: int | None
    score_bound: int | None
    states: int
    cpu_seconds: float
    solver_version: str
    difficulty: float | None = None
    careless_wins: int | None = None
    difficulty_version: int | None = None

    @property
    def code(self) -> str:
        """The game code."""
        return str(GameCode(self.suits, self.number))

    @property
    def measured(self) -> Difficulty | None:
        """The difficulty, if it is known."""
        if self.difficulty is None or self.careless_wins is None:
            return None
        return Difficulty(self.suits, self.difficulty, self.careless_wins)


def pieces_of(spans: Iterable[Span], terms: Terms) -> Iterator[Piece]:
    """The spans cut into small pieces, so that a hard deal does not hold many others."""
    for span in spans:
        most = DIFFICULTY_DEALS if terms.difficulty else VERDICT_DEALS[span.suits]
        if terms.best:
            most = BEST_DEALS
        for first in range(span.first, span.stop, most):
            yield Piece(Span(span.suits, first, min(most, span.stop - first)), terms)


def run_piece(piece: Piece) -> list[Row]:
    """The rows of a piece, in the order of its codes.

    They have exactly what `solver.solve` or `solver.check` says of each deal.
    """
    _load_kernels()  # at no deal's expense
    terms = piece.terms
    if terms.best:
        rows = [_best_row(code, terms) for code in piece.codes()]
    else:
        rows = _verdict_rows(piece.span, terms)
    return [_measured(row, terms) for row in rows] if terms.difficulty else rows


def _best_row(code: GameCode, terms: Terms) -> Row:
    """A row with the best score."""
    from simon_solver.answers import solver  # noqa: PLC0415 - it loads the kernels

    position = code.deal(terms.column_sizes)
    begun = time.thread_time()
    result = solver.solve(
        position,
        time_limit=0,
        memory_limit=terms.memory_limit,
        state_limit=terms.state_limit,
    )
    return Row(
        code.suits,
        code.number,
        result.verdict,
        result.stopped_by,
        result.score,
        result.moves,
        result.runs_removed,
        result.score_bound,
        result.states,
        time.thread_time() - begun,
        __version__,
    )


def _verdict_rows(span: Span, terms: Terms) -> list[Row]:
    """Rows with the verdicts alone; there are so many that each microsecond counts."""
    decide, now, rows = _decider(span.suits, terms).decide, time.thread_time, []
    begun = now()
    for number in range(span.first, span.stop):
        verdict, stopped_by, states = decide(number)
        ended = now()
        known = verdict, stopped_by, None, None, None, None, states, ended - begun, __version__
        rows.append(Row(span.suits, number, *known))
        begun = ended
    return rows


def _measured(row: Row, terms: Terms) -> Row:
    """The row with the difficulty, if the deal can be won."""
    if row.verdict is not Verdict.WINNABLE:
        return row
    found = difficulty(GameCode(row.suits, row.number).deal(terms.column_sizes))
    if found is None:
        return row
    return row._replace(
        difficulty=found.value, careless_wins=found.careless_wins, difficulty_version=VERSION
    )


@lru_cache(maxsize=3)
def _decider(suits: int, terms: Terms) -> CodeDecider:
    from simon_solver.search.codes import CodeDecider  # noqa: PLC0415 - it loads the kernels

    layout = Layout(DECKS[suits], terms.column_sizes)
    return CodeDecider(layout, memory_limit=terms.memory_limit, state_limit=terms.state_limit)


@cache
def _load_kernels() -> None:
    """Have the kernels compiled, and loaded by searches that go through all stages."""
    from simon_solver.answers import solver  # noqa: PLC0415

    code = parse_code(EXAMPLE)
    _verdict_rows(Span(code.suits, code.number, 1), Terms())
    solver.solve(code.deal(), time_limit=0, state_limit=1000)
