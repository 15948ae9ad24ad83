"""A lower bound on the moves needed to remove some runs, winning or not.

Suppose that a given number of runs of each suit leaves first. A suit of which all that is left
leaves is *emptied*. A *misplaced card* does not lie on its true parent; a king at a base is none.
Then runs need joins [R.1], and some misplaced cards must move [R.2]. For each suit the larger of
both counts is a lower bound on the moves of its cards, and the bound on r runs is the smallest sum
over all ways to share r among the suits [R.3]. It needs no assumption that the game can be won.

Numbers in brackets are statements of `docs/algorithms/`. `kernels.bounds.removal` is the compiled
form.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NamedTuple

from simon_solver.game.cards import SUITS, Card, Suit, make_card, rank_of, suit_of
from simon_solver.game.position import Position

NEVER = 1 << 20
"""Moves to what cannot be reached."""


class _Misplaced(NamedTuple):
    suit: Suit
    is_king: bool
    hinders: frozenset[Suit]
    """Suits that cannot be emptied before it has moved."""


def fewest_moves_to_remove(position: Position) -> list[int]:
    """Lower bounds on the moves to remove 0, 1, 2, … more runs, up to all that are left.

    The position must not end in a complete run in any column.
    """
    pairs, misplaced = _pairs_and_misplaced(position)
    left = [copies - position.removed.count(s) for s, copies in enumerate(position.deck.copies)]
    ranks = range(1, position.deck.ranks)
    joins = [
        [sum(max(0, runs - pairs[suit, rank]) for rank in ranks) for runs in range(left[suit] + 1)]
        for suit in SUITS
    ]
    bounds = [NEVER] * (sum(left) + 1)
    for leaving in product(*(range(copies + 1) for copies in left)):
        emptied = {suit for suit in SUITS if leaving[suit] == left[suit] > 0}
        first = [0, 0, 0, 0]
        for card, count in misplaced.items():
            may_stay = card.is_king and leaving[card.suit]
            if not may_stay and not emptied.isdisjoint(card.hinders):
                first[card.suit] += count
        moves = sum(max(joins[suit][leaving[suit]], first[suit]) for suit in SUITS)
        bounds[sum(leaving)] = min(bounds[sum(leaving)], moves)
    return bounds


def _pairs_and_misplaced(
    position: Position,
) -> tuple[Counter[tuple[Suit, int]], Counter[_Misplaced]]:
    """Joined cards by suit and rank, and misplaced cards, alike ones together."""
    pairs: Counter[tuple[Suit, int]] = Counter()
    misplaced: Counter[_Misplaced] = Counter()
    for column in position.columns:
        below: Card | None = None
        under: frozenset[Suit] = frozenset()
        for card in column:
            suit, rank = suit_of(card), rank_of(card)
            if rank == position.deck.ranks:
                misplaced[_Misplaced(suit, True, under)] += 1
            elif below == make_card(rank + 1, suit):
                pairs[suit, rank] += 1
            else:
                misplaced[_Misplaced(suit, False, under | {suit})] += 1
            below, under = card, under | {suit}
    return pairs, misplaced
