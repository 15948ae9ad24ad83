"""Deciding beside fc-solve's most complete preset, on the deals that KPat numbers.

    python -m benchmarks.bench_fc_solve --deals 1000

Both get the same deals, one after the other in turn. CPU time of fc-solve: the process's, less that
of the same call when it may look at one state only, so that its start and the reading of the deal
do not count. CPU time of ours: the tables, the searches and the replay of a win by the kernels, as
`rates` decides deals; and `check`, which replays it by the rules as well. Needs the program
`fc-solve` (Debian: freecell-solver-bin) and a system that knows the CPU time of processes.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tqdm import tqdm

from benchmarks.command_line import positive
from benchmarks.deals import warm_up
from benchmarks.figures import mean, percentile, share, table
from benchmarks.machine import machine_line
from simon_solver.answers.solver import check
from simon_solver.game.numbered import NumberedDeal
from simon_solver.game.position import Position
from simon_solver.reading.formats import columns
from simon_solver.search.codes import decide
from simon_solver.search.limits import Limits
from simon_solver.search.portfolio import task_of
from simon_solver.search.verdict import Verdict

FC_SOLVE = "fc-solve"
PRESET = ("-g", "simple_simon", "-l", "the-last-mohican")
ITERATIONS = 200_000
SOLVED, LOST = "This game is solveable.", "I could not solve this game."


@dataclass(frozen=True)
class Answer:
    """What a program said of a deal, and its CPU seconds."""

    verdict: Verdict
    cpu_seconds: float


def run_fc_solve(board: str, iterations: int) -> Answer:
    """One call of fc-solve; "could not solve" counts as its "unwinnable", as KPat shows it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [FC_SOLVE, *PRESET, "-mi", str(iterations), "-sel", "-m"],
        input=board,
        text=True,
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    verdict = Verdict.UNDETERMINED
    if SOLVED in run.stdout:
        verdict = Verdict.WINNABLE
    elif LOST in run.stdout:
        verdict = Verdict.UNWINNABLE
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Answer(verdict, seconds)


def ask_fc_solve(position: Position) -> Answer:
    """The answer of fc-solve, its start not counted."""
    board = columns.write(position)
    answer = run_fc_solve(board, ITERATIONS)
    return Answer(answer.verdict, max(0.0, answer.cpu_seconds - run_fc_solve(board, 1).cpu_seconds))


def ask_decide(position: Position) -> Answer:
    """Ours, replayed by the kernels."""
    begun = time.process_time()
    outcome = decide(task_of(position), Limits(0, 2048, 0))
    return Answer(outcome.verdict, time.process_time() - begun)


def ask_check(position: Position) -> Answer:
    """Ours, replayed by the rules."""
    begun = time.process_time()
    result = check(position, time_limit=0)
    return Answer(result.verdict, time.process_time() - begun)


PROGRAMS: dict[str, Callable[[Position], Answer]] = {
    "fc-solve": ask_fc_solve,
    "simon_solver, decide": ask_decide,
    "simon_solver, check": ask_check,
}


def time_row(name: str, found: dict[str, list[Answer]]) -> list[object]:
    """CPU milliseconds a deal, and how often fc-solve's mean holds that of the program."""
    times = [1000 * answer.cpu_seconds for answer in found[name]]
    factor = mean([1000 * answer.cpu_seconds for answer in found["fc-solve"]]) / mean(times)
    return [name, percentile(times, 50), mean(times), percentile(times, 99), max(times), factor]


def verdict_row(name: str, found: dict[str, list[Answer]]) -> list[object]:
    """Verdicts, and how many are those proven by `check`."""
    verdicts = [answer.verdict for answer in found[name]]
    counts = Counter(verdicts)
    proven = [answer.verdict for answer in found["simon_solver, check"]]
    right = sum(a is b for a, b in zip(verdicts, proven, strict=True))
    return [name, *(counts[verdict] for verdict in Verdict), share(right, len(verdicts))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = ArgumentParser(
        prog="python -m benchmarks.bench_fc_solve",
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--deals", type=positive, default=1000, help="deals kpat:1 to kpat:N")
    options = parser.parse_args(arguments)
    if shutil.which(FC_SOLVE) is None:
        parser.error(f"the program {FC_SOLVE} is not installed")
    print(machine_line(), flush=True)
    warm_up([4])
    found: dict[str, list[Answer]] = {name: [] for name in PROGRAMS}
    for number in tqdm(range(1, options.deals + 1), disable=None, leave=False):
        position = NumberedDeal("kpat", number).deal()
        for name, ask in PROGRAMS.items():
            found[name].append(ask(position))
    print(f"\nCPU ms a deal, kpat:1 to kpat:{options.deals}\n")
    head = ["program", "median", "mean", "99 %", "max", "times as fast"]
    print(table(head, [time_row(name, found) for name in PROGRAMS]))
    print("\nVerdicts\n")
    head = ["program", *Verdict, "right"]
    print(table(head, [verdict_row(name, found) for name in PROGRAMS]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
