"""``rates``: prints win rates and best scores over many game codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from simon_solver.batch.pieces import DEFAULT_MEMORY, DEFAULT_STATES, Span, Terms
from simon_solver.cli.shared.exit_codes import EXIT_INTERNAL_ERROR, EXIT_INTERRUPTED, EXIT_OK
from simon_solver.cli.shared.loading import prepare_kernels
from simon_solver.cli.shared.many import cores, jobs_option, start_option, store_option
from simon_solver.cli.shared.options import (
    CSV,
    JSON,
    TEXT,
    TEXT_OR_FILE,
    choice_of_format,
    memory_limit_option,
    number,
    state_limit_option,
)
from simon_solver.cli.shared.output import put
from simon_solver.cli.shared.progress import DealsProgress
from simon_solver.cli.shared.running import report
from simon_solver.cli.shared.starts import layout_option
from simon_solver.errors import InputError
from simon_solver.game.codes import CODE_COUNT, GameCode
from simon_solver.game.layout import COLUMN_SIZES, DECKS, ColumnSizes
from simon_solver.render.records import to_json
from simon_solver.search.interrupts import Interrupt, noted_interrupt

if TYPE_CHECKING:
    from simon_solver.batch.store import Store

DEFAULT_DEALS = 1000


def _suit_counts(text: str) -> tuple[int, ...]:
    """The suit counts of a list such as ``1,2,4``."""
    known = {str(suits): suits for suits in DECKS}
    names = [name.strip() for name in text.split(",")]
    if not set(names) <= set(known) or len(set(names)) < len(names):
        raise click.BadParameter(f"expected some of 1, 2 and 4, as in 1,2,4, got {text!r}")
    return tuple(known[name] for name in names)


@click.command("rates")
@click.option(
    "--suits",
    metavar="LIST",
    type=_suit_counts,
    help="Suit counts, such as 4 or 1,2,4 (the default).",
)
@click.option(
    "--deals",
    metavar="N",
    type=number("a whole number", int, 1),
    help=f"Codes per suit count (default: {DEFAULT_DEALS}; with --from-store, all in the store).",
)
@start_option
@click.option(
    "--best", is_flag=True, help="Also find and prove the best scores; takes much longer."
)
@layout_option
@state_limit_option(" for each deal", DEFAULT_STATES)
@memory_limit_option(DEFAULT_MEMORY, " in each worker")
@jobs_option
@click.option(
    "--cluster",
    metavar="ADDRESS",
    type=TEXT_OR_FILE,
    help="Decide the deals on a Dask cluster; ADDRESS is its scheduler's, such as tcp://host:8786.",
)
@store_option
@click.option(
    "--from-store",
    metavar="FILE",
    type=TEXT_OR_FILE,
    help="Show what this store holds; decide nothing.",
)
@click.option(
    "--export",
    "export_file",
    metavar="FILE",
    type=TEXT_OR_FILE,
    help="Also write one row per deal to this .csv or .parquet file.",
)
@click.option(
    "--plot",
    "plot_file",
    metavar="FILE",
    type=TEXT_OR_FILE,
    help="Also plot the win rates and the known best scores to this .png or .svg file.",
)
@choice_of_format([TEXT, JSON, CSV], "Tables for people, one line of JSON per suit count, or CSV.")
@click.pass_context
def rates_command(
    context: click.Context,
    suits: tuple[int, ...] | None,
    deals: int | None,
    start: GameCode | int | None,
    best: bool,
    layout: ColumnSizes | None,
    state_limit: int,
    memory_limit: int,
    jobs: int | None,
    cluster: str | None,
    store_file: str | None,
    from_store: str | None,
    export_file: str | None,
    plot_file: str | None,
    output_format: str,
) -> int:
    """Decide the deals of consecutive codes and print win rates.

    Limits count states, so the answers depend neither on the speed of the machine nor on the
    number of workers. With --store, an interrupted run resumes where it stopped.

    Exit code: 0 done, 2 bad usage or input, 130 interrupted (results so far are printed first).

    \b
    Examples:
      simon-solver rates --suits 4 --deals 200
      simon-solver rates --suits 1,2,4 --deals 10000 --store rates.sqlite
      simon-solver rates --from-store rates.sqlite --export deals.csv
      simon-solver rates --start SS1-S4-AAAAABD --deals 10 --best --format json
    """  # noqa: D301 - click's mark
    from simon_solver.batch.export import check_export  # noqa: PLC0415 - as all of the batch
    from simon_solver.render.plots import check_plot  # noqa: PLC0415

    spans = _spans(suits, start, deals, whole=from_store is not None)
    if export_file is not None:
        check_export(export_file)
    if plot_file is not None:
        check_plot(plot_file)
    if from_store is not None:
        _refuse_idle_options(context)
        return _show_store(
            from_store, spans, suits is not None, best, output_format, export_file, plot_file
        )
    if cluster is not None:
        _check_cluster(cluster, jobs)
    from simon_solver.batch.store import open_store  # noqa: PLC0415

    terms = Terms(best, state_limit, memory_limit, layout or COLUMN_SIZES)
    with open_store(store_file, terms.column_sizes) as store:
        lacking = tuple(DECKS[s.suits] for s in spans if store.count_done(s, terms) < s.deals)
        if cluster is None and lacking:
            prepare_kernels(lacking)  # here, so that no two workers compile
        with noted_interrupt() as interrupt:
            if not _fill(store, spans, terms, cluster or jobs or cores(), interrupt):
                return EXIT_INTERNAL_ERROR
            _show(store, spans, best, output_format, export_file, plot_file)
    return EXIT_INTERRUPTED if interrupt.seen else EXIT_OK


def _spans(
    suits: tuple[int, ...] | None, start: GameCode | int | None, deals: int | None, *, whole: bool
) -> list[Span]:
    """The codes asked for; `whole` says that they go on to the last one by default."""
    if isinstance(start, GameCode):
        if suits is not None and suits != (start.suits,):
            asked = ",".join(map(str, suits))
            raise InputError(
                f"--start: expected a number, or a code that matches --suits {asked}, got {start}"
            )
        suits, start = (start.suits,), start.number
    first = start or 0
    spans = []
    for count in suits or tuple(sorted(DECKS)):
        code = GameCode(count, first)
        wanted = deals or (CODE_COUNT - first if whole else DEFAULT_DEALS)
        spans.append(Span(code.suits, first, wanted).checked())
    return spans


def _refuse_idle_options(context: click.Context) -> None:
    """Complain of options that do nothing when nothing is decided."""
    for name in ("store_file", "layout", "jobs", "cluster", "state_limit", "memory_limit"):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            (option,) = (p.opts[0] for p in context.command.params if p.name == name)
            raise click.UsageError(f"{option} has no effect with --from-store")


def _check_cluster(address: str, jobs: int | None) -> None:
    """Complain of a cluster that cannot be asked, before any work."""
    from simon_solver.batch.cluster import check_cluster  # noqa: PLC0415

    if jobs is not None:
        raise click.UsageError("--jobs has no effect with --cluster")
    check_cluster(address)


def _fill(
    store: Store, spans: Sequence[Span], terms: Terms, where: int | str, interrupt: Interrupt
) -> bool:
    """Decide what the store lacks, with so many processes or on a cluster, until Ctrl-C.

    Returns False if the machine or the cluster does not allow it.
    """
    from simon_solver.batch.cluster import (  # noqa: PLC0415
        ClusterError,
        ClusterWorkers,
        NoClusterError,
    )
    from simon_solver.batch.run import fill  # noqa: PLC0415
    from simon_solver.batch.workers import LocalWorkers, WorkerLostError  # noqa: PLC0415

    total = sum(span.deals for span in spans)
    done = sum(store.count_done(span, terms) for span in spans)
    try:
        with (
            DealsProgress(total, done) as progress,
            LocalWorkers(where)
            if isinstance(where, int)
            else ClusterWorkers(where, note=progress.note) as workers,
        ):
            fill(
                store,
                spans,
                terms,
                workers.results,
                on_rows=progress,
                is_stopped=lambda: interrupt.seen,
            )
    except NoClusterError:
        raise
    except (WorkerLostError, ClusterError) as error:
        report(str(error))
        return False
    return True


def _show_store(
    file: str,
    spans: Sequence[Span],
    all_wanted: bool,
    best: bool,
    output_format: str,
    export_file: str | None,
    plot_file: str | None,
) -> int:
    """Print what a store holds of the spans; those it has nothing of only if they are all wanted.

    Returns the exit code.
    """
    from simon_solver.batch.store import read_store  # noqa: PLC0415
    from simon_solver.batch.summary import known_span  # noqa: PLC0415

    with read_store(file) as store:
        known = [(span, known_span(store, span)) for span in spans]
        shown = [part or span for span, part in known if part or all_wanted]
        if not shown:
            raise InputError(f"{file}: expected deals of the suits and codes asked for, got none")
        _show(store, shown, best, output_format, export_file, plot_file)
    return EXIT_OK


def _show(
    store: Store,
    spans: Sequence[Span],
    best: bool,
    output_format: str,
    export_file: str | None,
    plot_file: str | None,
) -> None:
    """Print the statistics, and write the rows and a picture to files if they are wanted."""
    from simon_solver.batch.export import export  # noqa: PLC0415
    from simon_solver.batch.summary import summarize  # noqa: PLC0415
    from simon_solver.render.plots import write_plot  # noqa: PLC0415
    from simon_solver.render.rates import rates_csv, rates_record, rates_text  # noqa: PLC0415

    # A picture shows the best scores that are known, whether or not they were asked for.
    known = [summarize(store, span, best=best or plot_file is not None) for span in spans]
    summaries = [summary if best else replace(summary, best=None) for summary in known]
    if output_format == JSON:
        put("\n".join(to_json(rates_record(summary)) for summary in summaries))
    elif output_format == CSV:
        put(rates_csv(summaries))
    else:
        put(rates_text(summaries))
    if export_file is not None:
        export(store, spans, export_file)
    if plot_file is not None:
        write_plot(known, plot_file)
