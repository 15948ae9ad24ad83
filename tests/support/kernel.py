"""Positions as the kernels have them and back, and every position that can be reached."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from simon_solver.game.cards import Card, Suit, make_card, rank_of, suit_of
from simon_solver.game.position import Position
from simon_solver.kernels.forms import Entry, int64, internal
from simon_solver.kernels.native import kept
from simon_solver.kernels.native.building import build
from simon_solver.kernels.native.loading import load
from simon_solver.kernels.native.places import file_name
from simon_solver.kernels.native.translating import translate
from simon_solver.kernels.native.twins import dispatcher
from simon_solver.kernels.searches import astar, path
from simon_solver.kernels.searches.options import Options
from simon_solver.kernels.state import pool, successors
from simon_solver.kernels.state.fields import (
    BELOW_SHIFT,
    FIELD_MASK,
    LENGTH_SHIFT,
    RANK_SHIFT,
    RUN_BITS,
)
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.successors import FACT
from simon_solver.kernels.state.task import BELOW, INFO, TYPE_MASK, Ints, Task, build_task
from tests.support.deals import random_deal, random_deal_with_run


def from_python(kernel: Any) -> Any:
    """A kernel in compiled form, unless all are to run interpreted."""
    if numba.config.DISABLE_JIT:
        return wrapping(kernel)
    if numba.config.BOUNDSCHECK or "tuple" in str(kernel.__annotations__["return"]):
        return dispatcher(kernel)  # errors, and more than one number, come from numba's form alone
    return _Compiled(kernel)


def wrapping(kernel: Any) -> Any:
    """The kernel in Python; its numbers wrap around without a warning."""

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return kernel(*arguments)

    return call


def as_kernel(function: Any) -> Any:
    """A function of a test as a kernel; the globals that it uses may stand below it."""
    internal(function)
    form = cache(from_python)

    def call(*arguments: Any) -> Any:
        return form(function)(*arguments)

    return call


class _Compiled:
    """A kernel as machine code, made at the first call and kept beside the code of the product."""

    def __init__(self, kernel: Any) -> None:
        self._entry = kernel if isinstance(kernel, Entry) else Entry(kernel)
        self._form: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if self._form is None:
            self._form = self._made(arguments)
        return self._form(*arguments)

    def _made(self, arguments: tuple[Any, ...]) -> Any:
        entry, place = self._entry, kept.folder()
        source = Path(entry.function.__code__.co_filename)
        # a mutant stands in no file, but its code is its own
        text = source.read_bytes() if source.exists() else marshal.dumps(_codes_of(entry.function))
        digest = hashlib.sha256(text).hexdigest()[:12]
        file = place / file_name(f"test-{entry.function.__module__}-{entry.name}-{digest}")
        code = kept.read(file)
        if code is None:
            code = build(translate([(entry, arguments)], lambda _done, _total: None))
            place.mkdir(parents=True, exist_ok=True)
            kept.write(file, code)
        return load(code)[entry.name]


def _codes_of(function: Any) -> list[CodeType]:
    """The code of all functions of a function's module."""
    values = function.__globals__.values()
    return [value.__code__ for value in values if isinstance(value, FunctionType)]


key_of = from_python(pool.key_of)


def task_of(position: Position) -> Task:
    """The kernels' tables of a position, complete runs at column ends removed."""
    columns = [[(rank_of(card), suit_of(card)) for card in column] for column in position.columns]
    return build_task(columns, position.deck.ranks)


def column_of(task: Task, column: int, word: int) -> tuple[Card, ...]:
    """The cards that a word stands for in that column, base first."""
    depth = task.below[word >> BELOW_SHIFT, BELOW.depth]
    kinds = task.card[column, : task.segment_start[column, depth]] & TYPE_MASK
    cards = [make_card(kind & 15, kind >> 4) for kind in kinds.tolist()]
    rank, length = word >> RANK_SHIFT & FIELD_MASK, word >> LENGTH_SHIFT & FIELD_MASK
    for place in range(length):
        cards.append(make_card(rank - place, word >> 2 * (length - 1 - place) & 3))
    return tuple(cards)


def columns_of(task: Task, words: Sequence[int] | Ints) -> tuple[tuple[Card, ...], ...]:
    """The columns that words stand for."""
    return tuple(column_of(task, index, int(word)) for index, word in enumerate(words))


def packed(suits: Sequence[Suit]) -> int:
    """Removed runs as the kernels count them."""
    return sum(1 << RUN_BITS * suit for suit in suits)


_list_moves = from_python(successors.list_moves)


def listed_moves(task: Task, scratch: successors.Scratch) -> list[int]:
    """The moves of the position looked at, as the kernels write them."""
    found = _list_moves(task, scratch)
    moves: list[int] = scratch.moves[:found].tolist()
    return moves


