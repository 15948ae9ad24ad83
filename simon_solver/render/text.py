"""Shows results as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from simon_solver.answers.difficulty import GAMES, Difficulty
from simon_solver.answers.results import CheckResult, Hint, SolveResult
from simon_solver.answers.verification import Outcome, Replay
from simon_solver.game.cards import Card
from simon_solver.game.deal import Deal
from simon_solver.game.layout import COLUMN_SIZES, ColumnSizes, sizes_text
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, score
from simon_solver.reading.solutions.groups import Drag, drags
from simon_solver.render.notation import Notation, Speech, fc_solve_lines, spoken_lines
from simon_solver.render.style import BOLD, GREEN, RED, YELLOW, Style, escaped
from simon_solver.search.verdict import StoppedBy, Verdict

CODE_NOTE = (
    "Note: the app's codes look like ours but name other deals; "
    "to solve an app deal, give its description."
)

PLAIN_SPEECH = Speech()

_LABEL_WIDTH = 9
_NAME_WIDTH = 14  # as long as a game code
_CARDS_WIDTH = 8  # three cards; longer runs are shown by their ends
_ONTO_WIDTH = 6
MOVE_HEADING = f"{'move':<9}{'cards':<{_CARDS_WIDTH}}  {'onto':<{_ONTO_WIDTH}}"
_VERDICT_COLOURS = {
    Verdict.WINNABLE: GREEN,
    Verdict.UNWINNABLE: RED,
    Verdict.UNDETERMINED: YELLOW,
}
_OUTCOME_COLOURS = {Outcome.WON: GREEN, Outcome.NOT_WON: YELLOW, Outcome.ILLEGAL: RED}
REASONS = {
    StoppedBy.TIME: "time limit",
    StoppedBy.MEMORY: "memory limit",
    StoppedBy.STATES: "state limit",
    StoppedBy.INTERRUPT: "interrupted",
}
"""Why a search ended early, in words."""


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
        "score": _score(deal, result, style, first_only),
        "line": totals(result.moves, result.runs_removed),
    }


def grade_text(verdict: Verdict, measured: Difficulty | None) -> str:
    """How hard a deal is with that verdict, in words."""
    if verdict is Verdict.UNWINNABLE:
        return "none: it cannot be won"
    if measured is None:
        return "unknown: no win found"
    wins = f"careless play wins {measured.careless_wins} of {GAMES} games"
    return f"{measured.grade} (difficulty {measured.value:.1f} of 100; {wins})"


def effort(result: SolveResult | Hint) -> str:
    """What the search took."""
    return f"{counted(result.states, 'state')} in {result.seconds:.2f} s"


def verdict_text(result: SolveResult | CheckResult | Hint, style: Style) -> str:
    """The verdict, with the limit that came before it."""
    verdict = style.paint(str(result.verdict), _VERDICT_COLOURS[result.verdict])
    if result.verdict is Verdict.UNDETERMINED and result.stopped_by is not None:
        verdict += f" ({REASONS[result.stopped_by]})"
    return verdict


def _score(deal: Deal, result: SolveResult, style: Style, first_only: bool) -> str:
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


def move_lines(
    position: Position,
    steps: Sequence[Step],
    moves_made: int,
    style: Style,
    speech: Speech = PLAIN_SPEECH,
) -> Iterator[str]:
    """The moves in the notation asked for; their numbers go on from `moves_made`."""
    moves = [step.move for step in steps]
    found = drags(position, moves, mixed_runs=speech.mixed_runs)
    if speech.notation is Notation.FC_SOLVE:
        return fc_solve_lines(found)
    if speech.notation is Notation.SPOKEN:
        return spoken_lines(found, moves_made)
    return _simon_lines(found, moves_made, style)


def _simon_lines(found: Sequence[Drag], moves_made: int, style: Style) -> Iterator[str]:
    """A heading and a line a move: number, move, cards, where they go, score after it, removals."""
    yield f"{'':5}{MOVE_HEADING}  score"
    number = moves_made
    for drag in found:
        number += len(drag.steps)
        before, after = drag.positions[0], drag.positions[-1]
        line = f"{number:3}. {move_cells(before, drag.move, drag.cards, style)}  "
        line += f"{score(number, len(after.removed)):5}"
        if len(drag.steps) > 1:
            line += f"  {len(drag.steps)} moves"
        removes = [suit for step in drag.steps for suit in step.removes]
        if removes:
            suits = " ".join(map(style.suit, removes))
            line += f"  run of {suits} removed ({len(after.removed)})"
        yield line
    if found and found[-1].positions[-1].is_won:
        yield "     the table is empty: won"


def move_cells(position: Position, move: Move, cards: tuple[Card, ...], style: Style) -> str:
    """The move, its cards, and the card or empty column that they go to, under `MOVE_HEADING`."""
    target = position.columns[move.target]
    padding = " " * (_CARDS_WIDTH - style.cards_width(cards))
    onto = style.card(target[-1]) + " " * (_ONTO_WIDTH - 2) if target else "empty "
    return f"{move!s:<9}{style.cards(cards)}{padding}  {onto}"


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
    text = _score(deal, best, style, first_only=False)
    points = best.score - replay.score
    if points > 0:
        return f"{text}: {counted(points, 'point')} more"
    if points < 0:
        return f"{text}: {counted(-points, 'point')} less"
    return f"{text}: the same"


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
