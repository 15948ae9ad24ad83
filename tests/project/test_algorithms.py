"""The pages of algorithms: their worked boards, and that code and tests they name are there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest

import simon_solver
from simon_solver.game.cards import Card, card_name, make_card, rank_of
from simon_solver.game.layout import Deck
from simon_solver.game.position import Position
from simon_solver.kernels.bounds import hitting, waiting
from simon_solver.kernels.relaxations import classes, lifts
from simon_solver.kernels.relaxations.classes import CARD, CLASSES, PLACE
from simon_solver.kernels.relaxations.memo import MEMO
from simon_solver.kernels.searches import loose
from simon_solver.kernels.state import successors
from simon_solver.kernels.state.pool import POOL
from simon_solver.kernels.state.task import INFO, Task
from simon_solver.search.reference import ReferenceResult, reference_solve
from simon_solver.search.removal_bound import fewest_moves_to_remove
from tests.support.deals import RUNS, board
from tests.support.kernel import from_python, key_of, task_of
from tests.support.loose import Search
from tests.support.manual import TOP, pages

pytestmark = pytest.mark.kernel

PAGES = {name: text for name, text in pages().items() if name.startswith("algorithms")}
ALL = "\n".join(PAGES.values())
WORKED = re.compile(
    r"<!-- board (\S+): ranks (\d+), suits (\d)(?:, runs (\d))? -->\n```\n(.*?)\n```\n"
    r"((?:\n(?:\|.*\n)+)?)",
)


class Worked(NamedTuple):
    """A worked board of the pages and what they say of it."""

    position: Position
    said: dict[str, str]


def worked_boards() -> dict[str, Worked]:
    """The worked boards by name."""
    found = {}
    for name, ranks, suits, runs, text, table in WORKED.findall(ALL):
        copies = (int(runs), 0, 0, 0) if runs else RUNS[int(suits)]
        rows = re.findall(r"^\| (.*?) \| (.*?) \|$", table, re.MULTILINE)
        found[name] = Worked(board(text.replace(" | ", "|"), Deck(int(ranks), copies)), dict(rows))
        found[name].said.pop("quantity", None)
    return found


BOARDS = worked_boards()

Columns = tuple[tuple[Card, ...], ...]


def is_bad(lower: Card, upper: Card) -> bool:
    """A bad adjacency."""
    return rank_of(upper) != rank_of(lower) - 1


def bad_places(column: tuple[Card, ...]) -> list[int]:
    """Where a column has a card that lies on a bad adjacency."""
    return [n for n, pair in enumerate(pairwise(column), 1) if is_bad(*pair)]


def tails(columns: Columns) -> list[tuple[Card, ...]]:
    """The tail of each column."""
    return [column[max([0, *bad_places(column)]) :] for column in columns]


def bad_heads(columns: Columns) -> list[Card]:
    """The bad head of each column that has one."""
    return [t[0] for t, c in zip(tails(columns), columns, strict=True) if bad_places(c)]


def counts(position: Position) -> tuple[list[int], list[int], int, int]:
    """T and P by rank, from 0 on, C and E, as their definitions have them."""
    ranks, columns = position.deck.ranks, position.columns
    exposed = Counter(rank_of(card) for card in chain(*tails(columns)))
    free = exposed - Counter(map(rank_of, bad_heads(columns)))
    clear = sum(not bad_places(column) for column in columns)
    slack = clear - free[ranks] - sum(max(0, free[r] - exposed[r + 1]) for r in range(1, ranks))
    every = range(ranks + 1)
    return [free[r] for r in every], [exposed[r] for r in every], clear, slack


def names(cards: Any) -> str:
    return " ".join(map(card_name, cards))


def numbers(values: Any) -> str:
    return " ".join(map(str, values))


def unjoined(position: Position) -> int:
    """U by its definition."""
    pairs = chain.from_iterable(pairwise((0, *column)) for column in position.columns)
    return sum(rank_of(up) < position.deck.ranks and low != up + 1 for low, up in pairs)


@cache
def truth(name: str) -> ReferenceResult:
    """What breadth-first search says of a board."""
    return reference_solve(BOARDS[name].position)


def reachable(position: Position, forced: bool = False, kept: bool = False) -> dict[Columns, int]:
    """Moves to all that can be reached; `forced`: by joins alone where there is one;
    `kept`: by moves that neither lift nor remove.
    """
    start = tuple(sorted(position.columns))
    seen, todo = {start: 0}, [start]
    for columns in todo:
        after = list(moves_from(columns, position.deck.ranks))
        if forced and any(joins for joins, _ in after):
            after = [(joins, other) for joins, other in after if joins]
        for _, other in after:
            same = [sum(len(bad_places(c)) for c in cs) for cs in (columns, other)]
            moved = sum(map(len, columns)) == sum(map(len, other)) and same[0] == same[1]
            if other not in seen and (moved or not kept):
                seen[other] = seen[columns] + 1
                todo.append(other)
    return seen


def moves_from(columns: Columns, ranks: int) -> Iterator[tuple[bool, Columns]]:
    """Whether each move is a join in the sense of the traps, and the columns after it."""
    for source, column in enumerate(columns):
        run = 1
        while run < len(column) and column[-run - 1] == column[-run] + 1:
            run += 1
        for count in range(1, min(run, len(column)) + 1):
            for target, onto in enumerate(columns):
                left, group = column[:-count], column[-count:]
                if target == source or (onto and is_bad(onto[-1], group[0])):
                    continue
                joins = count == run and onto[-1:] == (group[0] + 1,)
                joins = joins and not (left and is_bad(left[-1], group[0]))
                after = list(columns)
                after[source] = less_runs(left, ranks)
                after[target] = less_runs(onto + group, ranks)
                yield joins, tuple(sorted(after))


def less_runs(column: tuple[Card, ...], ranks: int) -> tuple[Card, ...]:
    """The column without complete runs at its end."""
    while column and column[-ranks:] == tuple(range(column[-1] + ranks - 1, column[-1] - 1, -1)):
        column = column[:-ranks]
    return column


def wins_in(seen: dict[Columns, int]) -> str:
    """Moves to the empty table."""
    return str(next((moves for columns, moves in seen.items() if not any(columns)), "none"))


def by_lifts(task: Task) -> tuple[str, int]:
    """What L0 says, and the vectors it has remembered."""
    work = lifts.new_lifts()
    answer = lifts.may_be_won(task, work, task.start, 0)
    return "may be won" if answer else "lost", int(work.memo.counts[MEMO.entries])


def by_classes(task: Task) -> tuple[str, int]:
    """What L1 says, and the classes it came to."""
    work, ask = classes.new_classes(), from_python(classes.may_be_won)
    zero, most = np.int64(0), np.int64(1000)
    answer = ask(task, lifts.new_lifts(), work, task.start, zero, most)
    return "may be won" if answer else "lost", int(work.counts[CLASSES.visited])


def payments(position: Position, count_taken: int = 1) -> tuple[int, str]:
    """The payments that the waiting bound proves, and its one conflict."""
    task, waits, conflicts = task_of(position), waiting.new_waits(), hitting.new_conflicts()
    load, exceeds = map(from_python, (waiting.load, waiting.exceeds))
    load(task, waits, task.start, np.int64(count_taken))
    least, columns, budget = 0, len(position.columns), np.int64(1000)
    while exceeds(waits, conflicts, columns, np.int64(least), budget):
        least += 1
    cards = []
    for suit in range(4):
        first, same = int(task.info[INFO.first_card + suit]), int(task.info[INFO.copies + suit])
        for number in range(first, first + same * position.deck.ranks):
            if same and int(conflicts.active[0, 0]) >> number & 1:
                cards.append(card_name(make_card((number - first) // same + 1, suit)))
    return least, " ".join(cards)


def loose_search(position: Position) -> tuple[int, int, list[str]]:
    """Nodes and outcome of the loose search, and the loose cards of its first node."""
    search = Search(position)
    row = np.zeros(search.loose.rows.shape[1], np.int64)
    outcome = search.run()
    from_python(loose.unpack)(search.classes, search.pool, np.int64(0), row)
    table, per_rank = search.classes.by_card, search.classes.counts[CLASSES.per_rank]
    found = [
        card_name(make_card(card // int(per_rank) + 1, int(table[CARD.suit, card])))
        for card in range(int(search.classes.counts[CLASSES.cards]))
        if row[card] == PLACE.unknown
    ]
    return int(search.pool.counts[POOL.nodes]), outcome, found


def quantities(name: str) -> dict[str, Callable[[], str | int]]:
    """How each quantity of the tables is worked out."""
    position, columns = BOARDS[name].position, BOARDS[name].position.columns
    task = task_of(position)
    return {
        "segments": lambda: numbers(len(bad_places(column)) + 1 for column in columns),
        "depths": lambda: numbers(len(bad_places(column)) for column in columns),
        "exposed": lambda: names(chain(*tails(columns))),
        "bad heads": lambda: names(bad_heads(columns)),
        "U": lambda: unjoined(position),
        "T of ranks 1 to 3": lambda: numbers(counts(position)[0][1:]),
        "P of ranks 1 to 3": lambda: numbers(counts(position)[1][1:]),
        "C": lambda: counts(position)[2],
        "E": lambda: counts(position)[3],
        "vectors": lambda: by_lifts(task)[1],
        "L0": lambda: by_lifts(task)[0],
        "classes": lambda: by_classes(task)[1],
        "L1": lambda: by_classes(task)[0],
        "reachable positions": lambda: len(reachable(position)),
        "positions of the node": lambda: len(reachable(position, kept=True)),
        "loose cards": lambda: " ".join(loose_search(position)[2]),
        "nodes": lambda: loose_search(position)[0],
        "verdict": lambda: str(truth(name).verdict),
        "payments": lambda: payments(position)[0],
        "payments without taken copies": lambda: payments(position, 0)[0],
        "conflicts": lambda: payments(position)[1],
        "fewest moves": lambda: str(truth(name).fewest_moves),
        "fewest moves with forced joins": lambda: wins_in(reachable(position, forced=True)),
        "bounds for 0 to 4 runs": lambda: numbers(fewest_moves_to_remove(position)),
        "fewest moves for 0 to 2 runs": lambda: numbers(truth(name).fewest_by_runs),
        "best score": lambda: truth(name).best_score,
        "moves of the first win": lambda: len(simon_solver.check(position).solution),
    }


SETS_OF_CARDS = ("exposed", "bad heads", "loose cards", "conflicts")


@pytest.mark.parametrize("name", BOARDS)
def test_worked_boards_are_right(name: str) -> None:
    worked_out = quantities(name)
    for quantity, said in BOARDS[name].said.items():
        told, found = said.split(), str(worked_out[quantity]()).split()
        if quantity in SETS_OF_CARDS:
            told, found = sorted(told), sorted(found)
        assert told == found, quantity


def test_quick_answers_agree_with_the_worked_boards() -> None:
    """The values that the pages explain in words are those of U by the kernels, and of `solve`."""
    unjoined_of = from_python(successors.unjoined)
    for name, (position, said) in BOARDS.items():
        task = task_of(position)
        assert unjoined_of(task, task.start) == unjoined(position)
        result = simon_solver.solve(position)
        if "fewest moves" in said:
            assert len(result.solution) == int(said["fewest moves"]), name
        if "best score" in said:
            assert result.score == int(said["best score"])


def test_exclusive_or_takes_different_positions_for_the_same() -> None:
    one, other = (BOARDS[name].position for name in ("xor", "xor-other"))
    keys = [[hash(column) for column in position.columns] for position in (one, other)]
    mixed = [a ^ b ^ c ^ d for a, b, c, d in keys]
    assert mixed == [0, 0]
    sums = [key_of(task_of(position).start) for position in (one, other)]
    assert sums[0] != sums[1]


def test_numbers_of_lift_vectors_fit() -> None:
    """The largest product of 16 or fewer numbers of segments that add up to 52."""
    best = [[0] * 53 for _ in range(17)]
    best[0][0] = 1
    for columns in range(1, 17):
        for total in range(53):
            best[columns][total] = max(
                (best[columns - 1][total - n] * n for n in range(1, total + 1)), default=0
            )
    largest = max(max(row) for row in best)
    assert largest == 3**12 * 4**4
    assert largest << 12 < 1 << 40


NUMBER = r"(?:S|L0|L1|M|C|LS|W|H|A|R|B|P|T)\.\d+"
STATEMENTS = re.findall(rf'<a id="[a-z0-9-]+"></a>\*\*({NUMBER}) \(', ALL)


def test_each_statement_has_its_anchor_and_a_proof() -> None:
    assert len(STATEMENTS) == len(set(STATEMENTS)) > 50
    for number in STATEMENTS:
        anchor = number.lower().replace(".", "-")
        text = ALL.partition(f'<a id="{anchor}"></a>**{number} (')[2].partition("<a id=")[0]
        assert text, number
        if not number.startswith("T"):
            assert "*Proof.*" in text, number
            assert "∎" in text, number


def test_numbers_in_the_pages_are_statements() -> None:
    assert set(re.findall(rf"\b{NUMBER}\b", ALL)) == set(STATEMENTS)


def test_tests_that_the_pages_name_exist() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (TOP / "tests").rglob("*.py"))
    named = set(re.findall(r"`(test_\w+)`", ALL))
    assert len(named) > 20
    missing = {name for name in named if f"def {name}(" not in sources}
    assert not missing


def test_names_in_the_table_of_symbols_exist() -> None:
    table = PAGES["algorithms"].partition("## Symbols")[2]
    named = re.findall(r"`(\w+)\.(\w+)`", table)
    assert len(named) > 15
    for module, name in named:
        (path,) = (TOP / "simon_solver" / "kernels").rglob(f"{module}.py")
        assert re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")), (module, name)


def test_the_code_cites_all_statements_and_no_others() -> None:
    """A citation is a number in brackets; a file that has one says where the numbers are."""
    cited = set()
    for path in sorted((TOP / "simon_solver").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        found = re.findall(rf"\[({NUMBER})\]", source)
        assert not found or "`docs/algorithms/`" in source, path
        cited.update(found)
    assert cited == set(STATEMENTS)
