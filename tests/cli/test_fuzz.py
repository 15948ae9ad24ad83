"""Malformed input of many kinds: exit code 2, one line on standard error, never a traceback."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

import pytest

from simon_solver.game.codes import parse_code
from simon_solver.game.deal import Deal
from simon_solver.game.numbered import parse_number
from simon_solver.game.rules import replay
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.formats import columns, spoken
from simon_solver.render.boards import TARGETS, converted
from simon_solver.render.moves import move_lines
from simon_solver.render.notation import Notation, Speech
from simon_solver.render.records import step_record
from simon_solver.render.style import Style
from tests.support.cli import StandInSolver, error_line, run
from tests.support.deals import DATA

DEAL = parse_code("SS1-S4-AAAAABD").deal()
CASES = 40
MUTATED = 500

OLD_KPAT = (DATA / "samples/ms72_start_legacy.xml").read_text("ascii")
PLAYED_KPAT = (DATA / "samples/ms72_20moves.kpat").read_text("ascii")
# Of every format one board that would do, were not one of its cards another one.
SPOILT = {
    **{name: converted(Deal("x", DEAL, 7), name) for name in TARGETS},
    "kpat of KDE 4": OLD_KPAT,
    "kpat with moves": PLAYED_KPAT,
}
SPOILT = {
    name: text.replace("5H", "5S")
    .replace("5 of hearts", "5 of spades")
    .replace('suit="hearts" rank="five"', 'suit="spades" rank="five"')
    .replace('id="1245701"', 'id="1245957"')
    .replace('suit="1" value="4"', 'suit="2" value="4"')
    for name, text in SPOILT.items()
}
SCRAPS = [
    *(
        " ",
        "\n",
        "\n\n",
        "\t",
        ",",
        ":",
        ";",
        ".",
        '"',
        "'",
        "#",
        "<",
        ">",
        "</",
        "/>",
        "&",
        "&#0;",
    ),
    *("[", "]", "{", "}", "[[", "{}", "null", "-1", "1e999", "\\", "\\u12", "<!--", "]]>", "\x00"),
    *("5H", "AS", "10", "1", "T", "H-K", "Foundations:", "column 3:", "ace of spades", "of", "♠"),
    *(
        "<card/>",
        "<state>",
        "</state>",
        "<move>",
        'pile="store3"',
        'current="true"',
        "\ufeff",
        "\x85",
    ),
    *("<!DOCTYPE kpat>", "<!DOCTYPE kpat [", "<!ENTITY a 'b'>", "&a;", "kpat:72", "SS1-S4-AAAAABD"),
    *('"columns"', '"tableau piles"', '"foundations": ["AC"],', "2 runs removed", "9" * 5000),
]


def bad_code(rng: Random) -> str:
    """A code with one character replaced by one that fits nowhere, or too short or long."""
    code = "SS1-S4-AAAAABD"
    place = rng.randrange(len(code))
    kind = rng.randrange(3)
    if kind == 0:
        return code[:place] + rng.choice("!?%.,35é \t0") + code[place + 1 :]
    return code[:place] + code[place + 1 :] if kind == 1 else code + rng.choice("ABC")


def bad_number(rng: Random) -> str:
    """A numbered deal of no program, or with a number it does not have."""
    program = rng.choice(["kpat", "ms", "pysol", "kpta", "x", "fc"])
    number = rng.choice(["", "0", "-1", "1.5", "1e3", "0x10", "one", "9" * 400, "1 2", "½", "٣"])
    return f"{program}:{number}"


def bad_board(rng: Random) -> bytes:
    """A board with a wrong card, and more lost, doubled, misspelled or put between."""
    text = columns.write(DEAL) if rng.random() < 0.5 else spoken.write(DEAL)
    words = text.replace("5H", "5S").replace("5 of hearts", "5 of spades").split(" ")
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(words))
        kind = rng.randrange(4)
        if kind == 0:
            words[place] = rng.choice(["1H", "XX", "7", "♠", "10", "0", "of", "𝔸♠", "--", "7H7H"])
        elif kind == 1:
            del words[place]
        elif kind == 2:
            words.insert(place, rng.choice(words))
        else:
            words.insert(place, rng.choice(["7H", "ace", "column", "Foundations:", "H-9", "\n\n"]))
    return " ".join(words).encode()


def bad_bytes(rng: Random) -> bytes:
    """Bytes that are no text, or text that is no deal."""
    kind = rng.randrange(3)
    if kind == 0:
        return rng.randbytes(rng.randint(1, 2000)) + b"\xff"
    if kind == 1:
        return "".join(chr(rng.randrange(32, 0x2FF)) for _ in range(rng.randint(1, 300))).encode()
    return b"\0" * rng.randint(1, 2000)


def bad_moves(rng: Random) -> str:
    """A move list that starts well and holds a move that is illegal or no move."""
    bad = ["9>9", "1>2:3", "11>1", "1>0", "0>1", "1>>2", "a>b", "1>2:0", "1>2:99", "1>2:", "1-2"]
    return " ".join(["9>10", *rng.sample(["7>9", "6>7", *bad], rng.randint(0, 2)), rng.choice(bad)])


def mutated(rng: Random, text: str) -> bytes:
    """The text with a few of its bytes or parts lost, doubled, exchanged, or others put between."""
    data = text.encode()
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        near = min(end, start + rng.randint(1, 12))
        kind = rng.randrange(7)
        if kind == 0:
            data = data[:start] + data[near:]
        elif kind == 1:
            data = data[:start] + rng.choice(SCRAPS).encode() + data[start:]
        elif kind == 2:
            data = data[:start] + rng.choice(SCRAPS).encode() + data[near:]
        elif kind == 3:
            data = data[:near] + data[start:]
        elif kind == 4:
            data = data[:start] + bytes([rng.randrange(256)]) + data[start + 1 :]
        elif kind == 5:
            data = data[:end] if rng.random() < 0.5 else data[start:]
        else:
            data = data[:start] + data[near:end] + data[start:near] + data[end:]
    return data


@pytest.mark.slow
@pytest.mark.parametrize("name", SPOILT)
def test_mutated_boards(name: str, solver: StandInSolver) -> None:
    rng = Random(name)
    commands = [["show"], ["convert", "--to", "json"], ["check"], ["solve"], ["verify", "1>2"]]
    started = time.process_time()
    for case in range(MUTATED):
        data = mutated(rng, SPOILT[name]) if case else SPOILT[name].encode()
        command = commands[case % len(commands)]
        result = run(command[0], "-", *command[1:], stdin=data)
        assert result.exit_code == 2, (data, result.output)
        assert result.stdout == ""
        assert len(error_line(result)) < 700
    assert solver.calls == []
    assert time.process_time() - started < 60


@pytest.mark.parametrize("case", range(CASES))
@pytest.mark.parametrize("command", ["solve", "show", "check"])
def test_malformed_deals(
    command: str, case: int, solver: StandInSolver, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    makers: list[Callable[[Random], str | bytes]] = [bad_code, bad_number, bad_board, bad_bytes]
    made = makers[case % 4](Random(case))
    stdin = made if isinstance(made, bytes) else None
    result = run(command, "-" if isinstance(made, bytes) else made, stdin=stdin)
    assert solver.calls == [], made
    assert result.exit_code == 2, (made, result.output)
    assert result.stdout == ""
    assert len(error_line(result)) < 700


@pytest.mark.parametrize("case", range(CASES))
@pytest.mark.parametrize("command", ["verify", "show"])
def test_malformed_moves(command: str, case: int) -> None:
    moves = bad_moves(Random(case))
    arguments = ["verify", "SS1-S4-AAAAABD", moves]
    if command == "show":
        arguments = ["show", "SS1-S4-AAAAABD", "--after", moves]
    result = run(*arguments)
    assert result.exit_code == 2, (moves, result.output)
    # Of moves that can be read but not played, `verify` draws the board before the wrong one.
    assert result.stdout == "" or (command == "verify" and "outcome  illegal\n" in result.stdout)
    error_line(result)


WIN = "ms72_win93_from_to_count.txt"
SOLUTIONS = {
    "moves": ("kpat:72", WIN),
    "fc-solve -m": ("ms:24", "ms24_fcsolve_m.txt"),
    "fc-solve -m -snx": ("ms:24", "ms24_fcsolve_m_snx.txt"),
    "fc-solve -m -sn": ("ms:183", "ms183_fcsolve_m_sn.txt"),
    "fc-solve -sam": ("ms:116", "ms116_fcsolve_sam.txt"),
    "fc-solve -sam -p -t -snx": ("ms:116", "ms116_fcsolve_p_t_sam_snx.txt"),
    "json": ("kpat:72", ""),
    "listing": ("kpat:72", ""),
    "spoken": ("kpat:72", ""),
}
"""The deal and the sample of each form; those without one are made from the move list."""


def solution_text(form: str) -> str:
    """A solution in that form."""
    _, name = SOLUTIONS[form]
    if name:
        return (DATA / "samples" / name).read_text(encoding="ascii")
    start = parse_number("kpat:72").deal()
    steps, _ = replay(start, read_moves(str(DATA / "samples" / WIN)))
    if form == "json":
        return json.dumps({"deal": "kpat:72", "solution": list(map(step_record, steps))})
    notation = Notation.SPOKEN if form == "spoken" else Notation.SIMON
    return "\n".join(move_lines(start, steps, 0, Style(), Speech(notation, mixed_runs=True)))


def with_slips(rng: Random, text: str) -> str:
    """The text with one to three slips: characters, digits, stretches or lines."""
    for _ in range(rng.randint(1, 3)):
        place, other = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)
        lines = text.split("\n")
        row = rng.randrange(len(lines))
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:place] + rng.choice("0123456789:>vhKQ#{}[]\"', \n\t-=é\v") + text[place:]
        elif kind == 1:
            text = text[:place] + text[place + rng.randint(1, 4) :]
        elif kind == 2:
            text = text[:place] + text[other : other + rng.randint(1, 200)] + text[place:]
        elif kind == 3:
            digits = [index for index, char in enumerate(text) if char.isdigit()] or [0]
            place = rng.choice(digits)
            text = text[:place] + rng.choice("0123456789") + text[place + 1 :]
        elif kind == 4:
            text = "\n".join(lines[:row] + lines[row + 1 :])
        else:
            rng.shuffle(lines)
            text = "\n".join(lines[: row + 1])
    return text


@pytest.mark.slow
@pytest.mark.parametrize("form", SOLUTIONS)
def test_mutated_solutions(form: str) -> None:
    deal, _ = SOLUTIONS[form]
    text = solution_text(form)
    outcomes = Counter[int]()
    started = process_time()
    for case in range(500):
        changed = with_slips(Random(case), text)
        result = run("verify", deal, "-", stdin=changed.encode())
        outcomes[result.exit_code] += 1
        assert result.exit_code in (0, 1, 2), (case, result.output)
        if result.exit_code == 2:
            assert len(error_line(result)) < 700
            assert result.stdout == "" or "\noutcome  illegal\n" in result.stdout
        else:
            assert result.stderr == ""
            assert "\noutcome  legal, " in result.stdout
    # Whatever else a slip may do, it mostly leaves no win.
    assert outcomes[2] > 200
    assert process_time() - started < 60
