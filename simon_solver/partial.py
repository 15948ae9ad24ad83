"""How many moves it takes at least to remove some runs, winning or not.

A run leaves when its cards lie on one another, king to ace. At each rank below the king, every
run that leaves needs a card of its suit joined to its true parent. A pair that is joined at the
start serves for one run; every other pair must be made by a move, and one move makes one pair. So
r runs of a suit need at least sum over ranks of max(0, r - pairs joined there) moves. It never
over-estimates, whatever else is or is not on the table, and needs no assumption that the game can
be won.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from simon_solver.cards import SUITS, rank_of, suit_of
from simon_solver.position import Position


def fewest_moves_to_remove(position: Position) -> list[int]:
    """Lower bounds on the moves to remove 0, 1, 2, … more runs, up to all that are left."""
    pairs: Counter[tuple[int, int]] = Counter()
    for column in position.columns:
        for lower, upper in pairwise(column):
            if lower == upper + 1 and suit_of(lower) == suit_of(upper):
                pairs[suit_of(upper), rank_of(upper)] += 1
    bounds = [0]
    for suit in SUITS:
        left = position.deck.copies[suit] - position.removed.count(suit)
        costs = [
            sum(max(0, runs - pairs[suit, rank]) for rank in range(1, position.deck.ranks))
            for runs in range(left + 1)
        ]
        bounds = [
            min(
                bounds[total - here] + costs[here]
                for here in range(left + 1)
                if 0 <= total - here < len(bounds)
            )
            for total in range(len(bounds) + left)
        ]
    return bounds
