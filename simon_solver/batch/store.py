"""The store: an SQLite file with one row per deal, written in batches by one process at a time.

A batch is a transaction, and on the disk when it ends (WAL, full synchronization); its rows go in
as they arrive. Whoever is killed at any moment leaves a store in which each row is whole; what is
missing is decided by the next run. A lock of the operating system, which ends with the process that
holds it, keeps a second writer out. Readers need no lock.

Exact rows stay valid whatever version made them. Rows that a limit cut short count only for the
version that made them, and only under limits that are no higher than theirs.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple, cast

from simon_solver import __version__
from simon_solver.answers.difficulty import VERSION
from simon_solver.batch import schema
from simon_solver.batch.pieces import Row, Span, Terms
from simon_solver.errors import StoreError, reason_of
from simon_solver.game.codes import GameCode
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes, sizes_text
from simon_solver.search.verdict import StoppedBy, Verdict
from simon_solver.text.outputs import locked

COMMIT_SECONDS = 0.5
"""So long a batch grows."""
_TOGETHER = 64  # rows that a statement writes, at most
_BLOCK = 100_000  # codes that are looked up at once
_MAGIC = b"SQLite format 3\0"

_UNDETERMINED = f"'{Verdict.UNDETERMINED}'"
_AGAIN = f"(verdict = excluded.verdict AND verdict <> {_UNDETERMINED} AND excluded.score IS NULL)"
# A known verdict is told again, without a score, so what is known besides stays.
_ANSWER = (
    "stopped_by", "score", "moves", "runs_removed", "score_bound", "states", "cpu_seconds",
    "settings",
)  # fmt: skip
_DIFFICULTY = ("difficulty", "careless_wins", "difficulty_version")
_KEEP_PROOFS = f"""
    ON CONFLICT (suits, number) DO UPDATE SET
        verdict = iif(excluded.verdict = {_UNDETERMINED}, verdict, excluded.verdict),
        {", ".join(f"{name} = iif({_AGAIN}, {name}, excluded.{name})" for name in _ANSWER)},
        {", ".join(f"{name} = coalesce(excluded.{name}, {name})" for name in _DIFFICULTY)}
    WHERE verdict = excluded.verdict
        OR verdict = {_UNDETERMINED} OR excluded.verdict = {_UNDETERMINED}
