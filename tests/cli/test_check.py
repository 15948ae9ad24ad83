"""``check`` around a stand-in solver: streaming, bad lines, comments, order, limits."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simon_solver.cli.commands import check as cli_check
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.cli import StandInSolver, codes, error_line, run
from tests.support.deals import DATA
from tests.support.processes import ended, start

CODE = "SS1-S4-AAAAABD"


def test_one_line_a_deal(solver: StandInSolver) -> None:
    solver.answers = [Verdict.WINNABLE, Verdict.UNWINNABLE, StoppedBy.MEMORY]
    result = run("check", CODE.lower(), "kpat:72", "ms:8589934591")
    assert result.exit_code == 3
    assert result.stdout == (
        "SS1-S4-AAAAABD  winnable\n"
        "kpat:72         unwinnable\n"
        "ms:8589934591   undetermined (memory limit)\n"
    )


def test_json_lines(solver: StandInSolver) -> None:
    solver.answers = [Verdict.UNWINNABLE, StoppedBy.TIME]
    result = run("check", "--format", "json", "kpat:72", "SS1-S3-AAAAABD", CODE)
    assert result.exit_code == 2
    assert result.stderr == ""
    assert result.stdout == (
        '{"deal": "kpat:72", "suits": 4, "verdict": "unwinnable", "stopped_by": null, '
        '"states": 7, "seconds": 0.25}\n'
        '{"deal": "SS1-S3-AAAAABD", "error": "expected a game code like SS1-S4-AAAAABD: '
        "suits S1, S2 or S4, got 'S3' in 'SS1-S3-AAAAABD'\"}\n"
        '{"deal": "SS1-S4-AAAAABD", "suits": 4, "verdict": "undetermined", '
        '"stopped_by": "time", "states": 7, "seconds": 0.25}\n'
    )


def test_options_reach_the_solver_for_each_deal(solver: StandInSolver) -> None:
    run("check", CODE, "kpat:72", "--time-limit", "2", "--memory-limit", "64", "--state-limit", "5")
    assert len(solver.calls) == 2
    for call in solver.calls:
        assert (call["time_limit"], call["memory_limit"], call["state_limit"]) == (2.0, 64, 5)
    run("check", CODE)
    assert solver.calls[2]["time_limit"] == 60.0
    assert solver.calls[2]["memory_limit"] == 2048


@pytest.mark.usefixtures("solver")
def test_input_lines(tmp_path: Path) -> None:
    board = DATA / "samples" / "ms24.board"
    lines = f"# deals\n\n  {CODE.lower()}  # the first\r\nkpat:72\t# second\n   \n{board}\nms:24"
    (tmp_path / "list").write_text(lines, encoding="utf-8")
    expected = (
        f"{CODE}  winnable\nkpat:72         winnable\n{board}  winnable\nms:24           winnable\n"
    )
    assert run("check", "--input", str(tmp_path / "list")).stdout == expected
    assert run("check", "--input", "-", stdin=lines).stdout == expected
    assert run("check", "pysol:1", "--input", "-", stdin=lines).stdout == (
        f"pysol:1         winnable\n{expected}"
    )


@pytest.mark.usefixtures("solver")
def test_paths_are_relative_to_the_working_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(DATA / "samples")
    assert run("check", "--input", "-", stdin="ms24.board\n").stdout == "ms24.board      winnable\n"


@pytest.mark.usefixtures("solver")
def test_bad_lines_are_reported_and_skipped() -> None:
    lines = f"{CODE}\nSS1-S4-AAAAB\nno file\n\xff\nkpat:72\n-\n".encode("latin-1")
    result = run("check", "--input", "-", stdin=lines)
    assert result.exit_code == 2
    assert result.stdout == "SS1-S4-AAAAABD  winnable\nkpat:72         winnable\n"
    errors = result.stderr.splitlines()
    assert [error[:31] for error in errors] == [
        f"Error: standard input, line {number}: " for number in (2, 3, 4, 6)
    ]
    assert errors[0].endswith("7 letters at the end, got 5 in 'SS1-S4-AAAAB'")
    assert "no such deal or file" in errors[1]
    assert errors[2].endswith("expected UTF-8 text, got byte 0xff at offset 0")
    assert errors[3].endswith("a list cannot contain - (standard input)")
    result = run("check", "--input", "-", "--format", "json", stdin=lines)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.stderr == ""
    assert ["error" in record for record in records] == [False, True, True, True, False, True]
    assert records[3]["deal"] == "\\xff"


@pytest.mark.usefixtures("solver")
def test_a_line_without_end_is_not_read_into_memory() -> None:
    lines = b"x" * 200_000 + b"\nkpat:72\n" + b"y" * 70_000
    result = run("check", "--input", "-", stdin=lines)
    assert result.stdout == "kpat:72         winnable\n"
    errors = result.stderr.splitlines()
    too_long = "expected a deal, got a line longer than"
    assert [error.split(": ", 2)[1:] for error in errors] == [
        [f"standard input, line {number}", f"{too_long} 65536 characters"] for number in (1, 3)
    ]


@pytest.mark.parametrize("first", [[], [Verdict.WINNABLE], [Verdict.UNWINNABLE, StoppedBy.TIME]])
def test_an_interrupt_ends_the_list_after_what_was_found(
    first: list[Verdict | StoppedBy], solver: StandInSolver
) -> None:
    for interrupt in (StoppedBy.INTERRUPT, KeyboardInterrupt()):
        solver.answers = [*first, interrupt]
        result = run("check", "--input", "-", stdin="\n".join(codes([*first, 0, 0])))
        assert result.exit_code == 130
        printed = len(first) + (interrupt is StoppedBy.INTERRUPT)
        assert len(result.stdout.splitlines()) == printed


def test_after(solver: StandInSolver) -> None:
    result = run("check", CODE, "kpat:72", "--after", "9>10")
    assert result.exit_code == 2
    assert result.stdout == "SS1-S4-AAAAABD  winnable\n"
    assert error_line(result).startswith("kpat:72: --after: move 1: ")
    listed = run("check", "--input", "-", "--after", "9>10", stdin=f"{CODE.lower()}\nkpat:72\n")
    assert error_line(listed).startswith("standard input, line 2: kpat:72: --after: move 1: ")
    record = json.loads(run("check", "kpat:72", "--after", "9>10", "--format", "json").stdout)
    assert record["deal"] == "kpat:72"
    assert record["error"].startswith("--after: move 1: ")
    assert len(solver.calls[0]["deal"].position.columns[8]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected at least one DEAL, or --input (see 'simon-solver check --help')"),
        (["--input", "no list"], "no list: cannot be read: No such file or directory"),
        (["--input", "."], ".: cannot be read: Is a directory"),
        (["-", "--input", "-"], "standard input can be read only once"),
        (["-", "-"], "standard input can be read only once"),
        (["--input", "-", "--after", "-"], "standard input can be read only once"),
        ([CODE, "--after", "x"], "--after: no such file or move list: expected moves like"),
    ],
)
@pytest.mark.usefixtures("solver")
def test_errors_before_any_answer(arguments: list[str], message: str) -> None:
    result = run("check", *arguments, stdin=b"")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert error_line(result).startswith(message)


@pytest.mark.usefixtures("solver")
def test_an_empty_list_has_no_answers() -> None:
    result = run("check", "--input", "-", stdin=b"# none\n")
    assert (result.exit_code, result.output) == (0, "")


def test_lines_are_read_as_they_are_needed() -> None:
    class Endless(io.RawIOBase):
        """A list of deals that never ends."""

        reads = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            line = b"kpat:72\n"
            memoryview(buffer)[: len(line)] = line  # type: ignore[arg-type]
            self.reads += 1
            return len(line)

    source = Endless()
    queries = cli_check._read_lines(io.BufferedReader(source), "list")
    for number in range(1, 100):
        assert next(queries).place == f"list, line {number}: "
        assert source.reads == number


STREAM = """
import sys
from types import ModuleType
from simon_solver.answers.results import CheckResult
from simon_solver.search.verdict import Verdict
module = ModuleType("simon_solver.answers.solver")
module.check = lambda position, **_: CheckResult(Verdict.WINNABLE, (), None, 1, 0.0)
sys.modules["simon_solver.answers.solver"] = module
from simon_solver.cli.commands import check
check.load_search = lambda *_: None
from simon_solver.cli.main import main
sys.argv = ["simon-solver", "check", "--input", "-"]
main()
"""


def _start_stream() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", STREAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
    )


def test_each_answer_comes_before_the_next_line_is_written() -> None:
    with _start_stream() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for code in ("SS1-S4-AAAAABD", "SS1-S1-AAAAABE"):
            process.stdin.write(f"{code}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline() == f"{code}  winnable\n".encode()
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_reader_that_leaves_ends_the_stream_quietly() -> None:
    with _start_stream() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"kpat:72\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"kpat:72\n")
        process.stdin.close()
        assert process.wait(30) == 141
        assert process.stderr.read() == b""


def test_what_a_library_would_write_at_the_end_is_taken_back() -> None:
    stand_in = (
        "import atexit, types\n"
        "colorama = types.ModuleType('colorama.initialise')\n"
        "colorama.reset_all = lambda: print('reset')\n"
        "atexit.register(colorama.reset_all)\n"
        "sys.modules[colorama.__name__] = colorama"
    )
    told = ended(start("show", "kpat:72", before=stand_in))
    assert told == ended(start("show", "kpat:72"))
    assert "reset" not in told[1]
