"""The spoken description of a board: the text that the app has for screen readers.

``No runs removed. column 1: ace of spades, king of hearts, ...; column 2: ...; ... column 10: 5 of
diamonds.`` Cards go from the base to the top. Text around the description is allowed. Columns may
come in any order; one that is left out or called empty is empty. A column may have its own line,
numbers may be spelled, capitals do not matter, and suits may follow the number of removed runs
(``2 runs removed: clubs, hearts.``). Without them the suits are those that are wholly missing.
"""

from __future__ import annotations

import re

from simon_solver.errors import FormatError
from simon_solver.game.cards import RANK_NAMES, SUIT_NAMES, Suit, make_card, spoken_card
from simon_solver.game.position import Position
from simon_solver.reading.formats.assembly import COLUMN_COUNT, PlacedCard, assemble
from simon_solver.text.lines import Places, lines_of

NAME = "a spoken description ('column 1: ace of spades, ...')"

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_RANK_OF = {name: rank for rank, name in enumerate(RANK_NAMES) if rank}
_RANK_OF |= {_NUMBERS[rank]: rank for rank in range(2, 11)}
_SUIT_OF = {name: suit for suit, name in enumerate(SUIT_NAMES)}

# Nowhere below may blanks be taken by either of two neighbours: trying all ways takes for ever.
_SUIT = rf"(?:{'|'.join(_SUIT_OF)})\b"
_CARD = re.compile(rf"\b({'|'.join(_RANK_OF)})\s+of\s+({_SUIT})", re.IGNORECASE)
_COLUMN = re.compile(
    rf"\bcolumn\s+(\d{{1,3}}|{'|'.join(_NUMBERS[1:])})\b(?:\s*:|(?=\s+(?:is\s+)?empty\b))",
    re.IGNORECASE,
)
_STATUS = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(_NUMBERS)})\s+runs?\s+removed\b"
    rf"(?:\s*(?:[:(,]\s*)?({_SUIT}(?:\s*(?:,\s*)?(?:and\s+)?{_SUIT})*))?",
    re.IGNORECASE,
)
_CARD_LIKE = re.compile(rf"(?:{'|'.join(_RANK_OF)})\s+of\s+\w+|\w+\s+of\s+{_SUIT}", re.IGNORECASE)
_EMPTY = re.compile(
    r"(?:is\s+)?(?:an?\s+)?(?:empty(?:\s+column)?|none|nothing|no\s+cards?)\b", re.IGNORECASE
)
_SEPARATOR = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_REST = re.compile(r"[^,;.\r\n]{0,30}")
_BLANKS = re.compile(r"\s*")


def recognises(text: str) -> bool:
    """True when a column is named, and a card (or a slip for one) or an empty column after it."""
    return any(
        _CARD_LIKE.match(text, _skip_blanks(text, header.end()))
        or _EMPTY.match(text, _skip_blanks(text, header.end()))
        for header in _COLUMN.finditer(text)
    )


def read(text: str) -> Position:
    """The position that the description tells.

    Raises:
        FormatError: names line and column of what is no card, or the cards missing or too many.
    """
    text = text.removeprefix("\ufeff")
    places = Places(text)
    headers = list(_COLUMN.finditer(text))
    columns: dict[int, list[PlacedCard]] = {}
    for index, header in enumerate(headers):
        column = _number(header[1])
        place = places.at(header.start())
        if not 1 <= column <= COLUMN_COUNT:
            raise FormatError(f"{place}: expected column 1 to {COLUMN_COUNT}, got {header[0]!r}")
        if column in columns:
            raise FormatError(f"{place}: column {column} is described twice")
        last = index + 1 == len(headers)
        end = len(text) if last else headers[index + 1].start()
        columns[column] = _read_column(text, places, header.end(), end, last)
    first = headers[0].start() if headers else len(text)
    removed = _read_status(text, places, first)
    return assemble([columns.get(number, []) for number in range(1, COLUMN_COUNT + 1)], removed)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.index(word.lower())


