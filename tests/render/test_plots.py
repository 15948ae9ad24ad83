"""Pictures of win rates: what is drawn, how it reads without colour, and the files."""

from __future__ import annotations

import logging
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from simon_solver.batch.store import Counts
from simon_solver.batch.summary import BestScores, Summary, wilson
from simon_solver.errors import InputError
from simon_solver.game.layout import COLUMN_SIZES
from simon_solver.render import plots
from simon_solver.render.plots import check_plot, rates_figure, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

pytestmark = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is an extra")

WON = {60: 2, 61: 3, 64: 1}
LOST = {500: 3, 593: 1}
CUT = "does not start at 0"


def summary_of(
    suits: int, winnable: int, lost: int = 0, undetermined: int = 0, best: BestScores | None = None
) -> Summary:
    """A summary of so many deals of each kind."""
    deals, decided = winnable + lost + undetermined, winnable + lost
    interval = None
    if deals:
        interval = wilson(winnable, deals)[0], wilson(winnable + undetermined, deals)[1]
    return Summary(
        suits=suits,
        column_sizes=COLUMN_SIZES,
        start=f"SS1-S{suits}-AAAAABD",
        counts=Counts(deals, winnable, lost, undetermined, undetermined, 0, 29),
        win_rate=winnable / decided if decided else None,
        win_rate_interval=interval,
        cpu_seconds=None,
        states=None,
        best=best,
        versions=("0.0.7",),
    )


def best_of(won: dict[int, int], lost: dict[int, int], unproven: int = 0) -> BestScores:
    """Wins by their moves, and other deals by their scores."""
    scores = {**lost, **{900 - moves: count for moves, count in won.items()}}
    return BestScores(sum(scores.values()), unproven, dict(sorted(scores.items())), won)


def intervals(axes: Axes) -> list[tuple[float, float | None, float]]:
    """The low end, the mark and the high end of every error bar."""
    found = []
    for container in axes.containers:
        mark, _, (bar,) = container.lines  # type: ignore[attr-defined]
        ((low, _), (high, _)) = bar.get_segments()[0]
        found.append((low, None if mark is None else float(mark.get_xdata()[0]), high))
    return found


def bars(axes: Axes) -> dict[float, float]:
    """Heights of the bars that are not empty, by their middles."""
    shown = [bar for bar in rectangles(axes) if bar.get_height()]
    return {round(bar.get_x() + bar.get_width() / 2, 6): bar.get_height() for bar in shown}


def rectangles(axes: Axes) -> list[Rectangle]:
    """The bars of a histogram."""
    from matplotlib.patches import Rectangle

    return [patch for patch in axes.patches if isinstance(patch, Rectangle)]


def texts(figure: Figure) -> str:
    """All that is written in a picture, once it is laid out."""
    from matplotlib.text import Text

    found: list[Any] = figure.findobj(Text)
    return "\n".join(dict.fromkeys(text.get_text() for text in found))


