"""Looking for deals: the first that meet the wishes, whoever runs the pieces in what order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.answers.difficulty import Grade
from simon_solver.batch.finds import Tally, Wishes, find
from simon_solver.batch.pieces import Piece, Row, Span, Terms, run_piece
from simon_solver.batch.run import Executor
from simon_solver.batch.store import Store, open_store
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.batch import BEST, DIFFICULTIES, VERDICTS, rating_of, row_of

LAST = 150
"""The world of these tests has so many codes."""
NO_BEST: dict[str, Any] = dict.fromkeys(("score", "moves", "runs_removed", "score_bound"))


def world(seed: int) -> list[Row]:
    """All that can be known of each code: some deals are lost or undetermined, some bests open."""
    rng, rows = Random(seed), []
    for number in range(LAST):
        verdict = rng.choice([*[Verdict.WINNABLE] * 6, Verdict.UNWINNABLE, Verdict.UNDETERMINED])
        score = rng.randrange(830, 850) if verdict is Verdict.WINNABLE else 500
        bound = score + rng.choice([0, 0, 0, rng.randrange(1, 10)])
        best = {"score": score, "moves": 900 - score, "runs_removed": 4, "score_bound": bound}
        rating = rating_of(number) if verdict is Verdict.WINNABLE else {}
        is_open = verdict is Verdict.UNDETERMINED or bound > score
        stopped_by = StoppedBy.STATES if is_open else None
        changes = {"verdict": verdict, "stopped_by": stopped_by, **best, **rating}
        rows.append(row_of(4, number, **changes))
    return rows


def answer(row: Row, terms: Terms) -> Row:
    """The part of it that a worker finds out under these terms."""
    if not terms.best:
        is_open = row.verdict is Verdict.UNDETERMINED
        row = row._replace(**NO_BEST, stopped_by=row.stopped_by if is_open else None)
    if not terms.difficulty:
        row = row._replace(difficulty=None, careless_wins=None, difficulty_version=None)
    return row


class Juggler:
    """An executor that has some pieces at a time and finishes them in any order."""

    def __init__(self, rows: list[Row], hands: int = 1, seed: int = 0) -> None:
        self.asked = Counter[tuple[int, bool]]()
        self._rows, self._hands, self._rng = rows, hands, Random(seed)

    def __call__(self, pieces: Iterator[Piece]) -> Iterable[list[Row]]:
        held: list[Piece] = []
        while True:
            while len(held) < self._hands and (piece := next(pieces, None)) is not None:
                held.append(piece)
            if not held:
                return
            if self._rng.random() < 0.2:
                yield []
            piece = held.pop(self._rng.randrange(len(held)))
            numbers = [code.number for code in piece.codes()]
            self.asked.update((number, piece.terms.best) for number in numbers)
            yield [answer(self._rows[number], piece.terms) for number in numbers]


def wanted(rows: list[Row], first: int, wishes: Wishes, terms: Terms) -> tuple[list[Row], Tally]:
    """What is to be found, by going through all codes."""
    found, tally = list[Row](), Tally()
    for row in rows[first:]:
        if tally.found == wishes.count:
            break
        least = wishes.min_best or 0
        is_candidate = row.verdict is wishes.verdict and (
            wishes.grade is None
            or (row.measured is not None and row.measured.grade is wishes.grade)
        )
        if row.verdict is Verdict.UNDETERMINED:
            tally.undetermined += 1
        elif is_candidate and row.score is not None and row.score >= least:
            tally.found += 1
            found.append(row if terms.best else answer(row, DIFFICULTIES))
        elif is_candidate and row.score_bound is not None and row.score_bound >= least:
            tally.unproven += 1
    return found, tally


class Bell:
    """Rings when it has been asked so often."""

    def __init__(self, after: int) -> None:
        self._left = after

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0


def search(
    store: Store,
    execute: Executor,
    wishes: Wishes,
    terms: Terms,
    first: int = 0,
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[list[Row], Tally]:
    found: list[Row] = []
    span = Span(4, first, LAST - first)
    tally = find(store, span, wishes, terms, execute, tell=found.append, is_stopped=is_stopped)
    return found, tally


@st.composite
def questions(draw: st.DrawFn) -> tuple[Wishes, Terms]:
    """Wishes that go together, and terms for them."""
    count = draw(st.sampled_from([1, 2, 5, 20, 1000]))
    if draw(st.booleans()):
        best = draw(st.booleans())
        return Wishes(count, Verdict.UNWINNABLE), replace(VERDICTS, best=best)
    grade = draw(st.sampled_from([None, *Grade]))
    least = draw(st.sampled_from([None, 0, 838, 845, 849]))
    best = least is not None or draw(st.booleans())
    return Wishes(count, Verdict.WINNABLE, grade, least), replace(VERDICTS, best=best)


@given(
    seed=st.integers(0, 10**6),
    question=questions(),
    hands=st.integers(1, 8),
    first=st.sampled_from([0, 1, 77, LAST - 1]),
    known=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_the_first_deals_are_found_in_order(
    seed: int, question: tuple[Wishes, Terms], hands: int, first: int, known: float
) -> None:
    wishes, terms = question
    rows, rng = world(seed), Random(seed)
    juggler = Juggler(rows, hands, seed)
    with open_store(None) as store:
        for asked in (VERDICTS, DIFFICULTIES, BEST):
            store.add([answer(row, asked) for row in rows if rng.random() < known], asked)
        store.flush()
        found = search(store, juggler, wishes, terms, first)
        assert [row[:8] + row[11:] for row in found[0]] == [
            row[:8] + row[11:] for row in wanted(rows, first, wishes, terms)[0]
        ]
        assert found[1] == wanted(rows, first, wishes, terms)[1]
        assert not juggler.asked or max(juggler.asked.values()) == 1
        again = Juggler(rows)
        assert search(store, again, wishes, terms, first) == found
        assert not again.asked


@given(question=questions(), stops=st.lists(st.integers(0, 20), max_size=4))
def test_a_search_goes_on_where_it_was(question: tuple[Wishes, Terms], stops: list[int]) -> None:
    wishes, terms = question
    rows = world(7)
    asked = Counter[tuple[int, bool]]()
    with open_store(None) as store:
        for stop in [*stops, 10**9]:
            juggler = Juggler(rows, 3)
            found = search(store, juggler, wishes, terms, 0, Bell(stop))
            asked += juggler.asked
    whole = wanted(rows, 0, wishes, terms)
    assert [row.number for row in found[0]] == [row.number for row in whole[0]]
    assert found[1] == whole[1]
    assert not asked or max(asked.values()) == 1


def test_no_more_is_asked_than_is_needed() -> None:
    rows = world(1)
    juggler = Juggler(rows)
    with open_store(None) as store:
        found, _ = search(store, juggler, Wishes(5), BEST)
    numbers = [number for number, best in juggler.asked if not best]
    assert max(numbers) < found[-1].number + 4
    assert {number for number, best in juggler.asked if best} >= {row.number for row in found}
    hard = Juggler(rows)
    with open_store(None) as store:
        found, _ = search(store, hard, Wishes(5, grade=Grade.HARD), BEST)
    candidates = {row.number for row in rows if row.measured and row.measured.grade is Grade.HARD}
    assert {number for number, best in hard.asked if best} <= candidates


def test_each_deal_is_told_as_soon_as_it_is_known() -> None:
    rows = world(2)
    juggler = Juggler(rows)
    asked_before: list[int] = []
    with open_store(None) as store:
        find(
            store,
            Span(4, 0, LAST),
            Wishes(10),
            VERDICTS,
            juggler,
            tell=lambda _row: asked_before.append(len(juggler.asked)),
        )
    assert asked_before[0] <= 8
    assert asked_before == sorted(asked_before)
    assert len(set(asked_before)) > 2


def test_what_was_found_out_is_kept_when_the_reader_leaves(tmp_path: Path) -> None:
    def leave(_row: Row) -> None:
        raise BrokenPipeError

    file = str(tmp_path / "finds.sqlite")
    with pytest.raises(BrokenPipeError), open_store(file) as store:
        find(store, Span(4, 0, LAST), Wishes(9), VERDICTS, Juggler(world(3)), tell=leave)
    with open_store(file) as store:
        assert store.counts(Span(4, 0, LAST)).deals >= 4


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_real_deals(suits: int) -> None:
    """With difficulties and best scores as pieces of their own say."""
    found: list[Row] = []
    terms = Terms(best=True, state_limit=20_000)
    with open_store(None) as store:
        execute = lambda pieces: map(run_piece, pieces)  # noqa: E731
        find(store, Span(suits, 0, 12), Wishes(3), terms, execute, tell=found.append)
    assert len(found) == 3
    for row in found:
        for asked in (terms, replace(terms, best=False, difficulty=True)):
            (alone,) = run_piece(Piece(Span(suits, row.number, 1), asked))
            part = row if asked.best else row._replace(score=None)
            names = ("verdict", "score", "score_bound") if asked.best else ("difficulty",)
            assert [getattr(part, n) for n in names] == [getattr(alone, n) for n in names]
