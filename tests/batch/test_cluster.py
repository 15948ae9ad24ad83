"""Workers of a real Dask cluster: all rows come back, and whatever goes wrong is one clear line."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from simon_solver import __version__
from simon_solver.batch import cluster as cluster_module
from simon_solver.batch.cluster import IN_FLIGHT, ClusterError, ClusterWorkers, check_cluster
from simon_solver.batch.pieces import Piece, Row, Span, pieces_of
from simon_solver.batch.store import read_store
from simon_solver.batch.workers import Run, WorkerFailedError, WorkerLostError
from simon_solver.errors import InputError
from tests.support.batch import (
    VERDICTS,
    deadly_piece,
    faulty_piece,
    hard_piece,
    hungry_piece,
    quick_piece,
)
from tests.support.cli import error_line, run
from tests.support.dask import TOP, DaskCluster, wait_until
from tests.support.processes import ended, start

HOST = "tcp://host:8786"
MANY = 100_000_000
"""Deals that take hours."""
MISSING = "raise ModuleNotFoundError('no such module', name='simon_solver')"


@pytest.mark.parametrize(
    "address",
    [
        *("", "host", "host:8786", "http://host:8786", "tcp://host", "tcp://:8786", "tcp://host:"),
        *("tcp://host:0", "tcp://host:65536", "tcp://host:8786/", "tcp://a b:1", "tcp://host:1\n"),
        *("tcp://host:８７８６", "tcp://host:1 ", "tcp://::1:8786", "\0"),
    ],
)
def test_malformed_addresses(address: str) -> None:
    result = run("rates", "--deals", "1", "--cluster", address)
    assert result.exit_code == 2
    assert "--cluster: expected an address such as tcp://host:8786, got" in error_line(result)
    assert result.stdout == ""


@pytest.mark.parametrize(
    "address", [HOST, "TCP://10.0.0.1:1", "tcp://[fe80::1]:65535", "tcp://a-b.example.org:8786"]
)
def test_addresses(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", os)
    check_cluster(address)


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "distributed", raising=False)
    monkeypatch.setattr(cluster_module, "find_spec", lambda _name: None)
    result = run("rates", "--deals", "1", "--cluster", HOST)
    assert result.exit_code == 2
    assert error_line(result).endswith("needs Dask: pip install 'simon-solver[cluster]'")
    with pytest.raises(InputError):
        check_cluster(HOST)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--jobs", "2"], "--jobs has no effect with --cluster"),
        (["--from-store", "x"], "--cluster has no effect with --from-store"),
    ],
)
def test_options_that_do_not_go_together(option: list[str], message: str) -> None:
    result = run("rates", "--deals", "1", "--cluster", HOST, *option)
    assert result.exit_code == 2
    assert error_line(result).startswith(message)


def test_dask_is_loaded_only_for_a_cluster() -> None:
    program = (
        "import sys\n"
        "import simon_solver.batch.cluster, simon_solver.cli.commands.rates\n"
        "from simon_solver.batch.cluster import ClusterWorkers\n"
        f"with ClusterWorkers({HOST!r}) as pool:\n"
        "    assert list(pool.results(iter(()))) == []\n"
        "assert not {'dask', 'distributed', 'tornado'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, cwd=TOP)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (ModuleNotFoundError("...", name="simon_solver"), "has no simon_solver"),
        (ImportError("oops"), "cannot load simon_solver (oops)"),
        ("0.0.7", "has simon_solver 0.0.7"),
    ],
)
def test_versions(found: object, told: str) -> None:
    cluster_module._check_version("x", __version__)
    with pytest.raises(ClusterError) as error:
        cluster_module._check_version("x", found)
    assert str(error.value) == f"x {told}, expected version {__version__}, as here"


# From here on with Dask. Continuous integration has it when it runs the slow tests.


def needs_dask(test: object) -> object:
    """Marks of a test that starts a cluster."""
    for mark in (
        pytest.mark.slow,
        pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is an extra"),
        pytest.mark.skipif(os.name == "nt", reason="sends signals"),
    ):
        test = mark(test)
    return test


def foreign_package(folder: Path, text: str) -> dict[str, str]:
    """The environment of a process with another package of our name."""
    package = folder / "foreign" / "simon_solver"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(text, encoding="utf-8")
    return {"PYTHONPATH": str(package.parent)}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A scheduler without our package, and two workers, for tests that leave both alive."""
    folder = tmp_path_factory.mktemp("cluster")
    with DaskCluster(folder, **foreign_package(folder, MISSING)) as started:
        started.add_workers(2)
        yield started


