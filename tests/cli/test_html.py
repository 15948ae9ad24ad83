"""``solve --html``: names that are refused before any work, and the page beside the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.cli import StandInSolver, error_line, run

CODE = "SS1-S4-AAAAABD"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("page.pdf", "page.pdf: expected a file name ending in .html or .htm"),
        ("page", "page: expected a file name ending in .html or .htm"),
        ("-", "-: expected a file name ending in .html or .htm"),
        ("no/page.html", "no/page.html: cannot be written: it is a folder"),
        ("folder.html", "folder.html: cannot be written: it is a folder"),
        ("/proc/page.html", "/proc/page.html: cannot be written: "),
        ("a\0b.html", "cannot be written"),
    ],
)
def test_names_that_are_refused_before_any_work(
    name: str, message: str, folder: Path, solver: StandInSolver
) -> None:
    (folder / "folder.html").mkdir()
    result = run("solve", CODE, "--html", name)
    assert result.exit_code == 2
    assert message in error_line(result)
    assert result.stdout == ""
    assert solver.calls == []
    assert [path.name for path in folder.iterdir()] == ["folder.html"]


@pytest.mark.parametrize("name", ["page.html", "page.HTM"])
def test_the_page_comes_with_the_answer(name: str, folder: Path, solver: StandInSolver) -> None:
    solver.answers = [Verdict.UNWINNABLE, Verdict.UNWINNABLE]
    result = run("solve", "kpat:46", "--html", name)
    assert result.exit_code == 1
    assert result.stdout == run("solve", "kpat:46").stdout
    assert [path.name for path in folder.iterdir()] == [name]
    text = (folder / name).read_text(encoding="utf-8")
    assert "<title>kpat:46: unwinnable, 500 (proven best: no move helps) – " in text


def test_json_and_the_page_of_an_interrupted_search(folder: Path, solver: StandInSolver) -> None:
    solver.answers = [StoppedBy.INTERRUPT]
    (folder / "page.html").write_text("an older one")
    result = run("solve", CODE, "--format", "json", "--html", "page.html")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["stopped_by"] == "interrupt"
    assert "undetermined (interrupted)" in (folder / "page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("solver")
def test_first(folder: Path) -> None:
    run("solve", CODE, "--first", "--html", "page.html")
    assert "500 (the first win found; " in (folder / "page.html").read_text(encoding="utf-8")


def test_a_bad_deal_leaves_no_page(folder: Path) -> None:
    assert run("solve", "kpat:0", "--html", "page.html").exit_code == 2
    assert not any(folder.iterdir())


@pytest.mark.usefixtures("solver")
def test_a_deal_whose_name_is_markup(folder: Path) -> None:
    name = "<script>alert(1)<script>.txt"
    (folder / name).write_text(run("convert", "kpat:72", "--to", "cards").stdout, encoding="utf-8")
    assert run("solve", name, "--html", "page.html").exit_code == 0
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;script&gt;.txt (4 suits)" in text
    assert "<script>alert" not in text
