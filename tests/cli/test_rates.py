"""``rates``: options, tables, stores on the command line, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simon_solver import __version__
from simon_solver.batch.workers import LocalWorkers
from simon_solver.cli.commands import rates
from simon_solver.cli.main import cli
from simon_solver.cli.shared.progress import DealsProgress
from simon_solver.game.codes import CODE_COUNT
from tests.support.batch import deadly_piece, faulty_piece
from tests.support.cli import error_line, run
from tests.support.processes import ended, start

CODE = "SS1-S4-AAAAABD"


def records(*arguments: str) -> list[dict[str, Any]]:
    """The records that ``rates`` prints."""
    result = run("rates", *arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return [json.loads(line) for line in result.stdout.splitlines()]


TABLE = """\
suits            from  deals  winnable  unwinnable  undetermined  win rate     95 % interval
    1  SS1-S1-AAAAAAK     50        44           5             1   89.80 %  76.20 to 95.65 %
    4  SS1-S4-AAAAAAK     50        44           5             1   89.80 %  76.20 to 95.65 %

suits  CPU ms: median   mean   99 %   most  states: median  mean  99 %  most
    1           34.00  34.50  59.00  59.00             340   345   590   590
    4           34.00  34.50  59.00  59.00             340   345   590   590

2 deals undetermined: state limit reached
"""


@pytest.mark.usefixtures("quick")
def test_the_table() -> None:
    result = run("rates", "--suits", "1,4", "--deals", "50", "--start", "10")
    assert result.exit_code == 0
    assert result.stdout == f"{TABLE}solver version {__version__}\n"


BEST_TABLE = """\
suits  proven  unproven  moves: least  median  mean  most  score: least  median   mean  most
    4       9         0            60      61  61.1    62           500     839  801.2   840

best moves  score  4 suits
        60    840        2
        61    839        3
        62    838        3
