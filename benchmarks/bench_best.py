"""How long `solve` takes to prove the best score of deals that can be won.

    python -m benchmarks.bench_best --suits 4 --winnable 200 --csv best4.csv --resume

The deals are those of the first winnable codes. The limit is CPU time. In the distributions a run
that the limit ended counts as longer than every proof (a dash), in the means as what it took.
With `--csv` each deal is a line of a file, written when it is done; `--resume` goes on from there.
"""

from __future__ import annotations

import csv
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from tqdm import tqdm

from benchmarks.command_line import EXIT_INTERRUPTED, add_limits, new_parser, positive
from benchmarks.cpu_limit import cpu_limit
from benchmarks.deals import suits_name, warm_up, winnable_codes
from benchmarks.figures import mean, percentile, share, table
from benchmarks.machine import machine_line, source_digest
from simon_solver.answers.solver import solve
from simon_solver.game.codes import GameCode
from simon_solver.search.verdict import StoppedBy

LEVELS = (50, 90, 95, 97, 99, 100)
BUDGETS = (1.0, 3.0, 10.0, 30.0, 60.0)


@dataclass(frozen=True)
class Row:
    """What became of one deal; a line of the file."""

    deal: str
    suits: int
    score: int
    score_bound: int
    moves: int
    states: int
    cpu_seconds: float
    stopped_by: str

    @property
    def proven(self) -> bool:
        """True when the score is proven to be the best."""
        return self.score == self.score_bound


def measure(code: GameCode, time_limit: float, memory_limit: int) -> Row:
    """Solve the deal of a code within CPU seconds and MiB.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the search.
    """
    position = code.deal()
    with cpu_limit(time_limit) as limit:
        begun = time.process_time()
        result = solve(position, time_limit=0, memory_limit=memory_limit, catch_interrupt=True)
        seconds = time.process_time() - begun
    stopped_by = result.stopped_by
    if stopped_by is StoppedBy.INTERRUPT:
        if not limit.passed:
            raise KeyboardInterrupt
        stopped_by = StoppedBy.TIME
    return Row(
        deal=str(code),
        suits=code.suits,
        score=result.score,
        score_bound=result.score_bound,
        moves=result.moves,
        states=result.states,
        cpu_seconds=round(seconds, 4),
        stopped_by=stopped_by or "",
    )


