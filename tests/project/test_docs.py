"""The manual says what is there: commands, options, tables, examples, files, and all its pages."""

from __future__ import annotations

import importlib
import json
import re
import shlex

import click
import pytest

import simon_solver
from scripts import make_cli_reference
from simon_solver.answers.difficulty import BOUNDS, GAMES, Grade
from simon_solver.answers.results import CheckResult, Hint
from simon_solver.answers.verification import Outcome
from simon_solver.batch.pieces import Span
from simon_solver.batch.store import open_store
from simon_solver.batch.summary import Summary, summarize, wilson
from simon_solver.cli.playing.keeping import SAVE_VARIABLE
from simon_solver.cli.shared import exit_codes
from simon_solver.cli.shared.running import DEBUG_VARIABLE
from simon_solver.game.moves import MOST_MOVES
from simon_solver.game.numbered import HIGHEST_NUMBERS
from simon_solver.kernels.native.places import CACHE_VARIABLE
from simon_solver.reading.designs.comparing import parse_design
from simon_solver.reading.solutions.printed import Form
from simon_solver.render.boards import TARGETS
from simon_solver.render.designs import IN_WORDS, design_record
from simon_solver.render.finds import find_record
from simon_solver.render.notation import Notation
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
from tests.support.batch import row_of
from tests.support.design import SIMPLE
from tests.support.manual import (
    COMMANDS,
    DOCS,
    TOP,
    blocks,
    check_python,
    check_solution,
    dead_links,
    in_one_line,
    module_calls,
    page,
    pages,
    program_calls,
    run,
    section,
    shortened,
    table,
    text_of,
    unknown_options,
)

PAGES = pages()
WRITTEN = {name: text for name, text in PAGES.items() if name != "cli"}
MANUAL = "\n".join(WRITTEN.values())
CALLS = program_calls(MANUAL)


def first_call(command: str) -> list[str]:
    """Arguments of the first example on a command's page."""
    return program_calls(page(f"commands/{command}"))[0]


def test_every_page_is_in_the_contents_and_has_one_title() -> None:
    listed = re.findall(r"^ *- (?:[^:\n]*: )?(\S+)\.md$", text_of("mkdocs.yml"), re.MULTILINE)
    assert sorted(listed) == sorted(PAGES)
    for name, text in PAGES.items():
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        assert len(re.findall("^# ", prose, re.MULTILINE)) == 1, name


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    assert list(dead_links(DOCS / f"{name}.md")) == []


def test_every_command_has_its_page_and_an_example() -> None:
    names = {name.partition("/")[2] for name in PAGES if name.startswith("commands/")}
    explained = COMMANDS.keys() - {"help"}
    assert names == {*explained, "index"}
    for command in explained:
        text = page(f"commands/{command}")
        assert text.startswith(f"# {command}\n")
        assert f"simon-solver {command} " in "".join(blocks(text, "sh"))
        assert f"[`{command}`]({command}.md)" in page("commands/index")


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_examples_use_what_there_is(call: list[str]) -> None:
    assert not unknown_options(call)


@pytest.mark.parametrize(
    "call",
    [call for call in CALLS if call[0] in ("show", "verify") and "txt" not in call[-1]],
    ids=" ".join,
)
def test_examples_without_a_search_run(call: list[str]) -> None:
    result = run(call)
    assert result.exit_code == (0 if call[0] == "show" else 1), result.output


@pytest.mark.parametrize(
    "call",
    [*module_calls(MANUAL), *module_calls(text_of("CONTRIBUTING.md"))],
    ids=" ".join,
)
def test_modules_of_the_examples_are_there(call: list[str]) -> None:
    name, *arguments = call
    module = importlib.import_module(name)
    source = text_of(f"{name.replace('.', '/')}.py")
    source += text_of("benchmarks/command_line.py") if name.startswith("benchmarks.") else ""
    assert callable(module.main)
    for option in arguments:
        assert not option.startswith("--") or f'"{option}"' in source, option


@pytest.mark.parametrize("command", ["solve", "check", "verify"])
def test_outputs_are_the_real_ones(command: str) -> None:
    (told,) = blocks(page(f"commands/{command}"), "text")
    output = run(first_call(command)).stdout
    if command == "solve":
        check_solution(told, output)
    else:
        assert output == told


