"""What several tests share: reading boards, making random decks, replaying what a search claims."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from simon_solver.game.cards import card_names, parse_card
from simon_solver.game.layout import DECKS, Deck, Layout
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import Step, legal_moves, replay

DATA = Path(__file__).parent.parent / "data"

RUNS = {1: (4, 0, 0, 0), 2: (2, 2, 0, 0), 3: (2, 1, 1, 0), 4: (1, 1, 1, 1)}
"""How many runs of each suit a deck of four runs has, by its number of suits."""

SMALL_SHAPES = (
    (4, (4, 4, 3, 3, 2)),
    (4, (4, 4, 4, 4)),
    (5, (5, 5, 4, 4, 2)),
    (5, (5, 5, 5, 5)),
)
"""Ranks and column sizes of small decks that breadth-first search gets through."""


def board(text: str, deck: Deck | None = None, removed: tuple[int, ...] = ()) -> Position:
    """The position of a board written as ``4S 3H|AS||KD``, base card first.

    Without a deck it is the full one that has as many suits as the text.
    """
    columns = tuple(tuple(map(parse_card, column.split())) for column in text.split("|"))
    if deck is None:
        deck = DECKS[len({card >> 4 for column in columns for card in column} | set(removed))]
    return Position(deck, columns, removed)


def board_text(position: Position) -> str:
    """The columns in the form that `board` reads."""
    return "|".join(map(card_names, position.columns))


def small_deck(suits: int, ranks: int) -> Deck:
    """The deck of four runs from ace to `ranks` in that many suits."""
    return Deck(ranks, RUNS[suits])


def random_deal(rng: Random, suits: int, ranks: int, column_sizes: tuple[int, ...]) -> Position:
    """A shuffled deck of four runs, laid out."""
    layout = Layout(small_deck(suits, ranks), column_sizes)
    cards = list(layout.deck.cards)
    rng.shuffle(cards)
    return Position(layout.deck, layout.split(cards))


def random_deal_with_run(
    rng: Random, suits: int, ranks: int, column_sizes: tuple[int, ...]
) -> Position:
    """Like `random_deal`, with a complete run dealt to the end of a column; it leaves at once."""
    layout = Layout(small_deck(suits, ranks), column_sizes)
    run = list(layout.deck.run_of(0))
    cards = list(layout.deck.cards)
    for card in run:
        cards.remove(card)
    rng.shuffle(cards)
    roomy = [index for index, size in enumerate(column_sizes) if size >= ranks]
    end = sum(column_sizes[: rng.choice(roomy) + 1])
    cards[end - ranks : end - ranks] = run
    return Position(layout.deck, layout.split(cards))


def random_walk(rng: Random, position: Position, moves: int) -> Iterable[Position]:
    """The position, then those after each of up to `moves` random legal moves."""
    yield position
    for _ in range(moves):
        choices = legal_moves(position)
        if not choices:
            return
        position = replay(position, [rng.choice(choices)])[1]
        yield position


def assert_wins(position: Position, solution: Iterable[Step | Move]) -> None:
    """The moves are legal from the position on, win, and did what the steps claim."""
    solution = list(solution)
    moves = [step.move if isinstance(step, Step) else step for step in solution]
    played, end = replay(position, moves)
    assert end.is_won, f"cards are left: {board_text(end)}"
    for number, (claimed, step) in enumerate(zip(solution, played, strict=True), 1):
        assert claimed in (step, step.move), f"move {number}: claimed {claimed}, played {step}"


@dataclass(frozen=True)
class SmallDeck:
    """A row of ``small_decks.csv``; the position is as dealt, so complete runs are not removed."""

    suits: int
    position: Position
    winnable: bool
    fewest_moves: int | None
    best_score: int
    fewest_by_runs: tuple[int, ...]


@cache
def small_decks() -> tuple[SmallDeck, ...]:
    """All rows of ``small_decks.csv``."""
    with (DATA / "small_decks.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            SmallDeck(
                suits=int(row["suits"]),
                position=board(row["columns"], small_deck(int(row["suits"]), int(row["ranks"]))),
                winnable=row["verdict"] == "winnable",
                fewest_moves=int(row["fewest_moves"]) if row["fewest_moves"] else None,
                best_score=int(row["best_score"]),
                fewest_by_runs=tuple(map(int, row["fewest_by_runs"].split())),
            )
            for row in csv.DictReader(line for line in file if not line.startswith("#"))
        )


@dataclass(frozen=True)
class ReferenceDeal:
    """A row of ``s1.csv``, ``s2.csv`` or ``s4.csv``; `best_moves` is None where it is not known."""

    name: str
    position: Position
    winnable: bool
    best_moves: int | None


@cache
def reference_deals(suits: int) -> tuple[ReferenceDeal, ...]:
    """The 200 full deals of that suit count whose verdicts are known."""
    with (DATA / f"s{suits}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            ReferenceDeal(
                name=f"s{suits}-{row['id']}",
                position=board(row["deal"]),
                winnable=row["winnable"] == "1",
                best_moves=int(row["best_moves"]) if row["best_moves"] else None,
            )
            for row in csv.DictReader(file)
        )
