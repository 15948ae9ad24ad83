"""The store: what it keeps, what it takes for done, and which files it refuses."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver import __version__
from simon_solver.batch import schema, store
from simon_solver.batch.pieces import Piece, Row, Span, Terms, pieces_of
from simon_solver.batch.run import fill
from simon_solver.batch.store import Store, open_store, read_store
from simon_solver.batch.summary import summarize
from simon_solver.errors import StoreError
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.game.layout import COLUMN_SIZES
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.batch import BEST, DIFFICULTIES, HARD, VERDICTS, best_row, quick_piece, row_of

OPEN = {"verdict": Verdict.UNDETERMINED, "stopped_by": StoppedBy.STATES}
SPAN = Span(4, 0, 100)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The name of a store that is not there yet."""
    return str(tmp_path / "rates.sqlite")


def make(file: str, *rows: Row, terms: Terms = VERDICTS) -> None:
    with open_store(file) as opened:
        opened.add(rows, terms)


def missing(opened: Store, span: Span = SPAN, terms: Terms = VERDICTS) -> list[int]:
    """The numbers that have yet to be decided."""
    opened.flush()
    gaps = list(opened.missing(span, terms))
    numbers = [n for gap in gaps for n in range(gap.first, gap.stop)]
    assert opened.count_done(span, terms) == span.deals - len(numbers)
    return numbers


def test_rows_come_back_as_they_were(file: str) -> None:
    rows = [
        row_of(4, 29, states=123, cpu_seconds=0.25),
        best_row(4, 30, 60, stopped_by=StoppedBy.MEMORY, score_bound=850),
        row_of(4, CODE_COUNT - 1, **OPEN),
    ]
    make(file, *rows, terms=Terms(state_limit=77, memory_limit=88))
    with read_store(file) as opened:
        found = list(opened.results(Span(4, 0, CODE_COUNT)))
    for row, result in zip(rows, found, strict=True):
        assert result == {
            "code": row.code,
            **{name: getattr(row, name) for name in Row._fields},
            "state_limit": 77,
            "memory_limit": 88,
        }


@given(
    st.lists(
        st.builds(
            row_of,
            st.sampled_from([1, 4]),
            st.integers(0, 150),
            verdict=st.sampled_from([Verdict.WINNABLE, Verdict.UNDETERMINED]),
            stopped_by=st.sampled_from([None, StoppedBy.STATES, StoppedBy.MEMORY]),
            score=st.none() | st.integers(499, 501),
            moves=st.none() | st.integers(0, 1),
            cpu_seconds=st.sampled_from([0.5, 0.25]),
            solver_version=st.sampled_from(["0.9.0", __version__]),
        ),
        max_size=200,
        unique_by=lambda row: row[:2],
    )
)
def test_rows_that_are_written_together_do_not_mix(rows: list[Row]) -> None:
    with open_store(None) as opened:
        opened.add(rows, VERDICTS)
        opened.flush()
        spans = Span(1, 0, 200), Span(4, 0, 200)
        found = [result for span in spans for result in opened.results(span)]
    assert [tuple(result[name] for name in Row._fields) for result in found] == sorted(
        rows, key=lambda row: row[:2]
    )


def test_codes_in_the_view_are_ours(file: str) -> None:
    numbers = [0, 1, 25, 26, 26**6, 26**6 - 1, 123_456_789, CODE_COUNT - 1]
    make(file, *(row_of(suits, number) for suits in (1, 2) for number in numbers))
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT suits, number, code FROM results").fetchall()
    assert len(found) == 2 * len(numbers)
    for suits, number, code in found:
        assert code == str(GameCode(suits, number))


@given(st.sets(st.integers(10, 60)), st.integers(0, 50), st.integers(1, 40), st.integers(1, 7))
def test_what_is_missing(numbers: set[int], first: int, deals: int, block: int) -> None:
    with open_store(None) as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_BLOCK", block)
        opened.add([row_of(4, number) for number in numbers], VERDICTS)
        opened.add([row_of(2, number) for number in range(100)], VERDICTS)
        span = Span(4, first, deals)
        assert missing(opened, span) == sorted(set(range(first, first + deals)) - numbers)


