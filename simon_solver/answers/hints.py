"""Rates each legal move of a position: whether it keeps the win, and the best score after it.

The position and those after its moves are asked about one after the other, and each answer limits
what the others can be. Where a move leads from A to B,

* A can be won if B can, and B cannot if A cannot. So where a move can be taken back, and another
  leads from B to A, both have the same verdict;
* each line from B makes one from A that is a move longer, so A's best score is at most a point less
  than B's, counted from the same number of moves;
* if it takes at least n moves from A to remove r runs, it takes at least n - 1 from B.

All moves of the position itself are known. So it cannot be won if no position after them can, and
removing r runs takes one move more than it does after the best of them. Positions that differ only
in the order of their columns count as one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from simon_solver.answers.results import Hint, MoveHint
from simon_solver.answers.solver import (
    all_moves_made,
    best_steps,
    ending_on_interrupt,
    runs_removed,
    search,
)
from simon_solver.game.deal import Deal, deal_of
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, apply, legal_moves, play, why_illegal
from simon_solver.game.tableau import Tableau, tableau_of
from simon_solver.search.control import Control, Stopped
from simon_solver.search.finding import Finding
from simon_solver.search.limits import Limits
from simon_solver.search.progress import Progress, ProgressCallback
from simon_solver.search.removal_bound import NEVER, fewest_moves_to_remove
from simon_solver.search.verdict import StoppedBy, Verdict

__all__ = ["Hint", "MoveHint", "hint"]

FIRST_ROUND, NEXT_ROUND = 20_000, 8
"""States that each open position gets in the first round, and the growth from round to round."""


def hint(
    start: Position | Deal,
    *,
    time_limit: float = 60.0,
    memory_limit: int = 4096,
    state_limit: int = 0,
    moves_made: int = 0,
    on_progress: ProgressCallback | None = None,
    catch_interrupt: bool = False,
    scores: bool = True,
) -> Hint:
    """Decide whether the position can be won, and whether each legal move keeps the win.

    Limits, `moves_made` and `catch_interrupt` are as in `solver.solve`, for the whole call: the
    verdicts are found first, then the best scores, unless `scores` is False. The memory limit
    applies to each search; only one runs at a time.

    Raises:
        InputError: `moves_made` is negative.
        LimitError: a limit is out of range.
        PositionError: the position has more columns than the search can hold.
        TypeError: an argument is of the wrong type, such as a game code as plain text.
    """
    deal = deal_of(start)
    limits = Limits(time_limit, memory_limit, state_limit)
    made = all_moves_made(deal, moves_made)
    control = Control(limits, None)
    position = deal.position
    root = _nothing_known(position, made)
    if on_progress is not None:
        control.on_progress = _telling_of(root, on_progress)
    with ending_on_interrupt(control, root, catch_interrupt):
        hints = _Hints(_Place(position, root), control)
        root.stopped_by = hints.fill(scores=scores)
        score, moves = hints.told(scores=scores)
    return Hint(
        root.verdict,
        score,
        root.score_bound,
        moves,
        root.stopped_by,
        control.states,
        control.seconds,
    )


def _telling_of(root: Finding, tell: ProgressCallback) -> ProgressCallback:
    """The callback that tells the verdict and scores of the root, not of what is searched."""

    def report(progress: Progress) -> None:
        known = root.verdict is not Verdict.UNDETERMINED
        best = root.best_score if known else None
        tell(replace(progress, score=best, score_bound=root.score_bound, verdict=root.verdict))

    return report


@dataclass(eq=False)
class _Place:
    """A position, what is known of it, and its moves that lead to others of the same hint.

    Findings count the same moves made for all places, those before the first.
    """

    position: Position
    finding: Finding
    move: Move | None = None
    """The first move that leads here from the root; the columns are in that order."""
    roads: list[_Road] = field(default_factory=list)
    out_of_memory: bool = False


class _Road(NamedTuple):
    """A move from one place to another."""

    move: Move
    target: _Place
    runs: int
    """Runs that the move removes."""
    columns: tuple[int, ...]
    """Where each of the target's columns is after the move."""

    def line(self, moves: Iterable[Move]) -> list[Move]:
        """The move, then these from the target on."""
        at = self.columns
        return [self.move, *(Move(at[m.source], at[m.target], m.count) for m in moves)]


