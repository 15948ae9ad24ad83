"""Options of the commands that decide the deals of many codes."""

from __future__ import annotations

import os

import click

from simon_solver.cli.shared.options import TEXT_OR_FILE, number
from simon_solver.errors import SimonError
from simon_solver.game.codes import CODE_COUNT, GameCode, parse_code


def _code_or_number(text: str) -> GameCode | int:
    """A game code, or the number of one."""
    try:
        return int(text) if text.strip().isdecimal() else parse_code(text)
    except SimonError as error:
        raise click.BadParameter(f"{error} (or give a number from 0 to {CODE_COUNT - 1})") from None


start_option = click.option(
    "--start",
    metavar="CODE|N",
    type=_code_or_number,
    help="First code, or its number (default: 0).",
)
store_option = click.option(
    "--store",
    "store_file",
    metavar="FILE",
    type=TEXT_OR_FILE,
    help="Keep the answers in this SQLite file; decide only deals that it lacks.",
)
jobs_option = click.option(
    "--jobs",
    metavar="N",
    type=number("a whole number", int, 1),
    help="Worker processes (default: one per processor core).",
)


def cores() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
