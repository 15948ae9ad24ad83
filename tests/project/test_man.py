"""The man pages: one for the program and for each command, made from the help texts."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from scripts import make_man
from simon_solver import __version__
from simon_solver.cli.main import cli

PAGES = make_man.pages("2026-11-30")


def test_there_is_one_for_the_program_and_for_each_command() -> None:
    assert set(PAGES) == {"simon-solver.1", *(f"simon-solver-{name}.1" for name in cli.commands)}


@pytest.mark.parametrize("name", cli.commands)
def test_a_page_has_what_the_help_has(name: str) -> None:
    text, word = PAGES[f"simon-solver-{name}.1"], make_man.escaped(name)
    head = rf'.TH "SIMON\-SOLVER\-{word.upper()}" "1" "2026-11-30" "simon-solver {__version__}" '
    assert text.startswith(head)
    assert re.findall("^[.]SH (.*)$", text, re.MULTILINE) == [
        *("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO")
    ]
    for parameter in cli.commands[name].params:
        if isinstance(parameter, click.Option):
            assert f"\n.B {parameter.opts[0]}".replace("-", r"\-") in text
    assert "Exit code: 0" in text or name == "show"
    assert "\nExamples:\n" in text


def test_texts_are_kept_as_they_are() -> None:
    assert make_man.escaped(".TH 'a\\n'\n'b") == "\\&.TH 'a\\en'\n\\&'b"
    assert r"\en' SS1\-S2\-AAAAABD" in PAGES["simon-solver-check.1"]
    for text in PAGES.values():
        assert re.search(r"[\x00-\x08\x0b-\x1f]", text) is None
        assert text.count("\n.nf\n") == text.count("\n.fi\n") >= 1


def test_the_programs_page_names_all_commands() -> None:
    text = PAGES["simon-solver.1"]
    for name, command in cli.commands.items():
        word = make_man.escaped(name)
        assert f"\n.TP\n.B {word}\n{make_man.escaped(make_man.summary(command))}.\n" in text
        assert rf".BR simon\-solver\-{word} (1)" in text


def test_files_are_dated_by_the_packager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    make_man.main(tmp_path / "man")
    written = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.glob("man/*")}
    assert written == make_man.pages("2001-09-09")


def test_the_formatter_has_no_complaint(tmp_path: Path) -> None:
    groff = shutil.which("groff")
    for name, text in PAGES.items():
        # Every request is one of the few that the pages need, at the head of a line.
        requests = set(re.findall(r"^[.'](\S*)", text, re.MULTILINE))
        assert requests <= {"TH", "SH", "PP", "TP", "B", "BR", "nf", "fi"}, name
        if groff is not None:
            file = tmp_path / name
            file.write_text(text, encoding="utf-8")
            done = subprocess.run(
                [groff, "-man", "-ww", "-z", "-Kutf8", str(file)],
                capture_output=True, text=True, check=True, timeout=60,
            )  # fmt: skip
            assert done.stderr == ""
