"""``hint``: says whether the game can still be won and what each legal move is worth."""

from __future__ import annotations

from typing import Any

import click

from simon_solver.answers.results import Hint
from simon_solver.cli.shared.options import (
    JSON,
    format_option,
    limit_options,
)
from simon_solver.cli.shared.output import put, style_of_output
from simon_solver.cli.shared.searching import search_hint
from simon_solver.cli.shared.starts import Start, deal_argument, start_options
from simon_solver.cli.shared.verdicts import exit_code_of
from simon_solver.render.hints import hint_text
from simon_solver.render.records import hint_record, to_json


@click.command("hint")
@deal_argument
@limit_options(memory_mib=4096)
@start_options
@format_option
def hint_command(
    start: Start,
    output_format: str,
    **limits: Any,
) -> int:
    """Show the best next move and what each legal move is worth.

    Says whether DEAL can still be won, and for each legal move whether a win stays possible, and
    the best score still reachable. Verdicts are found first, then scores as far as the limits
    allow; scores that are not proven are marked.

    DEAL is a game code, a numbered deal (kpat:N, ms:N, pysol:N), a file (a board, a spoken
    description or a saved game), or - for standard input.

    Exit code: 0 winnable, 1 unwinnable, 2 bad input, 3 undetermined (a limit ended the search),
    130 interrupted.

    \b
    Examples:
      simon-solver hint SS1-S4-AAAAABD
      simon-solver hint kpat:72 --after '10>1 6>8:2' --time-limit 10
      simon-solver hint --format json ms:24
    """  # noqa: D301 - click's mark
    deal = start.deal()

    def show(hint: Hint) -> None:
        if output_format == JSON:
            put(to_json(hint_record(deal, hint)))
        else:
            put(hint_text(deal, hint, style_of_output()))

    return exit_code_of(*search_hint(deal, show, **limits))
