"""What a best-first search remembers of the positions it has met.

A pool holds them as nodes, with a transposition table to find them again and a queue of those not
yet expanded, in a list for each pair of estimates. A node is a position: its words packed into a
bit stream, its 128-bit key, and one number of facts.

The key is the sum of the columns' hashes, so it does not depend on their order [S.6]; it is not an
exclusive or, in which two equal columns would cancel out [T.3]. A slot of the table holds a node
number and 32 bits of its key; the whole key is compared before two positions count as the same.
What a collision of all 128 bits could do: [S.7]. Numbers in brackets are statements of
`docs/algorithms/`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simon_solver.kernels.forms import entry, int64, internal
from simon_solver.kernels.state.fields import LENGTH_SHIFT, SHAPE_BITS
from simon_solver.kernels.state.slots import usable, usable_slots
from simon_solver.kernels.state.task import Ints
from simon_solver.kernels.state.words import mix_a, mix_b

Int32s = npt.NDArray[np.int32]

WORD_BITS = 63
"""Bits used of each word of a packed node: the sign bit stays out of it."""
WORD_MASK = (1 << WORD_BITS) - 1

# the facts of a node: runs | g | h | opened in part | not yet asked about | parent
RUNS_BITS, G_BITS, H_BITS = 12, 11, 8
G_SHIFT = RUNS_BITS
H_SHIFT = G_SHIFT + G_BITS
IN_PART = 1 << (H_SHIFT + H_BITS)
UNASKED = IN_PART << 1
PARENT_SHIFT = H_SHIFT + H_BITS + 2
RUNS_MASK, G_MASK, H_MASK = (1 << RUNS_BITS) - 1, (1 << G_BITS) - 1, (1 << H_BITS) - 1

TAG_SHIFT = 32
NODE_MASK = (1 << TAG_SHIFT) - 1
MAX_NODES = (1 << 30) - 2

F_LIMIT, H_LIMIT = 1024, 128
"""The queue has a list for every f (= weighted estimate) and h below these; larger ones share."""
NOT_QUEUED = -2


class Pool(NamedTuple):
    """Nodes 0..count-1, the table over them, and the queue of those not yet expanded."""

    state: Ints
    """[node, word] the packed columns"""
    key: Ints
    """[node, 2] the key's halves"""
    facts: Ints
    """[node] packed runs removed, g, h and parent"""
    link: Int32s
    """[node, name] neighbours in a list of the queue, see `LINK`"""
    table: Ints
    """[slot] key tag and node number plus one; 0 is free"""
    buckets: Int32s
    """[f * H_LIMIT + h] first node of each list, -1 for none"""
    counts: Ints
    """[name] see `POOL`"""


class _Link(NamedTuple):
    """Of `Pool.link`."""

    next: int = 0
    """the node after it, -1 at the end; NOT_QUEUED outside"""
    previous: int = 1
    """the node before it; at the front -1 - (the list)"""


LINK = _Link()


class _Pool(NamedTuple):
    """Of `Pool.counts`."""

    nodes: int = 0
    """nodes in the pool"""
    cursor: int = 1
    """no list before this one holds a node"""
    expanded: int = 2
    """states expanded: successors generated"""
    queued: int = 3
    """nodes in the queue"""
    upper: int = 4
    """moves of the best win known; nodes that cannot beat it are dropped"""
    goal: int = 5
    """the node that reached it, or -1"""
    cut: int = 6
    """1 once a node was dropped for `upper`"""


POOL = _Pool()


def packed_words(columns: int, cards: int) -> int:
    """Words of a packed node."""
    return (columns * SHAPE_BITS + 2 * cards + WORD_BITS - 1) // WORD_BITS


def new_pool(words: int, nodes: int, slots: int) -> Pool:
    """An empty pool with room for `nodes` nodes of `words` words; `slots` is a power of two."""
    pool = Pool(
        state=np.zeros((nodes, words), np.int64),
        key=np.zeros((nodes, 2), np.int64),
        facts=np.zeros(nodes, np.int64),
        link=np.zeros((nodes, len(LINK)), np.int32),
        table=np.zeros(slots, np.int64),
        buckets=np.empty(F_LIMIT * H_LIMIT, np.int32),
        counts=np.zeros(len(POOL), np.int64),
    )
    clear(pool)
    return pool


