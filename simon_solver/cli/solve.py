"""``solve``: the verdict, the best score with its proof, and the moves."""

from __future__ import annotations

import click

from simon_solver.cli.options import (
    JSON,
    after_option,
    deal_argument,
    format_option,
    limit_options,
    load_deal,
    moves_made_option,
)
from simon_solver.cli.output import put, style_of_output
from simon_solver.cli.progress import SearchProgress, prepare_kernels
from simon_solver.cli.verdicts import exit_code_of
from simon_solver.control import noted_interrupt
from simon_solver.render.records import solve_record, to_json
from simon_solver.render.text import solve_text


@click.command("solve")
@deal_argument
@click.option("--first", is_flag=True, help="Stop at the first win; its score may not be the best.")
@limit_options(memory_mib=4096)
@after_option
@moves_made_option
@format_option
def solve_command(
    deal: str,
    first: bool,
    time_limit: float,
    memory_limit: int,
    state_limit: int,
    after: str | None,
    moves_made: int,
    output_format: str,
) -> int:
    """Find the best score of DEAL, prove it, and list the moves.

    DEAL is a game code, a numbered deal (kpat:N, ms:N, pysol:N), a file with a board, its spoken
    description or a saved game, or - for standard input.

    Exit code: 0 winnable, 1 unwinnable, 2 bad input, 3 undetermined (a limit came first),
    130 interrupted.

    \b
    Examples:
      simon-solver solve SS1-S4-AAAAABD
      simon-solver solve --first --format json kpat:72
      simon-solver solve SS1-S4-AAAAABD --after '9>10' --time-limit 300
    """  # noqa: D301 - click's mark
    start = load_deal(deal, after, moves_made)
    prepare_kernels()
    from simon_solver.solver import solve  # noqa: PLC0415 - it loads the kernels

    # Ctrl-C during the search ends it; before and after that the answer is still printed.
    with noted_interrupt() as interrupt:
        with SearchProgress() as progress:
            result = solve(
                start,
                best=not first,
                time_limit=time_limit,
                memory_limit=memory_limit,
                state_limit=state_limit,
                on_progress=progress,
                catch_interrupt=True,
            )
        if output_format == JSON:
            put(to_json(solve_record(start, result)))
        else:
            put(solve_text(start, result, style_of_output(), first))
    return exit_code_of(result, interrupt.seen)
