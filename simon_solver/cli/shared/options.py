"""Arguments and options that several commands share, each with one name and one meaning."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, TypeVar

import click

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


def choice_of_format(formats: Sequence[str], told: str) -> Callable[[Command], Command]:
    """Add --format."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(formats, case_sensitive=False),
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
        help=f"MiB of memory the search may use{each}; allocated only as needed.",
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


def stdin_bytes() -> BinaryIO | None:
    """Standard input, undecoded; None when it is closed."""
    return sys.stdin.buffer if sys.stdin is not None else None
