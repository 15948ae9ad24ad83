"""The yardstick of the fast engines, measured against the rules alone."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from simon_solver.game.layout import Deck
from simon_solver.game.position import Position
from simon_solver.game.rules import apply, legal_moves, replay, score
from simon_solver.game.tableau import position_of, tableau_of
from simon_solver.search.reference import (
    TooManyPositionsError,
    label_reachable,
    reference_solve,
    successors,
)
from simon_solver.search.verdict import Verdict
from tests.support.deals import (
    SMALL_SHAPES,
    SmallDeck,
    assert_wins,
    board,
    random_deal,
    random_deal_with_run,
    random_walk,
    reference_deals,
    small_decks,
)

LOW = Deck(3, (1, 1, 0, 0))
TINY_SHAPES = ((2, (2, 2, 2, 2)), (2, (3, 3, 2)), (3, (3, 3, 3, 3)), (3, (6, 6)), (2, (4, 4, 0)))


def tiny_deals(rng: Random, count: int) -> list[Position]:
    """Deals small enough for a search that tells every order of columns apart."""
    return [
        random_deal(rng, suits, ranks, sizes)
        for suits in (1, 2, 4)
        for ranks, sizes in TINY_SHAPES
        for _ in range(count)
    ]


def search_by_the_rules(position: Position) -> tuple[int | None, int, tuple[int, ...]]:
    """Fewest moves of a win, best score, and fewest moves for 0, 1... runs at least.

    It goes through every position there is, each order of the columns apart.
    """
    depths = {position: 0}
    layer = [position]
    while layer:
        reached = {apply(place, move): place for place in layer for move in legal_moves(place)}
        layer = [place for place in reached if place not in depths]
        for place in layer:
            depths[place] = depths[reached[place]] + 1
    wins = [depth for place, depth in depths.items() if place.is_won]
    best = max(score(depth, len(place.removed)) for place, depth in depths.items())
    fewest_by_runs = tuple(
        min(depth for place, depth in depths.items() if len(place.removed) >= runs)
        for runs in range(max(len(place.removed) for place in depths) + 1)
    )
    return min(wins, default=None), best, fewest_by_runs


# --- tables and successors ------------------------------------------------------------------------


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_successors_are_those_of_the_rules(rng: Random, suits: int) -> None:
    for ranks, sizes in (*SMALL_SHAPES, (3, (3, 3, 3, 3)), (4, (5, 5, 5, 1, 0))):
        for deal in (random_deal, random_deal_with_run) * 3:
            for position in random_walk(rng, deal(rng, suits, ranks, sizes), 25):
                by_rules = {tableau_of(apply(position, move)) for move in legal_moves(position)}
                assert successors(tableau_of(position), ranks) == by_rules


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_successors_of_full_deals_are_those_of_the_rules(rng: Random, suits: int) -> None:
    for deal in reference_deals(suits)[:5]:
        for position in random_walk(rng, deal.position, 25):
            by_rules = {tableau_of(apply(position, move)) for move in legal_moves(position)}
            assert successors(tableau_of(position), 13) == by_rules


def test_the_order_of_columns_does_not_matter(rng: Random) -> None:
    for position in random_walk(rng, random_deal(rng, 2, 4, (4, 4, 3, 3, 2)), 20):
        columns = list(position.columns)
        rng.shuffle(columns)
        assert tableau_of(Position(position.deck, tuple(columns), position.removed)) == tableau_of(
            position
        )


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_a_table_tells_which_runs_are_removed(rng: Random, suits: int) -> None:
    removals = 0
    for _ in range(30):
        for position in random_walk(rng, random_deal(rng, suits, 3, (3, 3, 3, 3)), 30):
            again = position_of(tableau_of(position), position.deck)
            assert sorted(again.columns) == sorted(position.columns)
            assert sorted(again.removed) == sorted(position.removed)
            removals += len(again.removed)
    assert removals


# --- search ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fewest_by_runs", "best_score"),
    [
        ("||", (0, 0, 0), 700),
        ("3S 2S AS|3H 2H AH|", (0, 0, 0), 700),
        ("3S 2S|3H 2H AH|AS", (0, 0, 1), 699),
        ("3S 2S AS AH|3H 2H", (0, 1, 1), 699),
        ("3S 2S|AS AH|3H 2H", (0, 1, 2), 698),
    ],
)
def test_wins_that_can_be_seen(text: str, fewest_by_runs: tuple[int, ...], best_score: int) -> None:
    removed = (0, 1) if text == "||" else ()
    position = board(text, LOW, removed)
    result = reference_solve(position)
    assert result.verdict is Verdict.WINNABLE
    assert_wins(position, result.win)
    assert result.fewest_moves == len(result.win) == fewest_by_runs[-1]
    assert result.fewest_by_runs == ((0,) * 3 if removed else fewest_by_runs)
    assert result.best_score == best_score
    assert result.best_line == result.win


def test_a_deal_without_a_move_cannot_be_won() -> None:
    result = reference_solve(board("2S 3S AS|2H 3H AH", LOW))
    assert result.verdict is Verdict.UNWINNABLE
    assert result.fewest_moves is None
    assert (result.win, result.best_line, result.best_score) == ((), (), 500)
    assert (result.fewest_by_runs, result.positions) == ((0,), 1)


def test_a_run_may_be_the_best_of_a_lost_deal() -> None:
    # The ace of spades completes its run; then the 3 of hearts stays on the 2 for good.
    result = reference_solve(board("2H 3H AH 3S 2S|AS", LOW))
    assert result.verdict is Verdict.UNWINNABLE
    assert (result.fewest_by_runs, result.best_score) == ((0, 1), 599)
    assert [str(step.move) for step in result.best_line] == ["2>1:1"]
    assert result.win == ()


@pytest.mark.slow
def test_fewest_moves_and_best_score_are_those_of_the_rules(rng: Random) -> None:
    verdicts = Counter[bool]()
    for position in tiny_deals(rng, 12):
        result = reference_solve(position)
        fewest, best, fewest_by_runs = search_by_the_rules(position)
        assert (result.fewest_moves, result.best_score) == (fewest, best), position
        assert result.fewest_by_runs == fewest_by_runs, position
        assert result.winnable == (fewest is not None)
        verdicts[result.winnable] += 1
    assert min(verdicts[True], verdicts[False]) > 20


def test_lines_are_legal_and_score_what_is_said(rng: Random) -> None:
    for suits in (1, 2, 4):
        for _ in range(15):
            position = random_deal(rng, suits, 4, (4, 4, 4, 4))
            result = reference_solve(position)
            _, end = replay(position, [step.move for step in result.best_line])
            assert score(len(result.best_line), len(end.removed)) == result.best_score
            if result.winnable:
                assert_wins(position, result.win)


def test_a_limit_is_no_proof() -> None:
    deck = next(
        deck for deck in small_decks() if not deck.winnable and len(deck.fewest_by_runs) > 1
    )
    proof = reference_solve(deck.position)
    assert proof.verdict is Verdict.UNWINNABLE
    cut = reference_solve(deck.position, max_positions=proof.positions - 1)
    assert cut.verdict is Verdict.UNDETERMINED
    assert not cut.winnable
    assert (cut.win, cut.fewest_moves) == ((), None)
    assert cut.positions == proof.positions - 1
    assert reference_solve(deck.position, max_positions=proof.positions) == proof


# --- labels ---------------------------------------------------------------------------------------


def test_every_reachable_position_is_labelled(rng: Random) -> None:
    labels = Counter[bool]()
    for deal in tiny_deals(rng, 4):
        labelled = list(label_reachable(deal))
        assert tableau_of(labelled[0][0]) == tableau_of(deal)
        assert len({tableau_of(position) for position, _ in labelled}) == len(labelled)
        known = {tableau_of(position) for position, _ in labelled}
        for position, winnable in labelled:
            assert successors(tableau_of(position), position.deck.ranks) <= known
            labels[winnable] += 1
        for position, winnable in labelled[:150]:
            assert winnable == reference_solve(position).winnable, position
    assert min(labels[True], labels[False]) > 100


def test_too_many_positions_are_refused() -> None:
    deck = small_decks()[0].position
    total = sum(1 for _ in label_reachable(deck))
    assert sum(1 for _ in label_reachable(deck, max_positions=total)) == total
    with pytest.raises(TooManyPositionsError) as caught:
        list(label_reachable(deck, max_positions=total - 1))
    assert str(caught.value) == f"expected at most {total - 1} reachable positions, there are more"


# --- the data file --------------------------------------------------------------------------------


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_the_small_decks_are_many_and_of_both_kinds(suits: int) -> None:
    decks = [deck for deck in small_decks() if deck.suits == suits]
    assert len(decks) >= 300
    assert sum(deck.winnable for deck in decks) >= 100
    assert sum(not deck.winnable for deck in decks) >= 100
    assert sum(bool(deck.position.removed) for deck in decks) >= 20
    assert sum(not deck.winnable and deck.best_score > 500 for deck in decks) >= 10
    assert len({tuple(map(len, deck.position.columns)) for deck in decks}) >= 4


def assert_row(deck: SmallDeck) -> None:
    result = reference_solve(deck.position)
    assert (result.winnable, result.fewest_moves) == (deck.winnable, deck.fewest_moves)
    assert result.best_score == deck.best_score
    assert result.fewest_by_runs == deck.fewest_by_runs


@pytest.mark.slow
def test_every_thirtieth_row_is_found_again() -> None:
    for deck in small_decks()[::30]:
        assert_row(deck)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_every_third_row_is_found_again(part: int) -> None:
    for deck in small_decks()[part * 3 :: 24]:
        assert_row(deck)