"""
_IN_SPAN = "suits = ? AND number >= ? AND number < ?"


class Counts(NamedTuple):
    """How many deals of a span have which verdict, and what ended the undetermined ones."""

    deals: int
    winnable: int
    unwinnable: int
    undetermined: int
    stopped_by_states: int
    stopped_by_memory: int
    first: int | None
    """The lowest number; None where there is no deal."""


class Store:
    """A store of rows, opened; a context manager that writes what is left and closes it.

    All its deals are in the layout of `column_sizes`.

    Any method can raise OSError: the disk is full or fails.
    """

    def __init__(self, connection: sqlite3.Connection, shown: str) -> None:
        self._connection = connection
        self._shown = shown
        self._settings: dict[tuple[str, Terms], int] = {}
        self._next_commit = time.monotonic() + COMMIT_SECONDS
        with _errors_of(shown):
            self.column_sizes = schema.layout_of(connection)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        with closing(self._connection):
            self.flush()

    def add(self, rows: Sequence[Row], terms: Terms) -> None:
        """Put rows into the batch, and end it if it is old enough, even if there are no rows.

        Raises:
            StoreError: a proven verdict contradicts one that is in the store, and so the whole
                batch is dropped.
        """
        if rows:
            columns = self._columns(rows, terms)
            with self._in_batch():
                self._write(columns)
        if time.monotonic() >= self._next_commit:
            self.flush()

    def flush(self) -> None:
        """End the batch: all rows are on the disk when this returns."""
        with self._in_batch():
            self._connection.commit()
        self._next_commit = time.monotonic() + COMMIT_SECONDS

    def missing(self, span: Span, terms: Terms) -> Iterator[Span]:
        """What has yet to be decided of a span, from its start on, looked up little by little."""
        for first in range(span.first, span.stop, _BLOCK):
            block = Span(span.suits, first, min(_BLOCK, span.stop - first))
            where, values = self._done(block, terms)
            sql = f"SELECT number FROM deals WHERE {where} ORDER BY number"
            for (number,) in [*self._query(sql, values), (block.stop,)]:
                if number > first:
                    yield Span(span.suits, first, number - first)
                first = number + 1  # noqa: PLW2901 - goes through the block

    def count_done(self, span: Span, terms: Terms) -> int:
        """How many deals of a span need not be decided again."""
        where, values = self._done(span, terms)
        ((count,),) = self._query(f"SELECT COUNT(*) FROM deals WHERE {where}", values)
        return int(count)

    def rows(self, span: Span, terms: Terms) -> Iterator[Row]:
        """Those of a span that need not be decided again, in the order of the codes."""
        where, values = self._done(span, terms)
        sql = f"""
            SELECT {", ".join(Row._fields)} FROM deals JOIN settings ON id = deals.settings
            WHERE {where} ORDER BY number
        """
        for known in self._query(sql, values):
            row = Row._make(known)
            with _errors_of(self._shown):
                stopped_by = None if row.stopped_by is None else StoppedBy(row.stopped_by)
            yield row._replace(verdict=Verdict(row.verdict), stopped_by=stopped_by)

    def counts(self, span: Span) -> Counts:
        """Deals by verdict."""
        sql = f"""
            SELECT COUNT(*), coalesce(sum(verdict = 'winnable'), 0),
                coalesce(sum(verdict = 'unwinnable'), 0),
                coalesce(sum(verdict = 'undetermined'), 0),
                coalesce(sum(verdict = 'undetermined' AND stopped_by = 'states'), 0),
                coalesce(sum(verdict = 'undetermined' AND stopped_by = 'memory'), 0),
                min(number)
            FROM deals WHERE {_IN_SPAN}
        """
        return Counts(*self._query(sql, _bounds(span))[0])

    def ordered(self, span: Span, column: str) -> Iterator[float]:
        """All values of a column (``states``, ``cpu_seconds``), the least first."""
        sql = f"SELECT {column} FROM deals WHERE {_IN_SPAN} ORDER BY {column}"
        with _errors_of(self._shown):
            for (value,) in self._connection.execute(sql, _bounds(span)):
                yield float(value)

    def best_counts(self, span: Span, column: str, *, won: bool) -> dict[int, int]:
        """Deals by the value of a column (``moves``, ``score``) where the best score is proven.

        `won` leaves out the deals that cannot be won.
        """
        wins = " AND verdict = 'winnable'" if won else ""
        sql = f"""
            SELECT {column}, COUNT(*) FROM deals
            WHERE {_IN_SPAN} AND score = score_bound{wins} GROUP BY {column} ORDER BY {column}
        """
        with _errors_of(self._shown):
            return {int(value): count for value, count in self._query(sql, _bounds(span))}

    def versions(self, span: Span) -> tuple[str, ...]:
        """The solver versions that made the rows of a span, in the order of their first use."""
        sql = f"""
            SELECT solver_version FROM settings
            WHERE id IN (SELECT settings FROM deals WHERE {_IN_SPAN})
            GROUP BY solver_version ORDER BY min(id)
        """
        return tuple(version for (version,) in self._query(sql, _bounds(span)))

    def results(self, span: Span) -> Iterator[dict[str, object]]:
        """All that is known of each deal, by name, in the order of the codes."""
        with _errors_of(self._shown):
            sql = f"SELECT * FROM results WHERE {_IN_SPAN} ORDER BY number"
            cursor = self._connection.execute(sql, _bounds(span))
            names = [column[0] for column in cursor.description]
            for values in cursor:
                yield dict(zip(names, values, strict=True))

    def _query(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        with _errors_of(self._shown):
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def _in_batch(self) -> Iterator[None]:
        """Have errors named, and the batch dropped in which one happens."""
        with _errors_of(self._shown):
            try:
                yield
            except Exception:
                self._settings.clear()  # some may be noted in this batch
                self._connection.rollback()
                raise

    def _columns(self, rows: Sequence[Row], terms: Terms) -> dict[str, tuple[object, ...]]:
        """The values of each column of `deals`, the settings noted."""
        columns = dict(zip(Row._fields, zip(*rows, strict=True), strict=True))
        versions = columns.pop("solver_version")
        ids = {v: self._settings_id(v, terms) for v in dict.fromkeys(versions)}
        columns["settings"] = tuple(ids[version] for version in versions)
        for name in ("verdict", "stopped_by"):
            columns[name] = tuple(v if v is None else str(v) for v in columns[name])
        return columns

    def _write(self, columns: dict[str, tuple[object, ...]]) -> None:
        """Write rows, given as columns, as part of a batch, a new one if there is none."""
        shared = {
            name: values[0]
            for name, values in columns.items()
            if name != "number" and values.count(values[0]) == len(values)
        }
        own = {name: values for name, values in columns.items() if name not in shared}
        rows = list(zip(*own.values(), strict=True))
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        for first in range(0, len(rows), _TOGETHER):
            some = rows[first : first + _TOGETHER]
            sql = _insertion(tuple(shared), tuple(own), len(some))
            values = [*shared.values(), *chain.from_iterable(some)]
            if self._connection.execute(sql, values).rowcount < len(some):
                raise self._contradiction(columns)

    def _contradiction(self, columns: dict[str, tuple[object, ...]]) -> StoreError:
        """The error that a verdict of the rows is not the one in the store; says which deal's."""
        sql = f"""
            SELECT suits, verdict FROM deals WHERE suits = ? AND number = ?
                AND ? NOT IN (verdict, {_UNDETERMINED}) AND verdict <> {_UNDETERMINED}
        """
        for row in zip(columns["suits"], columns["number"], columns["verdict"], strict=True):
            for suits, known in self._query(sql, row):
                deal = GameCode(suits, cast("int", row[1]))
                return StoreError(
                    f"it says that {deal} is {known}, but this version says {row[2]}; one of them "
                    "is wrong, please report it"
                )
        return StoreError("not all rows could be stored")

    def _settings_id(self, version: str, terms: Terms) -> int:
        """The settings' number in the store, where they are noted if they are new."""
        key = version, terms
        if key not in self._settings:
            limits = (version, terms.state_limit, terms.memory_limit)
            same = "solver_version = ? AND state_limit = ? AND memory_limit = ?"
            self._query(
                "INSERT OR IGNORE INTO settings (solver_version, state_limit, memory_limit)"
                " VALUES (?, ?, ?)",
                limits,
            )
            ((self._settings[key],),) = self._query(f"SELECT id FROM settings WHERE {same}", limits)
        return self._settings[key]

    def _done(self, span: Span, terms: Terms) -> tuple[str, list[object]]:
        """The condition for rows of a span that need not be decided again, and its values."""
        exact, as_asked = f"verdict <> {_UNDETERMINED}", "TRUE"
        if terms.best:
            exact, as_asked = f"{exact} AND score = score_bound", "score IS NOT NULL"
        states = "SELECT id FROM settings WHERE solver_version = ?"
        if terms.state_limit:
            states += f" AND (state_limit = 0 OR state_limit >= {terms.state_limit:d})"
        else:
            states += " AND state_limit = 0"
        memory = "SELECT id FROM settings WHERE solver_version = ? AND memory_limit >= ?"
        measured = "TRUE"
        if terms.difficulty:
            measured = f"(verdict <> '{Verdict.WINNABLE}' OR difficulty_version = {VERSION:d})"
        where = f"""{_IN_SPAN} AND {measured} AND (
            {exact} OR {as_asked} AND (
                stopped_by = '{StoppedBy.STATES}' AND settings IN ({states})
                OR stopped_by = '{StoppedBy.MEMORY}' AND settings IN ({memory})
                OR stopped_by IS NULL
                    AND settings IN (SELECT id FROM settings WHERE solver_version = ?)
            )
        )"""
        values = [__version__, __version__, terms.memory_limit, __version__]
        return where, [*_bounds(span), *values]


