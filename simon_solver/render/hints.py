"""Shows hints as text for people."""

from __future__ import annotations

from collections.abc import Iterator

from simon_solver.answers.results import Hint, MoveHint
from simon_solver.game.deal import Deal
from simon_solver.render.moves import MOVE_HEADING, move_cells
from simon_solver.render.notation import spoken_move, spoken_removals
from simon_solver.render.style import BOLD, GREEN, RED, YELLOW, Style
from simon_solver.render.text import (
    CODE_NOTE,
    REASONS,
    counted,
    deal_title,
    effort,
    labelled,
    totals,
    verdict_text,
)
from simon_solver.search.verdict import Verdict


def hint_text(deal: Deal, hint: Hint, style: Style) -> str:
    """The verdict, the best move in words, and a line for each move; lines without a last end.

    The hint is one with scores.
    """
    position = deal.position
    facts = {
        "deal": deal_title(deal),
        "played": totals(deal.moves_made, len(position.removed)),
        "verdict": verdict_text(hint, style),
        "score": _score(hint, style),
        "hint": _advice(deal, hint),
        "search": effort(hint),
    }
    lines = [labelled(label, text) for label, text in facts.items()]
    if deal.code is not None:
        lines.append(CODE_NOTE)
    if hint.moves:
        lines += ["", *_move_lines(deal, hint, style)]
    return "\n".join(lines)


def _score(hint: Hint, style: Style) -> str:
    remark = "proven best"
    if not hint.best_proven:
        reason = "" if hint.stopped_by is None else f", {REASONS[hint.stopped_by]}"
        remark = f"not proven best{reason}; no line scores more than {hint.score_bound}"
    return f"{style.paint(str(hint.score), BOLD)} ({remark})"


def _advice(deal: Deal, hint: Hint) -> str:
    """What to do, in words."""
    best = hint.best
    if best is None:
        return "the game is won" if deal.position.is_won else "no move can be made"
    move = f"{best.step.move}, {spoken_move(best.step.move, best.step.cards)}"
    move += spoken_removals(best.step)
    if hint.verdict is Verdict.UNDETERMINED:
        return f"no winning move is known; try {move}"
    if best.score != hint.score:
        return f"stop here: no {'move' if hint.best_proven else 'known move'} scores more"
    return move


def _move_lines(deal: Deal, hint: Hint, style: Style) -> Iterator[str]:
    """A heading and a line a move: the move, cards, where they go, and what it is worth."""
    yield f"{MOVE_HEADING}  score"
    for move in hint.moves:
        cells = move_cells(deal.position, move.step.move, move.step.cards, style)
        mark = " " if move.best_proven else "+"
        yield f"{cells}  {move.score:5}{mark} {_worth(hint, move, style)}"
    if not all(move.best_proven for move in hint.moves):
        yield "+ marks a score known to be reachable; a higher one may be possible."


def _worth(hint: Hint, move: MoveHint, style: Style) -> str:
    """What the move does to the win and to the best score."""
    if move.verdict is Verdict.UNDETERMINED:
        return style.paint("undetermined", YELLOW)
    if move.verdict is Verdict.WINNABLE:
        return f"{style.paint('keeps the win', GREEN)}, {_loss(hint, move)}"
    if hint.verdict is Verdict.WINNABLE:
        return style.paint("loses the game", RED)
    if hint.verdict is Verdict.UNDETERMINED:
        return style.paint("cannot be won", RED)
    return _loss(hint, move)


def _loss(hint: Hint, move: MoveHint) -> str:
    """How many points the move costs, against the best score known."""
    best, known = hint.score or 0, move.score or 0
    most, least = best - known, best - move.score_bound
    if not hint.best_proven:
        return f"{counted(most, 'point')} below the best known" if most else "best score known"
    if most == 0:
        return "best score"
    if most == least:
        return f"loses {counted(most, 'point')}"
    if least <= 0:
        return f"loses at most {counted(most, 'point')}"
    return f"loses {least} to {counted(most, 'point')}"
