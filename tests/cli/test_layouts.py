"""Codes dealt in the columns of a design file: what each command says of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from simon_solver.errors import DeckError, FormatError
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.game.layout import COLUMN_SIZES
from simon_solver.reading.deals import parse_deal, read_deal
from tests.support.batch import Inline
from tests.support.cli import StandInSolver, error_line, run
from tests.support.deals import DATA
from tests.support.design import DESIGNS, EIGHT, EIGHT_FILE, OTHER_FILE, laid_out

CODE = "SS1-S4-AAAAABD"
TITLE = f"{CODE} (4 suits, columns of 7 7 7 7 6 6 6 6)"
SIMPLE_FILE = str(DESIGNS / "simple-simon.cardz")
ANY_COMMAND = [
    ["solve", CODE], ["check", CODE], ["show", CODE], ["verify", CODE, "1>2"],
    ["convert", CODE, "--to", "json"], ["rates", "--deals", "3"],
]  # fmt: skip


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without searches and processes."""
    monkeypatch.setattr("simon_solver.batch.workers.LocalWorkers", Inline)
    monkeypatch.setattr("simon_solver.cli.commands.rates.prepare_kernels", lambda _: None)


@pytest.mark.parametrize("suits", [1, 2, 4])
@pytest.mark.parametrize("sizes", [EIGHT, (13,) * 4, (5,) * 4 + (4,) * 8, (0, 52, 0, 0)])
def test_the_shuffle_is_the_same(suits: int, sizes: tuple[int, ...]) -> None:
    for number in (0, 29, CODE_COUNT - 1):
        code = GameCode(suits, number)
        position = code.deal(sizes)
        assert tuple(map(len, position.columns)) == sizes
        usual = code.deal()
        assert sum(position.columns, ()) == sum(usual.columns, ())
        assert usual == code.deal(COLUMN_SIZES)


@pytest.mark.parametrize("sizes", [(52, -1, 1), (51,), (), (53,)])
def test_sizes_that_are_no_layout(sizes: tuple[int, ...]) -> None:
    with pytest.raises(DeckError):
        GameCode(4, 0).deal(sizes)


def test_deals() -> None:
    deal = read_deal(CODE, column_sizes=EIGHT)
    assert deal.column_sizes == EIGHT
    assert deal.position == GameCode(4, 29).deal(EIGHT)
    assert deal.after([]).column_sizes == EIGHT
    assert parse_deal(f"# mine\n{CODE}\n", column_sizes=EIGHT) == deal


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("command", ["solve", "check", "hint", "show", "verify"])
def test_text_and_json_tell_the_layout(command: str, solver: StandInSolver) -> None:
    arguments = [command, "--layout", EIGHT_FILE, CODE]
    if command == "verify":
        arguments.append("")
    text = run(*arguments)
    assert text.stderr == ""
    if command == "check":
        assert text.stdout == f"{CODE}  winnable (columns of 7 7 7 7 6 6 6 6)\n"
    else:
        assert text.stdout.startswith(f"deal     {TITLE}\n")
    record = json.loads(run(*arguments, "--format", "json").stdout)
    assert list(record)[:3] == ["deal", "suits", "layout"]
    assert (record["deal"], record["layout"]) == (CODE, list(EIGHT))
    for call in solver.calls:
        assert call["deal"] == read_deal(CODE, column_sizes=EIGHT)


def test_verify_by_the_rules() -> None:
    result = run("verify", "--layout", EIGHT_FILE, CODE, "1>9")
    assert result.exit_code == 2
    assert error_line(result).startswith("move 1: there is no column 9; the columns are 1 to 8 ")
    illegal = run("show", "--layout", EIGHT_FILE, CODE, "--after", "8>1")
    assert illegal.exit_code == 2
    assert error_line(illegal).startswith("--after: move 1: ")


@pytest.mark.usefixtures("solver", "quick")
@pytest.mark.parametrize("command", ANY_COMMAND, ids=lambda command: command[0])
def test_the_usual_layout_changes_nothing(command: list[str]) -> None:
    usual, told = run(*command), run(*command, "--layout", SIMPLE_FILE)
    assert (usual.stdout, usual.exit_code) == (told.stdout, told.exit_code)
    assert "layout" not in usual.stdout


@pytest.mark.parametrize("command", ANY_COMMAND, ids=lambda command: command[0])
def test_layouts_that_cannot_be_solved(command: list[str], tmp_path: Path) -> None:
    result = run(*command, "--layout", OTHER_FILE)
    assert result.exit_code == 2
    assert error_line(result) == (
        f"--layout: {OTHER_FILE}: expected a design of this game, columns aside, got "
        "another: deal: expected all cards dealt, got 2 left in the stock (line 16, column 16; "
        "the command 'rules' lists all differences)"
    )
    file = tmp_path / "three.cardz"
    file.write_text(laid_out((20, 20, 12)), encoding="utf-8")
    result = run(*command, "--layout", str(file))
    assert "columns: expected 10 (others can be solved with 4 to 12), got 3 (" in error_line(result)
    result = run(*command, "--layout", "-", stdin=laid_out(EIGHT))
    assert error_line(result) == "--layout: expected a file, got standard input"


