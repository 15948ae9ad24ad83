"""What each command loads, for most of the time that a short one takes goes into imports.

A budget has the parts that a command may have loaded as it ends; see `parts_of` for what counts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from simon_solver.answers.solver import solve
from simon_solver.cli.main import PROGRAM, SUMMARIES, cli
from simon_solver.game.codes import parse_code
from simon_solver.game.moves import format_moves
from simon_solver.kernels.native.places import cache_folder
from tests.support.deals import DATA
from tests.support.design import DESIGNS, EIGHT_FILE
from tests.support.processes import MAIN, START

CODE = "SS1-S1-AAAAABD"
BOARD = str(DATA / "samples" / "ms72_after75_1run_pysolfc_export.board")
ROOT = Path(__file__).parents[2]

BROUGHT_BY_OTHERS = {"colorama", "dask", "llvmlite"}
SLOW_PARTS_OF_PYTHON = set(
    "asyncio csv decimal html json logging multiprocessing pathlib random sqlite3 traceback "
    "xml".split()
)
PLAIN = {
    *("cli", "errors", "game", "text", "search.verdict"),
    *("reading.arguments", "reading.deals", "render.records", "render.style", "render.text"),
}
"""Our own that every command may load."""

RESULTS = {"answers.results", "search.interrupts", "search.progress"}
LISTS_OF_MOVES = {"reading.solutions", "render.moves", "render.notation"}
SOLUTIONS = {"answers.verification", "json", "render.solved", "render.verified"}
PLAY = {
    *("cli.playing", "json", "pathlib", "reading.formats", "render.play", "render.scenes"),
    *("render.solved", "filelock"),
    *("asyncio", "decimal", "logging", "random", "traceback"),  # of filelock
}
BATCH = {
    *("answers.difficulty", "batch", "random"),
    *("search.interrupts", "search.limits", "search.progress"),
}

SEARCH = {"kernels", "search", "answers.solver", "numpy", "pathlib", "search.limits", *RESULTS}
"""A search whose kernels run interpreted."""
COMPILED = {"llvmlite", "json", "random"}
"""What compiled kernels need besides, and what that loads."""

BUDGETS: dict[str, set[str]] = {
    "--version": set(),
    "--help": set(),
    "--version -v": SEARCH - {"answers.solver"} | COMPILED | {"csv"},
    "warm-up": SEARCH - {"answers.solver"} | COMPILED | {"csv"},
    f"check {CODE}": SEARCH,
    "check kpat:72": SEARCH | {"pysol_cards", "random"},
    f"check {BOARD}": SEARCH | {"json", "reading.formats", "xml"},
    f"solve --first {CODE}": SEARCH | LISTS_OF_MOVES | {"render.solved"},
    f"hint {CODE}": SEARCH | LISTS_OF_MOVES | {"answers.hints", "render.hints"},
    f"show {CODE}": LISTS_OF_MOVES,
    f"show {CODE} --format json": LISTS_OF_MOVES | {"json"},
    "show pysol:24": LISTS_OF_MOVES | {"pysol_cards", "random"},
    f"show {BOARD}": LISTS_OF_MOVES | {"json", "pathlib", "reading.formats", "xml"},
    f"show {CODE} --layout {EIGHT_FILE}": LISTS_OF_MOVES | {"json", "pathlib", "reading.designs"},
    f"verify {CODE} 9>10": {"answers.results", "pathlib"} | LISTS_OF_MOVES | SOLUTIONS,
    f"play {CODE} --save FOLDER/game.json": RESULTS | LISTS_OF_MOVES | PLAY,
    f"convert {CODE} --to cards": {"json", "reading.formats", "render.boards", "xml"},
    f"rules {DESIGNS / 'simple-simon.cardz'}": {
        *("json", "pathlib", "reading.designs", "render.designs"),
    },
    "check --help": RESULTS,
    "help": set(),
    "solve --help": RESULTS | LISTS_OF_MOVES | {"render.solved"},
    "hint --help": RESULTS | LISTS_OF_MOVES | {"render.hints"},
    "play --help": RESULTS | LISTS_OF_MOVES | (PLAY - {"cli.playing", "filelock", "json"}),
    "rates --help": BATCH,
    "find --help": BATCH,
}


def watched_packages() -> set[str]:
    """All packages that the project names, and some that they load."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (line for lines in project["optional-dependencies"].values() for line in lines)
    named = {re.split(r"[\[<>=]", line)[0] for line in [*project["dependencies"], *extras]}
    named -= {"click", "simon-solver"}
    return {name.replace("-", "_") for name in named} | BROUGHT_BY_OTHERS


def modules_of_commands() -> set[str]:
    """The names of the modules with a command each."""
    return {path.stem for path in (ROOT / "simon_solver/cli/commands").glob("[a-z]*.py")}


WATCHED = watched_packages() | SLOW_PARTS_OF_PYTHON


