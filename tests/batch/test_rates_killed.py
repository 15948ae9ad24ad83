"""``rates`` killed at any moment, for real and many times: no deal is lost, none decided twice."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest

from simon_solver.batch.pieces import Piece, Span, Terms, run_piece
from tests.support.processes import ended, start, wait_for_end

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends signals")

Rows = dict[int, tuple[Any, ...]]
WRITES_OFTEN = "from simon_solver.batch import store; store.COMMIT_SECONDS = 0.1"


def stored(file: str) -> Rows:
    """The rows of a store by number, times included; none of a store that is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT number, * FROM deals").fetchall()
    except sqlite3.OperationalError:
        return {}
    found = {number: tuple(row) for number, *row in rows}
    assert len(found) == len(rows)
    return found


def kill_when_it_gets_on(arguments: list[str], file: str, rng: Random) -> Rows:
    """Start a run, kill it soon after it has written something; returns what it left."""
    before = len(stored(file))
    with start(*arguments, before=WRITES_OFTEN) as process:
        end = time.monotonic() + 120
        while len(stored(file)) == before and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(rng.choice([0, rng.uniform(0, 0.03), rng.uniform(0, 0.4)]))
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, "it was done too soon"
    assert wait_for_end(family) == []
    return stored(file)


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, rng: Random) -> None:
    kills, deals = 12, 40_000
    file = str(tmp_path / "rates.sqlite")
    arguments = ["rates", "--suits", "4", "--deals", str(deals), "--jobs", "2", "--store", file]
    known: Rows = {}
    for _ in range(kills):
        now = kill_when_it_gets_on(arguments, file, rng)
        # With their CPU times: a deal that is decided once more would not have the same.
        assert {number: now.get(number) for number in known} == known
        assert len(now) > len(known)
        known = now
    assert len(known) < deals
    code, output, errors = ended(start(*arguments, "--format", "json"))
    assert (code, errors) == (0, "")
    assert json.loads(output)["deals"] == deals
    complete = stored(file)
    assert sorted(complete) == list(range(deals))
    assert {number: complete[number] for number in known} == known
    assert ended(start(*arguments, "--format", "json")) == (0, output, "")
    assert stored(file) == complete
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    # what a run that nobody kills says of some of them
    for first in (0, deals // 2, deals - 100):
        for row in run_piece(Piece(Span(4, first, 100), Terms())):
            assert complete[row.number][2:9] == (
                *(row.verdict, row.stopped_by, row.score, row.moves),
                *(row.runs_removed, row.score_bound, row.states),
            )
