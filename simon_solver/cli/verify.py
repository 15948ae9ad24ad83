"""``verify``: replays a move list by the rules alone."""

from __future__ import annotations

import click

from simon_solver.cli.exit_codes import EXIT_BAD_INPUT, EXIT_NO, EXIT_OK
from simon_solver.cli.options import (
    JSON,
    TEXT_OR_FILE,
    after_option,
    deal_argument,
    format_option,
    load_deal,
    moves_made_option,
    stdin_bytes,
)
from simon_solver.cli.output import put, style_of_output
from simon_solver.cli.running import report
from simon_solver.deals import STANDARD_INPUT, read_moves
from simon_solver.errors import InputError
from simon_solver.render.records import to_json, verify_record
from simon_solver.render.text import verify_text
from simon_solver.verification import Outcome, verify

_EXIT_CODES = {
    Outcome.WON: EXIT_OK,
    Outcome.NOT_WON: EXIT_NO,
    Outcome.ILLEGAL: EXIT_BAD_INPUT,
}


@click.command("verify")
@deal_argument
@click.argument("moves", metavar="MOVES", type=TEXT_OR_FILE)
@after_option
@moves_made_option
@format_option
def verify_command(
    deal: str, moves: str, after: str | None, moves_made: int, output_format: str
) -> int:
    """Replay MOVES from DEAL by the rules and print the outcome.

    MOVES is a quoted list like '4>7:2 3>5' (from > to : cards; the cards may be left out when
    only one number is legal), a file, or - for standard input. Moves are separated by blanks or
    line ends, # starts a comment, and 4 7 2 on a line of its own is read too.

    Exit code: 0 legal and won, 1 legal but not won, 2 illegal or unreadable.

    \b
    Examples:
      simon-solver verify SS1-S4-AAAAABD '9>10:1' || echo 'not won yet'
      echo '9>10' | simon-solver verify --format json SS1-S4-AAAAABD -
    """  # noqa: D301 - click's mark
    if moves == STANDARD_INPUT and STANDARD_INPUT in (deal, after):
        raise InputError("standard input is either the deal or the moves, not both")
    start = load_deal(deal, after, moves_made)
    replay = verify(start, read_moves(moves, stdin_bytes()))
    if output_format == JSON:
        put(to_json(verify_record(start, replay)))
    elif replay.outcome is not Outcome.ILLEGAL:
        put(verify_text(start, replay, style_of_output()))
    if replay.error:
        report(replay.error)
    return _EXIT_CODES[replay.outcome]
