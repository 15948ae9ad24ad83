"""A column as one integer (see `fields`): taking and putting a run, and its hash."""

from __future__ import annotations

from simon_solver.kernels.forms import int64, internal
from simon_solver.kernels.state.fields import (
    BELOW_SHIFT,
    FIELD_MASK,
    LENGTH_SHIFT,
    RANK_SHIFT,
    RUN_BITS,
    SAME_SUIT,
    SUITS_MASK,
)
from simon_solver.kernels.state.task import BELOW, INFO, Task


@internal
def tail_length(word: int) -> int:
    """Cards in the column's tail."""
    return (word >> LENGTH_SHIFT) & FIELD_MASK


@internal
def top_rank(word: int) -> int:
    """Rank of the column's top card; 1 in an empty column, which no move may rely on."""
    return ((word >> RANK_SHIFT) & FIELD_MASK) - ((word >> LENGTH_SHIFT) & FIELD_MASK) + 1


@internal
def run_length(word: int) -> int:
    """Cards in the maximal run; 0 in an empty column."""
    length = (word >> LENGTH_SHIFT) & FIELD_MASK
    differs = (word & SUITS_MASK) ^ (SAME_SUIT * (word & 3))
    run = int64(0)
    while run < length and differs & 3 == 0:
        differs >>= 2
        run += 1
    return run


@internal
def tail_unjoined(word: int, ranks: int) -> int:
    """Cards of a column's tail, below king rank, that do not lie on their true parent."""
    length = (word >> LENGTH_SHIFT) & FIELD_MASK
    if length == 0:
        return int64(0)
    # neighbours of different suits, one bit pair each; the highest card has no parent in the tail
    differs = (word ^ (word >> 2)) & ((int64(1) << (2 * (length - 1))) - 1)
    differs = (differs | (differs >> 1)) & SAME_SUIT
    return popcount(differs) + int64(((word >> RANK_SHIFT) & FIELD_MASK) < ranks)


@internal
def take(task: Task, word: int, count: int) -> int:
    """The column without its top `count` cards (1..tail length) and any run that this uncovers."""
    length = (word >> LENGTH_SHIFT) & FIELD_MASK
    if count == length:
        return task.below[word >> BELOW_SHIFT, BELOW.uncovered]
    shape = (word >> LENGTH_SHIFT) - count
    return (shape << LENGTH_SHIFT) | ((word & SUITS_MASK) >> (2 * count))


@internal
def put(word: int, count: int, suit: int, from_rank: int) -> int:
    """The column with a run of `count` cards of `suit` from `from_rank` down on top of it."""
    if word == 0:
        word = from_rank << RANK_SHIFT
    suits = (word & SUITS_MASK) << (2 * count)
    suits |= (SAME_SUIT * suit) & ((int64(1) << (2 * count)) - 1)
    return (((word >> LENGTH_SHIFT) + count) << LENGTH_SHIFT) | suits


@internal
def is_complete(task: Task, word: int) -> bool:
    """The column ends in a complete run (which then is its whole tail)."""
    ranks = task.info[INFO.ranks]
    if (word >> LENGTH_SHIFT) & FIELD_MASK != ranks:
        return False
    return (word & SUITS_MASK) == (SAME_SUIT * (word & 3)) & ((int64(1) << (2 * ranks)) - 1)


@internal
def move_run(task: Task, word: int, goal: int, count: int) -> tuple[int, int, int]:
    """Both columns after the top `count` cards of `word`, a run, went onto `goal`.

    Returns the source, the target, and the packed runs that left the table.
    """
    runs = int64(0)
    if count == tail_length(word):
        runs += task.below[word >> BELOW_SHIFT, BELOW.uncovered_runs]
    landed = put(goal, count, word & 3, top_rank(word) + count - 1)
    if is_complete(task, landed):
        runs += int64(1) << (RUN_BITS * (word & 3))
        runs += task.below[landed >> BELOW_SHIFT, BELOW.uncovered_runs]
        landed = task.below[landed >> BELOW_SHIFT, BELOW.uncovered]
    return take(task, word, count), landed, runs


@internal
def count_runs(task: Task, packed: int) -> int:
    """The number of runs in packed runs."""
    total = int64(0)
    # a bound that the compiler does not know: it would unroll the loop
    for suit in range(task.info.shape[0] - INFO.first_card):
        total += (packed >> (RUN_BITS * suit)) & ((1 << RUN_BITS) - 1)
    return total


@internal
def popcount(mask: int) -> int:
    """How many bits are set."""
    count = int64(0)
    while mask:
        mask &= mask - 1
        count += 1
    return count


@internal
def mix_a(word: int) -> int:
    """One half of a column's 128-bit hash (the multiply-and-shift scheme of SplitMix64)."""
    x = int64(word) + int64(0x1E3779B97F4A7C15)
    x = (x ^ (x >> 30)) * int64(-0x40A7B892E31B1A47)
    x = (x ^ (x >> 27)) * int64(-0x6B2FB644ECCEEE15)
    return x ^ (x >> 31)


@internal
def mix_b(word: int) -> int:
    """The other half: the same scheme with other multipliers and another start."""
    x = int64(word) ^ int64(0x2545F4914F6CDD1D)
    x = (x ^ (x >> 32)) * int64(-0x2917014799A6026D)
    x = (x ^ (x >> 29)) * int64(-0x3B314601E57A13AD)
    return x ^ (x >> 32)
