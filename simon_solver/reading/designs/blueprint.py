"""Reads a Cardz design file: its cards, its piles and their rules, and its deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from simon_solver.errors import FormatError
from simon_solver.reading.designs import vocabulary as words
from simon_solver.reading.designs.vocabulary import Pattern, Plain, items_of, members_of
from simon_solver.text.json_values import Value, parse_json

MOST_PILES, MOST_CARDS = 256, 208
"""Of a board; Cardz takes no more."""
_WANTED = "a Cardz design, a JSON object with 'name' and 'depots'"
_MOST_VALUES = 20_000  # such a board written out in full has less


class Pile(NamedTuple):
    """Piles of one entry: their type, their names (empty where there is none), what they say.

    `rules` are those of `vocabulary.OTHER_RULES`.
    """

    kind: str
    names: tuple[str, ...]
    accept: Plain
    eject: Plain
    rules: Plain
    places: Mapping[str, str]

    def place_of(self, name: str) -> str:
        """Where a member of the entry stands, or the entry when it has none of that name."""
        return self.places.get(name.lower(), self.places[""])


@dataclass
class Deal:
    """What the deal does with the shuffled pack."""

    left: int
    """Cards in the stock; at the end, those that are not dealt."""
    sizes: Counter[str] = field(default_factory=Counter)
    """Cards that each pile is dealt, by its name."""
    face_down: int = 0
    others: list[tuple[str, str]] = field(default_factory=list)
    """Steps that are no such group: what they are and where they stand."""


@dataclass(frozen=True)
class Blueprint:
    """All of a design that the rules of the game depend on; `places` say where it stands."""

    name: str
    packs: tuple[Plain, ...]
    piles: tuple[Pile, ...]
    deal: Deal
    setup: Plain
    win: Plain
    loss: Plain
    redeals: int
    """Steps of the deal that a player may ask for later."""
    places: Mapping[str, str]

    def place_of(self, name: str) -> str:
        """Where a member of the whole stands, or the whole when it has none of that name."""
        return self.places.get(name.lower(), self.places[""])

    def of_kind(self, kind: str) -> Iterator[Pile]:
        """The entries of a type, in their order."""
        return (pile for pile in self.piles if pile.kind == kind)

    def kind_of(self, pattern: Pattern | None) -> str:
        """The type whose piles a pattern matches, each of them and no others; else empty."""
        if pattern is None or pattern.of_type:
            return pattern.of_type if pattern else ""
        for kind in words.PILE_TYPES:
            names = [name for pile in self.of_kind(kind) for name in pile.names]
            if set(names) == set(pattern.names) and names:
                return kind
        return ""


def read_blueprint(text: str) -> Blueprint:
    """The design in a text.

    Raises:
        FormatError: names line and column of what is no design that Cardz would take.
    """
    root = parse_json(text, "a Cardz design in JSON", _MOST_VALUES)
    members = members_of(root, _WANTED)
    if "setup" in members:  # as Cardz exports it
        root = members["setup"]
        members = members_of(root, _WANTED)
    for name in ("name", "depots"):
        if name not in members:
            raise FormatError(f"{root.place}: expected {_WANTED}, got one without {name!r}")
    packs, size = _packs(members.get("decks"))
    piles = _piles(members)
    _check_patterns(piles)
    steps = items_of(members["dealrules"], "an array of steps") if "dealrules" in members else ()
    win, loss = (_condition(members.get(f"{name}condition"), piles) for name in ("win", "loss"))
    redeals = items_of(members["redealrules"], "an array") if "redealrules" in members else ()
    return Blueprint(
        name=words.text(members["name"]),
        packs=packs,
        piles=piles,
        deal=_deal(steps, size, piles),
        setup=words.SETUP(root),
        win=win,
        loss=loss,
        redeals=len(redeals),
        places={"": root.place, **{name: value.place for name, value in members.items()}},
    )


def _packs(decks: Value | None) -> tuple[tuple[Plain, ...], int]:
    """The packs, by default a single one, and their cards in all."""
    if decks is None:
        return ({},), len(words.SUIT_WORDS) * len(words.RANK_WORDS)
    packs: tuple[Plain, ...] = words.list_of(words.PACK)(decks)
    size = sum(map(pack_size, packs))
    if size > MOST_CARDS:
        raise FormatError(f"{decks.place}: expected at most {MOST_CARDS} cards, got {size}")
    return packs, size


def pack_size(pack: Plain) -> int:
    """Cards of a pack with all its copies."""
    suits, ranks = pack.get("suits", words.SUIT_WORDS), pack.get("ranks", words.RANK_WORDS)
    size: int = (len(suits) * len(ranks) + pack.get("jokers", 0)) * pack.get("count", 1)
    return size


def _piles(members: Mapping[str, Value]) -> tuple[Pile, ...]:
    """The piles, each name once."""
    entries = items_of(members["depots"], "an array of depots")
    rules = members_of(members["rules"], "an object of rules") if "rules" in members else {}
    piles: list[Pile] = []
    taken: set[str] = set()
    count = 0
    for entry in entries:
        names, inner = _names(entry)
        count += len(names)
        if count > MOST_PILES:
            raise FormatError(f"{entry.place}: expected at most {MOST_PILES} depots, got {count}")
        for name in names:
            if name in taken:
                raise FormatError(f"{entry.place}: two depots are called {name!r}")
        taken.update(filter(None, names))
        accept, eject = (_resolved(inner.get(f"{half}rule"), rules) for half in ("accept", "eject"))
        piles.append(
            Pile(
                words.PILE_TYPE(inner["type"]),
                names,
                {} if accept is None else words.ACCEPT_RULE(accept),
                {} if eject is None else words.EJECT_RULE(eject),
                words.OTHER_RULES(entry),
                {"": entry.place, **{name: value.place for name, value in inner.items()}},
            )
        )
    if not piles:
        raise members["depots"].wrong("at least one depot")
    return tuple(piles)


def _names(entry: Value) -> tuple[tuple[str, ...], dict[str, Value]]:
    """The names of an entry's piles, and its members."""
    inner = members_of(entry, "a depot, an object with a type")
    if "type" not in inner:
        raise FormatError(f"{entry.place}: expected a depot with 'type', got one without")
    stem = words.text(inner["name"]) if "name" in inner else ""
    if "repeat" not in inner:
        return (stem,), inner
    repeat = words.whole(inner["repeat"])
    if not 1 <= repeat <= MOST_PILES:
        raise inner["repeat"].wrong(f"a number from 1 to {MOST_PILES}")
    return tuple(stem and f"{stem}-{number}" for number in range(1, repeat + 1)), inner


