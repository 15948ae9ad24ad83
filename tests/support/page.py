"""Lines of moves for the page and the terminal, without a search; Chromium to look at pages."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from importlib.util import find_spec
from random import Random

import pytest

from simon_solver.answers.results import SolveResult
from simon_solver.game.cards import Card, card_name, parse_card
from simon_solver.game.deal import Deal
from simon_solver.game.moves import Move, MoveText
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves, replay, score
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import read_deal
from simon_solver.search.verdict import Verdict
from tests.support.deals import DATA

KPAT_72 = read_deal("kpat:72")
WIN_72 = read_moves(str(DATA / "samples" / "ms72_win93_from_to_count.txt"))
KPAT_266 = read_deal("kpat:266")
WIN_266 = read_moves(str(DATA / "samples" / "ms266_win116_from_to_count.txt"))

LOST_BUT_FOR_A_RUN = """\
KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S
2H 7H 4H KD TH 6H 5C AD
JC QC KC 9D TC 9C TD AC
8H JH 7C 2D 4D 9H 3C 5H
7D QH JD QD 5D 2C 3D
4C KH 8D 8C
AH
6C
3H
6D AS
"""
"""A board that cannot be won; one move removes a run, and that is the best."""

CHROMIUM = shutil.which("chromium")

needs_chromium = [
    pytest.mark.skipif(find_spec("playwright") is None, reason="playwright comes with `dev`"),
    pytest.mark.skipif(
        CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed"
    ),
]


def result_of(
    deal: Deal, moves: Iterable[MoveText | Move], verdict: Verdict = Verdict.WINNABLE
) -> SolveResult:
    """What `solve` would say if this were the best line, with its proof."""
    steps, end = replay(deal.position, moves)
    made, removed = deal.moves_made + len(steps), len(end.removed)
    points = score(made, removed)
    return SolveResult(verdict, points, made, removed, points, tuple(steps), None, 7, 0.25)


def positions_of(deal: Deal, result: SolveResult) -> list[Position]:
    """The position before each move and after the last, by the rules."""
    moves = [step.move for step in result.solution]
    return [replay(deal.position, moves[:count])[1] for count in range(len(moves) + 1)]


def random_line(rng: Random, position: Position, length: int) -> list[Move]:
    """Legal moves at random, fewer than `length` where there are no more."""
    moves: list[Move] = []
    for _ in range(length):
        choices = legal_moves(position)
        if not choices:
            break
        moves.append(rng.choice(choices))
        position = replay(position, moves[-1:])[1]
    return moves


def card_of_face(rank: str, suit: str) -> Card:
    """The card that shows this rank and the shape of that suit."""
    card = parse_card(rank + suit)
    assert card_name(card) == rank.replace("10", "T") + suit
    return card