def pool_bytes(words: int, nodes: int, slots: int) -> int:
    """Bytes of a pool's growing arrays, with `words` packed words a node."""
    return nodes * (8 * words + 16 + 8 + 8) + slots * 8


def grown(pool: Pool, limit: int) -> Pool | None:
    """The pool with more room, within `limit` bytes; None where there is none.

    The table doubles when it is half full, as long as old and new table fit side by side; nodes
    grow by half. The arrays move over: the old tuple must not be used again.

    Raises:
        MemoryError: the system refuses; the pool is as large as before.
    """
    nodes, words = pool.state.shape
    slots = pool.table.shape[0]
    if nodes * 2 >= slots and pool_bytes(words, nodes, 3 * slots) <= limit:
        table = np.zeros(2 * slots, np.int64)
        pool = pool._replace(table=table)
        rehash(pool)
        return pool
    affordable = (limit - slots * 8) // pool_bytes(words, 1, 0)
    more = min(nodes + nodes // 2, usable_slots(slots), affordable, MAX_NODES)
    if more < nodes + nodes // 64 + 1:
        return None
    # `state` goes last, because its length is the pool's: what stops this in between does no harm
    for array in (pool.key, pool.facts, pool.link, pool.state):
        # in place: large blocks are moved by the system without a copy in memory
        array.resize((more, *array.shape[1:]), refcheck=False)
    return pool


def clear(pool: Pool) -> None:
    """Make the pool empty again, keeping its arrays."""
    pool.table[:] = 0
    pool.buckets[:] = -1
    pool.counts[:] = 0
    pool.counts[POOL.goal] = -1


@entry
def rehash(pool: Pool) -> None:
    """Fill the (empty) table with all nodes."""
    mask = pool.table.shape[0] - 1
    for node in range(pool.counts[POOL.nodes]):
        at = pool.key[node, 0] & mask
        while pool.table[at] != 0:
            at = (at + 1) & mask
        pool.table[at] = _entry(pool.key[node, 0], node)


@internal
def room(pool: Pool) -> int:
    """Nodes that arrays and table have room for."""
    return min(pool.state.shape[0], usable(pool.table.shape[0]))


@internal
def _entry(key_a: int, node: int) -> int:
    """A table entry: the high half of a key half above the node number plus one."""
    return ((key_a >> TAG_SHIFT) << TAG_SHIFT) | (node + 1)


@internal
def find(pool: Pool, key_a: int, key_b: int) -> int:
    """The node with that key, or -1 - (the free slot where it belongs)."""
    mask = pool.table.shape[0] - 1
    at = key_a & mask
    tag = key_a >> TAG_SHIFT
    while True:
        entry = pool.table[at]
        if entry == 0:
            return -1 - at
        if entry >> TAG_SHIFT == tag:
            node = (entry & NODE_MASK) - 1
            if pool.key[node, 0] == key_a and pool.key[node, 1] == key_b:
                return node
        at = (at + 1) & mask


@internal
def add_node(pool: Pool, columns: Ints, key_a: int, key_b: int, facts: int, slot: int) -> int:
    """Append a node with these columns, as `append_node` does; returns its number."""
    node = append_node(pool, key_a, key_b, facts, slot)
    pack(pool, node, columns)
    return node


@internal
def append_node(pool: Pool, key_a: int, key_b: int, facts: int, slot: int) -> int:
    """Append a node without its state and enter it in the table at the slot that `find` gave.

    Returns its number.
    """
    node = pool.counts[POOL.nodes]
    pool.counts[POOL.nodes] += 1
    pool.key[node, 0] = key_a
    pool.key[node, 1] = key_b
    pool.facts[node] = facts
    pool.link[node, LINK.next] = NOT_QUEUED
    pool.table[slot] = _entry(key_a, node)
    return node


@internal
def pack(pool: Pool, node: int, columns: Ints) -> None:
    """Write the words of all columns into a node's bit stream: shape, then suits, each in turn."""
    at = int64(0)
    fill = int64(0)
    gathered = int64(0)
    for column in range(columns.shape[0]):
        word = columns[column]
        shape = word >> LENGTH_SHIFT
        bits = shape | ((word & ((1 << LENGTH_SHIFT) - 1)) << SHAPE_BITS)
        gathered |= (bits << fill) & WORD_MASK
        fill += SHAPE_BITS + 2 * (shape & 15)
        if fill >= WORD_BITS:
            pool.state[node, at] = gathered
            at += 1
            fill -= WORD_BITS
            gathered = bits >> (SHAPE_BITS + 2 * (shape & 15) - fill)
    if fill > 0:
        pool.state[node, at] = gathered


@internal
def unpack(pool: Pool, node: int, columns: Ints) -> None:
    """Fill `columns` with the words of a node."""
    at = int64(0)
    fill = int64(0)
    for column in range(columns.shape[0]):
        bits = pool.state[node, at] >> fill
        if fill > 0 and at + 1 < pool.state.shape[1]:
            bits |= (pool.state[node, at + 1] << (WORD_BITS - fill)) & WORD_MASK
        shape = bits & ((1 << SHAPE_BITS) - 1)
        length = shape & 15
        suits = (bits >> SHAPE_BITS) & ((int64(1) << (2 * length)) - 1)
        columns[column] = (shape << LENGTH_SHIFT) | suits
        fill += SHAPE_BITS + 2 * length
        if fill >= WORD_BITS:
            fill -= WORD_BITS
            at += 1


@internal
def key_of(columns: Ints) -> tuple[int, int]:
    """Both halves of a position's key."""
    key_a = int64(0)
    key_b = int64(0)
    for column in range(columns.shape[0]):
        key_a += mix_a(columns[column])
        key_b += mix_b(columns[column])
    return key_a, key_b


@internal
def make_facts(runs: int, moves: int, estimate: int, parent: int) -> int:
    """A node's facts in one number; the parent is -1 at the root."""
    return (
        runs
        | (min(moves, int64(G_MASK)) << G_SHIFT)
        | (min(estimate, int64(H_MASK)) << H_SHIFT)
        | ((parent + 1) << PARENT_SHIFT)
    )


@internal
def moves_to(facts: int) -> int:
    """g: moves from the root."""
    return (facts >> G_SHIFT) & G_MASK


@internal
def estimate_of(facts: int) -> int:
    """h: the lower bound (or count) stored with the node."""
    return (facts >> H_SHIFT) & H_MASK


@internal
def parent_of(facts: int) -> int:
    """The parent's node number, -1 at the root."""
    return (facts >> PARENT_SHIFT) - 1


@internal
def enqueue(pool: Pool, node: int, f: int, h: int) -> None:
    """Put a node at the front of its list."""
    at = min(f, int64(F_LIMIT - 1)) * H_LIMIT + min(h, int64(H_LIMIT - 1))
    first = pool.buckets[at]
    pool.link[node, LINK.next] = first
    pool.link[node, LINK.previous] = -1 - at
    if first >= 0:
        pool.link[first, LINK.previous] = node
    pool.buckets[at] = node
    pool.counts[POOL.queued] += 1
    if at < pool.counts[POOL.cursor]:
        pool.counts[POOL.cursor] = at


@internal
def dequeue(pool: Pool, node: int) -> None:
    """Take a queued node out of its list."""
    following = pool.link[node, LINK.next]
    previous = pool.link[node, LINK.previous]
    if following >= 0:
        pool.link[following, LINK.previous] = previous
    if previous >= 0:
        pool.link[previous, LINK.next] = following
    else:
        pool.buckets[-1 - previous] = following
    pool.link[node, LINK.next] = NOT_QUEUED
    pool.counts[POOL.queued] -= 1


@internal
def first_queued(pool: Pool) -> int:
    """The node to expand next, -1 when there is none; `cursor` is then its list."""
    if pool.counts[POOL.queued] == 0:
        return int64(-1)
    at = pool.counts[POOL.cursor]
    while pool.buckets[at] < 0:
        at += 1
    pool.counts[POOL.cursor] = at
    return int64(pool.buckets[at])


@internal
def lowest_f(pool: Pool) -> int:
    """The f of the list that `cursor` points to."""
    return pool.counts[POOL.cursor] // H_LIMIT