class _Hints:
    """The places of one hint: the root, and each position that a move leads to."""

    def __init__(self, root: _Place, control: Control) -> None:
        self.control = control
        self.root = root
        start, moves_made = root.position, root.finding.moves_made
        self.steps = [play(start, move) for move in legal_moves(start)]
        places: dict[Tableau, _Place] = {tableau_of(start): self.root}
        for step, after in self.steps:
            if (tableau := tableau_of(after)) not in places:
                places[tableau] = _Place(after, _nothing_known(after, moves_made), step.move)
        self.places = list(places.values())
        self.after = [places[tableau_of(after)] for _, after in self.steps]
        for place in self.places:
            place.roads = list(_roads(place, places))

    def fill(self, *, scores: bool) -> StoppedBy | None:
        """Find out all that is asked for; returns the limit that came first, if one did."""
        self._spread()
        try:
            self._ask(self._is_undecided, decide_only=True)
            if scores:
                self._follow(self.root, scores=True)
                if _is_unproven(self.root):
                    # It bounds all others. No later part of the limits could be as large.
                    self._search(self.root, 2, decide_only=False)
                self._ask(self._is_unproven_move, decide_only=False)
        except Stopped as stop:
            return stop.reason
        full = any(place.out_of_memory and _is_open(place, scores) for place in self.places)
        return StoppedBy.MEMORY if full else None

    def told(self, *, scores: bool) -> tuple[int | None, tuple[MoveHint, ...]]:
        """The best score of the root, and all moves, the best first; each line is replayed."""
        scored = {id(place): _replayed(place) for place in self.places}
        score, line = scored[id(self.root)]
        first = line[0].move if line else None
        hints = [
            MoveHint(
                step,
                place.finding.verdict,
                scored[id(place)][0] - 1 if scores else None,
                place.finding.score_bound - 1,
            )
            for (step, _), place in zip(self.steps, self.after, strict=True)
        ]
        hints.sort(key=lambda hint: (*_rank(hint), hint.step.move != first))
        return score if scores else None, tuple(hints)

    def _is_undecided(self, place: _Place) -> bool:
        """The verdict is not known, and is not just that of the root."""
        returns = any(road.target is self.root for road in place.roads)
        return _is_open(place, scores=False) and not (returns and place is not self.root)

    def _is_unproven_move(self, place: _Place) -> bool:
        """It is not the root, and the verdict is known but not the best score."""
        return place is not self.root and _is_unproven(place)

    def _ask(self, is_open: Callable[[_Place], bool], *, decide_only: bool) -> None:
        """Ask about all open places, the most promising first, round after round.

        Raises:
            Stopped: a limit of the call came first.
        """
        states = FIRST_ROUND
        while places := [p for p in self.places if is_open(p) and not p.out_of_memory]:
            places.sort(key=self._promise, reverse=True)
            for number, place in enumerate(places):
                if is_open(place):
                    parts = len(places) - number
                    if place is self.root:
                        parts = min(parts, 2)
                    self._search(place, parts, states, decide_only=decide_only)
            states *= NEXT_ROUND

    def _promise(self, place: _Place) -> tuple[bool, int, int]:
        """The larger, the sooner it is worth asking about the place."""
        return place is self.root, place.finding.score_bound, place.finding.best_score

    def _search(self, place: _Place, parts: int, states: int = 0, *, decide_only: bool) -> None:
        """Spend one of so many parts of what the limits leave on a place.

        Raises:
            Stopped: the limits left nothing.
        """
        finding = place.finding
        self.control.about = f"looking at {place.move}" if place.move else ""
        finding.stopped_by = None
        with self.control.lending(parts, states):
            search(place.position, self.control, finding, decide_only=decide_only)
        place.out_of_memory = finding.stopped_by is StoppedBy.MEMORY
        self._spread()
        self._follow(place, scores=not decide_only)

    def _follow(self, place: _Place, *, scores: bool) -> None:
        """Try the line of the root that was found from this place on after all other moves.

        Most lines can be played in many orders.
        """
        line = _best_line(place.finding)
        if place.move:
            (road,) = (road for road in self.root.roads if road.target is place)
            line = road.line(line)
        gained = False
        for other in self.places:
            if other is not place and _is_open(other, scores):
                gained |= _try(other, line)
        if gained:
            self._spread()

    def _spread(self) -> None:
        """Let all places know what follows from what is known of the others."""
        before: list[object] = []
        while before != (known := [_known(place.finding) for place in self.places]):
            before = known
            for place in self.places:
                if place.finding.verdict is Verdict.UNWINNABLE:
                    place.finding.need(place.finding.all_runs, NEVER)
                for road in place.roads:
                    _tell_back(place.finding, road)
                    _tell_on(place.finding, road)
            _sum_up(self.root)


def _nothing_known(position: Position, moves_made: int) -> Finding:
    """What is known of a position at sight."""
    finding = Finding(fewest_moves_to_remove(position), moves_made, len(position.removed))
    if position.is_won:
        finding.verdict = Verdict.WINNABLE
    return finding


