"""Answers, limits and totals of `check` and `solve`."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest

from simon_solver.answers import solver
from simon_solver.answers.results import SolveResult
from simon_solver.answers.solver import check, solve
from simon_solver.errors import InputError, LimitError, PositionError
from simon_solver.game import rules
from simon_solver.game.cards import KING, SPADES, make_card
from simon_solver.game.codes import parse_code
from simon_solver.game.layout import Deck
from simon_solver.game.moves import Move, parse_moves
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, apply, replay, score
from simon_solver.kernels.state import pool
from simon_solver.kernels.state.pool import POOL
from simon_solver.reading.deals import read_deal
from simon_solver.search import portfolio
from simon_solver.search.control import Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.groups import Group
from simon_solver.search.interrupts import noted_interrupt
from simon_solver.search.progress import Progress
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.deals import (
    DATA,
    SMALL_SHAPES,
    assert_wins,
    board,
    random_deal,
    random_deal_with_run,
    small_decks,
)
from tests.support.kernel import explore, moves_to_runs

HARD = "SS1-S4-AAAAKXT"
"""Unwinnable; the complete search expands millions of states to prove it."""


def assert_consistent(position: Position, result: SolveResult, moves_made: int = 0) -> None:
    """The line is legal and its totals are those of the result, which the bound allows."""
    end = position
    for step in result.solution:
        end = apply(end, step.move)
    assert result.moves == moves_made + len(result.solution)
    assert result.runs_removed == len(end.removed)
    assert result.score == score(result.moves, result.runs_removed)
    assert result.score >= score(moves_made, len(position.removed))
    assert result.score <= result.score_bound
    assert result.best_proven == (result.score == result.score_bound)


@pytest.mark.parametrize(
    ("code", "moves"), [("SS1-S4-AAAAABD", 60), ("SS1-S2-AAAAABD", 51), ("SS1-S1-AAAAABD", 44)]
)
def test_first_codes(code: str, moves: int) -> None:
    position = parse_code(code).deal()
    result = solve(position)
    assert (result.verdict, result.moves, result.best_proven) == (Verdict.WINNABLE, moves, True)
    assert (result.score, result.stopped_by) == (900 - moves, None)
    assert_wins(position, result.solution)
    assert_consistent(position, result)


def test_the_described_deal() -> None:
    position = read_deal(str(DATA / "samples" / "description_seed.txt")).position
    result = solve(position)
    assert (result.score, result.moves, result.best_proven) == (841, 59, True)


@pytest.mark.parametrize("name", ["kpat:266", "kpat:309"])
def test_deals_in_which_joins_are_traps(name: str) -> None:
    position = read_deal(name).position
    result = check(position)
    assert result.verdict is Verdict.WINNABLE
    assert_wins(position, result.solution)


@pytest.mark.kernel
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_small_decks(suits: int) -> None:
    seen = Counter[tuple[bool, bool]]()
    rows = [deck for deck in small_decks() if deck.suits == suits]
    for deck in rows[::30] if numba.config.DISABLE_JIT else rows:
        verdict = Verdict.WINNABLE if deck.winnable else Verdict.UNWINNABLE
        checked = check(deck.position)
        assert checked.verdict is verdict
        result = solve(deck.position)
        assert result.verdict is verdict
        assert_consistent(deck.position, result)
        assert result.score == deck.best_score
        if deck.winnable:
            assert_wins(deck.position, checked.solution)
            assert len(result.solution) == deck.fewest_moves
        assert result.best_proven
        seen[deck.winnable, bool(result.solution)] += 1
    assert seen[True, True]
    assert seen[False, False]
    if not numba.config.DISABLE_JIT:  # a thinned-out sample need not hold one
        assert seen[False, True], "some lost decks gain by removing a run"


def best_score_by(fewest_by_runs: Sequence[int]) -> int:
    """The best score, where so many runs in all take these many moves."""
    return max(score(moves, runs) for runs, moves in enumerate(fewest_by_runs))


@pytest.mark.kernel
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_best_lines_that_do_not_win(suits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run brings less than its moves may cost, best lines of small decks may end early."""
    monkeypatch.setattr(rules, "RUN_SCORE", 3)
    seen = Counter[tuple[bool, bool]]()
    rows = [deck for deck in small_decks() if deck.suits == suits]
    for deck in rows[::30] if numba.config.DISABLE_JIT else rows:
        result = solve(deck.position)
        assert (result.verdict is Verdict.WINNABLE) == deck.winnable
        assert result.score == best_score_by(deck.fewest_by_runs), deck
        assert (result.best_proven, result.stopped_by) == (True, None)
        assert_consistent(deck.position, result)
        ends_early = 0 < len(result.solution) != deck.fewest_moves
        seen[deck.winnable, ends_early] += 1
    assert seen[True, False]
    assert seen[False, False]
    if not numba.config.DISABLE_JIT:
        assert seen[True, True] > 5


