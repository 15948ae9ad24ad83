"""Tables of rows in files: every row, the types, and nothing half-written."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from simon_solver import __version__
from simon_solver.batch import export as export_module
from simon_solver.batch.export import COLUMNS, check_export, export
from simon_solver.batch.pieces import Span
from simon_solver.batch.store import Store, open_store
from simon_solver.errors import InputError
from tests.support.batch import BEST, best_row, row_of

SPANS = [Span(2, 0, 10), Span(4, 0, 10)]


@pytest.fixture
def store() -> Iterator[Store]:
    """A store with deals of two suit counts, some with best scores."""
    with open_store(None) as opened:
        opened.add([row_of(4, 3), best_row(4, 1, 61), row_of(4, 12), row_of(2, 5)], BEST)
        opened.flush()
        yield opened


def test_csv(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "deals.CSV"
    export(store, SPANS, str(file))
    assert file.read_text(encoding="ascii").count("\r") == 0
    with file.open(encoding="ascii", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["code"] for row in rows] == ["SS1-S2-AAAAAAF", "SS1-S4-AAAAAAB", "SS1-S4-AAAAAAD"]
    assert ",".join(rows[1].values()) == (
        f"SS1-S4-AAAAAAB,4,1,winnable,,839,61,4,839,10,0.001,{__version__},1000000,2048,,,"
    )
    assert tuple(rows[0]) == COLUMNS
    assert [path.name for path in tmp_path.iterdir()] == ["deals.CSV"]


@pytest.mark.slow  # continuous integration has pyarrow when it runs those
@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is an extra")
@pytest.mark.parametrize("group", [1, 2, 100])
def test_parquet(store: Store, tmp_path: Path, group: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow import parquet

    monkeypatch.setattr(export_module, "_GROUP", group)
    file = tmp_path / "deals.parquet"
    export(store, SPANS, str(file))
    table: Any = parquet.read_table(file)
    assert tuple(table.column_names) == COLUMNS
    assert table.to_pylist() == [row for span in SPANS for row in store.results(span)]
    assert str(table.schema.field("states").type) == "int64"
    assert str(table.schema.field("score").type) == "int32"


def test_what_is_there_stays_when_writing_fails(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "deals.csv"
    file.write_text("precious", encoding="ascii")

    def results(_store: Store, _span: Span) -> Iterator[dict[str, object]]:
        yield dict.fromkeys(COLUMNS, 1)
        raise OSError("no space")

    monkeypatch.setattr(Store, "results", results)
    with pytest.raises(OSError, match="no space"):
        export(store, SPANS, str(file))
    assert file.read_text(encoding="ascii") == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["deals.csv"]


def test_names_that_are_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.csv").mkdir()
    for name, message in [
        ("deals.txt", "expected a file name ending in .csv or .parquet"),
        ("deals", "expected a file name ending in .csv or .parquet"),
        (str(tmp_path / "no" / "deals.csv"), "cannot be written"),
        (str(tmp_path / "folder.csv"), "cannot be written"),
        ("a\0b.csv", "cannot be written"),
    ]:
        with pytest.raises(InputError, match=message):
            check_export(name)
    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    monkeypatch.setattr(export_module, "find_spec", lambda _name: None)
    with pytest.raises(InputError, match=r"pip install 'simon-solver\[parquet\]'"):
        check_export("deals.parquet")
    check_export("deals.csv")
