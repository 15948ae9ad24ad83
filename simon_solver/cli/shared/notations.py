"""The options that say how moves are to be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from simon_solver.cli.shared.options import JSON
from simon_solver.render.notation import Notation, Speech

Command = TypeVar("Command", bound=Callable[..., Any])


def notation_options(told: str) -> Callable[[Command], Command]:
    """Add --notation and --mixed-runs; `told` says of which moves."""

    def decorate(command: Command) -> Command:
        command = click.option(
            "--mixed-runs",
            is_flag=True,
            help="Show the moves of a mixed-suit sequence as one line, as other programs do. Each "
            "still counts.",
        )(command)
        return click.option(
            "--notation",
            type=click.Choice([notation.value for notation in Notation], case_sensitive=False),
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