@pytest.mark.parametrize("block", blocks(MANUAL, "console"))
def test_shortened_outputs_are_the_real_ones(block: str) -> None:
    command, *told = block.splitlines()
    printed = run(shlex.split(command.removeprefix("$ simon-solver "))).stdout.splitlines()
    assert re.fullmatch(shortened("\n".join(told)), "\n".join(printed)), printed


def test_the_dialogue_is_the_real_one() -> None:
    (told,) = blocks(page("commands/play"), "text")
    typed = "".join(f"{line}\n" for line in re.findall("^> (.*)$", told, re.MULTILINE))
    output = run(first_call("play"), typed).stdout
    assert re.search(shortened(told), output), output


def test_every_option_is_named() -> None:
    options = {
        name
        for command in COMMANDS.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    }
    assert [option for option in sorted(options) if f"`{option}" not in MANUAL] == []


def test_options_of_all_commands() -> None:
    having = {
        option: {name for name, command in COMMANDS.items() if option in _options(command)}
        for option in ("--after", "--moves-made", "--layout", "--format")
    }
    takes_a_deal = {"solve", "check", "hint", "play", "show", "verify", "convert"}
    assert having["--after"] == takes_a_deal
    assert takes_a_deal - having["--moves-made"] == {"check"}
    assert having["--layout"] == {*COMMANDS} - {"rules", "warm-up", "help"}
    assert {*COMMANDS} - having["--format"] == {"convert", "play", "warm-up", "help"}


def _options(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts}


def test_choices_are_listed() -> None:
    targets = [row[0] for row in table(page("commands/convert"))]
    assert targets == [f"`{name}`" for name in TARGETS]
    notations = [row[0] for row in table(section(page("moves"), "Notations"))]
    assert sorted(notations) == sorted(f"`{name}`" for name in Notation)


def test_verdicts_and_reasons_are_listed() -> None:
    listed = [row[0] for row in table(section(page("limits"), "Verdicts"))]
    assert listed == [f"`{word}`" for word in Verdict]
    for reason in StoppedBy:
        assert f'`"{reason}"`' in page("json")


def test_exit_codes_are_listed() -> None:
    codes = {code for name, code in vars(exit_codes).items() if name.startswith("EXIT_")}
    assert [int(row[0]) for row in table(page("exit-codes"))] == sorted(codes)


def test_defaults_of_the_limits() -> None:
    columns = (("solve", "hint"), ("check",), ("rates", "find"))
    for option, *defaults, _ in table(section(page("limits"), "Limits")):
        name = option.strip("`").split()[0]
        for commands, told in zip(columns, defaults, strict=True):
            for command in commands:
                found = [p.default for p in COMMANDS[command].params if name in p.opts]
                assert found == ([] if told == "–" else [float(told.split()[0])]), (command, name)


def test_limits_of_play_and_verify() -> None:
    defaults = {
        command: {p.opts[0]: p.default for p in COMMANDS[command].params if "limit" in p.opts[0]}
        for command in ("play", "verify", "solve")
    }
    assert defaults["verify"] == defaults["solve"]
    play = r"`play` allows each hint or search (\d+) seconds and (\d+) MiB"
    told = re.search(play, in_one_line(page("limits")))
    assert told
    assert defaults["play"]["--time-limit"] == float(told[1])
    assert defaults["play"]["--memory-limit"] == int(told[2])


def test_the_json_example_has_the_names_of_the_contract() -> None:
    (example,) = blocks(page("json"), "json")
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
    told = {row[0].strip("`"): row[1] for row in table(page("json"))}
    assert told.pop("solve") == "those above"
    for command, record in records.items():
        names = re.findall(r"`(\w+)`", told.pop(command))
        assert list(dict.fromkeys(names)) == list(record)
    assert not told
    for word in (*Outcome, *Form, *IN_WORDS, *Grade):
        assert f'`"{word}"`' in page("json")


def _summary_of_nothing() -> Summary:
    with open_store(None) as store:
        return summarize(store, Span(4, 0, 1), best=False)


def test_the_verdicts_of_rates_are_the_real_ones() -> None:
    (told,) = blocks(page("commands/rates"), "text")
    verdicts, effort, versions = (part.splitlines() for part in told.split("\n\n"))
    shown = [part.splitlines() for part in run(first_call("rates")).stdout.split("\n\n")]
    assert verdicts == shown[0]
    assert effort[0].split() == shown[1][0].split()
    assert versions == shown[2]


