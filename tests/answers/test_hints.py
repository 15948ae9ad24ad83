"""Hints against breadth-first search, under limits, and what is concluded without a search."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from random import Random

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simon_solver.answers import hints
from simon_solver.answers.hints import hint
from simon_solver.answers.results import Hint
from simon_solver.answers.solver import check, solve
from simon_solver.errors import InputError
from simon_solver.game import rules
from simon_solver.game.codes import parse_code
from simon_solver.game.layout import DECKS, Deck
from simon_solver.game.moves import parse_moves
from simon_solver.game.position import Position
from simon_solver.game.rules import apply, legal_moves, replay
from simon_solver.game.tableau import Tableau, position_of, tableau_of
from simon_solver.reading.deals import read_deal
from simon_solver.search.control import Control, Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.limits import Limits
from simon_solver.search.progress import Progress
from simon_solver.search.reference import successors
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.deals import SMALL_SHAPES, board, random_deal, random_deal_with_run, random_walk
from tests.support.strategies import positions
from tests.support.truth import Truth, truth_about

HARD = "SS1-S4-AAAAKXT"
"""Unwinnable; the complete search expands many states to prove it."""


def assert_true(position: Position, told: Hint, truth: Truth, moves_made: int = 0) -> None:
    """All moves are there; nothing is wrong, and what is said to be proven is exact."""
    assert sorted(m.step.move for m in told.moves) == legal_moves(position)
    won, best = truth[tableau_of(position)]
    best -= moves_made
    if told.verdict is not Verdict.UNDETERMINED:
        assert (told.verdict is Verdict.WINNABLE) == won
    assert (told.score or best) <= best <= told.score_bound
    for move in told.moves:
        steps, after = replay(position, [move.step.move])
        assert steps == [move.step]
        won, best = truth[tableau_of(after)]
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
        start = make(rng, suits, ranks, sizes)
        truth = truth_about(start, 10_000)
        if truth is not None:
            decks -= 1
            yield start.deck, truth


def shuffled(rng: Random, position: Position) -> Position:
    """The position with its columns in another order."""
    columns = list(position.columns)
    rng.shuffle(columns)
    return Position(position.deck, tuple(columns), position.removed)


def interesting(rng: Random, deck: Deck, truth: Truth) -> Iterator[Tableau]:
    """Some positions of a deck, among them such in which some moves lose the game."""
    some = rng.sample(sorted(truth), min(300, len(truth)))
    mixed = [
        tableau
        for tableau in some
        if len({truth[after][0] for after in successors(tableau, deck.ranks)}) > 1
    ]
    yield from (*some[:5], *mixed[:4])


def compare(rng: Random, suits: int, decks: int) -> Counter[str]:
    """Ask for hints in positions of many decks; counts what kinds of positions there were."""
    seen = Counter[str]()
    for deck, truth in small_truths(rng, suits, decks):
        for tableau in interesting(rng, deck, truth):
            position, made = shuffled(rng, position_of(tableau, deck)), rng.choice((0, 30))
            told = hint(position, moves_made=made)
            assert_true(position, told, truth, made)
            assert is_complete(told)
            note(seen, position, told)
    return seen


def note(seen: Counter[str], position: Position, told: Hint) -> None:
    """Count what kind of position it is."""
    tableaux = [tableau_of(apply(position, move.step.move)) for move in told.moves]
    worths = {(move.verdict, move.score) for move in told.moves}
    lost = told.verdict is Verdict.UNWINNABLE
    seen["stuck"] += lost and not told.moves
    seen["some moves lose"] += len({verdict for verdict, _ in worths}) > 1
    seen["many worths"] += len(worths) > 2
    seen["lost, but a move gains"] += (
        lost and told.best is not None and told.best.score == told.score
    )
    seen["two moves, one position"] += len(set(tableaux)) < len(tableaux)
    seen["a move that changes nothing"] += tableau_of(position) in tableaux
    seen["a removal"] += any(move.step.removes for move in told.moves)


KINDS = (
    "stuck",
    "some moves lose",
    "many worths",
    "lost, but a move gains",
    "two moves, one position",
    "a move that changes nothing",
    "a removal",
)


@pytest.mark.kernel
@pytest.mark.parametrize("run_score", [100, pytest.param(3, marks=pytest.mark.slow)])
def test_small_decks(rng: Random, run_score: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a run brings little, best lines may end early."""
    monkeypatch.setattr(rules, "RUN_SCORE", run_score)
    seen = Counter[str]()
    for suits in (1, 2, 4):
        seen += compare(rng, suits, 1 if numba.config.DISABLE_JIT else 25)
    assert numba.config.DISABLE_JIT or min(seen[kind] for kind in KINDS) > 2, seen