"""


@pytest.mark.usefixtures("quick")
def test_the_tables_of_best_scores() -> None:
    result = run("rates", "--suits", "4", "--deals", "9", "--best")
    assert BEST_TABLE in result.stdout
    (record,) = records("--suits", "4", "--deals", "9", "--best")
    assert record["best_moves"] == {"60": 2, "61": 3, "62": 3}
    assert record["best_scores"] == {"500": 1, "838": 3, "839": 3, "840": 2}
    assert (record["best_proven"], record["winnable"], record["unwinnable"]) == (9, 8, 1)
    assert record["score_max"] == 900 - record["moves_min"] == 840


@pytest.mark.usefixtures("quick")
def test_records_and_csv_have_the_same_fields() -> None:
    arguments = ["--suits", "2,1", "--deals", "40", "--best"]
    found = records(*arguments)
    assert [record["suits"] for record in found] == [2, 1]
    first = list(found[0])[:9]
    assert first == [
        *("suits", "start", "deals", "winnable", "unwinnable", "undetermined"),
        *("win_rate", "win_rate_low", "win_rate_high"),
    ]
    assert found[0]["start"] == "SS1-S2-AAAAAAA"
    assert found[0]["win_rate"] == round(35 / 39, 6)
    output = run("rates", *arguments, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(output)))
    for record, row in zip(found, rows, strict=True):
        assert list(row) == list(record)
        for name, value in record.items():
            if isinstance(value, dict):
                told = dict(pair.split(":") for pair in row[name].split())
                assert told == {key: str(count) for key, count in value.items()}
            else:
                assert row[name] == (" ".join(value) if isinstance(value, list) else str(value))


@pytest.mark.usefixtures("quick")
def test_fields_that_were_not_asked_for_are_null() -> None:
    (record,) = records("--suits", "4", "--deals", "9")
    names = {"best_proven", "best_unproven", "moves_mean", "score_max", "best_moves", "best_scores"}
    assert {name for name, value in record.items() if value is None} >= names
    row = next(csv.DictReader(io.StringIO(run("rates", "--deals", "9", "--format", "csv").stdout)))
    assert {row[name] for name in names} == {""}


@pytest.mark.usefixtures("quick")
def test_which_codes_are_decided() -> None:
    assert [r["start"] for r in records("--deals", "3")] == [
        f"SS1-S{suits}-AAAAAAA" for suits in (1, 2, 4)
    ]
    assert {r["deals"] for r in records()} == {rates.DEFAULT_DEALS}
    for start_at in (["--start", "29"], ["--start", CODE.lower(), "--suits", "4"]):
        assert CODE in [r["start"] for r in records("--deals", "3", *start_at)]
    # a code says its suit count
    assert [r["start"] for r in records("--deals", "3", "--start", CODE)] == [CODE]
    (last,) = records("--deals", "3", "--start", "SS1-S1-ZZZZZZX")
    assert last["deals"] == 3


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suits", "3"], "expected some of 1, 2 and 4, as in 1,2,4, got '3'"),
        (["--suits", "1,1"], "expected some of 1, 2 and 4, as in 1,2,4, got '1,1'"),
        (["--suits", ""], "expected some of 1, 2 and 4"),
        (["--deals", "0"], "expected a whole number of at least 1, got '0'"),
        (["--jobs", "0"], "expected a whole number of at least 1, got '0'"),
        (["--state-limit", "-1"], "expected a whole number of at least 0, got '-1'"),
        (["--state-limit", "1" * 20], "expected a state limit of at most 9223372036854775807"),
        (["--memory-limit", "1" * 20], "expected a memory limit of at most"),
        (["--deals", "1" * 20], "there are no more codes"),
        (["--start", "1" * 5000], "--start"),
        (["--start", "x"], "expected a game code like SS1-S4-AAAAABD, got 'x' (or give a number"),
        (["--start", "-1"], "expected a game code"),
        (["--start", str(CODE_COUNT)], f"expected a number from 0 to {CODE_COUNT - 1}, got"),
        (["--start", CODE, "--suits", "2"], "a code that matches --suits 2, got SS1-S4-AAAAABD"),
        (["--start", CODE, "--suits", "1,2,4"], "matches --suits 1,2,4, got SS1-S4-AAAAABD"),
        (
            ["--start", "SS1-S4-ZZZZZZZ", "--deals", "2"],
            "expected at most 1 deals from SS1-S4-ZZZZZZZ on (there are no more codes), got 2",
        ),
        (["--start", str(CODE_COUNT - 1)], "there are no more codes), got 1000"),
        (["--export", "deals.txt"], "expected a file name ending in .csv or .parquet"),
        (["--store", "."], ".: expected a store file"),
        (["--from-store", "none"], "none: no such store"),
        (["--from-store", "none", "--store", "x"], "--store has no effect with --from-store"),
        (["--from-store", "none", "--jobs", "2"], "--jobs has no effect with --from-store"),
        (
            ["--from-store", "none", "--state-limit", "2"],
            "--state-limit has no effect with --from-store",
        ),
        (
            ["--from-store", "none", "--memory-limit", "2"],
            "--memory-limit has no effect with --from-store",
        ),
        (["--format", "xml"], "'xml' is not one of"),
        (["4"], "Got unexpected extra argument (4)"),
    ],
)
def test_refused(arguments: list[str], message: str) -> None:
    result = run("rates", *arguments)
    assert result.exit_code == 2
    assert message in error_line(result)
    assert result.stdout == ""


def test_a_store_is_filled_and_shown_again(quick: Path) -> None:
    first = records("--deals", "40", "--store", "rates.sqlite")
    assert records("--deals", "40", "--store", "rates.sqlite") == first
    assert records("--from-store", "rates.sqlite") == first
    longer = records("--deals", "60", "--suits", "4", "--store", "rates.sqlite")
    assert longer[0]["deals"] == 60
    assert records("--from-store", "rates.sqlite") == [*first[:2], *longer]
    assert records("--from-store", "rates.sqlite", "--suits", "2,1", "--deals", "40") == [
        *(first[1], first[0])
    ]
    (part,) = records("--from-store", "rates.sqlite", "--start", CODE)
    assert (part["start"], part["deals"]) == (CODE, 31)
    assert (quick / "rates.sqlite").exists()


def test_what_a_store_lacks(quick: Path) -> None:
    records("--deals", "10", "--suits", "4", "--start", "100", "--store", "rates.sqlite")
    (shown,) = records("--from-store", "rates.sqlite")
    assert (shown["start"], shown["deals"]) == ("SS1-S4-AAAAADW", 10)
    arguments = ["--from-store", "rates.sqlite", "--suits", "4,2"]
    shown, none = records(*arguments)
    assert (none["suits"], none["deals"], none["win_rate"], none["states_max"]) == (
        2,
        0,
        None,
        None,
    )
    assert "    2  SS1-S2-AAAAAAA      0         0" in run("rates", *arguments).stdout
    result = run("rates", "--from-store", "rates.sqlite", "--start", "200")
    assert result.exit_code == 2
    assert "expected deals of the suits and codes asked for, got none" in error_line(result)
    assert (quick / "rates.sqlite").exists()


def test_best_scores_are_asked_for_when_only_verdicts_are_stored(quick: Path) -> None:
    records("--deals", "20", "--suits", "4", "--store", "rates.sqlite")
    (record,) = records("--deals", "10", "--suits", "4", "--store", "rates.sqlite", "--best")
    assert (record["best_proven"], record["best_unproven"]) == (10, 0)
    (record,) = records("--from-store", "rates.sqlite", "--best")
    assert (record["best_proven"], record["best_unproven"]) == (10, 10)
    assert (quick / "rates.sqlite").exists()


def test_versions_of_the_rows_are_told(quick: Path) -> None:
    records("--deals", "4", "--store", "rates.sqlite")
    with closing(sqlite3.connect(quick / "rates.sqlite")) as connection, connection:
        connection.execute("UPDATE settings SET solver_version = '0.0.7'")
    found = records("--deals", "8", "--store", "rates.sqlite")
    assert found[0]["solver_versions"] == ["0.0.7", __version__]
    text = run("rates", "--from-store", "rates.sqlite").stdout
    assert text.endswith(f"\n\nsolver version 0.0.7, {__version__}\n")


def test_rows_are_exported(quick: Path) -> None:
    records("--deals", "5", "--suits", "1,4", "--start", "7", "--export", "deals.csv")
    lines = (quick / "deals.csv").read_text(encoding="ascii").splitlines()
    assert len(lines) == 11
    assert lines[1].startswith("SS1-S1-AAAAAAH,1,7,winnable,")
    assert lines[10].startswith("SS1-S4-AAAAAAL,4,11,winnable,")


def _examples() -> list[str]:
    texts = [cli.commands["rates"].help or "", cli.help or ""]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    return [line for line in lines if line.startswith("simon-solver rates ")]


def test_the_examples_run_in_their_order(quick: Path) -> None:
    assert len(_examples()) >= 3
    for example in _examples():
        result = run(*shlex.split(example)[1:])
        assert result.exit_code == 0, result.output
        assert result.stderr == ""
        assert result.stdout
    assert {"rates.sqlite", "deals.csv"} <= {path.name for path in quick.iterdir()}


# From here on with worker processes.


def test_verdicts_are_those_of_check() -> None:
    found = records("--deals", "40", "--start", "0", "--jobs", "2")
    for record in found:
        codes = [f"SS1-S{record['suits']}-AAAAA{a}{b}" for a, b in map(letters, range(40))]
        text = run("check", *codes).stdout
        assert record["winnable"] == text.count(" winnable")
        assert record["unwinnable"] == text.count(" unwinnable")
        assert record["undetermined"] == 0


def letters(number: int) -> tuple[str, str]:
    high, low = divmod(number, 26)
    return chr(ord("A") + high), chr(ord("A") + low)


def test_a_deal_that_kills_its_workers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        "simon_solver.batch.workers.LocalWorkers", lambda jobs: LocalWorkers(jobs, deadly_piece)
    )
    monkeypatch.setattr("simon_solver.cli.commands.rates.prepare_kernels", lambda _: None)
    store = str(tmp_path / "rates.sqlite")
    result = run("rates", "--suits", "4", "--deals", "200", "--jobs", "2", "--store", store)
    assert result.exit_code == 70
    assert error_line(result).startswith("3 worker processes died at SS1-S4-AAAAAAN, the last one")
    assert result.stdout == ""
    (record,) = records("--from-store", store)
    assert 32 <= record["deals"] < 200


def test_an_internal_error_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "simon_solver.batch.workers.LocalWorkers", lambda jobs: LocalWorkers(jobs, faulty_piece)
    )
    monkeypatch.setattr("simon_solver.cli.commands.rates.prepare_kernels", lambda _: None)
    result = run("rates", "--suits", "4", "--deals", "200")
    assert result.exit_code == 70
    assert "internal error, please report it: WorkerFailedError: " in error_line(result)
    assert "RuntimeError: oops" in error_line(result)


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
def test_ctrl_c_prints_what_is_known_and_keeps_it(tmp_path: Path) -> None:
    store = str(tmp_path / "rates.sqlite")
    # The first of four pieces takes very long.
    before = (
        "from simon_solver.batch import workers\n"
        "from tests.support.batch import hard_piece\n"
        "start = workers.LocalWorkers\n"
        "workers.LocalWorkers = lambda jobs: start(jobs, hard_piece)\n"
    )
    arguments = ["rates", "--suits", "4", "--deals", "128", "--jobs", "2", "--store", store]
    top = str(Path(__file__).parent.parent.parent)
    process = start(*arguments, "--format", "json", before=before, PYTHONPATH=top)
    end = time.monotonic() + 120
    while _stored(store) < 96 and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    code, output, errors = ended(process)
    assert (code, errors) == (130, "")
    record = json.loads(output)
    assert (record["start"], record["deals"]) == ("SS1-S4-AAAAAAA", 96)
    assert _stored(store) == 96


def _stored(file: str) -> int:
    """Rows in a store that may not be there yet."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM deals").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
