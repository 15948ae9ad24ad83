"""The command line that the benchmarks share."""

from __future__ import annotations

from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, ArgumentTypeError

from simon_solver.game.codes import CODE_COUNT
from simon_solver.game.layout import LAYOUTS

EXIT_INTERRUPTED = 130


def suit_counts(text: str) -> list[int]:
    """Reads an option such as ``1,2,4``.

    Raises:
        ArgumentTypeError: there are no deals of some count.
    """
    try:
        counts = [int(word) for word in text.split(",")]
    except ValueError:
        counts = []
    if not counts or not set(counts) <= set(LAYOUTS):
        raise ArgumentTypeError(f"expected some of 1,2,4, got {text!r}")
    return counts


def positive(text: str) -> int:
    """Reads an option that counts something.

    Raises:
        ArgumentTypeError: it is no number of at least 1.
    """
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"expected a number of at least 1, got {text!r}")
    return int(text)


def code_number(text: str) -> int:
    """Reads the number of a game code.

    Raises:
        ArgumentTypeError: no code has that number.
    """
    if not text.isdecimal() or int(text) >= CODE_COUNT:
        raise ArgumentTypeError(f"expected a number from 0 to {CODE_COUNT - 1}, got {text!r}")
    return int(text)


def new_parser(module: str, description: str | None) -> ArgumentParser:
    """A parser with the options that all benchmarks have."""
    parser = ArgumentParser(
        prog=f"python -m {module}",
        description=(description or "").partition("\n")[0],
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--suits", type=suit_counts, default="1,2,4", help="suit counts")
    parser.add_argument("--start", type=code_number, default=0, help="number of the first code")
    return parser


def add_limits(parser: ArgumentParser) -> None:
    """Add the limits of one search."""
    parser.add_argument(
        "--time-limit", type=float, default=60.0, help="CPU seconds of a search; 0 is no limit"
    )
    parser.add_argument(
        "--memory-limit", type=positive, default=8192, help="MiB of nodes and tables"
    )
