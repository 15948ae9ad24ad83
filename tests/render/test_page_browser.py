"""The page in real Chromium: a whole line by clicks and by keys, on a phone and on a desktop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from simon_solver.answers.results import SolveResult
from simon_solver.game.deal import Deal
from simon_solver.game.position import Position
from simon_solver.reading.deals import read_deal
from simon_solver.reading.formats import spoken
from simon_solver.render.page import write_page
from simon_solver.render.scenes import scenes_of
from simon_solver.search.verdict import Verdict
from tests.support.cli import run
from tests.support.page import (
    CHROMIUM,
    KPAT_72,
    LOST_BUT_FOR_A_RUN,
    WIN_72,
    card_of_face,
    needs_chromium,
    positions_of,
    result_of,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = needs_chromium

WON = result_of(KPAT_72, WIN_72)
LAST = len(WON.solution)
SCENES = scenes_of(KPAT_72, WON)
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}

# What the eye sees, cards by their places on the screen, and what is said beside.
SEEN = """() => {
  const text = (selector) => document.querySelector(selector).textContent;
  const board = document.getElementById("board").getBoundingClientRect();
  const seen = [...document.querySelectorAll(".card")].filter((card) =>
    card.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const cards = seen.map((card) => {
    const box = card.getBoundingClientRect();
    return {
      column: Math.round((box.left - board.left) / box.width),
      top: box.top,
      rank: card.querySelector("b").textContent,
      suit: card.querySelector("use").getAttribute("href").slice(1),
      moving: card.classList.contains("moving"),
      inside: box.left >= board.left - 1 && box.right <= board.right + 1
        && box.top >= board.top && box.bottom <= board.bottom,
    };
  });
  return {
    cards: cards.sort((one, other) => one.top - other.top),
    status: document.querySelector("[role=status]").innerText,
    removed: document.querySelectorAll("#removed svg").length,
    spoken: text("#spoken"),
    place: Number(document.getElementById("slider").value),
    current: [...document.querySelectorAll("ol button[aria-current] .number")].map(
      (number) => Number.parseInt(number.textContent)),
    landing: document.querySelector(".landing").checkVisibility(),
  };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window; tests may run as root, whom its sandbox refuses."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        assert CHROMIUM is not None, "chromium is not installed"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visit:
    """Pages opened in a browser; what they say on the console or ask of the network is noted."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._file = folder / "line.html"
        self.noted: list[str] = []

    def open(
        self, deal: Deal = KPAT_72, result: SolveResult = WON, place: str = "", **options: Any
    ) -> Page:
        """The page of this line, with the motion reduced unless the options say otherwise."""
        write_page(deal, result, str(self._file))
        return self.open_file(self._file, place, **options)

    def open_file(self, file: Path, place: str = "", **options: Any) -> Page:
        """A page that is written already."""
        wanted = {"viewport": PHONE, "reduced_motion": "reduce", **options}
        page = self._browser.new_context(**wanted).new_page()
        page.on("console", lambda message: self.noted.append(message.text))
        page.on("pageerror", lambda error: self.noted.append(str(error)))
        page.on("request", lambda request: self.noted.append(request.url))
        page.goto(f"{file.as_uri()}{place}")
        self.noted.remove(file.as_uri())
        return page

    def close(self) -> None:
        """Close all pages; the icon, which is in the page, may be asked for."""
        for context in self._browser.contexts:
            context.close()
        assert [note for note in self.noted if note != "data:,"] == []


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    """Opens pages; at its end, no page may have written on the console or used the network."""
    visit = Visit(browser, tmp_path)
    yield visit
    visit.close()


Columns = tuple[tuple[int, ...], ...]


def columns_of(seen: dict[str, Any]) -> Columns:
    """The cards by column, from the top of the screen down."""
    columns: list[list[int]] = [[] for _ in range(10)]
    for card in seen["cards"]:
        columns[card["column"]].append(card_of_face(card["rank"], card["suit"]))
    return tuple(map(tuple, columns))


def columns_seen(page: Page) -> Columns:
    """The cards that are seen, by column."""
    return columns_of(page.evaluate(SEEN))


def assert_shows(page: Page, number: int, position: Position) -> None:
    """All that the page shows is of the board with that number."""
    scene = SCENES[number]
    seen = page.evaluate(SEEN)
    assert columns_of(seen) == position.columns
    assert all(card["inside"] for card in seen["cards"])
    assert scene.words in seen["status"].lower()
    assert f"Score {scene.score}" in seen["status"]
    going_on = scene.step is not None
    assert (f"Move {number + 1} of 93" if going_on else "93 moves made") in seen["status"]
    assert seen["removed"] == len(position.removed)
    assert seen["spoken"] == spoken.write(position).strip()
    assert seen["place"] == number
    assert seen["current"] == ([number + 1] if going_on else [])
    moving = sum(card["moving"] for card in seen["cards"])
    assert moving == (scene.step.move.count if scene.step is not None else 0)
    assert seen["landing"] == going_on


def test_the_whole_line_by_clicks(visit: Visit) -> None:
    page = visit.open()
    positions = positions_of(KPAT_72, WON)
    assert_shows(page, 0, positions[0])
    for number, position in enumerate(positions[1:], 1):
        page.get_by_role("button", name="Next").click()
        assert_shows(page, number, position)
    assert columns_seen(page) == ((),) * 10
    page.get_by_role("button", name="Previous").click()
    assert_shows(page, LAST - 1, positions[-2])
    page.get_by_role("button", name="First board").click()
    assert_shows(page, 0, positions[0])
    page.get_by_role("button", name="Last board").click()
    assert_shows(page, LAST, positions[-1])


def test_the_whole_line_by_keys(visit: Visit) -> None:
    page = visit.open(viewport=DESKTOP)
    positions = positions_of(KPAT_72, WON)
    for number, position in enumerate(positions):
        assert_shows(page, number, position)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert_shows(page, LAST - 1, positions[-2])
    page.keyboard.press("Home")
    assert_shows(page, 0, positions[0])
    page.keyboard.press("ArrowLeft")
    assert_shows(page, 0, positions[0])
    page.keyboard.press("End")
    assert_shows(page, LAST, positions[-1])
    assert columns_seen(page) == ((),) * 10


def place_of(page: Page) -> int:
    return int(page.get_by_label("Moves made").input_value())


def test_play_and_pause(visit: Visit) -> None:
    page = visit.open()
    page.clock.install()
    page.reload()
    visit.noted.clear()  # the page itself, once more
    play = page.locator("#play")
    page.keyboard.press("Space")
    assert play.inner_text() == "Pause"
    page.clock.run_for(5000)
    assert place_of(page) == 3
    page.keyboard.press("Space")
    assert play.inner_text() == "Play"
    page.clock.run_for(5000)
    assert place_of(page) == 3
    play.click()
    page.clock.run_for(1600 * LAST)
    assert place_of(page) == LAST
    assert play.inner_text() == "Play"
    play.click()  # from the end it starts again
    assert place_of(page) == 0
    page.clock.run_for(1600)
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(5000)
    assert place_of(page) == 0


def test_keys_go_to_what_has_the_focus(visit: Visit) -> None:
    page = visit.open()
    page.get_by_label("Moves made").focus()
    page.keyboard.press("ArrowRight")
    assert place_of(page) == 1
    page.keyboard.press("End")
    assert place_of(page) == LAST
    page.keyboard.press("Home")
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("Space")
    assert place_of(page) == 1
    assert page.locator("#play").inner_text() == "Play"
    page.keyboard.press("ArrowRight")
    assert place_of(page) == 2
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("Alt+Home")
    assert place_of(page) == 2
    page.get_by_role("button", name="Last board").click()
    # The focus stays on a button that does nothing any more.
    focused = page.evaluate("document.activeElement.id")
    assert focused == "to-last"
    assert page.locator("#to-next").get_attribute("aria-disabled") == "true"


def test_the_focus_is_seen(visit: Visit) -> None:
    page = visit.open()
    for _ in range(8):
        page.keyboard.press("Tab")
        style = page.evaluate(
            "(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])"
            "(getComputedStyle(document.activeElement))"
        )
        assert style == ["solid", "3px"]


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_jumps(viewport: dict[str, int], visit: Visit) -> None:
    page = visit.open(viewport=viewport)
    positions = positions_of(KPAT_72, WON)
    for number in (40, 92, 3):
        page.locator("ol button").nth(number).click()
        assert_shows(page, number, positions[number])
        assert page.evaluate("document.getElementById('now').getBoundingClientRect().top") > -1
    page.get_by_label("Moves made").fill("57")
    assert_shows(page, 57, positions[57])
    if viewport is DESKTOP:  # the list shows where we are, and the page has not moved
        box = page.locator("ol button[aria-current]").bounding_box()
        assert box is not None
        assert 0 < box["y"] < 800
        assert page.evaluate("scrollY") == 0


def test_the_step_outlives_the_page(visit: Visit) -> None:
    page = visit.open(place="#12")
    assert place_of(page) == 12
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("#13")
    assert place_of(visit.open(place="#no")) == 0
    assert place_of(visit.open(place="#94")) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(scheme: str, visit: Visit) -> None:
    deal = Deal("a" * 300 + " b" * 50 + "漢字" * 20, KPAT_72.position)
    page = visit.open(deal, color_scheme=scheme, has_touch=True, is_mobile=True)
    page.get_by_text("The board in words").click()
    widths = "[document.documentElement.scrollWidth, innerWidth]"
    for _ in range(LAST + 1):
        assert page.evaluate(widths) == [360, 360]
        page.keyboard.press("ArrowRight")
    for box in page.locator("button").all():
        found = box.bounding_box()
        assert found is not None
        assert found["x"] >= 0
        assert found["x"] + found["width"] <= 360
        assert found["height"] >= 32


def test_faces_fit_their_cards(visit: Visit) -> None:
    page = visit.open()
    over = page.evaluate(
        """() => [...document.querySelectorAll(".card")].filter((card) => {
          const box = card.getBoundingClientRect();
          const rank = card.querySelector("b").getBoundingClientRect();
          const suit = card.querySelector("svg").getBoundingClientRect();
          return rank.left < box.left || suit.right > box.right || suit.left < rank.right - 1;
        }).length"""
    )
    assert over == 0


def test_the_board_and_the_buttons_are_on_one_screen_of_a_phone(visit: Visit) -> None:
    page = visit.open()
    for number in range(0, LAST + 1, 4):
        page.get_by_label("Moves made").fill(str(number))
        board = page.locator("#board").bounding_box()
        button = page.get_by_role("button", name="Next").bounding_box()
        assert board is not None
        assert button is not None
        assert board["y"] + board["height"] <= button["y"]
        assert button["y"] + button["height"] <= 740


def luminance(colour: str) -> float:
    """The relative luminance of ``rgb(…)``: WCAG 2.2, https://www.w3.org/TR/WCAG22/."""
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_light_and_dark(visit: Visit) -> None:
    colours = """(selector) => {
      const style = getComputedStyle(document.querySelector(selector));
      return [style.color, style.backgroundColor];
    }"""
    pages = {}
    for scheme in ("light", "dark"):
        page = visit.open(color_scheme=scheme)
        pages[scheme] = page.evaluate(colours, "html")
        text, background = pages[scheme]
        assert contrast(text, background) > 7
        quiet = page.evaluate(colours, ".number")[0]
        assert contrast(quiet, background) > 4.5
        for kind in (".card:not(.moving)", ".card.red:not(.moving)", ".card.moving"):
            face, paper = page.evaluate(colours, f"{kind} > span")
            assert contrast(face, paper) > 4.5, (scheme, kind)
        mark = page.evaluate(colours, ".head.source")[0]
        table = page.evaluate(colours, "#board")[1]
        assert contrast(mark, table) > 4.5
    assert luminance(pages["light"][1]) > 0.8
    assert luminance(pages["dark"][1]) < 0.05


def test_motion(visit: Visit) -> None:
    duration = "getComputedStyle(document.querySelector('.card')).transitionDuration"
    assert visit.open(reduced_motion="no-preference").evaluate(duration).startswith("0.35s")
    assert visit.open().evaluate(duration) == "0s"


def arrives(page: Page, position: Position) -> bool:
    """Whether the cards come to lie so within some seconds."""
    until = monotonic() + 20
    while columns_seen(page) != position.columns:
        if monotonic() > until:
            return False
    return True


def test_moving_cards_arrive(visit: Visit) -> None:
    page = visit.open(reduced_motion="no-preference", place="#91")
    positions = positions_of(KPAT_72, WON)
    page.keyboard.press("ArrowRight")
    assert arrives(page, positions[92])
    page.keyboard.press("ArrowLeft")
    assert arrives(page, positions[91])


def test_for_a_screen_reader(visit: Visit) -> None:
    page = visit.open()
    status = page.get_by_role("status")
    assert status.get_attribute("aria-live") == "polite"
    before = status.inner_text()
    page.keyboard.press("ArrowRight")
    assert status.inner_text() != before
    board = page.get_by_role("img", name="The board")
    described = board.get_attribute("aria-describedby")
    assert "column 1: " in str(page.locator(f"#{described}").text_content())
    for name in ("First board", "Previous", "Play", "Next", "Last board"):
        assert page.get_by_role("button", name=name, exact=True).count() == 1
    page.keyboard.press("End")
    assert page.get_by_role("img", name="hearts").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("heading").all_inner_texts() == ["kpat:72 (4 suits)", "Moves"]
    assert page.get_by_role("slider").get_attribute("aria-valuetext") == "93 of 93"


def test_without_javascript_the_moves_can_be_read(visit: Visit) -> None:
    page = visit.open(java_script_enabled=False)
    assert not page.locator("#board").is_visible()
    assert "The board needs JavaScript" in page.locator("noscript").inner_text()
    assert spoken.write(KPAT_72.position).strip() in page.locator("noscript").inner_text()
    assert page.locator("ol button").count() == LAST


def test_without_a_line(visit: Visit) -> None:
    page = visit.open(KPAT_72, SolveResult(Verdict.UNWINNABLE, 500, 0, 0, 500, (), None, 1, 0.5))
    assert columns_seen(page) == KPAT_72.position.columns
    assert "No moves to show" in page.get_by_role("status").inner_text()
    assert not page.locator(".controls").is_visible()
    assert not page.locator(".moves").is_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert columns_seen(page) == KPAT_72.position.columns


def test_a_deal_that_cannot_be_won(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "lost").write_text(LOST_BUT_FOR_A_RUN, encoding="ascii")
    file = tmp_path / "lost.html"
    assert run("solve", str(tmp_path / "lost"), "--html", str(file)).exit_code == 1
    page = visit.open_file(file)
    assert "This position cannot be won." in page.locator("header").inner_text()
    page.get_by_role("button", name="Next").click()
    assert "The line ends here" in page.get_by_role("status").inner_text()
    assert columns_seen(page)[0] == columns_seen(page)[9][1:] == ()
    assert page.locator("#removed svg").count() == 1


def test_names_run_nothing(visit: Visit) -> None:
    name = "</script><script>window.run = 1</script><img src=x onerror='window.run = 1'>"
    page = visit.open(Deal(name, KPAT_72.position))
    assert page.title() == f"{name}: winnable, 807 (proven best) – Simple Simon"
    assert page.locator("h1").inner_text() == f"{name} (4 suits)"
    assert page.evaluate("window.run === undefined")


@pytest.mark.parametrize("deal", ["SS1-S4-AAAAABD", "SS1-S2-AAAAABD", "SS1-S1-AAAAABD"])
def test_what_solve_writes(deal: str, visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "solved.html"
    answer = run("solve", deal, "--first", "--html", str(file))
    assert answer.exit_code == 0
    page = visit.open_file(file)
    assert columns_seen(page) == read_deal(deal).position.columns
    page.keyboard.press("End")
    assert columns_seen(page) == ((),) * 10
    assert "The table is empty: won" in page.get_by_role("status").inner_text()
    assert page.locator("#removed svg").count() == 4
