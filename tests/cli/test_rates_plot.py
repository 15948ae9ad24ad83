"""``rates --plot``: names that are refused before any work, and pictures of a run and a store."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from simon_solver.errors import InputError
from simon_solver.render import plots
from simon_solver.text.outputs import check_name
from tests.support.cli import error_line, run

with_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is an extra"
)


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty working folder in which nothing may be decided or stored."""

    def work(*_: object) -> None:
        raise AssertionError("nothing may be done")

    monkeypatch.setattr("simon_solver.batch.store.open_store", work)
    monkeypatch.setattr("simon_solver.batch.store.read_store", work)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rates.pdf", "rates.pdf: expected a file name ending in .png or .svg"),
        ("rates", "rates: expected a file name ending in .png or .svg"),
        (".png", ".png: expected a file name ending in .png or .svg"),
        ("-", "-: expected a file name ending in .png or .svg"),
        ("no/rates.svg", "no/rates.svg: cannot be written: it is a folder"),
        ("folder.svg", "folder.svg: cannot be written: it is a folder"),
        (f"{'x' * 300}.png", "xxx.png: cannot be written: File name too long"),
        ("/proc/rates.svg", "/proc/rates.svg: cannot be written: "),
        ("a\0b.svg", "cannot be written"),
    ],
)
@pytest.mark.parametrize("source", [["--deals", "9"], ["--from-store", "none"]])
def test_names_that_are_refused_before_any_work(
    name: str, message: str, source: list[str], idle: Path
) -> None:
    (idle / "folder.svg").mkdir()
    result = run("rates", *source, "--plot", name)
    assert result.exit_code == 2
    assert message in error_line(result)
    assert result.stdout == ""
    assert [path.name for path in idle.iterdir()] == ["folder.svg"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_that_cannot_be_written(idle: Path) -> None:
    (idle / "closed").mkdir(mode=0o500)
    result = run("rates", "--plot", "closed/rates.svg")
    assert result.exit_code == 2
    assert "closed/rates.svg: cannot be written: Permission denied" in error_line(result)


def test_a_disk_that_cannot_be_written(idle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def touch(_path: Path) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "touch", touch)
    with pytest.raises(InputError, match=r"^a.svg: cannot be written: Read-only file system$"):
        check_name("a.svg", [".svg"])
    assert not any(idle.iterdir())


def test_without_matplotlib(idle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)
    monkeypatch.setattr(plots, "find_spec", lambda _name: None)
    result = run("rates", "--deals", "9", "--plot", "rates.svg")
    assert result.exit_code == 2
    assert error_line(result) == (
        "rates.svg: a plot needs matplotlib: pip install 'simon-solver[plot]'"
    )
    assert not any(idle.iterdir())


def words(file: Path) -> list[str | None]:
    """The texts of a picture."""
    root = ElementTree.parse(file).getroot()
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


@with_matplotlib
def test_a_picture_of_a_run(quick: Path) -> None:
    arguments = ["rates", "--suits", "1,4", "--deals", "50", "--start", "10"]
    result = run(*arguments, "--plot", "rates.svg")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert result.stdout == run(*arguments).stdout
    told = words(quick / "rates.svg")
    for text in ("1 suit, 50 deals", "from SS1-S4-AAAAAAK on", "1 undetermined", "89.80 %"):
        assert text in told
    assert "76.20 to 95.65 %" in told
    assert [path.name for path in quick.iterdir()] == ["rates.svg"]


@with_matplotlib
def test_best_scores_of_a_store_are_drawn_unasked(quick: Path) -> None:
    run("rates", "--suits", "2,4", "--deals", "20", "--store", "rates.sqlite")
    run("rates", "--suits", "4", "--deals", "10", "--best", "--store", "rates.sqlite")
    shown = run("rates", "--from-store", "rates.sqlite")
    result = run("rates", "--from-store", "rates.sqlite", "--plot", "rates.svg")
    assert result.exit_code == 0, result.output
    assert result.stdout == shown.stdout  # which says nothing of best scores
    told = words(quick / "rates.svg")
    assert "4 suits: best scores of 20 deals, 10 proven" in told
    assert not any(text and text.startswith("2 suits: best") for text in told)


@with_matplotlib
@pytest.mark.usefixtures("quick")
def test_a_picture_and_a_table_of_one_run() -> None:
    result = run(
        *("rates", "--deals", "9", "--best", "--format", "json"),
        *("--plot", "rates.png", "--export", "rates.csv"),
    )
    assert result.exit_code == 0, result.output
    assert Path("rates.png").read_bytes().startswith(b"\x89PNG")
    assert len(Path("rates.csv").read_text(encoding="ascii").splitlines()) == 28
