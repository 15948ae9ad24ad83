"""Hints against breadth-first search, under limits, and what is concluded without a search."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from simon_solver import hints, rules
from simon_solver.codes import parse_code
from simon_solver.control import Control
from simon_solver.deals import read_deal
from simon_solver.errors import InputError, LimitError
from simon_solver.hints import Hint, hint
from simon_solver.layout import DECKS, Deck
from simon_solver.moves import parse_moves
from simon_solver.position import Position
from simon_solver.reference_search import Table, position_of, table_of
from simon_solver.result import Limits, Progress, StoppedBy, Verdict
from simon_solver.rules import apply, legal_moves, replay, score, settle
from simon_solver.solver import solve
from tests.helpers import SMALL_SHAPES, board, random_deal, random_deal_with_run
from tests.kernel_helpers import columns_of, explore, moves_to_runs, run_counts

HARD = "SS1-S4-AAAAKXT"
"""Unwinnable; the complete search expands many states to prove it."""
Truth = dict[Table, tuple[bool, int]]
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
    tables = [tuple(sorted(map(bytes, columns_of(explored.game, words)))) for words in explored.words]
    won = [moves >= 0 for moves in explored.moves_left.tolist()]
    return dict(zip(tables, zip(won, best, strict=True), strict=True))


def assert_true(position: Position, told: Hint, truth: Truth, moves_made: int = 0) -> None:
    """All moves are there; nothing is wrong, and what is said to be proven is exact."""
    assert sorted(m.step.move for m in told.moves) == legal_moves(position)
    won, best = truth[table_of(position)]
    best -= moves_made
    if told.verdict is not Verdict.UNDETERMINED:
        assert (told.verdict is Verdict.WINNABLE) == won
    assert (told.score or best) <= best <= told.score_bound
    for move in told.moves:
        steps, after = replay(position, [move.step.move])
        assert steps == [move.step]
        won, best = truth[table_of(after)]
        best -= moves_made + 1
        if move.verdict is not Verdict.UNDETERMINED:
            assert (move.verdict is Verdict.WINNABLE) == won
        assert (move.score or best) <= best <= move.score_bound
    assert told.best == (told.moves[0] if told.moves else None)


def is_complete(told: Hint) -> bool:
    """Every question is answered."""
    verdicts = {told.verdict, *(m.verdict for m in told.moves)}
    proven = told.best_proven and all(m.best_proven for m in told.moves)
    return told.stopped_by is None and Verdict.UNDETERMINED not in verdicts and proven


def small_truths(rng: Random, suits: int, decks: int) -> Iterator[tuple[Deck, Truth]]:
    """So many random small decks, dealt, some with a complete run."""
    while decks:
        ranks, sizes = rng.choice(SMALL_SHAPES)
        make = random_deal_with_run if max(sizes) >= ranks and rng.random() < 0.3 else random_deal
        start = settle(make(rng, suits, ranks, sizes))
        truth = truth_about(start, 10_000)
        if truth is not None:
            decks -= 1
            yield start.deck, truth


def shuffled(rng: Random, position: Position) -> Position:
    """The position with its columns in another order."""
    columns = list(position.columns)
    rng.shuffle(columns)
    return Position(position.deck, tuple(columns), position.removed)


def compare(rng: Random, suits: int, decks: int, seen: Counter[str]) -> None:
    """Ask for hints in positions of many decks."""
    for deck, truth in small_truths(rng, suits, decks):
        tables = sorted(truth)
        for table in rng.sample(tables, min(8, len(tables))):
            position, made = shuffled(rng, position_of(table, deck)), rng.choice((0, 30))
            told = hint(position, moves_made=made)
            assert_true(position, told, truth, made)
            assert is_complete(told)
            note(seen, position, told)


def note(seen: Counter[str], position: Position, told: Hint) -> None:
    """Count what kinds of positions there were."""
    seen["won" if position.is_won else "stuck" if not told.moves else "open"] += 1
    kinds = {m.verdict for m in told.moves}
    seen["some moves lose"] += len(kinds) == 2
    seen["lost, but a move gains"] += (
        told.verdict is Verdict.UNWINNABLE and told.score != score(0, len(position.removed))
    )
    tables = [table_of(apply(position, m.step.move)) for m in told.moves]
    seen["two moves, one position"] += len(set(tables)) < len(tables)
    seen["a move that changes nothing"] += table_of(position) in tables
    seen["empty columns"] += any(not column for column in position.columns)
    seen["losses"] += len({m.score for m in told.moves}) > 2


@pytest.mark.parametrize("run_score", [100, 3])
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_small_decks(rng: Random, suits: int, run_score: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that brings little makes lines best that end early."""
    monkeypatch.setattr(rules, "RUN_SCORE", run_score)
    seen = Counter[str]()
    compare(rng, suits, 25, seen)
    print(seen)
