"""Writes a page to step through a line of moves: one self-contained HTML file for any browser.

The boards are those that the rules replayed; the script in the page only shows them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from simon_solver.answers.results import SolveResult
from simon_solver.game.cards import SUIT_LETTERS, TEN, card_name, rank_of, spoken_card, suit_of
from simon_solver.game.deal import Deal
from simon_solver.reading.formats import spoken
from simon_solver.render.scenes import Scene, scenes_of
from simon_solver.render.solved import solve_facts
from simon_solver.render.style import Style, escaped, shortened
from simon_solver.render.text import CODE_NOTE
from simon_solver.search.verdict import Verdict
from simon_solver.text.outputs import check_name, whole_file

_KINDS = (".html", ".htm")


def check_page(file: str) -> None:
    """Find out whether a page can be written under this name.

    Raises:
        InputError: it does not end in ``.html`` or ``.htm``, or nothing can be written there.
    """
    check_name(file, _KINDS)


def write_page(deal: Deal, result: SolveResult, file: str, first_only: bool = False) -> None:
    """Write the page to a file, as a whole or not at all.

    Raises:
        OSError: the system does not let it be written.
    """
    text = page(deal, result, first_only)
    with whole_file(file) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


def page(deal: Deal, result: SolveResult, first_only: bool = False) -> str:
    """The page as text; `first_only` says that the best score was not asked for."""
    scenes = scenes_of(deal, result)
    facts = solve_facts(deal, result, Style(), first_only)
    facts["deal"] = shortened(facts["deal"])
    texts = {
        "name": shortened(escaped(deal.name)),
        **facts,
        "note": _note(deal, result),
        "spoken": spoken.write(deal.position).strip(),
    }
    return Template(_part("page.html")).substitute(
        {name: escape(text) for name, text in texts.items()},
        moves="\n".join(map(_list_item, scenes[:-1], scenes[1:])),
        game=_for_script(_game(scenes)),
        style=_part("page.css"),
        script=_part("page.js"),
    )


def _part(name: str) -> str:
    return files("simon_solver.render").joinpath(name).read_text(encoding="utf-8")


def _note(deal: Deal, result: SolveResult) -> str:
    """What a player should know who follows the line."""
    notes = []
    if not result.solution:
        notes.append("There is no line to show: no known line scores more than this board.")
    elif result.verdict is Verdict.UNWINNABLE:
        notes.append("This position cannot be won. The line shown is the best one known.")
    elif result.runs_removed < deal.position.deck.runs:
        notes.append("This line does not win, but no known line scores more.")
    if deal.code is not None:
        notes.append(CODE_NOTE)
    return " ".join(notes)


def _list_item(before: Scene, after: Scene) -> str:
    """A move in the list, with the score after it."""
    return (
        f'<li><button type="button"><span class="number">{after.moves}.</span> '
        f'<span class="words">{escape(before.words)}</span> '
        f'<span class="score">{after.score}</span></button></li>'
    )


def _for_script(data: dict[str, Any]) -> str:
    """JSON that ends no script element early."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _game(scenes: Sequence[Scene]) -> dict[str, Any]:
    """The cards, and for each scene the columns as numbers of cards, base first.

    Numbers tell equal cards apart, so that a card stays the same one from board to board.
    """
    start = scenes[0].position
    cards = [card for column in start.columns for card in column]
    numbers = iter(range(len(cards)))
    columns = [[next(numbers) for _ in column] for column in start.columns]
    boards = []
    for scene in scenes:
        # Runs that the last move completed have left the ends of their columns.
        for column, held in zip(columns, scene.position.columns, strict=True):
            del column[len(held) :]
        boards.append(_board(scene, columns))
        if scene.step is not None:
            source, target, count = scene.step.move
            columns[target] += columns[source][-count:]
            del columns[source][-count:]
    return {
        "cards": [
            {
                "rank": "10" if rank_of(card) == TEN else card_name(card)[0],
                "suit": SUIT_LETTERS[suit_of(card)],
                "name": spoken_card(card),
            }
            for card in cards
        ],
        "boards": boards,
    }


def _board(scene: Scene, columns: Sequence[Sequence[int]]) -> dict[str, Any]:
    board: dict[str, Any] = {
        "moves": scene.moves,
        "score": scene.score,
        "removed": "".join(SUIT_LETTERS[suit] for suit in scene.position.removed),
        "columns": list(map(list, columns)),
        "words": scene.words,
    }
    if scene.step is not None:
        source, target, count = scene.step.move
        board |= {"from": source, "to": target, "count": count}
    return board
