"""The page for a line of moves: what is in it, and that it stands alone; no browser is needed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from simon_solver.answers.results import SolveResult
from simon_solver.game.cards import SUIT_LETTERS, parse_card, spoken_card
from simon_solver.game.deal import Deal
from simon_solver.game.moves import Move
from simon_solver.game.position import Position
from simon_solver.game.rules import legal_moves, play
from simon_solver.reading.deals import read_deal
from simon_solver.reading.formats import spoken
from simon_solver.render.page import page, write_page
from simon_solver.render.scenes import scenes_of
from simon_solver.search.verdict import StoppedBy, Verdict
from tests.support.deals import board, random_deal_with_run, small_deck
from tests.support.page import (
    KPAT_72,
    KPAT_266,
    WIN_72,
    WIN_266,
    card_of_face,
    positions_of,
    random_line,
    result_of,
)

WON = result_of(KPAT_72, WIN_72)
LOST = SolveResult(Verdict.UNWINNABLE, 500, 0, 0, 500, (), None, 1, 0.5)
MOST_BYTES = 300_000
VOID = {"meta", "link", "input"}


class Outline(HTMLParser):
    """The elements of a page; checks that each is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def text(self, tag: str) -> str:
        """The text of all such elements, without that of others in them."""
        return "".join(self.texts.get(tag, []))


def game_of(text: str) -> dict[str, Any]:
    (data,) = re.findall(r'<script type="application/json" id="game">(.*?)</script>', text)
    game: dict[str, Any] = json.loads(data)
    return game


def assert_boards(deal: Deal, result: SolveResult) -> dict[str, Any]:
    """The boards in the page are those of the rules, and cards keep their numbers; the data."""
    game = game_of(page(deal, result))
    cards = [card_of_face(card["rank"], card["suit"]) for card in game["cards"]]
    assert [card["name"] for card in game["cards"]] == list(map(spoken_card, cards))
    positions = positions_of(deal, result)
    assert len(game["boards"]) == len(positions)
    for one, position in zip(game["boards"], positions, strict=True):
        shown = tuple(tuple(cards[number] for number in column) for column in one["columns"])
        assert shown == position.columns
        assert one["removed"] == "".join(SUIT_LETTERS[suit] for suit in position.removed)
    for before, after, step in zip(
        game["boards"], game["boards"][1:], result.solution, strict=False
    ):
        assert Move(before["from"], before["to"], before["count"]) == step.move
        moved = before["columns"][before["from"]][-before["count"] :]
        for number, column in enumerate(after["columns"]):
            old = before["columns"][number]
            assert column == (old + moved if number == before["to"] else old)[: len(column)]
    return game


def test_boards_of_a_win() -> None:
    game = assert_boards(KPAT_72, WON)
    first, last = game["boards"][0], game["boards"][-1]
    assert (first["moves"], first["score"], first["removed"]) == (0, 500, "")
    assert (last["moves"], last["score"]) == (93, 807)
    assert last["columns"] == [[]] * 10
    assert last["words"] == "the table is empty: won"
    assert "from" not in last


def test_boards_with_equal_cards_and_of_small_decks(rng: Random) -> None:
    removed = 0
    for number in range(40):
        start = random_deal_with_run(rng, 1 + number % 4, 4, (4, 4, 4, 4, 0, 0))
        deal = Deal("small", start, moves_made=3)
        result = result_of(deal, random_line(rng, deal.position, 30))
        game = assert_boards(deal, result)
        assert game["boards"][-1]["moves"] == 3 + len(result.solution)
        removed += sum(len(step.removes) for step in result.solution)
    assert removed > 10


def test_a_run_that_leaves_the_source() -> None:
    # Only in positions from files and in small decks: the king lies on a complete run.
    deck = small_deck(4, 4)
    a, b, c, d = (deck.run_of(suit) for suit in range(4))
    columns = ((*a, b[0]), b[1:], c[:2], (c[2], d[3]), (), (), (c[3], *d[:3]))
    deal = Deal("", Position(deck, columns))
    result = result_of(deal, legal_moves(deal.position)[:1])
    assert result.solution[0].removes == (0,)
    assert assert_boards(deal, result)["boards"][1]["columns"][0] == []


def test_words() -> None:
    scenes = scenes_of(KPAT_72, WON)
    assert [scene.words for scene in scenes[88:]] == [
        "move the run from the 3 down to the ace of diamonds from column 5 to column 4, "
        "onto the 4 of diamonds",
        "move the run from the 10 down to the ace of diamonds from column 4 to column 1, "
        "which is empty",
        "move the jack of hearts from column 4 to column 2, onto the queen of hearts",
        "move the run from the 10 down to the ace of hearts from column 6 to column 2, "
        "onto the jack of hearts; the run of hearts leaves the table",
        "move the run from the 10 down to the ace of diamonds from column 1 to column 6, "
        "onto the jack of diamonds; the run of diamonds leaves the table",
        "the table is empty: won",
    ]
    assert [scene.score for scene in scenes[-3:]] == [609, 708, 807]
    part = scenes_of(KPAT_72, result_of(KPAT_72, WIN_72[:5]))
    assert part[-1].words == "the line ends here"
    (only,) = scenes_of(KPAT_72, LOST)
    assert (only.words, only.score, only.step) == ("no moves to show", 500, None)


