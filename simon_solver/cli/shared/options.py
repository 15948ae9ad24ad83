"""Arguments and options that several commands share, each with one name and one meaning."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, TypeVar

import click

from simon_solver.errors import SimonError
from simon_solver.game.codes import CODE_COUNT, GameCode, parse_code
from simon_solver.render.notation import Notation, Speech

Command = TypeVar("Command", bound=Callable[..., Any])

TEXT, JSON, CSV = "text", "json", "csv"


class TextOrFile(click.Path):
    """A text that may be the name of a file; a shell completes it so. Nothing is checked here."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it is: click would ask the system, which takes no NUL in a name."""
        del param, ctx
        return value


TEXT_OR_FILE = TextOrFile(allow_dash=True)


def format_option(command: Command) -> Command:
    """Add --format with text and JSON."""
    return choice_of_format([TEXT, JSON], "Text for people, or one line of JSON.")(command)


def notation_options(told: str) -> Callable[[Command], Command]:
    """Add --notation and --mixed-runs; `told` says of which moves."""

    def decorate(command: Command) -> Command:
        command = click.option(
            "--mixed-runs",
            is_flag=True,
            help="Show the moves of a mixed-suit sequence as one, as other programs let players "
            "make them. Each still counts.",
        )(command)
        return click.option(
            "--notation",
            type=click.Choice([notation.value for notation in Notation]),
            default=None,
            help=f"{told} as 4>7:2 with cards and scores (simon), as fc-solve does, or in words "
            "(spoken).",
        )(command)

    return decorate


def speech_of(notation: str | None, mixed_runs: bool, output_format: str) -> Speech:
    """How moves are to be written.

    Raises:
        click.UsageError: the output is for programs.
    """
    if output_format == JSON and (notation is not None or mixed_runs):
        raise click.UsageError("--notation and --mixed-runs cannot be used with --format json")
    return Speech(Notation(notation or Notation.SIMON), mixed_runs)


def choice_of_format(formats: Sequence[str], told: str) -> Callable[[Command], Command]:
    """Add --format."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help=told,
    )


def number(
    name: str, read: type[int] | type[float], low: int, high: int | None = None
) -> Callable[[str], float]:
    """The reader of a number from `low` to `high`; errors say what was expected and found."""

    def convert(text: str) -> float:
        try:
            value = read(text)
        except ValueError:
            value = math.nan
        if not low <= value < math.inf:
            raise click.BadParameter(f"expected {name} of at least {low}, got {text!r}")
        if high is not None and value > high:
            raise click.BadParameter(f"expected {name} of at most {high}, got {text!r}")
        return value

    return convert


def limit_options(
    memory_mib: int, each: str = "", seconds: float = 60.0
) -> Callable[[Command], Command]:
    """Add --time-limit, --memory-limit and --state-limit; `each` says what they hold for."""

    def decorate(command: Command) -> Command:
        command = state_limit_option(each)(command)
        command = memory_limit_option(memory_mib)(command)
        return click.option(
            "--time-limit",
            metavar="SECONDS",
            type=number("a number of seconds", float, 0),
            default=seconds,
            show_default=True,
            help=f"Seconds of wall time{each}; 0 means no limit.",
        )(command)

    return decorate


def memory_limit_option(mib: int, each: str = "") -> Callable[[Command], Command]:
    """Add --memory-limit."""
    return click.option(
        "--memory-limit",
        metavar="MIB",
        type=number("a whole number", int, 1),
        default=mib,
        show_default=True,
        help=f"MiB of memory the search may use{each}; taken in steps as needed.",
    )


def state_limit_option(each: str = "", states: int = 0) -> Callable[[Command], Command]:
    """Add --state-limit."""
    return click.option(
        "--state-limit",
        metavar="N",
        type=number("a whole number", int, 0),
        default=states,
        show_default=True,
        help=f"States to expand{each}; 0 means no limit.",
    )


def _code_or_number(text: str) -> GameCode | int:
    """A game code, or the number of one."""
    try:
        return int(text) if text.strip().isdecimal() else parse_code(text)
    except SimonError as error:
        raise click.BadParameter(f"{error} (or give a number from 0 to {CODE_COUNT - 1})") from None


def start_option(command: Command) -> Command:
    """Add --start."""
    return click.option(
        "--start",
        metavar="CODE|N",
        type=_code_or_number,
        help="First code, or its number (default: 0).",
    )(command)


def store_option(command: Command) -> Command:
    """Add --store."""
    return click.option(
        "--store",
        "store_file",
        metavar="FILE",
        type=TEXT_OR_FILE,
        help="Keep the answers in this SQLite file; decide only deals that it lacks.",
    )(command)


def jobs_option(command: Command) -> Command:
    """Add --jobs."""
    return click.option(
        "--jobs",
        metavar="N",
        type=number("a whole number", int, 1),
        help="Worker processes (default: one per processor core).",
    )(command)


def cores() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def stdin_bytes() -> BinaryIO | None:
    """Standard input, undecoded; None when it is closed."""
    return sys.stdin.buffer if sys.stdin is not None else None
