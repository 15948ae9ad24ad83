"""Shows results as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from simon_solver.game.deal import Deal
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes, sizes_text
from simon_solver.game.position import Position
from simon_solver.game.rules import score
from simon_solver.render.style import GREEN, RED, YELLOW, Style, escaped
from simon_solver.search.verdict import StoppedBy, Verdict

if TYPE_CHECKING:  # a board is shown without any
    from simon_solver.answers.results import CheckResult, Hint, SolveResult

CODE_NOTE = (
    "Note: the app's codes look like ours but name other deals; "
    "to solve an app deal, give its description."
)

_LABEL_WIDTH = 9
_NAME_WIDTH = 14  # as long as a game code
_VERDICT_COLOURS = {
    Verdict.WINNABLE: GREEN,
    Verdict.UNWINNABLE: RED,
    Verdict.UNDETERMINED: YELLOW,
}
REASONS = {
    StoppedBy.TIME: "time limit",
    StoppedBy.MEMORY: "memory limit",
    StoppedBy.STATES: "state limit",
    StoppedBy.INTERRUPT: "interrupted",
}
"""Why a search ended early, in words."""


def effort(result: SolveResult | Hint) -> str:
    """What the search took."""
    return f"{counted(result.states, 'state')} in {result.seconds:.2f} s"


def verdict_text(result: SolveResult | CheckResult | Hint, style: Style) -> str:
    """The verdict, with the limit that came before it."""
    verdict = style.paint(str(result.verdict), _VERDICT_COLOURS[result.verdict])
    if result.verdict is Verdict.UNDETERMINED and result.stopped_by is not None:
        verdict += f" ({REASONS[result.stopped_by]})"
    return verdict


def check_text(deal: Deal, result: CheckResult, style: Style) -> str:
    """One line: the deal's name and the verdict, and the layout if it is not the usual one."""
    layout = layout_note(deal.column_sizes)
    line = f"{escaped(deal.name):<{_NAME_WIDTH}}  {verdict_text(result, style)}"
    return f"{line} ({layout})" if layout else line


def show_text(deal: Deal, style: Style) -> str:
    """What is known of the deal, and its board: each column from the base down to the top."""
    position = deal.position
    suits = " ".join(map(style.suit, position.removed)) or "none"
    on_table = sum(map(len, position.columns))
    total = score(deal.moves_made, len(position.removed))
    lines = [
        labelled("deal", deal_title(deal)),
        labelled("score", f"{total} ({totals(deal.moves_made, len(position.removed))})"),
        labelled("removed", suits),
        labelled("table", counted(on_table, "card")),
        "",
        *board_lines(position, style),
    ]
    return "\n".join(lines)


def board_lines(position: Position, style: Style) -> Iterator[str]:
    """The columns side by side under their numbers, base cards in the first row."""
    yield "".join(f"{number:>4}" for number in range(1, len(position.columns) + 1))
    if not any(position.columns):
        return
    for row in zip_longest(*position.columns):
        cells = ("    " if card is None else "  " + style.card(card) for card in row)
        yield "".join(cells).rstrip()


def counted(number: int, noun: str) -> str:
    """The number with its noun, such as ``1 move`` or ``12,345 states``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def totals(moves: int, runs_removed: int) -> str:
    """Moves made and runs removed, in words."""
    return f"{counted(moves, 'move')}, {counted(runs_removed, 'run')} removed"


def deal_title(deal: Deal) -> str:
    """The deal's name with its suits, and its layout if that is not the usual one."""
    notes = [counted(deal.position.deck.suits, "suit"), layout_note(deal.column_sizes)]
    return f"{escaped(deal.name)} ({', '.join(filter(None, notes))})"


def layout_note(column_sizes: ColumnSizes) -> str:
    """The layout in words; empty for the usual one."""
    usual = column_sizes == COLUMN_SIZES
    return "" if usual else f"columns of {sizes_text(column_sizes)}"


def labelled(label: str, text: str) -> str:
    """A line of a heading: what it is about, then what is known."""
    return f"{label:<{_LABEL_WIDTH}}{text}"
