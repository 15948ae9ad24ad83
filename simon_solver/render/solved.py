"""Shows the answer of ``solve`` as text for people."""

from __future__ import annotations

from simon_solver.answers.results import SolveResult
from simon_solver.game.deal import Deal
from simon_solver.render.moves import PLAIN_SPEECH, move_lines
from simon_solver.render.notation import Speech
from simon_solver.render.style import BOLD, Style
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


def solve_text(
    deal: Deal,
    result: SolveResult,
    style: Style,
    first_only: bool = False,
    speech: Speech = PLAIN_SPEECH,
    grade: str = "",
) -> str:
    """Verdict, score with its proof or bound, and the moves; lines without a last end.

    `first_only` says that the best score was not asked for, `grade` how hard the deal is, as
    `grade_text` puts it, if that was.
    """
    facts = solve_facts(deal, result, style, first_only)
    if grade:
        facts["grade"] = grade
    facts["search"] = effort(result)
    lines = [labelled(label, text) for label, text in facts.items()]
    if deal.code is not None:
        lines.append(CODE_NOTE)
    if result.solution:
        made = result.moves - len(result.solution)
        lines += ["", *move_lines(deal.position, result.solution, made, style, speech)]
    return "\n".join(lines)


def solve_facts(
    deal: Deal, result: SolveResult, style: Style, first_only: bool = False
) -> dict[str, str]:
    """What is known of the deal, under the labels ``deal``, ``verdict``, ``score`` and ``line``."""
    return {
        "deal": deal_title(deal),
        "verdict": verdict_text(result, style),
        "score": score_text(deal, result, style, first_only),
        "line": totals(result.moves, result.runs_removed),
    }


def score_text(deal: Deal, result: SolveResult, style: Style, first_only: bool) -> str:
    """The score, with its proof or bound."""
    remark = "proven best"
    if not result.best_proven:
        reason = "not proven best"
        if result.stopped_by is not None:
            reason += f", {REASONS[result.stopped_by]}"
        elif first_only:
            won = result.verdict is Verdict.WINNABLE
            reason = "the first win found" if won else "the best line was not searched for"
        remark = f"{reason}; no line scores more than {result.score_bound}"
    elif result.runs_removed < deal.position.deck.runs:
        remark += f": {_line_short_of_a_win(result)}"
    return f"{style.paint(str(result.score), BOLD)} ({remark})"


def _line_short_of_a_win(result: SolveResult) -> str:
    if not result.solution:
        return "no move helps"
    runs = "one run" if result.runs_removed == 1 else counted(result.runs_removed, "run")
    return f"{runs} in {counted(result.moves, 'move')}"
