"""``show``: draws the board."""

from __future__ import annotations

import click

from simon_solver.cli.options import (
    JSON,
    after_option,
    deal_argument,
    format_option,
    load_deal,
    moves_made_option,
)
from simon_solver.cli.output import put, style_of_output
from simon_solver.render.records import show_record, to_json
from simon_solver.render.text import show_text


@click.command("show")
@deal_argument
@after_option
@moves_made_option
@format_option
def show_command(deal: str, after: str | None, moves_made: int, output_format: str) -> None:
    """Draw the board of DEAL, base cards at the top, playable cards at the bottom.

    DEAL is a game code, a numbered deal (kpat:N, ms:N, pysol:N), a file with a board, its spoken
    description or a saved game, or - for standard input.

    \b
    Examples:
      simon-solver show SS1-S4-AAAAABD
      simon-solver show SS1-S4-AAAAABD --after '9>10'
      simon-solver show --format json kpat:72
    """  # noqa: D301 - click's mark
    start = load_deal(deal, after, moves_made)
    if output_format == JSON:
        put(to_json(show_record(start)))
    else:
        put(show_text(start, style_of_output()))