@pytest.mark.slow
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_best_scores_of_many_small_decks(suits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand fresh decks for each suit count, against breadth-first search."""
    rng, decks, seen = Random(f"best {suits}"), 0, Counter[tuple[int, bool, int]]()
    while decks < 1_000:
        ranks, sizes = rng.choice((*SMALL_SHAPES, (5, (5, 5, 4, 3, 3)), (6, (9, 8, 7))))
        make = random_deal_with_run if max(sizes) >= ranks and rng.random() < 0.2 else random_deal
        position = make(rng, suits, ranks, sizes)
        explored = explore(position, 10_000)
        if explored is None:
            continue
        decks += 1
        before = len(position.removed)
        fewest = [0] * (before + 1)
        for runs in range(1, position.deck.runs - before + 1):
            moves = int(moves_to_runs(explored, runs)[0])
            if moves >= 0:
                fewest.append(moves)
        for run_score in (100, 4, 3):
            monkeypatch.setattr(rules, "RUN_SCORE", run_score)
            result = solve(position)
            assert (result.verdict is Verdict.WINNABLE) == (explored.moves_left[0] >= 0)
            assert result.score == best_score_by(fewest), (position, run_score)
            assert (result.best_proven, result.stopped_by) == (True, None)
            assert_consistent(position, result)
            won = result.verdict is Verdict.WINNABLE
            seen[run_score, won, result.runs_removed - before] += 1
    assert seen[100, False, 1] > 5
    assert seen[3, True, 1] + seen[3, True, 2] + seen[3, True, 3] > 5


@pytest.mark.kernel
def test_no_move_at_all() -> None:
    result = solve(read_deal("kpat:46").position)
    assert (result.verdict, result.score, result.best_proven) == (Verdict.UNWINNABLE, 500, True)


@pytest.mark.parametrize("state_limit", [1, 40, 3000])
def test_state_limit(state_limit: int) -> None:
    position = parse_code(HARD).deal()
    results = [check(position, state_limit=state_limit) for _ in range(2)]
    for result in results:
        assert (result.verdict, result.stopped_by) == (Verdict.UNDETERMINED, StoppedBy.STATES)
        assert result.solution == ()
    assert results[0].states == results[1].states == state_limit


def test_time_limit() -> None:
    position = parse_code(HARD).deal()
    result = check(position, time_limit=1e-6)
    assert (result.verdict, result.stopped_by) == (Verdict.UNDETERMINED, StoppedBy.TIME)


@pytest.mark.parametrize("memory_limit", [1, 4])
def test_memory_limit(memory_limit: int) -> None:
    position = parse_code(HARD).deal()
    result = check(position, memory_limit=memory_limit)
    assert (result.verdict, result.stopped_by) == (Verdict.UNDETERMINED, StoppedBy.MEMORY)


def test_a_refusing_machine_counts_as_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(pool, "grown", refuse)
    result = check(parse_code(HARD).deal())
    assert (result.verdict, result.stopped_by) == (Verdict.UNDETERMINED, StoppedBy.MEMORY)


@pytest.mark.parametrize("name", ["key", "facts", "link", "state"])
def test_a_growth_that_fails_half_way_does_no_harm(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrays that no longer fit together would be written past their ends by the next search."""

    class Refusing(np.ndarray[tuple[int, ...], np.dtype[np.int64]]):
        def resize(self, *_: object, **__: object) -> None:
            raise MemoryError

    grown = pool.grown

    def refuse(one: pool.Pool, limit: int) -> pool.Pool | None:
        if len(one.table) // 2 <= len(one.state):
            return grown(one, limit)
        before = getattr(one, name)
        trial = one._replace(**{name: before.view(Refusing)})
        with pytest.raises(MemoryError):
            grown(trial, limit)
        assert len(one.state) <= min(len(one.key), len(one.facts), len(one.link))
        raise MemoryError

    position = parse_code(HARD).deal()
    expected = check(position, state_limit=20_000)
    with monkeypatch.context() as patched:
        patched.setattr(pool, "grown", refuse)
        assert check(position).stopped_by is StoppedBy.MEMORY
    assert check(position, state_limit=20_000).states == expected.states


@pytest.mark.parametrize("inner", [check, solve])
def test_a_search_inside_a_search(inner: Callable[..., object]) -> None:
    """What a progress callback does must not reach the search that called it."""
    position, other = parse_code("SS1-S4-AAAAAEB").deal(), parse_code(HARD).deal()
    alone, calls = check(position), 0

    def search_too(_: Progress) -> None:
        nonlocal calls
        if not calls:
            calls += 1
            inner(other, state_limit=5_000)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)
        nested = check(position, on_progress=search_too)
    assert calls == 1
    assert (nested.verdict, nested.states) == (alone.verdict, alone.states)
    assert_wins(position, nested.solution)


