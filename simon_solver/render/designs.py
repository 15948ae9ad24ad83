"""Shows how the game of a design file differs from the one solved here, as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator

from simon_solver.game.layout import sizes_text
from simon_solver.reading.designs.comparing import Design, Difference
from simon_solver.render.records import Record
from simon_solver.render.style import escaped, shortened
from simon_solver.render.text import counted, labelled

SAME, OTHER_LAYOUT, ANOTHER = "same", "other layout", "another"
IN_WORDS = {
    SAME: "the one solved here",
    OTHER_LAYOUT: "the one solved here with other columns: solve its codes with --layout",
    ANOTHER: "another game, which cannot be solved here",
}
"""What the game is, as JSON has it and in the words for people."""


def design_text(design: Design) -> str:
    """What the game is, and a line for each difference; no line end after the last."""
    suits = "another deck" if design.suits is None else counted(design.suits, "suit")
    lines = [
        labelled("design", shortened(escaped(design.name))),
        labelled("game", IN_WORDS[_game(design)]),
        labelled("deck", suits),
        labelled("columns", sizes_text(design.column_sizes) or "none"),
    ]
    if design.differences:
        lines += ["", f"{counted(len(design.differences), 'difference')}:"]
        lines += map(_difference_line, design.differences)
    return "\n".join(lines)


def _difference_line(difference: Difference) -> str:
    rule, expected, found, place = map(escaped, _told(difference))
    return f"  {rule}: expected {expected}, got {found} ({place})"


def design_record(file: str, design: Design) -> Record:
    """The same by names, which are a contract as in `records`."""
    return {
        "file": file,
        "name": shortened(design.name),
        "game": _game(design),
        "suits": design.suits,
        "layout": list(design.column_sizes),
        "differences": [
            dict(zip(("rule", "expected", "found", "place"), _told(difference), strict=True))
            for difference in design.differences
        ],
    }


def _told(difference: Difference) -> Iterator[str]:
    """Rule, expected, found and place; the file's own words are cut if they are long."""
    yield from (str(difference.rule), difference.expected)
    yield from (shortened(difference.found), difference.place)


def _game(design: Design) -> str:
    if design.is_same:
        return SAME
    return OTHER_LAYOUT if design.is_solvable else ANOTHER
