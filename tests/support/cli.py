"""Running the command line in tests: in this process with a stand-in solver, or in its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from click.testing import CliRunner, Result

from simon_solver.answers.results import CheckResult, Hint, MoveHint, SolveResult
from simon_solver.cli.main import PROGRAM, cli
from simon_solver.game.deal import Deal
from simon_solver.game.rules import legal_moves, play, score
from simon_solver.search.verdict import StoppedBy, Verdict


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    """Run ``simon-solver`` with these arguments in this process."""
    return CliRunner().invoke(cli, list(arguments), input=stdin, prog_name=PROGRAM)


def run_process(
    *arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m simon_solver`` with these arguments in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "simon_solver", *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, **(environment or {})},
        timeout=120,
        check=False,
    )


def error_line(result: Result) -> str:
    """The one line on standard error, without the word that it begins with."""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("Error: ")
    return lines[0].removeprefix("Error: ")


class StandInSolver:
    """Takes the place of the solver: notes how it is called, answers what it is told to."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.answers: list[Verdict | StoppedBy | BaseException] = []

    def _answer(self, deal: Deal, options: dict[str, Any]) -> tuple[Any, Any]:
        assert options.pop("catch_interrupt") is True
        self.calls.append({"deal": deal, **options})
        answer = self.answers.pop(0) if self.answers else Verdict.WINNABLE
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, StoppedBy):
            return Verdict.UNDETERMINED, answer
        return answer, None

    def solve(self, deal: Deal, **options: Any) -> SolveResult:
        """No line at all, with the verdict wanted."""
        verdict, stopped_by = self._answer(deal, options)
        moves, removed = deal.moves_made, len(deal.position.removed)
        points = score(moves, removed)
        bound = points if verdict is Verdict.UNWINNABLE else 850
        return SolveResult(verdict, points, moves, removed, bound, (), stopped_by, 7, 0.25)

    def check(self, deal: Deal, **options: Any) -> CheckResult:
        """The verdict wanted."""
        verdict, stopped_by = self._answer(deal, options)
        return CheckResult(verdict, (), stopped_by, 7, 0.25)

    def hint(self, deal: Deal, **options: Any) -> Hint:
        """The verdict wanted, after each move as well."""
        verdict, stopped_by = self._answer(deal, options)
        points = score(deal.moves_made, len(deal.position.removed))
        moves = tuple(
            MoveHint(play(deal.position, move)[0], verdict, points - 1, 850)
            for move in legal_moves(deal.position)
        )
        return Hint(verdict, points, 850, moves, stopped_by, 7, 0.25)


def codes(answers: Sequence[object]) -> list[str]:
    """As many game codes as there are answers."""
    return [f"SS1-S4-AAAAAA{chr(ord('A') + number)}" for number in range(len(answers))]
