"""The README says what is there: its commands, options, tables, examples and files."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import simon_solver
from simon_solver.answers.difficulty import BOUNDS, GAMES, Grade
from simon_solver.answers.results import CheckResult, Hint
from simon_solver.answers.verification import Outcome
from simon_solver.batch.pieces import Span
from simon_solver.batch.store import open_store
from simon_solver.batch.summary import Summary, summarize, wilson
from simon_solver.cli import exit_codes
from simon_solver.cli.main import cli
from simon_solver.cli.playing.keeping import SAVE_VARIABLE
from simon_solver.cli.running import DEBUG_VARIABLE
from simon_solver.game.moves import MOST_MOVES
from simon_solver.reading.designs.comparing import parse_design
from simon_solver.reading.solutions.printed import Form
from simon_solver.render.designs import IN_WORDS, design_record
from simon_solver.render.finds import find_record
from simon_solver.render.rates import rates_record
from simon_solver.render.records import (
    check_record,
    error_record,
    hint_record,
    show_record,
    verify_record,
)
from simon_solver.search.verdict import StoppedBy, Verdict
from simon_solver.text.inputs import LONGEST_LINE, MOST_BYTES
from tests.project.test_layering import ORDER
from tests.support.batch import row_of
from tests.support.design import SIMPLE

TOP = Path(__file__).parent.parent.parent
README = (TOP / "README.md").read_text(encoding="utf-8")
COMMANDS = cli.commands
MOVE_LINE = re.compile(r" *\d+\. \d+>\d+:\d+ +\S.*  \d+(?:  run of [♠♥♦♣] removed \(\d\))?")


def section(title: str) -> str:
    """The text under a heading, up to the next heading of the same or a higher level."""
    match = re.search(rf"^(#+) {re.escape(title)}$", README, re.MULTILINE)
    assert match, f"no section {title}"
    rest = README[match.end() :]
    end = re.search(rf"^#{{1,{len(match[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def table(text: str) -> list[list[str]]:
    """Rows of the first table, without its head."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def shell_calls() -> list[list[str]]:
    """Arguments of every `simon-solver` in the shell examples."""
    lines = [line for block in blocks(README, "sh") for line in block.splitlines()]
    calls = [re.search(r"(?:^|[|&/] ?)simon-solver (.*)$", line) for line in lines]
    return [shlex.split(call[1]) for call in calls if call]


def test_the_two_first_commands_are_one_line_each() -> None:
    solve, tests, _ = (block.strip() for block in blocks(section("Start"), "sh"))
    assert "\n" not in solve + tests
    for command in (solve, tests):
        # --use-pep517: pip 23.0.1, that of Debian 12, else prints a deprecation of its own.
        start = "python3 -m venv .venv && .venv/bin/pip install -q --use-pep517 -e "
        assert command.startswith(start)
    assert solve.endswith("&& .venv/bin/simon-solver solve SS1-S4-AAAAABD")
    assert tests.endswith("&& .venv/bin/pytest")
    assert tests in (TOP / ".ci" / "run").read_text(encoding="utf-8")


def test_every_command_has_its_section_and_an_example() -> None:
    titles = re.findall(r"^### ([a-z]+)$", section("Commands"), re.MULTILINE)
    assert sorted(titles) == sorted(COMMANDS)
    for command in COMMANDS:
        assert f"simon-solver {command} " in "".join(blocks(section(command), "sh"))


