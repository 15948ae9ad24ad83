"""The README and the manual taken apart: pages, sections, code blocks, tables, examples, links."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner, Result

from simon_solver.cli.main import cli

TOP = Path(__file__).parent.parent.parent
DOCS = TOP / "docs"
COMMANDS = cli.commands
MOVE_LINE = re.compile(r" *\d+\. \d+>\d+:\d+ +\S.*  \d+(?:  run of [♠♥♦♣] removed \(\d\))?")


def text_of(name: str) -> str:
    """The content of a file, named from the top folder."""
    return (TOP / name).read_text(encoding="utf-8")


def page(name: str) -> str:
    """A page of the manual, such as ``commands/solve``."""
    return text_of(f"docs/{name}.md")


def pages() -> dict[str, str]:
    """All pages of the manual by name."""
    names = (file.relative_to(DOCS).with_suffix("") for file in sorted(DOCS.rglob("*.md")))
    return {name.as_posix(): page(name.as_posix()) for name in names}


def in_one_line(text: str) -> str:
    """The text with a blank in place of each line end and indent."""
    return " ".join(text.split())


def section(text: str, title: str) -> str:
    """The text under a heading, up to the next heading of the same or a higher level."""
    match = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    assert match, f"no section {title}"
    rest = text[match.end() :]
    end = re.search(rf"^#{{1,{len(match[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def table(text: str) -> list[list[str]]:
    """Rows of the first table, without its head."""
    first = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert first, "no table"
    return [
        [cell.strip() for cell in row.strip("|").split("|")] for row in first[0].splitlines()[2:]
    ]


def program_calls(text: str) -> list[list[str]]:
    """Arguments of every `simon-solver` in the shell examples."""
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    calls = [re.search(r"(?:^|[|&/] ?)simon-solver (.*)$", line) for line in lines]
    return [shlex.split(call[1], comments=True) for call in calls if call]


def module_calls(text: str) -> list[list[str]]:
    """Every `python -m` in the shell examples: the module and its arguments."""
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    calls = [re.search(r"\.venv/bin/python -m (.*)$", line) for line in lines]
    return [shlex.split(call[1], comments=True) for call in calls if call]


def unknown_options(call: list[str]) -> set[str]:
    """The options of an example that its command does not have."""
    options = {name for p in COMMANDS[call[0]].params for name in (*p.opts, *p.secondary_opts)}
    words = (word.partition("=")[0].partition("|")[0] for word in call[1:])
    return {word for word in words if word.startswith("--")} - options


def run(call: list[str], typed: str | None = None) -> Result:
    """The program, run with these arguments."""
    return CliRunner().invoke(cli, call, input=typed)


def shortened(told: str) -> str:
    """A pattern for a text in which dots stand for anything, whole lines or parts of one."""
    return re.escape(told).replace(re.escape("..."), "(?:.*\n)*?.*")


def check_solution(told: str, output: str) -> None:
    """Compare a shortened solution with what `solve` prints.

    Another search may find other moves, but none can find a better score.
    """
    head, moves = told.split("\n\n")
    assert output.startswith(head)
    heading, *lines, last = moves.splitlines()
    assert {heading, last} <= set(output.splitlines())
    assert len(lines) >= 5
    assert [line for line in lines if not MOVE_LINE.fullmatch(line)] == ["..."]


def check_python(example: str, name: str) -> int:
    """Run the Python example; returns how many of its lines were tried."""
    test = doctest.DocTestParser().get_doctest(example, {}, name, name, 0)
    report: list[str] = []
    results = doctest.DocTestRunner().run(test, out=report.append)
    assert not results.failed, "".join(report)
    return results.attempted


def anchors(text: str) -> set[str]:
    """The anchors of a page: its headings, as the site names them, and those it sets itself."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    slugs = (re.sub(r"[^\w\s-]", "", title).strip().lower() for title in titles)
    own = re.findall(r'<a id="([^"]+)"></a>', prose)
    return {*own, *(re.sub(r"[-\s]+", "-", slug) for slug in slugs)}


def dead_links(file: Path) -> Iterator[str]:
    """The links of a Markdown file that lead nowhere; addresses of other sites are not tried."""
    text = file.read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        target, _, anchor = link.partition("#")
        if target.startswith("https://"):
            continue
        there = file.parent / target if target else file
        if not there.is_file() or (
            anchor and anchor not in anchors(there.read_text(encoding="utf-8"))
        ):
            yield link
