"""Standard output and standard error: what they can show, and how to write to them."""

from __future__ import annotations

import io
import os
import sys

import click

from simon_solver.game.cards import SUIT_SYMBOLS
from simon_solver.render.style import Style


def style_of_output() -> Style:
    """Symbols where the output's encoding has them; colour on a terminal unless NO_COLOR is set.

    NO_COLOR: see https://no-color.org.
    """
    if sys.stdout is None:
        return Style()
    terminal = sys.stdout.isatty() and os.environ.get("TERM") not in ("", "dumb")
    symbols = _shown(SUIT_SYMBOLS) == SUIT_SYMBOLS
    return Style(symbols=symbols, colour=terminal and not os.environ.get("NO_COLOR"))


def _shown(text: str) -> str:
    """The text with the characters escaped that the output's encoding lacks."""
    encoding = sys.stdout.encoding or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def put(text: str, end: str = "\n") -> None:
    """Print text at once; characters that the output cannot show are escaped."""
    if sys.stdout is not None:
        sys.stdout.write(_shown(text) + end)
        sys.stdout.flush()


def put_error(line: str) -> None:
    """Print a line on standard error; where that cannot be written, the exit code must do."""
    try:
        click.echo(line, err=True)
    except OSError:
        # Or else the interpreter would try again at its end, and change the exit code.
        sys.stderr = io.StringIO()