def _resolved(rule: Value | None, rules: Mapping[str, Value]) -> Value | None:
    """The rule itself, or the one that it names."""
    if rule is None or rule.kind != "string" or not rule.text.startswith("$"):
        return rule
    named = rules.get(rule.text[1:].lower())
    if named is None:
        raise rule.wrong("the name of a rule in 'rules'")
    return named


def _check_patterns(piles: Sequence[Pile]) -> None:
    """Every pile that a rule of a pile names is there."""
    for pile in piles:
        for name, rule in (*pile.accept.items(), *pile.rules.items()):
            if isinstance(rule, Pattern):
                place = pile.place_of("acceptRule" if name == "acceptFrom" else name)
                _need_piles(rule, piles, place)


def _need_piles(pattern: Pattern, piles: Sequence[Pile], place: str) -> None:
    """Some pile is of the type, and all names are those of piles."""
    known = _names_of(piles)
    kinds = {pile.kind for pile in piles}
    there = pattern.of_type in kinds if pattern.of_type else set(pattern.names) <= known
    if not there or not any(pattern):
        raise FormatError(f"{place}: expected depots of this design, got {str(pattern)!r}")


def _names_of(piles: Sequence[Pile]) -> set[str]:
    return {name for pile in piles for name in pile.names if name}


def _deal(steps: Sequence[Value], size: int, piles: Sequence[Pile]) -> Deal:
    """What the steps do with a pack of so many cards."""
    deal = Deal(size)
    known = _names_of(piles)
    stocks = [name for pile in piles if pile.kind == "Stock" for name in pile.names]
    for step in steps:
        inner = members_of(step, "a step of the deal, an object with 'kind'")
        if "kind" not in inner:
            raise step.wrong("a step of the deal, an object with 'kind'")
        kind = words.STEP_KINDS(inner["kind"])
        if kind != "dealGroup":
            deal.others.append((kind, step.place))
            continue
        group = words.DEAL_GROUP(step)
        targets = group.get("to", ())
        for name in (*targets, *filter(None, [group.get("from")])):
            if name not in known:
                raise FormatError(f"{step.place}: expected the name of a depot, got {name!r}")
        if not stocks or group.get("from", stocks[0]) != stocks[0]:
            deal.others.append(("dealGroup from another pile than the stock", step.place))
            continue
        _deal_group(deal, targets, group)
    return deal


def _deal_group(deal: Deal, targets: Sequence[str], group: Plain) -> None:
    """Deal a group, as far as there are cards."""
    down, up = group.get("faceDown", 0), group.get("faceUp", 0)
    each = min(down + up, deal.left)
    # one after the other, or a card for each of them in turn: (target, how many-th card of it)
    order = [(target, nth) for target in targets for nth in range(each)]
    if "roundRobin" in group:
        order.sort(key=lambda place: place[1])
    for target, nth in order[: deal.left]:
        deal.sizes[target] += 1
        deal.face_down += nth < down
    deal.left -= min(deal.left, len(order))


def _condition(condition: Value | None, piles: Sequence[Pile]) -> Plain:
    """The kind of a condition and its piles; what groups hold is not looked at."""
    if condition is None:
        return {}
    inner = members_of(condition, "a condition, an object with 'kind'")
    if "kind" not in inner:
        raise condition.wrong("a condition, an object with 'kind'")
    found: Plain = {"kind": words.CONDITION_KINDS(inner["kind"])}
    if "depots" in inner:
        found["depots"] = words.pattern(inner["depots"])
        _need_piles(found["depots"], piles, inner["depots"].place)
    return found
