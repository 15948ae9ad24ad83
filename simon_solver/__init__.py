"""An exact solver for the patience Simple Simon.

>>> import simon_solver
>>> deal = simon_solver.read_deal("SS1-S4-AAAAABD")
>>> result = simon_solver.solve(deal, time_limit=60)
>>> print(result.verdict, result.score, result.best_proven)
winnable 840 True

Texts become deals with `read_deal` (anything the command line takes) and `parse_deal` (the content
of a file); `solve` finds and proves the best score, `check` the verdict alone, and `replay` plays a
move list by the rules; each of them takes a `Deal` or a `Position`. All results are frozen. The
search kernels are loaded when `solve` or `check` is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from simon_solver.cards import card_name
from simon_solver.codes import GameCode, parse_code
from simon_solver.deals import Deal, parse_deal, read_deal
from simon_solver.errors import SimonError
from simon_solver.layout import DECKS, LAYOUTS, Deck, Layout
from simon_solver.moves import Move, format_moves, parse_moves
from simon_solver.numbered import NumberedDeal, parse_number
from simon_solver.position import Position
from simon_solver.result import CheckResult, Progress, SolveResult, StoppedBy, Verdict
from simon_solver.rules import Step, apply, legal_moves, score, settle
from simon_solver.verification import Outcome, Replay, replay, verify

if TYPE_CHECKING:
    from simon_solver.solver import check, solve

__version__ = "0.1.0"

__all__ = [
    "DECKS",
    "LAYOUTS",
    "CheckResult",
    "Deal",
    "Deck",
    "GameCode",
    "Layout",
    "Move",
    "NumberedDeal",
    "Outcome",
    "Position",
    "Progress",
    "Replay",
    "SimonError",
    "SolveResult",
    "Step",
    "StoppedBy",
    "Verdict",
    "__version__",
    "apply",
    "card_name",
    "check",
    "format_moves",
    "legal_moves",
    "parse_code",
    "parse_deal",
    "parse_moves",
    "parse_number",
    "read_deal",
    "replay",
    "score",
    "settle",
    "solve",
    "verify",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # PEP 562: the kernels, and numba with them, are imported on first use only.
        if name not in ("check", "solve"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from simon_solver import solver  # noqa: PLC0415

        return getattr(solver, name)
