"""``rules``: says how the game of a design file differs from the one solved here."""

from __future__ import annotations

import click

from simon_solver.cli.shared.exit_codes import EXIT_NO, EXIT_OK
from simon_solver.cli.shared.options import JSON, TEXT_OR_FILE, format_option, stdin_bytes
from simon_solver.cli.shared.output import put
from simon_solver.reading.designs.files import read_design
from simon_solver.render.designs import design_record, design_text
from simon_solver.render.records import to_json


@click.command("rules")
@click.argument("file", metavar="FILE", type=TEXT_OR_FILE)
@format_option
def rules_command(file: str, output_format: str) -> int:
    """Check whether a Cardz design file describes this game.

    FILE is a .cardz file (JSON), or - for standard input. Each difference gets one line: the rule,
    what was expected, what the file has, and where. A design that differs only in its columns (4
    to 12 of any sizes for 52 cards) can be solved: see --layout of the other commands.

    Exit code: 0 the same game, or one that --layout can solve; 1 another game; 2 not a design.

    \b
    Examples:
      simon-solver rules simple-simon.cardz
      simon-solver rules --format json simple-simon.cardz
    """  # noqa: D301 - click's mark
    design = read_design(file, stdin_bytes())
    put(to_json(design_record(file, design)) if output_format == JSON else design_text(design))
    return EXIT_OK if design.is_solvable else EXIT_NO
