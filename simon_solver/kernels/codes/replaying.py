"""Wins played once more on plain cards, by the rules alone.

The searches know a column as one number and the removed runs as a sum; nothing of that is used
here, so that a fault in it cannot vouch for itself ([P.2] in `docs/algorithms/`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.native.blocks import lasting
from simon_solver.kernels.state.fields import MAX_CARDS
from simon_solver.kernels.state.task import INFO, TYPE_MASK, Ints, Task


class Board(NamedTuple):
    """The table while a win is replayed."""

    card: Ints
    """[column, place] types and, in each column's last place, their number"""


def new_board(columns: int) -> Board:
    """An empty table."""
    return lasting(Board(np.zeros((columns, MAX_CARDS + 1), np.int64)))


@internal
def _run_length(board: Ints, column: int) -> int:
    """Cards at the column's end that move as a unit; 0 in an empty column."""
    size = board[column, MAX_CARDS]
    run = int64(size > 0)
    # types of one suit follow each other as the ranks do
    while run < size and board[column, size - run - 1] == board[column, size - run] + 1:
        run += 1
    return run


@internal
def _is_legal(board: Ints, source: int, target: int, count: int) -> bool:
    """The rules allow the move."""
    if source == target or count < 1 or count > _run_length(board, source):
        return False
    size = board[target, MAX_CARDS]
    highest = board[source, board[source, MAX_CARDS] - count]
    return size == 0 or board[target, size - 1] & 15 == (highest & 15) + 1


@entry
def wins(task: Task, moves: Ints, table: Board) -> bool:
    """Whether the moves (source | target << 4 | count << 8) are legal and win from the start."""
    board = table.card
    ranks = task.info[INFO.ranks]
    left = int64(0)
    for column in range(board.shape[0]):
        size = int64(0)
        while size < task.card.shape[1] and task.card[column, size] != 0:
            board[column, size] = task.card[column, size] & TYPE_MASK
            size += 1
        board[column, MAX_CARDS] = size
        left += size
    for move in moves:
        source = move & 15
        target = (move >> 4) & 15
        count = move >> 8
        if max(source, target) >= board.shape[0] or not _is_legal(board, source, target, count):
            return False
        board[source, MAX_CARDS] -= count
        for place in range(count):
            card = board[source, board[source, MAX_CARDS] + place]
            board[target, board[target, MAX_CARDS] + place] = card
        board[target, MAX_CARDS] += count
        for column in (source, target):
            while _run_length(board, column) == ranks:
                board[column, MAX_CARDS] -= ranks
                left -= ranks
    return left == 0
