"""Deals a second of `rates` with several workers, beside as many independent runs.

    python -m benchmarks.bench_rates --suits 4 --deals 4000 --rounds 3

All decide the same codes. Single runs have one worker each and a store of their own, as several
commands side by side would; bare runs are processes that just call `run_piece` for one piece after
the other, without a store. Workers get their pieces from this process, which writes the rows to a
store on the disk. Times are wall time, the kernels loaded and the processes started.
"""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.command_line import new_parser, positive
from benchmarks.deals import suits_name, warm_up
from benchmarks.figures import table
from benchmarks.machine import machine_line
from simon_solver.batch.pieces import Piece, Span, Terms, pieces_of, run_piece
from simon_solver.batch.run import fill
from simon_solver.batch.store import open_store
from simon_solver.batch.workers import LocalWorkers

TERMS = Terms()


Measure = Callable[[], float]
"""Decides a span, and returns the deals a second."""
Setting = Callable[[Span], AbstractContextManager[Measure]]
"""Gets everything ready to measure a span."""


@contextmanager
def bare(span: Span) -> Iterator[Measure]:
    """Decide in this process, without a store."""
    run_piece(Piece(Span(span.suits, 0, 1), TERMS))

    def measure() -> float:
        begun = time.perf_counter()
        deals = sum(len(run_piece(piece)) for piece in pieces_of([span], TERMS))
        return deals / (time.perf_counter() - begun)

    yield measure


@contextmanager
def with_workers(span: Span, jobs: int = 1) -> Iterator[Measure]:
    """Decide with so many workers, the rows stored."""
    with tempfile.TemporaryDirectory() as folder, LocalWorkers(jobs) as workers:
        ready = (Piece(Span(span.suits, number, 1), TERMS) for number in range(jobs))
        assert sum(map(len, workers.results(ready))) == jobs
        with open_store(str(Path(folder) / "rates.sqlite")) as store:

            def measure() -> float:
                begun = time.perf_counter()
                fill(store, [span], TERMS, workers.results)
                return span.deals / (time.perf_counter() - begun)

            yield measure


def independent(setting: Setting, span: Span, runs: int) -> float:
    """Deals a second of all runs together, each a process with a part of the span."""
    context = multiprocessing.get_context("spawn")
    ends = [span.first + span.deals * run // runs for run in range(runs + 1)]
    started = []
    for first, end in pairwise(ends):
        ours, theirs = context.Pipe()
        part = Span(span.suits, first, end - first)
        process = context.Process(target=independent_run, args=(theirs, setting, part))
        with theirs:  # so that no end of it is left when the process dies
            process.start()
        started.append((process, ours))
    for _, connection in started:
        connection.recv()
    for _, connection in started:
        connection.send("go")
    rate = sum(float(connection.recv()) for _, connection in started)
    for process, _ in started:
        process.join()
    return rate


def independent_run(connection: Connection, setting: Setting, span: Span) -> None:
    """Say that all is ready, wait, and send the deals a second."""
    with setting(span) as measure:
        connection.send("ready")
        connection.recv()
        connection.send(measure())


def together(span: Span, jobs: int) -> float:
    """Deals a second of `rates` with so many workers."""
    with with_workers(span, jobs) as measure:
        return measure()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = new_parser("benchmarks.bench_rates", __doc__)
    parser.add_argument("--deals", type=positive, default=4000, help="deals of each suit count")
    parser.add_argument("--rounds", type=positive, default=3, help="measurements of each kind")
    parser.add_argument("--jobs", type=positive, default=2, help="workers, and independent runs")
    options = parser.parse_args(arguments)
    print(machine_line(), flush=True)
    warm_up(options.suits)
    rows = []
    for suits in options.suits:
        span = Span(suits, options.start, options.deals).checked()
        # in turn, so that other load on the machine meets all
        rounds = [
            (
                independent(bare, span, options.jobs),
                independent(with_workers, span, options.jobs),
                together(span, options.jobs),
            )
            for _ in range(options.rounds)
        ]
        medians = [statistics.median(rates) for rates in zip(*rounds, strict=True)]
        ratios = [statistics.median(times[2] / times[kind] for times in rounds) for kind in (0, 1)]
        shown = [f"{100 * ratio:.1f} %" for ratio in ratios]
        rows.append([suits_name(suits), *medians, *shown])
    print(f"\nDeals a second, median of {options.rounds}\n")
    jobs = options.jobs
    heads = [f"{jobs} bare runs", f"{jobs} single runs", f"{jobs} workers"]
    print(table(["suits", *heads, "of bare", "of single"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
