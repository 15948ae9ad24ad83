"""Answers `check` and `solve`: runs the searches within limits and replays what they find.

Every line that leaves here was replayed by `rules.replay` [P.2]. Positions are told apart by
128-bit keys; what a collision could do, and how likely it is: [S.7]. Numbers in brackets are
statements of `docs/algorithms/`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from simon_solver.answers.results import CheckResult, SolveResult
from simon_solver.errors import InputError
from simon_solver.game.deal import Deal, deal_of
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, replay
from simon_solver.search.control import Control, Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.limits import Limits, need_whole_number
from simon_solver.search.portfolio import Portfolio, task_of
from simon_solver.search.progress import ProgressCallback
from simon_solver.search.removal_bound import fewest_moves_to_remove
from simon_solver.search.verdict import StoppedBy, Verdict

__all__ = ["check", "solve"]


def check(
    start: Position | Deal,
    *,
    time_limit: float = 60.0,
    memory_limit: int = 2048,
    state_limit: int = 0,
    on_progress: ProgressCallback | None = None,
    catch_interrupt: bool = False,
) -> CheckResult:
    """Decide whether the position can be won; a win comes with its moves.

    `time_limit` is in wall seconds, `memory_limit` in MiB of nodes and tables, `state_limit` in
    expanded states; a time or state limit of 0 means no limit. The first hard position on a machine
    has kernels compiled, which takes about a second that does not count towards `time_limit`.

    Ctrl-C raises KeyboardInterrupt as usual. With `catch_interrupt` it ends the search, and the
    result says what is known so far: `stopped_by` is `StoppedBy.INTERRUPT` whenever Ctrl-C was
    pressed before the answer was ready. Python delivers signals only to the main thread, so in
    other threads this has no effect.

    Raises:
        LimitError: a limit is out of range.
        PositionError: the position has more columns than the search can hold.
        TypeError: an argument is of the wrong type, such as a game code as plain text.
    """
    position = deal_of(start).position
    limits = Limits(time_limit, memory_limit, state_limit)
    finding = Finding(fewest_moves_to_remove(position), 0, len(position.removed))
    control = Control(limits, on_progress)
    with ending_on_interrupt(control, finding, catch_interrupt):
        search(position, control, finding, decide_only=True)
        steps = _replayed_win(position, finding)
    return CheckResult(
        finding.verdict, tuple(steps), finding.stopped_by, control.states, control.seconds
    )


def solve(
    start: Position | Deal,
    *,
    best: bool = True,
    time_limit: float = 60.0,
    memory_limit: int = 4096,
    state_limit: int = 0,
    moves_made: int = 0,
    on_progress: ProgressCallback | None = None,
    catch_interrupt: bool = False,
) -> SolveResult:
    """Find the verdict and the best line, and prove it best if the limits allow.

    Limits and `catch_interrupt` are as in `check`, for the whole call. `best=False` stops at the
    first win. `moves_made` is the number of moves made before the start, in addition to those that
    a `Deal` counts itself; all of them count in the totals.

    Raises:
        InputError: `moves_made` is negative.
        LimitError: a limit is out of range.
        PositionError: the position has more columns than the search can hold.
        TypeError: an argument is of the wrong type, such as a game code as plain text.
    """
    deal = deal_of(start)
    position = deal.position
    limits = Limits(time_limit, memory_limit, state_limit)
    made = all_moves_made(deal, moves_made)
    finding = Finding(fewest_moves_to_remove(position), made, len(position.removed))
    control = Control(limits, on_progress)
    with ending_on_interrupt(control, finding, catch_interrupt):
        search(position, control, finding, decide_only=not best)
        steps = best_steps(position, finding)
    runs = runs_removed(steps)
    return SolveResult(
        verdict=finding.verdict,
        score=finding.score(len(steps), runs),
        moves=made + len(steps),
        runs_removed=finding.removed + runs,
        score_bound=finding.score_bound,
        solution=tuple(steps),
        stopped_by=finding.stopped_by,
        states=control.states,
        seconds=control.seconds,
    )


def all_moves_made(deal: Deal, moves_made: int) -> int:
    """The moves made before the position: those that the deal has counted, and so many more.

    Raises:
        InputError: `moves_made` is negative.
        TypeError: it is no whole number.
    """
    need_whole_number("moves_made", moves_made)
    if moves_made < 0:
        raise InputError(f"expected moves_made of at least 0, got {moves_made}")
    return deal.moves_made + moves_made


@contextmanager
def ending_on_interrupt(control: Control, finding: Finding, catch: bool) -> Iterator[None]:
    """Let Ctrl-C end the search if it is to be caught, and tell the finding of it in any case."""
    if not catch:
        yield
        return
    with control.interruptible():
        yield
    # Asked when no later Ctrl-C can be noted, so that none is dropped.
    if control.interrupted:
        finding.stopped_by = StoppedBy.INTERRUPT


def search(position: Position, control: Control, finding: Finding, *, decide_only: bool) -> None:
    """Fill the finding, as far as the limits allow; what it knows already is not asked again."""
    if position.is_won:
        finding.verdict = Verdict.WINNABLE
        return
    with Portfolio(task_of(position), control) as portfolio:
        try:
            if finding.verdict is Verdict.UNDETERMINED:
                portfolio.decide(finding)
            if decide_only:
                return
            if finding.verdict is Verdict.WINNABLE:
                portfolio.shorten(finding)
            portfolio.explore(finding)
        except Stopped as stop:
            finding.stopped_by = stop.reason


def best_steps(position: Position, finding: Finding) -> list[Step]:
    """The best line that was found, played by the rules up to the moment of its highest score.

    Raises:
        RuntimeError, MoveError: a line is not what the search takes it for.
    """
    lines = [_replayed_win(position, finding)]
    if finding.line:
        lines.append(replay(position, finding.line)[0])
    parts = [_best_part(line, finding) for line in lines]
    return max(parts, key=lambda part: finding.score(len(part), runs_removed(part)))


def _replayed_win(position: Position, finding: Finding) -> list[Step]:
    """The win that was found, played by the rules; empty unless there is one.

    Raises:
        RuntimeError: it does not win though it should, which would be a fault of the search.
        MoveError: it breaks a rule, which would be another.
    """
    steps, end = replay(position, finding.win)
    if finding.verdict is Verdict.WINNABLE and not end.is_won:
        raise RuntimeError("a solution that should win leaves cards on the table")
    return steps


def _best_part(steps: Sequence[Step], finding: Finding) -> list[Step]:
    """The steps up to the moment of the highest score, the last one if there is a tie."""
    best = max(
        range(len(steps) + 1),
        key=lambda number: (finding.score(number, runs_removed(steps[:number])), number),
    )
    return list(steps[:best])


def runs_removed(steps: Sequence[Step]) -> int:
    """Runs that leave the table in these steps."""
    return sum(len(step.removes) for step in steps)