LATE_PROOF = "2H 4C 4H 5C AD 5H|3C 6D 3S AC 5S|6C 6H AS 6S 3D|AH 5D 4D 3H|2C 2D 4S 2S"
"""Lost; a run can leave after 11 moves, and that no line is better takes a while to prove."""


def late_proof() -> Position:
    return board(LATE_PROOF, Deck(6, (1, 1, 1, 1)))


def test_a_lost_deal_with_many_continuations_has_a_proven_best_score() -> None:
    for position, best in ((late_proof(), 581), (parse_code("SS1-S4-AAAADQJ").deal(), 500)):
        result = solve(position)
        assert (result.verdict, result.score) == (Verdict.UNWINNABLE, best)
        assert (result.best_proven, result.stopped_by) == (True, None)
        assert_consistent(position, result)


@pytest.mark.parametrize(
    ("position", "limits"),
    [
        (late_proof(), (100, 2_500, 8_000, 14_000, 0)),
        (parse_code("SS1-S4-AAAADQJ").deal(), (2_000, 12_000, 16_000, 0)),
    ],
)
def test_limits_leave_a_proven_bound(position: Position, limits: Sequence[int]) -> None:
    results = [solve(position, state_limit=limit) for limit in limits]
    for limit, result in zip(limits[:-1], results, strict=False):
        assert (result.stopped_by, result.states) == (StoppedBy.STATES, limit)
        assert not result.best_proven
        assert_consistent(position, result)
    assert {result.verdict for result in results} == {Verdict.UNWINNABLE}
    bounds = [result.score_bound for result in results]
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) > 2
    assert bounds[-1] == results[-1].score
    scores = [result.score for result in results]
    assert scores == sorted(scores)


def test_a_deal_that_is_hard_to_decide_has_a_bound_too() -> None:
    position = parse_code(HARD).deal()
    results = [solve(position, state_limit=limit) for limit in (500, 50_000)]
    for result in results:
        assert (result.verdict, result.stopped_by) == (Verdict.UNDETERMINED, StoppedBy.STATES)
        assert_consistent(position, result)
    assert results[0].score_bound >= results[1].score_bound > 800


def test_a_line_found_by_an_unfinished_search_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    explore_all = portfolio.Portfolio.explore

    def stop_at_first_line(one: portfolio.Portfolio, finding: Finding) -> None:
        def budget(_wanted: int) -> int:
            if one.work.pool.counts[POOL.goal] >= 0:
                raise Stopped(StoppedBy.STATES)
            return 1

        monkeypatch.setattr(one.control, "budget", budget)
        explore_all(one, finding)

    monkeypatch.setattr(portfolio.Portfolio, "explore", stop_at_first_line)
    result = solve(late_proof())
    assert (result.verdict, result.stopped_by) == (Verdict.UNWINNABLE, StoppedBy.STATES)
    assert 500 < result.score < result.score_bound
    assert_consistent(late_proof(), result)