def test_only_codes_are_dealt_anew() -> None:
    told = "expected a game code to deal into columns of 7 7 7 7 6 6 6 6, got"
    result = run("show", "--layout", EIGHT_FILE, "kpat:72")
    assert error_line(result) == f"{told} kpat:72 with columns of its own"
    board = str(DATA / "samples" / "ms24.board")
    result = run("show", "--layout", EIGHT_FILE, board)
    assert error_line(result) == f"{board}: {told} a board with columns of its own"
    result = run("check", "--layout", EIGHT_FILE, "--input", "-", stdin="ms:24\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert error_line(result) == f"standard input, line 1: {told} ms:24 with columns of its own"


@pytest.mark.parametrize("sizes", [EIGHT, (13,) * 4, (52, 0, 0, 0), (5,) * 4 + (4,) * 8])
def test_json_is_read_again(sizes: tuple[int, ...], tmp_path: Path) -> None:
    design, file = tmp_path / "x.cardz", tmp_path / "x.json"
    design.write_text(laid_out(sizes), encoding="utf-8")
    for command in (["convert", "--to", "json"], ["show", "--format", "json"]):
        file.write_text(run(*command, "--layout", str(design), CODE).stdout, encoding="utf-8")
        for again in (read_deal(str(file)), read_deal(str(file), column_sizes=sizes)):
            assert again.column_sizes == sizes
            assert again.position == GameCode(4, 29).deal(sizes)
        assert run("show", "--format", "json", str(file)).stdout.replace(str(file), CODE) == (
            file.read_text(encoding="utf-8")
        )
    result = run("show", "--layout", SIMPLE_FILE, str(file))
    assert result.exit_code == 0
    if sizes != EIGHT:
        result = run("show", "--layout", EIGHT_FILE, str(file))
        assert "got a board with columns of its own" in error_line(result)


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ([52], "line 1, column 12: expected sizes of 4 to 12 columns for 52 cards, got 1 for 52"),
        ([4] * 13, "line 1, column 12: expected sizes of 4 to 12 columns for 52 cards, got 13 "),
        ([13, 13, 13, 12], "line 1, column 12: expected sizes of 4 to 12 columns for 52 cards, "),
        ([13, 13, 13, "13"], "line 1, column 25: expected a whole number, got '13'"),
        ("13", "line 1, column 12: expected an array of column sizes, got '13'"),
        ([13] * 4, "line 1, column 62: expected 4 columns, got one more"),
    ],
)  # fmt: skip
def test_json_with_another_layout_than_can_be(layout: object, message: str) -> None:
    columns = [["AS"], [], [], [], []]
    with pytest.raises(FormatError) as error:
        parse_deal(json.dumps({"layout": layout, "columns": columns}))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("target", ["cards", "fc-solve", "solvitaire", "spoken", "kpat"])
def test_formats_of_ten_columns(target: str, tmp_path: Path) -> None:
    result = run("convert", "--layout", EIGHT_FILE, CODE, "--to", target)
    assert result.exit_code == 2
    assert error_line(result) == (
        f"the format {target} needs 10 columns, but this deal has 8; use json instead"
    )
    file = tmp_path / "ten.cardz"
    file.write_text(laid_out(COLUMN_SIZES[::-1]), encoding="utf-8")
    text = run("convert", "--layout", str(file), CODE, "--to", target).stdout
    assert parse_deal(text).position == GameCode(4, 29).deal(COLUMN_SIZES[::-1])


@pytest.mark.usefixtures("quick")
def test_rates(tmp_path: Path) -> None:
    arguments = ["rates", "--suits", "2,4", "--deals", "20", "--layout", EIGHT_FILE]
    store, table = str(tmp_path / "rates.sqlite"), tmp_path / "deals.csv"
    text = run(*arguments, "--store", store, "--export", str(table)).stdout
    assert "\n\ncolumns of 7 7 7 7 6 6 6 6\n2 deals undetermined" in text
    again = ["rates", "--from-store", store]
    assert run(*again).stdout == text
    for line in run(*again, "--format", "json").stdout.splitlines():
        record = json.loads(line)
        assert list(record)[:3] == ["suits", "layout", "start"]
        assert record["layout"] == list(EIGHT)
    for row in csv.DictReader(io.StringIO(run(*again, "--format", "csv").stdout)):
        assert row["layout"] == "7 7 7 7 6 6 6 6"
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="ascii"))))
    assert len(rows) == 40
    assert {row["layout"] for row in rows} == {"7 7 7 7 6 6 6 6"}


@pytest.mark.usefixtures("quick")
def test_a_store_has_one_layout(tmp_path: Path) -> None:
    eight, usual = str(tmp_path / "eight.sqlite"), str(tmp_path / "usual.sqlite")
    assert run("rates", "--deals", "2", "--layout", EIGHT_FILE, "--store", eight).exit_code == 0
    assert run("rates", "--deals", "2", "--store", usual).exit_code == 0
    sizes = "7 7 7 7 6 6 6 6", "8 8 8 7 6 5 4 3 2 1"
    for store, other, (got, wanted) in (
        (eight, [], sizes),
        (usual, ["--layout", EIGHT_FILE], sizes[::-1]),
    ):
        before = Path(store).read_bytes()
        result = run("rates", "--deals", "2", "--store", store, *other)
        assert result.exit_code == 2
        assert error_line(result) == (
            f"{store}: expected a store of deals with columns of {wanted}, got one with "
            f"columns of {got}"
        )
        assert Path(store).read_bytes() == before
    result = run("rates", "--from-store", eight, "--layout", EIGHT_FILE)
    assert error_line(result).startswith("--layout has no effect with --from-store")
