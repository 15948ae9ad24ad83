"""Blocks name the arrays that machine code works on, and nothing else."""

from __future__ import annotations

import ast
import copy
from ctypes import c_int64
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import simon_solver
from simon_solver.game.position import Position
from simon_solver.kernels.native.blocks import Block, block_of, lasting, layout_of
from simon_solver.kernels.state.pool import new_pool
from simon_solver.kernels.state.task import Ints
from simon_solver.search.buffers import Buffers
from simon_solver.search.portfolio import task_of
from tests.support.deals import small_deck


class Pair(NamedTuple):
    one: Ints
    two: Ints


class Nest(NamedTuple):
    pair: Pair
    three: Ints


def pair() -> Pair:
    return Pair(np.arange(6).reshape(2, 3), np.arange(4))


def words(block: Block, count: int) -> list[int]:
    return list((c_int64 * count).from_address(block.address))


def test_addresses_come_first_then_lengths() -> None:
    nest = Nest(pair(), np.zeros((1, 2, 3), np.int64))
    block = Block(nest)
    arrays = (*nest.pair, nest.three)
    told = words(block, 10)
    assert told[0] == block.address + 8 * 4
    assert told[1:4] == [array.ctypes.data for array in arrays]
    assert told[4:] == [2, 3, 4, 1, 2, 3]
    assert block.layout == (("<i8", 2), ("<i8", 1), ("<i8", 3))


def test_an_array_is_a_record_of_one() -> None:
    array = np.arange(5, dtype=np.int32)
    block = Block(array)
    assert words(block, 3) == [block.address + 16, array.ctypes.data, 5]
    assert block.layout == layout_of(array) == (("<i4", 1),)


def test_layouts_are_the_same_object() -> None:
    assert Block(pair()).layout is Block(pair()).layout
    assert Block(pair()).layout is not Block(np.arange(3)).layout


@pytest.mark.parametrize("array", [np.arange(6)[::2], np.arange(6).reshape(2, 3).T])
def test_arrays_with_gaps_are_refused(array: Ints) -> None:
    with pytest.raises(TypeError, match="without gaps"):
        Block(array)


def test_a_lasting_record_keeps_its_block() -> None:
    record = lasting(pair())
    assert isinstance(record, Pair)
    assert block_of(record) is block_of(record)
    assert block_of(pair()) is not block_of(pair())
    changed = record._replace(two=np.arange(9))
    assert words(block_of(changed), 6)[5] == 9


def test_a_copy_of_a_lasting_record_has_a_block_of_its_own() -> None:
    record = lasting(pair())
    block = block_of(record)
    for copied in (copy.deepcopy(record), copy.copy(record)):
        own = words(block_of(copied), 3)
        assert block_of(copied) is not block
        assert own[1:] == [array.ctypes.data for array in copied]


@pytest.mark.parametrize("suits", [1, 4])
def test_records_that_each_call_gets_last_and_the_pool_does_not(suits: int) -> None:
    task = task_of(Position(small_deck(suits, 4), (small_deck(suits, 4).cards, ())))
    work = Buffers(task.start.shape[0])
    work.clear_pool(task, 1 << 30)
    for record in (task, work.lifts, work.macro):
        assert block_of(record) is block_of(record)
    before = block_of(work.pool).address, work.pool.state.shape
    work.grow_pool(1 << 30)
    work.grow_pool(1 << 30)
    assert work.pool.state.shape != before[1]
    told = words(block_of(work.pool), len(work.pool) + 1)
    assert told[1:] == [array.ctypes.data for array in work.pool]


def test_nothing_else_resizes_an_array() -> None:
    """An array that is resized may move, and a block that lasts would not know."""
    users = [
        (file.name, node.lineno)
        for file in Path(simon_solver.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("resize", "setflags")
    ]
    assert [name for name, _ in users] == ["pool.py"]


def test_a_record_whose_arrays_are_resized_does_not_last() -> None:
    pool = new_pool(1, 2, 8)
    assert block_of(pool) is not block_of(pool)
