"""Advises a player in the middle of a game: can it still be won, and what to do now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from simon_solver.answers.hints import hint
from simon_solver.answers.results import CheckResult, Hint, SolveResult
from simon_solver.answers.solver import check, solve
from simon_solver.game.deal import Deal
from simon_solver.game.played import PlayedGame
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, apply
from simon_solver.search.limits import Limits
from simon_solver.search.progress import ProgressCallback
from simon_solver.search.verdict import StoppedBy, Verdict

Result = TypeVar("Result", Hint, CheckResult, SolveResult)

_LEAST_SECONDS = 0.01  # of a question; 0 would be no limit


@dataclass(frozen=True)
class Advice:
    """The verdict of a game as it stands, and what helps its player.

    `keeping` of the `choices` legal moves keep the win, None where this is not known of all.
    """

    verdict: Verdict
    keeping: int | None = None
    choices: int = 0
    best: Step | None = None
    """The first move of the best line known, or one that keeps the win if no line is known."""
    score: int | None = None
    """What the best line comes to; None where it was not looked for, as a game that was lost by a
    move has better ones before it."""
    score_bound: int | None = None
    """No line comes to more; None as `score`."""
    back: int | None = None
    """Of a lost game: moves to take back until it is proven that it can be won; None: no number."""
    lost_from_the_start: bool = False
    """It is proven that the game could not be won at its start."""
    stopped_by: StoppedBy | None = None


class _Budget:
    """Asks several questions within one time limit; what compiling takes counts for none."""

    def __init__(self, limits: Limits, on_progress: ProgressCallback | None) -> None:
        self._limited = limits.seconds > 0
        self._left = limits.seconds
        self._options: dict[str, Any] = {
            "memory_limit": limits.memory_mib,
            "state_limit": limits.states,
            "on_progress": on_progress,
            "catch_interrupt": True,
        }

    def ask(
        self, question: Callable[..., Result], start: Position | Deal, parts: int = 1, **more: Any
    ) -> Result:
        """The answer, for which there is one of so many parts of the time that is left."""
        seconds = max(self._left / parts, _LEAST_SECONDS) if self._limited else 0.0
        result = question(start, time_limit=seconds, **self._options, **more)
        self._left -= result.seconds
        return result


def advise(
    game: PlayedGame,
    *,
    time_limit: float = 10.0,
    memory_limit: int = 2048,
    state_limit: int = 0,
    on_progress: ProgressCallback | None = None,
) -> Advice:
    """Advice on a game, within wall seconds for the whole; other limits hold for each search.

    Ctrl-C ends it with what is known, as with `catch_interrupt` in `solver.solve`.

    Raises:
        LimitError: a limit is out of range.
        PositionError: the position has more columns than the search can hold.
    """
    budget = _Budget(Limits(time_limit, memory_limit, state_limit), on_progress)
    # Moves that are hard to decide leave half of the time for the best line.
    advice = _of_moves(budget.ask(hint, game.deal, parts=2, scores=False))
    if advice.verdict is Verdict.UNWINNABLE and advice.stopped_by is not StoppedBy.INTERRUPT:
        advice = _with_way_back(advice, game, budget)
    if advice.back is not None or advice.stopped_by is StoppedBy.INTERRUPT:
        return advice
    return _with_line(advice, budget.ask(solve, game.deal))


def _of_moves(known: Hint) -> Advice:
    """What the verdicts after each move tell."""
    verdicts = [move.verdict for move in known.moves]
    best = known.best
    return Advice(
        known.verdict,
        None if Verdict.UNDETERMINED in verdicts else verdicts.count(Verdict.WINNABLE),
        len(verdicts),
        best.step if best is not None and best.verdict is Verdict.WINNABLE else None,
        stopped_by=known.stopped_by,
    )


def _with_line(advice: Advice, result: SolveResult) -> Advice:
    """The advice with the best line as well; that of a game that can be won wins if it can."""
    if advice.verdict is Verdict.WINNABLE is not result.verdict:
        return replace(advice, stopped_by=result.stopped_by)
    return replace(
        advice,
        verdict=result.verdict if advice.verdict is Verdict.UNDETERMINED else advice.verdict,
        best=result.solution[0] if result.solution else None,
        score=result.score,
        score_bound=result.score_bound,
        stopped_by=result.stopped_by or advice.stopped_by,
    )


def _with_way_back(advice: Advice, game: PlayedGame, budget: _Budget) -> Advice:
    """The advice on a lost game with the moves to take back.

    A game that is lost stays so, and one that can be won could be before: halving finds the move.
    """
    positions = [game.start.position]
    for step in game.steps:
        positions.append(apply(positions[-1], step.move))
    last = len(game.steps)
    won, not_won, lost, stopped_by = -1, last, last == 0, advice.stopped_by
    while not_won - won > 1 and stopped_by is not StoppedBy.INTERRUPT:
        middle = (won + not_won) // 2
        result = budget.ask(check, positions[middle])
        stopped_by = result.stopped_by or stopped_by
        if result.verdict is Verdict.WINNABLE:
            won = middle
        else:
            not_won, lost = middle, middle == 0 and result.verdict is Verdict.UNWINNABLE
    back = None if won < 0 else last - won
    return replace(advice, back=back, lost_from_the_start=lost, stopped_by=stopped_by)
