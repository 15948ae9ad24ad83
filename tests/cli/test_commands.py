"""All commands: help with examples, shared options, exit codes, and how things go wrong."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import numba
import pytest

from simon_solver import __version__
from simon_solver.cli import main as cli_main
from simon_solver.cli.main import cli
from simon_solver.cli.shared.running import DEBUG_VARIABLE, one_line, report
from simon_solver.kernels.native.kept import folder
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.cli import StandInSolver, error_line, run, run_process
from tests.support.deals import DATA
from tests.support.design import DESIGNS

CODE = "SS1-S4-AAAAABD"
COMMANDS = dict(sorted(cli.commands.items()))


def test_the_commands() -> None:
    assert list(COMMANDS) == [
        "check",
        "convert",
        "find",
        "help",
        "hint",
        "play",
        "rates",
        "rules",
        "show",
        "solve",
        "verify",
        "warm-up",
    ]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help(name: str, flag: str) -> None:
    result = run(name, flag)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.startswith(f"Usage: simon-solver {name} ")
    assert "Examples:\n    simon-solver " in result.stdout or "Examples:\n    echo" in result.stdout
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.help.endswith("."), parameter.name
            if isinstance(parameter.default, int | float | str) and not parameter.is_flag:
                assert parameter.show_default, parameter.name


def test_the_programs_help_names_all_commands_and_completion() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", result.stdout, re.MULTILINE)
    assert "_SIMON_SOLVER_COMPLETE=bash_source simon-solver" in result.stdout


def test_summaries_are_lines_that_no_list_cuts() -> None:
    for name, command in COMMANDS.items():
        summary = command.get_short_help_str(60)
        assert re.fullmatch(r"[A-Z].*[^.]\.", summary), name
        assert summary == (command.help or "").partition("\n\n")[0]


def test_limits_have_the_same_names_and_the_agreed_defaults() -> None:
    defaults = {
        name: {option.name: option.default for option in COMMANDS[name].params}
        for name in ("solve", "check", "hint", "rates", "find")
    }
    for name, memory in (("solve", 4096), ("hint", 4096), ("check", 2048)):
        assert defaults[name]["time_limit"] == 60.0
        assert defaults[name]["memory_limit"] == memory
        assert defaults[name]["state_limit"] == 0
    # no limit of time: its answers are the same on every machine
    for name in ("rates", "find"):
        assert "time_limit" not in defaults[name]
        assert defaults[name]["memory_limit"] == 2048
        assert defaults[name]["state_limit"] == 1_000_000


@pytest.mark.parametrize(
    "name", sorted(COMMANDS.keys() - {"rates", "find", "rules", "warm-up", "help"})
)
def test_every_command_with_a_deal_takes_after_and_format(name: str) -> None:
    options = {flag for parameter in COMMANDS[name].params for flag in parameter.opts}
    # What `convert` writes is a format by itself, and `play` is for people.
    formats = {"convert": {"--to"}, "play": set[str]()}.get(name, {"--format"})
    assert {"--after", "--layout"} | formats <= options


def _examples() -> list[str]:
    """The lines of all helps that begin with a command to type."""
    texts = [cli.help or "", *(command.help or "" for command in COMMANDS.values())]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    return [line for line in lines if re.match(r"(simon-solver|echo|printf) ", line)]


# Others need no stand-in solver but stand-in workers: the tests of these commands run them.
EXAMPLES = [
    example for example in _examples() if not re.search("simon-solver (rates|find) ", example)
]


@pytest.mark.usefixtures("solver")
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_accepted(
    example: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first, _, rest = example.partition("simon-solver ")
    command = shlex.split(rest.partition(" || ")[0])
    stdin = ""
    if first:
        stdin = subprocess.run(
            first.removesuffix(" | "), shell=True, capture_output=True, text=True, check=True
        ).stdout
    for design in DESIGNS.iterdir():
        shutil.copy(design, tmp_path)
    monkeypatch.chdir(tmp_path)
    if "--resume" in command:
        assert run("play", "kpat:72").exit_code == 0
    if "--watch" in command:  # there is no terminal here, and no line to watch
        monkeypatch.setattr("simon_solver.cli.shared.terminal.check_terminal", lambda _user: None)
    result = run(*command, stdin=stdin)
    assert result.exit_code in (0, 1), result.output
    assert result.stderr == ""
    assert result.stdout


def test_there_are_examples_of_all_commands() -> None:
    for name in COMMANDS:
        assert sum(f"simon-solver {name} " in f"{example} " for example in _examples()) >= 2


def test_version() -> None:
    result = run("--version")
    assert result.stdout == f"simon-solver, version {__version__}\n"
    assert run("-V").stdout == result.stdout


@pytest.mark.parametrize("arguments", [("--version", "-v"), ("-v", "-V"), ("-Vv",)])
def test_version_with_what_it_rests_on(arguments: tuple[str, ...]) -> None:
    lines = run(*arguments).stdout.splitlines()
    assert lines[0] == f"simon-solver, version {__version__}"
    assert [line.split()[0] for line in lines[1:]] == ["Python", "with", "cache", "kept"]
    assert str(folder()) in lines[3]
    if not numba.config.DISABLE_JIT:
        assert "deciding, proving, complete, loose" in lines[4]


def test_verbose_alone_shows_the_help() -> None:
    assert run("-v").stdout == run().stdout


def test_warm_up_says_what_is_kept() -> None:
    result = run("warm-up")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == run("-Vv").stdout.splitlines()[-2:]


@pytest.mark.parametrize(
    ("command", "answers", "code"),
    [
        (["solve", CODE], [Verdict.WINNABLE], 0),
        (["solve", CODE], [Verdict.UNWINNABLE], 1),
        (["solve", CODE], [StoppedBy.TIME], 3),
        (["solve", CODE], [StoppedBy.MEMORY], 3),
        (["solve", CODE], [StoppedBy.STATES], 3),
        (["solve", CODE], [StoppedBy.INTERRUPT], 130),
        (["solve", CODE], [KeyboardInterrupt()], 130),
        (["solve", CODE], [RuntimeError("oops")], 70),
        (["solve", "SS1-S3-AAAAABD"], [], 2),
        (["solve"], [], 2),
        (["solve", CODE, CODE], [], 2),
        (["solve", CODE, "--time-limit", "-1"], [], 2),
        (["solve", CODE, "--time-limit", "soon"], [], 2),
        (["solve", CODE, "--time-limit", "nan"], [], 2),
        (["solve", CODE, "--time-limit", "inf"], [], 2),
        (["solve", CODE, "--memory-limit", "0"], [], 2),
        (["solve", CODE, "--state-limit", "-1"], [], 2),
        (["solve", CODE, "--moves-made", "-1"], [], 2),
        (["solve", CODE, "--format", "xml"], [], 2),
        (["solve", CODE, "--after", "1>2"], [], 2),
        (["hint", CODE], [Verdict.WINNABLE], 0),
        (["hint", CODE], [Verdict.UNWINNABLE], 1),
        (["hint", CODE], [StoppedBy.TIME], 3),
        (["hint", CODE], [StoppedBy.INTERRUPT], 130),
        (["hint", CODE], [KeyboardInterrupt()], 130),
        (["hint", CODE], [RuntimeError("oops")], 70),
        (["hint", "bad"], [], 2),
        (["hint", CODE, "--after", "1>2"], [], 2),
        (["hint", CODE, "--state-limit", "-1"], [], 2),
        (["check", CODE, "kpat:1"], [Verdict.WINNABLE, Verdict.WINNABLE], 0),
        (["check", CODE, "kpat:1"], [Verdict.UNWINNABLE, Verdict.WINNABLE], 1),
        (["check", CODE, "kpat:1"], [StoppedBy.TIME, Verdict.UNWINNABLE], 3),
        (["check", CODE, "bad", "kpat:1"], [StoppedBy.TIME, Verdict.UNWINNABLE], 2),
        (["check", CODE, "bad", "kpat:1"], [StoppedBy.TIME, StoppedBy.INTERRUPT], 130),
        (["check", CODE, "kpat:1"], [Verdict.WINNABLE, KeyboardInterrupt()], 130),
        (["check", CODE], [RuntimeError("oops")], 70),
        (["check"], [], 2),
        (["check", "--input", "no such file"], [], 2),
        (["show", CODE], [], 0),
        (["show", "bad"], [], 2),
        (["show"], [], 2),
        (["verify", CODE, "9>10"], [], 1),
        (["verify", CODE, ""], [], 1),
        (["verify", CODE, "9>9"], [], 2),
        (["verify", CODE, "9>"], [], 2),
        (["verify", CODE], [], 2),
        (["verify", "bad", "9>10"], [], 2),
        (["rates", "--deals", "0"], [], 2),
        (["rates", "--from-store", "no such file"], [], 2),
        (["frobnicate"], [], 2),
        (["--frobnicate"], [], 2),
        ([], [], 0),
        (["help"], [], 0),
        (["help", "frobnicate"], [], 2),
    ],
)
def test_exit_codes(
    command: list[str],
    answers: list[Verdict | StoppedBy | BaseException],
    code: int,
    solver: StandInSolver,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    solver.answers = answers
    result = run(*command)
    assert result.exit_code == code, result.output
    if code in (2, 70):
        error_line(result)
    elif "bad" not in command:
        assert result.stderr == ""


def test_a_verified_win_exits_with_0() -> None:
    moves = DATA / "samples/ms72_win93_from_to_count.txt"
    assert run("verify", "kpat:72", str(moves)).exit_code == 0


@pytest.mark.parametrize("command", ["", *cli_main.SUMMARIES])
def test_help_in_every_way(command: str) -> None:
    names = [command] if command else []
    asked = [run(*names, "--help"), run(*names, "-h"), run("help", *names)]
    if not command:
        asked.append(run())
    assert {one.exit_code for one in asked} == {0}
    assert len({one.stdout for one in asked}) == 1
    assert {one.stderr for one in asked} == {""}
    assert asked[0].stdout.startswith(f"Usage: simon-solver {command}")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_words_are_taken_in_either_case(name: str) -> None:
    for option in COMMANDS[name].params:
        if isinstance(option.type, click.Choice):
            for word in option.type.choices:
                assert option.type.convert(str(word).title(), option, None) == word


def test_help_of_what_is_no_command() -> None:
    told = error_line(run("help", "resolve"))
    assert told == "No such command 'resolve'. (see 'simon-solver --help')"
    assert error_line(run("help", "solve", "check")).startswith("Got unexpected extra argument")


def test_usage_errors_are_one_line_that_points_to_the_help() -> None:
    assert error_line(run("-x")) == "No such option '-x'. (see 'simon-solver --help')"
    assert error_line(run("solve")) == "Missing argument 'DEAL'. (see 'simon-solver solve --help')"


@pytest.mark.parametrize(
    ("option", "values", "expected"),
    [
        ("--time-limit", ["x", "nan", "inf", "-1", ""], "a number of seconds of at least 0"),
        ("--memory-limit", ["x", "1.5", "0", "-1"], "a whole number of at least 1"),
        ("--state-limit", ["x", "1.5", "1e3", "-1"], "a whole number of at least 0"),
        ("--moves-made", ["x", "1.5", "-1"], "a whole number of at least 0"),
    ],
)
def test_bad_numbers(option: str, values: list[str], expected: str) -> None:
    for value in values:
        assert error_line(run("solve", CODE, option, value)) == (
            f"Invalid value for '{option}': expected {expected}, got {value!r} "
            "(see 'simon-solver solve --help')"
        )


def test_internal_errors_say_how_to_see_more(
    solver: StandInSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver.answers = [RuntimeError("oops\nand more")]
    assert error_line(run("solve", CODE)) == (
        "internal error, please report it: RuntimeError: oops\\nand more "
        "(set SIMON_SOLVER_DEBUG=1 for a traceback)"
    )
    monkeypatch.setenv(DEBUG_VARIABLE, "1")
    solver.answers = [RuntimeError("oops")]
    result = run("solve", CODE)
    assert result.exit_code == 70
    assert result.stderr.startswith("Traceback (most recent call last):")
    assert result.stderr.endswith("RuntimeError: oops\n")


def test_a_full_disk_is_no_internal_error(solver: StandInSolver) -> None:
    solver.answers = [OSError(28, "No space left on device")]
    result = run("solve", CODE)
    assert result.exit_code == 70
    assert error_line(result) == ("operating system error: [Errno 28] No space left on device")


def test_messages_are_one_line_of_bounded_length(capsys: pytest.CaptureFixture[str]) -> None:
    report("a\nb\x1b[31m\u2028c")
    assert capsys.readouterr().err == "Error: a\\nb\\x1b[31m\\u2028c\n"
    assert one_line("x" * 10_000) == "x" * 300 + " ... " + "x" * 300


def test_without_standalone_mode_the_code_is_returned() -> None:
    assert cli.main(["show", "bad code"], standalone_mode=False) == 2
    assert cli_main.PROGRAM == "simon-solver"


# From here on, in processes of their own.


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["solve", "--help"],
        ["check", "--help"],
        ["rates", "--help"],
        ["rates", "--start", "bad"],
        ["rates", "--from-store", "no such file"],
        ["show", CODE],
        ["show", "kpat:72"],
        ["show", CODE, "--format", "json"],
        ["verify", CODE, "9>10"],
        ["solve", "bad"],
        ["solve", CODE, "--after", "1>2"],
    ],
)
def test_what_does_not_search_loads_no_kernels(arguments: list[str]) -> None:
    program = (
        "import sys\n"
        "from simon_solver.cli.main import cli\n"
        "try:\n"
        f"    cli.main({arguments!r})\n"
        "finally:\n"
        "    heavy = {'numba', 'numpy', 'tqdm', 'psutil'} & set(sys.modules)\n"
        "    assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=60, check=False
    )
    assert b"AssertionError" not in done.stderr
    assert done.returncode in (0, 1, 2)


def test_importing_the_package_loads_no_kernels() -> None:
    program = (
        "import sys, simon_solver\n"
        "simon_solver.parse_code('SS1-S4-AAAAABD').deal()\n"
        "assert not {'numba', 'numpy', 'click', 'pysol_cards'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], timeout=60, check=True)


def test_outputs_that_lack_the_suits_get_letters() -> None:
    environment = {
        "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "",
    }  # fmt: skip
    done = run_process("show", "kpat:72", environment=environment)
    assert done.returncode == 0
    assert b"  4D  JS  2H  JH  9C  JD  2C  TS  KS  QH\n" in done.stdout
    done = run_process("show", "kpat:72", environment={"PYTHONIOENCODING": "utf-8"})
    assert "  4♦  J♠  2♥  J♥  9♣  J♦  2♣  T♠  K♠  Q♥\n" in done.stdout.decode()
    done = run_process("show", "kpat:72", environment={"PYTHONIOENCODING": "cp1252"})
    assert b"  4D  JS  2H" in done.stdout


def test_names_that_cannot_be_shown_are_escaped(tmp_path: Path) -> None:
    board = run("show", "kpat:72", "--format", "json")
    assert board.exit_code == 0
    name = tmp_path / "né♠.txt"
    name.write_text("kpat:72\n7H", encoding="ascii")
    done = run_process("show", str(name), environment={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [["--help"], ["show", CODE], ["show", "bad"]])
def test_closed_streams_are_no_crash(arguments: list[str]) -> None:
    for closed in (">&-", "<&-", "2>&-", ">&- 2>&- <&-"):
        command = shlex.join([sys.executable, "-m", "simon_solver", *arguments])
        done = subprocess.run(
            f"{command} {closed}", shell=True, capture_output=True, timeout=60, check=False
        )
        assert done.returncode == (2 if "bad" in arguments else 0)
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["solve", "--help"], ["show", CODE]])
def test_a_reader_that_leaves_is_no_error(arguments: list[str]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "simon_solver", *arguments],
        stdout=write_end,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(write_end)
    assert done.stderr == b""
    assert done.returncode == 141


def test_completion() -> None:
    done = run_process(environment={"_SIMON_SOLVER_COMPLETE": "bash_source"})
    assert b"_simon_solver_completion()" in done.stdout
    environment = {"_SIMON_SOLVER_COMPLETE": "bash_complete"}
    environment |= {"COMP_WORDS": "simon-solver so", "COMP_CWORD": "1"}
    assert run_process(environment=environment).stdout == b"plain,solve\n"
    environment |= {"COMP_WORDS": "simon-solver show dea", "COMP_CWORD": "2"}
    assert run_process(environment=environment).stdout == b"file,dea\n"


def test_python_m_and_the_console_script_are_the_same() -> None:
    done = run_process("show", "bad", environment={"COLUMNS": "80"})
    assert done.returncode == 2
    assert run_process("-h").stdout.startswith(b"Usage: simon-solver [OPTIONS] [COMMAND]")
