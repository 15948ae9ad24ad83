"""Worker processes: all rows come back, whoever dies on the way, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from simon_solver.batch import workers
from simon_solver.batch.pieces import Piece, Row, Span, Terms, pieces_of, run_piece
from simon_solver.batch.workers import LocalWorkers, Run, WorkerFailedError, WorkerLostError
from tests.support.batch import (
    BEST,
    VERDICTS,
    deadly_piece,
    endless_piece,
    faulty_piece,
    hard_piece,
    hungry_piece,
    mortal_piece,
    quick_piece,
    unlucky_piece,
)
from tests.support.processes import wait_for_end

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends signals")


def rows_of(
    run: Run, jobs: int, first: int = 100, deals: int = 500, terms: Terms = VERDICTS
) -> list[Row]:
    """All rows, ordered."""
    with LocalWorkers(jobs, run) as pool:
        pieces = pieces_of([Span(4, first, deals)], terms)
        return sorted(row for rows in pool.results(pieces) for row in rows)


def children() -> list[psutil.Process]:
    """Worker processes of this one."""
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if "resource_tracker" not in " ".join(child.cmdline())
    ]


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("terms", [VERDICTS, BEST])
def test_all_rows_come_back(jobs: int, terms: Terms) -> None:
    deals = 300 if terms is VERDICTS else 20
    wanted = quick_piece(Piece(Span(4, 100, deals), terms))
    assert rows_of(quick_piece, jobs, deals=deals, terms=terms) == wanted
    assert not children()


def test_real_rows_do_not_depend_on_the_number_of_workers() -> None:
    wanted = run_piece(Piece(Span(4, 100, 70), VERDICTS))
    for jobs in (1, 2):
        rows = rows_of(run_piece, jobs, deals=70)
        assert [row[:9] for row in rows] == [row[:9] for row in wanted]


def test_no_more_workers_than_pieces() -> None:
    with LocalWorkers(64, quick_piece) as pool:
        pieces = pieces_of([Span(4, 0, 3)], BEST)
        rows = [row for rows in pool.results(pieces) for row in rows]
        assert len(rows) == 3
        assert 1 <= len(children()) <= 3
    assert not children()


def test_pieces_are_taken_only_when_a_worker_is_free() -> None:
    taken: list[Piece] = []

    def noted() -> object:
        for piece in pieces_of([Span(4, 0, 320)], VERDICTS):
            taken.append(piece)
            yield piece

    answered = 0
    with LocalWorkers(2, quick_piece) as pool:
        for rows in pool.results(noted()):  # type: ignore[arg-type]
            answered += bool(rows)
            assert len(taken) <= 2 * answered + 4
    assert len(taken) == 10


@pytest.mark.parametrize("jobs", [1, 2])
def test_work_of_dead_workers_is_done_by_others(jobs: int) -> None:
    assert rows_of(mortal_piece, jobs) == quick_piece(Piece(Span(4, 100, 500), VERDICTS))


def test_a_deal_may_kill_some_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNLUCKY_FOLDER", str(tmp_path))
    for name in "abc":  # one for the piece, two for the deal alone
        (tmp_path / name).touch()
    rows = rows_of(unlucky_piece, 2, first=0, deals=100)
    assert rows == quick_piece(Piece(Span(4, 0, 100), VERDICTS))
    assert not any(tmp_path.iterdir())


def test_a_worker_killed_from_outside_costs_nothing() -> None:
    killed: list[psutil.Process] = []
    rows: list[Row] = []
    with LocalWorkers(2, quick_piece) as pool:
        for found in pool.results(pieces_of([Span(4, 100, 2000)], VERDICTS)):
            rows += found
            if found and len(killed) < 5:
                (victim, *_) = children()
                killed.append(victim)
                victim.send_signal(signal.SIGKILL)
                wait_for_end([victim])
    assert len(killed) == 5
    assert sorted(rows) == quick_piece(Piece(Span(4, 100, 2000), VERDICTS))


@pytest.mark.parametrize(
    ("run", "manner"), [(deadly_piece, "killed by SIGKILL"), (hungry_piece, "with exit code 12")]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_deal_that_kills_its_workers_ends_the_work(run: Run, manner: str, jobs: int) -> None:
    message = f"3 worker processes died at SS1-S4-AAAAAAN, the last one {manner}; if the machine"
    with pytest.raises(WorkerLostError, match=message):
        rows_of(run, jobs, first=0)
    assert not children()


def test_an_error_of_the_program_ends_the_work() -> None:
    with pytest.raises(WorkerFailedError, match=r"^RuntimeError: oops \(in .*first=0") as error:
        rows_of(faulty_piece, 2, first=0)
    assert "in faulty_piece\n" in error.value.__notes__[0]
    assert not children()


def test_a_hard_deal_does_not_hold_the_others() -> None:
    span = Span(4, 0, 2000)
    easy = [row for row in quick_piece(Piece(span, VERDICTS)) if row.number >= 32]
    rows: list[Row] = []
    with LocalWorkers(2, hard_piece) as pool:
        for found in pool.results(pieces_of([span], VERDICTS)):
            rows += found
            if len(rows) == len(easy):
                break
    assert sorted(rows) == easy


def test_leaving_early_leaves_nobody_behind() -> None:
    with LocalWorkers(2, endless_piece) as pool:
        assert next(iter(pool.results(pieces_of([Span(4, 0, 100)], VERDICTS)))) == []
        assert len(children()) == 2
    assert not children()


def test_workers_that_do_not_listen_are_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PATIENCE", 0.1)
    with LocalWorkers(1, endless_piece) as pool:
        next(iter(pool.results(pieces_of([Span(4, 0, 1)], VERDICTS))))
        (child,) = children()
        child.suspend()
    assert not wait_for_end([child])


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent_however_it_ends(sent: signal.Signals) -> None:
    code = (
        "from simon_solver.batch.pieces import Span, pieces_of\n"
        "from simon_solver.batch.workers import LocalWorkers\n"
        "from tests.support.batch import VERDICTS, endless_piece\n"
        "with LocalWorkers(2, endless_piece) as pool:\n"
        "    for _ in pool.results(pieces_of([Span(4, 0, 100)], VERDICTS)):\n"
        "        print('waiting', flush=True)\n"
    )
    top = Path(__file__).parent.parent.parent
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=top) as parent:
        assert parent.stdout is not None
        for _ in range(4):  # one second: the workers sleep
            assert parent.stdout.readline() == b"waiting\n"
        started = psutil.Process(parent.pid).children(recursive=True)
        assert len(started) >= 2
        parent.send_signal(sent)
        parent.wait(60)
    assert wait_for_end(started) == []


def test_interrupts_do_not_reach_the_workers() -> None:
    with LocalWorkers(2, quick_piece) as pool:
        rows = []
        for found in pool.results(pieces_of([Span(4, 100, 2000)], VERDICTS)):
            rows += found
            for child in children():
                child.send_signal(signal.SIGINT)
        pids = {worker.process.pid for worker in pool._workers}
        assert {child.pid for child in children()} == pids
    assert len(rows) == 2000
