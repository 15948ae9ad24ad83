"""An exact solver for Simple Simon patience.

>>> import simon_solver
>>> deal = simon_solver.read_deal("SS1-S4-AAAAABD")
>>> result = simon_solver.solve(deal, time_limit=60)
>>> print(result.verdict, result.score, result.best_proven)
winnable 840 True

`read_deal` reads a deal from anything the command line takes, `parse_deal` from the content of a
file, and `read_solution` reads a solution. `solve` finds and proves the best score, `check` finds
only the verdict, `hint` rates each legal move, `replay` plays a move list by the rules, and
`verify_solution` a solution; each of them takes a `Deal` or a `Position`. All results are frozen.
The modules behind a name are loaded when it is first used; the search kernels are loaded with
`solve`, `check`, `hint` or `difficulty`.
"""

from __future__ import annotations

# As in `typing`, which is not needed otherwise.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from simon_solver.answers.difficulty import Difficulty as Difficulty
    from simon_solver.answers.difficulty import difficulty as difficulty
    from simon_solver.answers.hints import hint as hint
    from simon_solver.answers.results import CheckResult as CheckResult
    from simon_solver.answers.results import Hint as Hint
    from simon_solver.answers.results import MoveHint as MoveHint
    from simon_solver.answers.results import SolveResult as SolveResult
    from simon_solver.answers.solver import check as check
    from simon_solver.answers.solver import solve as solve
    from simon_solver.answers.verification import Outcome as Outcome
    from simon_solver.answers.verification import Replay as Replay
    from simon_solver.answers.verification import replay as replay
    from simon_solver.answers.verification import verify as verify
    from simon_solver.answers.verification import verify_solution as verify_solution
    from simon_solver.errors import MoveError as MoveError
    from simon_solver.errors import SimonError as SimonError
    from simon_solver.game.cards import card_name as card_name
    from simon_solver.game.codes import GameCode as GameCode
    from simon_solver.game.codes import parse_code as parse_code
    from simon_solver.game.deal import Deal as Deal
    from simon_solver.game.layout import DECKS as DECKS
    from simon_solver.game.layout import LAYOUTS as LAYOUTS
    from simon_solver.game.layout import Deck as Deck
    from simon_solver.game.layout import Layout as Layout
    from simon_solver.game.moves import Move as Move
    from simon_solver.game.moves import MoveText as MoveText
    from simon_solver.game.moves import format_moves as format_moves
    from simon_solver.game.moves import parse_moves as parse_moves
    from simon_solver.game.numbered import NumberedDeal as NumberedDeal
    from simon_solver.game.numbered import parse_number as parse_number
    from simon_solver.game.position import Position as Position
    from simon_solver.game.rules import Step as Step
    from simon_solver.game.rules import apply as apply
    from simon_solver.game.rules import legal_moves as legal_moves
    from simon_solver.game.rules import score as score
    from simon_solver.game.rules import settle as settle
    from simon_solver.reading.deals import parse_deal as parse_deal
    from simon_solver.reading.deals import read_deal as read_deal
    from simon_solver.reading.designs.comparing import Design as Design
    from simon_solver.reading.designs.files import read_design as read_design
    from simon_solver.reading.solutions.known import read_solution as read_solution
    from simon_solver.reading.solutions.printed import Solution as Solution
    from simon_solver.search.limits import Limits as Limits
    from simon_solver.search.preparing import warm_up as warm_up
    from simon_solver.search.progress import Progress as Progress
    from simon_solver.search.verdict import StoppedBy as StoppedBy
    from simon_solver.search.verdict import Verdict as Verdict

__version__ = "0.1.0"

if not TYPE_CHECKING:
    _NAMES = {
        "answers.difficulty": "Difficulty difficulty",
        "answers.hints": "hint",
        "answers.results": "CheckResult Hint MoveHint SolveResult",
        "answers.solver": "check solve",
        "answers.verification": "Outcome Replay replay verify verify_solution",
        "errors": "MoveError SimonError",
        "game.cards": "card_name",
        "game.codes": "GameCode parse_code",
        "game.deal": "Deal",
        "game.layout": "DECKS LAYOUTS Deck Layout",
        "game.moves": "Move MoveText format_moves parse_moves",
        "game.numbered": "NumberedDeal parse_number",
        "game.position": "Position",
        "game.rules": "Step apply legal_moves score settle",
        "reading.deals": "parse_deal read_deal",
        "reading.designs.comparing": "Design",
        "reading.designs.files": "read_design",
        "reading.solutions.known": "read_solution",
        "reading.solutions.printed": "Solution",
        "search.limits": "Limits",
        "search.preparing": "warm_up",
        "search.progress": "Progress",
        "search.verdict": "StoppedBy Verdict",
    }
    _HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

    __all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - they are strings

    def __getattr__(name: str) -> object:
        # PEP 562. The program is imported through here, and should have Ctrl-C in hand by then.
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415

        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
