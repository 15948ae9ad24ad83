"""What the searches of one call have found so far.

Why `score_bound` holds: [B.1] in `docs/algorithms/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simon_solver.game.moves import Move
from simon_solver.game.rules import score
from simon_solver.search.verdict import StoppedBy, Verdict


@dataclass
class Finding:
    """What the searches of one call know so far.

    `ways[r]` is a proven lower bound on the moves after which r more runs can be removed; its last
    entry is about a win. `win` is the best win known, if the verdict is winnable; `line` is the
    best line known of those that need not win, and removes at least `runs` runs. Scores are totals:
    they count the moves made and the runs removed before the position.
    """

    ways: list[int]
    moves_made: int
    removed: int
    verdict: Verdict = Verdict.UNDETERMINED
    win: list[Move] = field(default_factory=list)
    line: list[Move] = field(default_factory=list)
    runs: int = 0
    stopped_by: StoppedBy | None = None

    def need(self, runs: int, moves: int) -> None:
        """Note that so many runs, and so any more, take so many moves at least."""
        for more in range(runs, len(self.ways)):
            self.ways[more] = max(self.ways[more], moves)

    def score(self, moves: int, runs: int) -> int:
        """The total score after so many moves and removals from the position on."""
        return score(self.moves_made + moves, self.removed + runs)

    @property
    def all_runs(self) -> int:
        """Runs that a win removes."""
        return len(self.ways) - 1

    @property
    def score_bound(self) -> int:
        """Proven upper bound on the score of any line."""
        ways = self.ways[:-1] if self.verdict is Verdict.UNWINNABLE else self.ways
        return max(self.score(moves, runs) for runs, moves in enumerate(ways))

    @property
    def best_score(self) -> int:
        """The score of the best line known."""
        best = self.score(len(self.line), self.runs)
        if self.verdict is Verdict.WINNABLE:
            best = max(best, self.score(len(self.win), self.all_runs))
        return best
