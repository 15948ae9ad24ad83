"""Write tests/data/small_decks.csv: random small decks and what breadth-first search says of them.

Run it in the top folder, with the package installed:  python -m scripts.make_small_decks
It takes some minutes on two cores and writes the same file every time.
"""

from __future__ import annotations

import csv
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

from simon_solver.game.position import Position
from simon_solver.search.reference import ReferenceResult, reference_solve
from simon_solver.search.verdict import Verdict
from tests.support.deals import SMALL_SHAPES, board_text, random_deal, random_deal_with_run

OUTPUT = Path("tests/data/small_decks.csv")
NAMES = (
    "suits",
    "ranks",
    "columns",
    "verdict",
    "fewest_moves",
    "best_score",
    "fewest_by_runs",
    "positions",
)
HEADER = """\
# Random small decks of four runs; made by `python -m scripts.make_small_decks`, see SOURCE.txt.
# columns: base card first, | between columns, as dealt (a complete run is still on the table).
# fewest_by_runs: fewest moves after which at least 0, 1, 2... runs are removed, as far as possible.
# positions: how many breadth-first search saw, the order of columns apart.
"""
DEALS = 120
"""Deals per suit count and shape."""
AT_LEAST = 30
"""Deals of each verdict among them, as long as `DRAWS` random deals hold so many."""
DRAWS = 400
MAX_POSITIONS = 150_000
"""Deals from which more positions are reached are left out."""
WITH_DEALT_RUN = 8
"""Deals among them in which a complete run was dealt on purpose."""
SIX_COLUMNS = (4, (4, 3, 3, 2, 2, 2))
"""Six columns: out of reach with four suits, and nearly all deals can be won."""


def deals_of(rng: Random, suits: int, ranks: int, sizes: tuple[int, ...]) -> list[Position]:
    """The deals to try, in order; those with a dealt run first."""
    special = WITH_DEALT_RUN if max(sizes) >= ranks else 0
    return [random_deal_with_run(rng, suits, ranks, sizes) for _ in range(special)] + [
        random_deal(rng, suits, ranks, sizes) for _ in range(DRAWS - special)
    ]


def rows_of(job: tuple[int, int, tuple[int, ...], int]) -> list[list[object]]:
    """Rows for `count` deals, the first ones that leave room for `AT_LEAST` of each verdict."""
    suits, ranks, sizes, count = job
    rng = Random(f"small decks {suits} {ranks} {sizes}")
    rows: list[list[object]] = []
    spare: list[list[object]] = []
    taken = dict.fromkeys(Verdict, 0)
    for position in deals_of(rng, suits, ranks, sizes):
        if len(rows) == count:
            break
        result = reference_solve(position, MAX_POSITIONS)
        if result.verdict is Verdict.UNDETERMINED:
            continue
        row = row_of(suits, position, result)
        if taken[result.verdict] < count - AT_LEAST:
            taken[result.verdict] += 1
            rows.append(row)
        else:
            spare.append(row)
    return rows + spare[: count - len(rows)]


def row_of(suits: int, position: Position, result: ReferenceResult) -> list[object]:
    """The deal and the result in the order of `NAMES`."""
    return [
        suits,
        position.deck.ranks,
        board_text(position),
        result.verdict,
        "" if result.fewest_moves is None else result.fewest_moves,
        result.best_score,
        " ".join(map(str, result.fewest_by_runs)),
        result.positions,
    ]


def main() -> None:
    """Write the file in one go, so that an interrupted run leaves the old one."""
    jobs = [(suits, *shape, DEALS) for suits in (1, 2, 4) for shape in SMALL_SHAPES]
    jobs += [(suits, *SIX_COLUMNS, DEALS // 2) for suits in (1, 2)]
    rows: list[list[object]] = []
    with ProcessPoolExecutor(max_workers=2) as workers:
        for job, found in zip(jobs, workers.map(rows_of, jobs), strict=True):
            rows += found
            print(f"{job}: {len(found)} rows", flush=True)
    with OUTPUT.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(NAMES)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