LOW, HIGH = Terms(state_limit=1000), Terms(state_limit=2000)
NO_LIMIT = Terms(state_limit=0)
MEMORY = {**OPEN, "stopped_by": StoppedBy.MEMORY}


@pytest.mark.parametrize(
    ("row", "made_under", "asked", "done"),
    [
        (row_of(4, 0), LOW, NO_LIMIT, True),
        (row_of(4, 0, solver_version="0.0.1"), LOW, HIGH, True),
        (row_of(4, 0, verdict=Verdict.UNWINNABLE), LOW, HIGH, True),
        (row_of(4, 0, **OPEN), LOW, LOW, True),
        (row_of(4, 0, **OPEN), HIGH, LOW, True),
        (row_of(4, 0, **OPEN), LOW, HIGH, False),
        (row_of(4, 0, **OPEN), LOW, NO_LIMIT, False),
        (row_of(4, 0, **OPEN), NO_LIMIT, HIGH, True),
        (row_of(4, 0, **OPEN), LOW, Terms(state_limit=1000, memory_limit=9999), True),
        (row_of(4, 0, **OPEN, solver_version="0.0.1"), LOW, LOW, False),
        (row_of(4, 0, **MEMORY), LOW, HIGH, True),
        (row_of(4, 0, **MEMORY), LOW, Terms(memory_limit=4096), False),
        (row_of(4, 0), LOW, BEST, False),
        (best_row(4, 0, 60), LOW, BEST, True),
        (best_row(4, 0, 60, solver_version="0.0.1"), LOW, BEST, True),
        (best_row(4, 0, 60, score_bound=850, stopped_by=StoppedBy.STATES), BEST, BEST, True),
        (best_row(4, 0, 60, score_bound=850, stopped_by=StoppedBy.STATES), LOW, BEST, False),
        (best_row(4, 0, 60, score_bound=850, stopped_by=StoppedBy.STATES), LOW, HIGH, True),
        (best_row(4, 0, 9, verdict=Verdict.UNWINNABLE, score_bound=900), LOW, BEST, True),
        (
            best_row(4, 0, 9, verdict=Verdict.UNWINNABLE, score_bound=900, solver_version="0.0.1"),
            *(LOW, BEST, False),
        ),
        (row_of(4, 0), LOW, DIFFICULTIES, False),
        (row_of(4, 0, **HARD), LOW, DIFFICULTIES, True),
        (row_of(4, 0, **HARD, solver_version="0.0.1"), LOW, DIFFICULTIES, True),
        (row_of(4, 0, **(HARD | {"difficulty_version": 0})), LOW, DIFFICULTIES, False),
        (best_row(4, 0, 60), LOW, DIFFICULTIES, False),
        (row_of(4, 0, verdict=Verdict.UNWINNABLE), LOW, DIFFICULTIES, True),
        (row_of(4, 0, **OPEN), DIFFICULTIES, DIFFICULTIES, True),
        (row_of(4, 0, **OPEN), LOW, DIFFICULTIES, False),
    ],
)
def test_what_counts_as_done(row: Row, made_under: Terms, asked: Terms, done: bool) -> None:
    with open_store(None) as opened:
        opened.add([row], made_under)
        assert missing(opened, Span(4, 0, 1), asked) == ([] if done else [0])
        assert list(opened.rows(SPAN, asked)) == ([row] if done else [])


def test_better_rows_replace_others_and_proofs_stay() -> None:
    with open_store(None) as opened:
        opened.add([row_of(4, 0, **OPEN), row_of(4, 1), row_of(4, 2)], LOW)
        opened.add([row_of(4, 0, states=5000)], HIGH)
        # asked for the best score under a limit that did not even suffice for the verdict
        opened.add([best_row(4, 1, 0, **OPEN, score_bound=900)], BEST)
        opened.add([best_row(4, 2, 64)], BEST)
        opened.flush()
        found = list(opened.results(SPAN))
    assert [result["verdict"] for result in found] == ["winnable"] * 3
    assert [result["states"] for result in found] == [5000, 10, 20]
    assert [result["score"] for result in found] == [None, 900, 836]
    assert [result["state_limit"] for result in found] == [2000, 1_000_000, 1_000_000]


