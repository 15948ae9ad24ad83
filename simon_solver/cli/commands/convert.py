"""``convert``: writes a deal in the format of another program."""

from __future__ import annotations

import click

from simon_solver.cli.shared.output import put
from simon_solver.cli.shared.starts import Start, deal_argument, start_options
from simon_solver.render.boards import TARGETS, converted


@click.command("convert")
@deal_argument
@click.option(
    "--to",
    "target",
    type=click.Choice(list(TARGETS), case_sensitive=False),
    required=True,
    help=f"Format to write. {'; '.join(f'{name}: {told}' for name, told in TARGETS.items())}.",
)
@start_options
def convert_command(start: Start, target: str) -> None:
    """Write DEAL in another program's format.

    DEAL is a game code, a numbered deal (kpat:N, ms:N, pysol:N), a file in any of these formats,
    or - for standard input. Complete runs at the ends of columns are removed first. The output
    reads back as the same position; json also records the number of moves made.

    fc-solve, Solvitaire and KPat support only four suits, fc-solve takes at most 20 cards in a
    column, and all formats but json need ten columns. Other deals are refused.

    Exit code: 0 done, 2 bad input or a deal that the format cannot express.

    \b
    Examples:
      simon-solver convert kpat:72 --to cards
      simon-solver convert SS1-S4-AAAAABD --after '9>10' --to kpat
      simon-solver convert SS1-S2-AAAAABD --to json
    """  # noqa: D301 - click's mark
    put(converted(start.deal(), target).removesuffix("\n"))