class RowFile:
    """A CSV file of rows, under a line that says how they were made.

    Raises:
        ValueError: the file is there and not to be resumed, or was made in another way.
    """

    def __init__(self, path: Path, origin: str, *, resume: bool) -> None:
        self.rows: dict[str, Row] = {}
        head = f"# {origin}\n{','.join(field.name for field in fields(Row))}\n"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if text and not resume:
            raise ValueError(f"{path} exists: name another file, or go on with --resume")
        if text and not text.startswith(head):
            raise ValueError(f"{path} is not of this code and these limits ({origin})")
        # A line that was cut off is written anew.
        text = text[: text.rfind("\n") + 1] or head
        for line in csv.DictReader(text.splitlines()[1:]):
            values: dict[str, Any] = dict(line)
            for field in fields(Row):
                if field.type != "str":
                    values[field.name] = (float if field.type == "float" else int)(
                        values[field.name]
                    )
            self.rows[values["deal"]] = Row(**values)
        path.write_text(text, encoding="utf-8")
        self._file: TextIO = path.open("a", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")

    def add(self, row: Row) -> None:
        """Write a row at once."""
        self.rows[row.deal] = row
        self._writer.writerow(asdict(row).values())
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._file.close()


def distribution(rows: Sequence[Row], name: str) -> list[float]:
    """Percentiles over all rows, those not proven infinite, and the mean between the first two."""
    values = [float(getattr(row, name)) for row in rows]
    to_proof = [
        value if row.proven else float("inf") for row, value in zip(rows, values, strict=True)
    ]
    median, *others = (percentile(to_proof, level) for level in LEVELS)
    return [median, mean(values), *others]


def shares(rows: Sequence[Row], budgets: Iterable[float]) -> list[str]:
    """What part of the rows is proven within each number of CPU seconds."""
    return [
        share(sum(row.proven and row.cpu_seconds <= budget for row in rows), len(rows))
        for budget in budgets
    ]


def print_tables(rows: Sequence[Row], time_limit: float) -> None:
    """All tables, a line for each suit count."""
    groups = {
        suits: [row for row in rows if row.suits == suits]
        for suits in sorted({row.suits for row in rows})
    }
    spread = ["median", "mean", *(f"{level} %" for level in LEVELS[1:-1]), "max"]
    for name, title in (("states", "Expanded states"), ("cpu_seconds", "CPU seconds")):
        print(f"\n{title} to the proof\n")
        lines = [[suits, *distribution(group, name)] for suits, group in groups.items()]
        print(table(["suits", *spread], lines))
    budgets = [budget for budget in BUDGETS if not time_limit or budget <= time_limit]
    print("\nProven within CPU seconds\n")
    proven: list[list[object]] = [
        [suits, len(group), *shares(group, budgets), sum(row.proven for row in group)]
        for suits, group in groups.items()
    ]
    print(table(["suits", "deals", *(f"{x:g} s" for x in budgets), "proven in all"], proven))
    print("\nScores (gap: bound less score where not proven)\n")
    ends: list[list[object]] = []
    for suits, group in groups.items():
        gaps = [row.score_bound - row.score for row in group if not row.proven]
        scores, moves = (mean([getattr(row, name) for row in group]) for name in ("score", "moves"))
        ends.append(
            [suits, f"{scores:.2f}", f"{moves:.2f}", len(gaps), mean(gaps), max(gaps, default=0)]
        )
    head = ["suits", "mean best score", "mean moves", "not proven", "mean gap", "max gap"]
    print(table(head, ends))
    for row in rows:
        if not row.proven:
            print(
                f"{row.deal}: {row.score} of at most {row.score_bound}, stopped by "
                f"{row.stopped_by or 'nothing'} after {row.cpu_seconds:.1f} CPU s"
            )


def run(options: Namespace, file: RowFile | None) -> tuple[list[Row], bool]:
    """All rows, and whether Ctrl-C came before the last."""
    rows = []
    try:
        warm_up(options.suits)
        for suits in options.suits:
            chosen = winnable_codes(suits, options.winnable, options.start)
            bar = tqdm(
                chosen, total=options.winnable, desc=suits_name(suits), disable=None, leave=False
            )
            for code in bar:
                row = file.rows.get(str(code)) if file else None
                if row is None:
                    row = measure(code, options.time_limit, options.memory_limit)
                    if file:
                        file.add(row)
                rows.append(row)
    except KeyboardInterrupt:
        return rows, True
    return rows, False


def new_options() -> ArgumentParser:
    """The parser of the command line."""
    parser = new_parser("benchmarks.bench_best", __doc__)
    parser.add_argument("--winnable", type=positive, default=200, help="deals of each suit count")
    add_limits(parser)
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a line for each deal")
    parser.add_argument("--resume", action="store_true", help="go on with the deals not in FILE")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with the given arguments, or those of the process; returns the exit code."""
    parser = new_options()
    options = parser.parse_args(arguments)
    if options.resume and options.csv is None:
        parser.error("--resume needs --csv FILE")
    print(machine_line())
    print(f"limits: {options.time_limit:g} CPU s and {options.memory_limit} MiB a deal")
    if options.csv is None:
        rows, interrupted = run(options, None)
    else:
        origin = (
            f"limits {options.time_limit:g} CPU s {options.memory_limit} MiB, "
            f"sources {source_digest()}"
        )
        try:
            file = RowFile(options.csv, origin, resume=options.resume)
        except ValueError as error:
            parser.error(str(error))
        with file:
            rows, interrupted = run(options, file)
    if interrupted:
        print(f"\ninterrupted after {len(rows)} deals")
    if rows:
        print_tables(rows, options.time_limit)
    return EXIT_INTERRUPTED if interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
