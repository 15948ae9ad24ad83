"""A group of commands, each imported when it is used: most calls need one, and the help none."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Mapping
from importlib import import_module

import click

from simon_solver.cli.shared.leaving import leaving_at_once


class _Summary(click.Command):
    """What the help of the group tells of a command that is not imported yet."""


class Commands(UserDict[str, click.Command]):
    """Commands by name, each imported from the module of that name when it is looked up.

    The first sentence of its help comes from `summaries`, for a list of them all.
    """

    def __init__(self, folder: str, summaries: Mapping[str, str]) -> None:
        super().__init__({name: _Summary(name, help=told) for name, told in summaries.items()})
        self._folder = folder

    def __getitem__(self, name: str) -> click.Command:
        command = super().__getitem__(name)
        if isinstance(command, _Summary):
            word = name.replace("-", "_")
            with leaving_at_once():
                module = import_module(f"{self._folder}.{word}")
            command = self.data[name] = getattr(module, f"{word}_command")
        return command


class LaterGroup(click.Group):
    """A group that lists its commands without importing them."""

    commands: Commands

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries."""
        click.Group(commands=self.commands.data).format_commands(ctx, formatter)
