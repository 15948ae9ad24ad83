"""Game codes: golden deals, code and number both ways, and what is said of bad codes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import CodeError
from simon_solver.game.cards import card_names, rank_of
from simon_solver.game.codes import CODE_COUNT, GameCode, letters_of, parse_code
from simon_solver.game.layout import COLUMN_SIZES, DECKS
from tests.support.deals import board_text

GOLDEN = {
    "SS1-S4-AAAAABD": (
        "JD QS 9H KH 2D 2S TC KC|8C 6S JS QC 3C 4H 5S 8S|TS AH KS AS JH AC AD 3D|"
        "7H 7D 6D 6H 8D 4C 3S|4D 5H JC 9D 8H 9C|7S TH 5C 5D 7C|9S 2C 2H TD|QH 4S 3H|6C QD|KD"
    ),
    "SS1-S2-AAAAABD": (
        "JS QS 9H KH 2S 2S TH KH|8H 6S JS QH 3H 4H 5S 8S|TS AH KS AS JH AH AS 3S|"
        "7H 7S 6S 6H 8S 4H 3S|4S 5H JH 9S 8H 9H|7S TH 5H 5S 7H|9S 2H 2H TS|QH 4S 3H|6H QS|KS"
    ),
    "SS1-S1-AAAAABD": (
        "JS QS 9S KS 2S 2S TS KS|8S 6S JS QS 3S 4S 5S 8S|TS AS KS AS JS AS AS 3S|"
        "7S 7S 6S 6S 8S 4S 3S|4S 5S JS 9S 8S 9S|7S TS 5S 5S 7S|9S 2S 2S TS|QS 4S 3S|6S QS|KS"
    ),
}

codes = st.builds(GameCode, st.sampled_from([1, 2, 4]), st.integers(0, CODE_COUNT - 1))


@pytest.mark.parametrize("code", GOLDEN)
def test_golden_deals(code: str) -> None:
    assert board_text(parse_code(code).deal()) == GOLDEN[code]


def test_letters_are_a_number_to_base_26() -> None:
    assert parse_code("SS1-S4-AAAAABD") == GameCode(4, 29)
    assert str(GameCode(1, 0)) == "SS1-S1-AAAAAAA"
    assert str(GameCode(2, CODE_COUNT - 1)) == "SS1-S2-ZZZZZZZ"
    assert CODE_COUNT == 8_031_810_176
    assert letters_of(26**6) == "BAAAAAA"


@given(codes)
def test_code_and_number_round_trip(code: GameCode) -> None:
    assert parse_code(str(code)) == code
    assert parse_code(f" \t{str(code).lower()}\n") == code


@given(codes)
def test_deals_have_the_deck_the_layout_and_nothing_to_remove(code: GameCode) -> None:
    position = code.deal()
    assert position.deck == DECKS[code.suits]
    assert tuple(map(len, position.columns)) == COLUMN_SIZES
    assert position.removed == ()


@given(st.integers(0, CODE_COUNT - 1))
def test_letters_give_the_same_ranks_for_every_suit_count(number: int) -> None:
    ranks = [
        [[rank_of(card) for card in column] for column in GameCode(suits, number).deal().columns]
        for suits in (1, 2, 4)
    ]
    assert ranks[0] == ranks[1] == ranks[2]


def _plain_deal(number: int) -> str:
    """The deal of design by the book: 128-bit product, threshold worked out on every draw."""
    mask, state = 2**64 - 1, number

    def next_output() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        return mixed ^ (mixed >> 31)

    deck = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
    for i in range(51, 0, -1):
        while True:
            product = next_output() * (i + 1)
            if product % 2**64 >= 2**64 % (i + 1):
                break
        j = product // 2**64
        deck[i], deck[j] = deck[j], deck[i]
    sizes, columns = (8, 8, 8, 7, 6, 5, 4, 3, 2, 1), []
    for size in sizes:
        columns.append(" ".join(deck[:size]))
        deck = deck[size:]
    return "|".join(columns)


@given(st.integers(0, CODE_COUNT - 1))
def test_deal_equals_the_plain_form(number: int) -> None:
    assert board_text(GameCode(4, number).deal()) == _plain_deal(number)


def test_first_output_of_splitmix64_from_0_is_the_published_one() -> None:
    # 0xE220A8397B1DCDAF is the first output for seed 0 in every implementation of SplitMix64;
    # times 52 its high half says which card is swapped to the end: the 46th, 7 of clubs.
    assert 0xE220A8397B1DCDAF * 52 >> 64 == 45
    assert card_names(GameCode(4, 0).deal().columns[-1]) == "7C"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SS2-S4-AAAAABD", "scheme SS1, got 'SS2' in 'SS2-S4-AAAAABD'"),
        ("SS1-S3-AAAAABD", "suits S1, S2 or S4, got 'S3' in 'SS1-S3-AAAAABD'"),
        ("SS1-S4-AAAABD", "7 letters at the end, got 6 in 'SS1-S4-AAAABD'"),
        ("SS1-S4-AAAAAABD", "7 letters at the end, got 8 in 'SS1-S4-AAAAAABD'"),
        ("SS1-S4-AAAAAB1", "7 letters A to Z at the end, got 'AAAAAB1' in 'SS1-S4-AAAAAB1'"),
        ("SS1-S4-AAA ABD", "7 letters A to Z at the end, got 'AAA ABD' in 'SS1-S4-AAA ABD'"),
        ("SS1-S4-", "7 letters A to Z at the end, got '' in 'SS1-S4-'"),
        ("SS1 -S4-AAAAABD", "scheme SS1, got 'SS1 ' in 'SS1 -S4-AAAAABD'"),
        ("ß1-S4-AAAAABD", "scheme SS1, got 'ß1' in 'ß1-S4-AAAAABD'"),
    ],
)
def test_bad_codes_say_which_part_is_wrong(text: str, message: str) -> None:
    with pytest.raises(CodeError) as error:
        parse_code(text)
    assert str(error.value) == f"expected a game code like SS1-S4-AAAAABD: {message}"


@pytest.mark.parametrize("text", ["", "AAAAABD", "SS1S4AAAAABD", "SS1-S4"])
def test_texts_without_the_parts_of_a_code(text: str) -> None:
    with pytest.raises(CodeError) as error:
        parse_code(text)
    assert str(error.value) == f"expected a game code like SS1-S4-AAAAABD, got {text!r}"


@pytest.mark.parametrize("letters", ["AAAAAB\u017f", "AAAAAB\u212a", "ÄAAAABD"])
def test_letters_that_only_look_like_letters_a_to_z(letters: str) -> None:
    with pytest.raises(CodeError, match="7 letters A to Z"):
        parse_code(f"SS1-S4-{letters}")


def test_numbers_and_suits_out_of_range() -> None:
    with pytest.raises(CodeError, match="expected a number from 0 to 8031810175, got -1"):
        GameCode(4, -1)
    with pytest.raises(CodeError, match="expected a number from 0 to 8031810175, got 8031810176"):
        GameCode(4, CODE_COUNT)
    with pytest.raises(CodeError, match="expected 1, 2 or 4 suits, got 3"):
        GameCode(3, 0)
