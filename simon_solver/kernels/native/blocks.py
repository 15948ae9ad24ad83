"""How arrays reach machine code: as a *block*, which lists the addresses and shapes of a record.

A record is a `NamedTuple` of arrays, or of other records; a single array counts as a record of one.
A block is a C array of 64-bit numbers: the address of the shapes, then the address of each array's
data, then all shapes one after the other. The record must outlive the block's use.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import addressof, c_int64
from functools import cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Layout = tuple[tuple[str, int], ...]
"""Of a record: the element type and the dimensions of each of its arrays."""
Record = TypeVar("Record", bound=tuple[Any, ...])

_layouts: dict[Layout, Layout] = {}


class Block:
    """The addresses and shapes of arrays; `layout` is the same object for all of one layout.

    Raises:
        TypeError: an array has gaps, so that its address and shape do not tell where all of it is.
    """

    __slots__ = ("_words", "address", "layout")

    def __init__(self, record: Any) -> None:
        arrays = (record,) if isinstance(record, np.ndarray) else tuple(arrays_of(record))
        count = len(arrays) + 1
        addresses = [0]
        shapes: list[int] = []
        for array in arrays:
            if not array.flags.c_contiguous:
                raise TypeError("expected an array without gaps")
            addresses.append(array.ctypes.data)
            shapes += array.shape
        words = (c_int64 * (count + len(shapes)))(*addresses, *shapes)
        self.address = addressof(words)
        words[0] = self.address + 8 * count
        self._words = words
        self.layout = interned(tuple([(array.dtype.str, array.ndim) for array in arrays]))


def arrays_of(record: Any) -> Iterator[Array]:
    """The arrays of a record, or the array itself, in order."""
    if isinstance(record, np.ndarray):
        yield record
    else:
        for part in record:
            yield from arrays_of(part)


def layout_of(record: Any) -> Layout:
    """The layout of a record or of an array."""
    return tuple((array.dtype.str, array.ndim) for array in arrays_of(record))


def interned(layout: Layout) -> Layout:
    """The one object that stands for this layout."""
    return _layouts.setdefault(layout, layout)


def block_of(record: Any) -> Block:
    """The block of a record or array; a record made by `lasting` keeps its block."""
    kept = getattr(record, "__dict__", None)
    if kept is None:
        return Block(record)
    block: Block | None = kept.get("block")
    if block is None:
        block = kept["block"] = Block(record)
    return block


def lasting(record: Record) -> Record:
    """The same record in a form that keeps its block, for one that is passed many times.

    Its arrays must never be resized: that may move them.
    """
    return _roomy(type(record))(*record)


@cache
def _roomy(kind: type[Record]) -> type[Record]:
    """The class, but its instances have room for one more attribute, which copies do not get."""
    added = {"__doc__": kind.__doc__, "__getstate__": lambda _record: None}
    return type(kind.__name__, (kind,), added)