def _skip_blanks(text: str, offset: int, end: int | None = None) -> int:
    match = _BLANKS.match(text, offset, len(text) if end is None else end)
    return match.end() if match else offset


def _read_column(text: str, places: Places, start: int, end: int, last: bool) -> list[PlacedCard]:
    """The cards between `start` and `end`, where the next column is named or the text ends."""
    offset = _skip_blanks(text, start)
    own_line = len(lines_of(text[start:offset] + ".")) == 1
    cards: list[PlacedCard] = []
    empty = _EMPTY.match(text, offset, end)
    if empty:
        offset = empty.end()
    elif _CARD.match(text, offset, end):
        offset = _read_cards(text, places, offset, end, cards)
    elif offset < end and text[offset] not in ";." and own_line:
        raise _no_card(text, places, offset)
    stop = _skip_blanks(text, offset, end)
    line_ends = len(lines_of(text[offset:stop] + ".")) > 1
    if stop < end and text[stop] not in ";." and not line_ends and cards:
        raise FormatError(
            f"{places.at(stop)}: expected ',' and a card or ';' and a column, "
            f"got {_rest(text, stop)!r}"
        )
    # Other text may follow the last column; between columns a card is one that has lost its place.
    stray = None if last else _CARD.search(text, stop, end)
    if stray:
        raise FormatError(
            f"{places.at(stray.start())}: expected a column like 'column 2:', got {stray[0]!r}"
        )
    return cards


def _read_cards(text: str, places: Places, offset: int, end: int, cards: list[PlacedCard]) -> int:
    """Append the cards of the list that starts at `offset`; returns where it ends."""
    while True:
        match = _CARD.match(text, offset, end)
        if match is None:
            raise _no_card(text, places, offset)
        card = make_card(_RANK_OF[match[1].lower()], _SUIT_OF[match[2].lower()])
        cards.append(PlacedCard(card, places.at(offset)))
        separator = _SEPARATOR.match(text, match.end(), end)
        if separator is None:
            return match.end()
        offset = separator.end()


def _rest(text: str, offset: int) -> str:
    """The text at the offset up to the next punctuation, to show in an error."""
    match = _REST.match(text, offset)
    return match[0].strip() if match and match[0].strip() else text[offset : offset + 1]


def _no_card(text: str, places: Places, offset: int) -> FormatError:
    return FormatError(
        f"{places.at(offset)}: expected a card like 'ace of spades', got {_rest(text, offset)!r}"
    )


def _read_status(text: str, places: Places, first_column: int) -> list[Suit] | int:
    """The suits of the removed runs, or only their number where no suit is named.

    The sentence next before the first column counts; with none there, the first one after it.
    """
    found = list(_STATUS.finditer(text))
    before = [match for match in found if match.start() < first_column]
    status = before[-1] if before else found[0] if found else None
    if status is None:
        return []
    count = _number(status[1])
    if count > 4:
        raise FormatError(f"{places.at(status.start())}: expected 0 to 4 runs, got {count}")
    if status[2] is None:
        return count
    suits = [_SUIT_OF[name.lower()] for name in re.findall(_SUIT, status[2], re.IGNORECASE)]
    if len(suits) != count:
        raise FormatError(
            f"{places.at(status.start())}: expected {count} suit{'' if count == 1 else 's'} "
            f"of removed runs, got {len(suits)}"
        )
    return suits


def write(position: Position) -> str:
    """The description on one line, in the app's words."""
    removed = position.removed
    status = f"{len(removed) or 'No'} run{'' if len(removed) == 1 else 's'} removed"
    if removed:
        status += ": " + ", ".join(SUIT_NAMES[suit] for suit in removed)
    columns = (
        f"column {number}: {', '.join(map(spoken_card, column)) or 'empty'}"
        for number, column in enumerate(position.columns, 1)
    )
    return f"{status}. {'; '.join(columns)}.\n"
