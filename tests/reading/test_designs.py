"""Design files: what is the game solved here, however it is written, and what is another."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import FormatError
from simon_solver.game.layout import COLUMN_SIZES
from simon_solver.reading.designs.comparing import Design, Difference, Rule, parse_design
from tests.support.design import (
    COLUMN,
    DESIGNS,
    EIGHT,
    FOUNDATION,
    SIMPLE,
    STOCK,
    changed,
    laid_out,
    mutated,
    simple,
)

RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split()
DOWN = {"direction": "Down"}
RUN = {"kind": "Run", "build": DOWN, "suit": "Same"}
UNIT = ("depots", COLUMN, "ejectRule")
BUILD = ("depots", COLUMN, "acceptRule")
FOUND = ("depots", FOUNDATION, "acceptRule")
SEED = {"emptyOnly": True, "minCount": 13, "seed": "King"}
FOUND_NAMES = [f"found-{number}" for number in range(1, 5)]
ALL_TABS = [f"tab-{number}" for number in range(1, 11)]


def test_the_real_file_is_the_game() -> None:
    design = parse_design(SIMPLE)
    assert design == Design("Simple Simon", 4, COLUMN_SIZES, ())
    assert design.is_same
    assert design.is_solvable


@pytest.mark.parametrize(
    ("path", "value"),
    [
        # defaults, spelled out or left out
        (("decks",), [{}]),
        (("decks",), [{"count": 1, "jokers": 0, "ranks": RANKS[::-1]}]),
        (("decks",), [{"suits": ["Clubs", "Hearts"]}, {"suits": ["Spades", "Diamonds"]}]),
        (BUILD, {"build": {"direction": "down", "step": 1, "wrap": False, "sum": None}}),
        (BUILD, {"build": DOWN, "suit": "Any", "seed": None, "single": False, "minCount": 1}),
        (("compoundMoves",), "Free"),
        (("redealRules",), []),
        (("lossCondition",), None),
        # names in another case, names of no matter
        (BUILD, {"BUILD": {"Direction": "DOWN"}}),
        (("depots", COLUMN, "autoFlipTop"), True),
        (("depots", COLUMN, "landFace"), "Up"),
        (("depots", COLUMN, "uncoveredBy"), []),
        (("depots", COLUMN, "fanDirection"), "Down"),
        (("$schema",), "https://cardz.roderic.dev/designs/schema.json"),
        (("tools",), "Free"),
        # shorthands and what they stand for
        (("depots", COLUMN, "autoSend"), {"ofType": "Foundation"}),
        (("depots", COLUMN, "autoSend"), {"names": FOUND_NAMES}),
        (("depots", COLUMN, "autoSend"), FOUND_NAMES[::-1]),
        (("depots", FOUNDATION, "ejectRule"), {"gate": "Locked"}),
        (("winCondition",), {"kind": "allCardsIn", "depots": {"names": FOUND_NAMES}}),
        # other ways to say the same for this game
        (UNIT, {"unit": RUN}),
        (FOUND, SEED),
        (FOUND, {**SEED, "build": DOWN, "suit": "Same"}),
        (FOUND, {**SEED, "acceptFrom": {"ofType": "Tableau"}, "allowFaceDown": True}),
        (BUILD, {"build": DOWN, "acceptFrom": ALL_TABS}),
        (("depots", STOCK), {"type": "Stock", "name": "stock", "acceptRule": "none"}),
    ],
    ids=range(26),
)  # fmt: skip
def test_the_same_game_in_other_words(path: tuple[str | int, ...], value: object) -> None:
    assert parse_design(changed(path, value)) == parse_design(SIMPLE)


def test_the_same_game_in_another_shape() -> None:
    values = simple()
    rules = {"Pile": values["depots"][COLUMN]["acceptRule"]}
    values["rules"], values["depots"][COLUMN]["acceptRule"] = rules, "$pile"
    exported = {"schemaVersion": 1, "id": "x", "setup": values}
    # each column by itself, and cards dealt in turn
    alone = simple()
    del alone["depots"][COLUMN]["repeat"]
    column = alone["depots"].pop(COLUMN)
    alone["depots"] += [{**column, "name": name} for name in ALL_TABS]
    columns = dict(zip(ALL_TABS, COLUMN_SIZES, strict=True))
    in_turn = [
        {"kind": "dealGroup", "faceUp": 1, "to": [name for name in ALL_TABS if columns[name] > row]}
        for row in range(8)
    ]
    for other in (values, exported, alone, {**alone, "dealRules": in_turn}):
        assert parse_design(json.dumps(other)) == parse_design(SIMPLE)


@pytest.mark.parametrize(
    ("packs", "suits"),
    [
        ([{"suits": ["Spades"], "count": 4}], 1),
        ([{"suits": ["Spades", "Hearts"], "count": 2}], 2),
        ([{"suits": ["Clubs"], "count": 2}, {"suits": ["Diamonds"]}, {"suits": ["Diamonds"]}], 2),
        ([{"suits": ["Spades", "Hearts", "Clubs"]}, {"suits": ["Clubs"]}], None),
        ([{"ranks": ["Ace"], "count": 13}], None),
        ([{"suits": ["Spades", "Hearts"], "count": 2, "jokers": 1}], None),
    ],
)
def test_suits(packs: list[Any], suits: int | None) -> None:
    design = parse_design(changed(["decks"], packs))
    assert design.suits == suits
    # a joker is dealt to nobody
    rules = {difference.rule for difference in design.differences} - {Rule.DEAL}
    assert rules == ({Rule.DECK} if suits is None else set())


def place(text: str, what: str) -> str:
    """Where a text stands in another one, of which it is a single part."""
    (before, _) = text.split(what)
    lines = before.split("\n")
    return f"line {len(lines)}, column {len(lines[-1]) + 1}"


def test_another_layout() -> None:
    text = (DESIGNS / "eight-columns.cardz").read_text(encoding="utf-8")
    design = parse_design(text)
    assert design.column_sizes == EIGHT
    assert design.is_solvable
    assert not design.is_same
    columns, sizes = design.differences
    told = place(text, '8,\n      "acceptRule')
    assert columns == Difference(Rule.COLUMNS, "10", "8", told, is_layout=True)
    assert (sizes.rule, sizes.expected) == (Rule.SIZES, "8 8 8 7 6 5 4 3 2 1")
    assert (sizes.found, sizes.is_layout) == ("7 7 7 7 6 6 6 6", True)


@given(st.lists(st.integers(0, 52), min_size=1, max_size=14).map(tuple))
def test_layouts(sizes: tuple[int, ...]) -> None:
    """What is dealt ends with the pack, and can be solved if that is in 4 to 12 columns."""
    dealt, left = [], 52
    for size in sizes:
        dealt.append(min(size, left))
        left -= dealt[-1]
    design = parse_design(laid_out(sizes))
    assert design.column_sizes == tuple(dealt)
    assert design.is_solvable is (left == 0 and 4 <= len(sizes) <= 12)
    assert design.is_same is (tuple(dealt) == COLUMN_SIZES)
    assert all(d.is_layout for d in design.differences) is design.is_solvable


@pytest.mark.parametrize(
    ("path", "value", "rule", "found"),
    [
        (BUILD, {"build": DOWN, "suit": "AlternateColor"}, Rule.BUILD,
         "build (direction Down), suit AlternateColor"),
        (BUILD, {"build": {}}, Rule.BUILD, "build (nothing said)"),
        (BUILD, {"build": {**DOWN, "wrap": True}}, Rule.BUILD, "build (direction Down, wrap)"),
        (BUILD, {"build": {**DOWN, "step": 2}}, Rule.BUILD, "build (direction Down, step 2)"),
        (BUILD, "any", Rule.BUILD, "nothing said"),
        (BUILD, {"build": DOWN, "acceptFrom": ["tab-1"]}, Rule.BUILD,
         "build (direction Down), acceptFrom tab-1"),
        (("depots", COLUMN, "offTable"), True, Rule.PILES, "Tableau: offTable"),
        (BUILD, {"build": DOWN, "minCount": 2}, Rule.BUILD, "minCount 2, build (direction Down)"),
        (BUILD, {"build": DOWN, "seed": "king"}, Rule.EMPTY, "seed King"),
        (BUILD, {"build": DOWN, "seedNone": True}, Rule.EMPTY, "seedNone"),
        (("depots", COLUMN, "autoRefill"), ["stock"], Rule.EMPTY, "autoRefill stock"),
        (UNIT, {"gate": "FaceUp", "unit": {"kind": "Run", "build": DOWN}}, Rule.UNIT,
         "gate FaceUp, unit (kind Run, build (direction Down), suit Any)"),
        (UNIT, {"gate": "FaceUp", "unit": "single"}, Rule.UNIT, "gate FaceUp, unit (kind Single)"),
        (UNIT, "topOnly", Rule.UNIT, "gate TopOnly"),
        (UNIT, {"gate": "TopOnly", "unit": RUN}, Rule.UNIT, "gate TopOnly, unit (kind Run, "
         "build (direction Down), suit Same)"),
        (("compoundMoves",), "Staged", Rule.UNIT, "compoundMoves Staged"),
        (("depots", COLUMN, "autoSend"), None, Rule.AUTO_SEND, "none"),
        (("depots", COLUMN, "autoSend"), FOUND_NAMES[:2], Rule.AUTO_SEND, "found-1 found-2"),
        (("depots", FOUNDATION, "repeat"), 3, Rule.FOUNDATIONS, "3"),
        (FOUND, {**SEED, "seed": "Ace"}, Rule.FOUNDATIONS, "emptyOnly, minCount 13, seed Ace"),
        (FOUND, {"seed": "King"}, Rule.FOUNDATIONS, "seed King"),
        (("depots", FOUNDATION, "ejectRule"), "any", Rule.FOUNDATIONS, "nothing said"),
        (("depots", FOUNDATION, "autoSend"), "Tableau", Rule.FOUNDATIONS, "Tableau"),
        (("depots", STOCK, "offTable"), False, Rule.PILES, "Stock: nothing said"),
        (("depots", STOCK, "draw"), {"to": "tab-1"}, Rule.PILES, "Stock: draw"),
        (("depots", STOCK, "autoRefill"), "Tableau", Rule.PILES, "Stock: autoRefill Tableau"),
        (("depots", COLUMN, "landFace"), "Down", Rule.PILES, "Tableau: landFace Down"),
        (("depotOnly",), False, Rule.PILES, "depotOnly false"),
        (("dealRules", 9, "faceUp"), 0, Rule.DEAL, "1 left in the stock"),
        (("dealRules", 0), {"kind": "dealGroup", "to": "tab-1", "faceDown": 3, "faceUp": 5},
         Rule.DEAL, "3 face down"),
        (("dealRules", 9, "to"), "found-1", Rule.DEAL, "1 others"),
        (("dealRules", 9), {"kind": "move", "from": "stock", "to": "tab-10"}, Rule.DEAL, "move"),
        (("redealRules",), [{"kind": "shuffle", "depot": "stock"}], Rule.REDEAL, "redealRules"),
        (("winCondition",), {"kind": "allCardsFaceUp"}, Rule.WIN, "kind allCardsFaceUp"),
        (("winCondition",), {"kind": "allCardsIn", "depots": FOUND_NAMES[1:]}, Rule.WIN,
         "kind allCardsIn, depots found-2 found-3 found-4"),
        (("winCondition",), None, Rule.WIN, "nothing said"),
        (("lossCondition",), {"kind": "noLegalMoves"}, Rule.LOSS, "kind noLegalMoves"),
    ],
    ids=range(37),
)  # fmt: skip
def test_other_games(path: tuple[str | int, ...], value: object, rule: Rule, found: str) -> None:
    design = parse_design(changed(path, value))
    assert not design.is_solvable
    assert (rule, found) in [(d.rule, d.found) for d in design.differences]
    # fewer cards in the columns are a difference of their own
    assert {d.rule for d in design.differences} <= {rule, Rule.SIZES}
    for difference in design.differences:
        assert difference.place.startswith("line ")


def test_redeals_that_nobody_may_ask_for() -> None:
    values = {**simple(), "redealRules": [{"kind": "flipTop"}], "maxRedeals": 0}
    assert parse_design(json.dumps(values)).is_same


def test_differences_are_told_where_they_stand() -> None:
    text = (DESIGNS / "alternate-colours.cardz").read_text(encoding="utf-8")
    found = {(d.rule, d.place) for d in parse_design(text).differences}
    assert (Rule.BUILD, place(text, '{ "seed": "King", "build"')) in found
    assert (Rule.WIN, place(text, '{ "kind": "depotsEmpty"')) in found
    assert (Rule.PILES, place(text, '{ "type": "Cell"')) in found
    assert len(found) == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected a JSON value, got the end of the text"),
        ("[]", "line 1, column 1: expected a Cardz design, a JSON object with 'name' and 'depots', "
         "got an array"),
        ('{"name": "x"}', "line 1, column 1: expected a Cardz design, a JSON object with 'name' "
         "and 'depots', got one without 'depots'"),
        ('{"setup": 3}', "line 1, column 11: expected a Cardz design, "),
        ('{"name": "x", "NAME": "y"}', "line 1, column 15: 'NAME' appears twice"),
        ('{"name": "x", "depots": []}', "line 1, column 25: expected at least one depot, got an "),
        ('{"name": 1, "depots": [{"type": "Cell"}]}',
         "line 1, column 10: expected a string, got 1"),
        ('{"name": "x", "depots": [{"name": "y"}]}',
         "line 1, column 26: expected a depot with 'type', got one without"),
        ('{"name": "x", "depots": [{"type": "Tablo"}]}',
         "line 1, column 35: expected one of Stock, Waste, Foundation, Tableau, Cell, Reserve, "
         "Layout, got 'Tablo'"),
        ('{"name": "x", "depots": [{"type": "Cell", "repeat": 0}]}',
         "line 1, column 53: expected a number from 1 to 256, got 0"),
        ('{"name": "x", "depots": [{"type": "Cell", "repeat": 1e2}]}',
         "line 1, column 53: expected a whole number, got 1e2"),
        ('{"name": "x", "depots": [{"type": "Cell", "repeat": 200}, '
         '{"type": "Cell", "repeat": 57}]}',
         "line 1, column 59: expected at most 256 depots, got 257"),
        ('{"name": "x", "depots": [{"type": "Cell", "name": "a"}, {"type": "Cell", "name": "a"}]}',
         "line 1, column 57: two depots are called 'a'"),
        ('{"name": "x", "decks": [{"count": 5}], "depots": [{"type": "Cell"}]}',
         "line 1, column 24: expected at most 208 cards, got 260"),
        ('{"name": "x", "depots": [{"type": "Cell", "acceptRule": "$a"}]}',
         "line 1, column 57: expected the name of a rule in 'rules', got '$a'"),
        ('{"name": "x", "depots": [{"type": "Cell", "ejectRule": "topmost"}]}',
         "line 1, column 56: expected an object or one of any, locked, faceUp, topOnly, got "
         "'topmost'"),
        ('{"name": "x", "depots": [{"type": "Cell", "autoSend": ["b"]}]}',
         "line 1, column 55: expected depots of this design, got 'b'"),
        ('{"name": "x", "depots": [{"type": "Cell", "autoSend": "Stock"}]}',
         "line 1, column 55: expected depots of this design, got 'Stock'"),
        ('{"name": "x", "depots": [{"type": "Cell", "autoSend": {"names": ["b"], "ofType": 1}}]}',
         "line 1, column 55: expected either 'ofType' or 'names', got an object"),
        ('{"name": "x", "depots": [{"type": "Cell", "acceptRule": {"acceptFrom": []}}]}',
         "line 1, column 57: expected depots of this design, got ''"),
        ('{"name": "x", "depots": [{"type": "Stock"}], "dealRules": [{"kind": "dealGroup", '
         '"to": ["a"]}]}', "line 1, column 60: expected the name of a depot, got 'a'"),
        ('{"name": "x", "depots": [{"type": "Stock"}], "dealRules": [{"to": 1}]}',
         "line 1, column 60: expected a step of the deal, an object with 'kind', got an object"),
        ('{"name": "x", "depots": [{"type": "Stock"}], "winCondition": {"kind": "best"}}',
         "line 1, column 71: expected one of allCardsIn, "),
        ('{"name": "x", "depots": [{"type": "Stock"}], "winCondition": {"kind": "depotsEmpty", '
         '"depots": "Cell"}}', "line 1, column 96: expected depots of this design, got 'Cell'"),
        ('{"name": "x", "depots": [{"type": "Stock"}], "depotOnly": 1}',
         "line 1, column 59: expected true or false, got 1"),
        ("[" * 1000, "line 1, column 9: expected a Cardz design in JSON, got values nested 9 deep"),
        ("[" + "1," * 20_000 + "1]", "line 1, column 40000: expected a Cardz design in JSON, got "
         "more than 20000 values"),
    ],
    ids=range(27),
)  # fmt: skip
def test_files_that_are_no_design(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        parse_design(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("file", sorted(file.name for file in DESIGNS.iterdir()))
def test_mutated_files(file: str) -> None:
    """Each is read, or refused with a place; what can be solved has 52 cards in columns."""
    rng, text = Random(f"mutated {file}"), (DESIGNS / file).read_text(encoding="utf-8")
    designs, faults = [], []
    for _ in range(500):
        try:
            designs.append(parse_design(mutated(rng, text)))
        except FormatError as error:
            faults.append(str(error))
    assert min(len(designs), len(faults)) > 20
    for fault in faults:
        assert re.match(r"line \d+, column \d+: ", fault)
        assert "\n" not in fault
    for design in designs:
        if design.is_solvable:
            assert sum(design.column_sizes) == 52
            assert 4 <= len(design.column_sizes) <= 12
