"""``check``: says whether deals can be won, one answer after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, NamedTuple

import click

from simon_solver.cli.shared.exit_codes import (
    EXIT_BAD_INPUT,
    EXIT_INTERRUPTED,
    EXIT_NO,
    EXIT_OK,
    EXIT_UNDETERMINED,
)
from simon_solver.cli.shared.loading import load_search
from simon_solver.cli.shared.options import (
    JSON,
    TEXT_OR_FILE,
    format_option,
    limit_options,
    stdin_bytes,
)
from simon_solver.cli.shared.output import put, style_of_output
from simon_solver.cli.shared.progress import SearchProgress
from simon_solver.cli.shared.running import report
from simon_solver.cli.shared.starts import after_option, layout_option, load_after, play_after
from simon_solver.cli.shared.verdicts import exit_code_of
from simon_solver.errors import InputError, SimonError, reason_of
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes
from simon_solver.game.moves import MoveText
from simon_solver.reading.arguments import STANDARD_INPUT
from simon_solver.reading.deals import read_deal
from simon_solver.render.records import check_record, error_record, to_json
from simon_solver.render.text import check_text
from simon_solver.search.interrupts import noted_interrupt
from simon_solver.text.inputs import Line, lines_from

# A comment starts the line or follows a blank, for a file's name may have a # in it.
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
# From mild to severe: the exit code of many deals is the most severe of theirs.
_SEVERITY = (EXIT_OK, EXIT_NO, EXIT_UNDETERMINED, EXIT_BAD_INPUT, EXIT_INTERRUPTED)


class Query(NamedTuple):
    """A line or argument that should be a deal; only a line has a place that it comes from."""

    text: str
    place: str
    fault: str = ""


class LimitOptions(NamedTuple):
    """The options that bound the search of each deal."""

    time_limit: float
    memory_limit: int
    state_limit: int


@click.command("check")
@click.argument("deals", metavar="[DEAL]...", nargs=-1, type=TEXT_OR_FILE)
@click.option(
    "--input",
    "input_file",
    metavar="FILE",
    type=TEXT_OR_FILE,
    help="Also read deals from this file (- for standard input), one per line: a code, a numbered "
    "deal or a file. Blank lines and # comments are skipped.",
)
@limit_options(memory_mib=2048, each=" for each deal")
@layout_option
@after_option()
@format_option
def check_command(
    deals: tuple[str, ...],
    input_file: str | None,
    time_limit: float,
    memory_limit: int,
    state_limit: int,
    layout: ColumnSizes | None,
    after: str | None,
    output_format: str,
) -> int:
    """Say whether each DEAL can be won.

    The verdict is winnable, unwinnable, or undetermined if a limit ended the search. Each answer
    is printed as soon as it is known. Lines that name no deal are reported and skipped.

    Exit code: 0 all are winnable, 1 some are unwinnable, 3 some are undetermined, 2 some lines
    were bad, 130 interrupted. If several apply, the last of these counts.

    \b
    Examples:
      simon-solver check SS1-S4-AAAAABD kpat:72
      simon-solver check --format json ms:24
      printf '%s\\n' SS1-S2-AAAAABD SS1-S1-AAAAABD | simon-solver check --input -
    """  # noqa: D301 - click's mark
    queries = _queries(deals, input_file, after)
    moves = load_after(after)
    limits = LimitOptions(time_limit, memory_limit, state_limit)
    worst = EXIT_OK
    try:
        for query in queries:
            code = _answer(query, layout or COLUMN_SIZES, moves, limits, output_format)
            worst = max(worst, code, key=_SEVERITY.index)
            if worst == EXIT_INTERRUPTED:
                break
    except KeyboardInterrupt:
        worst = EXIT_INTERRUPTED
    return worst


def _answer(
    query: Query,
    column_sizes: ColumnSizes,
    moves: list[MoveText],
    limits: LimitOptions,
    output_format: str,
) -> int:
    """Print the answer about one deal; returns the exit code it would have alone."""
    name = query.text
    try:
        if query.fault:
            raise InputError(query.fault)
        deal = read_deal(
            query.text, stdin_bytes(), pipes=not query.place, column_sizes=column_sizes
        )
        name = deal.name
        deal = play_after(deal, moves, "" if output_format == JSON else f"{name}: ")
    except SimonError as error:
        with noted_interrupt() as interrupt:
            _report_bad(name, f"{query.place}{error}", output_format)
        return EXIT_INTERRUPTED if interrupt.seen else EXIT_BAD_INPUT
    load_search()
    from simon_solver.answers.solver import check  # noqa: PLC0415 - it loads the kernels

    # Ctrl-C during the search ends it; before and after that the answer is still printed.
    with noted_interrupt() as interrupt:
        with SearchProgress() as progress:
            result = check(deal, **limits._asdict(), on_progress=progress, catch_interrupt=True)
        if output_format == JSON:
            put(to_json(check_record(deal, result)))
        else:
            put(check_text(deal, result, style_of_output()))
    return exit_code_of(result, interrupt.seen)


def _report_bad(name: str, message: str, output_format: str) -> None:
    if output_format == JSON:
        put(to_json(error_record(name, message)))
    else:
        report(message)


def _queries(deals: tuple[str, ...], input_file: str | None, after: str | None) -> Iterator[Query]:
    """The deals of the arguments, then those of the input, read as they are asked for."""
    if not deals and input_file is None:
        raise click.UsageError("expected at least one DEAL, or --input")
    if [*deals, input_file, after].count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once")
    lines = iter(()) if input_file is None else _read_lines(*_open(input_file))
    return chain((Query(deal, "") for deal in deals), lines)


def _open(input_file: str) -> tuple[BinaryIO, str]:
    """The list of deals and how errors call it; a missing file is known before any answer."""
    if input_file == STANDARD_INPUT:
        stdin = stdin_bytes()
        if stdin is None:
            raise InputError("standard input is closed")
        return stdin, "standard input"
    from pathlib import Path  # noqa: PLC0415 - slow to load, and mostly there is no list

    try:
        return Path(input_file).open("rb"), input_file
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"{input_file}: cannot be read: {reason_of(error)}") from None


def _read_lines(file: BinaryIO, shown: str) -> Iterator[Query]:
    """Deals from a list, one line at a time; the file is closed after the last."""
    with file:
        for line in lines_from(file, "a deal"):
            query = _query_of(line, f"{shown}, line {line.number}: ")
            if query is not None:
                yield query


def _query_of(line: Line, place: str) -> Query | None:
    """The deal that a line names; None for a blank line or a comment."""
    if line.fault:
        return Query(line.text.strip(), place, line.fault)
    text = _COMMENT.split(line.text, maxsplit=1)[0].strip()
    fault = "a list cannot contain - (standard input)" if text == STANDARD_INPUT else ""
    return Query(text, place, fault) if text else None
