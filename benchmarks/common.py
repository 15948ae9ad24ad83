"""What the benchmarks share: the codes they run, CPU time and its limit, statistics, tables.

CPU seconds are those of the process, user and system. Wall time says little where other programs
run at the same time, and even CPU seconds grow then: compare runs of one machine, made close
together.
"""

from __future__ import annotations

import hashlib
import math
import platform
import signal
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from types import FrameType

import numba
import numpy as np

import simon_solver
from simon_solver.answers.solver import check, solve
from simon_solver.game.codes import CODE_COUNT, GameCode, parse_code
from simon_solver.game.layout import LAYOUTS
from simon_solver.search.groups import Group
from simon_solver.search.preparing import wait_for
from simon_solver.search.verdict import StoppedBy, Verdict

PACKAGE = Path(simon_solver.__file__).parent
ALARM_SECONDS = 0.05
"""CPU seconds after which a limit that nobody listened to speaks again."""
EXIT_INTERRUPTED = 130
_BEYOND = 1e18
"""Stands for infinity in `percentile`: numpy works with differences."""


def codes(suits: int, start: int = 0) -> Iterator[GameCode]:
    """The game codes of that many suits, from a number 0..26^7 - 1 on."""
    for number in range(start, CODE_COUNT):
        yield GameCode(suits, number)


def winnable_codes(suits: int, count: int, start: int = 0) -> Iterator[GameCode]:
    """The first so many codes whose deals can be won.

    Raises:
        KeyboardInterrupt: Ctrl-C came while a verdict was searched for.
    """
    for code in codes(suits, start):
        if count <= 0:
            return
        result = check(code.deal())
        if result.stopped_by is StoppedBy.INTERRUPT:
            raise KeyboardInterrupt
        if result.verdict is Verdict.WINNABLE:
            count -= 1
            yield code


def warm_up(suits: Iterable[int]) -> None:
    """Have all kernels compiled and loaded, so that no measurement pays for it."""
    wait_for(Group)
    example = parse_code("SS1-S4-AAAAABD").number
    for count in suits:
        solve(GameCode(count, example).deal(), state_limit=5_000)
        for code in range(20):
            check(GameCode(count, code).deal(), state_limit=5_000)


@dataclass
class CpuLimit:
    """Whether the limit has ended the search."""

    passed: bool = False


@contextmanager
def cpu_limit(seconds: float) -> Iterator[CpuLimit]:
    """End a search by Ctrl-C once the block has used so many CPU seconds; 0 is no limit.

    The limits of `solve` are wall time, which on a busy machine is anyone's guess. Works in the
    main thread, on systems with interval timers.
    """
    limit = CpuLimit()

    def alarm(_number: int, _frame: FrameType | None) -> None:
        # Between searches nobody listens, and Ctrl-C would end the program.
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            limit.passed = True
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.raise_signal(signal.SIGINT)

    interrupt = signal.getsignal(signal.SIGINT)
    if interrupt is signal.SIG_IGN:
        # as for a program that a shell started in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = signal.signal(signal.SIGPROF, alarm)
    signal.setitimer(signal.ITIMER_PROF, seconds, ALARM_SECONDS)
    try:
        yield limit
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        signal.signal(signal.SIGINT, interrupt)


def percentile(values: Sequence[float], level: float) -> float:
    """The smallest of the values that `level` per cent of them do not exceed; they may be infinite.

    Always one of the values, so that a deal stands behind each figure.
    """
    finite = [min(value, _BEYOND) for value in values]
    found = float(np.percentile(finite, level, method="inverted_cdf"))
    return math.inf if found >= _BEYOND else found


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, nan of none."""
    return sum(values) / len(values) if values else math.nan


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table: the first column left, the others right aligned; floats by `figure`."""
    cells = [list(head)]
    cells += [[figure(x) if isinstance(x, float) else str(x) for x in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "| " + " | ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) + " |"
        for row in cells
    ]
    rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def figure(value: float) -> str:
    """A number with about three significant digits and commas; a dash for what is not known."""
    if math.isnan(value) or math.isinf(value):
        return "–"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:.{min(digits, 4)}f}"


def share(part: int, whole: int) -> str:
    """A part in per cent of the whole."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def source_digest() -> str:
    """Twelve hex digits that tell one state of the package's code from another."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def machine_line() -> str:
    """The processor, the system and the versions that a measurement was made with."""
    return (
        f"{_processor()}, {cpu_count()} cores, {platform.system()} {platform.machine()}; "
        f"Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}; "
        f"simon_solver {simon_solver.__version__} (sources {source_digest()})"
    )


def _processor() -> str:
    """The processor's name, as far as the system tells."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


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


def suits_name(count: int) -> str:
    """The count in words."""
    return "1 suit" if count == 1 else f"{count} suits"


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
