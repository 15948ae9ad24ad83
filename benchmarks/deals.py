"""The deals that are measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from simon_solver.answers.solver import check, solve
from simon_solver.game.codes import CODE_COUNT, GameCode, parse_code
from simon_solver.search.groups import Group
from simon_solver.search.preparing import wait_for
from simon_solver.search.verdict import StoppedBy, Verdict


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


def suits_name(count: int) -> str:
    """The count in words."""
    return "1 suit" if count == 1 else f"{count} suits"
