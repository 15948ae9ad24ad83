"""The waiting bound must never exceed the moves that a win really needs, and be what it says."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from itertools import combinations
from random import Random
from typing import NamedTuple

import numba
import numpy as np
import pytest

from simon_solver.game.cards import Card, make_card, rank_of, suit_of
from simon_solver.kernels.bounds import hitting, waiting
from simon_solver.kernels.bounds.hitting import CONFLICTS
from simon_solver.kernels.forms import int64
from simon_solver.kernels.searches import astar
from simon_solver.kernels.searches.options import Options
from simon_solver.kernels.state import pool, successors
from simon_solver.kernels.state.successors import FACT
from simon_solver.kernels.state.task import INFO, Ints, Task
from tests.support.deals import SMALL_SHAPES, random_deal, reference_deals
from tests.support.kernel import (
    as_kernel,
    columns_of,
    explore,
    explored_decks,
    from_python,
    task_of,
)

pytestmark = pytest.mark.kernel

SHAPES = (*SMALL_SHAPES, (3, (4, 4, 4)), (3, (3, 3, 2, 2, 2)), (4, (3, 3, 3, 3, 2, 2)))
BUDGET = 5_000

count_unjoined, load, exceeds, is_conflict = map(
    from_python, (successors.unjoined, waiting.load, waiting.exceeds, waiting.is_conflict)
)
find_hitting, activate = map(from_python, (hitting.find_hitting, hitting.activate))


@as_kernel
def _bound_all(task, bounds, scratch, options, nodes, runs, moves_left, found) -> int:  # type: ignore[no-untyped-def]
    """Bound all winnable positions; returns how many estimates of children are too high."""
    wrong = 0
    waits, conflicts = bounds.waits, bounds.conflicts
    for position in range(found.shape[0]):
        if moves_left[position] <= 0:
            continue
        pool.unpack(nodes, int64(position), scratch.columns)
        successors.look(task, scratch, runs[position])
        plain = successors.unjoined(task, scratch.columns)
        scratch.facts[FACT.unjoined] = plain
        waiting.load(task, waits, scratch.columns, int64(1))
        least = int64(0)
        while waiting.exceeds(waits, conflicts, scratch.columns.shape[0], least, int64(BUDGET)):
            least += 1
        found[position] = plain + least
        for index in range(successors.list_moves(task, scratch)):
            move = scratch.moves[index]
            successors.make(task, scratch, move)
            made = scratch.made
            child = pool.find(nodes, made[FACT.key_a], made[FACT.key_b])
            estimate = astar._estimate(task, bounds, scratch, options, move, plain + least)
            if 0 <= moves_left[child] < estimate:
                wrong += 1
            successors.unmake(scratch, move)
    return wrong


def run_audit(suits: int, decks: int, most: int, seed: str) -> None:
    """Compare bounds with the fewest moves from every winnable position of small decks.

    Conflicts are kept from position to position, as in a search, and from deck to deck besides.
    """
    working = astar.new_bounds()
    options = Options(waiting=1, taken=1, parents=1).as_array()
    gains = equal = positions = 0
    for _, explored in explored_decks(suits, decks, most, seed, SHAPES):
        scratch = successors.new_scratch(explored.words.shape[1])
        bounds = np.zeros(len(explored.runs), np.int64)
        wrong = _bound_all(
            explored.task,
            working,
            scratch,
            options,
            explored.nodes,
            explored.runs,
            explored.moves_left,
            bounds,
        )
        assert wrong == 0
        won = explored.moves_left > 0
        plain = np.array([count_unjoined(explored.task, words) for words in explored.words[won]])
        assert (bounds[won] <= explored.moves_left[won]).all()
        assert (plain <= bounds[won]).all()
        gains += (plain < bounds[won]).sum()
        equal += (bounds[won] == explored.moves_left[won]).sum()
        positions += won.sum()
    # a bound of nothing, or one that adds nothing to U, would pass the lines above
    assert gains > 0
    assert equal > positions / 10 > 0


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_never_above_the_fewest_moves(suits: int) -> None:
    decks, most = (20, 1_500) if numba.config.DISABLE_JIT else (60, 20_000)
    run_audit(suits, decks, most, f"waiting {suits}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_never_above_the_fewest_moves_in_many(suits: int, seed: int) -> None:
    run_audit(suits, 500, 12_000, f"waiting {suits} {seed}")


class Table(NamedTuple):
    """The relaxed game as its definition has it. Cards are (column, index from the base)."""

    kinds: dict[tuple[int, int], Card]
    heads: dict[tuple[int, int], list[tuple[int, int]]]
    """The heads above each card."""
    children: dict[tuple[int, int], tuple[int, int]]
    """Joined cards, by what they are joined to."""
    roles: dict[tuple[int, int], str]
    ranks: int


def table_of(columns: tuple[tuple[Card, ...], ...], ranks: int) -> Table:
    """Read off what is a head and what is joined."""
    table = Table({}, {}, {}, {}, ranks)
    for column, cards in enumerate(columns):
        for index, card in enumerate(cards):
            place = column, index
            table.kinds[place] = card
            rank = rank_of(card)
            joined = (
                index > 0
                and rank < ranks
                and cards[index - 1] == make_card(rank + 1, suit_of(card))
            )
            if joined:
                table.children[column, index - 1] = place
                table.roles[place] = "joined"
            elif rank < ranks or index > 0:
                table.roles[place] = "head"
        for index in range(len(cards)):
            above = [(column, other) for other in range(index + 1, len(cards))]
            table.heads[column, index] = [p for p in above if table.roles.get(p) == "head"]
    return table


def leaves_unpaid(table: Table, head: tuple[int, int], present: frozenset[tuple[int, int]]) -> bool:
    """The head can leave unpaid while those heads and joined cards are in place."""
    card = table.kinds[head]

    def uncovered(place: tuple[int, int]) -> bool:
        return not present.intersection(table.heads[place])

    def copies(rank: int) -> list[tuple[int, int]]:
        return [p for p, kind in table.kinds.items() if kind == make_card(rank, suit_of(card))]

    if rank_of(card) == table.ranks:
        return all(any(map(uncovered, copies(rank))) for rank in range(1, table.ranks))
    return any(
        uncovered(place) and table.children.get(place) not in present
        for place in copies(rank_of(card) + 1)
    )


def fewest_payments(table: Table) -> int:
    """Dijkstra over what is still in place."""
    start = frozenset(table.roles)
    queue = [(0, 0, start)]
    done = set()
    ties = 0
    while queue:
        paid, _, present = heappop(queue)
        if present in done:
            continue
        done.add(present)
        heads = [p for p in present if table.roles[p] == "head"]
        if not heads:
            return paid
        for place in present:
            joined = table.roles[place] == "joined"
            if not joined and present.intersection(table.heads[place]):
                continue
            free = not joined and leaves_unpaid(table, place, present)
            ties += 1
            heappush(queue, (paid + (not free), ties, present - {place}))
    raise AssertionError("paying for everything wins")


def small_positions(suits: int, count: int) -> list[tuple[Task, Ints, int]]:
    """Tables, words and ranks of some positions in small decks, a few of each."""
    rng = Random(f"payments {suits}")
    found: list[tuple[Task, Ints, int]] = []
    while len(found) < count:
        ranks, sizes = rng.choice(
            [(3, (3, 3, 3, 3)), (4, (6, 6, 4)), (5, (7, 7, 6)), (3, (5, 4, 3))]
        )
        explored = explore(random_deal(rng, suits, ranks, sizes), 20_000)
        if explored is not None:
            picked = rng.sample(range(len(explored.words)), min(4, len(explored.words)))
            found += [(explored.task, explored.words[one], ranks) for one in picked]
    return found


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_exact_minimum_of_the_relaxed_game(suits: int) -> None:
    waits, conflicts = waiting.new_waits(), hitting.new_conflicts()
    seen = Counter[int]()
    for task, words, ranks in small_positions(suits, 24 if numba.config.DISABLE_JIT else 60):
        load(task, waits, words, int64(1))
        fewest = fewest_payments(table_of(columns_of(task, words), ranks))
        columns = int64(len(words))
        for least in range(fewest):
            assert exceeds(waits, conflicts, columns, int64(least), int64(BUDGET))
        assert not exceeds(waits, conflicts, columns, int64(fewest), int64(BUDGET))
        paid = int(conflicts.counts[CONFLICTS.chosen])
        assert paid.bit_count() == fewest
        active = conflicts.active[: conflicts.counts[CONFLICTS.active], hitting._ACTIVE.cards]
        assert all(is_conflict(waits, conflict) and conflict & paid for conflict in active)
        seen[fewest] += 1
    assert len(seen) > 1


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_a_set_that_is_no_conflict_is_refused(suits: int) -> None:
    """All small sets of cards: a conflict has no card that can go first without payment."""
    waits = waiting.new_waits()
    seen = Counter[bool]()
    for task, words, ranks in small_positions(suits, 4 if numba.config.DISABLE_JIT else 20):
        load(task, waits, words, int64(1))
        table = table_of(columns_of(task, words), ranks)
        numbers = numbers_of(table, task, waits)
        for size in (1, 2, 3):
            for places in combinations(table.roles, size):
                cards = frozenset(places)
                heads = [place for place in places if table.roles[place] == "head"]
                wanted = bool(heads) and not any(
                    leaves_unpaid(table, head, cards) for head in heads
                )
                mask = sum(1 << numbers[place] for place in places)
                assert is_conflict(waits, int64(mask)) == wanted
                seen[wanted] += 1
    assert seen[True]
    assert seen[False]
    assert not is_conflict(waits, int64(0))


def numbers_of(table: Table, task: Task, waits: waiting.Waits) -> dict[tuple[int, int], int]:
    """The kernels' numbers of all cards: copies are met column by column, top first."""
    met = Counter[Card]()
    numbers = {}
    for place in sorted(table.kinds, key=lambda place: (place[0], -place[1])):
        card = table.kinds[place]
        suit = suit_of(card)
        copies = int(task.info[INFO.copies + suit])
        first = int(task.info[INFO.first_card + suit]) + (rank_of(card) - 1) * copies
        numbers[place] = first + met[card]
        met[card] += 1
        assert waits.card[numbers[place], waiting._CARD.column] == place[0]
    return numbers


