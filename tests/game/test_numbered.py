"""Numbered deals of KPat, Microsoft's shuffle and PySolFC, and their ranges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import CodeError
from simon_solver.game.cards import card_names
from simon_solver.game.numbered import HIGHEST_NUMBERS, NumberedDeal, parse_number
from tests.support.deals import DATA


def _sample(name: str) -> list[str]:
    return (DATA / "samples" / f"{name}.board").read_text(encoding="ascii").splitlines()


def _lines(deal: NumberedDeal) -> list[str]:
    return list(map(card_names, deal.deal().columns))


@pytest.mark.parametrize("number", [24, 30, 46, 72, 266, 309, 317, 604])
def test_boards_below_32000_are_the_same_in_all_programs(number: int) -> None:
    for program in ("ms", "kpat", "pysol"):
        assert _lines(NumberedDeal(program, number)) == _sample(f"ms{number}")


def test_mersenne_deal_of_pysolfc() -> None:
    name = "pysolfc_98804262199142645760"
    assert _lines(parse_number("pysol:98804262199142645760")) == _sample(name)


def _library_lines(number: int, which_deals: int) -> list[str]:
    """The board as pysol-cards prints it; 1 is its PySolFC mode, 2 its MS mode."""
    from pysol_cards.cards import CardRenderer
    from pysol_cards.deal_game import Game

    game = Game("simple_simon", number, which_deals, 13)
    text: str = game.calc_layout_string(CardRenderer(print_ts=True))
    return text.splitlines()


@given(st.one_of(st.integers(1, 40_000), st.integers(1, 2**33 - 1)))
def test_ms_deals_are_those_of_the_library(number: int) -> None:
    assert _lines(NumberedDeal("ms", number)) == _library_lines(number, 2)


@given(st.one_of(st.integers(1, 31_999), st.integers(32_001, 10**20)))
def test_pysol_deals_are_those_of_the_library(number: int) -> None:
    assert _lines(NumberedDeal("pysol", number)) == _library_lines(number, 1)


def test_pysol_32000_is_a_mersenne_deal_as_in_the_application() -> None:
    # The library's own boundary is one higher.
    assert _lines(NumberedDeal("ms", 32000)) == _library_lines(32000, 1)
    assert _lines(NumberedDeal("pysol", 32000)) != _library_lines(32000, 1)


def test_programs_differ_above_their_common_range() -> None:
    assert _lines(NumberedDeal("kpat", 32000)) == _lines(NumberedDeal("ms", 32000))
    assert _lines(NumberedDeal("pysol", 32001)) != _lines(NumberedDeal("ms", 32001))


@pytest.mark.parametrize("program", HIGHEST_NUMBERS)
def test_first_and_last_deal(program: str) -> None:
    highest = HIGHEST_NUMBERS[program]
    assert NumberedDeal(program, 1).deal() != NumberedDeal(program, highest).deal()
    for number in (0, -1, highest + 1):
        with pytest.raises(CodeError, match=f"expected {program}:N with N from 1 to "):
            NumberedDeal(program, number)


@given(st.sampled_from(sorted(HIGHEST_NUMBERS)), st.integers(1, 2**31 - 1))
def test_round_trip(program: str, number: int) -> None:
    deal = NumberedDeal(program, number)
    assert parse_number(str(deal)) == deal
    assert parse_number(f" {program.upper()}: {number:05}\n") == deal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("foo:1", "expected a numbered deal kpat:N, ms:N or pysol:N, got 'foo:1'"),
        ("kpat", "expected a numbered deal kpat:N, ms:N or pysol:N, got 'kpat'"),
        ("kpat:", "expected a numbered deal kpat:N, ms:N or pysol:N, got 'kpat:'"),
        ("kpat:1.5", "expected kpat:N with N from 1 to 2147483647, got '1.5'"),
        ("ms:-3", "expected ms:N with N from 1 to 8589934591, got '-3'"),
        ("ms:١", "expected ms:N with N from 1 to 8589934591, got '١'"),
        ("kpat:0", "expected kpat:N with N from 1 to 2147483647, got 0"),
        ("kpat:2147483648", "expected kpat:N with N from 1 to 2147483647, got 2147483648"),
        ("pysol:0", "expected pysol:N with N from 1 to 2^999 - 1, got 0"),
    ],
)
def test_bad_numbers(text: str, message: str) -> None:
    with pytest.raises(CodeError) as error:
        parse_number(text)
    assert str(error.value) == message


def test_very_long_numbers_are_refused_without_being_read() -> None:
    with pytest.raises(CodeError, match=r"expected pysol:N with N from 1 to 2\^999 - 1"):
        parse_number("pysol:" + "9" * 100_000)


def test_unknown_program() -> None:
    with pytest.raises(CodeError, match="expected the program kpat, ms or pysol, got 'foo'"):
        NumberedDeal("foo", 1)
