"""Fills a store: has workers decide the deals that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from simon_solver.batch.pieces import Piece, Row, Span, Terms, pieces_of
from simon_solver.batch.store import Store

Executor = Callable[[Iterator[Piece]], Iterable[list[Row]]]
"""Runs pieces and gives their rows in any order; empty lists let the caller look around."""


def fill(
    store: Store,
    spans: Sequence[Span],
    terms: Terms,
    execute: Executor,
    *,
    on_rows: Callable[[int], None] = lambda _count: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> bool:
    """Decide the deals of the spans that the store lacks; returns whether all are there now.

    `on_rows` is told of each number of new rows, and `is_stopped` asked between them. Rows that
    have arrived are in the store when this returns or raises.

    Raises:
        StoreError: the store holds proven verdicts that new ones contradict.
        OSError: the store cannot be written.
    """
    missing = (gap for span in spans for gap in store.missing(span, terms))
    try:
        for rows in execute(pieces_of(missing, terms)):
            store.add(rows, terms)
            on_rows(len(rows))
            if is_stopped():
                return False
    finally:
        store.flush()
    return True
