"""Solvitaire's JSON, and JSON as such: spellings, removed runs, faults and their places."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from simon_solver.errors import FormatError
from simon_solver.game.cards import CLUBS, DIAMONDS
from simon_solver.game.codes import parse_code
from simon_solver.game.layout import DECKS
from simon_solver.game.numbered import parse_number
from simon_solver.game.position import Position
from simon_solver.reading.formats import solvitaire
from simon_solver.reading.formats.known import format_of, read_board
from simon_solver.text.json_values import DEEPEST, MOST_VALUES, parse_json
from tests.support.deals import DATA
from tests.support.strategies import positions

SAMPLES = DATA / "samples"
START = (SAMPLES / "ms72.solvitaire.json").read_text(encoding="ascii")
LATE = (SAMPLES / "ms72_after75_1run.solvitaire.json").read_text(encoding="ascii")
DEAL = parse_number("ms:72").deal()
LATE_BOARD = read_board(
    (SAMPLES / "ms72_after75_1run_pysolfc_export.board").read_text(encoding="ascii")
)


@given(positions(decks=[DECKS[4]]))
def test_round_trip(position: Position) -> None:
    text = solvitaire.write(position)
    assert solvitaire.read(text) == position
    assert read_board(text) == position
    assert set(json.loads(text)) <= {"tableau piles", "foundations"}


def test_samples() -> None:
    assert read_board(START) == DEAL
    assert read_board(LATE) == LATE_BOARD
    assert LATE_BOARD.removed == (CLUBS,)
    assert solvitaire.write(DEAL) == START
    assert solvitaire.write(LATE_BOARD) == LATE


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff \r\n" + LATE + "\n\n",
        json.dumps(json.loads(LATE), indent=2),
        json.dumps(json.loads(LATE), separators=(",", ":")),
        LATE.replace("H", "h").replace("K", "k").replace("A", "a"),
        LATE.replace("10", "T"),
        LATE.replace('"A', '"1').replace('"J', '"11').replace('"Q', '"12').replace('"K', '"13'),
        LATE.replace("S", "\\u0053"),
        LATE.replace("{", '{"stock": [], "waste": [], "reserve": [], "hole": "", "cells": null, '),
    ],
)
def test_spellings(text: str) -> None:
    assert read_board(text) == LATE_BOARD


def test_foundations_in_turn() -> None:
    text = json.loads(LATE)
    diamonds = [card for pile in text["tableau piles"] for card in pile if card.endswith("D")]
    text["tableau piles"] = [
        [card for card in pile if card not in diamonds] for pile in text["tableau piles"]
    ]
    clubs = text["foundations"]
    runs = [*clubs[:12], *(card.replace("C", "D") for card in clubs), clubs[12]]
    text["foundations"] = runs
    assert read_board(json.dumps(text)).removed == (DIAMONDS, CLUBS)


def test_decks_of_fewer_suits_are_read_but_not_written() -> None:
    position = parse_code("SS1-S2-AAAAABD").deal()
    columns = solvitaire.write(DEAL)
    names = json.loads(columns)
    names["tableau piles"] = [
        [f"{card & 15}{'SH'[card >> 4]}" for card in column] for column in position.columns
    ]
    assert read_board(json.dumps(names)) == position
    with pytest.raises(FormatError, match=r"^Solvitaire supports only four suits, but this deal"):
        solvitaire.write(position)


READ_AS = " (read as Solvitaire JSON)"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"4D"', '"5D"'), "expected 52 cards, got 52; missing: 4D; too many: 5D (5D: line 1, col"),
        (('"4D"', '"4X"'), "line 1, column 21: expected a card like '7H', got '4X'"),
        (('"4D"', '"14D"'), "line 1, column 21: expected a card like '7H', got '14D'"),
        (('"4D"', '"1X"'), "line 1, column 21: expected a card like '7H', got '1X'"),
        (('"4D"', '""'), "line 1, column 21: expected a card like '7H', got ''"),
        (('"4D"', "4"), "line 1, column 21: expected a card like '7H', got 4"),
        (('"4D"', "[]"), "line 1, column 21: expected a card like '7H', got an array"),
        (('"4D", ', ""), "expected 52 cards, got 51; missing: 4D"),
        (("[[", "[7, ["), "line 1, column 20: expected an array of cards, got 7"),
        (("[[", "[[], ["), "line 1, column 19: expected 10 columns, got 11"),
        (("[[", '{"a": ['), "line 1, column 76: expected a name in double quotes, got "),
        (("tableau piles", "tableau pile"), "line 1, column 2: expected 'tableau piles' or 'found"),
        (("{", '{"note": 1, '), "line 1, column 2: expected 'tableau piles' or 'foundations', got"),
        (("{", '{"stock": ["AS"], '), "line 1, column 2: expected no cards in 'stock'"),
        (("{", '{"hole": "AS", '), "line 1, column 2: expected no cards in 'hole'"),
        (("{", '{"tableau piles": [], '), "line 1, column 23: 'tableau piles' appears twice"),
        (("]]}", ']], "foundations": [["AC"]]}'), "line 1, column 373: expected a card like '7H'"),
        (("]]}", "]]"), "line 2, column 1: expected ',' or '}', got the end of the text"),
        (("]]}", "]]}}"), "line 1, column 356: expected the end of the text, got '}'"),
        (("]]}", ']], "foundations": ["KC"]}'), "line 1, column 373: expected AC (all cards of a "),
        (("]]}", ']], "foundations": ["AC"]}'), "line 1, column 373: expected 2C after it (all ca"),
        (("]]}", ']], "foundations": 1}'), "line 1, column 372: expected an array of cards, got 1"),
        (("]]}", "]],}"), "line 1, column 356: expected a name in double quotes, got '}'"),
        (("]]}", "],]}"), "line 1, column 355: expected a JSON value, got ']}'"),
        (('"4D",', '"4D"'), "line 1, column 26: expected ',' or ']', got '\"AS\",'"),
        (('"4D"', '"4\\xD"'), "line 1, column 21: expected a string in double quotes, got "),
        (('"4D"', '"4\nD"'), "line 1, column 21: expected a string in double quotes, got '\"4'"),
        (('"4D"', "'4D'"), "line 1, column 21: expected a JSON value, got \"'4D',\""),
        (('"4D"', "04D"), "line 1, column 21: expected a JSON value, got '04D,'"),
        (("piles\":", "piles\""), "line 1, column 18: expected ':', got '[[\"4D\",'"),
        (("]]}", "]] //"), "line 1, column 356: expected ',' or '}', got '//'"),
    ],
)  # fmt: skip
def test_faults_name_their_place(change: tuple[str, str], message: str) -> None:
    assert change[0] in START
    with pytest.raises(FormatError) as error:
        read_board(START.replace(*change, 1))
    assert str(error.value).startswith(message)
    assert str(error.value).endswith(READ_AS)


def test_json_without_the_tableau() -> None:
    with pytest.raises(
        FormatError, match=r"^line 1, column 1: expected a JSON object with 'tableau"
    ):
        solvitaire.read('{"foundations": []}')


DEEP = '{"tableau piles": ' + "[" * 500_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEEP, f"line 1, column {18 + DEEPEST}: expected a board in JSON, got values "),
        ('{"tableau":' * 90_000, f"line 1, column {11 * DEEPEST + 1}: expected a board in JSON, g"),
        (
            '{"tableau piles": [' + "1," * 500_000,
            f"line 1, column {18 + 2 * MOST_VALUES - 2}: expected a board in JSON, got more than ",
        ),
        ('{"tableau piles": "' + "\\u0041" * 150_000, "line 1, column 19: expected a string in "),
        ('{"tableau piles": ' + "9" * 1_000_000, "line 1, column 1000019: expected ',' or '}', go"),
        ('{"tableau piles": -' + "9" * 1_000_000 + "x", "line 1, column 19: expected a JSON value"),
        ('{"tableau piles"' + " " * 1_000_000, "line 1, column 1000017: expected ':', got the end"),
        ('{"tableau' + "\\" * 1_000_001, "line 1, column 2: expected a string in double quotes"),
    ],
    ids=lambda value: ascii(value[:24]),
)  # fmt: skip
def test_attacks_end_at_once(text: str, message: str) -> None:
    assert format_of(text) is solvitaire
    with pytest.raises(FormatError) as error:
        read_board(text)
    assert str(error.value).startswith(message)


def test_values() -> None:
    text = ' {"a": [1, -2.5e3, "x\\n\\u00e9", true, null, {}, []], "": {"b": false}}\n'
    value = parse_json(text, "a board in JSON")
    (name, place, numbers), (empty, _, inner) = value.members
    assert (name, place, numbers.place, empty) == ("a", "line 1, column 3", "line 1, column 8", "")
    assert [(item.kind, item.text) for item in numbers.items] == [
        ("number", "1"), ("number", "-2.5e3"), ("string", "x\né"), ("word", "true"),
        ("word", "null"), ("object", ""), ("array", ""),
    ]  # fmt: skip
    assert inner.members[0][2][:3] == ("word", "line 1, column 64", "false")


@pytest.mark.parametrize("text", ["{}", "[]", '"tableau piles": []', "[tableau]", "tableau {"])
def test_texts_that_are_no_deal_of_solvitaire(text: str) -> None:
    assert not solvitaire.recognises(text)
    assert format_of(text) is None
