"""Write docs/cli.md: what `--help` prints for the program and for each command.

Run it in the top folder, with the package installed:  python -m scripts.make_cli_reference
The text does not depend on the terminal, so the same version writes the same file everywhere.
"""

from __future__ import annotations

from pathlib import Path

import click

from simon_solver.cli.main import PROGRAM, cli

OUTPUT = Path("docs/cli.md")
WIDTH = 80
HEADER = """\
<!-- Made by `python -m scripts.make_cli_reference`: change the help texts, not this file. -->

# Command-line reference

What `--help` prints. [The commands](commands/index.md) explains each command with examples.
"""


def help_text(command: click.Command, parent: click.Context | None = None) -> str:
    """The help of a command, as on a terminal of `WIDTH` columns without colours."""
    name = PROGRAM if parent is None else command.name
    context = click.Context(
        command,
        parent=parent,
        info_name=name,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )
    lines = click.unstyle(command.get_help(context)).splitlines()
    return "\n".join(line.rstrip() for line in lines)


def reference() -> str:
    """The page: the program, then its commands by name."""
    program = click.Context(cli, info_name=PROGRAM)
    parts = [HEADER, f"## {PROGRAM}\n\n```text\n{help_text(cli)}\n```\n"]
    for name, command in sorted(cli.commands.items()):
        parts.append(f"## {PROGRAM} {name}\n\n```text\n{help_text(command, program)}\n```\n")
    return "\n".join(parts)


def main() -> None:
    """Write the file."""
    OUTPUT.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
