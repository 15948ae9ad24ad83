"""Exports the rows of a store to a CSV file, or to Parquet with the extra of that name."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from simon_solver.batch.pieces import Span
from simon_solver.batch.store import Store
from simon_solver.errors import InputError
from simon_solver.game.layout import COLUMN_SIZES, sizes_text
from simon_solver.text.outputs import check_name, kind_of, whole_file

CSV, PARQUET = ".csv", ".parquet"
_GROUP = 100_000  # rows that Parquet keeps together, and that are in memory at once
_TYPES = {
    "suits": "int8",
    "number": "int64",
    "score": "int32",
    "moves": "int32",
    "runs_removed": "int8",
    "score_bound": "int32",
    "states": "int64",
    "cpu_seconds": "float64",
    "state_limit": "int64",
    "memory_limit": "int64",
    "difficulty": "float64",
    "careless_wins": "int16",
    "difficulty_version": "int16",
}
COLUMNS = (
    "code", "suits", "number", "verdict", "stopped_by", "score", "moves", "runs_removed",
    "score_bound", "states", "cpu_seconds", "solver_version", "state_limit", "memory_limit",
    "difficulty", "careless_wins", "difficulty_version",
)  # fmt: skip
"""The names in both formats, in their order; the limits are those that the row was made under.

In a layout that is not the usual one, `layout` is the last.
"""


def check_export(file: str) -> None:
    """Find out before any work whether a table can be written under this name.

    Raises:
        InputError: it is of no known kind, cannot be written, or pyarrow is missing.
    """
    check_name(file, (CSV, PARQUET))
    if kind_of(file) == PARQUET and "pyarrow" not in sys.modules and find_spec("pyarrow") is None:
        raise InputError(f"{file}: Parquet needs pyarrow: pip install 'simon-solver[parquet]'")


def export(store: Store, spans: Sequence[Span], file: str) -> None:
    """Write the rows of the spans; the file is there wholly or as it was before.

    Raises:
        InputError: as `check_export`.
        OSError: it cannot be written.
    """
    check_export(file)
    layout = {}
    if store.column_sizes != COLUMN_SIZES:
        layout = {"layout": sizes_text(store.column_sizes)}
    names = (*COLUMNS, *layout)
    results = ({**result, **layout} for span in spans for result in store.results(span))
    rows = (tuple(result[name] for name in names) for result in results)
    write = _write_csv if kind_of(file) == CSV else _write_parquet
    with whole_file(file) as unfinished:
        write(unfinished, names, rows)


def _write_csv(path: Path, names: Sequence[str], rows: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def _write_parquet(path: Path, names: Sequence[str], rows: Iterator[tuple[object, ...]]) -> None:
    import pyarrow as pa  # noqa: PLC0415 - an extra
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415

    schema: Any = pa.schema([(name, _TYPES.get(name, "string")) for name in names])
    with ParquetWriter(path, schema) as writer:
        while group := list(islice(rows, _GROUP)):
            columns = [list(values) for values in zip(*group, strict=True)]
            arrays = [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