@pytest.fixture
def known_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every position is taken for lost, so that the search for its best line begins at once."""

    def know(_: object, finding: Finding) -> None:
        finding.verdict = Verdict.UNWINNABLE

    monkeypatch.setattr(portfolio.Portfolio, "decide", know)


@pytest.mark.usefixtures("known_loss")
def test_the_bound_on_the_best_line_falls_while_the_search_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)
    position, seen = parse_code("SS1-S4-AAAAHRN").deal(), list[Progress]()
    result = solve(position, state_limit=150_000, on_progress=seen.append)
    bounds = [progress.score_bound or 0 for progress in seen]
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) >= 4
    assert bounds[0] > bounds[-1] == result.score_bound > result.score
    assert {progress.score for progress in seen} == {500}


@pytest.mark.usefixtures("known_loss")
def test_memory_ends_the_search_for_the_best_line() -> None:
    position = parse_code("SS1-S4-AAAADQJ").deal()
    results = [solve(position, memory_limit=limit) for limit in (1, 64)]
    assert [result.stopped_by for result in results] == [StoppedBy.MEMORY, None]
    assert [result.best_proven for result in results] == [False, True]
    assert results[0].score_bound > results[1].score_bound == 500
    assert_consistent(position, results[0])


def test_stopped_while_proving_keeps_the_win() -> None:
    position = parse_code("SS1-S4-AAAAAAC").deal()
    results = [solve(position, state_limit=limit) for limit in (300, 5_000, 0)]
    for result in results:
        assert result.verdict is Verdict.WINNABLE
        assert_wins(position, result.solution)
        assert_consistent(position, result)
    assert [result.stopped_by for result in results] == [StoppedBy.STATES] * 2 + [None]
    bounds = [result.score_bound for result in results]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] == results[-1].score == 838


def test_first_win_only() -> None:
    position = parse_code("SS1-S4-AAAAABD").deal()
    result = solve(position, best=False)
    assert_wins(position, result.solution)
    assert_consistent(position, result)
    assert (result.best_proven, result.stopped_by) == (False, None)


@pytest.mark.kernel
def test_moves_made_count_in_the_totals() -> None:
    position = board("KS QS JS TS 9S 8S 7S 6S 5S 4S 3S|AS 2S", removed=(0, 0, 0))
    plain, later = solve(position), solve(position, moves_made=30)
    assert (plain.moves, plain.runs_removed, plain.score) == (2, 4, 898)
    assert (later.moves, later.runs_removed, later.score) == (32, 4, 868)
    assert later.solution == plain.solution
    assert plain.best_proven
    assert later.best_proven
    assert_consistent(position, later, moves_made=30)


@pytest.mark.kernel
def test_a_won_position() -> None:
    position = board("|".join([""] * 10), Deck(13, (4, 0, 0, 0)), removed=(0, 0, 0, 0))
    result = solve(position, moves_made=44)
    assert (result.verdict, result.score, result.solution) == (Verdict.WINNABLE, 856, ())
    assert result.best_proven
    assert check(position).verdict is Verdict.WINNABLE


@pytest.mark.kernel
def test_complete_runs_leave_on_reading() -> None:
    run = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"
    position = board(f"2S {run}|KS QS JS TS 9S 8S 7S 6S 5S 4S 3S|AS", removed=(0, 0))
    result = solve(position)
    assert (result.runs_removed, result.moves, result.score) == (4, 2, 898)
    assert_consistent(position, result)


def test_the_best_moment_counts() -> None:
    """A win that takes more than a hundred moves after the third run scores less than that run."""
    finding = Finding([0, 5, 200], 0, 0)
    stay, leave = (Step(Move(0, 1, 1), (1,), removes) for removes in ((), (0,)))
    steps = [stay] * 4 + [leave] + [stay] * 194 + [leave]
    assert solver._best_part(steps, finding) == steps[:5]
    assert solver._best_part(steps[5:], finding) == []
    assert solver._best_part(steps[:5], finding) == steps[:5]


def test_more_columns_than_the_search_holds() -> None:
    cards = [(make_card(KING - place, SPADES),) for place in range(13)]
    position = Position(Deck(13, (1, 0, 0, 0)), (*cards, *[()] * 4))
    with pytest.raises(PositionError, match="at most 16 columns, got 17"):
        check(position)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time_limit": -1.0}, "time limit"),
        ({"time_limit": float("nan")}, "time limit"),
        ({"memory_limit": 0}, "memory limit"),
        ({"state_limit": -1}, "state limit"),
        ({"moves_made": -1}, "moves_made of at least 0, got -1"),
        ({"time_limit": "60"}, "expected a number of seconds as the time limit, got '60'"),
        ({"time_limit": None}, "expected a number of seconds as the time limit, got None"),
        ({"memory_limit": 1.5}, "expected a whole number as the memory limit, got 1.5"),
        ({"state_limit": "x"}, "expected a whole number as the state limit, got 'x'"),
        ({"moves_made": 2.0}, "expected a whole number as moves_made, got 2.0"),
    ],
)
def test_senseless_limits(limits: dict[str, object], message: str) -> None:
    position = parse_code("SS1-S1-AAAAABD").deal()
    kinds = {"moves_made": InputError, "expected": TypeError}
    error = kinds.get(message.split(maxsplit=1)[0], LimitError)
    for call in (solve,) if "moves_made" in limits else (check, solve):
        with pytest.raises(error, match=message):
            call(position, **limits)  # type: ignore[arg-type]


@pytest.fixture
def usual_interrupts() -> Iterator[None]:
    """Ctrl-C as a program in the foreground has it, whatever the tests were started by."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def interrupt(_progress: Progress | None = None) -> None:
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