def test_difficulties_and_best_scores_do_not_displace_each_other() -> None:
    unproven = best_row(4, 1, 60, score_bound=850, stopped_by=StoppedBy.STATES)
    easy = HARD | {"difficulty": 1.0}
    with open_store(None) as opened:
        opened.add([best_row(4, 0, 60), unproven, row_of(4, 2, **HARD)], BEST)
        opened.add([row_of(4, 0, **HARD), row_of(4, 1, **HARD, states=7)], DIFFICULTIES)
        opened.add([best_row(4, 2, 60)], BEST)
        opened.add([row_of(4, 2, **easy)], DIFFICULTIES)
        opened.flush()
        assert list(opened.rows(SPAN, BEST)) == list(opened.rows(SPAN, DIFFICULTIES))
        assert list(opened.rows(SPAN, BEST)) == [
            best_row(4, 0, 60, **HARD),
            unproven._replace(**HARD),
            best_row(4, 2, 60, **easy),
        ]
        # an unproven score is still one of the limit that it was found under
        higher = Terms(best=True, state_limit=2_000_000)
        assert missing(opened, Span(4, 0, 3), higher) == [1]


def test_contradicting_proofs_are_an_error_and_change_nothing(file: str) -> None:
    make(file, row_of(4, 0), row_of(4, 1))
    wrong = row_of(4, 1, verdict=Verdict.UNWINNABLE)
    told = "it says that SS1-S4-AAAAAAB is winnable, but this version says unwinnable"
    with open_store(file) as opened:
        opened.add([row_of(4, 5, solver_version="0.9.0")], VERDICTS)
        with pytest.raises(StoreError, match=told):
            opened.add([*(row_of(4, number) for number in range(6, 160)), wrong], VERDICTS)
        # nothing of it, nor of what was noted with it, is there for the next rows
        opened.add([row_of(2, 0, solver_version="0.9.0")], VERDICTS)
        opened.flush()
        assert opened.versions(Span(2, 0, 1)) == ("0.9.0",)
    with read_store(file) as opened:
        assert [result["verdict"] for result in opened.results(SPAN)] == ["winnable"] * 2


