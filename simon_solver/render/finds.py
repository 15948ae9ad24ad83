"""Shows the deals that `find` found, as text, JSON and CSV. Field names are a contract."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from simon_solver.batch.pieces import Row
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes
from simon_solver.render.grades import difficulty_record
from simon_solver.render.rates import csv_cell
from simon_solver.render.records import Record, layout_record
from simon_solver.search.verdict import Verdict

_UNKNOWN = "-"


def find_record(row: Row, column_sizes: ColumnSizes = COLUMN_SIZES) -> Record:
    """What is known of a deal; what is unknown or was not asked for is None."""
    return {
        "deal": row.code,
        "suits": row.suits,
        **layout_record(column_sizes),
        "verdict": str(row.verdict),
        "score": row.score,
        "moves": row.moves,
        "runs_removed": row.runs_removed,
        "best_proven": None if row.score is None else row.score == row.score_bound,
        "score_bound": row.score_bound,
        **difficulty_record(row.measured),
    }


def find_csv_head(column_sizes: ColumnSizes = COLUMN_SIZES) -> str:
    """The names of a record as the head of a CSV table; without a line end."""
    nothing = Row(4, 0, Verdict.UNDETERMINED, None, None, None, None, None, 0, 0, "")
    return _csv_line(find_record(nothing, column_sizes))


def find_csv(row: Row, column_sizes: ColumnSizes = COLUMN_SIZES) -> str:
    """The record as a line of CSV; without a line end."""
    return _csv_line(map(csv_cell, find_record(row, column_sizes).values()))


def _csv_line(cells: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    return out.getvalue()


def find_head(verdict: Verdict, *, best: bool) -> str:
    """The head of the table that `find_text` gives the lines of."""
    return _line("code", *_cells(verdict, "best score", "moves", "difficulty", best=best))


def find_text(row: Row, *, best: bool) -> str:
    """The deal in a line: what was asked for, the best score with its bound if it is not proven."""
    score, moves, difficulty = _UNKNOWN, _UNKNOWN, _UNKNOWN
    if row.score is not None:
        is_proven = row.score == row.score_bound
        score = str(row.score) if is_proven else f"{row.score} to {row.score_bound}"
        moves = str(row.moves)
    if (measured := row.measured) is not None:
        difficulty = f"{measured.value:5.1f} {measured.grade}"
    return _line(row.code, *_cells(row.verdict, score, moves, difficulty, best=best))


def _cells(verdict: Verdict, score: str, moves: str, difficulty: str, *, best: bool) -> list[str]:
    """The cells that are shown: lost deals have no difficulty."""
    cells = [f"{difficulty:<12}"] if verdict is Verdict.WINNABLE else []
    return [*cells, f"{score:<10}", f"{moves:>5}"] if best else cells


def _line(code: str, *cells: str) -> str:
    return "  ".join([f"{code:<14}", *cells]).rstrip()
