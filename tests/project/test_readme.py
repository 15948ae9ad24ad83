"""The README: its commands, examples, tables, picture and links."""

from __future__ import annotations

import re
import struct

import pytest

from tests.support.manual import (
    TOP,
    blocks,
    check_python,
    check_solution,
    dead_links,
    in_one_line,
    module_calls,
    page,
    program_calls,
    run,
    section,
    table,
    text_of,
    unknown_options,
)

README = text_of("README.md")


def test_it_is_short() -> None:
    assert README.count("\n") <= 150


def test_the_two_first_commands_are_one_line_each() -> None:
    solve, tests = (block.strip() for block in blocks(section(README, "Start"), "sh"))
    assert "\n" not in solve + tests
    for command in (solve, tests):
        # --use-pep517: pip 23.0.1, that of Debian 12, else prints a deprecation of its own.
        start = "python3 -m venv .venv && .venv/bin/pip install -q --use-pep517 -e "
        assert command.startswith(start)
    assert solve.endswith("&& .venv/bin/simon-solver solve SS1-S4-AAAAABD")
    assert tests.endswith("&& .venv/bin/pytest")
    assert tests in text_of(".ci/run")
    assert f"{solve}\n" in blocks(page("first-steps"), "sh")


def test_six_examples() -> None:
    assert len(program_calls(section(README, "Six examples"))) == 6


@pytest.mark.parametrize("call", program_calls(README), ids=" ".join)
def test_examples_use_what_there_is(call: list[str]) -> None:
    assert not unknown_options(call)


def test_no_module_is_run_that_the_manual_does_not_explain() -> None:
    assert module_calls(README) == []


def test_the_output_is_the_real_one() -> None:
    examples = section(README, "Six examples")
    (told,) = blocks(examples, "text")
    check_solution(told, run(program_calls(examples)[0]).stdout)


def test_the_python_example_runs() -> None:
    (example,) = blocks(README, "python")
    assert check_python(example, "README.md") == 3


def test_figures_are_those_of_the_measurements() -> None:
    measured = page("measurements")
    assert table(section(README, "How many deals can be won")) == table(
        section(measured, "Win rates")
    )
    verdicts = table(section(measured, "Speed of verdicts"))
    proofs = table(section(measured, "Speed of proofs"))
    expected = [
        [suits, median, mean, most, one, ten, sixty]
        for (suits, _, median, mean, most, *_), (_, _, _, one, _, ten, sixty, _) in zip(
            verdicts, proofs, strict=True
        )
    ]
    assert table(section(README, "How fast it is")) == expected


def test_programs_compare_as_measured() -> None:
    beside = section(page("measurements"), "Beside other programs")
    (_, won, lost, _), (_, kpat_won, kpat_lost, _) = table(beside)
    wrong = re.match(r"(\d+), of which (\d+) can be won", kpat_lost)
    assert wrong
    right = int(kpat_won) + int(wrong[1]) - int(wrong[2])
    ours, kpat, fc_solve = table(section(README, "Beside other programs"))
    assert int(won) + int(lost) == 1000
    assert kpat[1] == f"{right / 10} %"
    told = in_one_line(beside)
    assert f"took {fc_solve[2]} ms of CPU time per deal" in told
    assert f"right in {fc_solve[1]}" in told
    assert f"took {ours[2]} ms as `rates` decides" in told


def test_commits_of_the_figures_are_those_of_the_manual() -> None:
    commits = re.findall(r"\b[0-9a-f]{7}\b", README)
    assert commits
    assert set(commits) <= set(re.findall(r"\b[0-9a-f]{7}\b", page("measurements")))


def test_the_picture_is_small_and_wide_enough() -> None:
    (name,) = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    data = (TOP / name).read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert len(data) < 150_000
    width, height = struct.unpack(">II", data[16:24])
    assert 800 <= width <= 1200
    assert height <= width


def test_links_lead_somewhere() -> None:
    assert "](docs/commands/index.md)" in README
    assert list(dead_links(TOP / "README.md")) == []
    assert list(dead_links(TOP / "CONTRIBUTING.md")) == []