def test_rows_are_written_after_a_while(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 100.0
    monkeypatch.setattr("time.monotonic", lambda: clock)
    with open_store(file) as opened, read_store(file) as reader:
        opened.add([row_of(4, 0)], VERDICTS)
        assert reader.counts(SPAN).deals == 0
        clock += store.COMMIT_SECONDS
        opened.add([], VERDICTS)
        assert reader.counts(SPAN).deals == 1
        opened.add([row_of(4, 1)], VERDICTS)
        assert reader.counts(SPAN).deals == 1
    with read_store(file) as reader:
        assert reader.counts(SPAN).deals == 2


def test_versions_in_the_order_of_their_use() -> None:
    with open_store(None) as opened:
        opened.add([row_of(4, 0, solver_version="0.9.0"), row_of(4, 1)], VERDICTS)
        opened.add([row_of(4, 2, solver_version="0.10.0")], VERDICTS)
        opened.add([row_of(4, 3, solver_version="0.9.0")], LOW)
        opened.flush()
        assert opened.versions(SPAN) == ("0.9.0", __version__, "0.10.0")
        assert opened.versions(Span(4, 1, 1)) == (__version__,)


def test_filling_decides_just_what_is_missing(file: str) -> None:
    make(file, *(row_of(4, number, states=1) for number in range(10, 90)))
    asked: list[Piece] = []

    def execute(pieces: Iterator[Piece]) -> Iterator[list[Row]]:
        for piece in pieces:
            asked.append(piece)
            yield quick_piece(piece)

    counted: list[int] = []
    with open_store(file) as opened:
        assert fill(opened, [SPAN, Span(1, 3, 40)], VERDICTS, execute, on_rows=counted.append)
        assert missing(opened) == missing(opened, Span(1, 3, 40)) == []
        assert fill(opened, [SPAN], VERDICTS, execute)
        assert sum(result["states"] == 1 for result in opened.results(SPAN)) == 80
    numbers = [(code.suits, code.number) for piece in asked for code in piece.codes()]
    wanted = [*range(10), *range(90, 100)]
    assert numbers == [*((4, n) for n in wanted), *((1, n) for n in range(3, 43))]
    assert sum(counted) == len(numbers)


@pytest.mark.parametrize("ending", [KeyboardInterrupt, OSError, None])
def test_what_has_arrived_is_kept_however_filling_ends(
    file: str, ending: type[BaseException] | None
) -> None:
    def execute(pieces: Iterator[Piece]) -> Iterator[list[Row]]:
        for number, piece in enumerate(pieces):
            if number == 2 and ending is not None:
                raise ending
            yield quick_piece(piece)

    arrived: list[int] = []
    try:
        with open_store(file) as opened:
            complete = fill(
                opened,
                [SPAN],
                VERDICTS,
                execute,
                on_rows=arrived.append,
                is_stopped=lambda: len(arrived) == 2,
            )
            assert not complete
    except (KeyboardInterrupt, OSError):
        assert ending is not None
    with read_store(file) as reader:
        assert reader.counts(SPAN).deals == sum(arrived) == 64


# From here on: which files are stores.


def test_only_one_may_write_and_others_may_read(file: str, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(file)
    with open_store(file) as opened:
        for name in (file, str(link)):
            with (
                pytest.raises(StoreError, match="another run is writing to this store"),
                open_store(name),
            ):
                pass
        opened.add([row_of(4, 0)], VERDICTS)
        opened.flush()
        with read_store(str(link)) as reader:
            assert reader.counts(SPAN).deals == 1
    with open_store(file) as opened:
        assert missing(opened, Span(4, 0, 2)) == [1]


def test_a_writer_that_was_killed_leaves_no_lock(file: str) -> None:
    code = (
        "import os, sys\n"
        "from simon_solver.batch import store\n"
        "from simon_solver.batch.store import open_store\n"
        "from tests.support.batch import VERDICTS, row_of\n"
        "store.COMMIT_SECONDS = 1e9\n"
        "with open_store(sys.argv[1]) as opened:\n"
        "    opened.add([row_of(4, 0)], VERDICTS)\n"
        "    opened.flush()\n"
        "    opened.add([row_of(4, 1)], VERDICTS)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    top = Path(__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code, file], check=False, timeout=60, cwd=top)
    assert done.returncode == -9
    assert Path(f"{file}-wal").stat().st_size > 0
    with read_store(file) as reader:
        assert reader.counts(SPAN).deals == 1
    with open_store(file) as opened:
        assert missing(opened, Span(4, 0, 3)) == [1, 2]


@pytest.mark.parametrize("moment", range(9))
def test_a_store_that_was_killed_in_the_making_is_made_again(file: str, moment: int) -> None:
    code = (
        "import os, sqlite3, sys\n"
        "from simon_solver.batch.store import open_store\n"
        "class Connection(sqlite3.Connection):\n"
        "    left = int(sys.argv[2])\n"
        "    def execute(self, *arguments):\n"
        "        if not Connection.left:\n"
        "            os.kill(os.getpid(), 9)\n"
        "        Connection.left -= not arguments[0].startswith('SELECT')\n"
        "        return super().execute(*arguments)\n"
        "connect = sqlite3.connect\n"
        "sqlite3.connect = lambda *a, **k: connect(*a, factory=Connection, **k)\n"
        "with open_store(sys.argv[1]): pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code, file, str(moment)], check=False, timeout=60)
    assert done.returncode == -9
    make(file, row_of(4, 0))
    with read_store(file) as reader:
        assert reader.counts(SPAN).deals == 1


def broken(file: str, *statements: str) -> None:
    make(file, row_of(4, 0))
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("opening", [open_store, read_store])
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 99", "version 3 or lower, got version 99, .* newer simon-solver"),
        ("UPDATE scheme SET name = 'SS2'", "a store of SS1 codes, got 'SS2'"),
        ("PRAGMA application_id = 5", "got another program's database"),
        ("DELETE FROM scheme", "expected a simon-solver store, got 0 rows for SELECT name"),
    ],
)
def test_stores_of_others_are_refused_untouched(
    file: str, opening: object, statement: str, message: str
) -> None:
    broken(file, statement, "PRAGMA journal_mode = DELETE")
    before = Path(file).read_bytes()
    assert callable(opening)
    with pytest.raises(StoreError, match=message) as error, opening(file):
        pass
    assert str(error.value).startswith(f"{file}: ")
    assert Path(file).read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM layout", "expected a simon-solver store, got 0 rows for SELECT columns"),
        ("UPDATE layout SET columns = '8 x'", "expected a layout such as 8 8 8, got '8 x'"),
        ("UPDATE deals SET states = 'many'", "expected a simon-solver store: .*'many'"),
        ("UPDATE deals SET cpu_seconds = x'00'", "expected a simon-solver store: "),
        ("UPDATE deals SET moves = 'few'", "expected a simon-solver store: .*'few'"),
    ],
)
def test_stores_that_somebody_has_meddled_with(file: str, statement: str, message: str) -> None:
    make(file, best_row(4, 0, 60), terms=BEST)
    broken(file, statement)
    with pytest.raises(StoreError, match=message) as error, read_store(file) as opened:
        summarize(opened, SPAN, best=True)
    assert str(error.value).startswith(f"{file}: ")


