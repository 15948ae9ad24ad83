"""``find``: wishes, formats, stores on the command line, and how it ends."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import signal
import time
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest

from simon_solver.answers.difficulty import VERSION, Grade, difficulty
from simon_solver.answers.solver import check, solve
from simon_solver.batch.workers import LocalWorkers
from simon_solver.cli.commands import find as find_module
from simon_solver.cli.main import cli
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.search.verdict import Verdict
from tests.support.batch import Inline, deadly_piece
from tests.support.cli import error_line, run
from tests.support.processes import ended, start, wait_for_end

FEW_CODES = "SS1-S2-ZZZZZZU"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No search and no processes, in an empty working folder."""
    monkeypatch.setattr("simon_solver.batch.workers.LocalWorkers", Inline)
    monkeypatch.setattr("simon_solver.cli.commands.find.prepare_kernels", lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def records(*arguments: str, code: int = 0) -> list[dict[str, Any]]:
    """The records that ``find`` prints."""
    result = run("find", *arguments, "--format", "json")
    assert result.exit_code == code, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


TABLE = """\
code            difficulty    best score  moves
SS1-S4-AAAAAAB   37.0 easy    839            61
SS1-S4-AAAAAAC   74.0 easy    838            62
SS1-S4-AAAAAAD   10.0 easy    840            60
"""


@pytest.mark.usefixtures("quick")
def test_the_table() -> None:
    result = run("find", "--count", "3")
    assert (result.exit_code, result.stdout, result.stderr) == (0, TABLE, "")


@pytest.mark.usefixtures("quick")
def test_lost_deals_have_no_difficulty() -> None:
    head = "code            best score  moves"
    result = run("find", "--count", "2", "--unwinnable")
    assert result.stdout.splitlines() == [
        head,
        "SS1-S4-AAAAAAA  500             0",
        "SS1-S4-AAAAAAK  500             0",
    ]
    result = run("find", "--count", "1", "--unwinnable", "--no-best")
    assert result.stdout.splitlines() == ["code", "SS1-S4-AAAAAAA"]
    (record,) = records("--count", "1", "--unwinnable")
    assert record["verdict"] == "unwinnable"
    assert record["difficulty"] is record["grade"] is None


@pytest.mark.usefixtures("quick")
def test_records_and_csv_have_the_same_fields() -> None:
    arguments = ["--suits", "2", "--count", "4", "--start", "7"]
    found = records(*arguments)
    assert found[0] == {
        "deal": "SS1-S2-AAAAAAH",
        "suits": 2,
        "verdict": "winnable",
        "score": 839,
        "moves": 61,
        "runs_removed": 4,
        "best_proven": True,
        "score_bound": 839,
        "difficulty": 57.0,
        "grade": "easy",
        "careless_wins": 7,
        "difficulty_version": 1,
    }
    output = run("find", *arguments, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [list(row.values()) for row in rows] == [
        [str(v) if v is not True else "true" for v in r.values()] for r in found
    ]
    assert list(rows[0]) == list(found[0])
    (unasked,) = records("--count", "1", "--no-best")
    names = {"score", "moves", "runs_removed", "best_proven", "score_bound"}
    assert {name for name, value in unasked.items() if value is None} == names
    empty = run("find", "--start", FEW_CODES, "--min-best", "900", "--format", "csv").stdout
    assert empty.splitlines() == [",".join(found[0])]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("grade", list(Grade))
def test_deals_of_a_grade(grade: Grade) -> None:
    found = records("--count", "5", "--difficulty", str(grade))
    everything = records("--count", "100", "--start", "0")
    assert found == [record for record in everything if record["grade"] == grade][:5]


@pytest.mark.usefixtures("quick")
def test_deals_of_high_best_scores() -> None:
    found = records("--count", "5", "--min-best", "840")
    assert [record["score"] for record in found] == [840] * 5
    everything = records("--count", "20")
    assert found == [record for record in everything if record["score"] >= 840][:5]


@pytest.mark.usefixtures("quick")
def test_which_codes_are_looked_at() -> None:
    assert records("--count", "1")[0]["deal"] == "SS1-S4-AAAAAAB"
    assert records("--count", "1", "--suits", "1")[0]["deal"] == "SS1-S1-AAAAAAB"
    for place in (["--start", "29", "--suits", "2"], ["--start", "ss1-s2-aaaaabd"]):
        assert records("--count", "1", *place)[0]["deal"] == "SS1-S2-AAAAABD"
    assert len(records()) == 10
    last = records("--start", str(CODE_COUNT - 3), code=1)
    assert [record["deal"] for record in last] == [
        str(GameCode(4, CODE_COUNT - n)) for n in (3, 2, 1)
    ]


@pytest.mark.usefixtures("quick")
def test_too_few_deals() -> None:
    result = run("find", "--start", FEW_CODES, "--min-best", "839")
    assert result.exit_code == 1
    assert result.stderr == "Note: found 4 of 10 deals: no more codes\n"
    assert result.stdout.count("\n") == 5


@pytest.mark.usefixtures("quick")
def test_undetermined_deals_are_counted() -> None:
    result = run("find", "--count", "3", "--start", "18")
    assert result.exit_code == 0
    assert result.stderr == "Note: 1 deal left out: a limit ended the search\n"
    assert "SS1-S4-AAAAAAT" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--unwinnable", "--difficulty", "easy"], "--difficulty cannot be used with --unwinnable"),
        (["--unwinnable", "--min-best", "500"], "--min-best cannot be used with --unwinnable"),
        (["--no-best", "--min-best", "840"], "--min-best cannot be used with --no-best"),
        (["--min-best", "901"], "expected a score of at most 900, got '901'"),
        (["--count", "0"], "expected a whole number of at least 1, got '0'"),
        (["--suits", "3"], "'3' is not one of '1', '2', '4'"),
        (["--difficulty", "simple"], "'simple' is not one of 'easy', 'medium', 'hard'"),
        (
            ["--suits", "2", "--start", "SS1-S4-AAAAABD"],
            "expected a number, or a code that matches --suits 2",
        ),
        (["--start", str(CODE_COUNT)], f"expected a number from 0 to {CODE_COUNT - 1}"),
        (["--jobs", "0"], "expected a whole number of at least 1"),
        (["--store", "no/folder"], "no/folder: its folder does not exist"),
    ],
)
@pytest.mark.usefixtures("quick")
def test_bad_usage(arguments: list[str], message: str) -> None:
    result = run("find", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in error_line(result)


@pytest.mark.usefixtures("quick")
def test_a_store_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["--count", "20", "--store", "finds.sqlite", "--difficulty", "hard"]
    found = records(*asked)
    monkeypatch.setattr(Inline, "results", lambda _self, pieces: map(pytest.fail, pieces))
    assert records(*asked) == found
    known = records("--count", "25", "--store", "finds.sqlite", "--no-best")
    assert [record["score"] for record in known] == [None] * 25
    monkeypatch.undo()


@pytest.mark.usefixtures("quick")
def test_rates_and_find_share_a_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simon_solver.cli.commands.rates.prepare_kernels", lambda _: None)
    rates = ["rates", "--suits", "4", "--deals", "40", "--store", "finds.sqlite", "--best"]
    before = run(*rates, "--format", "json").stdout
    assert len(records("--count", "20", "--store", "finds.sqlite")) == 20
    assert run(*rates, "--format", "json").stdout == before


def _examples() -> list[str]:
    texts = [cli.commands["find"].help or "", cli.help or ""]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    return [line for line in lines if line.startswith("simon-solver find ")]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("example", _examples())
def test_the_examples_run(example: str) -> None:
    result = run(*shlex.split(example)[1:])
    assert result.exit_code == 0, result.output
    assert result.stdout


@pytest.mark.parametrize("suits", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_real_deals(suits: int) -> None:
    found = records("--suits", str(suits), "--count", "2", "--state-limit", "20000")
    numbers = [n for n in range(10) if check(GameCode(suits, n).deal()).verdict is Verdict.WINNABLE]
    assert [record["deal"] for record in found] == [str(GameCode(suits, n)) for n in numbers[:2]]
    for record, number in zip(found, numbers, strict=False):
        best = solve(GameCode(suits, number).deal(), time_limit=0, state_limit=20_000)
        assert (record["score"], record["score_bound"]) == (best.score, best.score_bound)
        rated = run("solve", record["deal"], "--first", "--difficulty", "--format", "json")
        told = json.loads(rated.stdout)
        for name in ("difficulty", "grade", "careless_wins", "difficulty_version"):
            assert told[name] == record[name]


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing() -> None:
    asked = ["--count", "6", "--min-best", "838", "--state-limit", "3000"]
    outputs = [run("find", *asked, "--jobs", jobs).output for jobs in ("1", "3")]
    assert len(set(outputs)) == 1
    assert outputs[0].count("SS1-S4-") == 6


@pytest.mark.slow
def test_bests_that_a_limit_leaves_open() -> None:
    result = run("find", "--suits", "1", "--count", "3", "--state-limit", "200")
    assert result.exit_code == 0
    assert " to 8" in result.stdout
    result = run("find", "--start", "8031810170", "--suits", "1", "--min-best", "853",
                 "--state-limit", "200")  # fmt: skip
    assert result.exit_code == 1
    assert (
        "4 deals left out: a limit ended the search before it was known whether the best score is "
        "at least 853" in (result.stderr)
    )


def test_solve_tells_how_hard_a_deal_is() -> None:
    shown = run("solve", "SS1-S4-AAAAABD", "--first", "--difficulty").stdout.splitlines()
    found = difficulty(GameCode(4, 29).deal())
    assert found is not None
    assert shown[4] == (
        f"grade    {found.grade} (difficulty {found.value} of 100; "
        f"careless play wins {found.careless_wins} of 64 games)"
    )
    assert "grade" not in run("solve", "SS1-S4-AAAAABD", "--first").stdout


@pytest.mark.parametrize(
    ("arguments", "grade"),
    [
        (["kpat:46"], "grade    none: it cannot be won"),
        (["kpat:72", "--state-limit", "1"], "grade    unknown: no win found"),
    ],
)
def test_deals_without_a_difficulty(arguments: list[str], grade: str) -> None:
    shown = run("solve", *arguments, "--first", "--difficulty").stdout.splitlines()
    assert grade in shown
    told = json.loads(
        run("solve", *arguments, "--first", "--difficulty", "--format", "json").stdout
    )
    assert told["difficulty"] is told["grade"] is told["careless_wins"] is None
    assert told["difficulty_version"] == VERSION


LAYOUT = "tests/data/designs/eight-columns.cardz"


def test_a_layout(tmp_path: Path) -> None:
    asked = ["--layout", LAYOUT, "--count", "1", "--no-best"]
    (record,) = records(*asked, "--store", str(tmp_path / "eight.sqlite"))
    assert record["layout"] == [7, 7, 7, 7, 6, 6, 6, 6]
    result = run("find", "--count", "1", "--store", str(tmp_path / "eight.sqlite"))
    assert result.exit_code == 2
    assert "got one with columns of 7 7 7 7 6 6 6 6" in error_line(result)


def test_a_deal_that_kills_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "simon_solver.batch.workers.LocalWorkers", lambda jobs: LocalWorkers(jobs, deadly_piece)
    )
    result = run("find", "--count", "50", "--jobs", "2")
    assert result.exit_code == 70
    assert "3 worker processes died at SS1-S4-AAAAAAN" in error_line(result)


needs_signals = pytest.mark.skipif(os.name == "nt", reason="sends signals")


@needs_signals
def test_interrupt() -> None:
    with start("find", "--count", "100000", "--no-best", "--format", "json") as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        # not `communicate`, which would miss what `readline` has read ahead
        output = process.stdout.read()
        assert process.stderr is not None
        errors = process.stderr.read()
    assert wait_for_end(family) == []
    found = [json.loads(line) for line in [first, *output.splitlines()]]
    note = f"Note: found {len(found)} of 100,000 deals: interrupted\n"
    assert (process.returncode, errors) == (130, note)
    assert found == records("--count", str(len(found)), "--no-best")


@needs_signals
def test_a_reader_that_leaves() -> None:
    with start("find", "--count", "100000", "--no-best") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.slow
@needs_signals
def test_a_killed_search_goes_on_where_it_was(tmp_path: Path) -> None:
    file = str(tmp_path / "finds.sqlite")
    asked = ["find", "--count", "40", "--no-best", "--format", "json", "--jobs", "2"]
    rng, least = Random(3), 0
    for _ in range(3):
        with start(*asked, "--store", file) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(least + 1)]
            time.sleep(rng.uniform(0, 1))
            family = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
        assert wait_for_end(family) == []
        least = len(lines)
    code, output, errors = ended(start(*asked, "--store", file))
    assert (code, errors) == (0, "")
    assert output == run(*asked).stdout
    assert output.startswith("".join(lines))


def test_scores_are_at_most_that() -> None:
    assert find_module.MOST_SCORE == 900
