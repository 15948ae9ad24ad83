"""The command group ``simon-solver`` and its entry point."""

from __future__ import annotations

import click

from simon_solver import __version__
from simon_solver.cli.shared.later import Commands
from simon_solver.cli.shared.output import put
from simon_solver.cli.shared.running import SimonGroup

PROGRAM = "simon-solver"
HELP_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
SUMMARIES = {
    "solve": "Find the best score of DEAL, prove it, and list the moves.",
    "check": "Say whether each DEAL can be won.",
    "hint": "Show the best next move and what each legal move is worth.",
    "play": "Play DEAL in the terminal, with undo, hints and the solver.",
    "show": "Draw the board of DEAL.",
    "verify": "Replay MOVES from DEAL by the rules and print the outcome.",
    "rates": "Decide the deals of consecutive codes and print win rates.",
    "find": "Find winnable deals by difficulty and best score.",
    "convert": "Write DEAL in another program's format.",
    "rules": "Check whether a Cardz design file describes this game.",
    "warm-up": "Compile all search kernels ahead of time.",
    "help": "Show the help of the program, or of COMMAND.",
}
"""The commands, and the first sentence of the help of each."""


def _tell_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Print the version and end the program, if that is wanted."""
    if not wanted or context.resilient_parsing:
        return
    lines = [f"{PROGRAM}, version {__version__}"]
    if context.params.get("verbose"):
        from simon_solver.cli.shared.kept import (  # noqa: PLC0415 - it loads the kernels
            lines_about,
            lines_about_versions,
        )
        from simon_solver.search.preparing import what_is_kept  # noqa: PLC0415

        lines += [*lines_about_versions(), *lines_about(what_is_kept())]
    for line in lines:
        put(line)
    context.exit()


@click.group(PROGRAM, cls=SimonGroup, context_settings=HELP_SETTINGS, invoke_without_command=True)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version and exit.",
)
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    is_eager=True,  # known before the version is told, in whatever order they come
    help="With --version, also show the versions of libraries, and which kernels are kept where.",
)
@click.pass_context
def cli(context: click.Context, verbose: bool) -> None:
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
      simon-solver warm-up
      simon-solver help solve
    \b
    Shell completion, here for bash (zsh and fish work too):
      eval "$(_SIMON_SOLVER_COMPLETE=bash_source simon-solver)"
    """  # noqa: D301 - click's mark
    del verbose  # only --version looks at it
    if context.invoked_subcommand is None:
        put(context.get_help())


cli.commands = Commands("simon_solver.cli.commands", SUMMARIES)


def main() -> None:
    """Run the program and exit."""
    cli.main(prog_name=PROGRAM)
