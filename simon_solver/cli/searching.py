"""Asks the solver for the best line while the user looks on and may end it."""

from __future__ import annotations

from collections.abc import Callable

from simon_solver.cli.progress import SearchProgress, prepare_kernels
from simon_solver.control import noted_interrupt
from simon_solver.deals import Deal
from simon_solver.result import SolveResult


def search(
    start: Deal,
    show: Callable[[SolveResult], None],
    *,
    best: bool,
    time_limit: float,
    memory_limit: int,
    state_limit: int,
) -> tuple[SolveResult, bool]:
    """The answer, which `show` has printed, and whether Ctrl-C was pressed meanwhile."""
    prepare_kernels()
    from simon_solver.solver import solve  # noqa: PLC0415 - it loads the kernels

    # Ctrl-C during the search ends it; before and after that the answer is still printed.
    with noted_interrupt() as interrupt:
        with SearchProgress() as progress:
            result = solve(
                start,
                best=best,
                time_limit=time_limit,
                memory_limit=memory_limit,
                state_limit=state_limit,
                on_progress=progress,
                catch_interrupt=True,
            )
        show(result)
    return result, interrupt.seen
