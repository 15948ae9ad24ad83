"""Shows how hard a deal is, as text for people and as JSON."""

from __future__ import annotations

from simon_solver.answers.difficulty import GAMES, VERSION, Difficulty
from simon_solver.render.records import Record
from simon_solver.search.verdict import Verdict


def grade_text(verdict: Verdict, measured: Difficulty | None) -> str:
    """How hard a deal is with that verdict, in words."""
    if verdict is Verdict.UNWINNABLE:
        return "none: it cannot be won"
    if measured is None:
        return "unknown: no win found"
    wins = f"careless play wins {measured.careless_wins} of {GAMES} games"
    return f"{measured.grade} (difficulty {measured.value:.1f} of 100; {wins})"


def difficulty_record(measured: Difficulty | None) -> Record:
    """The difficulty, of a deal that can be won; all but the version are None if it cannot."""
    return {
        "difficulty": measured and measured.value,
        "grade": measured and str(measured.grade),
        "careless_wins": measured and measured.careless_wins,
        "difficulty_version": VERSION,
    }
