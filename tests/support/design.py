"""Design files for tests: the samples, and changes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any

from tests.support.deals import DATA

DESIGNS = DATA / "designs"
SIMPLE = (DESIGNS / "simple-simon.cardz").read_text(encoding="utf-8")
EIGHT_FILE = str(DESIGNS / "eight-columns.cardz")
EIGHT = (7, 7, 7, 7, 6, 6, 6, 6)
OTHER_FILE = str(DESIGNS / "alternate-colours.cardz")
STOCK, FOUNDATION, COLUMN = range(3)
"""Places of the depots in `SIMPLE`."""

Json = dict[str, Any]


def simple() -> Json:
    """The values of `SIMPLE`, to be changed."""
    values: Json = json.loads(SIMPLE)
    return values


def changed(path: Iterable[str | int], value: object) -> str:
    """`SIMPLE` with another value at the end of a path."""
    root = simple()
    values: Any = root
    *inner, last = path
    for name in inner:
        values = values[name]
    values[last] = value
    return json.dumps(root, indent=1)


def laid_out(sizes: Iterable[int]) -> str:
    """`SIMPLE` with columns of these sizes."""
    values = simple()
    values["depots"][COLUMN]["repeat"] = len(tuple(sizes))
    values["dealRules"] = [
        {"kind": "dealGroup", "to": f"tab-{number}", "faceUp": size}
        for number, size in enumerate(sizes, 1)
    ]
    return json.dumps(values, indent=1)


def mutated(rng: Random, text: str) -> str:
    """A design with some characters lost, doubled, swapped, or parts of it replaced."""
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.choice([1, 1, 2, 5, 40]))
        part = text[start:end]
        words = [
            "",
            part * 2,
            part[::-1],
            "null",
            '"Any"',
            "{}",
            "[]",
            "-1",
            "99999",
            '"',
            "\0",
            "é",
        ]
        text = text[:start] + rng.choice(words) + text[end:]
    return text
