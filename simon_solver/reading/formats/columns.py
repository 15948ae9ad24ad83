"""Cards by column, the boards of fc-solve and PySolFC: a line is a column, its base card first.

::

    Foundations: H-K
    4D AS 9D
    : KH QH
    ...

A column may start with a colon. A card is its rank (``T`` or ``10``) and its suit (letter or
symbol) in either case; as fc-solve does, ``0`` is read as a ten, ``1`` as an ace, and the suit may
come first. ``Foundations:``, ``Founds:`` and ``Decks:`` name the removed runs,
``S-K S-K`` two of one suit; ``H-0`` says that there is none. ``Freecells:``, ``#`` comments and
lines that hold a game code are skipped. An empty line is an empty column, unless there are ten
columns without it; columns left out at the end are empty. After the tenth column other text may
follow, as for fc-solve, but none with a card in it.
"""

from __future__ import annotations

import re
from contextlib import suppress

from simon_solver.errors import CardError, FormatError
from simon_solver.game.cards import SUIT_LETTERS, Card, Suit, card_names, parse_card, suit_of
from simon_solver.game.position import Position
from simon_solver.reading.formats.assembly import (
    COLUMN_COUNT,
    PlacedCard,
    assemble,
    need_four_suits,
)
from simon_solver.text.lines import lines_of

NAME = "cards by column"

_WORD = re.compile(r"[^\s:]\S*")
_RANKS = {"0": "T", "1": "A"}
_FOUNDATIONS = re.compile(r"\s*(?:foundations|founds|decks)\s*:", re.IGNORECASE)
_SKIPPED = re.compile(
    r"\s*(?:#|free\s?cells\s*:)|.*\bSS\d+-S\d+-[A-Z]+\b", re.IGNORECASE | re.ASCII
)
# Not quite a card, perhaps, but meant as one or more.
_CARD_LIKE = re.compile(
    r"(?:[\dATJQK]{1,2}[SHDC♠♥♦♣♤♡♢♧]\ufe0f?)+|[SHDC♠♥♦♣♤♡♢♧]\ufe0f?\d{1,2}", re.IGNORECASE
)
_WITHIN_MARKS = re.compile(r"[\w♠♥♦♣♤♡♢♧](?:.*[\w♠♥♦♣♤♡♢♧\ufe0f])?")
_FOUNDATION = re.compile(r"(\w|[♠♥♦♣♤♡♢♧])\ufe0f?-(\w+)")


def recognises(text: str) -> bool:
    """True when there is a card, or a line of foundations."""
    for line in lines_of(text):
        if _FOUNDATIONS.match(line):
            return True
        if line.strip() and not _SKIPPED.match(line) and any(map(_is_card, _WORD.findall(line))):
            return True
    return False


def _is_card(word: str) -> bool:
    # The suit first and a letter for the rank: that is what many a word is, such as "has".
    if len(word) == 2 and word.isalpha() and word[0].upper() in SUIT_LETTERS:
        return False
    try:
        _parse_card(word)
    except CardError:
        return False
    return True


def _parse_card(word: str) -> Card:
    """`parse_card` and the other spellings that fc-solve takes."""
    try:
        return parse_card(word)
    except CardError:
        plain = word.replace("\ufe0f", "")
        for rank, suit in ((plain[:-1], plain[-1:]), (plain[1:], plain[:1])):
            with suppress(CardError):
                return parse_card(_RANKS.get(rank, rank) + suit)
        raise


def _may_hold_card(line: str) -> bool:
    """True for a line that belongs to the board, rightly or by mistake."""
    if not line.strip():
        return False
    if _FOUNDATIONS.match(line) or _SKIPPED.match(line):
        return bool(_FOUNDATIONS.match(line))
    words = map(_WITHIN_MARKS.search, line.split("#", 1)[0].split())
    return any(word is not None and _CARD_LIKE.fullmatch(word[0]) for word in words)


