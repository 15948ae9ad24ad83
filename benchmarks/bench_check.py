"""How long `check` takes a deal.

    python -m benchmarks.bench_check --suits 1,2,4 --deals 1000

The deals are those of consecutive game codes. Their CPU time is the process's around the call of
`check`, kernels loaded; `bench_start` measures the start of the program.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tqdm import tqdm

from benchmarks.command_line import new_parser, positive
from benchmarks.deals import codes, suits_name, warm_up
from benchmarks.figures import mean, percentile, table
from benchmarks.machine import machine_line
from simon_solver.answers.solver import check
from simon_solver.search.verdict import StoppedBy, Verdict


@dataclass(frozen=True)
class Measurement:
    """What `check` said and used. The wins are not kept: many objects slow the collector down."""

    verdict: Verdict
    states: int
    cpu_seconds: float


def measure(suits: int, deals: int, start: int) -> list[Measurement]:
    """Check the deals of so many consecutive codes.

    Raises:
        KeyboardInterrupt: Ctrl-C ended a search.
    """
    done = []
    chosen = islice(codes(suits, start), deals)
    for code in tqdm(chosen, total=deals, desc=suits_name(suits), disable=None, leave=False):
        position = code.deal()
        begun = time.process_time()
        result = check(position)
        seconds = time.process_time() - begun
        done.append(Measurement(result.verdict, result.states, seconds))
        if result.stopped_by is StoppedBy.INTERRUPT:
            raise KeyboardInterrupt
    return done


def verdict_row(suits: int, done: Sequence[Measurement]) -> list[object]:
    """How many deals have which verdict."""
    counts = Counter(one.verdict for one in done)
    return [suits, len(done), *(counts[verdict] for verdict in Verdict)]


def time_row(suits: int, done: Sequence[Measurement]) -> list[object]:
    """CPU milliseconds a deal."""
    times = [1000 * one.cpu_seconds for one in done]
    return [suits, percentile(times, 50), mean(times), percentile(times, 99), max(times)]


def state_row(suits: int, done: Sequence[Measurement]) -> list[object]:
    """Expanded states a deal, and a CPU second."""
    states = [one.states for one in done]
    seconds = sum(one.cpu_seconds for one in done)
    return [suits, percentile(states, 50), mean(states), float(max(states)), sum(states) / seconds]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = new_parser("benchmarks.bench_check", __doc__)
    parser.add_argument("--deals", type=positive, default=1000, help="deals of each suit count")
    options = parser.parse_args(arguments)
    print(machine_line(), flush=True)
    warm_up(options.suits)
    found = {suits: measure(suits, options.deals, options.start) for suits in options.suits}
    print("\nVerdicts\n")
    print(table(["suits", "deals", *Verdict], [verdict_row(*item) for item in found.items()]))
    print("\nCPU ms a deal\n")
    print(
        table(
            ["suits", "median", "mean", "99 %", "max"], [time_row(*item) for item in found.items()]
        )
    )
    print("\nExpanded states a deal\n")
    print(
        table(
            ["suits", "median", "mean", "max", "states/CPU s"],
            [state_row(*item) for item in found.items()],
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
