"""Compares a design with Simple Simon: how its rules differ, and whether it can be solved.

Only rules that change what a player may do are reported. Where the rules of Cardz leave
several ways to say the same for this game, each of them will do: as no card is ever face down, a
column may release any card of a run or face-up ones only; as a foundation takes a single run of
one suit, its own rules of order say nothing; and as cards come from columns alone, a rule may say
so. The tools that a table can offer stand beside the rules of any game, and are not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from simon_solver.game.layout import (
    COLUMN_SIZES,
    DECKS,
    FEWEST_COLUMNS,
    MOST_COLUMNS,
    ColumnSizes,
    sizes_text,
)
from simon_solver.reading.designs import vocabulary as words
from simon_solver.reading.designs.blueprint import Blueprint, Pile, pack_size, read_blueprint
from simon_solver.reading.designs.vocabulary import Plain, told

_DECK = DECKS[4]
_DOWN = {"direction": "Down"}
_COLUMN_ACCEPT = {"build": _DOWN}
_RUN = {"kind": "Run", "build": _DOWN, "suit": "Same"}
_FOUNDATION_ACCEPT = {"emptyOnly": True, "minCount": _DECK.ranks, "seed": "King"}
_WHEN_EMPTY = ("emptyOnly", "seed", "seedNone", "seedFromDeal")
_IDLE = ("allowFaceDown", "wildJoker")  # there are no such cards
_OTHER_THAN_MOVES = ("draw", "landFace", "landUnder", "uncoveredBy")


class Rule(StrEnum):
    """What a difference can be about."""

    DECK = "deck"
    COLUMNS = "columns"
    SIZES = "deal sizes"
    DEAL = "deal"
    BUILD = "build"
    EMPTY = "empty columns"
    UNIT = "unit"
    AUTO_SEND = "auto-send"
    FOUNDATIONS = "foundations"
    PILES = "piles"
    REDEAL = "redeal"
    WIN = "win condition"
    LOSS = "loss condition"


@dataclass(frozen=True)
class Difference:
    """Something that the game solved here has otherwise, in words, and where the file says it.

    `is_layout`: it changes only how many columns are dealt how many cards.
    """

    rule: Rule
    expected: str
    found: str
    place: str
    is_layout: bool = False


@dataclass(frozen=True)
class Design:
    """A game as a design file describes it, beside the one solved here."""

    name: str
    suits: int | None
    """1, 2 or 4; None where the deck is another."""
    column_sizes: ColumnSizes
    """Cards that each column is dealt, in the order of the file."""
    differences: tuple[Difference, ...]

    @property
    def is_same(self) -> bool:
        """It is the game solved here."""
        return not self.differences

    @property
    def is_solvable(self) -> bool:
        """It is that game, or has no more than another layout."""
        return all(difference.is_layout for difference in self.differences)


def parse_design(text: str) -> Design:
    """The design in the text of a Cardz design file.

    Raises:
        FormatError: names line and column of what is no design that Cardz would take.
    """
    design = read_blueprint(text)
    names = [name for pile in design.of_kind("Tableau") for name in pile.names]
    sizes = tuple(design.deal.sizes[name] for name in names)
    found = (
        *_deck_differences(design),
        *_layout_differences(design, sizes),
        *_deal_differences(design, names),
        *(d for pile in design.of_kind("Tableau") for d in _column_differences(design, pile)),
        *_setup_differences(design),
        *_foundation_differences(design),
        *_pile_differences(design),
        *_goal_differences(design),
    )
    return Design(design.name, _suits(design), sizes, found)


def _suits(design: Blueprint) -> int | None:
    """How many suits the deck has, all equally often, if it is one of ours."""
    copies: Counter[str] = Counter()
    for pack in design.packs:
        ranks = pack.get("ranks", words.RANK_WORDS)
        if sorted(ranks) != sorted(words.RANK_WORDS) or "jokers" in pack:
            return None
        for suit in pack.get("suits", words.SUIT_WORDS):
            copies[suit] += pack.get("count", 1)
    used = sorted(count for count in copies.values() if count)
    for suits, deck in DECKS.items():
        if used == [deck.runs // suits] * suits:
            return suits
    return None


def _deck_differences(design: Blueprint) -> Iterator[Difference]:
    if _suits(design) is None:
        packs = "; ".join(
            f"{pack_size(pack)} cards" + (f" ({told(pack)})" if pack else "")
            for pack in design.packs
        )
        yield Difference(
            Rule.DECK,
            f"{_DECK.size} cards, of one, two or four suits equally often",
            packs or "no card",
            design.place_of("decks"),
        )


def _layout_differences(design: Blueprint, sizes: ColumnSizes) -> Iterator[Difference]:
    columns = len(sizes)
    fits = FEWEST_COLUMNS <= columns <= MOST_COLUMNS
    place = next((pile.place_of("repeat") for pile in design.of_kind("Tableau")), "")
    if columns != len(COLUMN_SIZES):
        wanted = f"{len(COLUMN_SIZES)}"
        if not fits:
            wanted += f" (others can be solved with {FEWEST_COLUMNS} to {MOST_COLUMNS})"
        where = place or design.place_of("depots")
        yield Difference(Rule.COLUMNS, wanted, str(columns), where, fits)
    if sizes != COLUMN_SIZES:
        # Where they do not hold all cards, the deck or the deal is another as well.
        told_sizes = sizes_text(sizes) or "none"
        where = design.place_of("dealRules")
        yield Difference(Rule.SIZES, sizes_text(COLUMN_SIZES), told_sizes, where, is_layout=True)


def _deal_differences(design: Blueprint, columns: Iterable[str]) -> Iterator[Difference]:
    """What the deal does beside dealing face-up cards to columns."""
    deal, place = design.deal, design.place_of("dealRules")
    if deal.left:
        yield Difference(Rule.DEAL, "all cards dealt", f"{deal.left} left in the stock", place)
    if deal.face_down:
        yield Difference(Rule.DEAL, "all cards face up", f"{deal.face_down} face down", place)
    elsewhere = sum(deal.sizes.values()) - sum(deal.sizes[name] for name in set(columns))
    if elsewhere:
        yield Difference(Rule.DEAL, "cards dealt to columns alone", f"{elsewhere} others", place)
    for step, where in deal.others:
        yield Difference(Rule.DEAL, "groups dealt from the stock alone", step, where)
    if design.redeals and design.setup.get("maxRedeals") != 0:
        yield Difference(Rule.REDEAL, "none", "redealRules", design.place_of("redealRules"))


def _column_differences(design: Blueprint, pile: Pile) -> Iterator[Difference]:
    """The rules of columns."""
    accept = _effective(design, pile.accept)
    empty = {name: accept.pop(name) for name in _WHEN_EMPTY if name in accept}
    if "autoRefill" in pile.rules:
        empty["autoRefill"] = pile.rules["autoRefill"]
    if accept != _COLUMN_ACCEPT:
        place = pile.place_of("acceptRule")
        yield Difference(Rule.BUILD, "down by one in any suit, no wrap", told(accept), place)
    if empty:
        place = pile.place_of("acceptRule")
        yield Difference(Rule.EMPTY, "any card or run goes there", told(empty), place)
    unit = pile.eject.get("unit")
    if unit != _RUN or pile.eject.get("gate", "Any") not in ("Any", "FaceUp"):
        place = pile.place_of("ejectRule")
        found = dict(pile.eject)
        if isinstance(unit, dict) and unit.get("kind") == "Run" and "suit" not in unit:
            found["unit"] = {**unit, "suit": "Any"}  # what is not said may be all that differs
        yield Difference(Rule.UNIT, "runs down by one in one suit", told(found), place)
    send = pile.rules.get("autoSend")
    if design.kind_of(send) != "Foundation":
        place = pile.place_of("autoSend")
        yield Difference(Rule.AUTO_SEND, "to the foundations", str(send or "none"), place)
    yield from _other_rules(pile)


def _effective(design: Blueprint, accept: Plain) -> Plain:
    """What of a rule can ever refuse a card in this game."""
    plain = {name: value for name, value in accept.items() if name not in _IDLE}
    if plain.get("minCount", 1) <= 1:
        plain.pop("minCount", None)
    if design.kind_of(plain.get("acceptFrom")) == "Tableau":
        del plain["acceptFrom"]
    return plain


def _other_rules(pile: Pile) -> Iterator[Difference]:
    """Rules that no pile has here."""
    for name in _OTHER_THAN_MOVES if pile.kind == "Stock" else (*_OTHER_THAN_MOVES, "offTable"):
        if name in pile.rules:
            found = f"{pile.kind}: {told({name: pile.rules[name]})}"
            yield Difference(Rule.PILES, "no other rules", found, pile.place_of(name))


def _setup_differences(design: Blueprint) -> Iterator[Difference]:
    """What holds for all moves."""
    if "compoundMoves" in design.setup:
        place = design.place_of("compoundMoves")
        yield Difference(Rule.UNIT, "runs of any length", "compoundMoves Staged", place)
    if "depotOnly" not in design.setup:
        place = design.place_of("depotOnly")
        yield Difference(Rule.PILES, "cards on depots alone", "depotOnly false", place)


def _foundation_differences(design: Blueprint) -> Iterator[Difference]:
    """How many foundations there are, and their rules."""
    piles = list(design.of_kind("Foundation"))
    count = sum(len(pile.names) for pile in piles)
    if count != _DECK.runs:
        place = piles[0].place_of("repeat") if piles else design.place_of("depots")
        yield Difference(Rule.FOUNDATIONS, f"{_DECK.runs}", str(count), place)
    for pile in piles:
        accept = _effective(design, pile.accept)
        if accept.get("build") == _DOWN:
            del accept["build"]
        if accept.get("suit") == "Same":
            del accept["suit"]
        if accept != _FOUNDATION_ACCEPT:
            place = pile.place_of("acceptRule")
            expected = told(_FOUNDATION_ACCEPT)
            yield Difference(Rule.FOUNDATIONS, expected, told(pile.accept), place)
        if pile.eject.get("gate") != "Locked":
            place = pile.place_of("ejectRule")
            yield Difference(Rule.FOUNDATIONS, "gate Locked", told(pile.eject), place)
        for name in ("autoSend", "autoRefill"):
            if name in pile.rules:
                place = pile.place_of(name)
                yield Difference(Rule.FOUNDATIONS, f"no {name}", str(pile.rules[name]), place)
        yield from _other_rules(pile)


def _pile_differences(design: Blueprint) -> Iterator[Difference]:
    """Piles that are none of the game, and a stock that is more than the source of the deal."""
    for pile in design.piles:
        if pile.kind not in ("Stock", "Foundation", "Tableau"):
            yield Difference(
                Rule.PILES, "a stock, foundations and columns alone", pile.kind, pile.places[""]
            )
    for pile in design.of_kind("Stock"):
        # It is empty after the deal: what matters is whether cards can come back to it.
        if "offTable" not in pile.rules and "rejectsAll" not in pile.accept:
            found = f"Stock: {told(pile.accept)}"
            yield Difference(Rule.PILES, "a stock off the table", found, pile.places[""])
        if "autoRefill" in pile.rules:
            found = f"Stock: {told({'autoRefill': pile.rules['autoRefill']})}"
            yield Difference(Rule.PILES, "no other rules", found, pile.place_of("autoRefill"))
        yield from _other_rules(pile)


def _goal_differences(design: Blueprint) -> Iterator[Difference]:
    """When the game is won, and whether it can be lost."""
    win: Plain = design.win
    if win.get("kind") != "allCardsIn" or design.kind_of(win.get("depots")) != "Foundation":
        place = design.place_of("winCondition")
        yield Difference(Rule.WIN, "kind allCardsIn, depots Foundation", told(win), place)
    if design.loss:
        yield Difference(Rule.LOSS, "none", told(design.loss), design.place_of("lossCondition"))
