"""KPat saved games: XML, in its current form and in that of KDE 4.

Today's form is the whole deal and then what each move changed::

    <kpat-game game-type="simplesimon" deal-number="72">
        <state>
            <move pile="store0" position="0">
                <card id="0852228" suit="diamonds" rank="four" turn="face-up"/>

A ``move`` takes cards from wherever they are and puts them into a pile, the first to that place
from 0. The piles are store0 to store9 and, for removed runs, target0 to target3. The state with
``current="true"`` (else the last) is the present one; those after it have been undone. Each state
after the first that puts cards into a column counts as a move made; the others remove runs.

The older form has ``<dealer id="9" moves="75">`` with ``<pile index="1">`` (1 to 4 the runs, 5 to
14 the columns) and ``<card suit="0" value="13"/>``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from simon_solver.errors import FormatError
from simon_solver.game.cards import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    KING,
    SPADES,
    SUIT_NAMES,
    Card,
    Suit,
    card_name,
    make_card,
    rank_of,
    suit_of,
)
from simon_solver.game.position import Position
from simon_solver.reading.formats.assembly import (
    COLUMN_COUNT,
    Game,
    PlacedCard,
    assemble,
    need_four_suits,
)
from simon_solver.text.xml_elements import Element, parse_xml

NAME = "a KPat saved game"

_DOCUMENT_TYPE = "kpat"
_GAME_TYPE, _LEGACY_ID = "simplesimon", 9
_TARGETS = tuple(f"target{number}" for number in range(4))
_STORES = tuple(f"store{number}" for number in range(COLUMN_COUNT))
_RANKS = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king",
)  # fmt: skip
_SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)
"""Our suits in the order of KPat's numbers."""

_MARK = re.compile(r"<(?:\?xml|kpat-game|dealer)\b|<!(?:DOCTYPE\s+kpat\b|ENTITY\b)")
_WHOLE = re.compile(r"[0-9]{1,9}")

Piles = dict[str, list[PlacedCard]]


def recognises(text: str) -> bool:
    """True when it begins as XML does and has an element of KPat's, or begins as any XML file."""
    start = text.lstrip("\ufeff \t\r\n")
    return start.startswith("<") and _MARK.search(start) is not None


def read(text: str) -> Position:
    """The present position; see `read_game`."""
    return read_game(text).position


def read_game(text: str) -> Game:
    """The present position and the moves made before it.

    Raises:
        FormatError: names line and column of what is wrong, or the cards missing or too many.
    """
    root = parse_xml(text, "a saved game", _DOCUMENT_TYPE)
    if root.name == "kpat-game":
        if root.attributes.get("game-type") != _GAME_TYPE:
            raise root.wrong(f'a game of Simple Simon, game-type="{_GAME_TYPE}"', "game-type")
        piles, moves = _present_piles(root)
    elif root.name == "dealer":
        if _whole(root, "id") != _LEGACY_ID:
            raise root.wrong(f'a game of Simple Simon, id="{_LEGACY_ID}"', "id")
        piles = _legacy_piles(root)
        moves = _whole(root, "moves") if "moves" in root.attributes else 0
    else:
        raise root.wrong("<kpat-game> or <dealer>")
    removed = [_run_of(piles[name]) for name in _TARGETS if piles[name]]
    return Game(assemble([piles[name] for name in _STORES], removed), moves)


def _present_piles(root: Element) -> tuple[Piles, int]:
    """The piles after the current state, and the moves made up to it."""
    states = root.children_named("state")
    marked = [n for n, state in enumerate(states, 1) if state.attributes.get("current") == "true"]
    if not states:
        raise root.wrong("a <state> in it")
    if len(marked) > 1:
        raise states[marked[1] - 1].wrong("only one current state", "current")
    piles: Piles = {name: [] for name in _TARGETS + _STORES}
    pile_of: dict[Card, str] = {}
    moves = 0
    for number, state in enumerate(states[: marked[0] if marked else None]):
        changed: set[Card] = set()
        for move in state.children_named("move"):
            _apply(move, piles, pile_of, changed)
        to_columns = any(move.attributes["pile"] in _STORES for move in state.children)
        moves += number > 0 and to_columns
    return piles, moves


def _apply(move: Element, piles: Piles, pile_of: dict[Card, str], changed: set[Card]) -> None:
    """Put the cards of a move where it says; `changed` holds those that its state has placed."""
    name = move.attributes.get("pile", "")
    if name not in piles:
        raise move.wrong("a pile store0 to store9 or target0 to target3", "pile")
    cards = [PlacedCard(_card(card), card.place) for card in move.children_named("card")]
    for card, place in cards:
        if card in changed:
            raise FormatError(
                f"{place}: expected each card only once in a state, got {card_name(card)}"
            )
        changed.add(card)
        if card in pile_of:
            old = piles[pile_of[card]]
            old[:] = [other for other in old if other.card != card]
        pile_of[card] = name
    start = _whole(move, "position")
    if start > len(piles[name]):
        raise move.wrong(f"a position of at most {len(piles[name])}", "position")
    piles[name][start:start] = cards


