"""``verify``: replays a solution by the rules alone."""

from __future__ import annotations

from typing import Any

import click

from simon_solver.answers.results import SolveResult
from simon_solver.answers.verification import Outcome, verify_solution
from simon_solver.cli.shared.exit_codes import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_NO, EXIT_OK
from simon_solver.cli.shared.notations import notation_options, speech_of
from simon_solver.cli.shared.options import (
    JSON,
    TEXT_OR_FILE,
    format_option,
    limit_options,
    stdin_bytes,
)
from simon_solver.cli.shared.output import put, style_of_output
from simon_solver.cli.shared.running import report
from simon_solver.cli.shared.starts import Start, deal_argument, start_options
from simon_solver.errors import InputError
from simon_solver.reading.arguments import STANDARD_INPUT
from simon_solver.reading.solutions.known import read_solution
from simon_solver.reading.solutions.printed import Form
from simon_solver.render.records import to_json, verify_record
from simon_solver.render.verified import verify_text
from simon_solver.search.verdict import StoppedBy

_EXIT_CODES = {
    Outcome.WON: EXIT_OK,
    Outcome.NOT_WON: EXIT_NO,
    Outcome.ILLEGAL: EXIT_BAD_INPUT,
}


@click.command("verify")
@deal_argument
@click.argument("moves", metavar="MOVES", type=TEXT_OR_FILE)
@click.option("--improve", is_flag=True, help="Also show the best line found within the limits.")
@limit_options(memory_mib=4096, each=" for --improve")
@start_options
@notation_options("List the moves played")
@format_option
def verify_command(
    start: Start,
    moves: str,
    improve: bool,
    notation: str | None,
    mixed_runs: bool,
    output_format: str,
    **limits: Any,
) -> int:
    """Replay MOVES from DEAL by the rules and print the outcome.

    MOVES is a quoted list like '4>7:2 3>5' (from > to : number of cards, which may be left out
    when only one is legal), a file, or - for standard input. Separate moves with spaces or line
    breaks; # starts a comment; a line such as 4 7 2 works too. The output of solve (text or JSON)
    and of fc-solve (-m or -sam) can also be verified. When fc-solve moves a mixed-suit sequence at
    once, the single moves it takes are played, counted and listed.

    Exit code: 0 legal and won, 1 legal but not won, 2 illegal or unreadable.

    \b
    Examples:
      simon-solver verify SS1-S4-AAAAABD '9>10:1' || echo 'not won yet'
      echo '9>10' | simon-solver verify --format json SS1-S4-AAAAABD -
      fc-solve -g simple_simon -m board.txt | simon-solver verify --improve board.txt -
    """  # noqa: D301 - click's mark
    if moves == STANDARD_INPUT and STANDARD_INPUT in (start.argument, start.after):
        raise InputError("standard input cannot be both the deal and the moves")
    speech = speech_of(notation, mixed_runs, output_format)
    deal = start.deal()
    solution = read_solution(moves, stdin_bytes())
    replay = verify_solution(deal, solution)
    listed = notation is not None or mixed_runs or solution.form is Form.FC_SOLVE

    def show(best: SolveResult | None) -> None:
        if output_format == JSON:
            put(to_json(verify_record(deal, replay, best)))
        else:
            style = style_of_output()
            put(verify_text(deal, replay, style, best, speech, listed=listed))

    if improve and not replay.error:
        from simon_solver.cli.shared.searching import search  # noqa: PLC0415 - rarely needed

        result, interrupted = search(deal, show, best=True, **limits)
        if interrupted or result.stopped_by is StoppedBy.INTERRUPT:
            return EXIT_INTERRUPTED
    else:
        show(None)
    if replay.error:
        report(replay.error)
    return _EXIT_CODES[replay.outcome]
