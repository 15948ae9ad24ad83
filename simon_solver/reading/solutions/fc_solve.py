"""Reads the solutions that fc-solve prints: the moves, and the boards between them.

It reads the output of ``-m`` and ``-sam``, with or without ``-sn`` or ``-snx``, and with boards
of either kind (``-p``, ``-t``)::

    -=-=-=-=-=-=-=-=-=-=-=-

    Move 1 cards from stack 4 to stack 7

    ====================

    Move the sequence on top of Stack 8 to the foundations

In words its columns are counted from 0. In the short notation (``58 107 27v5 9h``) they are counted
from 1 but for those of removals, and how many cards go into an empty column is told by ``-snx``
only, after a ``v`` and in base 16. Text before the first line of dashes is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from simon_solver.errors import CardError, FormatError
from simon_solver.game.cards import SUIT_LETTERS, Card, Suit, parse_card
from simon_solver.game.moves import MOST_MOVES
from simon_solver.reading.solutions.printed import (
    Form,
    GroupMove,
    Item,
    PrintedBoard,
    RunRemoval,
    Solution,
    is_move,
)
from simon_solver.text.lines import beginning, lines_of

WRONG_GAME = (
    "fc-solve played another game, in which single cards go to foundations, as with some of its "
    "presets; try another preset, such as '-l the-last-mohican'"
)

# All are matched against lines without blanks around them, and nowhere may blanks be taken by
# either of two neighbours: trying all ways takes for ever.
_RULE = re.compile(r"(?:-=){4,}-?")
_MOVE = re.compile(
    r"move\s+(\d{1,3})\s+cards?\s+from\s+stack\s+(\d{1,3})\s+to\s+stack\s+(\d{1,3})", re.IGNORECASE
)
_REMOVAL = re.compile(
    r"move\s+the\s+sequence\s+on\s+top\s+of\s+stack\s+(\d{1,3})\s+to\s+the\s+foundations",
    re.IGNORECASE,
)
_SINGLE_CARD = re.compile(r"move\s+a\s+card\s+from\s+(?:stack|freecell)\b.*", re.IGNORECASE)
_SHORT_LINE = re.compile(r"move:(.*)", re.IGNORECASE)
_SHORT_MOVE = re.compile(r"(10|[1-9])(10|[1-9])(?:v([\da-f]{1,2}))?", re.IGNORECASE)
_SHORT_REMOVAL = re.compile(r"(\d{1,2})h", re.IGNORECASE)
_UNSOLVED = re.compile(
    r"(?:i\s+could\s+not\s+solve\s+this\s+game|iterations\s+count\s+exceeded)\b.*", re.IGNORECASE
)
_SOLVED = re.compile(r"this\s+game\s+is\s+solveable\b.*", re.IGNORECASE)
_IGNORED = re.compile(
    r"|={4,}|freecells:|(?:total\s+number\s+of\s+states|this\s+scan\s+generated|iteration:|depth:|"
    r"stored-states:|scan:).*",
    re.IGNORECASE,
)
_PILE = r"[HCDS]-(?:10|[\dATJQK])"
_FOUNDATIONS = re.compile(rf"(?:foundations:\s*)?({_PILE}(?:\s+{_PILE})*)", re.IGNORECASE)
_COLUMN_MARK = "--"
_TABLE_WIDTH = 4
_WORD = re.compile(r"\S+")
_MARKS = (_RULE, _MOVE, _REMOVAL, _SINGLE_CARD, _SHORT_LINE, _UNSOLVED, _SOLVED)
_FIRST = frozenset("-MmTtIi")


def recognises(text: str) -> bool:
    """True when a line is one that fc-solve prints of a solution."""
    return any(_is_marked(line.strip()) for line in lines_of(text))


def _is_marked(line: str) -> bool:
    # A text may have a million lines, most of which the first character rules out.
    if line[:1].isdigit():
        return _is_short(line.split())
    return line[:1] in _FIRST and any(mark.fullmatch(line) for mark in _MARKS)


def _is_short(words: list[str]) -> bool:
    """These are moves in short notation, and no move ``4 7 2`` in ours."""
    if len(words) <= 3 and all(map(str.isdigit, words)):
        return False
    return all(_SHORT_MOVE.fullmatch(word) or _SHORT_REMOVAL.fullmatch(word) for word in words)


def read(text: str) -> Solution:
    """The solution as it is printed; nothing is played yet.

    Raises:
        FormatError: names the line of what fc-solve does not print, or says that there is no
            solution, or one of another game.
    """
    return Solution(Form.FC_SOLVE, tuple(_Reader(lines_of(text)).items()))


@dataclass
class _Reader:
    """Goes through the lines once; `row` is the index of the line that comes next."""

    lines: list[str]
    row: int = 0
    moves: int = 0
    unsolved: str = ""
    solved: bool = False
    found: list[Item] = field(default_factory=list)

    def items(self) -> list[Item]:
        rules = [
            row
            for row, line in enumerate(self.lines)
            if "-=" in line and _RULE.fullmatch(line.strip())
        ]
        self.row = rules[0] + 1 if rules else 0
        if len(rules) > 1:
            raise FormatError(f"line {rules[1] + 1}: expected one solution, got a second")
        while self.row < len(self.lines):
            line = self.lines[self.row]
            self.row += 1
            if not line.strip():
                continue
            place = f"line {self.row}"
            for item in self._items_of(line, place):
                self.moves += is_move(item)
                if self.moves > MOST_MOVES:
                    raise FormatError(f"{place}: expected at most {MOST_MOVES} moves, got more")
                self.found.append(item)
        if self.unsolved and not self.moves:
            raise FormatError(f"expected a solution, got fc-solve's {self.unsolved!r}")
        if not self.moves and (self.solved or any(isinstance(i, PrintedBoard) for i in self.found)):
            raise FormatError("expected moves, got none; run fc-solve with -m or -sam")
        return self.found

    def _items_of(self, whole: str, place: str) -> Iterator[Item]:
        """The items that begin in this line, which has been passed already."""
        line = whole.strip()
        indent = len(whole) - len(whole.lstrip())
        if _IGNORED.fullmatch(line):
            return
        if match := _MOVE.fullmatch(line):
            count, source, target = map(int, match.groups())
            yield GroupMove(source, target, count, line, place)
        elif match := _REMOVAL.fullmatch(line):
            yield RunRemoval(int(match[1]), line, place)
        elif _SINGLE_CARD.fullmatch(line):
            raise FormatError(f"{place}: {WRONG_GAME} ({line!r})")
        elif match := _SHORT_LINE.fullmatch(line):
            yield from _short_items(match[1], indent + match.start(1), place)
        elif match := _FOUNDATIONS.fullmatch(line):
            yield from self._board(_removed(match[1], place), place)
        elif _UNSOLVED.fullmatch(line):
            self.unsolved = line
        elif _SOLVED.fullmatch(line):
            self.solved = True
        else:
            yield from _short_items(line, indent, place)

    def _board(self, removed: tuple[Suit, ...], place: str) -> Iterator[PrintedBoard]:
        """The board below a line of foundations, unless the text breaks off in it."""
        while self.row < len(self.lines) and _IGNORED.fullmatch(self.lines[self.row].strip()):
            self.row += 1
        if self.row == len(self.lines):
            return
        table = set(self.lines[self.row].split()) == {_COLUMN_MARK}
        columns = self._table() if table else self._column_lines()
        if columns is not None:
            yield PrintedBoard(tuple(map(tuple, columns)), removed, place)

    def _column_lines(self) -> list[list[Card]] | None:
        """Columns as a line each after a colon; None when the text ends with them."""
        columns: list[list[Card]] = []
        while self.row < len(self.lines) and self.lines[self.row].lstrip().startswith(":"):
            words = list(_WORD.finditer(self.lines[self.row].replace(":", " ", 1)))
            columns.append([_card(word[0], self.row, word.start()) for word in words])
            self.row += 1
        return columns if self.row < len(self.lines) else None

    def _table(self) -> list[list[Card]] | None:
        """Columns side by side, four characters each; None when the text ends with them."""
        columns: list[list[Card]] = [[] for _ in self.lines[self.row].split()]
        self.row += 1
        while self.row < len(self.lines) and self.lines[self.row].strip():
            line = self.lines[self.row]
            for start in range(0, len(line), _TABLE_WIDTH):
                name = line[start : start + _TABLE_WIDTH]
                number = start // _TABLE_WIDTH
                if not name.strip():
                    continue
                place = start + len(name) - len(name.lstrip())
                card = _card(name.strip(), self.row, place)
                if number >= len(columns):
                    raise FormatError(
                        f"line {self.row + 1}, column {place + 1}: expected a card under one of "
                        f"the {len(columns)} marks --, got {name.strip()!r}"
                    )
                columns[number].append(card)
            self.row += 1
        return columns if self.row < len(self.lines) else None


def _card(word: str, row: int, offset: int) -> Card:
    try:
        return parse_card(word)
    except CardError as error:
        raise FormatError(f"line {row + 1}, column {offset + 1}: {error}") from None


def _removed(text: str, place: str) -> tuple[Suit, ...]:
    """The suits of the removed runs in a line of foundations.

    Raises:
        FormatError: a foundation holds a part of a run.
    """
    removed = []
    for pair in text.upper().split():
        suit, rank = pair.split("-")
        if rank == "K":
            removed.append(SUIT_LETTERS.index(suit))
        elif rank != "0":
            raise FormatError(f"{place}: {WRONG_GAME} ({pair})")
    return tuple(removed)


def _short_items(text: str, offset: int, place: str) -> Iterator[Item]:
    """The moves and removals of a line in short notation.

    Raises:
        FormatError: a word is neither.
    """
    for word in _WORD.finditer(text):
        where = f"{place}, column {offset + word.start() + 1}"
        if match := _SHORT_MOVE.fullmatch(word[0]):
            count = None if match[3] is None else int(match[3], 16)
            yield GroupMove(int(match[1]) - 1, int(match[2]) - 1, count, word[0], where)
        elif match := _SHORT_REMOVAL.fullmatch(word[0]):
            yield RunRemoval(int(match[1]), word[0], where, short=True)
        else:
            raise FormatError(
                f"{where}: expected a line of fc-solve such as 'Move 2 cards from stack 4 to "
                f"stack 7', or moves such as '58 27v5', got "
                f"{beginning(text[word.start() :].strip())!r}"
            )