@lru_cache(maxsize=64)
def _insertion(shared: tuple[str, ...], own: tuple[str, ...], rows: int) -> str:
    """The statement that writes so many rows; takes the values they share, then each row's own.

    What takes time is each statement, and each value that is handed over.
    """
    numbers = count(1)
    head = "".join(f"?{next(numbers)}, " for _ in shared)
    values = ", ".join(
        f"({head}{', '.join(f'?{next(numbers)}' for _ in own)})" for _ in range(rows)
    )
    return f"INSERT INTO deals ({', '.join(shared + own)}) VALUES {values} {_KEEP_PROOFS}"


def _bounds(span: Span) -> tuple[int, int, int]:
    """The values of `_IN_SPAN`."""
    return span.suits, span.first, span.stop


@contextmanager
def open_store(file: str | None, column_sizes: ColumnSizes = COLUMN_SIZES) -> Iterator[Store]:
    """A store to be written: made if there is none, brought up to date if it is older.

    None stands for one that lasts as long as it is open. `column_sizes`: the layout of its deals.

    Raises:
        StoreError: it cannot be opened, is in use by another run, is none that this version
            can go on with, or holds deals in another layout.
    """
    shown = "the temporary store" if file is None else file
    with ExitStack() as stack:
        if file is not None:
            _check_place(file)
            stack.enter_context(_locked(file))
        with Store(_connection(file or "", shown, column_sizes), shown) as store:
            if store.column_sizes != column_sizes:
                raise StoreError(
                    f"{shown}: expected a store of deals with columns of "
                    f"{sizes_text(column_sizes)}, got one with columns of "
                    f"{sizes_text(store.column_sizes)}"
                )
            yield store


