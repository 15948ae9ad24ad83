"""Shows progress on standard error while a search runs."""

from __future__ import annotations

import sys
from functools import cache
from time import time
from typing import TYPE_CHECKING, Never, Self

from simon_solver.cli.shared.leaving import leaving_at_once
from simon_solver.cli.shared.output import put_error
from simon_solver.game.layout import Deck
from simon_solver.search.limits import Progress

if TYPE_CHECKING:
    from tqdm import tqdm

_DELAY = 1.0  # seconds before a search is worth a progress line


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
    """The stage and what is known of the score."""
    parts = [progress.stage]
    if progress.score is not None:
        parts.append(f"score {progress.score}")
    if progress.score_bound is not None:
        parts.append(f"at most {progress.score_bound}")
    return ", ".join(parts)


@cache
def prepare_kernels(*, codes_of: tuple[Deck, ...] = ()) -> None:
    """Load the kernels, and tell the user if they must be compiled, which looks like hanging.

    `codes_of`: also load the kernels for long lists of game codes of these decks.
    """
    with leaving_at_once():
        from simon_solver.kernels.compiled import (  # noqa: PLC0415
            CACHE_FOLDER,
            before_compiling,
        )
        from simon_solver.search.warming import prepare, prepare_codes  # noqa: PLC0415

        once = "" if CACHE_FOLDER is None else "first run only, "
        wait = "up to a minute" if codes_of else "about half a minute"
        before_compiling(lambda: put_error(f"Compiling search kernels ({once}{wait})"))
        prepare()
        if codes_of:
            prepare_codes(codes_of)
        wait = "about ten seconds"  # for a search that few positions need, should this be one
