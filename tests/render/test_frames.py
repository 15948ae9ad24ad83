"""Pictures of a line for a terminal, letter by letter, and that they fit."""

from __future__ import annotations

import re

import pytest

from simon_solver.game.layout import DECKS
from simon_solver.game.position import Position
from simon_solver.render.frames import WIDTH, frame
from simon_solver.render.scenes import Scene, scenes_of
from simon_solver.render.style import Style
from simon_solver.render.text import board_lines
from tests.support.page import KPAT_72, KPAT_266, WIN_72, WIN_266, result_of

PLAIN, ASCII, COLOUR = Style(), Style(symbols=False), Style(colour=True)
SCENES = scenes_of(KPAT_72, result_of(KPAT_72, WIN_72))
LONG = scenes_of(KPAT_266, result_of(KPAT_266, WIN_266))


def picture(scene: Scene, style: Style = PLAIN, height: int = 24) -> list[str]:
    return frame(scene, "kpat:72", 93, "playing", style, height)


def test_a_picture() -> None:
    assert picture(SCENES[90], height=21) == [
        "kpat:72",
        "move 90 of 93   score 610   removed ♣ ♠   playing",
        "91. move the jack of hearts from column 4 to column 2, onto the queen of hearts",
        "",
        "",
        "   1   2   3   4   5   6   7   8   9  10",
        "  T♦  K♥     >J♥      K♦",
        "  9♦  Q♥              Q♦",
        "  8♦  []              J♦",
        "  7♦                  T♥",
        "  6♦                  9♥",
        "  5♦                  8♥",
        "  4♦                  7♥",
        "  3♦                  6♥",
        "  2♦                  5♥",
        "  A♦                  4♥",
        "                      3♥",
        "                      2♥",
        "                      A♥",
        "",
        "space: play or pause   n, right: next   p, left: previous   q: quit",
    ]


def test_the_end() -> None:
    lines = picture(SCENES[-1])
    assert lines[1:3] == [
        "move 93 of 93   score 807   removed ♣ ♠ ♥ ♦   playing",
        "the table is empty: won",
    ]
    assert lines[6:-1] == [""] * (24 - 7)


@pytest.mark.parametrize("style", [PLAIN, ASCII, COLOUR])
@pytest.mark.parametrize("height", [12, 24, 50])
def test_pictures_fill_the_screen_and_no_more(style: Style, height: int) -> None:
    for scene in (*SCENES, *LONG):
        lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in picture(scene, style, height)]
        assert len(lines) == height
        assert max(map(len, lines)) < WIDTH
        assert lines[-1].endswith("q: quit")


def test_without_colour_there_are_no_escapes() -> None:
    assert not any("\x1b" in line for scene in SCENES for line in picture(scene))
    assert any("\x1b[7m>J♥\x1b[0m" in line for line in picture(SCENES[90], COLOUR))
    assert any(">JH" in line for line in picture(SCENES[90], ASCII))


def test_the_board_is_that_of_show_with_marks() -> None:
    for scene in SCENES:
        shown = picture(scene, height=50)[5:]
        plain = [line.replace(">", " ").replace("[]", "  ").rstrip() for line in shown]
        drawn = list(board_lines(scene.position, PLAIN))
        assert plain[: len(drawn)] == drawn
        assert sum(line.count(">") for line in shown) == (
            scene.step.move.count if scene.step else 0
        )
        assert sum(line.count("[]") for line in shown) == bool(scene.step)


def test_of_columns_that_are_too_long_the_playable_end_is_shown() -> None:
    deck = DECKS[4]
    halves = [tuple(reversed(deck.run_of(a) + deck.run_of(a + 2))) for a in (0, 1)]
    scene = Scene(Position(deck, (*halves, *[()] * 8)), 0, None, "")
    lines = picture(scene, height=13)
    assert lines[6:11] == ["  ..  ..", "  T♠  T♥", "  J♠  J♥", "  Q♠  Q♥", "  K♠  K♥"]


def test_a_terminal_that_is_far_too_low() -> None:
    assert len(picture(SCENES[0], height=1)) == 11
