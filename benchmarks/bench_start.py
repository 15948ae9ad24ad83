"""How long the program takes to start: on a fresh machine, with kept kernels, without a search.

    python -m benchmarks.bench_start --suits 1,2,4 --codes 100 --runs 7

A fresh machine is an empty folder for compiled kernels, made anew for each run. Everything runs as
a process of its own; CPU seconds are those of the process and of its children, those included that
go on compiling after it has ended. Modules have been compiled to bytecode before, as they are in an
installed package. Needs Unix.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from benchmarks.command_line import new_parser, positive
from benchmarks.deals import codes, suits_name
from benchmarks.figures import percentile, share, table
from benchmarks.machine import machine_line
from benchmarks.metering import Run, meter
from simon_solver.cli.shared.exit_codes import EXIT_NO, EXIT_OK, EXIT_UNDETERMINED
from simon_solver.kernels.native.places import CACHE_VARIABLE

CHECK = ("check", "SS1-S1-AAAAABD")
SOLVE = ("solve", "SS1-S4-AAAAABD")
RATES = ("rates", "--deals", "1000")
COMPILE_ALL = ("warm-up",)
WITHOUT_SEARCH = (("--help",), ("--version",), ("show", "SS1-S4-AAAAABD"))
FIRST_ANSWERS = (("check",), ("solve", "--first"))
"""Commands that are asked about many codes, each on a fresh machine."""
WIN_IS_SEEN = r"score +\d|(?<!un)winnable"
"""What the progress line of `solve` or its answer says once a win is known."""
ANSWERS = (EXIT_OK, EXIT_NO, EXIT_UNDETERMINED)


class Fresh(NamedTuple):
    """A run on a fresh machine."""

    run: Run
    compiled: bool
    """It began to compile kernels."""

    @property
    def decided_at_once(self) -> bool:
        """It answered, and began to compile nothing."""
        return self.run.exit_code != EXIT_UNDETERMINED and not self.compiled


def run_once(arguments: Sequence[str], cache: str, *, on_terminal: bool = False) -> Run:
    """The command line as a process of its own, with this folder for compiled kernels.

    Raises:
        RuntimeError: it did not answer.
    """
    environment = os.environ | {CACHE_VARIABLE: cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "simon_solver", *arguments]
    run = meter(command, environment, on_terminal=on_terminal, pattern=WIN_IS_SEEN)
    if run.exit_code not in ANSWERS:
        raise RuntimeError(f"{' '.join(arguments)}: exit code {run.exit_code}: {run.output}")
    return run


def run_fresh(arguments: Sequence[str], *, on_terminal: bool = False) -> Fresh:
    """The command line on a fresh machine."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        run = run_once(arguments, cache, on_terminal=on_terminal)
        return Fresh(run, any(Path(cache).iterdir()))


@contextmanager
def warm_cache() -> Iterator[str]:
    """A folder with all kernels; every module that is measured has been compiled to bytecode."""
    with tempfile.TemporaryDirectory() as cache:
        for arguments in (COMPILE_ALL, CHECK, SOLVE, RATES, *WITHOUT_SEARCH):
            run_once(arguments, cache, on_terminal=arguments is SOLVE)
        yield cache


def first_answers(
    arguments: Sequence[str], suits: int, count: int, start: int
) -> tuple[list[object], list[object]]:
    """Ask about so many consecutive codes: how many are decided at once, and CPU and wall seconds.

    Each code is asked about once: many codes tell more than many runs of one.
    """
    name = f"{' '.join(arguments)}, {suits_name(suits)}"
    chosen = islice(codes(suits, start), count)
    done = [
        run_fresh([*arguments, str(code)])
        for code in tqdm(chosen, total=count, desc=name, disable=None, leave=False)
    ]
    decided = share(sum(one.decided_at_once for one in done), len(done))
    cpu, wall = [one.run.cpu for one in done], [one.run.wall for one in done]
    times = [percentile(cpu, 50), max(cpu), percentile(wall, 50), max(wall)]
    return [name, len(done), decided], [name, *times]


def repeated(runs: Iterable[Run]) -> list[float]:
    """Median CPU and wall seconds."""
    cpu, wall = zip(*[(run.cpu, run.wall) for run in runs], strict=True)
    return [statistics.median(cpu), statistics.median(wall)]


def rounds(name: str, count: int) -> Iterable[int]:
    """So many rounds, with a progress line on a terminal."""
    return tqdm(range(count), desc=name, disable=None, leave=False)


def fresh_rows(count: int) -> list[list[object]]:
    """What a fresh machine takes for one process, the median of so many."""
    rows: list[list[object]] = []
    for arguments in (CHECK, SOLVE, RATES, COMPILE_ALL):
        name = f"{' '.join(arguments)}, fresh"
        runs = [
            run_fresh(arguments, on_terminal=arguments is SOLVE).run for _ in rounds(name, count)
        ]
        if arguments is SOLVE:
            # a run in which the win was never seen counts as the longest
            seen = [math.inf if run.seen is None else run.seen for run in runs]
            rows.append([f"{name}: first win on the screen", math.nan, statistics.median(seen)])
            name += ": proof"
        rows.append([name, *repeated(runs)])
    return rows


def warm_rows(count: int, cache: str) -> list[list[object]]:
    """What a process takes that need not compile, the median of so many."""
    return [
        [
            f"{' '.join(arguments)}, warm",
            *repeated(run_once(arguments, cache) for _ in rounds(arguments[0], count)),
        ]
        for arguments in (CHECK, *WITHOUT_SEARCH)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = new_parser("benchmarks.bench_start", __doc__)
    parser.add_argument("--codes", type=positive, default=100, help="codes of each suit count")
    parser.add_argument("--runs", type=positive, default=7, help="runs of every other process")
    options = parser.parse_args(arguments)
    print(machine_line(), flush=True)
    with warm_cache() as cache:
        asked = [
            first_answers(command, suits, options.codes, options.start)
            for command in FIRST_ANSWERS
            for suits in options.suits
        ]
        print("\nOn a fresh machine, one process a code: decided without compiling\n")
        print(table(["command", "codes", "decided"], [row for row, _ in asked]))
        print("\nOn a fresh machine, one process a code: seconds\n")
        print(
            table(
                ["command", "CPU: median", "longest", "wall: median", "longest"],
                [row for _, row in asked],
            ),
            flush=True,
        )
        rows = [*fresh_rows(options.runs), *warm_rows(options.runs, cache)]
    print(f"\nSeconds of the whole process, median of {options.runs}\n")
    print(table(["process", "CPU", "wall"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
