"""``help``: shows the help of the program or of a command."""

from __future__ import annotations

import click

from simon_solver.cli.shared.exit_codes import EXIT_OK
from simon_solver.cli.shared.output import put


@click.command("help")
@click.argument("command", required=False)
@click.pass_context
def help_command(context: click.Context, command: str | None) -> int:
    """Show the help of the program, or of COMMAND.

    The same as --help after the program or the command.

    Exit code: 0, or 2 if there is no such command.

    \b
    Examples:
      simon-solver help
      simon-solver help solve
    """  # noqa: D301 - click's mark
    program = context.parent
    assert program is not None
    if command is None:
        put(program.get_help())
        return EXIT_OK
    assert isinstance(program.command, click.Group)
    found = program.command.get_command(program, command)
    if found is None:
        program.fail(f"No such command {command!r}.")
    with click.Context(found, program, info_name=command) as asked:
        put(asked.get_help())
    return EXIT_OK
