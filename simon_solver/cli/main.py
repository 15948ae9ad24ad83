"""The command group ``simon-solver`` and its entry point."""

from __future__ import annotations

import click

from simon_solver import __version__
from simon_solver.cli.commands.check import check_command
from simon_solver.cli.commands.convert import convert_command
from simon_solver.cli.commands.find import find_command
from simon_solver.cli.commands.hint import hint_command
from simon_solver.cli.commands.play import play_command
from simon_solver.cli.commands.rates import rates_command
from simon_solver.cli.commands.rules import rules_command
from simon_solver.cli.commands.show import show_command
from simon_solver.cli.commands.solve import solve_command
from simon_solver.cli.commands.verify import verify_command
from simon_solver.cli.shared.options import HELP_SETTINGS
from simon_solver.cli.shared.running import SimonGroup

PROGRAM = "simon-solver"


@click.group(PROGRAM, cls=SimonGroup, context_settings=HELP_SETTINGS, no_args_is_help=False)
@click.version_option(__version__, "-V", "--version", prog_name=PROGRAM)
def cli() -> None:
    """Solve Simple Simon patience exactly: can a deal be won, and what is its best score?

    A deal is a game code (SS1-S4-AAAAABD), a numbered deal (kpat:72, ms:24, pysol:24), a file (a
    board, a spoken description or a saved game), or - for standard input.

    Exit codes: 0 winnable, 1 unwinnable, 2 bad usage or input, 3 undetermined (a limit ended the
    search), 70 internal error, 130 interrupted, 141 output pipe closed.

    \b
    Examples:
      simon-solver solve SS1-S4-AAAAABD
      simon-solver check kpat:71 kpat:72
      simon-solver hint kpat:72 --after '10>1'
      simon-solver show pysol:24
      simon-solver verify kpat:72 '10>1 6>8:2'
      simon-solver rates --deals 100
      simon-solver find --suits 4 --count 10 --difficulty easy
      simon-solver convert kpat:72 --to fc-solve
      simon-solver play SS1-S4-AAAAABD
      simon-solver rules simple-simon.cardz
    \b
    Shell completion, here for bash (zsh and fish work too):
      eval "$(_SIMON_SOLVER_COMPLETE=bash_source simon-solver)"
    """  # noqa: D301 - click's mark


for command in (
    solve_command, check_command, hint_command, play_command, show_command, verify_command,
    rates_command, find_command, convert_command, rules_command,
):  # fmt: skip
    cli.add_command(command)


def main() -> None:
    """Run the program and exit."""
    cli.main(prog_name=PROGRAM)