def _roads(place: _Place, places: dict[Tableau, _Place]) -> Iterator[_Road]:
    """The moves of a place that lead to others, one for each of them."""
    found = set()
    for move in legal_moves(place.position):
        after = apply(place.position, move)
        target = places.get(tableau_of(after))
        if target is not None and target is not place and id(target) not in found:
            found.add(id(target))
            runs = len(after.removed) - len(place.position.removed)
            yield _Road(move, target, runs, _matching(target.position, after))


def _matching(position: Position, other: Position) -> tuple[int, ...]:
    """Where each column of the position is in another one, which has the same in some order."""
    indices = defaultdict(list)
    for index, column in enumerate(other.columns):
        indices[column].append(index)
    return tuple(indices[column].pop() for column in position.columns)


def _is_open(place: _Place, scores: bool) -> bool:
    """The verdict is not known, or if `scores` the best score is not."""
    finding = place.finding
    if scores:
        return finding.score_bound > finding.best_score
    return finding.verdict is Verdict.UNDETERMINED


def _is_unproven(place: _Place) -> bool:
    """The verdict is known but not the best score."""
    return _is_open(place, scores=True) and not _is_open(place, scores=False)


def _best_line(finding: Finding) -> list[Move]:
    """The line of the best score known."""
    with_win = finding.score(len(finding.win), finding.all_runs)
    won = finding.verdict is Verdict.WINNABLE and with_win == finding.best_score
    return finding.win if won else finding.line


def _try(place: _Place, line: Sequence[Move]) -> bool:
    """Play a line of the root from this place on, without the move that led here.

    Moves that have become illegal are left out. True when the line is better than any known.
    """
    position, finding, moves = place.position, place.finding, list[Move]()
    skipped = False
    for move in line:
        if move == place.move and not skipped:
            skipped = True
        elif not why_illegal(position, move):
            position = apply(position, move)
            moves.append(move)
    runs = len(position.removed) - len(place.position.removed)
    if finding.score(len(moves), runs) <= finding.best_score:
        return False
    if position.is_won:
        _settle(finding, Verdict.WINNABLE)
        finding.win = moves
    else:
        finding.line, finding.runs = moves, runs
    return True


def _known(finding: Finding) -> object:
    """What can change by the word of others."""
    return finding.verdict, len(finding.win), finding.best_score, tuple(finding.ways)


def _tell_back(finding: Finding, road: _Road) -> None:
    """What is known from the target of a road on, with the move before it."""
    target = road.target.finding
    if target.verdict is Verdict.WINNABLE:
        known = finding.verdict is Verdict.WINNABLE
        if not known or len(target.win) + 1 < len(finding.win):
            _settle(finding, Verdict.WINNABLE)
            finding.win = road.line(target.win)
    made, runs = len(target.line) + 1, target.runs + road.runs
    if finding.score(made, runs) > finding.score(len(finding.line), finding.runs):
        finding.line, finding.runs = road.line(target.line), runs


def _tell_on(finding: Finding, road: _Road) -> None:
    """What cannot be from the start of a road on cannot be from its target."""
    target = road.target.finding
    if finding.verdict is Verdict.UNWINNABLE:
        _settle(target, Verdict.UNWINNABLE)
    for runs in range(road.runs + 1, len(finding.ways)):
        target.need(runs - road.runs, finding.ways[runs] - 1)


def _sum_up(root: _Place) -> None:
    """What cannot be after any move of the root cannot be from it.

    Its roads are all its moves but those that change nothing, which no shortest line has.
    """
    finding = root.finding
    if root.position.is_won:
        return
    if all(road.target.finding.verdict is Verdict.UNWINNABLE for road in root.roads):
        _settle(finding, Verdict.UNWINNABLE)
    for runs in range(1, len(finding.ways)):
        after = (road.target.finding.ways[max(0, runs - road.runs)] for road in root.roads)
        finding.need(runs, min(NEVER, min(after, default=NEVER) + 1))


def _settle(finding: Finding, verdict: Verdict) -> None:
    """Note a verdict that follows from others.

    Raises:
        RuntimeError: it is known to be another, which would be a fault of the search.
    """
    if finding.verdict not in (verdict, Verdict.UNDETERMINED):
        raise RuntimeError("the verdicts of a position and one after a move contradict each other")
    finding.verdict = verdict


def _replayed(place: _Place) -> tuple[int, list[Step]]:
    """The best score known, and the line that has it, replayed by the rules."""
    steps = best_steps(place.position, place.finding)
    return place.finding.score(len(steps), runs_removed(steps)), steps


_ORDER = (Verdict.WINNABLE, Verdict.UNDETERMINED, Verdict.UNWINNABLE)


def _rank(hint: MoveHint) -> tuple[int, int, bool]:
    """The smaller, the better the move."""
    return _ORDER.index(hint.verdict), -(hint.score or 0), not hint.best_proven
