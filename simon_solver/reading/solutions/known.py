"""All forms of solutions; that of a text is recognised from the content."""

from __future__ import annotations

from typing import BinaryIO

from simon_solver.game.moves import parse_moves
from simon_solver.reading.arguments import is_move_list, read_played
from simon_solver.reading.solutions import fc_solve, own
from simon_solver.reading.solutions.printed import Form, Solution


def read_solution(argument: str, stdin: BinaryIO | None = None) -> Solution:
    """Read the solution that an argument names, in any form that `read_solution_text` knows.

    Raises:
        SimonError: names file, line and column of what cannot be read.
    """
    return read_played(
        argument,
        stdin,
        read_solution_text,
        lambda text: is_move_list(text) or is_solution_text(text),
    )


def read_solution_text(text: str) -> Solution:
    """The solution in a text of any known form.

    Raises:
        FormatError: names line and column of what cannot be read.
    """
    if own.is_json(text):
        return own.read_json(text)
    if fc_solve.recognises(text):
        return fc_solve.read(text)
    if own.is_listing(text):
        return own.read_listing(text)
    return Solution(Form.MOVES, tuple(parse_moves(text)))


def is_solution_text(text: str) -> bool:
    """True when the text is meant as a solution in another form than a move list."""
    return own.is_json(text) or fc_solve.recognises(text) or own.is_listing(text)
