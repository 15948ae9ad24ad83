"""Write a man page for the program and for each command into build/man, for those who package it.

Run it in the top folder, with the package installed:  python -m scripts.make_man [FOLDER]
The pages come from the help texts. Their date is that of SOURCE_DATE_EPOCH, or today.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from simon_solver import __version__
from simon_solver.cli.main import PROGRAM, cli

FOLDER = Path("build/man")
VERBATIM = "\b"
"""click's mark at the head of a paragraph whose lines stay as they are."""


def escaped(text: str) -> str:
    """The text for roff, which takes backslashes, and dots and quotes at the start of a line."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a help text as roff."""
    start = ""
    for paragraph in re.split(r"\n\s*\n|\n(?=\x08)", cleandoc(text)):
        if paragraph.startswith(VERBATIM):
            lines = paragraph.removeprefix(VERBATIM).strip("\n")
            yield f"{start}.nf\n{escaped(lines)}\n.fi"
        else:
            yield f"{start}{escaped(paragraph)}"
        start = ".PP\n"


def summary(command: click.Command) -> str:
    """The first sentence of the help, without its full stop."""
    first = cleandoc(command.help or "").partition("\n\n")[0]
    return " ".join(first.split()).removesuffix(".")


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """The options with what they do."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None:
            names, told = record
            yield f".TP\n.B {escaped(names)}\n{escaped(told)}"


def page(command: click.Command, parent: click.Context | None, date: str) -> str:
    """The man page of a command, or without a `parent` that of the program."""
    name = PROGRAM if parent is None else command.name
    context = click.Context(
        command, parent=parent, info_name=name, help_option_names=["-h", "--help"]
    )
    title = context.command_path.replace(" ", "-")
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [
        f'.TH "{escaped(title.upper())}" "1" "{date}" "{PROGRAM} {__version__}" "User Commands"',
        f".SH NAME\n{escaped(title)} \\- {escaped(summary(command))}",
        f".SH SYNOPSIS\n.B {escaped(context.command_path)}\n{escaped(usage)}",
        ".SH DESCRIPTION",
        *paragraphs(command.help or ""),
        ".SH OPTIONS",
        *options(command, context),
    ]
    if isinstance(command, click.Group):
        pages = [f".BR {escaped(f'{PROGRAM}-{other}')} (1)" for other in sorted(command.commands)]
        parts += [".SH COMMANDS"]
        for other, its in sorted(command.commands.items()):
            parts.append(f".TP\n.B {escaped(other)}\n{escaped(summary(its))}.")
    else:
        pages = [f".BR {escaped(PROGRAM)} (1)"]
    return "\n".join([*parts, ".SH SEE ALSO", *pages, ""])


def pages(date: str) -> dict[str, str]:
    """All man pages by file name."""
    program = click.Context(cli, info_name=PROGRAM)
    made = {f"{PROGRAM}.1": page(cli, None, date)}
    for name, command in sorted(cli.commands.items()):
        made[f"{PROGRAM}-{name}.1"] = page(command, program, date)
    return made


def main(folder: Path = FOLDER) -> None:
    """Write the files."""
    now = float(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(time.strftime("%Y-%m-%d", time.gmtime(now))).items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
