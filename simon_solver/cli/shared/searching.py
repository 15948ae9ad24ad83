"""Runs a search while the user watches, and prints its answer even after Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from simon_solver.answers.results import Hint, SolveResult
from simon_solver.cli.shared.loading import load_search
from simon_solver.cli.shared.progress import SearchProgress
from simon_solver.game.deal import Deal
from simon_solver.search.interrupts import noted_interrupt

Result = TypeVar("Result")


def search(
    start: Deal, show: Callable[[SolveResult], None], **options: Any
) -> tuple[SolveResult, bool]:
    """The answer of `solve`, which `show` has printed, and whether Ctrl-C was pressed meanwhile."""
    load_search()
    from simon_solver.answers.solver import solve  # noqa: PLC0415 - it loads the kernels

    return _asked(solve, start, show, options)


def search_hint(start: Deal, show: Callable[[Hint], None], **options: Any) -> tuple[Hint, bool]:
    """The same of `hint`."""
    load_search("hints")
    from simon_solver.answers.hints import hint  # noqa: PLC0415 - it loads the kernels

    return _asked(hint, start, show, options)


def _asked(
    ask: Callable[..., Result],
    start: Deal,
    show: Callable[[Result], None],
    options: dict[str, Any],
) -> tuple[Result, bool]:
    # Ctrl-C during the search ends it; before and after that the answer is still printed.
    with noted_interrupt() as interrupt:
        with SearchProgress() as progress:
            result = ask(start, **options, on_progress=progress, catch_interrupt=True)
        show(result)
    return result, interrupt.seen
