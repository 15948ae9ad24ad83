"""Finds deals by verdict, difficulty and best score, in the order of their codes.

Each code is asked for its verdict, and those that can be won for their difficulty; the best score
is sought only for deals that meet all other wishes. The work is done in small pieces by whoever
runs them, and ahead of what has been told; deals are told in the order of the codes whatever piece
is ready first, so that neither the number of workers nor their speed changes anything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simon_solver.answers.difficulty import Grade
from simon_solver.batch.pieces import Piece, Row, Span, Terms, pieces_of
from simon_solver.batch.run import Executor
from simon_solver.batch.store import Store
from simon_solver.search.verdict import Verdict

_BLOCK = 1024  # codes that are looked up in the store at once
_NO_BEST: dict[str, Any] = dict.fromkeys(("score", "moves", "runs_removed", "score_bound"))


@dataclass(frozen=True)
class Wishes:
    """What a deal has to be like, and how many of them are wanted.

    `min_best`: the least best score; it needs terms that ask for best scores.
    """

    count: int
    verdict: Verdict = Verdict.WINNABLE
    grade: Grade | None = None
    min_best: int | None = None


@dataclass
class Tally:
    """Deals that were found, and those left out because a limit ended a search.

    `unproven`: their best score may be high enough or not.
    """

    found: int = 0
    undetermined: int = 0
    unproven: int = 0


def find(
    store: Store,
    span: Span,
    wishes: Wishes,
    terms: Terms,
    execute: Executor,
    *,
    tell: Callable[[Row], None],
    is_stopped: Callable[[], bool] = lambda: False,
) -> Tally:
    """Tell of the first deals of a span that meet the wishes, each as soon as it is known.

    What the store knows is not asked again, and what is found out goes there: it is in the store
    when this returns or raises. `is_stopped` is asked every now and then. The rows told have
    difficulties if the deals can be won, and best scores if `terms` ask for them.

    Raises:
        StoreError: the store holds proven verdicts that new ones contradict.
        OSError: the store cannot be written.
    """
    search = _Search(store, span, wishes, terms)
    try:
        while not search.is_done():
            for rows in execute(search):
                search.take(rows)
                for row in search.told():
                    tell(row)
                if search.is_done() or is_stopped():
                    return search.tally
            # the store may have known all that was asked for
            for row in search.told():
                tell(row)
            if is_stopped():
                break
    finally:
        store.flush()
    return search.tally


class _Search(Iterator[Piece]):
    """The pieces of a search; there may be more again when the rows of others have been taken."""

    def __init__(self, store: Store, span: Span, wishes: Wishes, terms: Terms) -> None:
        self.tally = Tally()
        self._store, self._span, self._wishes = store, span, wishes
        is_won = wishes.verdict is Verdict.WINNABLE
        self._first_terms = replace(terms, best=False, difficulty=is_won)
        self._best_terms = replace(terms, best=True, difficulty=False) if terms.best else None
        self._rows: dict[int, Row] = {}
        """What is known of codes that have not been told, without best scores."""
        self._bests: dict[int, Row] = {}
        self._best_pieces: deque[Piece] = deque()
        self._first_pieces = self._lacking()
        self._next_piece: Piece | None = None
        self._next_told = span.first
        self._certain = 0
        """Deals that have been told or will be, for all codes before them are being looked at."""

    def is_done(self) -> bool:
        """All wanted deals have been told, or all codes looked at."""
        return self.tally.found == self._wishes.count or self._next_told == self._span.stop

    def __next__(self) -> Piece:
        if self._best_pieces:
            return self._best_pieces.popleft()
        if self._next_piece is None and self._certain < self._wishes.count:
            self._next_piece = next(self._first_pieces, None)
        # asked again, for what comes before the piece has been taken now
        if self._next_piece is None or self._certain >= self._wishes.count:
            raise StopIteration
        piece, self._next_piece = self._next_piece, None
        return piece

    def take(self, rows: Sequence[Row]) -> None:
        """Take the answers of a piece, and have them stored."""
        self._store.add(rows, self._first_terms)
        for row in rows:
            if row.score is None:
                self._take_first(row)
            else:
                self._take_best(row)

    def told(self) -> Iterator[Row]:
        """The deals that can be told next, each once."""
        while not self.is_done() and (row := self._rows.get(self._next_told)) is not None:
            if self._is_candidate(row) and self._best_terms is not None:
                if self._next_told not in self._bests:
                    return
                row = _joined(row, self._bests[self._next_told])
            del self._rows[self._next_told]
            self._bests.pop(self._next_told, None)
            self._next_told += 1
            if row.verdict is Verdict.UNDETERMINED:
                self.tally.undetermined += 1
            elif self._is_candidate(row) and self._is_good(row):
                self.tally.found += 1
                yield row
            elif self._is_candidate(row) and self._may_be_good(row):
                self.tally.unproven += 1

    def _lacking(self) -> Iterator[Piece | None]:
        """Pieces for what the store lacks, in order; None between blocks of codes.

        What the store knows is taken when all codes before it are known or have been asked for.
        """
        suits, terms = self._span.suits, self._first_terms
        for first in range(self._span.first, self._span.stop, _BLOCK):
            block = Span(suits, first, min(_BLOCK, self._span.stop - first))
            if self._best_terms is not None:
                for row in self._store.rows(block, self._best_terms):
                    self._bests[row.number] = row
            known = deque(self._store.rows(block, terms))
            for piece in pieces_of(self._store.missing(block, terms), terms):
                self._take_known(known, piece.span.first)
                yield piece
            self._take_known(known, block.stop)
            yield None

    def _take_known(self, known: deque[Row], stop: int) -> None:
        """Take rows of the store that come before a code."""
        while known and known[0].number < stop:
            # told alike, whether or not the store happens to know a best score
            self._take_first(known.popleft()._replace(**_NO_BEST))

    def _take_first(self, row: Row) -> None:
        """Take the verdict of a deal, with its difficulty; have its best score looked for."""
        self._rows[row.number] = row
        if not self._is_candidate(row):
            return
        if self._wishes.min_best is None:
            self._certain += 1
        if row.number in self._bests:
            self._take_best(self._bests[row.number])
        elif self._best_terms is not None:
            self._best_pieces.append(Piece(Span(row.suits, row.number, 1), self._best_terms))

    def _take_best(self, row: Row) -> None:
        """Take the best score of a deal that meets all other wishes."""
        self._bests[row.number] = row
        if self._wishes.min_best is not None and self._is_good(row):
            self._certain += 1

    def _is_candidate(self, row: Row) -> bool:
        """The deal meets the wishes that say nothing of its best score."""
        if row.verdict is not self._wishes.verdict:
            return False
        measured = row.measured
        return self._wishes.grade in (None, measured and measured.grade)

    def _is_good(self, row: Row) -> bool:
        """The score is as high as wished."""
        least = self._wishes.min_best
        return least is None or (row.score is not None and row.score >= least)

    def _may_be_good(self, row: Row) -> bool:
        """The score could be as high as wished, for all that is proven."""
        return self._is_good(row._replace(score=row.score_bound))


def _joined(row: Row, best: Row) -> Row:
    """All that is known of a deal; the verdict as first found, maybe under higher limits."""
    return row._replace(
        stopped_by=best.stopped_by, **{name: getattr(best, name) for name in _NO_BEST}
    )
