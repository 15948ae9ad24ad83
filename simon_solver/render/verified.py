"""Shows the answer of ``verify`` as text for people."""

from __future__ import annotations

from simon_solver.answers.results import SolveResult
from simon_solver.answers.verification import Outcome, Replay
from simon_solver.game.deal import Deal
from simon_solver.render.moves import PLAIN_SPEECH, move_lines
from simon_solver.render.notation import Speech
from simon_solver.render.solved import score_text
from simon_solver.render.style import GREEN, RED, YELLOW, Style
from simon_solver.render.text import board_lines, counted, deal_title, labelled, totals

_OUTCOME_COLOURS = {Outcome.WON: GREEN, Outcome.NOT_WON: YELLOW, Outcome.ILLEGAL: RED}


def verify_text(
    deal: Deal,
    replay: Replay,
    style: Style,
    best: SolveResult | None = None,
    speech: Speech = PLAIN_SPEECH,
    *,
    listed: bool = False,
) -> str:
    """The outcome of a replay with its totals; beside it, the best line if it is known.

    The moves that were played are listed if wanted. Of an illegal list, the board before the
    illegal move is drawn.
    """
    outcome = style.paint(str(replay.outcome), _OUTCOME_COLOURS[replay.outcome])
    lines = [labelled("deal", deal_title(deal))]
    if len(replay.steps) != replay.moves_written and not replay.error:
        written = f"{counted(replay.moves_written, 'move')} ({replay.form})"
        lines.append(labelled("written", written))
    lines += [
        labelled("outcome", outcome if replay.error else f"legal, {outcome}"),
        labelled("score", f"{replay.score} ({totals(replay.moves, replay.runs_removed)})"),
    ]
    if best is not None:
        lines.append(labelled("best", _best_beside(deal, replay, best, style)))
    made = replay.moves - len(replay.steps)
    if listed and replay.steps and not replay.error:
        lines += ["", *move_lines(deal.position, replay.steps, made, style, speech)]
    if best is not None and best.score > replay.score and best.solution:
        lines += ["", "The better line:"] if listed else [""]
        lines += move_lines(deal.position, best.solution, made, style, speech)
    if replay.error:
        lines += ["", *board_lines(replay.position, style)]
    return "\n".join(lines)


def _best_beside(deal: Deal, replay: Replay, best: SolveResult, style: Style) -> str:
    """The best score, and how far the replayed line is from it."""
    text = score_text(deal, best, style, first_only=False)
    points = best.score - replay.score
    if points > 0:
        return f"{text}: {counted(points, 'point')} more"
    if points < 0:
        return f"{text}: {counted(-points, 'point')} less"
    return f"{text}: the same"