def test_win_rates_follow_from_the_verdicts() -> None:
    told = section(page("measurements"), "Win rates")
    (call,) = program_calls(told)
    asked = int(call[call.index("--deals") + 1])
    rows = table(told)
    assert [row[0] for row in rows] == call[call.index("--suits") + 1].split(",")
    for _, *counts, rate, interval in rows:
        deals, winnable, unwinnable, undetermined = (int(n.replace(",", "")) for n in counts)
        assert winnable + unwinnable + undetermined == deals == asked >= 1_000_000
        assert rate == f"{100 * winnable / (winnable + unwinnable):.2f} %"
        (low, _), (_, high) = wilson(winnable, deals), wilson(winnable + undetermined, deals)
        assert interval == f"{100 * low:.2f} to {100 * high:.2f} %"


def test_the_first_win_rates_are_the_real_ones() -> None:
    told = in_one_line(section(page("measurements"), "Win rates"))
    (call,) = re.findall("`(simon-solver rates --suits 1,2,4 --deals [^`]*)`", told)
    (counts,) = re.findall(r"([\d,]+), ([\d,]+) and ([\d,]+) can be won", told)
    output = run([*shlex.split(call)[1:], "--format", "json"]).stdout
    found = [json.loads(line) for line in output.splitlines()]
    assert [r["suits"] for r in found] == [1, 2, 4]
    assert [f"{r['winnable']:,}" for r in found] == list(counts)
    assert not any(r["undetermined"] for r in found)


def test_every_measurement_names_its_commit_and_command() -> None:
    sections = re.findall("^## (.+)$", page("measurements"), re.MULTILINE)
    assert len(sections) >= 6
    for title in sections[:-1]:
        text = section(page("measurements"), title)
        assert re.search(r"2026-\d\d-\d\d, commit [0-9a-f]{7}\)", in_one_line(text)), title
        assert blocks(text, "sh"), title


def test_grades_are_those_of_the_bounds() -> None:
    told = page("difficulty")
    assert f"from {GAMES} games" in in_one_line(told)
    rows = table(section(told, "Grades"))
    assert [row[0] for row in rows] == ["1", "2", "4"]
    for suits, deals, *cells in rows:
        medium, hard = BOUNDS[int(suits)]
        assert int(deals.replace(",", "")) >= 300
        assert cells[:3] == [f"below {medium}", f"{medium} to {hard - 0.1:.1f}", f"from {hard}"]
        for share in cells[3:6]:
            assert abs(float(share.removesuffix(" %")) - 100 / 3) < 1.5


def test_limits_of_the_input() -> None:
    accepted = in_one_line(section(page("deals"), "What is accepted"))
    told = re.findall(r"\d+,[\d,]*\d (?:bytes|moves|characters)", accepted)
    assert told == [
        f"{MOST_BYTES:,} bytes",
        f"{MOST_MOVES:,} moves",
        f"{LONGEST_LINE:,} characters",
    ]


def test_numbers_of_numbered_deals() -> None:
    told = {row[0]: row[1] for row in table(section(page("deals"), "Numbered deals"))}
    assert told == {
        "`kpat:72`": f"1 to {HIGHEST_NUMBERS['kpat']}",
        "`ms:24`": f"1 to {HIGHEST_NUMBERS['ms']}",
        "`pysol:24`": f"1 to 2^{(HIGHEST_NUMBERS['pysol'] + 1).bit_length() - 1} − 1",
    }


def test_variables_of_the_environment() -> None:
    assert f"`{DEBUG_VARIABLE}=1`" in page("exit-codes")
    assert f"`{SAVE_VARIABLE}`" in page("commands/play")
    assert f"`{CACHE_VARIABLE}`" in page("first-steps")
    assert f"{CACHE_VARIABLE}=" in page("commands/warm-up")
    # The same line is in the help of the program, which is tested.
    line = 'eval "$(_SIMON_SOLVER_COMPLETE=bash_source simon-solver)"\n'
    assert line in blocks(page("first-steps"), "sh")


def test_the_board_is_that_of_the_code() -> None:
    (board, _) = blocks(page("deals"), "text")
    read = simon_solver.parse_deal(board, "deals.md").position
    assert read == simon_solver.read_deal("SS1-S4-AAAAABD").position
    assert simon_solver.parse_code("SS1-S4-AAAAABD").number == 29
    assert "(AAAAABD is 29)" in page("deals")


