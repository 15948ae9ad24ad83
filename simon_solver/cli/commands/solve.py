"""``solve``: finds and proves the best score of a deal, and lists the moves."""

from __future__ import annotations

from typing import Any

import click

from simon_solver.answers.results import SolveResult
from simon_solver.cli.shared.exit_codes import EXIT_INTERRUPTED
from simon_solver.cli.shared.notations import notation_options, speech_of
from simon_solver.cli.shared.options import (
    JSON,
    TEXT_OR_FILE,
    format_option,
    limit_options,
    number,
)
from simon_solver.cli.shared.output import put, style_of_output
from simon_solver.cli.shared.searching import search
from simon_solver.cli.shared.starts import Start, deal_argument, start_options
from simon_solver.cli.shared.verdicts import exit_code_of
from simon_solver.errors import InputError
from simon_solver.game.deal import Deal
from simon_solver.render.records import Record, solve_record, to_json
from simon_solver.render.solved import solve_facts, solve_text
from simon_solver.search.verdict import Verdict

DEFAULT_DELAY = 1.0


@click.command("solve")
@deal_argument
@click.option("--first", is_flag=True, help="Stop at the first win; its score may not be the best.")
@click.option(
    "--difficulty", "rated", is_flag=True, help="Also rate the difficulty of a winnable deal."
)
@limit_options(memory_mib=4096)
@start_options
@notation_options("Write the moves")
@click.option(
    "--html",
    "html_file",
    metavar="FILE",
    type=TEXT_OR_FILE,
    help="Also write an .html page to step through the moves in any browser or on a phone.",
)
@click.option(
    "--watch", "watched", is_flag=True, help="Play the moves in the terminal once they are found."
)
@click.option(
    "--delay",
    metavar="SECONDS",
    type=number("a number of seconds", float, 0),
    help=f"Seconds to show each board with --watch (default: {DEFAULT_DELAY:g}).",
)
@format_option
def solve_command(
    start: Start,
    first: bool,
    rated: bool,
    notation: str | None,
    mixed_runs: bool,
    html_file: str | None,
    watched: bool,
    delay: float | None,
    output_format: str,
    **limits: Any,
) -> int:
    """Find the best score of DEAL, prove it, and list the moves.

    DEAL is a game code, a numbered deal (kpat:N, ms:N, pysol:N), a file (a board, a spoken
    description or a saved game), or - for standard input.

    Exit code: 0 winnable, 1 unwinnable, 2 bad input, 3 undetermined (a limit ended the search),
    130 interrupted.

    \b
    Examples:
      simon-solver solve SS1-S4-AAAAABD
      simon-solver solve --first --format json kpat:72
      simon-solver solve --difficulty SS1-S4-AAAAABD
      simon-solver solve SS1-S4-AAAAABD --after '9>10' --time-limit 300
      simon-solver solve kpat:72 --notation spoken --mixed-runs
      simon-solver solve --layout eight-columns.cardz SS1-S4-AAAAABD
      simon-solver solve kpat:72 --html kpat72.html
      simon-solver solve kpat:72 --watch --delay 2
    """  # noqa: D301 - click's mark
    speech = speech_of(notation, mixed_runs, output_format)
    _check_display(html_file, watched, delay, output_format)
    deal = start.deal()

    def show(result: SolveResult) -> None:
        rating, grade = _rating(deal, result) if rated else ({}, "")
        if output_format == JSON:
            put(to_json({**solve_record(deal, result), **rating}))
        else:
            put(solve_text(deal, result, style_of_output(), first, speech, grade))
        if html_file is not None:
            from simon_solver.render.page import write_page  # noqa: PLC0415 - rarely needed

            write_page(deal, result, html_file, first)

    result, interrupted = search(deal, show, best=not first, **limits)
    code = exit_code_of(result, interrupted)
    if watched and result.solution and code != EXIT_INTERRUPTED:
        _watch(deal, result, first, DEFAULT_DELAY if delay is None else delay)
    return code


def _rating(start: Deal, result: SolveResult) -> tuple[Record, str]:
    """How hard the deal is, if it is known that it can be won, as JSON and in words."""
    from simon_solver.answers.difficulty import difficulty  # noqa: PLC0415 - rarely needed
    from simon_solver.render.grades import difficulty_record, grade_text  # noqa: PLC0415

    measured = difficulty(start) if result.verdict is Verdict.WINNABLE else None
    return difficulty_record(measured), grade_text(result.verdict, measured)


def _check_display(
    html_file: str | None, watched: bool, delay: float | None, output_format: str
) -> None:
    """Complain of what cannot be shown as wanted, before any work."""
    if watched and output_format == JSON:
        raise click.UsageError("--watch cannot be used with --format json")
    if delay is not None and not watched:
        raise click.UsageError("--delay needs --watch")
    if html_file is not None:
        from simon_solver.render.page import check_page  # noqa: PLC0415 - rarely needed

        check_page(html_file)
    if watched:
        try:
            from simon_solver.cli.shared.terminal import check_terminal  # noqa: PLC0415
        except ImportError:
            raise InputError("--watch needs a Unix terminal") from None

        check_terminal("--watch")


def _watch(start: Deal, result: SolveResult, first: bool, delay: float) -> None:
    from simon_solver.cli.shared.watch import watch  # noqa: PLC0415 - rarely needed, and only on Unix
    from simon_solver.render.scenes import scenes_of  # noqa: PLC0415

    facts = solve_facts(start, result, style_of_output(), first)
    title = f"{facts['deal']}: {facts['verdict']}, {facts['score']}"
    watch(title, scenes_of(start, result), delay)
