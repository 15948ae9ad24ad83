"""The rules give the counts on file, and so does the successor relation of the reference search."""

from __future__ import annotations

import pytest

from simon_solver.game.rules import apply, legal_moves
from simon_solver.game.tableau import tableau_of
from tests.support.deals import board
from tests.support.perft import PerftRow, count_lines, count_tables, lines_by_move, perft_rows

ROWS = perft_rows()


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_lines_of_moves(row: PerftRow) -> None:
    for depth, expected in enumerate(row.lines, 1):
        assert count_lines(row.position, depth) == expected, {
            str(move): count for move, count in lines_by_move(row.position, depth).items()
        }


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_positions_reached(row: PerftRow) -> None:
    for depth, expected in enumerate(row.tableaux, 1):
        assert count_tables(row.position, depth) == expected
    by_rules = {tableau_of(apply(row.position, move)) for move in legal_moves(row.position)}
    assert len(by_rules) == row.tableaux[0]


def test_the_counts_are_worth_comparing() -> None:
    assert {row.position.deck.suits for row in ROWS} == {1, 2, 4}
    assert sum(row.lines[-1] > 1000 for row in ROWS) >= 9
    assert sum(bool(row.position.removed) for row in ROWS) >= 3
    assert sum(not all(row.position.columns) for row in ROWS) >= 3


# KPat deals of which KPat too says that no move is possible.
KPAT_46 = (
    "9C 4C AH 6H AD QH 9H 2C|5H 6S 5C QS QC AC KS 2S|JC 9D 7S 3C TD 3S 4D 2D|"
    "7H AS 3D 7D 5S TC 4H|QD KC JD 5D 2H 8H|3H KD 8D 9S 4S|JH 8S KH 8C|TH 7C 6D|TS 6C|JS"
)
KPAT_317 = (
    "9D 6S 9H TH 5S 7S 7H JS|AS 5D 8S 7C KS JD KH 6D|5C 8D TC 4D 2H 4S 2S KC|"
    "3D 4H 3S 6C QC TD AC|QS QD 8H TS 2C AH|4C 9S 7D AD 6H|QH 2D JH KD|5H 3C JC|8C 3H|9C"
)


@pytest.mark.parametrize("text", [KPAT_46, KPAT_317])
def test_deals_without_any_move(text: str) -> None:
    assert count_lines(board(text), 1) == 0
