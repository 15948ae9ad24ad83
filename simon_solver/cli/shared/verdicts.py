"""Turns verdicts into exit codes."""

from __future__ import annotations

from simon_solver.answers.results import CheckResult, Hint, SolveResult
from simon_solver.cli.shared.exit_codes import EXIT_INTERRUPTED, EXIT_NO, EXIT_OK, EXIT_UNDETERMINED
from simon_solver.search.verdict import StoppedBy, Verdict

_EXIT_CODES = {
    Verdict.WINNABLE: EXIT_OK,
    Verdict.UNWINNABLE: EXIT_NO,
    Verdict.UNDETERMINED: EXIT_UNDETERMINED,
}


def exit_code_of(result: SolveResult | CheckResult | Hint, interrupted: bool) -> int:
    """The exit code of an answer about one deal; printing it may have been interrupted."""
    if interrupted or result.stopped_by is StoppedBy.INTERRUPT:
        return EXIT_INTERRUPTED
    return _EXIT_CODES[result.verdict]