def interrupt_the_proof(progress: Progress) -> None:
    """Ctrl-C when a win has been found."""
    if progress.stage == "proving the best score":
        interrupt()


@pytest.mark.usefixtures("usual_interrupts")
def test_interrupt_ends_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)
    position = parse_code("SS1-S4-AAAAAAA").deal()
    result = solve(position, on_progress=interrupt_the_proof, catch_interrupt=True)
    assert result.stopped_by is StoppedBy.INTERRUPT
    assert_wins(position, result.solution)
    assert_consistent(position, result)
    assert not result.best_proven


@pytest.mark.usefixtures("usual_interrupts")
def test_interrupt_keeps_the_best_line_of_a_lost_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)

    def interrupt_the_search(progress: Progress) -> None:
        if progress.score == 581:
            interrupt()

    result = solve(late_proof(), on_progress=interrupt_the_search, catch_interrupt=True)
    assert (result.verdict, result.score) == (Verdict.UNWINNABLE, 581)
    assert result.stopped_by is StoppedBy.INTERRUPT
    assert not result.best_proven
    assert_consistent(late_proof(), result)


def test_a_win_that_is_no_win_is_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the best line is another one, which is replayed beside it."""

    def claim(_: object, finding: Finding) -> None:
        finding.verdict = Verdict.WINNABLE
        finding.win = [Move(8, 9, 1)]

    monkeypatch.setattr(portfolio.Portfolio, "decide", claim)
    position = parse_code("SS1-S4-AAAAABD").deal()
    for call in (check, partial(solve, best=False)):
        with pytest.raises(RuntimeError, match="leaves cards on the table"):
            call(position)


@pytest.mark.usefixtures("usual_interrupts")
def test_interrupt_is_raised_unless_it_is_to_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)
    position = parse_code("SS1-S4-AAAAABD").deal()
    with pytest.raises(KeyboardInterrupt):
        solve(position, on_progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        check(parse_code(HARD).deal(), on_progress=interrupt)
    assert solve(position).score == 840, "what was interrupted leaves nothing behind"


@pytest.mark.usefixtures("usual_interrupts")
def test_a_late_interrupt_is_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is complete by then, and the result tells of the interrupt all the same."""

    def late(position: Position, moves: Sequence[Move]) -> tuple[list[Step], Position]:
        interrupt()
        return replay(position, moves)

    monkeypatch.setattr(solver, "replay", late)
    for code in ("SS1-S4-AAAAABD", "SS1-S4-AAAAEVK"):
        position = parse_code(code).deal()
        answer = check(position, catch_interrupt=True, state_limit=3_000)
        assert answer.stopped_by is StoppedBy.INTERRUPT
    position = parse_code("SS1-S4-AAAAABD").deal()
    result = solve(position, catch_interrupt=True)
    assert (result.score, result.best_proven) == (840, True)
    assert result.stopped_by is StoppedBy.INTERRUPT
    with pytest.raises(KeyboardInterrupt):
        solve(position)


