"""The JSON object that ``show --format json`` and ``convert --to json`` print.

``{"suits": 4, "moves": 75, "runs_removed": 1, "removed": "C", "columns": [["4D", "AS"], ...]}``.
Only `columns` must be there. Where `removed` is not, the runs are those that are wholly missing.
`layout` tells how many cards each column was dealt, where this is not as usual. Other names are
skipped, as later versions may add some.
"""

from __future__ import annotations

import re

from simon_solver.errors import FormatError
from simon_solver.game.cards import SUIT_LETTERS, Suit
from simon_solver.game.layout import COLUMN_SIZES, DECKS, FEWEST_COLUMNS, MOST_COLUMNS, ColumnSizes
from simon_solver.game.position import Position
from simon_solver.reading.formats.assembly import Game, assemble
from simon_solver.reading.formats.solvitaire import array_of, cards_of
from simon_solver.text.json_values import Value, begins_an_object, parse_json

NAME = "JSON written by 'convert --to json'"

_MARK = re.compile(r'[{,]\s*"columns"')
_WHOLE = re.compile(r"[0-9]{1,9}")


def recognises(text: str) -> bool:
    """True when it begins as a JSON object and names columns."""
    return begins_an_object(text) and _MARK.search(text) is not None


def read(text: str) -> Position:
    """The position; see `read_game`."""
    return read_game(text).position


def read_game(text: str) -> Game:
    """The position and the moves made before it.

    Raises:
        FormatError: names line and column of what is wrong, or the cards missing or too many.
    """
    return game_of(parse_json(text, "a board in JSON"))


def game_of(root: Value) -> Game:
    """The game that an object in a text tells; see `read_game`."""
    values = {name: value for name, _, value in root.members}
    if "columns" not in values:
        raise FormatError(f"{root.place}: expected a JSON object with 'columns'")
    columns = array_of(values["columns"], "an array of columns")
    layout = _layout(values["layout"]) if "layout" in values else COLUMN_SIZES
    count = len(layout)
    if len(columns) > count:
        raise FormatError(f"{columns[count].place}: expected {count} columns, got one more")
    position = assemble(list(map(cards_of, columns)), _removed(values), count)
    if "suits" in values and _whole(values["suits"]) != position.deck.suits:
        raise values["suits"].wrong(f"{position.deck.suits}, the number of suits of these cards")
    return Game(position, _whole(values["moves"]) if "moves" in values else 0, layout)


def _layout(value: Value) -> ColumnSizes:
    """The sizes of columns that can be solved."""
    sizes = tuple(map(_whole, array_of(value, "an array of column sizes")))
    if not FEWEST_COLUMNS <= len(sizes) <= MOST_COLUMNS or sum(sizes) != DECKS[4].size:
        raise FormatError(
            f"{value.place}: expected sizes of {FEWEST_COLUMNS} to {MOST_COLUMNS} columns for "
            f"{DECKS[4].size} cards, got {len(sizes)} for {sum(sizes)}"
        )
    return sizes


def _removed(values: dict[str, Value]) -> list[Suit] | int:
    """The suits of the removed runs, or their number where they are not named."""
    count = _whole(values["runs_removed"]) if "runs_removed" in values else None
    named = values.get("removed")
    if named is None:
        return count or 0
    if named.kind != "string" or set(named.text.upper()) - set(SUIT_LETTERS):
        raise named.wrong("suit letters like 'SH'")
    removed = [SUIT_LETTERS.index(letter) for letter in named.text.upper()]
    if count not in (None, len(removed)):
        raise named.wrong(f"{count} suit{'' if count == 1 else 's'} of removed runs")
    return removed


def _whole(value: Value) -> int:
    if value.kind != "number" or not _WHOLE.fullmatch(value.text):
        raise value.wrong("a whole number")
    return int(value.text)