def test_the_python_examples_run() -> None:
    # One after the other, as a reader types them.
    examples = blocks(page("python"), "pycon")
    assert len(examples) >= 3
    assert check_python("\n".join(examples), "docs/python.md") >= 10
    assert blocks(MANUAL, "pycon") == examples


def test_the_reference_has_every_public_name() -> None:
    told = re.findall(r"^::: simon_solver\.(\w+)$", page("reference"), re.MULTILINE)
    assert sorted(told) == sorted({*vars(simon_solver)["__all__"]} - {"__version__"})


def test_names_of_the_python_guide_are_public() -> None:
    calls = section(page("python"), "What to call")
    told = re.findall(r"`([a-z_]+)`", calls)
    assert told
    assert {*told} <= {*vars(simon_solver)["__all__"]}


def test_the_error_in_the_manual_is_the_real_one() -> None:
    # tests/game/test_rules.py raises it.
    text = "move 12: 9H cannot go on 8S: needs a card one rank higher"
    assert text in in_one_line(page("commands/verify"))
    assert text in text_of("tests/game/test_rules.py")


def test_files_that_the_manual_names_are_there() -> None:
    for text in (MANUAL, text_of("CONTRIBUTING.md")):
        named = re.findall(r"`((?:simon_solver|tests|docs|benchmarks|scripts)/[\w./-]+)`", text)
        assert named
        for name in named:
            if "NAME" not in name:
                assert (TOP / name).exists(), name


def test_the_layers_of_the_guide_are_those_of_the_package() -> None:
    guide = table(section(text_of("CONTRIBUTING.md"), "Layers"))
    layers = [row[0].strip("`") for row in guide]
    package = TOP / "simon_solver"
    parts = {path.stem for path in package.iterdir() if path.suffix == ".py"}
    parts |= {path.parent.name for path in package.glob("*/__init__.py")}
    assert sorted(layers) == sorted(parts - {"__init__", "__main__"})
    for file in package.rglob("*.py"):
        part = file.relative_to(package).parts[0].removesuffix(".py")
        if part in layers:
            text = file.read_text(encoding="utf-8")
            for other in re.findall(r"^ *from simon_solver\.(\w+)", text, re.MULTILINE):
                assert layers.index(other) <= layers.index(part), f"{file}: {other}"


def test_steps_of_the_checks_are_listed() -> None:
    told = [row[0].strip("`") for row in table(section(text_of("CONTRIBUTING.md"), "Set up"))]
    steps = re.findall(r"^    (\w+)\)", text_of("scripts/check.sh"), re.MULTILINE)
    assert sorted(["all", *told]) == sorted(steps)


def test_what_runs_before_a_commit_is_among_the_checks() -> None:
    config, checks = text_of(".pre-commit-config.yaml"), text_of("scripts/check.sh")
    entries = re.findall(r"^ +entry: python (-m \w+(?: \w+)?)", config, re.MULTILINE)
    assert len(entries) == config.count("- id: ") == 3
    for entry in entries:
        assert f'"$python" {entry}' in checks


def test_the_version_and_its_date_are_the_same_everywhere() -> None:
    citation = text_of("CITATION.cff")
    dates = re.findall(
        rf"^## \[{re.escape(simon_solver.__version__)}\] - (\d{{4}}-\d\d-\d\d)$",
        text_of("CHANGELOG.md"),
        re.MULTILINE,
    )
    assert f"\nversion: {simon_solver.__version__}\n" in citation
    assert re.findall(r'^date-released: "(.*)"$', citation, re.MULTILINE) == dates


def test_the_extras_are_those_of_the_project() -> None:
    extras = [row[0] for row in table(section(page("first-steps"), "Extras"))]
    told = re.findall(r"`(\w+)`", " ".join(extras))
    project = text_of("pyproject.toml").partition("[project.optional-dependencies]")[2]
    listed = re.findall(r"^(\w+) = \[", project.partition("\n[")[0], re.MULTILINE)
    assert sorted(told) == sorted(listed)


def test_the_command_line_reference_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert make_cli_reference.reference() == text_of("docs/cli.md"), (
        "run: python -m scripts.make_cli_reference"
    )