def test_other_files_are_refused_untouched(tmp_path: Path) -> None:
    text, database, damaged = (str(tmp_path / name) for name in ("text", "db", "damaged"))
    Path(text).write_text("something of value\n", encoding="ascii")
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE important (x)")
    make(damaged, row_of(4, 0))
    Path(damaged).write_bytes(Path(damaged).read_bytes()[:100] + os.urandom(4000))
    for file in (text, database, damaged):
        before = Path(file).read_bytes()
        for opening in (open_store, read_store):
            with pytest.raises(StoreError, match="expected a simon-solver store"), opening(file):
                pass
        assert Path(file).read_bytes() == before
    assert not Path(f"{text}.lock").exists()


def test_places_where_no_store_can_be(tmp_path: Path) -> None:
    for name, message in [
        (str(tmp_path), "expected a store file"),
        (str(tmp_path / "no" / "store"), "its folder does not exist"),
        ("", "expected a store file"),
        ("a\0b", "cannot be opened"),
    ]:
        with pytest.raises(StoreError, match=message), open_store(name):
            pass
    assert not any(tmp_path.iterdir())
    links = [tmp_path / name for name in "ab"]
    for link, other in zip(links, reversed(links), strict=True):
        link.symlink_to(other)
    with pytest.raises(StoreError, match="cannot be opened"), open_store(str(links[0])):
        pass
    with pytest.raises(StoreError, match="nothing: no such store"), read_store("nothing"):
        pass
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(StoreError, match="got an empty file"), read_store(str(empty)):
        pass
    make(str(empty), row_of(4, 0))  # that is how a killed run may leave it


@pytest.mark.parametrize("opening", [open_store, read_store])
def test_an_older_store_is_brought_up_to_date(
    file: str, opening: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(file, row_of(4, 0), row_of(4, 7))
    later = ("ALTER TABLE deals ADD COLUMN mood REAL", "UPDATE deals SET mood = 0.5")
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, later))
    assert callable(opening)
    with opening(file) as opened:
        assert opened.counts(SPAN).deals == 2
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (4,)
        assert connection.execute("SELECT DISTINCT mood FROM deals").fetchall() == [(0.5,)]