def test_the_list_tells_each_move_and_the_score_after_it() -> None:
    text = page(KPAT_72, WON)
    items = re.findall(
        r'<span class="number">(\d+)\.</span> <span class="words">(.*?)</span> '
        r'<span class="score">(\d+)</span>',
        text,
    )
    scenes = scenes_of(KPAT_72, WON)
    assert items == [
        (str(after.moves), before.words, str(after.score)) for before, after in pairwise(scenes)
    ]


def test_the_longest_lines_are_small_enough() -> None:
    longest = page(KPAT_266, result_of(KPAT_266, WIN_266))
    assert len(longest.encode()) < MOST_BYTES / 3
    # Four times as long as any that a search has found: cards that go to and fro.
    _, position = play(KPAT_72.position, Move(9, 0, 1))
    deal = replace(KPAT_72, position=position)
    there = next(move for move in legal_moves(position) if move.target == 9)
    back = Move(there.target, there.source, there.count)
    again = play(play(position, there)[1], back)[1]
    assert again == position
    assert len(page(deal, result_of(deal, [there, back] * 250)).encode()) < MOST_BYTES


def test_it_stands_alone() -> None:
    text = page(KPAT_72, WON)
    assert not re.search(r"https?:|url\(|@import|fetch|XMLHttpRequest|WebSocket", text)
    outline = Outline(text)
    links = [
        value
        for _, attributes in outline.elements
        for name, value in attributes.items()
        if name in ("src", "href", "action", "srcset", "data")
    ]
    assert "data:," in links
    assert all(value is not None and re.fullmatch(r"data:,|#\w+", value) for value in links)
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {link for link in links if link != "data:,"} <= {f"#{name}" for name in ids}
    policy = next(a for _, a in outline.elements if "http-equiv" in a)
    assert "default-src 'none'" in str(policy["content"])


def test_every_place_of_the_template_is_filled() -> None:
    assert not re.search(r"\$\w", page(KPAT_72, WON))


@pytest.mark.parametrize(
    "name",
    [
        "</script><script>alert(1)</script>.txt",
        "<img src=x onerror=alert(1)>",
        "a&amp;\"b'$name",
        "a\x00\x1b[31m\n\u202e\udcff",
    ],
)
def test_names_are_escaped(name: str) -> None:
    plain = Outline(page(KPAT_72, WON))
    odd = Outline(page(replace(KPAT_72, name=name), WON))
    assert odd.elements == plain.elements
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in name
    )
    assert odd.text("h1") == f"{shown} (4 suits)"
    assert odd.text("title") == f"{shown}: winnable, 807 (proven best) – Simple Simon"


def test_a_long_name_is_cut() -> None:
    assert len(page(replace(KPAT_72, name="x" * 4000), WON)) < len(page(KPAT_72, WON)) + 1500


def note_of(deal: Deal, result: SolveResult) -> str:
    (note,) = re.findall(r'<p class="note">(.*?)</p>', page(deal, result))
    return str(note)


def test_what_is_said_of_the_line() -> None:
    assert note_of(KPAT_72, WON) == ""
    part = result_of(KPAT_72, WIN_72[:80], Verdict.UNWINNABLE)
    assert note_of(KPAT_72, part).startswith("This position cannot be won. The line shown")
    part = replace(part, verdict=Verdict.UNDETERMINED, stopped_by=StoppedBy.TIME, score_bound=850)
    assert note_of(KPAT_72, part).startswith("This line does not win, but no known line")
    title = Outline(page(KPAT_72, part)).text("title")
    assert "undetermined (time limit), " in title
    assert "not proven best" in title
    assert note_of(KPAT_72, LOST).startswith("There is no line to show")
    code = read_deal("SS1-S4-AAAAABD")
    assert "look like ours but name other deals" in note_of(code, replace(LOST))


def test_a_first_win_is_not_called_the_best() -> None:
    title = Outline(page(KPAT_72, replace(WON, score_bound=850), first_only=True)).text("title")
    assert "807 (the first win found; no line scores more than 850)" in title


def test_without_a_line_the_board_is_shown() -> None:
    text = page(KPAT_72, LOST)
    assert "<li>" not in text
    assert len(game_of(text)["boards"]) == 1
    assert spoken.write(KPAT_72.position).strip() in Outline(text).text("p")


def test_a_position_without_cards() -> None:
    empty = Deal("none", board("|||||||||", removed=(0, 1, 2, 3)))
    won = SolveResult(Verdict.WINNABLE, 900, 0, 4, 900, (), None, 0, 0.0)
    game = game_of(page(empty, won))
    assert game["cards"] == []
    assert game["boards"][0]["removed"] == "SHDC"


def test_tens_are_written_out() -> None:
    faces = {(card["rank"], card["suit"]) for card in game_of(page(KPAT_72, WON))["cards"]}
    assert ("10", "H") in faces
    assert len(faces) == 52
    assert {parse_card(rank + suit) for rank, suit in faces} == set(KPAT_72.position.deck.cards)


def test_written_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "line.html"
    write_page(KPAT_72, WON, str(file))
    assert file.read_bytes() == page(KPAT_72, WON).encode()
    assert list(tmp_path.iterdir()) == [file]
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(OSError, match=r"folder\.html"):
        write_page(KPAT_72, WON, str(tmp_path / "folder.html"))
    assert {path.name for path in tmp_path.iterdir()} == {"line.html", "folder.html"}
