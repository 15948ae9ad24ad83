"""A game played by hand: actions against a plain model, the limit of undo, and taps."""

from __future__ import annotations

from collections import Counter
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simon_solver.errors import MoveError
from simon_solver.game.cards import parse_card, rank_of
from simon_solver.game.deal import Deal
from simon_solver.game.layout import DECKS, Deck
from simon_solver.game.moves import MOST_MOVES, Move, parse_moves
from simon_solver.game.played import MOST_UNDONE, PlayedGame, moves_from, tap
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves, replay, score
from simon_solver.game.runs import run_length
from tests.support.deals import board
from tests.support.page import KPAT_72, WIN_72
from tests.support.strategies import positions

DECK = Deck(13, (4, 1, 1, 1))


def with_the_rest(text: str) -> Position:
    """These columns, and one more with all other cards, an ace at its top."""
    columns = [list(map(parse_card, column.split())) for column in text.split("|")]
    rest = Counter(DECK.cards) - Counter(card for column in columns for card in column)
    columns.append(sorted(rest.elements(), key=rank_of, reverse=True))
    return Position(DECK, tuple(map(tuple, columns)))


def moves(text: str) -> list[Move]:
    return [Move(m.source, m.target, m.count or 1) for m in parse_moves(text)]


class Model:
    """Every line of moves that there was, one after the other, and which of them it is."""

    def __init__(self) -> None:
        self.lines: list[list[Move]] = [[]]
        self.place = 0
        self.oldest = 0

    def act(self, line: list[Move]) -> None:
        self.lines[self.place + 1 :] = [line]
        self.place += 1
        self.oldest = max(self.oldest, self.place - MOST_UNDONE)

    def go(self, place: int) -> bool:
        if not self.oldest <= place < len(self.lines):
            return False
        self.place = place
        return True

    @property
    def line(self) -> list[Move]:
        return self.lines[self.place]


ACTIONS = ("move", "move", "move", "undo", "undo", "redo", "restart")


@given(
    start=positions(),
    made=st.integers(0, 300),
    actions=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 999)), max_size=40),
    most=st.integers(1, 250),
)
@settings(max_examples=40)
def test_actions_against_a_model(
    start: Position, made: int, actions: list[tuple[str, int]], most: int
) -> None:
    # Repeated, they go beyond what can be undone.
    game, model = PlayedGame(Deal("x", start, made)), Model()
    repeated = cycle(actions) if actions else iter(())
    for _, (action, number) in zip(range(most), repeated, strict=False):
        before = game.position
        if action == "move":
            choices = legal_moves(before)
            if choices:
                move = choices[number % len(choices)]
                assert game.play(move) == replay(before, [move])[0][0]
                model.act([*model.line, move])
        elif action == "restart":
            assert game.restart() == bool(model.line)
            if model.line:
                model.act([])
        else:
            done = game.undo() if action == "undo" else game.redo()
            assert done == model.go(model.place + (1 if action == "redo" else -1))
        assert_as_in(model, game, start, made)


def assert_as_in(model: Model, game: PlayedGame, start: Position, made: int) -> None:
    """Everything that the table tells is what the rules make of the model's line."""
    steps, position = replay(start, model.line)
    assert game.position == position
    assert list(game.steps) == steps
    assert game.moves == made + len(steps)
    assert game.score == score(made + len(steps), len(position.removed))
    assert game.deal == Deal("x", position, made + len(steps))
    assert game.is_stuck == (not position.is_won and not legal_moves(position))
    assert game.undoable == model.place - model.oldest <= MOST_UNDONE
    assert game.redoable == len(model.lines) - 1 - model.place
    assert [step.move for step in game.opening] == model.lines[model.oldest]
    kept = model.lines[model.oldest + 1 :]
    assert game.actions == tuple(line[-1] if line else None for line in kept)
    # as many as undone one after the other only shorten the line
    wanted = 0
    while (
        wanted < game.undoable
        and model.lines[model.place - wanted - 1] == model.line[: len(model.line) - wanted - 1]
        and wanted < len(model.line)
    ):
        wanted += 1
    assert game.moves_undoable == wanted


def test_a_whole_game_and_back() -> None:
    game = PlayedGame(KPAT_72)
    for move in WIN_72:
        game.play(move)
    assert game.position.is_won
    assert (game.moves, game.score) == (93, 807)
    assert not game.is_stuck
    removed = []
    while game.undo():
        removed.append(len(game.position.removed))
    assert game.position == KPAT_72.position
    assert game.score == 500
    assert sorted(set(removed)) == [0, 1, 2, 3]
    while game.redo():
        pass
    assert (game.moves, game.score) == (93, 807)


