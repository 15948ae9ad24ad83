"""Deals a second of `rates` with several workers, beside as many independent runs.

    python -m benchmarks.bench_rates --suits 4 --deals 4000 --rounds 3

Both decide the same codes. The independent runs are processes that just call `run_piece` one piece
after the other, without a store; the workers get their pieces from this process, which writes the
rows to a store on the disk. Times are wall time, the kernels loaded and the processes started.
"""

from __future__ import annotations

import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.common import machine_line, new_parser, positive, suits_name, table, warm_up
from simon_solver.batch.pieces import Piece, Span, Terms, pieces_of, run_piece
from simon_solver.batch.run import fill
from simon_solver.batch.store import open_store
from simon_solver.batch.workers import LocalWorkers

TERMS = Terms()


def independent(span: Span, runs: int) -> float:
    """Deals a second of all runs together, each with every so-manieth piece."""
    context = multiprocessing.get_context("spawn")
    pieces = list(pieces_of([span], TERMS))
    started = []
    for run in range(runs):
        ours, theirs = context.Pipe()
        process = context.Process(target=single_run, args=(theirs, pieces[run::runs]))
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


def single_run(connection: Connection, pieces: Sequence[Piece]) -> None:
    """Say that the kernels are loaded, wait, run the pieces, and send the deals a second."""
    run_piece(Piece(Span(pieces[0].span.suits, 0, 1), TERMS))
    connection.send("ready")
    connection.recv()
    begun = time.perf_counter()
    deals = sum(len(run_piece(piece)) for piece in pieces)
    connection.send(deals / (time.perf_counter() - begun))


def with_workers(span: Span, jobs: int) -> float:
    """Deals a second of so many workers, the rows stored."""
    with tempfile.TemporaryDirectory() as folder, LocalWorkers(jobs) as workers:
        ready = (Piece(Span(span.suits, number, 1), TERMS) for number in range(jobs))
        assert sum(map(len, workers.results(ready))) == jobs
        with open_store(str(Path(folder) / "rates.sqlite")) as store:
            begun = time.perf_counter()
            fill(store, [span], TERMS, workers.results)
            return span.deals / (time.perf_counter() - begun)


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
        # in turn, so that other load on the machine meets both
        pairs = [
            (independent(span, options.jobs), with_workers(span, options.jobs))
            for _ in range(options.rounds)
        ]
        ratio = statistics.median(workers / runs for runs, workers in pairs)
        medians = [statistics.median(rates) for rates in zip(*pairs, strict=True)]
        rows.append([suits_name(suits), *medians, f"{100 * ratio:.1f} %"])
    print(f"\nDeals a second, median of {options.rounds}\n")
    print(table(["suits", f"{options.jobs} runs", f"{options.jobs} workers", "ratio"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