def parts_of(modules: list[str]) -> set[str]:
    """What counts of the loaded modules: watched packages, and our own but those that are plain.

    The kernels are one part, and so are the batch and the search, from its engines on. Of other
    folders each module or folder is one, as `answers.hints`.
    """
    found = WATCHED & {name.partition(".")[0] for name in modules}
    for name in modules:
        top, *rest = name.removeprefix("simon_solver.").split(".")
        if name == f"simon_solver.{'.'.join([top, *rest])}" and rest:
            part = f"{top}.{rest[0]}"
            light = part in PLAIN | RESULTS | BATCH
            if top in ("kernels", "batch") or (top == "search" and not light):
                part = top
            if part == "cli.playing" or not PLAIN & {top, part}:
                found.add(part)
    return found


def loaded_by(*arguments: str, **environment: str) -> list[str]:
    """The modules in a new process that has run the program with these arguments."""
    code = (
        f"{START}sys.argv = {[PROGRAM, *arguments]!r}\n"
        "from simon_solver.cli.launch import main\n"
        "try:\n    main()\n"
        "finally:\n"
        "    names = list(sys.modules)\n"
        "    import json\n"
        "    print(json.dumps(names), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        input="q\n",
        env={"SIMON_SOLVER_CACHE": str(cache_folder()), **os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr[-2000:]
    modules: list[str] = json.loads(run.stderr.splitlines()[-1])
    return modules


@pytest.mark.parametrize("line", BUDGETS)
def test_a_command_loads_only_what_it_needs(line: str, tmp_path: Path) -> None:
    arguments = line.replace("FOLDER", str(tmp_path)).split()
    modules = loaded_by(*arguments)
    searches = "search" in BUDGETS[line]
    assert parts_of(modules) <= BUDGETS[line] | (COMPILED if searches else set())
    folder = "simon_solver.cli.commands."
    commands = {name.removeprefix(folder) for name in modules if name.startswith(folder)}
    assert commands == {arguments[0].replace("-", "_")} & modules_of_commands()


@pytest.mark.parametrize("line", [line for line in BUDGETS if "answers.solver" in BUDGETS[line]])
def test_an_easy_deal_needs_no_compiler(line: str, tmp_path: Path) -> None:
    arguments = line.split()
    if arguments[0] == "hint":
        # near its end a game is easy for it, too
        steps = solve(parse_code(CODE).deal()).solution[:-5]
        arguments += ["--after", format_moves([step.move for step in steps])]
    modules = loaded_by(*arguments, SIMON_SOLVER_CACHE=str(tmp_path / "cache"))
    assert parts_of(modules) <= BUDGETS[line]
    assert not (tmp_path / "cache").exists()


def test_every_command_has_a_budget() -> None:
    assert {line.split()[0] for line in BUDGETS} == {"--version", "--help", *SUMMARIES}


def test_what_counts() -> None:
    modules = "simon_solver.answers.hints simon_solver.kernels.state.task simon_solver.game.cards"
    others = "simon_solver.search.limits simon_solver.search.engines json.decoder numba.core click"
    assert parts_of([*modules.split(), *others.split()]) == {
        *("answers.hints", "kernels", "search", "search.limits", "json", "numba"),
    }
    assert {"pysol_cards", "tqdm", "psutil", "matplotlib", "distributed", "pyarrow"} <= WATCHED


def test_the_package_loads_neither_numpy_nor_any_part_of_its_own() -> None:
    code = "import simon_solver, sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert parts_of(run.stdout.split()) & (watched_packages() | {"kernels", "search"}) == set()
    assert [name for name in run.stdout.split() if name.startswith("simon_solver")] == [
        "simon_solver"
    ]


def test_the_table_of_commands_tells_what_their_help_does() -> None:
    for name, summary in SUMMARIES.items():
        assert cli.commands[name].name == name
        assert summary == (cli.commands[name].help or "").partition("\n\n")[0]
    assert {name.replace("-", "_") for name in SUMMARIES} == modules_of_commands()


def test_the_list_of_commands_is_that_of_the_commands_themselves() -> None:
    for width in (40, 80, 100):
        context = click.Context(cli, info_name=PROGRAM, terminal_width=width)
        ours, usual = context.make_formatter(), context.make_formatter()
        cli.format_commands(context, ours)
        click.Group(commands=dict(cli.commands)).format_commands(context, usual)
        assert ours.getvalue() == usual.getvalue() != ""


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("s", ["show", "solve"]),
        ("check --la", ["--layout"]),
        ("convert --to sol", ["solvitaire"]),
    ],
)
def test_a_shell_completes_commands_and_options(words: str, offered: list[str]) -> None:
    line = f"{PROGRAM} {words}"
    environment = {
        **os.environ,
        "_SIMON_SOLVER_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    run = subprocess.run(
        [sys.executable, "-c", f"{START}sys.argv = [{PROGRAM!r}]\n{MAIN}"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert [told.split(",")[1] for told in run.stdout.split()] == offered
