"""Pieces: which codes, what is asked of them, and rows that say just what the solver says."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver import __version__
from simon_solver.answers.solver import check, solve
from simon_solver.batch.pieces import (
    DEFAULT_MEMORY,
    DEFAULT_STATES,
    VERDICT_DEALS,
    Piece,
    Span,
    Terms,
    pieces_of,
    run_piece,
)
from simon_solver.errors import CodeError, InputError
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.search.control import Control
from simon_solver.search.limits import Limits
from simon_solver.search.progress import ProgressCallback
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.batch import BEST, VERDICTS


@given(
    st.lists(st.tuples(st.sampled_from([1, 2, 4]), st.integers(0, 10**9), st.integers(1, 200))),
    st.booleans(),
)
def test_pieces_hold_each_code_once_and_in_order(
    spans: list[tuple[int, int, int]], best: bool
) -> None:
    wanted = [(s, n) for s, first, deals in spans for n in range(first, first + deals)]
    pieces = list(pieces_of((Span(*span) for span in spans), Terms(best=best)))
    assert [(c.suits, c.number) for piece in pieces for c in piece.codes()] == wanted
    for piece in pieces:
        assert 1 <= piece.span.deals <= (1 if best else VERDICT_DEALS[piece.span.suits])
        assert [c for single in piece.single_deals() for c in single.codes()] == [*piece.codes()]
        assert all(single.span.deals == 1 for single in piece.single_deals())


def test_spans_that_hold_no_codes_are_refused() -> None:
    last = Span(4, CODE_COUNT - 3, 3)
    assert last.checked() is last
    assert last.stop == CODE_COUNT
    with pytest.raises(InputError, match=r"at most 3 deals from SS1-S4-ZZZZZZX on .*, got 4"):
        Span(4, CODE_COUNT - 3, 4).checked()
    with pytest.raises(InputError, match="expected at least 1 deal, got 0"):
        Span(4, 0, 0).checked()
    with pytest.raises(CodeError, match="expected 1, 2 or 4 suits, got 3"):
        Span(3, 0, 1).checked()
    with pytest.raises(CodeError, match="got -1"):
        Span(1, -1, 1).checked()


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_verdicts_are_those_of_check(suits: int) -> None:
    rows = run_piece(Piece(Span(suits, 40, 12), VERDICTS))
    assert [row.code for row in rows] == [str(GameCode(suits, n)) for n in range(40, 52)]
    for row in rows:
        result = check(GameCode(suits, row.number).deal(), time_limit=0)
        assert (row.verdict, row.states) == (result.verdict, result.states)
        assert row.stopped_by is None
        assert row[4:8] == (None, None, None, None)
        assert row.cpu_seconds > 0
        assert row.solver_version == __version__
    if suits == 4:
        assert {row.verdict for row in rows} == {Verdict.WINNABLE, Verdict.UNWINNABLE}


def test_best_scores_are_those_of_solve() -> None:
    codes = [GameCode(4, 29), GameCode(4, 50)]
    rows = [
        row for code in codes for row in run_piece(Piece(Span(code.suits, code.number, 1), BEST))
    ]
    assert (rows[0].score, rows[0].moves, rows[0].score_bound) == (840, 60, 840)
    for code, row in zip(codes, rows, strict=True):
        result = solve(code.deal(), time_limit=0)
        assert row[2:9] == (
            result.verdict,
            result.stopped_by,
            result.score,
            result.moves,
            result.runs_removed,
            result.score_bound,
            result.states,
        )


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (Terms(best=True, state_limit=1), StoppedBy.STATES),
        (Terms(best=True, memory_limit=1), StoppedBy.MEMORY),
    ],
)
def test_limits_of_states_and_memory_reach_the_search(terms: Terms, reason: StoppedBy) -> None:
    (row,) = run_piece(Piece(Span(1, 32, 1), terms))
    assert row.stopped_by is reason
    assert row.score is not None
    assert row.score_bound is not None
    assert row.score < row.score_bound
    if terms.state_limit == 1:
        assert row.states == 1


def test_no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[Limits] = []

    class Noting(Control):
        def __init__(self, limits: Limits, on_progress: ProgressCallback | None) -> None:
            noted.append(limits)
            super().__init__(limits, on_progress)

    for module in ("search.codes", "answers.solver"):
        monkeypatch.setattr(f"simon_solver.{module}.Control", Noting)
    for best in (False, True):
        run_piece(Piece(Span(4, 29, 1), Terms(best, state_limit=7, memory_limit=9)))
    run_piece(Piece(Span(4, 29, 1), VERDICTS))
    limits = Limits(0, 9, 7)
    assert noted == [limits, limits, Limits(0, DEFAULT_MEMORY, DEFAULT_STATES)]


def test_pieces_and_rows_can_be_sent_to_other_processes() -> None:
    piece = Piece(Span(1, 5, 2), VERDICTS)
    assert pickle.loads(pickle.dumps(piece)) == piece
    run = pickle.loads(pickle.dumps(run_piece))
    rows = run(piece)
    assert pickle.loads(pickle.dumps(rows)) == rows
    assert rows[0].verdict is Verdict.WINNABLE
