"""Words, tables, moves, keys and packed nodes against the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.game.cards import rank_of, suit_of
from simon_solver.game.codes import GameCode
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import apply
from simon_solver.game.tableau import tableau_of
from simon_solver.kernels.searches import astar
from simon_solver.kernels.searches.options import Options
from simon_solver.kernels.state import pool, successors
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.successors import FACT
from simon_solver.kernels.state.task import build_task
from simon_solver.search.reference import label_reachable
from simon_solver.search.reference import successors as reference_successors
from tests.support.deals import (
    SMALL_SHAPES,
    board,
    random_deal,
    random_deal_with_run,
    random_walk,
    small_deck,
)
from tests.support.kernel import (
    column_of,
    columns_of,
    explore,
    from_python,
    key_of,
    packed,
    task_of,
)

pytestmark = pytest.mark.kernel

SUITS = (1, 2, 3, 4)

look, list_moves, make, unmake = map(
    from_python,
    (successors.look, successors.list_moves, successors.make, successors.unmake),
)
find, add_node, pack, unpack = map(from_python, (pool.find, pool.add_node, pool.pack, pool.unpack))
count_unjoined = from_python(successors.unjoined)


def start_of(rng: Random, suits: int) -> Position:
    """A full deal or a small one, now and then with a complete run on the table."""
    if suits != 3 and rng.random() < 0.5:
        return GameCode(suits, rng.randrange(26**7)).deal()
    ranks, sizes = rng.choice(SMALL_SHAPES)
    return rng.choice((random_deal, random_deal_with_run))(rng, suits, ranks, sizes)


def unjoined(position: Position) -> int:
    """U, by its definition."""
    return sum(
        rank_of(card) < position.deck.ranks and not (place and column[place - 1] == card + 1)
        for column in position.columns
        for place, card in enumerate(column)
    )


class Walker:
    """A position of the kernels, moved in step with one of the rules."""

    def __init__(self, position: Position) -> None:
        self.task = task_of(position)
        self.before = position.removed
        self.scratch = successors.new_scratch(len(position.columns))
        self.scratch.columns[:] = self.task.start
        self.look(0)
        self.scratch.facts[FACT.unjoined] = count_unjoined(self.task, self.task.start)

    def look(self, runs: int) -> None:
        look(self.task, self.scratch, runs)

    def moves(self) -> list[Move]:
        found = list_moves(self.task, self.scratch)
        codes = self.scratch.moves[:found].tolist()
        return [Move(code & 15, code >> 4 & 15, code >> 8) for code in codes]

    def make(self, move: Move) -> None:
        code = move.source | move.target << 4 | move.count << 8
        make(self.task, self.scratch, np.int64(code))

    def unmake(self, move: Move) -> None:
        code = move.source | move.target << 4 | move.count << 8
        unmake(self.scratch, np.int64(code))

    def child(self) -> tuple[tuple[int, ...], ...]:
        return columns_of(self.task, self.scratch.child)

    def key(self) -> tuple[int, int]:
        return int(self.scratch.made[FACT.key_a]), int(self.scratch.made[FACT.key_b])

    def go(self) -> None:
        """Go on from the position that was just made."""
        made = self.scratch.made.copy()
        self.scratch.columns[:] = self.scratch.child
        self.look(made[FACT.runs])
        assert tuple(self.scratch.facts[:2]) == tuple(made[:2])
        self.scratch.facts[FACT.unjoined] = made[FACT.unjoined]


@pytest.mark.parametrize("suits", SUITS)
def test_walks_agree_with_the_rules(suits: int, rng: Random) -> None:
    keys: dict[tuple[int, int], tuple[object, object]] = {}
    for number in range(12):
        position = start_of(rng, suits)
        walker = Walker(position)
        for _ in range(25):
            before = walker.scratch.columns.copy()
            listed = walker.moves()
            reached = set()
            for move in listed:
                after = apply(position, move)
                walker.make(move)
                assert walker.child() == after.columns, move
                gone = after.removed[len(walker.before) :]
                assert walker.scratch.made[FACT.runs] == packed(gone)
                assert walker.scratch.made[FACT.unjoined] == unjoined(after)
                assert tuple(key_of(walker.scratch.child)) == walker.key()
                table = tableau_of(after)
                assert keys.setdefault(walker.key(), (table, number))[0] == table
                reached.add(table)
                walker.unmake(move)
                assert (walker.scratch.child == before).all()
            here = tableau_of(position)
            assert reached - {here} == reference_successors(here, position.deck.ranks) - {here}
            if not listed:
                break
            move = rng.choice(listed)
            walker.make(move)
            walker.go()
            position = apply(position, move)
    assert len({table for table, _ in keys.values()}) == len(keys)


@pytest.mark.parametrize("suits", SUITS)
def test_key_ignores_the_order_of_columns_and_nothing_else(suits: int, rng: Random) -> None:
    for _ in range(20):
        position = start_of(rng, suits)
        words = task_of(position).start
        key = tuple(key_of(words))
        shuffled = np.array(rng.sample(words.tolist(), len(words)))
        assert tuple(key_of(shuffled)) == key
        changed = words.copy()
        changed[rng.randrange(len(words))] ^= 1 << rng.randrange(40)
        other = tuple(key_of(changed))
        assert other[0] != key[0]
        assert other[1] != key[1]


def test_two_equal_columns_do_not_cancel_out() -> None:
    deck = small_deck(1, 3)
    pair = task_of(board("3S 2S|3S 2S|AS AS||AS AS 2S 2S 3S 3S", deck)).start
    other = task_of(board("3S 2S|3S|AS AS|2S|AS AS 2S 2S 3S 3S", deck)).start
    assert pair[0] == pair[1]
    assert tuple(key_of(pair)) != tuple(key_of(other))
    without = np.array([0, 0, *pair[2:]])
    assert tuple(key_of(pair)) != tuple(key_of(without))


@pytest.mark.parametrize("suits", SUITS)
def test_packed_nodes_come_back(suits: int, rng: Random) -> None:
    for _ in range(8):
        position = start_of(rng, suits)
        walker = Walker(position)
        columns = len(position.columns)
        cards = sum(map(len, position.columns))
        nodes = pool.new_pool(pool.packed_words(columns, cards), 64, 256)
        unpacked = np.zeros(columns, np.int64)
        for _ in range(40):
            listed = walker.moves()
            if not listed:
                break
            walker.make(rng.choice(listed))
            node = rng.randrange(64)
            nodes.state[:] = rng.getrandbits(62)
            pack(nodes, np.int64(node), walker.scratch.child)
            unpack(nodes, np.int64(node), unpacked)
            assert (unpacked == walker.scratch.child).all()
            walker.go()


def test_a_complete_run_under_other_cards_leaves_when_it_is_uncovered() -> None:
    deck = small_deck(4, 3)
    position = board("2H|3S 2S AS AH|3H 3D 2D AD 2C|3C|AC", deck)
    walker = Walker(position)
    for move in (Move(1, 0, 1), Move(2, 3, 1)):
        walker.make(move)
        walker.go()
        position = apply(position, move)
        assert columns_of(walker.task, walker.scratch.columns) == position.columns
    assert position.removed == (0, 2)
    assert walker.scratch.facts[FACT.runs] == packed(position.removed)


@pytest.mark.parametrize(("suits", "seed"), [(suits, seed) for suits in SUITS for seed in range(3)])
def test_exploring_agrees_with_the_reference_search(suits: int, seed: int) -> None:
    rng = Random(f"explore {suits} {seed}")
    position = random_deal(rng, suits, 3, (3, 3, 3, 3))
    explored = explore(position, 20_000)
    assert explored is not None
    labels = {tableau_of(reached): won for reached, won in label_reachable(position)}
    found = {
        tuple(sorted(map(bytes, columns_of(explored.task, words)))): left >= 0
        for words, left in zip(explored.words, explored.moves_left, strict=True)
    }
    assert found == labels


def test_words_stand_for_their_cards(rng: Random) -> None:
    for suits in SUITS:
        for position in random_walk(rng, start_of(rng, suits), 30):
            task = task_of(position)
            assert columns_of(task, task.start) == position.columns


@given(
    st.lists(st.lists(st.tuples(st.integers(1, 13), st.integers(0, 3)), max_size=13), max_size=4)
)
def test_any_column_has_a_word(columns: list[list[tuple[int, int]]]) -> None:
    task = build_task(columns or [[]], 13)
    for index, column in enumerate(columns):
        cards = column_of(task, index, int(task.start[index]))
        assert [(rank_of(card), suit_of(card)) for card in cards] == column


@pytest.mark.parametrize(
    ("columns", "ranks", "message"),
    [
        ([[]] * 17, 13, "at most 16 columns, got 17"),
        ([[(1, 0)] * 53], 13, "at most 52 cards, got 53"),
        ([[(1, 0)]], 14, "at most 13 ranks, got 14"),
        ([[(1, 0)] * 8], 1, "at most 7 copies of a suit, got 8"),
    ],
)
def test_what_does_not_fit_is_refused(
    columns: list[list[tuple[int, int]]], ranks: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        build_task(columns, ranks)


def test_clearing_a_pool_frees_every_slot(rng: Random) -> None:
    position = GameCode(4, 29).deal()
    task = task_of(position)
    scratch = successors.new_scratch(10)
    options = Options(weight_g=1, weight_h=2).as_array()
    for slots in (1 << 12, 1 << 16):
        nodes = pool.new_pool(4, 1 << 11, slots)
        astar.start(task, nodes, scratch, options, astar.NO_WIN, 0)
        assert (nodes.table != 0).sum() == 1
        pool.clear(nodes)
        for _ in range(1_000):
            key = rng.getrandbits(62) & ~0xFF, rng.getrandbits(62)
            slot = -1 - find(nodes, np.int64(key[0]), np.int64(key[1]))
            add_node(nodes, task.start, np.int64(key[0]), np.int64(key[1]), np.int64(0), slot)
        assert (nodes.table != 0).sum() == 1_000
        pool.clear(nodes)
        assert not nodes.table.any()
        assert not np.delete(nodes.counts, POOL.goal).any()