@pytest.mark.slow
@pytest.mark.parametrize("run_score", [100, 3])
@pytest.mark.parametrize("suits", [1, 2, 4])
def test_many_small_decks(
    rng: Random, suits: int, run_score: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "RUN_SCORE", run_score)
    seen = compare(rng, suits, 250)
    assert min(seen[kind] for kind in KINDS) > 0, seen


def without_conclusions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each position searched for itself, and nothing told to others."""

    def nothing(*_: object, **__: object) -> None:
        pass

    def is_undecided(_: object, place: hints._Place) -> bool:
        return place.finding.verdict is Verdict.UNDETERMINED

    monkeypatch.setattr(hints._Hints, "_spread", nothing)
    monkeypatch.setattr(hints._Hints, "_follow", nothing)
    monkeypatch.setattr(hints._Hints, "_is_undecided", is_undecided)


def facts(told: Hint) -> object:
    """All that a hint says of the game, whatever the order of its moves."""
    moves = sorted((m.step.move, m.verdict, m.score, m.score_bound) for m in told.moves)
    return told.verdict, told.score, told.score_bound, moves


def positions_of_codes(rng: Random, count: int) -> Iterator[Position]:
    """Positions of full decks, some moves before the end of a win, some random ones on."""
    while count:
        letters = "".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=7))
        position = parse_code(f"SS1-S{rng.choice((1, 2, 4))}-{letters}").deal()
        win = check(position).solution
        if win:
            count -= 1
            moves = [step.move for step in win][: -rng.randint(1, 30)]
            yield list(random_walk(rng, replay(position, moves)[1], rng.randint(0, 4)))[-1]


def test_conclusions_are_what_searches_find(rng: Random) -> None:
    told_states = searched_states = 0
    for position in positions_of_codes(rng, 10):
        told = hint(position)
        with pytest.MonkeyPatch.context() as patched:
            without_conclusions(patched)
            searched = hint(position)
        assert facts(told) == facts(searched)
        assert is_complete(told)
        told_states += told.states
        searched_states += searched.states
    assert told_states < searched_states


def test_the_score_is_that_of_solve(rng: Random) -> None:
    for position in positions_of_codes(rng, 6):
        told, solved = hint(position), solve(position)
        assert (told.verdict, told.score) == (solved.verdict, solved.score)
        for move in told.moves:
            after = solve(apply(position, move.step.move), moves_made=1)
            assert (move.verdict, move.score) == (after.verdict, after.score)


@settings(max_examples=15, deadline=None)
@given(positions(), st.sampled_from((1, 20, 400)))
def test_any_position(position: Position, state_limit: int) -> None:
    """No answer under limits contradicts another one."""
    told = hint(position, state_limit=state_limit)
    answers = [(position, told.verdict, told.score or 0, told.score_bound)]
    answers += [
        (apply(position, m.step.move), m.verdict, (m.score or 0) + 1, m.score_bound + 1)
        for m in told.moves[:12]
    ]
    for where, verdict, points, bound in answers:
        solved = solve(where, state_limit=400)
        assert Verdict.UNDETERMINED in (verdict, solved.verdict) or verdict is solved.verdict
        assert points <= solved.score_bound
        assert solved.score <= bound


@pytest.mark.parametrize(
    "state_limit",
    [1, 30, 1000, *[pytest.param(limit, marks=pytest.mark.slow) for limit in (3, 10, 100, 300)]],
)
def test_what_limits_leave_is_true(rng: Random, state_limit: int) -> None:
    seen = Counter[str]()
    for deck, truth in small_truths(rng, rng.choice((1, 2, 4)), 25):
        for tableau in interesting(rng, deck, truth):
            position = position_of(tableau, deck)
            told = hint(position, state_limit=state_limit)
            assert_true(position, told, truth)
            assert told.states <= state_limit
            assert (told.stopped_by is None) == is_complete(told)
            assert told.stopped_by in (None, StoppedBy.STATES)
            seen[str(told.verdict)] += 1
            seen["stopped"] += told.stopped_by is not None
    assert seen["winnable"]
    assert seen["unwinnable"]
    assert seen["stopped"] or state_limit > 100
    assert seen["undetermined"] or state_limit > 3


def test_a_position_that_is_hard_to_decide() -> None:
    position = parse_code(HARD).deal()
    told = hint(position, state_limit=3_000)
    assert (told.verdict, told.stopped_by) == (Verdict.UNDETERMINED, StoppedBy.STATES)
    assert {move.verdict for move in told.moves} == {Verdict.UNDETERMINED, Verdict.UNWINNABLE}
    assert told.states == 3_000
    assert (told.score, told.score_bound > 800) == (500, True)
    decided = hint(position, scores=False)
    assert (decided.verdict, decided.stopped_by) == (Verdict.UNWINNABLE, None)
    assert {move.verdict for move in decided.moves} == {Verdict.UNWINNABLE}


def test_limits_of_time_and_memory() -> None:
    position = parse_code(HARD).deal()
    for told, reason in (
        (hint(position, time_limit=1e-6), StoppedBy.TIME),
        (hint(position, memory_limit=1), StoppedBy.MEMORY),
    ):
        assert (told.verdict, told.stopped_by) == (Verdict.UNDETERMINED, reason)
        assert len(told.moves) == len(legal_moves(position))


def test_parts_of_the_limits() -> None:
    """What is lent is a part of what is left; where nothing is left, nothing is lent."""
    control = Control(Limits(seconds=3600, states=100), None)
    control.states = 20
    with control.lending(4):
        assert control.budget(1_000) == 20
        assert control.limits.seconds < 3600 / 4 + 60
    with control.lending(4, states=5):
        assert control.budget(1_000) == 5
        control.states = 25
        with pytest.raises(Stopped) as stop:
            control.budget(1)
        assert stop.value.reason is StoppedBy.STATES
    assert control.budget(1_000) == 75
    control.states = 99
    with control.lending(50):
        assert control.budget(1_000) == 1
    control.states = 100
    with pytest.raises(Stopped), control.lending(2):
        pytest.fail("nothing was left")
    endless = Control(Limits(seconds=0), None)
    with endless.lending(7):
        assert (endless.budget(1_000), endless.limits.seconds) == (1_000, 0)
    with endless.lending(7, states=9):
        assert endless.budget(1_000) == 9


def test_no_move_starves_the_others() -> None:
    """To prove the score of one move alone takes about as many states as there are for all."""
    told = hint(parse_code("SS1-S4-AAAAAAC").deal(), state_limit=150_000)
    assert (told.stopped_by, told.score, told.best_proven) == (StoppedBy.STATES, 838, True)
    gaps = [move.score_bound - (move.score or 0) for move in told.moves]
    assert gaps.count(0) == 3
    assert max(gaps) == 2


def test_won_and_stuck() -> None:
    won = hint(board("|".join([""] * 10), DECKS[1], removed=(0, 0, 0, 0)), moves_made=44)
    assert (won.verdict, won.moves, won.best) == (Verdict.WINNABLE, (), None)
    assert (won.score, won.best_proven, won.stopped_by) == (856, True, None)
    stuck = hint(read_deal("kpat:46"), moves_made=2)
    assert (stuck.verdict, stuck.moves, stuck.best) == (Verdict.UNWINNABLE, (), None)
    assert (stuck.score, stuck.best_proven, stuck.stopped_by) == (498, True, None)


def test_the_last_move() -> None:
    """Other moves take it up again, or change nothing but the order of the columns."""
    run = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S"
    told = hint(board(f"{run}|2S AS||", removed=(0, 0, 0)), moves_made=30)
    assert told.best is not None
    assert (str(told.best.step.move), told.best.step.removes) == ("2>1:2", (0,))
    assert (told.best.score, told.score) == (869, 869)
    idle = {"2>3:2", "2>4:2", "1>3:11", "1>4:11"}
    for move in told.moves[1:]:
        assert move.verdict is Verdict.WINNABLE
        assert (move.score, move.best_proven) == (868 if str(move.step.move) in idle else 867, True)
    assert idle < {str(move.step.move) for move in told.moves}


def test_moves_made_and_deals() -> None:
    deal = read_deal("SS1-S4-AAAAABD").after(parse_moves("9>10"))
    told, later = hint(deal), hint(deal, moves_made=4)
    assert (told.score, later.score) == (840, 836)
    assert [move.score for move in later.moves] == [(m.score or 0) - 4 for m in told.moves]
    with pytest.raises(InputError, match="moves_made of at least 0, got -1"):
        hint(deal, moves_made=-1)
    with pytest.raises(TypeError, match="expected a Deal"):
        hint("SS1-S4-AAAAABD")  # type: ignore[arg-type]


def test_the_best_move_begins_the_best_line() -> None:
    deal = read_deal("SS1-S4-AAAAABD")
    for step in solve(deal).solution[:12]:
        told = hint(deal)
        assert told.best is not None
        assert (told.best.score, told.best.best_proven) == (840, True)
        assert step.move in [move.step.move for move in told.moves if move.score == 840]
        deal = deal.after([step.move])


def test_verdicts_alone() -> None:
    deal = read_deal("SS1-S4-AAAAABD")
    told = hint(deal, scores=False)
    assert {move.verdict for move in told.moves} == {Verdict.WINNABLE} == {told.verdict}
    assert {move.score for move in told.moves} == {None} == {told.score}
    assert not any(move.best_proven for move in told.moves)
    assert told.states < hint(deal).states
    assert told.stopped_by is None


def interrupt() -> None:
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def usual_interrupts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ctrl-C as in the foreground, and a report of the progress after each step."""
    monkeypatch.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("usual_interrupts")
