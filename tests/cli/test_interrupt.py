"""Ctrl-C in real processes: the first ends the program with 130, and nothing is half-printed."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from time import sleep

import psutil
import pytest

from tests.support.processes import ended, start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends signals")

CODE = "SS1-S4-AAAAABD"

ENDLESS = """
from simon_solver.search import jobs
jobs._START = jobs._START.replace("main(sys", '''
import os, time
from pathlib import Path
from simon_solver.search import compiling
def endless(*_):
    Path(os.environ["SIMON_SOLVER_CACHE"], "begun").touch()
    time.sleep(600)
compiling.compile_group = endless
main(sys''')
"""
"""A process that compiles says that it has begun, and never ends by itself."""

# Tests may be started in the background, where Ctrl-C is ignored.


@pytest.mark.parametrize("wait", [0.0, 0.003, 0.01, 0.03, 0.1])
def test_a_list_ends_at_the_first_interrupt(wait: float, tmp_path: Path) -> None:
    deals = tmp_path / "deals"
    deals.write_text("".join(f"kpat:{number}\nbad\n" for number in range(1, 50_000)))
    with start("check", "--input", str(deals), "--format", "json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines = [process.stdout.readline()]
        sleep(wait)
        process.send_signal(signal.SIGINT)
        lines += process.stdout.readlines()
        assert process.wait(60) == 130
        assert process.stderr.read() == ""
    names = [json.loads(line)["deal"] for line in lines]
    assert names == [f"kpat:{i // 2 + 1}" if i % 2 == 0 else "bad" for i in range(len(names))]


def test_a_list_that_waits_for_input() -> None:
    with start("check", "--input", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{CODE}\n")
        process.stdin.flush()
        assert process.stdout.readline() == f"{CODE}  winnable\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == ""


SEARCH_PATCHES = {
    "before the search": "from simon_solver.search import portfolio\n"
    "decide = portfolio.Portfolio.decide\n"
    "portfolio.Portfolio.decide = lambda *a: (interrupt(), decide(*a))[1]",
    "at its end": "from simon_solver.answers import solver\n"
    "replay = solver.replay\n"
    "solver.replay = lambda *a: (interrupt(), replay(*a))[1]",
    "while the result is made": "from simon_solver.answers import solver\n"
    "for kind in ('SolveResult', 'CheckResult'):\n"
    "    made = getattr(solver, kind)\n"
    "    setattr(solver, kind, lambda *a, m=made, **k: (interrupt(), m(*a, **k))[1])",
    "while it is printed": "from simon_solver.cli.commands import check, solve\n"
    "for command in check, solve:\n"
    "    put = command.put\n"
    "    command.put = lambda text, put=put: (interrupt(), put(text))",
}


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize("moment", SEARCH_PATCHES)
def test_what_was_found_is_printed_first(command: str, moment: str) -> None:
    deals = [CODE] if command == "solve" else [CODE, "kpat:46", "kpat:47"]
    process = start(command, "--format", "json", *deals, before=SEARCH_PATCHES[moment])
    code, output, errors = ended(process)
    assert (code, errors) == (130, "")
    record = json.loads(output)
    assert record["deal"] == CODE
    if moment != "before the search":
        assert record["verdict"] == "winnable"
    if moment in ("before the search", "at its end"):
        assert record["stopped_by"] == "interrupt"


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_while_a_bad_line_is_reported(output_format: str) -> None:
    before = (
        "from simon_solver.cli.commands import check\n"
        "for name in 'report', 'put':\n"
        "    shown = getattr(check, name)\n"
        "    setattr(check, name, lambda text, shown=shown: (interrupt(), shown(text)))"
    )
    arguments = ["check", "bad", CODE, "--format", output_format]
    code, output, errors = ended(start(*arguments, before=before))
    assert code == 130
    assert len((output + errors).splitlines()) == 1


@pytest.mark.parametrize(
    "module",
    [
        "click",
        "simon_solver.cli.commands.solve",
        "numpy",
        "simon_solver.search.portfolio",
    ],
)
def test_while_modules_are_loaded(module: str) -> None:
    before = (
        "class Finder:\n"
        "    def find_spec(name, path=None, target=None):\n"
        f"        if name == {module!r}: interrupt()\n"
        f"sys.modules.pop({module!r}, None)\n"
        "sys.meta_path.insert(0, Finder)"
    )
    assert ended(start("solve", CODE, before=before)) == (130, "", "")


def test_while_kernels_are_compiled(tmp_path: Path) -> None:
    arguments = ["rates", "--deals", "1"]
    with start(*arguments, before=ENDLESS, SIMON_SOLVER_CACHE=str(tmp_path)) as process:
        assert process.stderr is not None
        note = process.stderr.readline()
        compilers = psutil.Process(process.pid).children()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert note == "Compiling search kernels (first run only)\n"
    assert (output, errors) == ("", "")
    assert compilers
    _, alive = psutil.wait_procs(compilers, timeout=120)
    assert not alive
    assert not list(tmp_path.rglob("*.code"))


def test_while_a_search_waits_for_no_compiler(tmp_path: Path) -> None:
    """Ctrl-C in a terminal goes to both processes; the search must not take over the compiling."""
    before = (
        f"os.setpgrp()\n{ENDLESS}\n"
        "import atexit\n"
        "atexit.register(lambda: print('numba' in sys.modules, file=sys.stderr))"
    )
    arguments = ["solve", "kpat:72", "--format", "json", "--time-limit", "0"]
    with start(*arguments, before=before, SIMON_SOLVER_CACHE=str(tmp_path)) as process:
        program, compilers = psutil.Process(process.pid), list[psutil.Process]()
        while not compilers and process.poll() is None:
            compilers = program.children()
            sleep(0.01)
        while not (tmp_path / "begun").exists():
            sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (130, "False\n")
    assert json.loads(output)["stopped_by"] == "interrupt"
    _, alive = psutil.wait_procs(compilers, timeout=120)
    assert not alive
    assert not list(tmp_path.rglob("*.code"))


def test_when_the_answer_is_out() -> None:
    process = start("show", "kpat:72", before="import atexit; atexit.register(interrupt)")
    code, output, errors = ended(process)
    assert (code, errors) == (0, "")
    assert output.startswith("deal     kpat:72 (4 suits)\n")


def test_where_interrupts_are_ignored_they_stay_so() -> None:
    before = f"signal.signal(signal.SIGINT, signal.SIG_IGN)\n{SEARCH_PATCHES['at its end']}"
    code, output, errors = ended(start("check", CODE, "kpat:46", before=before))
    assert (code, errors) == (1, "")
    assert output == f"{CODE}  winnable\nkpat:46         unwinnable\n"


def test_an_interrupt_at_the_end_of_the_interpreter_changes_nothing() -> None:
    late = """
class Late:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)
late = Late()
"""
    assert ended(start("check", CODE, before=late)) == (0, f"{CODE}  winnable\n", "")
