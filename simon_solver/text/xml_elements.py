"""Parses XML into elements that know their place; no XML can make the reader do more than read.

No document type is read that declares or refers to something, so there are no entities but the
five that XML has by itself. How deep elements nest and how many there are is limited; text between
them is skipped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from simon_solver.errors import FormatError

DEEPEST = 6
"""Elements inside each other."""

MOST_ELEMENTS = 50_000
"""Elements in a text."""


@dataclass(frozen=True)
class Element:
    """An element and the place of its tag, such as ``line 3, column 7``."""

    name: str
    attributes: dict[str, str]
    place: str
    children: list[Element] = field(default_factory=list)

    def wrong(self, wanted: str, attribute: str = "") -> FormatError:
        """The error that something else was expected here, or of this attribute."""
        got = f"<{self.name}>"
        if attribute:
            value = self.attributes.get(attribute)
            got = f"none in {got}" if value is None else f'{attribute}="{value}"'
        return FormatError(f"{self.place}: expected {wanted}, got {got}")

    def children_named(self, name: str) -> list[Element]:
        """The children; all have this name."""
        for child in self.children:
            if child.name != name:
                raise child.wrong(f"<{name}>")
        return self.children


def parse_xml(text: str, wanted: str, document_type: str) -> Element:
    """The root element; `wanted` says in errors what the text should be.

    A document type may be named, but only this one, and without contents.

    Raises:
        FormatError: names line and column of what is no XML, not allowed, too deep or too much.
    """
    return _Reader(wanted, document_type).root_of(text)


class _Reader:
    """Builds the elements as expat comes to their tags; raising in a handler ends the parse."""

    def __init__(self, wanted: str, document_type: str) -> None:
        self._wanted = wanted
        self._document_type = document_type
        self._open: list[Element] = []
        self._count = 0
        self._root: Element | None = None
        # The text is encoded here, whatever its first line says of its encoding.
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity

    def root_of(self, text: str) -> Element:
        data = text.removeprefix("\ufeff").encode("utf-8", "replace")
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.errors.messages.get(error.code, "unknown error")
            place = f"line {error.lineno}, column {error.offset + 1}"
            raise FormatError(f"{place}: expected XML: {reason}") from None
        if self._root is None:  # expat has complained of that
            raise FormatError("expected XML: no element found")
        return self._root

    def _place(self) -> str:
        parser = self._parser
        return f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber + 1}"

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        place = self._place()
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise FormatError(
                f"{place}: expected {self._wanted}, got more than {MOST_ELEMENTS} elements"
            )
        if len(self._open) == DEEPEST:
            raise FormatError(
                f"{place}: expected {self._wanted}, got elements nested {DEEPEST + 1} deep"
            )
        element = Element(name, attributes, place)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _doctype(self, name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        if name != self._document_type or system or public or has_subset:
            raise FormatError(
                f"{self._place()}: expected no document type other than "
                f"<!DOCTYPE {self._document_type}>, without declarations"
            )

    def _entity(self, *_: object) -> None:
        raise FormatError(f"{self._place()}: expected no entity declaration")
