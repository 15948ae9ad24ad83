"""Advice to a player against breadth-first search: every fact that it tells."""

from __future__ import annotations

import os
import signal
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from simon_solver.answers import advice as module
from simon_solver.answers.advice import Advice, advise
from simon_solver.answers.solver import solve
from simon_solver.errors import LimitError
from simon_solver.game.deal import Deal
from simon_solver.game.moves import parse_moves
from simon_solver.game.played import PlayedGame
from simon_solver.game.rules import apply, legal_moves, replay
from simon_solver.game.tableau import tableau_of
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.search.progress import Progress
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.deals import SMALL_SHAPES, random_deal
from tests.support.play import LATE, LATE_LOSS
from tests.support.truth import Truth, truth_about

MADE = 7
TINY = {"time_limit": 1e-9}


def assert_true(game: PlayedGame, told: Advice, truth: Truth) -> None:
    """Everything that the advice tells is so, and all is told."""
    position = game.position
    won, best = truth[tableau_of(position)]
    after = [truth[tableau_of(apply(position, move))] for move in legal_moves(position)]
    assert told.verdict is (Verdict.WINNABLE if won else Verdict.UNWINNABLE)
    assert told.choices == len(after)
    assert told.keeping == sum(won for won, _ in after)
    assert told.stopped_by is None
    line = [step.move for step in game.steps]
    prefixes = [replay(game.start.position, line[:length])[1] for length in range(len(line) + 1)]
    winnable = [length for length, before in enumerate(prefixes) if truth[tableau_of(before)][0]]
    assert told.lost_from_the_start == (not won and not winnable)
    if not won and winnable:
        assert told.back == len(line) - winnable[-1]
        assert (told.best, told.score) == (None, None)
        return
    assert told.back is None
    assert told.score == told.score_bound == best - game.moves
    if told.best is None:
        assert not won or position.is_won
    else:
        # No move loses a point of the best line, but for the point that it costs.
        assert truth[tableau_of(apply(position, told.best.move))][1] - 1 == best


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_advice_in_games_played_at_random(suits: int, rng: Random) -> None:
    seen, decks = Counter[str](), 0
    while decks < 6:
        start = random_deal(rng, suits, *rng.choice(SMALL_SHAPES))
        truth = truth_about(start, 5_000)
        if truth is None:
            continue
        decks += 1
        for _ in range(4):
            game = PlayedGame(Deal("x", start, MADE))
            for _ in range(rng.randrange(25)):
                choices = legal_moves(game.position)
                if choices:
                    game.play(rng.choice(choices))
                elif rng.random() < 0.5:
                    game.undo()
            told = advise(game)
            assert_true(game, told, truth)
            kind = "lost" if told.verdict is Verdict.UNWINNABLE else "won"
            seen[f"{kind}, {'back' if told.back else 'no way back'}"] += 1
    assert seen["lost, back"] > 1, seen
    assert seen["won, no way back"] > 1, seen
    assert seen["lost, no way back"] > 0 or suits == 1, seen


def test_limits_are_honest() -> None:
    game = PlayedGame(parse_deal(LATE))
    told = advise(game, state_limit=1)
    assert told.stopped_by is StoppedBy.STATES
    assert told.score is not None
    assert told.score_bound is not None
    assert told.score <= 880 <= told.score_bound
    hard = PlayedGame(read_deal("SS1-S4-AAAAKXT"))
    told = advise(hard, state_limit=100)
    assert (told.verdict, told.keeping) == (Verdict.UNDETERMINED, None)
    assert told.back is None
    assert not told.lost_from_the_start


def test_a_best_that_is_not_proven() -> None:
    told = advise(PlayedGame(read_deal("SS1-S1-AAAAADE")), time_limit=0, state_limit=20_000)
    assert told.verdict is Verdict.WINNABLE
    assert told.stopped_by is StoppedBy.STATES
    assert told.best is not None
    assert told.score is not None
    assert told.score_bound is not None
    assert told.score < told.score_bound


def test_the_time_is_that_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    for question in ("hint", "check", "solve"):
        asked = getattr(module, question)

        def note(start: object, asked: Any = asked, **options: Any) -> object:
            given.append(options["time_limit"])
            return replace(asked(start, **options | {"time_limit": 0}), seconds=1.0)

        monkeypatch.setattr(module, question, note)
    game = PlayedGame(parse_deal(LATE))
    advise(game, time_limit=10)
    for move in parse_moves(f"{LATE_LOSS} 10>5 5>10"):
        game.play(move)
    assert given == [5, 9]
    advise(game, time_limit=2)
    # What is over is a least time, as 0 would be no limit.
    assert given[2:] == [1, 1, 0.01]
    advise(game, time_limit=0)
    assert given[5:] == [0, 0, 0]
    with pytest.raises(LimitError):
        advise(game, time_limit=-1)


def test_without_a_line_a_move_that_keeps_the_win_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = PlayedGame(parse_deal(LATE))
    monkeypatch.setattr(module, "solve", lambda deal, **options: solve(deal, **options | TINY))
    told = advise(game)
    assert (told.verdict, told.keeping, told.choices) == (Verdict.WINNABLE, 9, 10)
    assert (told.score, told.stopped_by) == (None, StoppedBy.TIME)
    assert told.best is not None
    assert str(told.best.move) != LATE_LOSS


@pytest.mark.parametrize("question", ["hint", "check", "solve"])
def test_ctrl_c_ends_it_with_what_is_known(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        pytest.skip("interrupts are ignored here")
    asked, calls = getattr(module, question), []

    def interrupted(*arguments: object, **options: object) -> object:
        calls.append(arguments)
        result = asked(*arguments, **options)
        # As if it had been pressed while the answer was made.
        return replace(result, stopped_by=StoppedBy.INTERRUPT)

    monkeypatch.setattr(module, question, interrupted)
    game = PlayedGame(parse_deal(LATE))
    if question == "check":
        for move in parse_moves(f"{LATE_LOSS} 10>5 5>10 10>5"):
            game.play(move)
    told = advise(game)
    assert told.stopped_by is StoppedBy.INTERRUPT
    assert len(calls) == 1
    if question == "check":
        assert told.verdict is Verdict.UNWINNABLE
        assert told.back in (None, 3, 4)
    else:
        assert told.verdict is Verdict.WINNABLE


def test_progress_is_told_and_an_interrupt_noted() -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        pytest.skip("interrupts are ignored here")
    told = []

    def interrupt(progress: Progress) -> None:
        told.append(progress)
        os.kill(os.getpid(), signal.SIGINT)

    advice = advise(PlayedGame(read_deal("SS1-S1-AAAAADE")), time_limit=0, on_progress=interrupt)
    assert told
    assert advice.stopped_by is StoppedBy.INTERRUPT