@pytest.mark.parametrize("opening", [open_store, read_store])
@pytest.mark.parametrize("version", [1, 2])
def test_a_store_of_an_earlier_version_is_read(file: str, opening: object, version: int) -> None:
    """The first version knew no other layout, the second no difficulties."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in chain(*schema.MIGRATIONS[:version]):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute(f"INSERT INTO settings VALUES (1, '{__version__}', 1000000, 2048)")
        connection.execute(
            "INSERT INTO deals VALUES (4, 7, 'winnable', NULL, NULL, NULL, NULL, NULL, 9, 0.5, 1)"
        )
    with (
        pytest.raises(StoreError, match="one with columns of 8 8 8 7"),
        open_store(file, (13,) * 4),
    ):
        pass
    assert callable(opening)
    with opening(file) as opened:
        assert opened.column_sizes == COLUMN_SIZES
        assert [(row["number"], row["states"]) for row in opened.results(SPAN)] == [(7, 9)]
        known = row_of(4, 7, states=9, cpu_seconds=0.5)
        assert list(opened.rows(SPAN, VERDICTS)) == [known]
        assert list(opened.rows(SPAN, DIFFICULTIES)) == []
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
    make(file, row_of(4, 7, **HARD), terms=DIFFICULTIES)
    with read_store(file) as reader:
        assert list(reader.rows(SPAN, DIFFICULTIES)) == [known._replace(**HARD)]


def test_a_store_keeps_its_layout(file: str) -> None:
    for _ in range(2):
        with open_store(file, (13,) * 4) as opened:
            opened.add([row_of(4, 0)], VERDICTS)
    with read_store(file) as reader:
        assert reader.column_sizes == (13, 13, 13, 13)
        assert reader.counts(SPAN).deals == 1
    with pytest.raises(StoreError, match=r"expected a store .* 1, got one .* 13 13 13 13$"):
        make(file, row_of(4, 1))


def test_an_upgrade_that_fails_changes_nothing(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make(file, row_of(4, 0))
    with monkeypatch.context() as patch:
        later = ("ALTER TABLE deals ADD COLUMN mood REAL", "nonsense")
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, later))
        with pytest.raises(OSError, match="syntax error"), open_store(file):
            pass
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        columns = [row[1] for row in connection.execute("PRAGMA table_info(deals)")]
    assert "mood" not in columns
    with read_store(file) as reader:
        assert reader.counts(SPAN).deals == 1


def test_a_disk_that_fails_is_told_with_its_store(file: str) -> None:
    with open_store(file) as opened:
        opened._connection.execute("PRAGMA max_page_count = 9")
        with pytest.raises(OSError, match=r"rates\.sqlite: database or disk is full"):
            fill(opened, [Span(4, 0, 20_000)], VERDICTS, lambda pieces: map(quick_piece, pieces))
    # what was written before, and only whole batches of it
    with read_store(file) as reader:
        assert reader.counts(Span(4, 0, 20_000)).deals < 20_000


def test_pieces_of_a_filled_store_are_none() -> None:
    with open_store(None) as opened:
        opened.add([row_of(4, number) for number in range(100)], VERDICTS)
        opened.flush()
        assert list(pieces_of(opened.missing(SPAN, VERDICTS), VERDICTS)) == []


def test_a_store_in_a_folder_that_cannot_be_written_can_be_read(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = row_of(4, 3)
    with open_store(file) as opened:
        opened.add([row], VERDICTS)
    before = sorted(Path(file).parent.iterdir())
    monkeypatch.setattr("os.access", lambda *_: False)
    with read_store(file) as reader:
        assert reader.counts(Span(4, 0, 10)).deals == 1
        assert sorted(Path(file).parent.iterdir()) == before


def test_a_file_that_cannot_be_written_is_named() -> None:
    error = sqlite3.OperationalError("attempt to write a readonly database")
    with (
        pytest.raises(StoreError, match=r"x\.sqlite: cannot be written: attempt to write"),
        store._errors_of("x.sqlite"),
    ):
        raise error