@pytest.mark.parametrize("call", shell_calls(), ids=" ".join)
def test_examples_use_what_there_is(call: list[str]) -> None:
    command = COMMANDS[call[0]]
    options = {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
    assert {word for word in call[1:] if word.startswith("--")} <= options


@pytest.mark.parametrize(
    "call",
    [call for call in shell_calls() if call[0] in ("show", "verify") and "txt" not in call[-1]],
    ids=" ".join,
)
def test_examples_without_a_search_run(call: list[str]) -> None:
    result = CliRunner().invoke(cli, call)
    assert result.exit_code == (0 if call[0] == "show" else 1), result.output


@pytest.mark.parametrize("command", ["solve", "check", "verify"])
def test_outputs_are_the_real_ones(command: str) -> None:
    call = shlex.split(blocks(section(command), "sh")[0].splitlines()[0])
    output = CliRunner().invoke(cli, call[1:]).stdout
    (told,) = blocks(section(command), "text")
    if command == "solve":
        # Shortened; another search may find other moves, but none can find a better score.
        head, moves = told.split("\n\n")
        assert output.startswith(head)
        heading, *lines, last = moves.splitlines()
        assert {heading, last} <= set(output.splitlines())
        assert len(lines) >= 5
        assert [line for line in lines if not MOVE_LINE.fullmatch(line)] == ["..."]
    else:
        assert output == told


@pytest.mark.parametrize("block", blocks(README, "console"))
def test_shortened_outputs_are_the_real_ones(block: str) -> None:
    command, *told = block.splitlines()
    call = shlex.split(command.removeprefix("$ simon-solver "))
    printed = CliRunner().invoke(cli, call).stdout.splitlines()
    shortened = re.escape("\n".join(told)).replace(re.escape("..."), "(?:.*\n)*?.*")
    assert re.fullmatch(shortened, "\n".join(printed)), printed


def test_the_dialogue_is_the_real_one() -> None:
    call = shlex.split(blocks(section("play"), "sh")[0].splitlines()[0])
    (told,) = blocks(section("play"), "text")
    typed = "".join(f"{line}\n" for line in re.findall("^> (.*)$", told, re.MULTILINE))
    output = CliRunner().invoke(cli, call[1:], input=typed).stdout
    shortened = re.escape(told).replace(re.escape("..."), "(?:.*\n)*?.*")
    assert re.search(shortened, output), output


def test_every_option_is_named() -> None:
    options = {
        name
        for command in COMMANDS.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    }
    assert [option for option in sorted(options) if f"`{option}" not in README] == []


def test_verdicts_and_reasons_are_listed() -> None:
    assert [row[0] for row in table(section("Verdicts"))] == [f"`{word}`" for word in Verdict]
    for reason in StoppedBy:
        assert f'`"{reason}"`' in section("JSON")


def test_exit_codes_are_listed() -> None:
    codes = {code for name, code in vars(exit_codes).items() if name.startswith("EXIT_")}
    assert [int(row[0]) for row in table(section("Exit codes"))] == sorted(codes)


def test_defaults_of_the_limits() -> None:
    for option, *defaults, _ in table(section("Limits")):
        name = option.strip("`").split()[0]
        for command, told in zip(("solve", "check", "rates"), defaults, strict=True):
            found = [p.default for p in COMMANDS[command].params if name in p.opts]
            assert found == ([] if told == "–" else [float(told.split()[0])]), (command, name)


def test_the_json_example_has_the_names_of_the_contract() -> None:
    (example,) = blocks(section("JSON"), "json")
    assert list(json.loads(example)) == [
        *("deal", "suits", "verdict", "score", "moves", "runs_removed", "best_proven"),
        *("score_bound", "solution", "stopped_by", "states", "seconds"),
    ]


def test_the_names_of_the_other_records() -> None:
    deal = simon_solver.read_deal("SS1-S4-AAAAABD")
    replay = simon_solver.verify(deal, [])
    checked = CheckResult(Verdict.WINNABLE, (), None, 1, 0.5)
    records = {
        "check": {**check_record(deal, checked), **error_record("", "")},
        "hint": hint_record(deal, Hint(Verdict.WINNABLE, 840, 840, (), None, 1, 0.5)),
        "show": show_record(deal),
        "verify": verify_record(deal, replay),
        "rates": rates_record(_summary_of_nothing()),
        "rules": design_record("", parse_design(SIMPLE)),
        "find": find_record(row_of(4, 0)),
    }
    told = {row[0].strip("`"): row[1] for row in table(section("JSON"))}
    assert told.pop("solve") == "those above"
    for command, record in records.items():
        names = re.findall(r"`(\w+)`", told.pop(command))
        assert list(dict.fromkeys(names)) == list(record)
    assert not told
    for word in (*Outcome, *Form, *IN_WORDS, *Grade):
        assert f'`"{word}"`' in section("JSON")


def _summary_of_nothing() -> Summary:
    with open_store(None) as store:
        return summarize(store, Span(4, 0, 1), best=False)


def test_the_verdicts_of_rates_are_the_real_ones() -> None:
    call = shlex.split(blocks(section("rates"), "sh")[0].splitlines()[0])
    output = CliRunner().invoke(cli, call[1:]).stdout
    (told,) = blocks(section("rates"), "text")
    verdicts, effort, versions = (part.splitlines() for part in told.split("\n\n"))
    shown = [part.splitlines() for part in output.split("\n\n")]
    assert verdicts == shown[0]
    assert effort[0].split() == shown[1][0].split()
    assert versions == shown[2]


def test_win_rates_follow_from_the_verdicts() -> None:
    calls = map(shlex.split, blocks(section("Win rates"), "sh")[0].splitlines())
    asked = {
        suits: int(call[call.index("--deals") + 1])
        for call in calls
        for suits in call[call.index("--suits") + 1].split(",")
    }
    rows = table(section("Win rates"))
    assert [row[0] for row in rows] == ["1", "2", "4"] == list(asked)
    for suits, *counts, rate, interval in rows:
        deals, winnable, unwinnable, undetermined = (int(n.replace(",", "")) for n in counts)
        assert winnable + unwinnable + undetermined == deals == asked[suits] >= 1_000_000
        assert rate == f"{100 * winnable / (winnable + unwinnable):.2f} %"
        (low, _), (_, high) = wilson(winnable, deals), wilson(winnable + undetermined, deals)
        assert interval == f"{100 * low:.2f} to {100 * high:.2f} %"


def test_the_first_win_rates_are_the_real_ones() -> None:
    told = section("Win rates")
    (call,) = re.findall("`(simon-solver rates --suits 1,2,4 --deals [^`]*)`", told)
    (counts,) = re.findall(r"([\d,]+), ([\d,]+) and ([\d,]+) can be won", told)
    output = CliRunner().invoke(cli, [*shlex.split(call)[1:], "--format", "json"]).stdout
    found = [json.loads(line) for line in output.splitlines()]
    assert [r["suits"] for r in found] == [1, 2, 4]
    assert [f"{r['winnable']:,}" for r in found] == list(counts)
    assert not any(r["undetermined"] for r in found)


def test_grades_are_those_of_the_bounds() -> None:
    told = section("Difficulty")
    assert f"\n{GAMES} games" in told
    rows = table(told.partition("short line that wins")[0])
    assert [row[0] for row in rows] == ["1", "2", "4"]
    for suits, deals, *cells in rows:
        medium, hard = BOUNDS[int(suits)]
        assert int(deals.replace(",", "")) >= 300
        assert cells[:3] == [f"below {medium}", f"{medium} to {hard - 0.1:.1f}", f"from {hard}"]
        for share in cells[3:6]:
            assert abs(float(share.removesuffix(" %")) - 100 / 3) < 1.5


def test_limits_of_the_input() -> None:
    told = re.findall(r"\d+,[\d,]*\d (?:bytes|moves|characters)", section("Deals"))
    assert told == [
        f"{MOST_BYTES:,} bytes",
        f"{MOST_MOVES:,} moves",
        f"{LONGEST_LINE:,} characters",
    ]


def test_variables_of_the_environment() -> None:
    assert f"`{DEBUG_VARIABLE}=1`" in section("Exit codes")
    assert f"`{SAVE_VARIABLE}`" in section("play")
    # The same line is in the help of the program, which is tested.
    assert 'eval "$(_SIMON_SOLVER_COMPLETE=bash_source simon-solver)"\n' in README


def test_the_board_is_that_of_the_code() -> None:
    (board, _) = blocks(section("Deals"), "text")
    read = simon_solver.parse_deal(board, "README").position
    assert read == simon_solver.read_deal("SS1-S4-AAAAABD").position
    assert simon_solver.parse_code("SS1-S4-AAAAABD").number == 29


def test_the_python_example_runs() -> None:
    (example,) = blocks(section("Python"), "python")
    test = doctest.DocTestParser().get_doctest(example, {}, "README.md", "README.md", 0)
    report: list[str] = []
    results = doctest.DocTestRunner().run(test, out=report.append)
    assert results.attempted >= 5
    assert not results.failed, "".join(report)


def test_the_layers_are_those_of_the_test() -> None:
    parts = [
        part.strip("`")
        for row in table(section("Development"))
        for part in row[0].replace(",", " ").split()
    ]
    assert parts == ORDER


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert targets
    for target in targets:
        if target.startswith("#"):
            assert re.search(rf"^#+ {target[1:]}$", README, re.MULTILINE | re.IGNORECASE), target
        else:
            assert (TOP / target).exists(), target


def test_the_error_in_the_readme_is_the_real_one() -> None:
    # tests/game/test_rules.py raises it.
    text = "move 12: 9H cannot go on 8S: needs a card one rank higher"
    assert text in README
    assert text in (TOP / "tests" / "game" / "test_rules.py").read_text(encoding="utf-8")