@pytest.mark.parametrize("seed", range(10 if numba.config.DISABLE_JIT else 200))
def test_hitting_sets_are_smallest(seed: int) -> None:
    rng, conflicts = Random(seed), hitting.new_conflicts()
    cards = rng.randint(2, 9)
    sets = [
        rng.randrange(1, 1 << cards) & rng.randrange(1 << cards) for _ in range(rng.randint(0, 9))
    ]
    sets = [one for one in sets if one]
    for one in sets:
        activate(conflicts, int64(one))
    given = rng.choice([0, rng.randrange(1 << cards)])
    left = [one for one in sets if not one & given]
    fewest = min(
        chosen.bit_count() for chosen in range(1 << cards) if all(one & chosen for one in left)
    )
    for most in range(-1, fewest):
        assert find_hitting(conflicts, int64(given), int64(most), int64(BUDGET)) == hitting.NO_SET
    found = int(find_hitting(conflicts, int64(given), int64(fewest), int64(BUDGET)))
    assert found.bit_count() == fewest
    assert all(one & found for one in left)


def test_a_search_for_a_hitting_set_may_give_up() -> None:
    conflicts = hitting.new_conflicts()
    for one, other in combinations(range(6), 2):
        activate(conflicts, int64(1 << one | 1 << other))
    answers = [
        int(find_hitting(conflicts, int64(0), int64(4), int64(budget))) for budget in (1, 2, BUDGET)
    ]
    assert answers == [hitting.OUT_OF_BUDGET, hitting.OUT_OF_BUDGET, hitting.NO_SET]


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_full_deals(suits: int) -> None:
    waits, conflicts = waiting.new_waits(), hitting.new_conflicts()
    gains = 0
    for deal in reference_deals(suits)[: 20 if numba.config.DISABLE_JIT else 200]:
        if deal.best_moves is None:
            continue
        task = task_of(deal.position)
        load(task, waits, task.start, int64(1))
        least = 0
        while exceeds(waits, conflicts, int64(10), int64(least), int64(BUDGET)):
            least += 1
        assert count_unjoined(task, task.start) + least <= deal.best_moves, deal.name
        gains += least
    assert gains > 0


def test_without_taken_copies_fewer_payments() -> None:
    waits, conflicts = waiting.new_waits(), hitting.new_conflicts()
    payments = []
    for count_taken in (0, 1):
        total = 0
        for deal in reference_deals(2)[:10]:
            task, least = task_of(deal.position), 0
            load(task, waits, task.start, int64(count_taken))
            while exceeds(waits, conflicts, int64(10), int64(least), int64(BUDGET)):
                least += 1
            total += least
        payments.append(total)
    assert payments[0] < payments[1]
