"""Sequences of several suits: the single moves behind them, and joining those again."""

from __future__ import annotations

from random import Random

import pytest

from simon_solver.errors import MoveError
from simon_solver.game.cards import parse_card, rank_of
from simon_solver.game.moves import Move, format_moves
from simon_solver.game.position import Position
from simon_solver.game.rules import apply, legal_moves, replay
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import read_deal
from simon_solver.reading.solutions.groups import drags, runs_of, sequence_length, single_moves
from tests.support.deals import DATA, board, random_deal, random_walk

SAMPLES = DATA / "samples"
# Four runs of a card each on a king.
SEQUENCE = "KS 7S 6H 5D 4S"


def with_empty(number: int, sequence: str = SEQUENCE, onto: str = "8D") -> Position:
    """A position with that sequence, that card, and that many empty columns beside."""
    taken = set(f"{sequence} {onto}".split())
    rest = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
    left = [card for card in rest if card not in taken]
    filled = 10 - 2 - number
    others = [" ".join(left[start::filled]) for start in range(filled)]
    return board("|".join([sequence, onto, *others, *[""] * number]))


def moved(position: Position, move: Move) -> Position:
    return replay(position, single_moves(position, move))[1]


@pytest.mark.parametrize(
    ("cards", "empty", "moves"),
    [
        (1, 0, "1>2:1"),  # no group at all, whether it is legal or not
        (2, 1, "1>10:1 1>2:1 10>2:1"),
        (3, 2, "1>9:1 1>10:1 1>2:1 10>2:1 9>2:1"),
        (4, 3, "1>8:1 1>9:1 1>10:1 1>2:1 10>2:1 9>2:1 8>2:1"),
        # Two columns for three runs to park: the upper half goes there and back as a whole.
        (4, 2, "1>10:1 1>9:1 10>9:1 1>10:1 1>2:1 10>2:1 9>10:1 9>2:1 10>2:1"),
    ],
)
def test_single_moves(cards: int, empty: int, moves: str) -> None:
    onto = {1: "5C", 2: "6D", 3: "7D", 4: "8D"}[cards]
    position = with_empty(empty, onto=onto)
    found = single_moves(position, Move(0, 1, cards))
    assert format_moves(found) == moves
    end = replay(position, found)[1]
    assert end.columns[1][-cards:] == position.columns[0][-cards:]
    assert all(not end.columns[number] for number in range(10 - empty, 10))


def test_as_many_runs_as_two_to_the_number_of_empty_columns() -> None:
    # The last of 2, 4, 8 runs needs 2 ** n - 1 others out of the way.
    sequence = "KS QH JS TH 9S 8H 7S 6H 5S"
    for empty, most in ((0, 1), (1, 2), (2, 4), (3, 8)):
        for count in range(1, 9):
            onto = "A23456789TJQK"[rank_of(parse_card(sequence.split()[-count]))] + "D"
            position = with_empty(empty, sequence, onto)
            move = Move(0, 1, count)
            if count <= most:
                assert len(moved(position, move).columns[1]) == count + 1
            else:
                with pytest.raises(MoveError, match="empty column"):
                    single_moves(position, move)


def test_the_target_is_no_empty_column_to_park_in() -> None:
    position = with_empty(1)
    with pytest.raises(MoveError, match="are 2 runs, which need 1 empty column besides the target"):
        single_moves(position, Move(0, 9, 2))
    position = with_empty(2)
    assert format_moves(single_moves(position, Move(0, 9, 2))) == "1>9:1 1>10:1 9>10:1"


@pytest.mark.parametrize(
    ("move", "empty", "message"),
    [
        (Move(0, 1, 5), 2, "the top 5 cards of column 1 do not go down rank by rank: "
         "7S lies on KS"),
        (Move(0, 2, 3), 2, "6H cannot go on "),
        (Move(0, 1, 4), 1, "the top 4 cards of column 1 are 4 runs, which need 2 empty columns "
         "besides the target, but there is 1"),
        (Move(0, 1, 4), 0, "the top 4 cards of column 1 are 4 runs, which need 2 empty columns "
         "besides the target, but there are none"),
    ],
)  # fmt: skip
def test_what_is_no_move(move: Move, empty: int, message: str) -> None:
    with pytest.raises(MoveError) as error:
        single_moves(with_empty(empty), move)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("move", [Move(0, 0, 2), Move(0, 10, 2), Move(10, 0, 2), Move(0, 1, 9)])
def test_what_the_rules_judge_of(move: Move) -> None:
    position = with_empty(2)
    assert single_moves(position, move) == [move]
    with pytest.raises(MoveError):
        apply(position, move)


def test_groups_of_random_positions_end_where_they_should() -> None:
    rng, groups = Random(20), 0
    for _ in range(400):
        start = random_deal(rng, 4, 5, (5, 5, 5, 5, 0, 0, 0))
        for position in random_walk(rng, start, 12):
            groups += check_groups(position)
    assert groups > 300


def check_groups(position: Position) -> int:
    """Play all groups of a settled position; returns how many there are."""
    found = 0
    for source, column in enumerate(position.columns):
        for count in range(2, sequence_length(column) + 1):
            runs = len(runs_of(column[-count:]))
            if runs == 1:
                continue
            for target, onto in enumerate(position.columns):
                fits = not onto or rank_of(onto[-1]) == rank_of(column[-count]) + 1
                free = sum(not c for n, c in enumerate(position.columns) if n != target)
                move = Move(source, target, count)
                if source == target or not fits or runs > 2**free:
                    continue
                found += 1
                singles = single_moves(position, move)
                if runs <= free + 1:
                    assert len(singles) == 2 * runs - 1
                end = replay(position, singles)[1]
                wanted = list(position.columns)
                wanted[target] += column[-count:]
                wanted[source] = column[:-count]
                rest = Position(position.deck, tuple(wanted), position.removed)
                assert end.columns == rest.columns
                (joined,) = drags(position, singles, mixed_runs=True)
                assert joined.move == move
                assert joined.cards == column[-count:]
                assert len(drags(position, singles, mixed_runs=False)) == len(singles)
    return found


def test_joined_moves_of_the_samples_stand_for_the_same_moves() -> None:
    for number, moves in ((72, 93), (266, 116), (309, 100)):
        position = read_deal(f"kpat:{number}").position
        text = read_moves(str(SAMPLES / f"ms{number}_win{moves}_from_to_count.txt"))
        steps, end = replay(position, text)
        joined = drags(position, [step.move for step in steps], mixed_runs=True)
        assert [step for drag in joined for step in drag.steps] == steps
        assert len(joined) < len(steps)
        for drag in joined:
            position = drag.positions[0]
            assert len(single_moves(position, drag.move)) == len(drag.steps)
            position = moved(position, drag.move)
            assert position.columns == drag.positions[-1].columns
        assert position == end


def test_moves_that_go_elsewhere_are_not_joined() -> None:
    position = with_empty(2)
    moves = [Move(0, 9, 1), Move(0, 8, 1), Move(9, 8, 1)]
    (joined,) = drags(position, moves, mixed_runs=True)
    assert joined.move == Move(0, 8, 2)
    # One move more in between, and the two are single moves again.
    other = next(
        move for move in legal_moves(replay(position, moves[:2])[1]) if move.source not in (0, 8, 9)
    )
    apart = drags(position, [*moves[:2], other, moves[2]], mixed_runs=True)
    assert [len(drag.steps) for drag in apart] == [1, 1, 1, 1]


def test_a_breach_of_the_rules_is_told() -> None:
    with pytest.raises(MoveError):
        drags(with_empty(2), [Move(0, 0, 1)], mixed_runs=True)