@pytest.mark.usefixtures("usual_interrupts")
def test_noted_interrupts() -> None:
    with noted_interrupt() as outer, noted_interrupt() as inner:
        interrupt()
        assert (inner.seen, outer.seen) == (True, False)
        interrupt()
        assert outer.seen
        with pytest.raises(KeyboardInterrupt):
            interrupt()
    with noted_interrupt() as later:
        pass
    assert not later.seen


@pytest.mark.usefixtures("usual_interrupts")
def test_an_ignored_interrupt_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    result = solve(
        parse_code("SS1-S4-AAAAABD").deal(), on_progress=interrupt_the_proof, catch_interrupt=True
    )
    assert (result.score, result.stopped_by) == (840, None)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_interrupts_are_for_the_main_thread() -> None:
    position = parse_code("SS1-S4-AAAAABD").deal()
    with ThreadPoolExecutor(1) as workers:
        result = workers.submit(solve, position, catch_interrupt=True).result()
    assert (result.score, result.stopped_by) == (840, None)


def test_compiling_counts_for_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("simon_solver.search.control.time.monotonic", lambda: now)

    def slow(_group: Group, *, compiling: bool = True) -> bool:
        nonlocal now
        now += 1000.0 * compiling
        return True

    monkeypatch.setattr("simon_solver.search.preparing.want", slow)
    position = parse_code("SS1-S4-AAAAABD").deal()
    for result in (solve(position, time_limit=1.0), check(position, time_limit=1.0)):
        assert (result.stopped_by, result.seconds) == (None, 0.0)


def test_a_deal_is_as_good_as_a_position() -> None:
    deal = read_deal("SS1-S4-AAAAABD")
    assert check(deal).solution == check(deal.position).solution
    later = deal.after(parse_moves("9>10"))
    result = solve(later)
    assert (result.moves, len(result.solution)) == (60, 59)
    assert (solve(later.position).moves, solve(later, moves_made=2).moves) == (59, 62)


@pytest.mark.parametrize("start", ["SS1-S4-AAAAABD", None, 7, Path("x"), Deck(13, (4, 0, 0, 0))])
def test_what_is_no_deal(start: object) -> None:
    for call in (check, solve):
        with pytest.raises(TypeError) as error:
            call(start)  # type: ignore[arg-type]
        message = str(error.value)
        assert message.startswith("expected a Deal (as from read_deal) or a Position, got ")
        assert "\n" not in message
        assert len(message) < 150


def test_progress_narrows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)
    seen: list[Progress] = []
    result = solve(parse_code("SS1-S4-AAAAABD").deal(), on_progress=seen.append)
    assert seen[-1].stage == "proving the best score"
    assert seen[-1].states == result.states
    bounds = [progress.score_bound for progress in seen]
    assert bounds == sorted(bounds, key=lambda bound: -(bound or 0))
    assert all(progress.score is not None for progress in seen)


def test_threads_do_not_disturb_each_other() -> None:
    rng = Random("threads")
    codes = [f"SS1-S{rng.choice((1, 2, 4))}-AAAA{c}{d}D" for c in "ABCDEF" for d in "ABCD"]
    positions = [parse_code(code).deal() for code in codes]

    def answer(position: Position) -> tuple[Verdict, int]:
        result = check(position)
        return result.verdict, result.states

    alone = [answer(position) for position in positions]
    with ThreadPoolExecutor(4) as workers:
        together = list(workers.map(answer, positions))
    assert together == alone
