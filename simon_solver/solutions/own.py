"""What `solve` prints: its answer as JSON, and its numbered moves as text."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, Never

from simon_solver.cards import RANK_NAMES, SUIT_LETTERS, Card, Suit, parse_card
from simon_solver.errors import FormatError, SimonError
from simon_solver.lines import lines_of
from simon_solver.moves import MOST_MOVES, MoveText
from simon_solver.solutions.printed import ClaimedMove, Form, GroupMove, Item, Solution

_COLUMNS = r"(?P<source>\d{1,3})>(?P<target>\d{1,3})"
_NUMBERED = re.compile(rf"\s*\d{{1,9}}\.\s+(?P<move>{_COLUMNS}:(?P<count>\d{{1,3}}))(?:\s.*)?")
_SPOKEN = re.compile(
    r"\s*\d{1,9}\.\s+(?P<move>move (?P<cards>.+) from column (?P<source>\d{1,3}) "
    r"to column (?P<target>\d{1,3}))(?:[,;].*)?"
)
_RANK = re.compile(rf"\b(?:{'|'.join(filter(None, RANK_NAMES))})\b")
_DEEPEST = 8
# It need not end: looking for the end from every quotation mark would take for ever.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(r"[\[{\]}]")
_MOST_SHOWN = 60


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
            raise FormatError(f"{place}: columns are counted from 1, got 0")
        items.append(GroupMove(source - 1, target - 1, count, match["move"], place))
    _need_few(items)
    return Solution(Form.LISTING, tuple(items))


def _spoken_count(cards: str, place: str) -> int:
    """How many cards go from the first rank that is named down to the last."""
    ranks = [RANK_NAMES.index(name) for name in _RANK.findall(cards)]
    if not ranks or ranks[0] < ranks[-1]:
        raise FormatError(
            f"{place}: expected cards like 'the 9 and 8 of hearts', got {_shown(cards)}"
        )
    return ranks[0] - ranks[-1] + 1


def read_json(text: str) -> Solution:
    """The moves of ``"solution"``, with the cards and removals that it claims.

    Raises:
        FormatError: it is no JSON, nested too deeply, or not of the form that `solve` prints.
    """
    record = _parsed(text.removeprefix("\ufeff"))
    steps = record.get("solution") if isinstance(record, dict) else None
    if not isinstance(steps, list):
        raise FormatError(
            'expected the JSON of `solve`, an object with a list of moves as "solution", '
            f"got {_shown(record)}"
        )
    _need_few(steps)
    return Solution(Form.JSON, tuple(_claimed(n, step) for n, step in enumerate(steps, 1)))


def _need_few(moves: list[Any]) -> None:
    if len(moves) > MOST_MOVES:
        raise FormatError(f"expected at most {MOST_MOVES} moves, got {len(moves)}")


def _parsed(text: str) -> object:
    """The value of a JSON text that is not deep and holds no name twice."""
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub('""', text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _DEEPEST:
            raise FormatError(f"expected JSON of at most {_DEEPEST} levels, got more")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except FormatError:
        raise
    except json.JSONDecodeError as error:
        raise FormatError(
            f"line {error.lineno}, column {error.colno}: expected JSON: {error.msg}"
        ) from None
    except (ValueError, RecursionError) as error:
        # Such as a number of more digits than Python reads.
        raise FormatError(f"expected JSON: {error}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise FormatError(f"expected JSON with each name once, got {_shown(twice)} twice")
    return found


def _no_number(name: str) -> Never:
    raise FormatError(f"expected JSON, which has no {name}")


def _claimed(number: int, step: object) -> ClaimedMove:
    """The move of a record such as ``{"from": 9, "to": 10, "cards": ["QD"], "removes": ""}``."""
    place = f'move {number} of "solution"'
    if not isinstance(step, dict):
        raise FormatError(f"{place}: expected an object, got {_shown(step)}")
    source, target = (_column(step, name, place) for name in ("from", "to"))
    names = step.get("cards")
    if not isinstance(names, list) or not names:
        raise FormatError(f'{place}: expected a list of cards as "cards", got {_shown(names)}')
    cards = tuple(_card(name, place) for name in names)
    removes = _removes(step["removes"], place) if "removes" in step else None
    return ClaimedMove(MoveText(source - 1, target - 1, len(cards), place), cards, removes)


def _column(step: dict[str, object], name: str, place: str) -> int:
    column = step.get(name)
    # A bool is an int to Python.
    if not isinstance(column, int) or isinstance(column, bool) or not 1 <= column <= 999:
        raise FormatError(f'{place}: expected a column from 1 on as "{name}", got {_shown(column)}')
    return column


def _card(name: object, place: str) -> Card:
    if not isinstance(name, str):
        raise FormatError(f'{place}: expected a card like "7H", got {_shown(name)}')
    try:
        return parse_card(name)
    except SimonError as error:
        raise FormatError(f"{place}: {error}") from None


def _removes(letters: object, place: str) -> tuple[Suit, ...]:
    if not isinstance(letters, str) or not set(letters) <= set(SUIT_LETTERS):
        raise FormatError(f'{place}: expected letters of suits as "removes", got {_shown(letters)}')
    return tuple(map(SUIT_LETTERS.index, letters))


def _shown(value: object) -> str:
    """The value as JSON, cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."
