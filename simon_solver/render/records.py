"""Results as JSON. Names and their order are a contract: names are added, never changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from simon_solver.game.cards import SUIT_LETTERS, Suit, card_name
from simon_solver.game.deal import Deal
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, score
from simon_solver.render.style import shortened

if TYPE_CHECKING:  # a board is shown without any
    from simon_solver.answers.results import CheckResult, Hint, MoveHint, SolveResult
    from simon_solver.answers.verification import Replay

Record = dict[str, Any]

_SECOND_DIGITS = 4  # a tenth of a millisecond


def to_json(record: Record) -> str:
    """The record as one line of JSON, in ASCII and without a line end."""
    import json  # noqa: PLC0415 - text needs none

    return json.dumps(record)


def solve_record(deal: Deal, result: SolveResult) -> Record:
    """The answer of `solve`."""
    return {
        **_deal_record(deal),
        "verdict": str(result.verdict),
        "score": result.score,
        "moves": result.moves,
        "runs_removed": result.runs_removed,
        "best_proven": result.best_proven,
        "score_bound": result.score_bound,
        "solution": list(map(step_record, result.solution)),
        **_search_record(result),
    }


def check_record(deal: Deal, result: CheckResult) -> Record:
    """The answer of `check` about one deal."""
    return {
        **_deal_record(deal),
        "verdict": str(result.verdict),
        **_search_record(result),
    }


def error_record(name: str, error: str) -> Record:
    """What `check` says of a line that names no deal; both texts are cut if they are long."""
    return {"deal": shortened(name), "error": shortened(error)}


def show_record(deal: Deal) -> Record:
    """The answer of `show`: each column from its base to its top."""
    position = deal.position
    removed = len(position.removed)
    return {
        **_deal_record(deal),
        "score": score(deal.moves_made, removed),
        "moves": deal.moves_made,
        "runs_removed": removed,
        "removed": _suit_letters(position.removed),
        "columns": _columns(position),
    }


def verify_record(deal: Deal, replay: Replay, best: SolveResult | None = None) -> Record:
    """The answer of `verify`, with that of `solve` as `best` when it was asked for.

    Of an illegal list, the totals, the solution and the columns are those before the illegal move.
    """
    return {
        **_deal_record(deal),
        "outcome": str(replay.outcome),
        "score": replay.score,
        "moves": replay.moves,
        "runs_removed": replay.runs_removed,
        "error": shortened(replay.error) or None,
        "form": str(replay.form),
        "moves_written": replay.moves_written,
        "solution": list(map(step_record, replay.steps)),
        "removed": _suit_letters(replay.position.removed),
        "columns": _columns(replay.position),
        "best": None if best is None else solve_record(deal, best),
    }


def hint_record(deal: Deal, hint: Hint) -> Record:
    """The answer of `hint`; the moves are those of a solution, with what each is worth."""
    return {
        **_deal_record(deal),
        "verdict": str(hint.verdict),
        "score": hint.score,
        "best_proven": hint.best_proven,
        "score_bound": hint.score_bound,
        "best": None if hint.best is None else step_record(hint.best.step),
        "moves": list(map(_move_hint_record, hint.moves)),
        **_search_record(hint),
    }


def _move_hint_record(move: MoveHint) -> Record:
    return {
        **step_record(move.step),
        "verdict": str(move.verdict),
        "score": move.score,
        "best_proven": move.best_proven,
        "score_bound": move.score_bound,
    }


def step_record(step: Step) -> Record:
    """A move of a solution: columns from 1, cards highest first, suits of completed runs."""
    return {
        "from": step.move.source + 1,
        "to": step.move.target + 1,
        "cards": list(map(card_name, step.cards)),
        "removes": _suit_letters(step.removes),
    }


def layout_record(column_sizes: ColumnSizes) -> Record:
    """The layout, of deals that are not in the usual one."""
    return {} if column_sizes == COLUMN_SIZES else {"layout": list(column_sizes)}


def _deal_record(deal: Deal) -> Record:
    return {
        "deal": deal.name,
        "suits": deal.position.deck.suits,
        **layout_record(deal.column_sizes),
    }


def _search_record(result: SolveResult | CheckResult | Hint) -> Record:
    return {
        "stopped_by": None if result.stopped_by is None else str(result.stopped_by),
        "states": result.states,
        "seconds": round(result.seconds, _SECOND_DIGITS),
    }


def _suit_letters(suits: Iterable[Suit]) -> str:
    return "".join(SUIT_LETTERS[suit] for suit in suits)


def _columns(position: Position) -> list[list[str]]:
    return [list(map(card_name, column)) for column in position.columns]
