"""``warm-up``: compiles all search kernels ahead of time."""

from __future__ import annotations

import click

from simon_solver.cli.shared.exit_codes import EXIT_INTERNAL_ERROR, EXIT_OK
from simon_solver.cli.shared.loading import prepare_kernels
from simon_solver.cli.shared.output import put
from simon_solver.cli.shared.running import report


@click.command("warm-up")
def warm_up_command() -> int:
    """Compile all search kernels ahead of time.

    No command needs this: an easy deal is decided without compiled kernels, and a hard one has them
    compiled on the way. It is meant for packages, containers and the machines of a cluster. The
    environment variable SIMON_SOLVER_CACHE names the folder that keeps the kernels.

    Exit code: 0 all kernels are kept, 70 they cannot be.

    \b
    Examples:
      simon-solver warm-up
    """  # noqa: D301 - click's mark
    prepare_kernels()
    from simon_solver.cli.shared.kept import lines_about  # noqa: PLC0415 - the kernels
    from simon_solver.search.preparing import what_is_kept  # noqa: PLC0415

    kept = what_is_kept()
    for line in lines_about(kept):
        put(line)
    if kept.is_complete:
        return EXIT_OK
    report("the compiled kernels cannot be kept")
    return EXIT_INTERNAL_ERROR
