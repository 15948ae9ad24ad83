"""Draws scenes for a terminal of a fixed size, marked so that they read without colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap

from simon_solver.game.cards import Card
from simon_solver.render.scenes import Scene
from simon_solver.render.style import BOLD, REVERSE, Style

WIDTH = 80
_WORDS_LINES = 2
_LEAST_ROWS = 3  # of the board, however low the terminal is
_KEYS = "space: play or pause   n, right: next   p, left: previous   q: quit"


def frame(
    scene: Scene, title: str, total: int, remark: str, style: Style, height: int
) -> list[str]:
    """Lines for a screen that is `height` lines high: title, counts, the move, board and keys.

    `total` is the number of moves at the end of the line, `remark` what stands beside the counts.
    The cards to be moved are marked with ``>``, and where they go with ``[]``.
    """
    words = scene.words
    if scene.step is not None:
        words = f"{scene.moves + 1}. {words}"
    told = wrap(words, WIDTH - 1)
    head = [
        title,
        _counts(scene, total, style) + f"   {remark}",
        *(style.paint(line, BOLD) for line in told),
        *[""] * (_WORDS_LINES - len(told)),
        "",
    ]
    foot = ["", _KEYS]
    # The numbers of the columns take a line.
    rows = max(_LEAST_ROWS, height - len(head) - len(foot) - 1)
    return [*head, *_board(scene, style, rows), *foot]


def _counts(scene: Scene, total: int, style: Style) -> str:
    removed = " ".join(map(style.suit, scene.position.removed)) or "none"
    return f"move {scene.moves} of {total}   score {scene.score}   removed {removed}"


def _board(scene: Scene, style: Style, rows: int) -> Iterator[str]:
    """The numbers of the columns and so many rows; of a longer column the cards at its top."""
    columns = scene.position.columns
    yield "".join(f"{number:>4}" for number in range(1, len(columns) + 1))
    cells = [_column(scene, index, style) for index in range(len(columns))]
    shown = [
        column if len(column) <= rows else ["  ..", *column[len(column) - rows + 1 :]]
        for column in cells
    ]
    grid = list(zip_longest(*shown, fillvalue="    "))
    yield from ("".join(row).rstrip() for row in grid)
    yield from [""] * (rows - len(grid))


def _column(scene: Scene, index: int, style: Style) -> list[str]:
    """The column's cards, and where others come to lie, four characters each."""
    column = scene.position.columns[index]
    step = scene.step
    moving = step.move.count if step is not None and step.move.source == index else 0
    staying = len(column) - moving
    cells = ["  " + style.card(card) for card in column[:staying]]
    cells += [" " + _marked(card, style) for card in column[staying:]]
    if step is not None and step.move.target == index:
        cells.append("  []")
    return cells


def _marked(card: Card, style: Style) -> str:
    return style.paint(">" + replace(style, colour=False).card(card), REVERSE)
