"""``convert``: every format by its own reader again, what cannot be expressed, moves made."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simon_solver.errors import FormatError
from simon_solver.game.codes import parse_code
from simon_solver.game.deal import Deal
from simon_solver.game.layout import DECKS
from simon_solver.game.position import Position
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.reading.formats import columns, kpat, record, solvitaire, spoken
from simon_solver.reading.formats.known import format_of
from simon_solver.render.boards import TARGETS, converted
from tests.support.cli import error_line, run
from tests.support.deals import DATA, random_walk
from tests.support.strategies import positions

SAMPLES = DATA / "samples"
LATE = SAMPLES / "ms72_after75_1run.kpat"
FORMATS = {
    "cards": columns,
    "fc-solve": columns,
    "solvitaire": solvitaire,
    "spoken": spoken,
    "kpat": kpat,
    "json": record,
}
FOUR_SUITS_ONLY = {"fc-solve", "solvitaire", "kpat"}


def assert_round_trip(deal: Deal, target: str) -> None:
    """The text is in its format and no other, and is read as the same position."""
    text = converted(deal, target)
    assert format_of(text) is FORMATS[target]
    again = parse_deal(text)
    assert again.position == deal.position
    assert again.moves_made == (deal.moves_made if target == "json" else 0)


@pytest.mark.parametrize("target", TARGETS)
@settings(deadline=None)
@given(position=positions(), moves=st.integers(0, 500))
def test_round_trips(target: str, position: Position, moves: int) -> None:
    deal = Deal("x", position, moves)
    if target in FOUR_SUITS_ONLY and position.deck != DECKS[4]:
        with pytest.raises(FormatError, match=" supports only four suits, but this deal has "):
            converted(deal, target)
    elif target == "fc-solve" and max(map(len, position.columns)) > 20:
        with pytest.raises(FormatError, match=r"^fc-solve takes at most 20 cards in a column, "):
            converted(deal, target)
    else:
        assert_round_trip(deal, target)


@pytest.mark.parametrize("suits", [1, 2, 4])
def test_round_trips_of_positions_in_play(suits: int) -> None:
    rng = Random(suits)
    for number in range(20):
        start = parse_code(f"SS1-S{suits}-AAAAA{chr(65 + number)}A").deal()
        for moves, position in enumerate(random_walk(rng, start, 40)):
            if moves % 10 == 0:
                for target in TARGETS:
                    if suits == 4 or target not in FOUR_SUITS_ONLY:
                        assert_round_trip(Deal("x", position, moves), target)


def test_every_format_is_written_and_read() -> None:
    assert list(TARGETS) == list(FORMATS)
    wanted = run("show", str(LATE), "--format", "json").stdout
    for target in TARGETS:
        result = run("convert", str(LATE), "--to", target)
        assert (result.exit_code, result.stderr) == (0, "")
        again = json.loads(run("show", "-", "--format", "json", stdin=result.stdout).stdout)
        told = json.loads(wanted)
        assert again["columns"] == told["columns"]
        assert again["removed"] == told["removed"] == "C"
        assert again["moves"] == (75 if target == "json" else 0)
    assert run("convert", str(LATE), "--to", "json").stdout == wanted


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("ms72.board", "cards"),
        ("ms72.board", "fc-solve"),
        ("ms72.solvitaire.json", "solvitaire"),
        ("ms72_start.kpat", "kpat"),
    ],
)
def test_what_is_written_is_what_the_programs_write(name: str, target: str) -> None:
    result = run("convert", "kpat:72", "--to", target)
    assert result.stdout == (SAMPLES / name).read_text(encoding="ascii")


def test_the_export_of_pysolfc() -> None:
    export = (SAMPLES / "ms72_after75_1run_pysolfc_export.board").read_text(encoding="ascii")
    assert run("convert", str(LATE), "--to", "cards").stdout.replace("Foundations", "Founds") == (
        export
    )


def test_empty_columns_at_the_end_are_lines() -> None:
    position = Position(DECKS[4], (DECKS[4].cards[::-1][:50], DECKS[4].cards[:2], *[()] * 8))
    text = converted(Deal("", position), "cards")
    result = run("convert", "-", "--to", "cards", stdin=text)
    assert result.stdout == text
    assert len(text.splitlines()) == 10 + bool(position.removed)


@pytest.mark.parametrize(
    ("deal", "number"),
    [
        ("kpat:2147483647", 2147483647),
        ("ms:2147483647", 2147483647),
        ("ms:2147483648", 0),
        ("pysol:31999", 31999),
        ("pysol:32000", 0),
        ("SS1-S4-AAAAABD", 0),
        (str(LATE), 0),
    ],
)
def test_numbers_of_kpat(deal: str, number: int) -> None:
    head = run("convert", deal, "--to", "kpat").stdout.splitlines()[1]
    assert head == f'<kpat-game game-type="simplesimon" deal-number="{number}">'


def test_after_and_moves_made() -> None:
    arguments = ["kpat:72", "--after", "10>1 6>8:2", "--moves-made", "3"]
    record_ = json.loads(run("convert", *arguments, "--to", "json").stdout)
    assert record_["moves"] == 5
    text = run("convert", *arguments, "--to", "solvitaire").stdout
    shown = json.loads(run("show", "-", "--format", "json", stdin=text).stdout)
    assert shown["columns"] == record_["columns"]
    assert shown["moves"] == 0


def test_moves_made_of_a_saved_game_count() -> None:
    for command in (["show", str(LATE)], ["verify", str(LATE), "# none"]):
        for more in (0, 10):
            result = run(*command, "--format", "json", "--moves-made", str(more))
            told = json.loads(result.stdout)
            assert (told["moves"], told["score"]) == (75 + more, 525 - more)
    assert read_deal(str(LATE)).moves_made == 75


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["SS1-S1-AAAAABD", "--to", "fc-solve"], "fc-solve supports only four suits, but this"),
        (["SS1-S2-AAAAABD", "--to", "solvitaire"], "Solvitaire supports only four suits, but this"),
        (["SS1-S2-AAAAABD", "--to", "kpat"], "KPat supports only four suits, but this deal has "),
        (["kpat:72"], "Missing option '--to'"),
        (["kpat:72", "--to", "xml"], "Invalid value for '--to': 'xml' is not one of "),
        (["--to", "cards"], "Missing argument 'DEAL'"),
        (["nowhere", "--to", "cards"], "no such deal or file: "),
        (["kpat:72", "--to", "cards", "--after", "1>1"], "--after: move 1: it goes from column 1 "),
    ],
)  # fmt: skip
def test_errors(arguments: list[str], message: str, tmp_path: Path,
                monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    result = run("convert", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert error_line(result).startswith(message)
