"""Where a command starts: DEAL with --after, --moves-made and --layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from simon_solver.cli.shared.options import TEXT_OR_FILE, TextOrFile, number, stdin_bytes
from simon_solver.errors import InputError, SimonError
from simon_solver.game.deal import Deal
from simon_solver.game.layout import COLUMN_SIZES, FEWEST_COLUMNS, MOST_COLUMNS, ColumnSizes
from simon_solver.game.moves import MoveText
from simon_solver.reading.arguments import STANDARD_INPUT, read_moves
from simon_solver.reading.deals import read_deal

Command = TypeVar("Command", bound=Callable[..., Any])


class _LayoutFile(TextOrFile):
    """A design file whose layout can be solved; turned into its column sizes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The cards of each column."""
        del param, ctx
        if value == STANDARD_INPUT:
            raise InputError("--layout: expected a file, got standard input")
        from simon_solver.reading.designs.files import read_layout  # noqa: PLC0415 - rarely needed

        try:
            return read_layout(value)
        except SimonError as error:
            raise type(error)(f"--layout: {error}") from None


def layout_option(command: Command) -> Command:
    """Add --layout."""
    return click.option(
        "--layout",
        metavar="FILE",
        type=_LayoutFile(),
        help="Deal codes into the columns of this Cardz design file: this game with "
        f"{FEWEST_COLUMNS} to {MOST_COLUMNS} columns of any sizes.",
    )(command)


def deal_argument(command: Command) -> Command:
    """Add the argument DEAL."""
    return click.argument("deal", metavar="DEAL", type=TEXT_OR_FILE)(command)


def after_option(*, piped: bool = True) -> Callable[[Command], Command]:
    """Add --after; `piped` says whether standard input can hold the moves."""
    others = ", a file, or - for standard input" if piped else " or a file"
    return click.option(
        "--after",
        metavar="MOVES",
        type=TEXT_OR_FILE,
        help="Start from the position after these moves: a quoted list like '4>7:2 3>5'"
        f"{others}. They count as moves made.",
    )


MOST_MOVES_MADE = 1_000_000


def moves_made_option(command: Command) -> Command:
    """Add --moves-made."""
    return click.option(
        "--moves-made",
        metavar="N",
        type=number("a whole number", int, 0, MOST_MOVES_MADE),
        default=0,
        show_default=True,
        help="Moves made before this position, in addition to those recorded in a saved game; "
        "each costs a point.",
    )(command)


class Start(NamedTuple):
    """What the user named; nothing is read before it is asked for."""

    argument: str
    after: str | None
    moves_made: int
    layout: ColumnSizes | None

    def before_moves(self) -> tuple[Deal, list[MoveText]]:
        """The deal before the moves of --after, and these moves.

        Raises:
            SimonError: one of them cannot be read.
        """
        if self.argument == STANDARD_INPUT == self.after:
            raise InputError("standard input cannot be both the deal and the moves")
        sizes = self.layout or COLUMN_SIZES
        deal = read_deal(self.argument, stdin_bytes(), column_sizes=sizes)
        deal = replace(deal, moves_made=deal.moves_made + self.moves_made)
        return deal, load_after(self.after)

    def deal(self) -> Deal:
        """The deal after the moves of --after.

        Raises:
            SimonError: one of them cannot be read, or a move is illegal.
        """
        return play_after(*self.before_moves())


def start_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --layout, --after and --moves-made; with DEAL they come as the one argument `start`."""

    @wraps(command)
    def with_start(
        deal: str, after: str | None, moves_made: int, layout: ColumnSizes | None, **others: Any
    ) -> Any:
        return command(start=Start(deal, after, moves_made, layout), **others)

    return layout_option(after_option()(moves_made_option(with_start)))


def load_after(after: str | None) -> list[MoveText]:
    """The moves of the option --after."""
    if after is None:
        return []
    try:
        return read_moves(after, stdin_bytes())
    except SimonError as error:
        raise type(error)(f"--after: {error}") from None


def play_after(deal: Deal, moves: list[MoveText], name: str = "") -> Deal:
    """The deal after the moves of --after, whose errors name the option after `name`."""
    try:
        return deal.after(moves) if moves else deal
    except SimonError as error:
        raise type(error)(f"{name}--after: {error}") from None
