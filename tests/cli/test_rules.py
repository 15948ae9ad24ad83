"""``rules``: design files on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.support.cli import error_line, run
from tests.support.design import DESIGNS, EIGHT_FILE, OTHER_FILE, SIMPLE, mutated

SIMPLE_FILE = str(DESIGNS / "simple-simon.cardz")


def test_the_game_itself() -> None:
    for result in (run("rules", SIMPLE_FILE), run("rules", "-", stdin=SIMPLE)):
        assert result.exit_code == 0
        assert result.stdout == (
            "design   Simple Simon\n"
            "game     the one solved here\n"
            "deck     4 suits\n"
            "columns  8 8 8 7 6 5 4 3 2 1\n"
        )


def test_another_layout() -> None:
    result = run("rules", EIGHT_FILE)
    assert result.exit_code == 0
    assert result.stdout == (
        "design   Simple Simon in eight columns\n"
        "game     the one solved here with other columns: solve its codes with --layout\n"
        "deck     4 suits\n"
        "columns  7 7 7 7 6 6 6 6\n"
        "\n"
        "2 differences:\n"
        "  columns: expected 10, got 8 (line 13, column 74)\n"
        "  deal sizes: expected 8 8 8 7 6 5 4 3 2 1, got 7 7 7 7 6 6 6 6 (line 17, column 16)\n"
    )


def test_another_game() -> None:
    result = run("rules", OTHER_FILE)
    assert result.exit_code == 1
    assert "game     another game, which cannot be solved here\n" in result.stdout
    assert "\n11 differences:\n" in result.stdout
    assert (
        "  empty columns: expected any card or run goes there, got seed King (line 13, column 21)\n"
    ) in result.stdout


def test_json() -> None:
    result = run("rules", "--format", "json", EIGHT_FILE)
    assert result.exit_code == 0
    sizes = [7, 7, 7, 7, 6, 6, 6, 6]
    assert json.loads(result.stdout) == {
        "file": EIGHT_FILE,
        "name": "Simple Simon in eight columns",
        "game": "other layout",
        "suits": 4,
        "layout": sizes,
        "differences": [
            {"rule": "columns", "expected": "10", "found": "8", "place": "line 13, column 74"},
            {
                "rule": "deal sizes",
                "expected": "8 8 8 7 6 5 4 3 2 1",
                "found": " ".join(map(str, sizes)),
                "place": "line 17, column 16",
            },
        ],
    }
    games = [
        json.loads(run("rules", "--format", "json", file).stdout)
        for file in (SIMPLE_FILE, OTHER_FILE)
    ]
    assert [(game["game"], len(game["differences"])) for game in games] == [
        ("same", 0),
        ("another", 11),
    ]


def test_names_cannot_write_on_the_screen(tmp_path: Path) -> None:
    file = tmp_path / "x.cardz"
    file.write_text(
        SIMPLE.replace('"Simple Simon"', '"\\u001b[31m\\n' + "x" * 5000 + '"'), encoding="utf-8"
    )
    result = run("rules", str(file))
    assert result.stdout.startswith("design   \\x1b[31m\\nxxx")
    assert len(result.stdout.splitlines()[0]) < 700
    assert len(run("rules", "--format", "json", str(file)).stdout) < 1000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1, column 1: expected a JSON value, got the end of the text"),
        (b'{"name": "x",\n "depots": 3}', "line 2, column 12: expected an array of depots, got 3"),
        (b"[" * (1 << 20), "line 1, column 9: expected a Cardz design in JSON, got values nest"),
        (b" " * (1 << 21), "expected at most 1048576 bytes of text, got more"),
        (b"\xff", "expected UTF-8 text, got byte 0xff at offset 0"),
        (b'{"name": "' + b"x" * 999_999 + b'"}', "line 1, column 1: expected a Cardz design, "),
        (b'{"name": ' + b"9" * 999_999 + b', "depots": [{"type": "Stock"}]}',
         "line 1, column 10: expected a string, got 999"),
    ],
    ids=range(7),
)  # fmt: skip
def test_files_that_are_no_design(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "x.cardz"
    file.write_bytes(content)
    for arguments in (["rules", str(file)], ["rules", "--format", "json", str(file)]):
        result = run(*arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert error_line(result).startswith(f"{file}: {message}")
        assert len(result.stderr) < 1000
    result = run("show", "--layout", str(file), "SS1-S4-AAAAABD")
    assert result.exit_code == 2
    assert error_line(result).startswith(f"--layout: {file}: {message}")


def test_a_file_that_is_not_there() -> None:
    result = run("rules", "nothing.cardz")
    assert result.exit_code == 2
    assert error_line(result) == "nothing.cardz: cannot be read: No such file or directory"


def test_mutated_files(tmp_path: Path) -> None:
    """Whatever the file, there is an answer, or exit code 2 and one line."""
    rng, file = Random("mutated files"), tmp_path / "x.cardz"
    codes = []
    for _ in range(150):
        file.write_text(mutated(rng, SIMPLE), encoding="utf-8")
        result = run("rules", str(file))
        codes.append(result.exit_code)
        if result.exit_code == 2:
            assert error_line(result).startswith(
                (f"{file}: line ", f"{file}: expected text, got a")
            )
        else:
            assert result.stderr == ""
            assert (result.exit_code == 1) is ("game     another game" in result.stdout)
    assert set(codes) == {0, 1, 2}


@pytest.mark.parametrize("file", [SIMPLE_FILE, EIGHT_FILE, OTHER_FILE])
def test_a_design_is_no_deal(file: str) -> None:
    result = run("show", file)
    assert result.exit_code == 2
    assert error_line(result).endswith("(for the design of a game, use 'rules' or --layout)")