def test_interrupt_ends_with_what_is_known() -> None:
    deal = read_deal("SS1-S4-AAAAABD")

    def interrupt_the_scores(progress: Progress) -> None:
        if progress.stage == "looking at 5>7:1":
            interrupt()

    told = hint(deal, on_progress=interrupt_the_scores, catch_interrupt=True)
    assert (told.verdict, told.stopped_by) == (Verdict.WINNABLE, StoppedBy.INTERRUPT)
    assert (told.score, told.best_proven) == (840, True)
    assert {move.verdict for move in told.moves} == {Verdict.WINNABLE}
    assert not is_complete(told)
    with pytest.raises(KeyboardInterrupt):
        hint(deal, on_progress=interrupt_the_scores)
    assert is_complete(hint(deal))


@pytest.mark.usefixtures("usual_interrupts")
def test_an_interrupt_before_the_search_is_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    roads = hints._roads

    def once(*arguments: object) -> object:
        monkeypatch.setattr(hints, "_roads", roads)
        interrupt()
        return roads(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(hints, "_roads", once)
    told = hint(read_deal("SS1-S4-AAAAABD"), catch_interrupt=True)
    assert (told.verdict, told.stopped_by) == (Verdict.UNDETERMINED, StoppedBy.INTERRUPT)
    assert len(told.moves) == 5


def test_progress_tells_of_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simon_solver.search.control.PROGRESS_SECONDS", 0.0)
    seen: list[Progress] = []
    told = hint(read_deal("SS1-S4-AAAAABD"), on_progress=seen.append)
    stages = list(dict.fromkeys(progress.stage for progress in seen))
    assert "proving the best score" in stages
    assert "looking at 5>7:1" in stages
    scores = [progress.score for progress in seen if progress.score is not None]
    bounds = [progress.score_bound or 0 for progress in seen]
    assert scores == sorted(scores)
    assert bounds == sorted(bounds, reverse=True)
    assert scores[-1] == bounds[-1] == told.score
    assert seen[-1].states == told.states


def test_verdicts_that_contradict_each_other_are_never_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here all positions after the moves are taken for lost, though the moves can be taken back."""
    position, at_sight = parse_code("SS1-S4-AAAAABD").deal(), hints._nothing_known

    def wrong(other: Position, moves_made: int) -> Finding:
        finding = at_sight(other, moves_made)
        if other != position:
            finding.verdict = Verdict.UNWINNABLE
        return finding

    monkeypatch.setattr(hints, "_nothing_known", wrong)
    monkeypatch.setattr(hints, "_sum_up", lambda _: None)
    with pytest.raises(RuntimeError, match="contradict each other"):
        hint(position)