@pytest.mark.parametrize("wait", [0.1, 0.3, 0.5, 0.7, 1.0, 1.3, 2.0])
def test_ctrl_c_in_a_terminal_reaches_all_processes_and_is_no_mess(wait: float) -> None:
    arguments = ["rates", "--suits", "4", "--deals", "100000", "--jobs", "3"]
    process = start(*arguments, "--format", "json", before="os.setpgrp(); print(flush=True)")
    assert process.stdout is not None
    assert process.stdout.readline() == "\n"
    time.sleep(wait)
    os.killpg(process.pid, signal.SIGINT)
    code, output, errors = ended(process)
    assert (code, errors) == (130, "")
    assert len(output.splitlines()) <= 1


def test_help_loads_neither_a_database_nor_processes() -> None:
    program = (
        "import sys\n"
        "from simon_solver.cli.main import cli\n"
        "cli.main(['rates', '--help'], standalone_mode=False)\n"
        "assert not {'sqlite3', 'multiprocessing', 'filelock', 'numba'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, capture_output=True)


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_with_what_was_stored_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with DealsProgress(total=200, done=50) as progress:
        assert progress._line is not None
        progress._line.mininterval = 0  # so that it is shown at once
        progress(100)
    assert " 25%|" in stream.getvalue()
    assert "| 150/200 [" in stream.getvalue()
    assert " deals/s]" in stream.getvalue()


def test_a_note_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr("sys.stderr", stream)
        with DealsProgress(total=200, done=50) as progress:
            progress.note("no workers")
        assert "Warning: no workers\n" in stream.getvalue().split("\r")


def test_no_progress_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with DealsProgress(total=200, done=50) as progress:
        progress(100)
    assert stream.getvalue() == ""
