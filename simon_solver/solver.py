"""Positions in, proven answers out: limits, searches, and the replay of whatever they found.

Every line that leaves here was replayed by `rules.replay`.

What a key collision could do: positions are told apart by 128-bit keys, and the table compares all
of them. If two different positions of one search had equal keys, the later one would be taken for
the earlier and not be searched, so a win below it could be missed; a win that is shown is replayed
and is never wrong. With n positions the chance is about n * n / 2^129: below 10^-22 for a hundred
million.
"""

from __future__ import annotations

from collections.abc import Sequence

from simon_solver.control import Control, Stopped
from simon_solver.partial import fewest_moves_to_remove
from simon_solver.position import Position
from simon_solver.result import CheckResult, Limits, ProgressCallback, SolveResult, Verdict
from simon_solver.rules import Step, replay, settle
from simon_solver.searcher import Finding, Searcher


def check(
    position: Position,
    *,
    time_limit: float = 60.0,
    memory_limit: int = 2048,
    state_limit: int = 0,
    on_progress: ProgressCallback | None = None,
) -> CheckResult:
    """Whether the position can be won, with a win as witness.

    `time_limit` in wall seconds, `memory_limit` in MiB of nodes and tables, `state_limit` in
    expanded states; 0 is no limit of time or states.

    Raises:
        LimitError: a limit makes no sense.
        PositionError: the position has more columns than the search can hold.
    """
    control = Control(Limits(time_limit, memory_limit, state_limit), on_progress)
    position = settle(position)
    finding = Finding(fewest_moves_to_remove(position), 0, len(position.removed))
    with control.interruptible():
        _search(position, control, finding, decide_only=True)
    steps = _replayed(position, finding)
    return CheckResult(
        finding.verdict, tuple(steps), finding.stopped_by, control.states, control.seconds
    )


def solve(
    position: Position,
    *,
    best: bool = True,
    time_limit: float = 60.0,
    memory_limit: int = 4096,
    state_limit: int = 0,
    moves_made: int = 0,
    on_progress: ProgressCallback | None = None,
) -> SolveResult:
    """The verdict and the best line, with a proof that it is the best where the limits allow.

    Limits are those of `check`, for the whole call. `best=False` stops at the first win.
    `moves_made` is the number of moves made before the position; it counts in the totals.

    Raises:
        LimitError: a limit makes no sense.
        PositionError: the position has more columns than the search can hold.
    """
    control = Control(Limits(time_limit, memory_limit, state_limit), on_progress)
    position = settle(position)
    finding = Finding(fewest_moves_to_remove(position), moves_made, len(position.removed))
    with control.interruptible():
        _search(position, control, finding, decide_only=not best)
    steps = _best_part(_replayed(position, finding), finding)
    runs = sum(len(step.removes) for step in steps)
    return SolveResult(
        verdict=finding.verdict,
        score=finding.score(len(steps), runs),
        moves=moves_made + len(steps),
        runs_removed=finding.removed + runs,
        score_bound=finding.score_bound,
        solution=tuple(steps),
        stopped_by=finding.stopped_by,
        states=control.states,
        seconds=control.seconds,
    )


def _search(position: Position, control: Control, finding: Finding, *, decide_only: bool) -> None:
    """Fill the finding, as far as the limits allow."""
    if position.is_won:
        finding.verdict = Verdict.WINNABLE
        return
    searcher = Searcher(position, control)
    try:
        searcher.decide(finding)
        if decide_only:
            return
        if finding.verdict is Verdict.WINNABLE:
            searcher.shorten(finding)
        else:
            searcher.explore(finding)
    except Stopped as stop:
        finding.stopped_by = stop.reason


def _replayed(position: Position, finding: Finding) -> list[Step]:
    """The finding's line, played by the rules.

    Raises:
        RuntimeError: it does not win though it should, which would be a fault of the search.
        MoveError: it breaks a rule, which would be another.
    """
    steps, end = replay(position, finding.moves)
    if finding.verdict is Verdict.WINNABLE and not end.is_won:
        raise RuntimeError("a solution that should win leaves cards on the table")
    return steps


def _best_part(steps: Sequence[Step], finding: Finding) -> list[Step]:
    """The steps up to the moment of the highest score, the last such moment if there are more."""
    scores, runs = [finding.score(0, 0)], 0
    for number, step in enumerate(steps, 1):
        runs += len(step.removes)
        scores.append(finding.score(number, runs))
    best = max(range(len(scores)), key=lambda number: (scores[number], number))
    return list(steps[:best])