def read(text: str) -> Position:
    """The position of the board.

    Raises:
        FormatError: names line and column of what is no card, or the cards missing or too many.
    """
    removed: list[Suit] = []
    columns: list[tuple[int, list[PlacedCard]]] = []
    header, filled = False, 0
    lines = lines_of(text)
    last = next((n for n in range(len(lines), 0, -1) if _may_hold_card(lines[n - 1])), 0)
    for number, line in enumerate(lines, 1):
        if not line.strip() and number <= last:
            columns.append((number, []))
            continue
        if _FOUNDATIONS.match(line):
            removed += _read_foundations(line, number)
            # Blank lines above the foundations are no columns; those below them are.
            header = True
        elif _SKIPPED.match(line):
            header = True
        elif len(columns) >= COLUMN_COUNT and number > last:
            break
        else:
            cards = _read_column(line.split("#", 1)[0], number)
            filled += bool(cards)
            if filled > COLUMN_COUNT:
                raise _one_more(number)
            columns.append((number, cards))
            continue
        if header and not filled:
            columns.clear()
    return assemble(_ten_columns(columns), removed)


def _read_column(line: str, number: int) -> list[PlacedCard]:
    """The cards of one line; an optional colon comes first."""
    start = len(line) - len(line.lstrip())
    start += line.startswith(":", start)
    cards = []
    for word in re.finditer(r"\S+", line[start:]):
        place = f"line {number}, column {start + word.start() + 1}"
        try:
            cards.append(PlacedCard(_parse_card(word[0]), place))
        except CardError as error:
            raise FormatError(f"{place}: {error}") from None
    return cards


def _read_foundations(line: str, number: int) -> list[Suit]:
    """The suits whose runs are gone, one for each run."""
    start = line.index(":") + 1
    removed = []
    for word in re.finditer(r"\S+", line[start:]):
        match = _FOUNDATION.fullmatch(word[0].upper())
        try:
            # Any rank names the suit; a king makes the run complete.
            suit = suit_of(parse_card("K" + match[1])) if match else None
        except CardError:
            suit = None
        if suit is None or match is None or match[2] not in ("0", "K", "13"):
            raise FormatError(
                f"line {number}, column {start + word.start() + 1}: "
                f"expected a removed run like 'H-K', or 'H-0' for none, got {word[0]!r}"
            )
        if match[2] != "0":
            removed.append(suit)
    return removed


def _ten_columns(columns: list[tuple[int, list[PlacedCard]]]) -> list[list[PlacedCard]]:
    """The columns without the blank lines that are no columns."""
    filled = [column for column in columns if column[1]]
    if len(filled) >= COLUMN_COUNT:
        columns = filled
    while len(columns) > COLUMN_COUNT and not columns[-1][1]:
        columns.pop()
    surplus = max(0, len(columns) - COLUMN_COUNT)
    columns = columns[next((n for n in range(surplus) if columns[n][1]), surplus) :]
    if len(columns) > COLUMN_COUNT:
        raise _one_more(columns[COLUMN_COUNT][0])
    return [cards for _, cards in columns]


def _one_more(number: int) -> FormatError:
    return FormatError(f"line {number}: expected {COLUMN_COUNT} columns, got one more")


def write(position: Position) -> str:
    """The board with ``T`` for ten, as PySolFC exports it; empty columns are empty lines."""
    lines = []
    if position.removed:
        runs = " ".join(f"{SUIT_LETTERS[suit]}-K" for suit in position.removed)
        lines.append(f"Foundations: {runs}")
    lines += [card_names(column) for column in position.columns]
    return "\n".join(lines) + "\n"


_LONGEST_OF_FC_SOLVE = 20  # cards; no column of a game that was dealt grows beyond it


def write_fc_solve(position: Position) -> str:
    """The same board, if fc-solve can read it.

    Raises:
        FormatError: the deck is not that of four suits, or a column is too long for fc-solve.
    """
    need_four_suits(position, "fc-solve")
    for number, column in enumerate(position.columns, 1):
        if len(column) > _LONGEST_OF_FC_SOLVE:
            raise FormatError(
                f"fc-solve takes at most {_LONGEST_OF_FC_SOLVE} cards in a column, "
                f"but column {number} has {len(column)}"
            )
    return write(position)
