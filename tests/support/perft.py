"""Counting what lies ahead of a position, move by move: a fingerprint of the rules."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import apply, legal_moves
from simon_solver.game.tableau import Tableau, tableau_of
from simon_solver.search.reference import successors
from tests.support.deals import DATA, board, small_deck

PERFT_FILE = DATA / "perft.csv"


@dataclass(frozen=True)
class PerftRow:
    """`lines[d]` and `tables[d]` are the counts after exactly `d + 1` moves."""

    name: str
    position: Position
    lines: tuple[int, ...]
    tableaux: tuple[int, ...]


def perft_rows() -> list[PerftRow]:
    """All rows of ``perft.csv``."""
    with PERFT_FILE.open(encoding="utf-8", newline="") as file:
        return [
            PerftRow(
                name=row["name"],
                position=board(
                    row["columns"],
                    small_deck(int(row["suits"]), int(row["ranks"])),
                    tuple(map(int, row["removed"].split())),
                ),
                lines=tuple(map(int, row["lines"].split())),
                tableaux=tuple(map(int, row["tables"].split())),
            )
            for row in csv.DictReader(line for line in file if not line.startswith("#"))
        ]


def count_lines(position: Position, depth: int) -> int:
    """How many sequences of `depth` legal moves there are."""
    moves = legal_moves(position)
    if depth <= 1:
        return len(moves) if depth else 1
    return sum(count_lines(apply(position, move), depth - 1) for move in moves)


def lines_by_move(position: Position, depth: int) -> dict[Move, int]:
    """The count of `count_lines` per first move, to find the rule that differs."""
    return {move: count_lines(apply(position, move), depth - 1) for move in legal_moves(position)}


def count_tables(position: Position, depth: int) -> int:
    """How many positions `depth` moves can end in, the order of columns apart."""
    tableaux: set[Tableau] = {tableau_of(position)}
    for _ in range(depth):
        tableaux = set().union(*(successors(tableau, position.deck.ranks) for tableau in tableaux))
    return len(tableaux)
