"""``find``: finds codes of winnable deals, such as easy ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from simon_solver.answers.difficulty import Grade
from simon_solver.batch.pieces import DEFAULT_MEMORY, DEFAULT_STATES, Row, Span, Terms
from simon_solver.cli.shared.exit_codes import (
    EXIT_INTERNAL_ERROR,
    EXIT_INTERRUPTED,
    EXIT_NO,
    EXIT_OK,
)
from simon_solver.cli.shared.loading import prepare_kernels
from simon_solver.cli.shared.many import cores, jobs_option, start_option, store_option
from simon_solver.cli.shared.options import (
    CSV,
    JSON,
    TEXT,
    choice_of_format,
    memory_limit_option,
    number,
    state_limit_option,
)
from simon_solver.cli.shared.output import put, put_error
from simon_solver.cli.shared.progress import DealsProgress
from simon_solver.cli.shared.running import report
from simon_solver.cli.shared.starts import layout_option
from simon_solver.errors import InputError
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.game.layout import COLUMN_SIZES, DECKS, ColumnSizes
from simon_solver.game.rules import score
from simon_solver.render.records import to_json
from simon_solver.render.text import counted
from simon_solver.search.interrupts import noted_interrupt
from simon_solver.search.verdict import Verdict

if TYPE_CHECKING:
    from simon_solver.batch.finds import Tally, Wishes

MOST_SCORE = score(0, 4)


@click.command("find")
@click.option(
    "--suits",
    type=click.Choice([str(suits) for suits in sorted(DECKS)]),
    help="Suit count (default: that of --start, or else 4).",
)
@click.option(
    "--count",
    metavar="N",
    type=number("a whole number", int, 1),
    default=10,
    show_default=True,
    help="How many deals to find.",
)
@start_option
@click.option(
    "--difficulty",
    "grade",
    type=click.Choice([grade.value for grade in Grade], case_sensitive=False),
    help="Only deals of this grade; each grade covers a third of winnable deals.",
)
@click.option(
    "--min-best",
    metavar="SCORE",
    type=number("a score", int, 0, MOST_SCORE),
    help="Only deals with at least this best score.",
)
@click.option("--unwinnable", is_flag=True, help="Find unwinnable deals instead of winnable ones.")
@click.option(
    "--best/--no-best", default=True, show_default=True, help="Find and prove the best scores."
)
@layout_option
@state_limit_option(" for each deal", DEFAULT_STATES)
@memory_limit_option(DEFAULT_MEMORY, " in each worker")
@jobs_option
@store_option
@choice_of_format([TEXT, JSON, CSV], "A table for people, one line of JSON per deal, or CSV.")
def find_command(
    suits: str | None,
    count: int,
    start: GameCode | int | None,
    grade: str | None,
    min_best: int | None,
    unwinnable: bool,
    best: bool,
    layout: ColumnSizes | None,
    state_limit: int,
    memory_limit: int,
    jobs: int | None,
    store_file: str | None,
    output_format: str,
) -> int:
    """Find winnable deals by difficulty and best score.

    Prints their codes in order, each as soon as all codes before it are decided, with difficulty
    and proven best score. Limits count states, so the answers depend neither on the speed of the
    machine nor on the number of workers. With --store, an interrupted run resumes where it stopped.

    Exit code: 0 found, 1 fewer found than asked for (no more codes), 2 bad usage or input,
    130 interrupted.

    \b
    Examples:
      simon-solver find --suits 4 --count 10
      simon-solver find --suits 1 --difficulty hard --no-best
      simon-solver find --suits 2 --min-best 840 --format csv
      simon-solver find --suits 4 --unwinnable --start SS1-S4-AAAAABD
      simon-solver find --count 1000 --store finds.sqlite --format json
    """  # noqa: D301 - click's mark
    from simon_solver.batch.finds import Wishes  # noqa: PLC0415 - as all of the batch

    _check_wishes(grade, min_best, unwinnable, best)
    span = _span(suits, start)
    verdict = Verdict.UNWINNABLE if unwinnable else Verdict.WINNABLE
    wishes = Wishes(count, verdict, None if grade is None else Grade(grade), min_best)
    terms = Terms(best, state_limit, memory_limit, layout or COLUMN_SIZES)
    return _find(span, wishes, terms, jobs or cores(), store_file, output_format)


def _check_wishes(grade: str | None, min_best: int | None, unwinnable: bool, best: bool) -> None:
    """Complain of options that cannot go together."""
    if unwinnable and grade is not None:
        raise click.UsageError("--difficulty cannot be used with --unwinnable")
    if unwinnable and min_best is not None:
        raise click.UsageError("--min-best cannot be used with --unwinnable")
    if min_best is not None and not best:
        raise click.UsageError("--min-best cannot be used with --no-best")


def _span(suits: str | None, start: GameCode | int | None) -> Span:
    """All codes from the first one on."""
    if isinstance(start, GameCode):
        if suits not in (None, str(start.suits)):
            raise InputError(
                f"--start: expected a number, or a code that matches --suits {suits}, got {start}"
            )
        first = start
    else:
        first = GameCode(int(suits or 4), start or 0)
    return Span(first.suits, first.number, CODE_COUNT - first.number)


def _find(
    span: Span,
    wishes: Wishes,
    terms: Terms,
    jobs: int,
    store_file: str | None,
    output_format: str,
) -> int:
    """Print what is found; returns the exit code."""
    from simon_solver.batch.finds import find  # noqa: PLC0415
    from simon_solver.batch.store import open_store  # noqa: PLC0415
    from simon_solver.batch.workers import LocalWorkers, WorkerLostError  # noqa: PLC0415

    with open_store(store_file, terms.column_sizes) as store:
        prepare_kernels((DECKS[span.suits],))  # here, so that no two workers compile
        show = _shower(wishes, terms, output_format)
        with noted_interrupt() as interrupt:
            try:
                with DealsProgress(wishes.count, 0) as progress, LocalWorkers(jobs) as workers:

                    def tell(row: Row) -> None:
                        progress.hide()
                        show(row)
                        progress(1)

                    tally = find(
                        store,
                        span,
                        wishes,
                        terms,
                        workers.results,
                        tell=tell,
                        is_stopped=lambda: interrupt.seen,
                    )
            except WorkerLostError as error:
                report(str(error))
                return EXIT_INTERNAL_ERROR
            for note in _notes(tally, wishes, interrupted=interrupt.seen):
                put_error(f"Note: {note}")
    if interrupt.seen:
        return EXIT_INTERRUPTED
    return EXIT_OK if tally.found == wishes.count else EXIT_NO


def _shower(wishes: Wishes, terms: Terms, output_format: str) -> Callable[[Row], None]:
    """What prints a deal; the head of a table is printed here."""
    from simon_solver.render.finds import (  # noqa: PLC0415
        find_csv,
        find_csv_head,
        find_head,
        find_record,
        find_text,
    )

    best, sizes = terms.best, terms.column_sizes
    if output_format == JSON:
        return lambda row: put(to_json(find_record(row, sizes)))
    if output_format == TEXT:
        put(find_head(wishes.verdict, best=best))
        return lambda row: put(find_text(row, best=best))
    put(find_csv_head(sizes))
    return lambda row: put(find_csv(row, sizes))


def _notes(tally: Tally, wishes: Wishes, *, interrupted: bool) -> list[str]:
    """What is to be said of deals that are not shown."""
    notes = []
    if tally.undetermined:
        notes.append(f"{counted(tally.undetermined, 'deal')} left out: a limit ended the search")
    if tally.unproven:
        notes.append(
            f"{counted(tally.unproven, 'deal')} left out: a limit ended the search before it was "
            f"known whether the best score is at least {wishes.min_best}"
        )
    if tally.found < wishes.count:
        reason = "interrupted" if interrupted else "no more codes"
        notes.append(f"found {tally.found:,} of {counted(wishes.count, 'deal')}: {reason}")
    return notes