def test_an_opening_cannot_be_undone() -> None:
    game = PlayedGame(KPAT_72, WIN_72[:3])
    assert (len(game.steps), game.undoable, game.opening) == (3, 0, game.steps)
    assert not game.undo()
    with pytest.raises(MoveError, match=r"^move 3: it goes from column 1 to itself$"):
        PlayedGame(KPAT_72, [*WIN_72[:2], Move(0, 0, 1)])


def test_a_wrong_move_changes_nothing() -> None:
    game = PlayedGame(KPAT_72)
    game.play(WIN_72[0])
    game.play(WIN_72[1])
    game.undo()
    before = (game.position, game.steps, game.actions, game.redoable)
    with pytest.raises(MoveError):
        game.play(Move(0, 0, 1))
    assert (game.position, game.steps, game.actions, game.redoable) == before
    assert game.redo()


def test_the_most_moves() -> None:
    start = board("KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S|AS|", DECKS[4], (1, 2, 3))
    game = PlayedGame(Deal("x", start), moves("2>3 3>2") * (MOST_MOVES // 2))
    with pytest.raises(MoveError, match=r"^expected at most 10000 moves; undo some, or restart$"):
        game.play(Move(1, 2, 1))
    assert game.restart()
    game.play(Move(1, 0, 1))
    assert game.position.is_won


# Columns, the one tapped, and where its run goes, or why it goes nowhere.
TAPS = [
    # its own suit comes before another and before an empty column
    ("9S|2C 8H|9H||", 2, "2>3:1"),
    # not onto another suit, but into the leftmost empty column
    ("9S|KH 8H|9C||", 2, "2>4:1"),
    (
        "9S|KH 8H|9C|KC",
        2,
        "there is no empty column for 8H, and the next card of its suit is not at the",
    ),
    # the whole run, never a part of it
    ("9H|KS 8H 7H|8D", 2, "2>1:2"),
    ("8H|KS 8S 7H 6H|9D", 2, "2>1:2"),
    ("8S|KH 8S 7S|9D", 2, "there is no empty column for 8S"),
    # a run that is all of its column goes to its suit, but to no empty column
    ("9H|8H 7H||", 2, "2>1:2"),
    ("9S|8H 7H||", 2, "8H has a column to itself, and the next card of its suit is not at the"),
    ("9S|KH QH||", 2, "KH has a column to itself"),
    ("9S|2C KH QH||", 2, "2>3:2"),
    ("9S|2C KH QH", 2, "there is no empty column for KH"),
    # of several, that with the longest run; of equals the leftmost
    ("2H|9S|2D 8S|JS TS 9S", 3, "3>4:1"),
    ("KC 9S|9S|2D 8S", 3, "3>1:1"),
    ("9S||", 2, "column 2 is empty"),
    ("9S||", 5, "there is no column 5; the columns are 1 to 4"),
    ("9S||", 0, "there is no column 0; the columns are 1 to 4"),
]


@pytest.mark.parametrize(("text", "column", "told"), TAPS)
def test_taps(text: str, column: int, told: str) -> None:
    position = with_the_rest(text)
    if ">" in told:
        assert str(tap(position, column - 1)) == told
        return
    with pytest.raises(MoveError) as caught:
        tap(position, column - 1)
    assert str(caught.value).startswith(told)


@given(positions(), st.integers(0, 9))
def test_a_tap_is_a_legal_move_of_the_whole_run(position: Position, column: int) -> None:
    cards = position.columns[column]
    empty = any(not other for other in position.columns)
    run = run_length(cards)
    parents = [
        other for other in position.columns if run_length(other + cards[len(cards) - run :]) > run
    ]
    try:
        move = tap(position, column)
    except MoveError:
        assert not cards or not (parents or (empty and run < len(cards)))
        return
    assert move in moves_from(position, column)
    assert move.count == run
    target = position.columns[move.target]
    assert target in parents if parents else not target


@given(positions())
def test_the_moves_of_all_columns(position: Position) -> None:
    found = []
    for column, cards in enumerate(position.columns):
        if cards:
            found += moves_from(position, column)
        else:
            with pytest.raises(MoveError, match=f"^column {column + 1} is empty$"):
                moves_from(position, column)
    assert found == legal_moves(position)
