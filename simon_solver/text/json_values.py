"""Parses JSON into values that know their place in the text, so that errors can name it.

For small and shallow texts: how deep values nest and how many there are is limited, and nothing
recurses further than that. Numbers stay as they are written.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from simon_solver.errors import FormatError
from simon_solver.text.lines import Places

DEEPEST = 8
"""Arrays and objects inside each other."""

MOST_VALUES = 5000
"""Values in a text if nothing else is said."""

_MOST_SHOWN = 60  # characters of a value in an error
_BLANKS = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_WORD = re.compile(r"(?:true|false|null)\b")
_REST = re.compile(r"\S{0,20}")


class Value(NamedTuple):
    """A value and the place of its first character, such as ``line 1, column 9``.

    `kind` is ``object``, ``array``, ``string``, ``number`` or ``word`` (true, false, null); the
    one of the fields below that goes with it is filled, numbers and words in `text`.
    """

    kind: str
    place: str
    text: str = ""
    items: tuple[Value, ...] = ()
    members: tuple[tuple[str, str, Value], ...] = ()
    """Names, their places and what they stand for, in the order written."""

    def wrong(self, wanted: str, within: str = "") -> FormatError:
        """The error that something else was expected here; `within` says which part this is."""
        got = repr(self.text) if self.kind == "string" else self.text or f"an {self.kind}"
        got = got if len(got) <= _MOST_SHOWN else f"{got[:_MOST_SHOWN]}..."
        place = f"{within}, {self.place}" if within else self.place
        return FormatError(f"{place}: expected {wanted}, got {got}")

    def member(self, name: str) -> Value | None:
        """What a name stands for in an object; None where it is not there."""
        return next((value for known, _, value in self.members if known == name), None)


def begins_an_object(text: str) -> bool:
    """True when this can only be JSON: its first character opens an object."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def parse_json(text: str, wanted: str, most_values: int = MOST_VALUES) -> Value:
    """The value that the whole text is; `wanted` says in errors what it should be.

    Raises:
        FormatError: names line and column of what is no JSON, too deep or too much.
    """
    return _Reader(text.removeprefix("\ufeff"), wanted, most_values).whole()


class _Reader:
    """Reads a text from its beginning to its end, once."""

    def __init__(self, text: str, wanted: str, most_values: int) -> None:
        self._text = text
        self._wanted = wanted
        self._most_values = most_values
        self._places = Places(text)
        self._offset = 0
        self._values = 0

    def whole(self) -> Value:
        value = self._value(0)
        self._skip_blanks()
        if self._offset < len(self._text):
            raise self._wrong("the end of the text")
        return value

    def _value(self, depth: int) -> Value:
        self._skip_blanks()
        place = self._place()
        self._values += 1
        if self._values > self._most_values:
            raise FormatError(
                f"{place}: expected {self._wanted}, got more than {self._most_values} values"
            )
        if self._text.startswith(("{", "["), self._offset):
            if depth == DEEPEST:
                raise FormatError(
                    f"{place}: expected {self._wanted}, got values nested {depth + 1} deep"
                )
            if self._take("{"):
                return Value("object", place, members=self._members(depth + 1))
            self._take("[")
            return Value("array", place, items=self._items(depth + 1))
        if self._text.startswith('"', self._offset):
            return Value("string", place, self._string())
        for kind, pattern in (("number", _NUMBER), ("word", _WORD)):
            match = pattern.match(self._text, self._offset)
            if match:
                self._offset = match.end()
                return Value(kind, place, match[0])
        raise self._wrong("a JSON value")

    def _items(self, depth: int) -> tuple[Value, ...]:
        items: list[Value] = []
        if self._take("]"):
            return ()
        while True:
            items.append(self._value(depth))
            if self._take("]"):
                return tuple(items)
            if not self._take(","):
                raise self._wrong("',' or ']'")

    def _members(self, depth: int) -> tuple[tuple[str, str, Value], ...]:
        members: dict[str, tuple[str, str, Value]] = {}
        if self._take("}"):
            return ()
        while True:
            self._skip_blanks()
            place = self._place()
            if not self._text.startswith('"', self._offset):
                raise self._wrong("a name in double quotes")
            name = self._string()
            if name in members:
                raise FormatError(f"{place}: {name!r} appears twice")
            if not self._take(":"):
                raise self._wrong("':'")
            members[name] = (name, place, self._value(depth))
            if self._take("}"):
                return tuple(members.values())
            if not self._take(","):
                raise self._wrong("',' or '}'")

    def _string(self) -> str:
        match = _STRING.match(self._text, self._offset)
        try:
            value = json.loads(match[0]) if match else None
        except ValueError:  # a backslash before what it cannot stand before
            value = None
        if match is None or not isinstance(value, str):
            raise self._wrong("a string in double quotes")
        self._offset = match.end()
        return value

    def _take(self, sign: str) -> bool:
        """Skip blanks and the sign; False when something else stands there."""
        self._skip_blanks()
        found = self._text.startswith(sign, self._offset)
        self._offset += found
        return found

    def _skip_blanks(self) -> None:
        match = _BLANKS.match(self._text, self._offset)
        self._offset = match.end() if match else self._offset

    def _place(self) -> str:
        return self._places.at(self._offset)

    def _wrong(self, wanted: str) -> FormatError:
        match = _REST.match(self._text, self._offset)
        got = repr(match[0]) if match and match[0] else "the end of the text"
        return FormatError(f"{self._place()}: expected {wanted}, got {got}")
