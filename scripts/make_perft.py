"""Write tests/data/perft.csv: how many lines of moves, and positions, lie ahead of fixed deals.

Run it in the top folder, with the package installed:  python -m scripts.make_perft
The counts come from the rules. A change of this file without a change of the rules of the game is a
fault of the rules.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from random import Random

from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves
from tests.support.deals import SMALL_SHAPES, board_text, random_deal, random_walk, reference_deals
from tests.support.perft import PERFT_FILE, count_lines, count_tables

DEPTH = 4
ENOUGH_LINES = 600
"""Where there are so many lines, one more move would take the tests too long."""
HEADER = """\
# Made by `python -m scripts.make_perft`, see SOURCE.txt.
# lines: sequences of exactly 1, 2... legal moves, as far as it is quick; tables: positions at the
# ends of 1, 2, 3, 4 moves, the order of columns apart. removed: suits of the removed runs, 0 spades
# to 3 clubs.
"""


def liveliest(name: str, deal: Position) -> Position:
    """Of all positions in some random games the one with the most legal moves."""
    rng = Random(name)
    games = [position for _ in range(10) for position in random_walk(rng, deal, 60)]
    return max(games, key=lambda position: len(legal_moves(position)))


def positions() -> Iterator[tuple[str, Position]]:
    """Full deals and small decks, and a lively position from random games with each."""
    for suits in (1, 2, 4):
        for deal in reference_deals(suits)[:3]:
            yield deal.name, deal.position
            yield f"{deal.name}-lively", liveliest(deal.name, deal.position)
        for ranks, sizes in SMALL_SHAPES:
            name = f"small-{suits}-{ranks}-{'-'.join(map(str, sizes))}"
            position = random_deal(Random(name), suits, ranks, sizes)
            yield name, position
            yield f"{name}-lively", liveliest(name, position)


def line_counts(position: Position) -> list[int]:
    """Lines of 1, 2... moves, up to the first count of at least `ENOUGH_LINES`."""
    counts: list[int] = []
    while len(counts) < DEPTH and max(counts, default=0) < ENOUGH_LINES:
        counts.append(count_lines(position, len(counts) + 1))
    return counts


def main() -> None:
    """Write the file."""
    with PERFT_FILE.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("name", "suits", "ranks", "removed", "columns", "lines", "tables"))
        for name, position in positions():
            tables = (count_tables(position, depth) for depth in range(1, DEPTH + 1))
            writer.writerow(
                (
                    name,
                    position.deck.suits,
                    position.deck.ranks,
                    " ".join(map(str, position.removed)),
                    board_text(position),
                    " ".join(map(str, line_counts(position))),
                    " ".join(map(str, tables)),
                )
            )


if __name__ == "__main__":
    main()
