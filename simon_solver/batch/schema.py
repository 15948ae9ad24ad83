"""Gives a store, new or older, the tables of this version.

A store is an SQLite file. `application_id` says that it is ours, `user_version` how many of the
`MIGRATIONS` it has been through, the table `scheme` which shuffle its codes stand for, and
`layout` how many cards each column is dealt.
"""

from __future__ import annotations

import sqlite3

from simon_solver.errors import StoreError
from simon_solver.game.codes import SCHEME
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes, sizes_text

APPLICATION_ID = 0x53533153  # "SS1S" in ASCII

_LETTERS = " || ".join(
    f"substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ', number / {26**place} % 26 + 1, 1)"
    for place in range(6, -1, -1)
)

_FIRST = (
    "CREATE TABLE scheme (name TEXT NOT NULL)",
    f"INSERT INTO scheme VALUES ('{SCHEME}')",
    # What rows were made with; few, as many rows share one.
    """
    CREATE TABLE settings (
        id INTEGER PRIMARY KEY,
        solver_version TEXT NOT NULL,
        state_limit INTEGER NOT NULL,
        memory_limit INTEGER NOT NULL,
        UNIQUE (solver_version, state_limit, memory_limit)
    )
    """,
    """
    CREATE TABLE deals (
        suits INTEGER NOT NULL,
        number INTEGER NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('winnable', 'unwinnable', 'undetermined')),
        stopped_by TEXT,
        score INTEGER,
        moves INTEGER,
        runs_removed INTEGER,
        score_bound INTEGER,
        states INTEGER NOT NULL,
        cpu_seconds REAL NOT NULL,
        settings INTEGER NOT NULL REFERENCES settings (id),
        PRIMARY KEY (suits, number)
    ) WITHOUT ROWID
    """,
    # For people who look into the file with other programs.
    f"""
    CREATE VIEW results AS
    SELECT '{SCHEME}-S' || suits || '-' || {_LETTERS} AS code,
        suits, number, verdict, stopped_by, score, moves, runs_removed, score_bound,
        states, cpu_seconds, solver_version, state_limit, memory_limit
    FROM deals JOIN settings ON settings.id = deals.settings
    """,
)

_SECOND = (
    "CREATE TABLE layout (columns TEXT NOT NULL)",
    f"INSERT INTO layout VALUES ('{sizes_text(COLUMN_SIZES)}')",
)

_THIRD = (
    # All three or none; of deals that can be won. The version is that of the measure.
    "ALTER TABLE deals ADD COLUMN difficulty REAL",
    "ALTER TABLE deals ADD COLUMN careless_wins INTEGER",
    "ALTER TABLE deals ADD COLUMN difficulty_version INTEGER",
    "DROP VIEW results",
    f"""
    CREATE VIEW results AS
    SELECT '{SCHEME}-S' || suits || '-' || {_LETTERS} AS code,
        suits, number, verdict, stopped_by, score, moves, runs_removed, score_bound,
        states, cpu_seconds, solver_version, state_limit, memory_limit,
        difficulty, careless_wins, difficulty_version
    FROM deals JOIN settings ON settings.id = deals.settings
    """,
)

MIGRATIONS = (_FIRST, _SECOND, _THIRD)
"""Statements that lead from each version to the next; those of a released version never change."""


def check_schema(connection: sqlite3.Connection) -> int:
    """The version of the store, 0 of an empty one.

    Raises:
        StoreError: it is none of ours, is newer than this program, or of another scheme.
        sqlite3.DatabaseError: it is no database.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    if application == version == tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise StoreError("expected a simon-solver store, got another program's database")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"expected a store of version {len(MIGRATIONS)} or lower, got version {version}, "
            "made by a newer simon-solver"
        )
    scheme = _only(connection, "SELECT name FROM scheme")
    if scheme != SCHEME:
        raise StoreError(f"expected a store of {SCHEME} codes, got {scheme!r}")
    return int(version)


def layout_of(connection: sqlite3.Connection) -> ColumnSizes:
    """The layout of the deals in a store of this version.

    Raises:
        StoreError: somebody has meddled with it.
    """
    sizes = _only(connection, "SELECT columns FROM layout")
    try:
        return tuple(map(int, str(sizes).split()))
    except ValueError:
        raise StoreError(f"expected a layout such as 8 8 8, got {sizes!r}") from None


def _only(connection: sqlite3.Connection, sql: str) -> object:
    """The value in the only row of a table.

    Raises:
        StoreError: there are none or more.
    """
    rows = connection.execute(sql).fetchall()
    if len(rows) != 1:
        raise StoreError(f"expected a simon-solver store, got {len(rows)} rows for {sql}")
    ((value,),) = rows
    return value


def upgrade(connection: sqlite3.Connection, column_sizes: ColumnSizes) -> None:
    """Give the store the tables of this version: wholly or, if it is interrupted, not at all.

    A new store becomes one of deals in the layout of `column_sizes`. The connection is in
    autocommit mode, and nobody else writes.

    Raises:
        StoreError: as `check_schema`.
    """
    version = check_schema(connection)
    if version == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        if version == 0:
            connection.execute("UPDATE layout SET columns = ?", [sizes_text(column_sizes)])
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
