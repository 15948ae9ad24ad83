"""Ends a command: with its exit code, and one line on standard error if something went wrong."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from simon_solver.cli.shared.exit_codes import (
    EXIT_BAD_INPUT,
    EXIT_BROKEN_PIPE,
    EXIT_INTERNAL_ERROR,
    EXIT_INTERRUPTED,
    EXIT_OK,
)
from simon_solver.cli.shared.later import LaterGroup
from simon_solver.cli.shared.output import put_error
from simon_solver.errors import SimonError
from simon_solver.render.style import escaped, shortened

DEBUG_VARIABLE = "SIMON_SOLVER_DEBUG"


class SimonGroup(LaterGroup):
    """A command group whose every ending is one of the exit codes above."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command and exit with its code; without `standalone_mode`, as click does."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        code: Any
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            _flush()
        except click.ClickException as error:
            report(_usage_message(error))
            code = EXIT_BAD_INPUT
        except (click.Abort, KeyboardInterrupt):
            code = EXIT_INTERRUPTED
        except BrokenPipeError:
            code = _leave_quietly()
        except OSError as error:
            # Input is guarded where it is read, so this is mostly our output: a full disk.
            report(f"operating system error: {error}")
            code = _leave_quietly(EXIT_INTERNAL_ERROR)
        except Exception as error:  # noqa: BLE001 - an internal error gets its exit code, too
            code = _report_internal_error(error)
        sys.exit(code if isinstance(code, int) else EXIT_OK)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the arguments, which prints the help when asked for it."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            raise click.exceptions.Exit(_leave_quietly()) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command; bad input, an interrupt or a lost reader become exit codes.

        This happens here and not in `main`, as click would turn the latter two into its own.
        """
        try:
            with _plain_warnings():
                code = super().invoke(ctx)
                _flush()
        except SimonError as error:
            report(str(error))
            return EXIT_BAD_INPUT
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
        except BrokenPipeError:
            return _leave_quietly()
        return code


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _leave_quietly(code: int = EXIT_BROKEN_PIPE) -> int:
    """Send what is left of the output nowhere, or the interpreter's end would complain of it."""
    sys.stdout = io.StringIO()
    return code


def report(message: str) -> None:
    """Print one line on standard error."""
    put_error(f"Error: {one_line(message)}")


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Show warnings, ours and those of libraries, as a line each without the source around."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: put_error(
            f"Warning: {one_line(str(message))}"
        )
        yield


def one_line(message: str) -> str:
    """The message on one line, control characters escaped and the middle cut out if it is long."""
    return shortened(escaped(message))


def _usage_message(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        message += f" (see '{error.ctx.command_path} --help')"
    return message


def _report_internal_error(error: Exception) -> int:
    if os.environ.get(DEBUG_VARIABLE):
        import traceback  # noqa: PLC0415 - nearly no call needs it

        traceback.print_exc()
    else:
        report(
            f"internal error, please report it: {type(error).__name__}: {error} "
            f"(set {DEBUG_VARIABLE}=1 for a traceback)"
        )
    return EXIT_INTERNAL_ERROR