class Explored(NamedTuple):
    """Every position that can be reached from a start, the order of columns apart."""

    task: Task
    words: Ints
    """[position, column]"""
    runs: Ints
    """[position] packed runs removed"""
    moves_left: Ints
    """[position] fewest moves of a win from there, -1 where there is none"""
    edges: npt.NDArray[np.int32]
    """[move, (position, position it leads to)]"""
    nodes: pool.Pool
    """The positions as nodes, of the same numbers"""


@as_kernel
def _reach(task, nodes, scratch, edges) -> int:  # type: ignore[no-untyped-def]
    """Add every position reachable from node 0; fills `edges`, returns how many or -1: no room."""
    count = node = int64(0)  # a literal would compile the kernels a second time
    while node < nodes.counts[POOL.nodes]:
        pool.unpack(nodes, node, scratch.columns)
        successors.look(task, scratch, nodes.facts[node] & pool.RUNS_MASK)
        for index in range(successors.list_moves(task, scratch)):
            move = scratch.moves[index]
            successors.make(task, scratch, move)
            key_a, key_b = scratch.made[FACT.key_a], scratch.made[FACT.key_b]
            child = pool.find(nodes, key_a, key_b)
            if child < 0:
                if nodes.counts[POOL.nodes] == nodes.state.shape[0]:
                    return -1
                facts = scratch.made[FACT.runs]
                child = pool.add_node(nodes, scratch.child, key_a, key_b, facts, -1 - child)
            successors.unmake(scratch, move)
            if count == edges.shape[0]:
                return -1
            edges[count, 0], edges[count, 1] = node, child
            count += 1
        node += 1
    return count


@as_kernel
def _measure(edges, moves_left) -> None:  # type: ignore[no-untyped-def]
    """Fill in the fewest moves to a win, layer by layer back from the wins (0, others -1)."""
    layer, again = 0, True
    while again:
        again = False
        for edge in range(edges.shape[0]):
            node, child = edges[edge, 0], edges[edge, 1]
            if moves_left[node] < 0 and moves_left[child] == layer:
                moves_left[node] = layer + 1
                again = True
        layer += 1


@as_kernel
def _unpack_all(nodes, words) -> None:  # type: ignore[no-untyped-def]
    for node in range(words.shape[0]):
        pool.unpack(nodes, int64(node), words[node])


def explore(position: Position, most: int) -> Explored | None:
    """Every position reachable from one, labelled; None when there are more than `most`."""
    task = task_of(position)
    columns = task.start.shape[0]
    words = pool.packed_words(columns, int(np.count_nonzero(task.card)))
    nodes = pool.new_pool(words, most, 1 << (2 * most - 1).bit_length())
    scratch = successors.new_scratch(columns)
    options = Options().as_array()
    astar.start(task, nodes, scratch, options, astar.NO_WIN, 0)
    edges = np.zeros((12 * most, 2), np.int32)
    found = _reach(task, nodes, scratch, edges)
    if found < 0:
        return None
    count = int(nodes.counts[POOL.nodes])
    runs = nodes.facts[:count] & pool.RUNS_MASK
    moves_left = np.where(runs == task.info[INFO.start_runs], 0, -1)
    _measure(edges[:found], moves_left)
    all_words = np.zeros((count, columns), np.int64)
    _unpack_all(nodes, all_words)
    return Explored(task, all_words, runs, moves_left, edges[:found].copy(), nodes)


def run_counts(explored: Explored) -> Ints:
    """[position] runs removed since the start."""
    return count_runs(explored.runs)


def count_runs(packed_runs: Ints) -> Ints:
    """The number of runs in each of the packed runs."""
    total: Ints = np.zeros(packed_runs.shape, np.int64)
    for suit in range(4):
        total += packed_runs >> RUN_BITS * suit & (1 << RUN_BITS) - 1
    return total


def moves_to_runs(explored: Explored, wanted: int) -> Ints:
    """[position] fewest moves from there until so many runs are gone, -1 where that cannot be."""
    moves = np.where(run_counts(explored) >= wanted, 0, -1)
    _measure(explored.edges, moves)
    return moves


def explored_decks(
    suits: int, decks: int, most: int, seed: str, shapes: Sequence[tuple[int, tuple[int, ...]]]
) -> Iterator[tuple[Position, Explored]]:
    """Random small decks of these shapes and all that can be reached in them, at most `most`.

    Some are dealt with a complete run, which has left. Larger ones do not count.
    """
    rng, found = Random(seed), 0
    while found < decks:
        ranks, sizes = rng.choice(shapes)
        make = random_deal_with_run if max(sizes) >= ranks and rng.random() < 0.3 else random_deal
        position = make(rng, suits, ranks, sizes)
        explored = explore(position, most)
        if explored is not None:
            found += 1
            yield position, explored


def ancestors() -> tuple[Entry[..., int], tuple[Any, ...]]:
    """An entry that is quickly compiled, and arguments: node 1, whose parent is node 0."""
    nodes = pool.new_pool(1, 2, 8)
    nodes.facts[1] = 1 << pool.PARENT_SHIFT
    return path._ancestors, (nodes, 1, np.zeros(4, np.int64))