def rows_of(address: str, piece: Run, deals: int) -> list[Row]:
    """All rows of the first deals, ordered."""
    with ClusterWorkers(address, piece) as pool:
        pieces = pieces_of([Span(4, 0, deals)], VERDICTS)
        return sorted(row for rows in pool.results(pieces) for row in rows)


def stored(file: Path | str) -> list[tuple[object, ...]]:
    """All that a store holds apart from CPU times; nothing if it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            cursor = connection.execute("SELECT * FROM results ORDER BY suits, number")
            names = [column[0] for column in cursor.description]
            time_column = names.index("cpu_seconds")
            return [(*row[:time_column], *row[time_column + 1 :]) for row in cursor]
    except sqlite3.OperationalError:
        return []


Rates = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def rates() -> Iterator[Rates]:
    """Starts runs of the program on a cluster; none of them outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def run(
        address: str, store: Path, deals: int, before: str = "", suits: int = 1
    ) -> subprocess.Popen[str]:
        arguments = ["--suits", str(suits), "--deals", str(deals), "--store", str(store)]
        process = start(
            "rates", *arguments, "--cluster", address, "--format", "json", before=before
        )
        started.append(process)
        return process

    yield run
    for process in started:
        with process:
            process.kill()


@needs_dask
def test_a_killed_worker_costs_no_deal(rates: Rates, tmp_path: Path) -> None:
    deals = 6000
    soon = "from simon_solver.batch import store; store.COMMIT_SECONDS = 0.05"
    with DaskCluster(tmp_path) as cluster:
        victim, other = cluster.add_workers(2)
        process = rates(cluster.address, tmp_path / "cluster.sqlite", deals, soon, suits=4)
        wait_until(lambda: len(stored(tmp_path / "cluster.sqlite")) > 0, "no rows")
        victim.send_signal(signal.SIGKILL)
        victim.wait(60)
        assert len(stored(tmp_path / "cluster.sqlite")) < deals, "it was done too soon"
        assert process.poll() is None
        code, output, errors = ended(process)
        assert (code, errors) == (0, "")
        assert other.poll() is None
    local = str(tmp_path / "local.sqlite")
    arguments = ["--suits", "4", "--deals", str(deals), "--store", local]
    assert run("rates", *arguments, "--jobs", "2").exit_code == 0
    wanted = stored(local)
    assert len(wanted) == deals
    assert stored(tmp_path / "cluster.sqlite") == wanted
    assert f'"deals": {deals}' in output


@needs_dask
def test_few_pieces_are_under_way(cluster: DaskCluster) -> None:
    taken: list[Piece] = []
    rows: list[Row] = []

    def noted() -> Iterator[Piece]:
        for piece in pieces_of([Span(4, 0, 3200)], VERDICTS):
            taken.append(piece)
            yield piece

    with ClusterWorkers(cluster.address, quick_piece) as pool:
        for found in pool.results(noted()):
            rows += found
            # one more waits here
            assert len(taken) - len(rows) // 32 <= 2 * IN_FLIGHT + len(found) // 32 + 1
    assert len(taken) == 100
    assert sorted(rows) == quick_piece(Piece(Span(4, 0, 3200), VERDICTS))


@needs_dask
def test_an_error_of_the_program_ends_the_work(cluster: DaskCluster) -> None:
    with pytest.raises(WorkerFailedError, match=r"^RuntimeError: oops \(in .*first=0") as error:
        rows_of(cluster.address, faulty_piece, 500)
    assert "in faulty_piece\n" in error.value.__notes__[0]


@needs_dask
def test_a_deal_that_needs_too_much_memory_is_named(cluster: DaskCluster) -> None:
    with pytest.raises(WorkerLostError, match=r"^a worker ran out of memory at SS1-S4-AAAAAAN; if"):
        rows_of(cluster.address, hungry_piece, 500)


@needs_dask
def test_a_deal_that_kills_its_workers_is_named(tmp_path: Path) -> None:
    failures = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    with DaskCluster(tmp_path, **failures) as cluster:
        workers = cluster.add_workers(5)
        message = "^2 workers died, the last one tcp://127.0.0.1:[0-9]+, at SS1-S4-AAAAAAN; if"
        with pytest.raises(WorkerLostError, match=message):
            rows_of(cluster.address, deadly_piece, 500)
        wait_until(lambda: sum(w.poll() is None for w in workers) == 1, "other numbers of deaths")


