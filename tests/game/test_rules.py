"""The rules, case by case, and what must hold after any moves."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import MoveError
from simon_solver.game.cards import Card, parse_card, rank_of, suit_of
from simon_solver.game.layout import DECKS, Deck
from simon_solver.game.moves import Move, MoveText, parse_moves
from simon_solver.game.position import Position
from simon_solver.game.rules import (
    apply,
    complete,
    legal_moves,
    replay,
    score,
    why_illegal,
)
from simon_solver.game.runs import run_length
from tests.support.deals import (
    SMALL_SHAPES,
    board,
    board_text,
    random_deal,
    random_deal_with_run,
    random_walk,
    reference_deals,
)

TWO_SUITS = Deck(13, (1, 1, 0, 0))
LOW = Deck(3, (1, 1, 0, 0))
"""Ace to three of spades and hearts: a run is 3 2 A."""


def with_rest(text: str, deck: Deck) -> Position:
    """The board with the cards it lacks in one more column, which goes up and so holds no run."""
    columns = tuple(tuple(map(parse_card, column.split())) for column in text.split("|"))
    rest = Counter(deck.cards) - Counter(card for column in columns for card in column)
    return Position(deck, (*columns, tuple(sorted(rest.elements(), key=rank_of))))


def after(position: Position, moves: str) -> Position:
    return replay(position, parse_moves(moves))[1]


def refusal(position: Position, move: str) -> str:
    """The rule that the move breaks; the move must be none of the legal ones."""
    played = complete(position, parse_moves(move)[0])
    assert played not in legal_moves(position)
    with pytest.raises(MoveError) as caught:
        apply(position, played)
    assert str(caught.value) == why_illegal(position, played)
    return str(caught.value)


# --- what a move may take -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "length"),
    [
        ("", 0),
        ("KS", 1),
        ("KS QS", 2),
        ("KS QS JS TS", 4),
        ("KS QH", 1),
        ("KS QS JH", 1),
        ("KS QH JH", 2),
        ("KS JS", 1),
        ("QS KS", 1),
        ("AS 2S", 1),
        ("3H 2H AH", 3),
        ("AH KH", 1),
    ],
)
def test_a_run_is_of_one_suit_and_goes_down_by_one(column: str, length: int) -> None:
    assert run_length(tuple(map(parse_card, column.split()))) == length


def test_a_run_can_be_split_anywhere() -> None:
    position = with_rest("9S 8S 7S 6S|TH|9H|8H|7H||KS", TWO_SUITS)
    legal = {str(move) for move in legal_moves(position) if move.source == 0}
    assert legal == {"1>2:4", "1>3:3", "1>4:2", "1>5:1", "1>6:1", "1>6:2", "1>6:3", "1>6:4"}
    assert board_text(after(position, "1>4:2")).startswith("9S 8S|TH|9H|8H 7S 6S|7H||")


def test_mixed_suits_do_not_move_as_a_unit_even_with_empty_columns() -> None:
    position = with_rest("9S 8H|TS||||", TWO_SUITS)
    assert refusal(position, "1>2:2") == (
        "the top 2 cards of column 1 are not a run: only the top card moves"
    )
    assert refusal(position, "1>3:2") == (
        "the top 2 cards of column 1 are not a run: only the top card moves"
    )


def test_a_move_takes_cards_that_are_there() -> None:
    position = with_rest("9S|TS|", TWO_SUITS)
    assert refusal(position, "1>2:2") == "it takes 2 cards from column 1, which has 1"
    assert refusal(position, "3>2:1") == "it takes 1 card from column 3, which has 0"
    assert why_illegal(position, Move(0, 1, 0)) == "it takes 0 cards from column 1, which has 1"
    assert why_illegal(position, Move(0, 1, -1)) == "it takes -1 cards from column 1, which has 1"


# --- where it may go ------------------------------------------------------------------------------


@pytest.mark.parametrize("parent", ["TS", "TH"])
def test_a_card_goes_on_one_rank_higher_of_any_suit(parent: str) -> None:
    position = with_rest(f"9S|{parent}", TWO_SUITS)
    assert board_text(after(position, "1>2:1")).startswith(f"|{parent} 9S|")


@pytest.mark.parametrize("target", ["8S", "8H", "9H", "JS", "JH", "QS", "KS", "2H"])
def test_a_card_goes_on_no_other_rank(target: str) -> None:
    position = with_rest(f"9S|{target}", TWO_SUITS)
    assert refusal(position, "1>2:1") == (f"9S cannot go on {target}: needs a card one rank higher")


def test_the_highest_card_of_the_group_decides() -> None:
    position = with_rest("9S 8S|9H|TH", TWO_SUITS)
    assert refusal(position, "1>2:2") == "9S cannot go on 9H: needs a card one rank higher"
    assert board_text(after(position, "1>3:2")).startswith("|9H|TH 9S 8S|")


@pytest.mark.parametrize("card", ["2S", "2H", "AH", "QS"])
def test_nothing_goes_on_an_ace(card: str) -> None:
    position = with_rest(f"{card}|AS", TWO_SUITS)
    assert refusal(position, "1>2:1") == f"{card} cannot go on AS: nothing goes on an ace"


def test_a_king_goes_only_into_an_empty_column() -> None:
    position = with_rest("5H KS QS|QH|AS|", TWO_SUITS)
    for target, card in ((2, "QH"), (3, "AS")):
        assert refusal(position, f"1>{target}:2") == (
            f"KS cannot go on {card}: a king goes only into an empty column"
        )
    assert board_text(after(position, "1>4:2")).startswith("5H|QH|AS|KS QS|")


def test_in_a_small_deck_the_highest_rank_is_the_king() -> None:
    position = board("3S|3H 2H|2S|AS AH", LOW)
    assert refusal(position, "1>2:1") == (
        "3S cannot go on 2H: needs an empty column, as every card of rank 3 does"
    )


@pytest.mark.parametrize("group", ["AS", "9S 8S 7S", "QS JS", "KS QS JS TS 9S"])
def test_an_empty_column_takes_any_run(group: str) -> None:
    position = with_rest(f"2H {group}|", TWO_SUITS)
    count = len(group.split())
    assert board_text(after(position, f"1>2:{count}")).startswith(f"2H|{group}|")


def test_a_whole_column_may_go_to_an_empty_one() -> None:
    position = with_rest("9S 8S||", TWO_SUITS)
    assert board_text(after(position, "1>2:2")).startswith("|9S 8S||")
    assert board_text(after(position, "1>2:2 2>3:2 3>1:2")) == board_text(position)


def test_a_move_needs_two_columns_that_exist() -> None:
    position = with_rest("9S|TS|", TWO_SUITS)
    assert refusal(position, "1>1:1") == "it goes from column 1 to itself"
    assert refusal(position, "1>5:1") == "there is no column 5; the columns are 1 to 4"
    assert refusal(position, "9>1:1") == "there is no column 9; the columns are 1 to 4"
    assert why_illegal(position, Move(-1, 0, 1)) == "there is no column 0; the columns are 1 to 4"


def test_equal_columns_are_two_targets() -> None:
    position = board("2S|2S|AS|AS", Deck(2, (2, 0, 0, 0)))
    assert {str(move) for move in legal_moves(position)} == {"3>1:1", "3>2:1", "4>1:1", "4>2:1"}
    assert after(position, "3>1:1 4>2:1").is_won
    assert after(position, "3>1:1 4>2:1").removed == (0, 0)


def test_both_copies_of_a_card_go_on_both_copies_of_its_parent() -> None:
    position = with_rest("5S 4S|5S 4S|6S|6S|6H", Deck(13, (2, 2, 0, 0)))
    legal = {str(move) for move in legal_moves(position) if move.source < 2}
    assert legal == {f"{source}>{target}:2" for source in (1, 2) for target in (3, 4, 5)}


# --- removal --------------------------------------------------------------------------------------


def test_a_run_completed_at_the_target_leaves_and_frees_the_column() -> None:
    position = board("3S 2S|AH AS|3H|2H", LOW)
    steps, end = replay(position, parse_moves("2>1:1"))
    assert board_text(end) == "|AH|3H|2H"
    assert end.removed == steps[0].removes == (0,)
    assert board_text(after(end, "3>1:1")) == "3H|AH||2H"


def test_a_run_uncovered_at_the_source_leaves() -> None:
    position = board("3S 2S AS AH|3H 2H", Deck(3, (1, 1, 0, 0)))
    steps, end = replay(position, parse_moves("1>2:1"))
    assert end.is_won
    assert sorted(steps[0].removes) == [0, 1]


def test_a_source_alone_can_lose_a_run() -> None:
    position = board("3S 2S AS AH|3H|2H|", LOW)
    assert board_text(after(position, "1>4:1")) == "|3H|2H|AH"
    assert after(position, "1>4:1").removed == (0,)


def test_a_run_of_two_suits_stays() -> None:
    position = board("3S 2H|AH|3H 2S|AS", LOW)
    assert after(position, "2>1:1 4>3:1").removed == ()
    assert board_text(after(position, "2>1:1 4>3:1")) == "3S 2H AH||3H 2S AS|"


def test_only_the_complete_run_leaves() -> None:
    position = board("2H 3S 2S|AS|3H AH", LOW)
    assert board_text(after(position, "2>1:1")) == "2H||3H AH"


def test_removal_repeats_while_the_column_ends_in_a_run() -> None:
    position = board("3H 2H AH 3S 2S|AS", LOW)
    steps, end = replay(position, parse_moves("2>1:1"))
    assert end.is_won
    assert steps[0].removes == (0, 1)


def test_a_run_needs_its_king() -> None:
    position = with_rest("QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S|AS|KS|", TWO_SUITS)
    end = after(position, "2>1:1")
    assert end.removed == ()
    assert after(end, "1>3:12").removed == (0,)
    assert len(end.columns[0]) == 12


def test_a_dealt_run_leaves_at_once() -> None:
    dealt = board("2H 3S 2S AS|AH|3H", LOW)
    assert board_text(dealt) == "2H|AH|3H"
    assert dealt.removed == (0,)
    both = board("3H 2H AH 3S 2S AS|", LOW)
    assert both.is_won
    assert both.removed == (0, 1), "the upper run leaves first"


def test_a_covered_run_stays_when_dealt() -> None:
    dealt = board("3S 2S AS 2H|AH|3H", LOW)
    assert (board_text(dealt), dealt.removed) == ("3S 2S AS 2H|AH|3H", ())


def test_equal_runs_leave_one_after_the_other() -> None:
    position = board("3S 2S|3S 2S|AS|AS", Deck(3, (2, 0, 0, 0)))
    assert after(position, "3>1:1").removed == (0,)
    assert after(position, "3>1:1 4>2:1").is_won


def test_nothing_can_move_on_an_empty_table() -> None:
    won = Position(DECKS[4], ((),) * 10, (3, 2, 1, 0))
    assert won.is_won
    assert legal_moves(won) == []


def test_the_score() -> None:
    assert score(0, 0) == 500
    assert score(60, 4) == 840
    assert score(99, 3) == 701
    assert score(1000, 4) == -100


# --- replay ---------------------------------------------------------------------------------------


def test_an_illegal_move_is_named_with_its_rule() -> None:
    position = with_rest("9H|8S||", TWO_SUITS)
    moves = "1>3:1 3>1:1 " * 5 + "2>3:1 1>3:1"
    with pytest.raises(MoveError) as caught:
        replay(position, parse_moves(moves))
    assert str(caught.value) == "move 12: 9H cannot go on 8S: needs a card one rank higher"


def test_steps_tell_what_was_played() -> None:
    position = board("3S 2S|3H 2H AS|AH", LOW)
    steps, end = replay(position, parse_moves("2>1:1 3>2:1"))
    assert [(str(step.move), step.cards, step.removes) for step in steps] == [
        ("2>1:1", (parse_card("AS"),), (0,)),
        ("3>2:1", (parse_card("AH"),), (1,)),
    ]
    assert end.is_won


def test_cards_are_listed_highest_first() -> None:
    position = with_rest("9S 8S 7S|TH", TWO_SUITS)
    steps, _ = replay(position, parse_moves("1>2:3"))
    assert steps[0].cards == tuple(map(parse_card, ("9S", "8S", "7S")))


def test_no_moves_change_nothing() -> None:
    position = board("3S 2S|3H 2H AS|AH", LOW)
    assert replay(position, []) == ([], position)


def test_the_count_may_be_left_out_when_one_is_legal() -> None:
    position = with_rest("9S 8S 7S|TH|9H|", TWO_SUITS)
    assert complete(position, parse_moves("1>2")[0]) == Move(0, 1, 3)
    assert complete(position, parse_moves("1>3")[0]) == Move(0, 2, 2)
    with pytest.raises(MoveError) as caught:
        replay(position, parse_moves("1>4"))
    assert str(caught.value) == "move 1: say how many cards, like 1>4:1 (1, 2, 3 are legal)"


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ("1>3", "9S cannot go on 3H: needs a card one rank higher"),
        ("4>1", "it takes 1 card from column 4, which has 0"),
        ("7>1", "there is no column 7; the columns are 1 to 5"),
        ("1>7", "there is no column 7; the columns are 1 to 5"),
    ],
)
def test_without_a_legal_count_the_rule_is_named(move: str, error: str) -> None:
    position = with_rest("9S 8S 7S|TH|3H|", TWO_SUITS)
    with pytest.raises(MoveError) as caught:
        replay(position, parse_moves(move))
    assert str(caught.value) == f"move 1: {error}"


def test_moves_of_both_kinds_are_replayed() -> None:
    position = with_rest("9S|TH", TWO_SUITS)
    assert replay(position, [Move(0, 1, 1)]) == replay(position, [MoveText(0, 1, None, "")])


# --- after any moves ------------------------------------------------------------------------------


def positions(seed: int, moves: int) -> list[Position]:
    """Positions of a random game: a small deck of any kind, or now and then a full one."""
    rng = Random(seed)
    suits = rng.choice((1, 2, 3, 4))
    if suits != 3 and rng.random() < 0.2:
        return list(random_walk(rng, rng.choice(reference_deals(suits)).position, moves // 4))
    ranks, sizes = rng.choice((*SMALL_SHAPES, (4, (5, 5, 5, 1, 0)), (3, (3, 3, 3, 3))))
    deal = rng.choice((random_deal, random_deal_with_run))(rng, suits, ranks, sizes)
    return list(random_walk(rng, deal, moves))


def is_legal_by_definition(columns: tuple[tuple[Card, ...], ...], move: Move) -> bool:
    """The rule of the game in one piece, to compare `legal_moves` with."""
    group = columns[move.source][-move.count :]
    head = group[0]
    expected = [(suit_of(head), rank_of(head) - step) for step in range(move.count)]
    target = columns[move.target]
    return [(suit_of(card), rank_of(card)) for card in group] == expected and (
        not target or rank_of(target[-1]) - rank_of(head) == 1
    )


@given(st.integers(0, 2**32))
def test_legal_moves_are_those_of_the_definition(seed: int) -> None:
    for position in positions(seed, 12):
        expected = [
            move
            for source, column in enumerate(position.columns)
            for target in range(len(position.columns))
            for count in range(1, len(column) + 1)
            if target != source
            and is_legal_by_definition(position.columns, move := Move(source, target, count))
        ]
        assert legal_moves(position) == expected


@given(st.integers(0, 2**32))
def test_no_column_ever_ends_in_a_complete_run(seed: int) -> None:
    for position in positions(seed, 40):
        assert all(run_length(column) < position.deck.ranks for column in position.columns)
        assert Position(position.deck, position.columns, position.removed) == position


@given(st.integers(0, 2**32))
def test_a_move_changes_its_two_columns_alone(seed: int) -> None:
    position = positions(seed, 20)[-1]
    for move in legal_moves(position):
        end = apply(position, move)
        gone = len(end.removed) - len(position.removed)
        assert end.removed[: len(position.removed)] == position.removed
        assert sum(map(len, position.columns)) - sum(map(len, end.columns)) == (
            gone * position.deck.ranks
        )
        for index, column in enumerate(position.columns):
            if index not in (move.source, move.target):
                assert end.columns[index] == column


@given(st.integers(0, 2**32))
def test_a_move_that_breaks_no_bad_adjacency_can_be_taken_back(seed: int) -> None:
    position = positions(seed, 20)[-1]
    for move in legal_moves(position):
        end = apply(position, move)
        column = position.columns[move.source]
        lies_on = column[-move.count - 1] if len(column) > move.count else None
        good = lies_on is None or rank_of(lies_on) == rank_of(column[-move.count]) + 1
        back = Move(move.target, move.source, move.count)
        if end.removed == position.removed:
            assert (back in legal_moves(end)) == good
            if good:
                assert apply(end, back) == position
