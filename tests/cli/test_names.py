"""Odd names and streams on the command line: what is printed of them, and the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simon_solver.cli.main import cli
from tests.support.cli import error_line, run
from tests.support.deals import DATA

CODE = "SS1-S4-AAAAABD"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("command", ["show", "check", "solve", "hint", "verify"])
def test_names_are_escaped_in_text_and_exact_in_json(command: str, folder: Path) -> None:
    name = "a\x1b[31m\nb\u202e\udcff"
    board = (DATA / "samples/ms24.board").read_text(encoding="ascii")
    (folder / name).write_text(board, encoding="ascii")
    moves = ["# none"] if command == "verify" else []
    result = run(command, name, *moves)
    assert "a\\x1b[31m\\nb\\u202e\\udcff" in result.stdout.splitlines()[0]
    assert "\x1b" not in result.output
    record = json.loads(run(command, name, *moves, "--format", "json").stdout)
    assert record["deal"] == name


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "a\0b"],
        ["solve", "a\0b"],
        ["check", "a\0b"],
        ["check", "--input", "a\0b"],
        ["convert", "a\0b", "--to", "cards"],
        ["play", "a\0b"],
        ["verify", CODE, "a\0b"],
        ["show", CODE, "--after", "a\0b"],
    ],
)
@pytest.mark.usefixtures("solver")
def test_a_zero_byte_names_nothing(arguments: list[str], folder: Path) -> None:
    assert not any(folder.iterdir())
    result = run(*arguments)
    assert result.exit_code == 2
    assert "\0" not in error_line(result)
    assert cli.main(arguments, standalone_mode=False) == 2


@pytest.mark.usefixtures("solver")
def test_error_records_are_as_short_as_error_lines(folder: Path) -> None:
    word = "x" * 50_000
    (folder / "long").write_text(f"7H {word}", encoding="ascii")
    lines = f"{word}\nlong\nSS1-S4-{word}\n"
    result = run("check", "--input", "-", "--format", "json", stdin=lines)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(records) == 3
    for record in records:
        assert set(record) == {"deal", "error"}
        assert max(map(len, record.values())) < 700


@pytest.mark.usefixtures("solver")
def test_lists_of_any_encoding_and_line_end() -> None:
    text = f"# deals\n{CODE}\nkpat:72 # one\n"
    wanted = f"{CODE}  winnable\nkpat:72         winnable\n"
    for encoding in ("utf-8-sig", "utf-16"):
        for end in ("\n", "\r\n", "\r"):
            data = text.replace("\n", end).encode(encoding)
            assert run("check", "--input", "-", stdin=data).stdout == wanted


@pytest.mark.usefixtures("solver")
def test_a_number_sign_in_a_name_starts_no_comment(folder: Path) -> None:
    (folder / "a#b").write_text("kpat:72", encoding="ascii")
    assert run("check", "--input", "-", stdin="a#b # that\n#a#b\n").stdout == (
        "kpat:72         winnable\n"
    )


@pytest.mark.usefixtures("solver")
def test_an_endless_line_ends_the_list() -> None:
    result = run("check", "kpat:72", "--input", "/dev/zero")
    assert result.exit_code == 2
    assert result.stdout == "kpat:72         winnable\n"
    assert error_line(result).startswith("/dev/zero, line 1: expected a deal, got a line longer")


@pytest.mark.usefixtures("solver")
def test_lines_name_regular_files_only(folder: Path) -> None:
    os.mkfifo(folder / "ff")
    result = run("check", "--input", "-", stdin="ff\n/dev/zero\n/dev/stdin\nkpat:72\n")
    assert result.exit_code == 2
    assert result.stdout == "kpat:72         winnable\n"
    errors = result.stderr.splitlines()
    assert len(errors) == 3
    assert errors[0] == (
        "Error: standard input, line 1: ff: expected a regular file, got a pipe or a device"
    )
    assert (
        error_line(run("show", "ff")) == "ff: expected text, got a pipe that no program writes to"
    )


def test_what_a_shell_puts_in_place_of_a_command() -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"kpat:72\n")
    os.close(write_end)
    result = run("show", f"/dev/fd/{read_end}", "--format", "json")
    os.close(read_end)
    assert json.loads(result.stdout)["deal"] == "kpat:72"


@pytest.mark.parametrize(
    "arguments",
    [["show", "nope"], ["frobnicate"], ["verify", CODE, "9>"], ["verify", CODE, "9>9"]],
)
def test_errors_that_cannot_be_written_still_have_their_code(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "simon_solver", *arguments],
            stdout=subprocess.PIPE,
            stderr=full,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    # The board before an illegal move is drawn all the same.
    assert (b"outcome  illegal" in done.stdout) if "9>9" in arguments else (done.stdout == b"")