@needs_dask
def test_a_hard_deal_does_not_hold_the_others(tmp_path: Path) -> None:
    span = Span(4, 0, 1000)
    easy = [row for row in quick_piece(Piece(span, VERDICTS)) if row.number >= 32]
    rows: list[Row] = []
    with DaskCluster(tmp_path) as cluster:
        cluster.add_workers(2)
        with ClusterWorkers(cluster.address, hard_piece) as pool:
            for found in pool.results(pieces_of([span], VERDICTS)):
                rows += found
                if len(rows) == len(easy):
                    break
            left = time.monotonic()
        assert time.monotonic() - left < 30  # the hard one is given up
    assert sorted(rows) == easy


@needs_dask
def test_ctrl_c_keeps_what_arrived_and_frees_the_cluster(
    cluster: DaskCluster, rates: Rates, tmp_path: Path
) -> None:
    store = tmp_path / "rates.sqlite"
    process = rates(cluster.address, store, MANY)
    wait_until(lambda: len(stored(store)) > 0, "no rows")
    process.send_signal(signal.SIGINT)
    code, output, errors = ended(process)
    assert (code, errors) == (130, "")
    known = len(stored(store))
    assert 0 < known < MANY
    assert f'"deals": {known}, ' in output
    assert len(rows_of(cluster.address, quick_piece, 500)) == 500


@needs_dask
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("__version__ = '0.0.7'", "has simon_solver 0.0.7, expected version"),
        (MISSING, "has no simon_solver, expected version"),
        (None, "has 2 threads, expected 1"),
    ],
)
def test_a_worker_that_joins_later_and_cannot_be_used(
    cluster: DaskCluster, rates: Rates, tmp_path: Path, text: str | None, told: str
) -> None:
    store = tmp_path / "rates.sqlite"
    process = rates(cluster.address, store, MANY)
    wait_until(lambda: len(stored(store)) > 0, "no rows")
    environment = {"THREADS": "2"} if text is None else foreign_package(tmp_path, text)
    (worker,) = cluster.add_workers(1, **environment)
    code, output, errors = ended(process)
    worker.kill()
    worker.wait(60)
    assert (code, output) == (70, "")
    assert errors.startswith("Error: the worker at tcp://127.0.0.1:")
    assert told in errors
    assert errors.count("\n") == 1
    with read_store(str(store)) as opened:
        assert opened.versions(Span(1, 0, MANY)) == (__version__,)


@needs_dask
def test_nobody_is_there(rates: Rates, tmp_path: Path) -> None:
    with socket.socket() as taken:  # and nobody listens
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        before = "from simon_solver.batch import cluster; cluster._CONNECT = 1.0"
        process = rates(address, tmp_path / "rates.sqlite", 10, before)
        message = f"Error: no Dask scheduler answers at {address}\n"
        assert ended(process) == (2, "", message)


@needs_dask
@pytest.mark.parametrize("wait", [0.2, 2.0])
def test_ctrl_c_while_nobody_answers(rates: Rates, wait: float, tmp_path: Path) -> None:
    with socket.socket() as silent:  # takes connections, and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        before = (
            "from simon_solver.batch import cluster; cluster._CONNECT = 60.0; print(flush=True)"
        )
        process = rates(address, tmp_path / "rates.sqlite", 10, before)
        assert process.stdout is not None
        assert process.stdout.readline() == "\n"
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        left = time.monotonic()
        code, _, errors = ended(process)
        assert (code, errors) == (130, "")
        assert time.monotonic() - left < 30


@needs_dask
def test_workers_are_waited_for_and_a_lost_scheduler_ends_the_run(
    rates: Rates, tmp_path: Path
) -> None:
    store = tmp_path / "rates.sqlite"
    before = "from simon_solver.batch import cluster; cluster._LONELY = 0.5"
    with DaskCluster(tmp_path) as cluster:
        note = (
            f"Warning: the cluster at {cluster.address} has no workers; waiting for some to join\n"
        )
        waiting, process = (
            rates(cluster.address, file, MANY, before) for file in (tmp_path / "a", store)
        )
        for started in (waiting, process):
            assert started.stderr is not None
            assert started.stderr.readline() == note
        waiting.send_signal(signal.SIGINT)
        code, _, errors = ended(waiting)
        assert (code, errors) == (130, "")
        cluster.add_workers(1)
        wait_until(lambda: len(stored(store)) > 0, "no rows")
        cluster.scheduler.send_signal(signal.SIGKILL)
        code, output, errors = ended(process)
        assert (code, output) == (70, "")
        assert errors.startswith(f"Error: lost the scheduler at {cluster.address}; with --store")
        assert errors.count("\n") == 1
    assert stored(store)