def drawn(figure: Figure) -> Any:
    """The renderer, after all has its final place."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    for axes in figure.axes:
        axes.set_in_layout(True)  # as places are fixed, nothing asks for their size any more
    return canvas.get_renderer()


ALL = [
    summary_of(1, 968, 32, best=best_of({47: 4, 50: 2}, {}, 994)),
    summary_of(2, 956, 41, 3, best=best_of({52: 3}, {500: 1}, 996)),
    summary_of(4, 948, 52, best=best_of(WON, LOST, 990)),
]
CASES = {
    "one": ALL[2:],
    "two": ALL[1:],
    "three": ALL,
    "verdicts": [summary_of(1, 968, 32), summary_of(4, 948, 52)],
    "undetermined": [summary_of(4, 0, 0, 500)],
    "nothing": [summary_of(2, 0), summary_of(4, 0, 0, 0, best_of({}, {}))],
    "another layout": [replace(known, column_sizes=(10,) * 5 + (2, 0)) for known in ALL],
    "many": [summary_of(suits, 9_480_000, 520_000, 1000) for suits in (1, 2, 4)],
    "one deal": [summary_of(4, 1, best=best_of({61: 1}, {}))],
    "lost": [summary_of(4, 0, 1, best=best_of({}, {500: 1}))],
    "far apart": [summary_of(1, 9, 1, best=best_of({40: 5, 240: 4}, {500: 1}))],
}


def test_the_title_tells_another_layout() -> None:
    (summary,) = CASES["one"]
    assert "columns of" not in texts(rates_figure([summary]))
    eight = replace(summary, column_sizes=(7, 7, 7, 7, 6, 6, 6, 6))
    told = texts(rates_figure([eight, eight]))
    assert "Simple Simon: win rates and best scores\ncolumns of 7 7 7 7 6 6 6 6\n" in told


def test_intervals_are_those_of_the_summaries() -> None:
    (rates, *_) = rates_figure(ALL).axes
    assert rates.get_ylim() == (2.5, -0.5)  # the first at the top
    for summary, (low, mark, high) in zip(ALL, intervals(rates), strict=True):
        assert summary.win_rate_interval is not None
        assert summary.win_rate is not None
        wanted = [100 * end for end in (*summary.win_rate_interval, summary.win_rate)]
        assert [low, high, mark] == pytest.approx(wanted)
    labels = [label.get_text() for label in rates.get_yticklabels()]
    assert labels == [
        "1 suit, 1,000 deals\nfrom SS1-S1-AAAAABD on",
        "2 suits, 1,000 deals\nfrom SS1-S2-AAAAABD on\n3 undetermined",
        "4 suits, 1,000 deals\nfrom SS1-S4-AAAAABD on",
    ]
    assert "95.89 %\n94.14 to 96.96 %" in texts(rates_figure(ALL))


def test_bars_are_those_of_the_summaries() -> None:
    figure = rates_figure(ALL)
    _, one, two, four = figure.axes
    assert bars(one) == {853: 4, 850: 2}
    edge = 835.5  # of the lowest score of all
    apart = round(edge - 0.13 * (853 - 836 + 1), 6)
    assert bars(two) == {848: 3, apart: 1}
    assert bars(four) == {840: 2, 839: 3, 836: 1, apart: 4}
    assert [text.get_text() for text in four.texts] == ["500–593"]
    assert [text.get_text() for text in two.texts] == ["500"]
    assert one.get_xlim() == two.get_xlim() == four.get_xlim()
    assert [axes.get_title(loc="left") for axes in (one, four)] == [
        "1 suit: best scores of 1,000 deals, 6 proven",
        "4 suits: best scores of 1,000 deals, 10 proven",
    ]
    drawn(figure)
    assert "no win" in [label.get_text() for label in four.get_xticklabels()]


def test_wide_bins_hold_all_deals() -> None:
    won = {moves: moves % 7 for moves in range(50, 180)}
    figure = rates_figure([summary_of(2, 1000, best=best_of(won, {}))])
    rates, scores = figure.axes
    assert "bins of 5 points" in scores.get_xlabel()
    edges = {bar.get_x(): bar.get_height() for bar in rectangles(scores)}
    assert sum(edges.values()) == sum(won.values())
    for left, height in edges.items():
        inside = range(int(left + 0.5), int(left + 5.5))
        assert height == sum(won.get(900 - score, 0) for score in inside)
    assert rates.get_xlabel().startswith("win rate in % of decided deals")


@pytest.mark.parametrize("name", CASES)
def test_each_picture_has_its_panels_and_nothing_is_cut_off(name: str) -> None:
    summaries = CASES[name]
    figure = rates_figure(summaries)
    proven = [s for s in summaries if s.best is not None and s.best.proven]
    assert len(figure.axes) == 1 + len(proven)
    assert ("best scores" in texts(figure)) == bool(proven)
    renderer = drawn(figure)
    whole = figure.bbox
    tight = figure.get_tightbbox(renderer)
    assert tight.x0 >= 0
    assert tight.y0 >= 0
    assert tight.x1 <= whole.width / figure.dpi  # inches
    assert tight.y1 <= whole.height / figure.dpi
    for upper, lower in pairwise(figure.axes):
        above, below = upper.get_tightbbox(renderer), lower.get_tightbbox(renderer)
        assert above is not None
        assert below is not None
        assert above.y0 >= below.y1
    for axes in figure.axes:
        labels = [label for label in axes.get_xticklabels() if label.get_text()]
        boxes = sorted((label.get_window_extent(renderer) for label in labels), key=lambda b: b.x0)
        if axes.xaxis.get_tick_params()["labelbottom"]:
            assert all(a.x1 < b.x0 for a, b in pairwise(boxes))
        written = (*labels, *axes.get_yticklabels(), *axes.texts)
        assert min(float(text.get_fontsize()) for text in written) >= 9


@pytest.mark.parametrize("deals", [1_000, 10_000_000])
@pytest.mark.parametrize("rates", [(0.97, 0.955, 0.94), (0.95,)])
def test_intervals_can_be_seen(deals: int, rates: tuple[float, ...]) -> None:
    suits = (1, 2, 4)[: len(rates)]
    won = [round(rate * deals) for rate in rates]
    summaries = [summary_of(s, w, deals - w) for s, w in zip(suits, won, strict=True)]
    figure = rates_figure(summaries)
    drawn(figure)
    (axes,) = figure.axes
    assert CUT in axes.get_xlabel()
    shown = [label.get_text() for label in axes.get_xticklabels()]
    assert len(set(shown)) == len(shown) >= 3
    assert not any("+" in text for text in (*shown, axes.xaxis.get_offset_text().get_text()))
    for container in axes.containers:
        assert {end.get_markeredgewidth() for end in container.lines[1]} == {1}  # type: ignore[attr-defined]
    for low, _, high in intervals(axes):
        ends = axes.transData.transform([(low, 0), (high, 0)])[:, 0]
        assert 72 * (ends[1] - ends[0]) / figure.dpi >= 2  # points, between lines of one
    numbers = [label for label in texts(figure).splitlines() if " to " in label]
    assert all(len(set(label.removesuffix(" %").split(" to "))) == 2 for label in numbers)


def test_an_axis_from_0_says_nothing_of_a_cut() -> None:
    for name in ("undetermined", "nothing", "lost"):
        axes = rates_figure(CASES[name]).axes[0]
        assert CUT not in axes.get_xlabel()
        assert axes.get_xlim()[0] <= 0
        assert min(axes.get_xticks()) == 0
        assert max(axes.get_xticks()) <= 100


def test_what_is_not_known_has_no_mark() -> None:
    figure = rates_figure(CASES["undetermined"])
    assert intervals(figure.axes[0]) == [(0, None, 100)]
    assert "unknown\n0.00 to 100.00 %" in texts(figure)
    figure = rates_figure(CASES["nothing"])
    assert intervals(figure.axes[0]) == []
    assert "no deals" in texts(figure)


def test_suit_counts_differ_without_colour() -> None:
    rates, *scores = rates_figure(ALL).axes
    markers = [container.lines[0].get_marker() for container in rates.containers]  # type: ignore[attr-defined]
    hatches = [axes.patches[0].get_hatch() for axes in scores]
    assert len(set(markers)) == len(set(hatches)) == 3
    assert all(hatches)
    colours = [plots._LOOKS[suits].colour for suits in (1, 2, 4)]
    for red, green, blue in ([int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours):
        assert 0.3 * red + 0.59 * green + 0.11 * blue < 150  # dark enough on white


def test_the_caption_tells_what_the_marks_mean() -> None:
    told = texts(rates_figure(ALL))
    assert "Simple Simon: win rates and best scores" in told
    assert "95 % interval (Wilson)" in told
    assert "Solved by simon_solver 0.0.7." in told
    assert "No win" not in texts(rates_figure(CASES["verdicts"]))


def test_png(tmp_path: Path) -> None:
    file = tmp_path / "rates.PNG"
    write_plot(ALL, str(file))
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(data[i : i + 4], "big") for i in (16, 20))
    assert 1000 <= width <= 2000
    assert 1000 <= height <= 2000
    assert [path.name for path in tmp_path.iterdir()] == ["rates.PNG"]


def test_svg_is_the_same_every_time_and_has_its_text(tmp_path: Path) -> None:
    from matplotlib import rc_context

    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    write_plot(ALL, str(first))
    with rc_context({"font.size": 30, "svg.fonttype": "path", "axes.facecolor": "red"}):
        write_plot(ALL, str(second))  # whatever settings the user has
    assert first.read_bytes() == second.read_bytes()
    root = ElementTree.parse(first).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    told = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Simple Simon: win rates and best scores" in told
    assert "500–593" in told
    assert "dc:date" not in first.read_text(encoding="utf-8")


def test_svg_is_the_same_in_another_process(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from tests.render.test_plots import ALL\n"
        "from simon_solver.render.plots import write_plot\n"
        "assert 'matplotlib' not in sys.modules\n"
        "write_plot(ALL, sys.argv[1])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    file = tmp_path / "other.svg"
    command = [sys.executable, "-c", program, str(file)]
    run = subprocess.run(
        command,
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert run.stderr == b""
    write_plot(ALL, str(tmp_path / "own.svg"))
    assert file.read_bytes() == (tmp_path / "own.svg").read_bytes()


def test_what_is_there_stays_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    file = tmp_path / "rates.svg"
    file.write_text("precious", encoding="ascii")

    def savefig(_figure: Figure, path: Path, **_options: object) -> None:
        path.write_text("half", encoding="ascii")
        raise OSError("no space")

    monkeypatch.setattr(Figure, "savefig", savefig)
    with pytest.raises(OSError, match="no space"):
        write_plot(ALL, str(file))
    assert file.read_text(encoding="ascii") == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["rates.svg"]


def test_the_level_of_the_log_is_as_before(tmp_path: Path) -> None:
    logger = logging.getLogger("matplotlib")
    level = logger.level
    write_plot(CASES["verdicts"], str(tmp_path / "rates.svg"))
    assert logger.level == level
    with pytest.raises(InputError):
        check_plot(str(tmp_path / "rates.pdf"))
