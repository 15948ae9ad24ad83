"""Loads what a search needs; meanwhile Ctrl-C ends the program without another word."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from simon_solver.cli.shared.leaving import leaving_at_once
from simon_solver.cli.shared.progress import CompilingProgress
from simon_solver.game.layout import Deck


def load_search(module: str = "solver") -> None:
    """Load a module of `answers`, and with it the search."""
    with leaving_at_once():
        import_module(f"simon_solver.answers.{module}")


def prepare_kernels(decks: Iterable[Deck] | None = None) -> None:
    """Have the kernels compiled that many deals of these decks need, or all there are."""
    with leaving_at_once():
        from simon_solver.search.groups import Group  # noqa: PLC0415 - the kernels
        from simon_solver.search.preparing import groups_of, wait_for  # noqa: PLC0415

        with CompilingProgress() as line:
            wait_for(Group if decks is None else groups_of(decks), line)