@contextmanager
def read_store(file: str) -> Iterator[Store]:
    """A store to be read, even while a run writes to it; an older one is brought up to date.

    Raises:
        StoreError: there is none, or none that this version can read.
    """
    _check_place(file, must_exist=True)
    if _version(file) < len(schema.MIGRATIONS):
        with _locked(file):
            _connection(file, file).close()
    with _errors_of(file):
        connection = _connection_to_read(file)
    with Store(connection, file) as store:
        yield store


def _check_place(file: str, *, must_exist: bool = False) -> None:
    """Check the file before anything is written, even a lock."""
    path = Path(file)
    try:
        if not path.is_file():
            if must_exist:
                raise StoreError(f"{file}: no such store")
            if path.exists() or not file:
                raise StoreError(f"{file}: expected a store file, got something else")
            if not path.resolve().parent.is_dir():
                raise StoreError(f"{file}: its folder does not exist")
            return
        with path.open("rb") as opened:
            start = opened.read(len(_MAGIC))
    except (OSError, RuntimeError, ValueError) as error:  # of links in a circle, a NUL in the name
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{file}: cannot be opened: {reason_of(error)}") from None
    if start not in (_MAGIC, b""):
        raise StoreError(f"{file}: expected a simon-solver store, got another kind of file")


def _locked(file: str) -> AbstractContextManager[None]:
    """The lock of a store's writer."""
    return locked(file, "another run is writing to this store", StoreError)


def _connection(
    file: str, shown: str, column_sizes: ColumnSizes = COLUMN_SIZES
) -> sqlite3.Connection:
    """A connection for writing, the tables those of this version; the layout is for a new store."""
    with _errors_of(shown), ExitStack() as stack:
        connection = sqlite3.connect(file, isolation_level=None)
        stack.callback(connection.close)
        schema.check_schema(connection)  # before anything is changed
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        schema.upgrade(connection, column_sizes)
        stack.pop_all()
        return connection


def _connection_to_read(file: str) -> sqlite3.Connection:
    path = Path(file).resolve()
    uri = f"{path.as_uri()}?mode=ro"
    if not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
        # Even to read, SQLite would put a file beside it; nobody else writes to it here.
        uri += "&immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None)


def _version(file: str) -> int:
    """The version of an existing store."""
    with _errors_of(file), closing(_connection_to_read(file)) as connection:
        version = schema.check_schema(connection)
        if version == 0:
            raise StoreError("expected a simon-solver store, got an empty file")
        return version


@contextmanager
def _errors_of(shown: str) -> Iterator[None]:
    """Name the store in errors, and tell a file that is no store from a disk that fails."""
    try:
        yield
    except StoreError as error:
        raise StoreError(f"{shown}: {error}") from None
    except sqlite3.OperationalError as error:
        if "unable to open" in str(error):
            raise StoreError(f"{shown}: cannot be opened: {error}") from None
        if "readonly" in str(error):
            raise StoreError(f"{shown}: cannot be written: {error}") from None
        raise OSError(f"{shown}: {error}") from error
    except (sqlite3.DatabaseError, TypeError, ValueError) as error:
        raise StoreError(f"{shown}: expected a simon-solver store: {error}") from None
