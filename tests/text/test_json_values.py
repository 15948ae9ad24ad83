"""The reader of JSON beside Python's own: the same values, and nothing else is JSON."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simon_solver.errors import FormatError
from simon_solver.text.json_values import Value, parse_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def depth(value: Any) -> int:
    """How many arrays and objects are inside each other."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth, inner), default=0)
    return 0


def plain(value: Value) -> Any:
    """The value as Python's own reader gives it."""
    if value.kind == "object":
        return {name: plain(member) for name, _, member in value.members}
    if value.kind == "array":
        return list(map(plain, value.items))
    return value.text if value.kind == "string" else json.loads(value.text)


@given(VALUES.filter(lambda value: depth(value) <= 8), st.sampled_from([None, 0, 2]))
def test_values_are_those_of_python(value: Any, indent: int | None) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        assert plain(parse_json(text, "a board in JSON")) == value


def _reads(text: str) -> Any:
    """What Python's own reader makes of the text, an error for what is no JSON to it."""

    def refused(word: str) -> None:
        raise ValueError(word)

    def once(members: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(members)) < len(members):
            raise ValueError("a name twice")
        return dict(members)

    return json.loads(text, parse_constant=refused, object_pairs_hook=once)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_no_json_is_none(seed: int) -> None:
    rng = Random(seed)
    signs = [*'{}[]:,"\\ \n', "1", "-", "0", ".5", "e3", "true", "null", '"a"', "\\u00", "NaN", "é"]
    for _ in range(4000):
        text = "".join(rng.choices(signs, k=rng.randint(1, 7)))
        try:
            wanted = _reads(text)
        except ValueError:
            with pytest.raises(FormatError, match=r"^line \d+, column \d+: "):
                parse_json(text, "a board in JSON")
            continue
        assert plain(parse_json(text, "a board in JSON")) == wanted, text