def _card(element: Element) -> Card:
    """The card of today's form: by suit and rank, by its number, or by both."""
    suit_name, rank_name = (element.attributes.get(name) for name in ("suit", "rank"))
    if suit_name is None and rank_name is None:
        number = _whole(element, "id")
        suit, rank = number >> 8 & 0xFF, number & 0xFF
        if suit >= len(_SUITS) or not ACE <= rank <= KING:
            raise element.wrong("the number of a card", "id")
        card = make_card(rank, _SUITS[suit])
    elif suit_name not in SUIT_NAMES:
        raise element.wrong("a suit like 'hearts'", "suit")
    elif rank_name not in _RANKS:
        raise element.wrong("a rank like 'ten'", "rank")
    else:
        card = make_card(_RANKS.index(rank_name) + 1, SUIT_NAMES.index(suit_name))
    if "id" in element.attributes and _whole(element, "id") != _id_of(card):
        raise element.wrong(f'id="{_id_of(card):07}" for {card_name(card)}', "id")
    return card


def _id_of(card: Card) -> int:
    """KPat's number of a card: its place in the unshuffled pack, its suit, and its rank."""
    suit, rank = _SUITS.index(suit_of(card)), rank_of(card)
    return ((rank - 1) * len(_SUITS) + suit) << 16 | suit << 8 | rank


def _legacy_piles(root: Element) -> Piles:
    """The piles of a game that KPat of KDE 4 saved."""
    names = _TARGETS + _STORES
    piles: Piles = {name: [] for name in names}
    seen: set[int] = set()
    for pile in root.children_named("pile"):
        index = _whole(pile, "index")
        if not 1 <= index <= len(names):
            raise pile.wrong(f"a pile 1 to {len(names)}", "index")
        if index in seen:
            raise pile.wrong("each pile only once", "index")
        seen.add(index)
        for element in pile.children_named("card"):
            suit, rank = _whole(element, "suit"), _whole(element, "value")
            if suit >= len(_SUITS):
                raise element.wrong("a suit 0 to 3", "suit")
            if not ACE <= rank <= KING:
                raise element.wrong("a value 1 to 13", "value")
            card = PlacedCard(make_card(rank, _SUITS[suit]), element.place)
            piles[names[index - 1]].append(card)
    return piles


def _whole(element: Element, attribute: str) -> int:
    value = element.attributes.get(attribute, "")
    if not _WHOLE.fullmatch(value):
        raise element.wrong(f"a whole number as {attribute!r}", attribute)
    return int(value)


def _run_of(pile: Sequence[PlacedCard]) -> Suit:
    """The suit of a removed run, which is complete: from the king down, or from the ace up."""
    suit = suit_of(pile[0].card)
    run = [make_card(rank, suit) for rank in range(KING, 0, -1)]
    cards = [card for card, _ in pile]
    if cards not in (run, run[::-1]):
        wrong = next(
            (n for n, pair in enumerate(zip(cards, run, strict=False)) if len({*pair}) > 1), -1
        )
        raise FormatError(
            f"{pile[wrong].place}: expected a complete run from king to ace among the removed "
            f"cards, got {card_name(cards[wrong])}"
        )
    return suit


def write(position: Position, deal_number: int = 0) -> str:
    """The position as a game without moves, as KPat itself saves one.

    `deal_number` is what KPat shows in its title, and deals when the game is begun anew.

    Raises:
        FormatError: the deck is not that of four suits, which alone KPat knows.
    """
    need_four_suits(position, "KPat")
    runs = [position.deck.run_of(suit) for suit in position.removed]
    # KPat lists its piles in this order, and leaves out the empty ones.
    piles = [*zip(_TARGETS, runs, strict=False), *zip(_STORES, position.columns, strict=True)]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<kpat-game game-type="{_GAME_TYPE}" deal-number="{deal_number}">',
        '\t<state current="true">',
    ]
    for name, cards in piles:
        if cards:
            lines.append(f'\t\t<move pile="{name}" position="0">')
            lines += map(_card_line, cards)
            lines.append("\t\t</move>")
    lines += ["\t</state>", "</kpat-game>"]
    return "\n".join(lines) + "\n"


def _card_line(card: Card) -> str:
    suit, rank = SUIT_NAMES[suit_of(card)], _RANKS[rank_of(card) - 1]
    return f'\t\t\t<card id="{_id_of(card):07}" suit="{suit}" rank="{rank}" turn="face-up"/>'
