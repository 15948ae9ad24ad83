"""Rows and pieces for tests of the batch; the functions are run by worker processes, too."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from simon_solver import __version__
from simon_solver.answers.difficulty import VERSION
from simon_solver.batch.pieces import Piece, Row, Terms
from simon_solver.search.verdict import StoppedBy, Verdict

DEADLY, FAULTY, LIMITED = 13, 17, 19
"""Numbers of codes that end their worker, raise an error, or run into the state limit."""


def row_of(suits: int, number: int, **changes: Any) -> Row:
    """A row of a winnable deal, whose effort is told from the number."""
    row = Row(
        suits=suits,
        number=number,
        verdict=Verdict.WINNABLE,
        stopped_by=None,
        score=None,
        moves=None,
        runs_removed=None,
        score_bound=None,
        states=10 * number,
        cpu_seconds=number / 1000,
        solver_version=__version__,
    )
    return row._replace(**changes)


def best_row(suits: int, number: int, moves: int, **changes: Any) -> Row:
    """A row with a proven shortest win."""
    score = 900 - moves
    best = {"score": score, "moves": moves, "runs_removed": 4, "score_bound": score}
    return row_of(suits, number, **{**best, **changes})


def rating_of(number: int) -> dict[str, Any]:
    """A difficulty that is told from the number."""
    return {
        "difficulty": float(37 * number % 101),
        "careless_wins": number % 65,
        "difficulty_version": VERSION,
    }


def quick_piece(piece: Piece) -> list[Row]:
    """Rows without a search: every tenth deal is lost, one kind is undetermined."""
    rows = []
    for code in piece.codes():
        changes: dict[str, Any] = {}
        if code.number % 10 == 0:
            changes = {"verdict": Verdict.UNWINNABLE}
        elif code.number == LIMITED:
            changes = {"verdict": Verdict.UNDETERMINED, "stopped_by": StoppedBy.STATES}
        make = best_row if piece.terms.best else row_of
        moves = {"moves": 60 + code.number % 3} if piece.terms.best else {}
        if piece.terms.best and changes:
            changes |= {"score": 500, "runs_removed": 0, "score_bound": 500}
            moves = {"moves": 0}
        if piece.terms.difficulty and not changes:
            changes = rating_of(code.number)
        rows.append(make(code.suits, code.number, **moves, **changes))
    return rows


def deadly_piece(piece: Piece) -> list[Row]:
    """The same, but one deal kills whoever takes it."""
    if any(code.number == DEADLY for code in piece.codes()):
        os.kill(os.getpid(), signal.SIGKILL)
    return quick_piece(piece)


def hungry_piece(piece: Piece) -> list[Row]:
    """The same, but one deal needs more memory than there is."""
    if any(code.number == DEADLY for code in piece.codes()):
        raise MemoryError
    return quick_piece(piece)


def faulty_piece(piece: Piece) -> list[Row]:
    """The same, but one deal meets an error of the program."""
    if any(code.number == FAULTY for code in piece.codes()):
        raise RuntimeError("oops")
    return quick_piece(piece)


def mortal_piece(piece: Piece) -> list[Row]:
    """The same, but every process dies of its fourth large piece."""
    _served.append(piece.span.deals)
    if piece.span.deals > 1 and len(_served) > 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return quick_piece(piece)


_served: list[int] = []


def unlucky_piece(piece: Piece) -> list[Row]:
    """The same, but one deal kills whoever takes it, as long as there are files in a folder."""
    if any(code.number == DEADLY for code in piece.codes()):
        for file in Path(os.environ["UNLUCKY_FOLDER"]).iterdir():
            file.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
    return quick_piece(piece)


def endless_piece(piece: Piece) -> list[Row]:
    """The same after a long time."""
    time.sleep(600)
    return quick_piece(piece)


def hard_piece(piece: Piece) -> list[Row]:
    """The same, but one deal takes a long time."""
    if any(code.number == DEADLY for code in piece.codes()):
        return endless_piece(piece)
    return quick_piece(piece)


class Inline:
    """Takes the place of `LocalWorkers`: quick pieces, in this process."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def results(self, pieces: Iterable[Piece]) -> Iterator[list[Row]]:
        """Rows at once."""
        return map(quick_piece, pieces)


VERDICTS = Terms()
BEST = Terms(best=True)
DIFFICULTIES = Terms(difficulty=True)
HARD: dict[str, Any] = {"difficulty": 99.0, "careless_wins": 1, "difficulty_version": VERSION}
