"""Solutions as text, in our forms and in those of other programs, and how they are replayed.

The form is recognised from the content. Reading looks at the text alone; `playing` then plays what
was read, expanding what other programs print as one move into the single moves it takes.
"""

from __future__ import annotations

from simon_solver.game.moves import parse_moves
from simon_solver.reading.solutions import fc_solve, own
from simon_solver.reading.solutions.printed import Form, Solution


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
