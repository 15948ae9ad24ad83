"""Shows progress on standard error while a search runs."""

from __future__ import annotations

import sys
from time import time
from typing import TYPE_CHECKING, Never, Self

from simon_solver.cli.shared.output import put_error
from simon_solver.search.progress import Progress

if TYPE_CHECKING:
    from tqdm import tqdm

    from simon_solver.search.preparing import Compiling

_DELAY = 0.5  # seconds before a search is worth a progress line


class _Line:
    """A progress line on a terminal, or none; a context manager that ends it."""

    def __init__(self) -> None:
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._line: tqdm[Never] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.close()


class SearchProgress(_Line):
    """A progress line for one search, on a terminal only; also the callback that updates it."""

    def __init__(self) -> None:
        super().__init__()
        self._started = time()

    def __call__(self, progress: Progress) -> None:
        """Show how far the search is, once it has run for a while."""
        if self._wanted and self._line is None and time() - self._started > _DELAY:
            from tqdm import tqdm  # noqa: PLC0415 - most calls need none

            self._line = tqdm(
                desc=describe(progress),
                initial=progress.states,
                unit=" states",
                unit_scale=True,
                leave=False,
                file=sys.stderr,
            )
            self._line.start_t = self._started
        if self._line is not None:
            self._line.set_description_str(describe(progress), refresh=False)
            self._line.update(progress.states - self._line.n)


class CompilingProgress(_Line):
    """A progress line while kernels are compiled; elsewhere one line says why nothing happens."""

    def __init__(self) -> None:
        super().__init__()
        self._told = False

    def __call__(self, state: Compiling) -> None:
        """Show how many kernels are done."""
        if not self._wanted:
            if not self._told:
                put_error("Compiling search kernels (first run only)")
            self._told = True
            return
        if self._line is None:
            from tqdm import tqdm  # noqa: PLC0415 - most calls need none

            self._line = tqdm(
                desc="Compiling, first run only", unit=" kernels", leave=False, file=sys.stderr
            )
        # kernels that came translated are not counted
        self._line.bar_format = None if state.total else "{desc}: {elapsed}"
        self._line.total = state.total or None
        self._line.update(state.done - self._line.n)


class DealsProgress(_Line):
    """A progress line for many deals with rate and time left, on a terminal only."""

    def __init__(self, total: int, done: int) -> None:
        super().__init__()
        if self._wanted:
            from tqdm import tqdm  # noqa: PLC0415 - most calls need none

            self._line = tqdm(
                total=total, initial=done, unit=" deals", leave=False, file=sys.stderr
            )

    def __call__(self, deals: int) -> None:
        """Count so many more deals."""
        if self._line is not None:
            self._line.update(deals)

    def hide(self) -> None:
        """Make room for a line of output; the next update draws the progress again."""
        if self._line is not None:
            self._line.clear()

    def note(self, text: str) -> None:
        """Print a line of its own."""
        self.hide()
        put_error(f"Warning: {text}")


def describe(progress: Progress) -> str:
    """What is known so far, what is being asked, and what is being compiled."""
    from simon_solver.search.preparing import compiling  # noqa: PLC0415 - it loads the kernels

    parts = []
    if progress.score is not None:
        parts.append(f"{progress.verdict.value}, {progress.score} so far")
    if progress.score_bound is not None:
        parts.append(f"at most {progress.score_bound}")
    parts.append(progress.stage)
    if (state := compiling()) is not None:
        done = f": {state.done} of {state.total}" if state.total else ""
        parts.append(f"compiling kernels{done}, {state.seconds:.0f} s")
    return ", ".join(parts)
