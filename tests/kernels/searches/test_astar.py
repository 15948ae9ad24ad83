"""Every search, with every rule on and off, against breadth-first search on small decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import numba
import numpy as np
import pytest

from simon_solver.game.codes import GameCode
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import replay
from simon_solver.kernels.relaxations import classes, lifts
from simon_solver.kernels.searches import astar, complete, macro, path
from simon_solver.kernels.searches.macro import MACRO
from simon_solver.kernels.searches.options import OPTION, WHEN
from simon_solver.kernels.searches.outcomes import OUTCOME
from simon_solver.kernels.state import pool, successors
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.task import INFO, Task
from simon_solver.search.portfolio import as_moves
from tests.support.deals import (
    DATA,
    SMALL_SHAPES,
    SmallDeck,
    assert_wins,
    board,
    random_deal,
    random_deal_with_run,
    small_decks,
)
from tests.support.kernel import Explored, explore, from_python, moves_to_runs, task_of

pytestmark = pytest.mark.kernel

FRESH_SHAPES = (*SMALL_SHAPES, (5, (5, 5, 4, 3, 3)), (3, (3, 3, 2, 2, 2)))
SUITS = (1, 2, 4)

find = from_python(pool.find)


def fresh_decks(seed: str, suits: int, count: int) -> Iterator[tuple[Position, Explored]]:
    """So many random small decks with cards on the table, and all that can be reached in them."""
    rng = Random(seed)
    while count:
        ranks, sizes = rng.choice(FRESH_SHAPES)
        make = random_deal_with_run if max(sizes) >= ranks and rng.random() < 0.2 else random_deal
        position = make(rng, suits, ranks, sizes)
        explored = explore(position, 10_000)
        if explored is not None and explored.runs[0] != explored.task.info[INFO.start_runs]:
            count -= 1
            yield position, explored


def decks_of(suits: int, part: int = 1) -> list[SmallDeck]:
    """Every `part`-th small deck with cards on the table; without compilation only a few."""
    rows = [row for row in small_decks() if row.suits == suits and row.fewest_moves != 0]
    if numba.config.DISABLE_JIT:
        return [row for row in rows if row.position.deck.ranks == 4][::30]
    return rows[::part]


class Search:
    """One search over a position, its pool grown as far as it asks."""

    def __init__(self, position: Position, *, decides: int = 0, **options: int) -> None:
        self.position = position
        self.decides = decides
        self.task: Task = task_of(position)
        columns = self.task.start.shape[0]
        words = pool.packed_words(columns, int(np.count_nonzero(self.task.card)))
        self.pool = pool.new_pool(words, 1 << 10, 1 << 11)
        self.scratch = successors.new_scratch(columns)
        self.lifts, self.bounds = lifts.new_lifts(1 << 12), astar.new_bounds()
        self.classes = classes.new_classes(1 << 12)
        self.options = np.array(
            [
                options.get("weight_g", 1),
                options.get("weight_h", 1),
                options.get("use_lifts", 0),
                options.get("waiting", 1),
                options.get("taken", 1),
                options.get("parents", 1),
                options.get("runs_wanted", 0),
                options.get("in_layers", 0),
                options.get("use_classes", WHEN.never),
            ],
            np.int64,
        )

    def run(self, upper: int = astar.NO_WIN, budget: int = 500) -> int:
        """The outcome of the search."""
        lifts.forget(self.lifts, int(self.options[OPTION.runs_wanted]))
        classes.forget(self.classes)
        astar.start(self.task, self.pool, self.scratch, self.options, upper, 0)
        outcome = OUTCOME.running
        while outcome in (OUTCOME.running, OUTCOME.full):
            if outcome == OUTCOME.full:
                larger = pool.grown(self.pool, 1 << 30)
                assert larger is not None
                self.pool = larger
            after = (self.pool, self.scratch, self.options, budget)
            if self.decides:
                outcome = complete.step(self.task, self.lifts, self.classes, *after)
            else:
                outcome = astar.step(self.task, self.lifts, self.bounds, *after)
        return outcome

    def solution(self) -> list[Move]:
        """The moves to the goal."""
        goal = int(self.pool.counts[POOL.goal])
        return as_moves(path.moves_to_node(self.task, self.pool, self.scratch, goal))


@pytest.mark.parametrize("use_classes", [WHEN.never, WHEN.start, WHEN.always])
@pytest.mark.parametrize("use_lifts", [0, 1])
@pytest.mark.parametrize("weights", [(1, 2), (1, 4), (0, 1)])
@pytest.mark.parametrize("suits", SUITS)
def test_complete_searches_decide(
    suits: int, weights: tuple[int, int], use_lifts: int, use_classes: int
) -> None:
    seen = Counter[int]()
    for deck in decks_of(suits):
        one = Search(
            deck.position,
            decides=1,
            weight_g=weights[0],
            weight_h=weights[1],
            use_lifts=use_lifts,
            use_classes=use_classes,
        )
        outcome = one.run()
        assert (outcome == OUTCOME.won) == deck.winnable, deck
        if deck.winnable:
            assert_wins(deck.position, one.solution())
        seen[outcome] += 1
    assert seen[OUTCOME.won]
    assert seen[OUTCOME.exhausted] or use_classes != WHEN.never
    assert (seen[OUTCOME.lost] > 0) == (use_classes != WHEN.never)
    assert set(seen) <= {OUTCOME.won, OUTCOME.exhausted, OUTCOME.lost}


@pytest.mark.parametrize("suits", SUITS)
def test_breadth_first_order_finds_shortest_wins(suits: int) -> None:
    for deck in decks_of(suits, part=4):
        if deck.winnable:
            one = Search(deck.position, decides=1, weight_h=0)
            assert one.run() == OUTCOME.won
            assert len(one.solution()) == deck.fewest_moves


RULES: list[dict[str, int]] = [
    {"use_lifts": 1},
    {"use_lifts": 0},
    {"use_lifts": 1, "taken": 0},
    {"use_lifts": 1, "parents": 0},
    {"use_lifts": 1, "in_layers": 1},
    {"use_lifts": 0, "in_layers": 1, "waiting": 0},
    {"use_lifts": 1, "waiting": 0},
    {"use_lifts": 1, "weight_g": 2, "weight_h": 3},
]
"""What must not change the length of a shortest win, by what is on or off."""


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("suits", SUITS)
def test_optimal_search_finds_shortest_wins(suits: int, rules: dict[str, int]) -> None:
    for deck in decks_of(suits):
        one = Search(deck.position, **rules)
        assert (one.run() == OUTCOME.won) == deck.winnable, deck
        if deck.winnable:
            solution = one.solution()
            assert_wins(deck.position, solution)
            assert len(solution) == deck.fewest_moves == one.pool.counts[POOL.upper]


def removed_runs(position: Position, moves: Sequence[Move]) -> int:
    """Runs that leave in the moves."""
    return sum(len(step.removes) for step in replay(position, moves)[0])


RUNS_RULES: list[dict[str, int]] = [
    {"use_lifts": 1},
    {"use_lifts": 0},
    {"use_lifts": 1, "weight_h": 3},
]
"""What must not change the fewest moves that remove some runs."""


def assert_fewest_moves(position: Position, runs: int, fewest: int, rules: dict[str, int]) -> None:
    """The search finds that so many more runs take `fewest` moves, -1 for never."""
    one = Search(position, waiting=0, runs_wanted=runs, **rules)
    outcome = one.run()
    if fewest < 0:
        assert outcome == OUTCOME.exhausted, (position, runs, rules)
        assert not one.pool.counts[POOL.cut]
        return
    assert outcome == OUTCOME.won, (position, runs, rules)
    solution = one.solution()
    assert len(solution) == fewest == one.pool.counts[POOL.upper], (position, runs, rules)
    assert removed_runs(position, solution) >= runs
    again = Search(position, waiting=0, runs_wanted=runs, **rules)
    assert again.run(upper=fewest) == OUTCOME.exhausted
    assert again.pool.counts[POOL.cut]


@pytest.mark.parametrize("rules", RUNS_RULES, ids=str)
@pytest.mark.parametrize("suits", SUITS)
def test_search_for_runs_finds_the_fewest_moves(suits: int, rules: dict[str, int]) -> None:
    seen = Counter[tuple[int, bool]]()
    for deck in decks_of(suits, part=2):
        before = len(deck.position.removed)
        for runs in range(before + 1, deck.position.deck.runs + 1):
            fewest = deck.fewest_by_runs[runs] if runs < len(deck.fewest_by_runs) else -1
            assert_fewest_moves(deck.position, runs - before, fewest, rules)
            seen[runs - before, fewest > 0] += 1
    assert seen[1, True]
    assert seen[1, False]
    assert seen[3, True]


def test_a_start_that_cannot_beat_the_known_win_is_cut() -> None:
    one = Search(decks_of(4)[0].position)
    astar.start(one.task, one.pool, one.scratch, one.options, 5, 200)
    outcome = astar.step(
        one.task,
        one.lifts,
        one.bounds,
        one.pool,
        one.scratch,
        one.options,
        10,
    )
    assert outcome == OUTCOME.exhausted
    assert one.pool.counts[POOL.cut]
    assert not one.pool.counts[POOL.expanded]


@pytest.mark.slow
@pytest.mark.parametrize("suits", SUITS)
def test_search_for_runs_finds_the_fewest_moves_in_many(suits: int) -> None:
    """A thousand fresh decks for each suit count, against breadth-first search."""
    for position, explored in fresh_decks(f"many runs {suits}", suits, 1_000):
        for runs in range(1, position.deck.runs - len(position.removed) + 1):
            fewest = int(moves_to_runs(explored, runs)[0])
            for rules in RUNS_RULES:
                assert_fewest_moves(position, runs, fewest, rules)


@pytest.mark.slow
@pytest.mark.parametrize("suits", SUITS)
def test_optimal_search_finds_shortest_wins_of_many(suits: int) -> None:
    """A thousand fresh decks for each suit count, against breadth-first search."""
    for position, explored in fresh_decks(f"many {suits}", suits, 1_000):
        fewest = explored.moves_left[0]
        for rules in RULES:
            one = Search(position, **rules)
            assert (one.run() == OUTCOME.won) == (fewest >= 0), position
            if fewest >= 0:
                assert len(one.solution()) == fewest, (position, rules)


@pytest.mark.parametrize("suits", SUITS)
def test_optimal_search_with_a_known_win(suits: int) -> None:
    for deck in decks_of(suits, part=3):
        if deck.fewest_moves is None:
            continue
        equal = Search(deck.position, use_lifts=1)
        assert equal.run(upper=deck.fewest_moves) == OUTCOME.exhausted, deck
        longer = Search(deck.position, use_lifts=1)
        assert longer.run(upper=deck.fewest_moves + 1) == OUTCOME.won
        assert len(longer.solution()) == deck.fewest_moves


@pytest.mark.parametrize("eager", [0, 1])
@pytest.mark.parametrize("suits", SUITS)
def test_macro_search_wins_only_what_can_be_won(suits: int, eager: int) -> None:
    outcomes = Counter[bool]()
    for deck in decks_of(suits):
        task = task_of(deck.position)
        work = macro.new_macro(task.start.shape[0], 1_000)
        won = macro.search_macro(task, lifts.new_lifts(1 << 12), work, 2_000, eager)
        if won:
            assert deck.winnable
            assert_wins(deck.position, as_moves(work.path[macro.winning_moves(work) :]))
        outcomes[bool(won)] += 1
    assert outcomes[True]
    assert outcomes[False]


@pytest.mark.parametrize("eager", [0, 1])
@pytest.mark.parametrize("nodes", [1, 2, 20])
def test_macro_search_ends_when_it_is_full(nodes: int, eager: int) -> None:
    task = task_of(GameCode(4, 29).deal())
    work = macro.new_macro(10, nodes)
    assert not macro.search_macro(task, lifts.new_lifts(), work, 2_000, eager)
    assert work.counts[MACRO.nodes] == nodes


def test_the_trap_of_joins() -> None:
    """Joining 6D to 7D takes the place of 5C away; without that the position is won."""
    text = (DATA / "samples" / "ms309_after54_join_trap.board").read_text(encoding="utf-8")
    trap = board("|".join(text.splitlines()))
    free = Search(trap, weight_h=2, use_lifts=1)
    assert free.run() == OUTCOME.won
    assert_wins(trap, free.solution())


@pytest.mark.parametrize(("budget", "decides"), list(product([1, 7, 5000], [0, 1])))
def test_results_do_not_depend_on_the_budget_of_a_step(budget: int, decides: int) -> None:
    deck = decks_of(4)[3]
    one, other = (
        Search(deck.position, weight_h=1 + decides, use_lifts=1, decides=decides) for _ in range(2)
    )
    assert one.run(budget=budget) == other.run(budget=1000)
    assert one.pool.counts[POOL.expanded] == other.pool.counts[POOL.expanded]
    assert one.pool.counts[POOL.nodes] == other.pool.counts[POOL.nodes]


def test_growing_keeps_every_node() -> None:
    one = Search(GameCode(2, 29).deal(), weight_h=0)
    astar.start(one.task, one.pool, one.scratch, one.options, astar.NO_WIN, 0)
    keys: list[tuple[int, int]] = []
    sizes = set()
    rounds = 2 if numba.config.DISABLE_JIT else 12
    for _ in range(rounds):
        while (
            astar.step(
                one.task,
                one.lifts,
                one.bounds,
                one.pool,
                one.scratch,
                one.options,
                100,
            )
            != OUTCOME.full
        ):
            pass
        count = one.pool.counts[POOL.nodes]
        keys[len(keys) : count] = map(tuple, one.pool.key[len(keys) : count].tolist())
        larger = pool.grown(one.pool, 1 << 30)
        assert larger is not None
        one.pool = larger
        sizes.add((len(one.pool.state), len(one.pool.table)))
        assert [find(one.pool, *map(np.int64, key)) for key in keys] == list(range(count))
    assert len(sizes) == rounds


def test_growing_stops_at_the_limit() -> None:
    nodes = pool.new_pool(4, 1 << 10, 1 << 11)
    limit, largest = 1 << 20, 0
    while True:
        used = pool.pool_bytes(4, len(nodes.state), len(nodes.table))
        assert largest < used <= limit
        largest = used
        larger = pool.grown(nodes, limit)
        if larger is None:
            break
        nodes = larger
    assert largest > limit / 2
