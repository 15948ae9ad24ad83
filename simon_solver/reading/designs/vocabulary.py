"""Reads the words of a Cardz design file into plain values, one for each meaning.

A rule becomes a dictionary of what differs from the defaults, so that two rules that mean the same
are equal, whether they spell a default out, use a shorthand or write a name in another case. As
Cardz does, names that are not known are skipped. Source: "Rule & Composition Vocabulary", the
reference of the format, https://cardz.roderic.dev
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from simon_solver.errors import FormatError
from simon_solver.text.json_values import Value

Reader = Callable[[Value], Any]
"""Makes a plain value of a JSON value; raises `FormatError` with its place."""
Plain = dict[str, Any]
"""What a rule says beyond the defaults, by the names of its fields."""

PILE_TYPES = ("Stock", "Waste", "Foundation", "Tableau", "Cell", "Reserve", "Layout")
SUIT_WORDS = ("Spades", "Hearts", "Diamonds", "Clubs")
RANK_WORDS = (
    "Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
    "Jack", "Queen", "King",
)  # fmt: skip

_WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)


class Field(NamedTuple):
    """How a field of a record is read, and what it is when it is not there or null."""

    read: Reader
    default: Any = None


class Pattern(NamedTuple):
    """Piles of a type, or those with certain names; the other one is empty."""

    of_type: str = ""
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.of_type or " ".join(self.names)


def members_of(value: Value, wanted: str) -> dict[str, Value]:
    """The members of an object by their names in lower case; nulls are left out.

    Raises:
        FormatError: it is no object, or has a name twice.
    """
    if value.kind != "object":
        raise value.wrong(wanted)
    found: dict[str, Value] = {}
    for name, place, member in value.members:
        if name.lower() in found:
            raise FormatError(f"{place}: {name!r} appears twice")
        found[name.lower()] = member
    return {name: m for name, m in found.items() if (m.kind, m.text) != ("word", "null")}


def items_of(value: Value, wanted: str) -> tuple[Value, ...]:
    """The items of an array."""
    if value.kind != "array":
        raise value.wrong(wanted)
    return value.items


def text(value: Value) -> str:
    """A text that is not empty."""
    if value.kind != "string" or not value.text.strip():
        raise value.wrong("a string")
    return value.text


def flag(value: Value) -> bool:
    """True or false."""
    if value.kind != "word":
        raise value.wrong("true or false")
    return value.text == "true"


def whole(value: Value) -> int:
    """A whole number of at least 0."""
    if value.kind != "number" or not _WHOLE.fullmatch(value.text):
        raise value.wrong("a whole number")
    return int(value.text)


def choice(*words: str) -> Reader:
    """The reader of one of these words, in either case."""
    known = {word.lower(): word for word in words}

    def read(value: Value) -> str:
        if value.kind != "string" or value.text.lower() not in known:
            raise value.wrong(f"one of {', '.join(words)}")
        return known[value.text.lower()]

    return read


def texts(value: Value) -> tuple[str, ...]:
    """An array of texts, or a single one."""
    if value.kind == "string":
        return (text(value),)
    return tuple(map(text, items_of(value, "a string or an array of strings")))


def list_of(read: Reader) -> Reader:
    """The reader of an array."""
    return lambda value: tuple(map(read, items_of(value, "an array")))


def record(fields: Mapping[str, Field], **shorthands: Plain) -> Reader:
    """The reader of an object with these fields, or of a word that stands for one."""
    words = {word.lower(): plain for word, plain in shorthands.items()}
    wanted = "an object" + (f" or one of {', '.join(shorthands)}" if shorthands else "")

    def read(value: Value) -> Plain:
        if value.kind == "string" and value.text.lower() in words:
            return dict(words[value.text.lower()])
        members = members_of(value, wanted)
        return dict(_said(members, fields))

    return read


def _said(members: Mapping[str, Value], fields: Mapping[str, Field]) -> Iterator[tuple[str, Any]]:
    """The fields that do not have their default."""
    for name, (read, default) in fields.items():
        if name.lower() in members:
            plain = read(members[name.lower()])
            if plain != default:
                yield name, plain


def pattern(value: Value) -> Pattern:
    """Some piles: a type, or a list of names, each alone or in an object."""
    if value.kind == "string":
        return Pattern(PILE_TYPE(value))
    if value.kind == "array":
        return Pattern("", texts(value))
    members = members_of(value, "a type of depots, an array of their names, or an object")
    if len({"oftype", "names"} & members.keys()) != 1:
        raise value.wrong("either 'ofType' or 'names'")
    if "oftype" in members:
        return Pattern(PILE_TYPE(members["oftype"]))
    return Pattern("", texts(members["names"]))


def _wild_declares(value: Value) -> str:
    words = choice("none", "suit", "free")
    return "suit" if value.text == "true" and value.kind == "word" else str(words(value))


def _is_there(_value: Value) -> bool:
    return True


PILE_TYPE = choice(*PILE_TYPES)
_rank = Field(choice(*RANK_WORDS))
_flag = Field(flag, False)
_suit = Field(choice("Any", "Same", "AlternateColor"), "Any")
_build = Field(
    record(
        {
            "direction": Field(choice("Up", "Down", "Either"), "Up"),
            "step": Field(whole, 1),
            "wrap": _flag,
            "sum": Field(whole),
        }
    )
)

ACCEPT_RULE = record(
    {
        "rejectsAll": _flag,
        "emptyOnly": _flag,
        "single": _flag,
        "minCount": Field(whole),
        "seed": _rank,
        "seedNone": _flag,
        "seedFromDeal": _flag,
        "rankIs": _rank,
        "build": _build,
        "suit": _suit,
        "follow": _flag,
        "wildRank": _rank,
        "wildJoker": _flag,
        "wildDeclares": Field(_wild_declares, "none"),
        "acceptFrom": Field(pattern),
        "allowFaceDown": _flag,
    },
    any={},
    none={"rejectsAll": True},
    emptyOnly={"emptyOnly": True},
)
EJECT_RULE = record(
    {
        "gate": Field(choice("Any", "Locked", "FaceUp", "TopOnly"), "Any"),
        "unit": Field(
            record(
                {
                    "kind": Field(choice("Single", "Any", "Run"), "Any"),
                    "build": _build,
                    "suit": _suit,
                },
                single={"kind": "Single"},
                any={},
            )
        ),
    },
    any={},
    locked={"gate": "Locked"},
    faceUp={"gate": "FaceUp"},
    topOnly={"gate": "TopOnly"},
)
OTHER_RULES = record(
    {
        "autoSend": Field(pattern),
        "autoRefill": Field(pattern),
        "draw": Field(_is_there, False),
        "landFace": Field(choice("Up", "Down"), "Up"),
        "landUnder": _flag,
        "offTable": _flag,
        "uncoveredBy": Field(texts, ()),
    }
)
"""Of a pile. (To land face up and to keep the face are the same where no card is face down.)"""
PACK = record(
    {
        "suits": Field(list_of(choice(*SUIT_WORDS))),
        "ranks": Field(list_of(choice(*RANK_WORDS))),
        "count": Field(whole, 1),
        "jokers": Field(whole, 0),
    }
)
DEAL_GROUP = record(
    {
        "to": Field(texts, ()),
        "faceDown": Field(whole, 0),
        "faceUp": Field(whole, 0),
        "roundRobin": _flag,
        "from": Field(text),
    }
)
SETUP = record(
    {
        "depotOnly": _flag,
        "compoundMoves": Field(choice("Free", "Staged"), "Free"),
        "maxRedeals": Field(whole),
    }
)
"""What holds for the whole game."""
STEP_KINDS = choice("dealGroup", "move", "flipTop", "place", "gather", "shuffle")
CONDITION_KINDS = choice(
    "allCardsIn",
    "allCardsFaceUp",
    "depotsEmpty",
    "depotsNonEmpty",
    "allOf",
    "anyOf",
    "noLegalMoves",
)


def told(plain: Plain) -> str:
    """The rule in the words of the file, such as ``build (direction Down), suit Same``."""
    return ", ".join(map(_told_field, plain.items())) or "nothing said"


def _told_field(field: tuple[str, Any]) -> str:
    name, value = field
    if isinstance(value, dict):
        return f"{name} ({told(value)})"
    return name if value is True else f"{name} {value}"
