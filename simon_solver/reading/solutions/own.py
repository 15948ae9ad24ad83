"""Reads what `solve` prints: its answer as JSON, and its numbered moves as text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from simon_solver.errors import CardError, FormatError
from simon_solver.game.cards import RANK_NAMES, SUIT_LETTERS, Card, Suit, parse_card
from simon_solver.game.moves import MOST_MOVES, MoveText
from simon_solver.reading.solutions.printed import ClaimedMove, Form, GroupMove, Item, Solution
from simon_solver.text.json_values import Value, parse_json
from simon_solver.text.lines import lines_of

_COLUMNS = r"(?P<source>\d{1,3})>(?P<target>\d{1,3})"
_NUMBERED = re.compile(rf"\s*\d{{1,9}}\.\s+(?P<move>{_COLUMNS}:(?P<count>\d{{1,3}}))(?:\s.*)?")
_SPOKEN = re.compile(
    r"\s*\d{1,9}\.\s+(?P<move>move (?P<cards>.+) from column (?P<source>\d{1,3}) "
    r"to column (?P<target>\d{1,3}))(?:[,;].*)?"
)
_RANK = re.compile(rf"\b(?:{'|'.join(filter(None, RANK_NAMES))})\b")
_COLUMN = re.compile(r"[1-9]\d{0,2}", re.ASCII)
_MOST_VALUES = 20 * MOST_MOVES  # a move of a whole run has eighteen


def is_json(text: str) -> bool:
    """True when the text can be nothing else."""
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def is_listing(text: str) -> bool:
    """True when a line is such as ``  1. 9>10:1   Q♦   K♦   499``, or such a move in words."""
    # Looked for first, as a text may have a million lines without.
    return ". " in text and any(
        _NUMBERED.fullmatch(line) or _SPOKEN.fullmatch(line) for line in lines_of(text)
    )


def read_listing(text: str) -> Solution:
    """The numbered moves, where a joined one may take a sequence of several suits.

    Raises:
        FormatError: a column is called 0, the cards are no sequence, or there are too many moves.
    """
    items: list[Item] = []
    for number, line in enumerate(lines_of(text), 1):
        place = f"line {number}"
        if match := _NUMBERED.fullmatch(line):
            count = int(match["count"])
        elif match := _SPOKEN.fullmatch(line):
            count = _spoken_count(match["cards"], place)
        else:
            continue
        source, target = int(match["source"]), int(match["target"])
        if source < 1 or target < 1:
            raise FormatError(f"{place}: columns are numbered from 1, got 0")
        items.append(GroupMove(source - 1, target - 1, count, match["move"], place))
    _need_few(items)
    return Solution(Form.LISTING, tuple(items))


def _spoken_count(cards: str, place: str) -> int:
    """How many cards go from the first rank that is named down to the last."""
    ranks = [RANK_NAMES.index(name) for name in _RANK.findall(cards)]
    if not ranks or ranks[0] < ranks[-1]:
        raise FormatError(f"{place}: expected cards like 'the 9 and 8 of hearts', got {cards!r}")
    return ranks[0] - ranks[-1] + 1


def read_json(text: str) -> Solution:
    """The moves of ``"solution"``, with the cards and removals that it claims.

    Raises:
        FormatError: it is no JSON, nested too deeply, or not of the form that `solve` prints; names
            line and column.
    """
    record = parse_json(text, "the JSON of `solve`", _MOST_VALUES)
    steps = record.member("solution")
    if steps is None:
        raise record.wrong('the JSON of `solve`, an object with a list of moves as "solution"')
    items = _items(steps, "a list of moves")
    _need_few(items)
    return Solution(Form.JSON, tuple(_claimed(n, step) for n, step in enumerate(items, 1)))


def _need_few(moves: Sequence[object]) -> None:
    if len(moves) > MOST_MOVES:
        raise FormatError(f"expected at most {MOST_MOVES} moves, got {len(moves)}")


def _claimed(number: int, step: Value) -> ClaimedMove:
    """The move of a record such as ``{"from": 9, "to": 10, "cards": ["QD"], "removes": ""}``."""
    move = f'move {number} of "solution"'
    source, target = (_column(_member(step, name, move), name, move) for name in ("from", "to"))
    names = _member(step, "cards", move)
    cards = tuple(_card(name, move) for name in _items(names, "a list of cards", move))
    if not cards:
        raise names.wrong("at least one card", move)
    removes = step.member("removes")
    return ClaimedMove(
        MoveText(source - 1, target - 1, len(cards), move),
        cards,
        None if removes is None else _removes(removes, move),
    )


def _member(step: Value, name: str, move: str) -> Value:
    value = step.member(name)
    if value is None:
        raise step.wrong(f'an object with "{name}"', move)
    return value


def _items(value: Value, wanted: str, move: str = "") -> tuple[Value, ...]:
    if value.kind != "array":
        raise value.wrong(wanted, move)
    return value.items


def _column(value: Value, name: str, move: str) -> int:
    if value.kind != "number" or not _COLUMN.fullmatch(value.text):
        raise value.wrong(f'a column number as "{name}"', move)
    return int(value.text)


def _card(value: Value, move: str) -> Card:
    try:
        return parse_card(value.text if value.kind == "string" else "")
    except CardError:
        raise value.wrong("a card like '7H'", move) from None


def _removes(value: Value, move: str) -> tuple[Suit, ...]:
    if value.kind != "string" or not set(value.text) <= set(SUIT_LETTERS):
        raise value.wrong('suit letters as "removes"', move)
    return tuple(map(SUIT_LETTERS.index, value.text))
