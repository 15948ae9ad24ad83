"""``show``: draws the board."""

from __future__ import annotations

import click

from simon_solver.cli.shared.notations import notation_options, speech_of
from simon_solver.cli.shared.options import JSON, format_option
from simon_solver.cli.shared.output import put, style_of_output
from simon_solver.cli.shared.starts import Start, deal_argument, play_after, start_options
from simon_solver.game.rules import replay
from simon_solver.render.moves import move_lines
from simon_solver.render.records import show_record, to_json
from simon_solver.render.text import show_text


@click.command("show")
@deal_argument
@start_options
@notation_options("Also list the moves of --after")
@format_option
def show_command(
    start: Start,
    notation: str | None,
    mixed_runs: bool,
    output_format: str,
) -> None:
    """Draw the board of DEAL.

    Base cards are at the top, playable cards at the bottom. With --notation or --mixed-runs, the
    moves of --after are listed too.

    DEAL is a game code, a numbered deal (kpat:N, ms:N, pysol:N), a file (a board, a spoken
    description or a saved game), or - for standard input.

    Exit code: 0 shown, 2 bad input.

    \b
    Examples:
      simon-solver show SS1-S4-AAAAABD
      simon-solver show SS1-S4-AAAAABD --after '9>10'
      simon-solver show SS1-S4-AAAAABD --after '9>10' --notation spoken
      simon-solver show --format json kpat:72
    """  # noqa: D301 - click's mark
    speech = speech_of(notation, mixed_runs, output_format)
    before, moves = start.before_moves()
    deal = play_after(before, moves)
    if output_format == JSON:
        put(to_json(show_record(deal)))
        return
    style = style_of_output()
    put(show_text(deal, style))
    if moves and (notation or mixed_runs):
        steps, _ = replay(before.position, moves)
        lines = move_lines(before.position, steps, before.moves_made, style, speech)
        put("\n".join(["", *lines]))
