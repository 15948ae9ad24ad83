"""Saved games of KPat in both forms: the present position, the moves made, faults and attacks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from simon_solver.errors import FormatError, InputError
from simon_solver.game.cards import CLUBS
from simon_solver.game.codes import parse_code
from simon_solver.game.layout import DECKS
from simon_solver.game.numbered import parse_number
from simon_solver.game.position import Position
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.reading.formats import kpat
from simon_solver.reading.formats.assembly import Game
from simon_solver.reading.formats.known import format_of, read_board, read_game
from simon_solver.text.xml_elements import DEEPEST, MOST_ELEMENTS
from tests.support.deals import DATA
from tests.support.strategies import positions

SAMPLES = DATA / "samples"


def sample(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="ascii")


START = sample("ms72_start.kpat")
PLAYED = sample("ms72_20moves.kpat")
UNDONE = sample("ms72_20moves_undone_to_8.kpat")
LATE = sample("ms72_after75_1run.kpat")
OLD_START = sample("ms72_start_legacy.xml")
OLD_LATE = sample("ms72_after75_1run_legacy.xml")
DEAL = parse_number("kpat:72").deal()
LATE_BOARD = read_board(sample("ms72_after75_1run_pysolfc_export.board"))


@given(positions(decks=[DECKS[4]]))
def test_round_trip(position: Position) -> None:
    text = kpat.write(position, 5)
    assert kpat.read(text) == position
    assert read_game(text) == Game(position, 0)


def test_what_kpat_saves_is_what_is_written() -> None:
    assert kpat.write(DEAL, 72) == START


@pytest.mark.parametrize(
    ("text", "position", "moves"),
    [
        (START, DEAL, 0),
        (OLD_START, DEAL, 0),
        (UNDONE, read_board(sample("ms72_after8.board")), 8),
        (LATE, LATE_BOARD, 75),
        (OLD_LATE, LATE_BOARD, 75),
    ],
    ids=["start", "old start", "undone", "late", "old late"],
)
def test_samples(text: str, position: Position, moves: int) -> None:
    assert read_game(text) == Game(position, moves)
    deal = parse_deal(text, "game.kpat")
    assert (deal.name, deal.position, deal.moves_made) == ("game.kpat", position, moves)


def test_the_last_state_is_current_where_none_is_marked() -> None:
    assert read_game(PLAYED.replace(' current="true"', "")) == read_game(PLAYED)
    assert read_game(PLAYED).moves_made == 20


def test_a_run_that_was_about_to_leave_is_removed() -> None:
    before, _, rest = LATE.rpartition('\t<state current="true">')
    assert rest.count('pile="target0"') == 1
    assert read_game(f"{before}</kpat-game>") == Game(LATE_BOARD, 75)
    undone = before[::-1].replace("<state>"[::-1], '<state current="true">'[::-1], 1)[::-1]
    assert read_game(f"{undone}\t<state>{rest}") == Game(LATE_BOARD, 75)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + LATE,
        "\n  " + LATE.partition("\n")[2],
        LATE.replace("\n", "\r\n"),
        LATE.replace("\n", "").replace("\t", ""),
        LATE.replace(' turn="face-up"', ""),
        LATE.replace('game-type="simplesimon"', "game-type='simplesimon' game-type-options=''"),
        LATE.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"'),
        LATE.replace("<state>", "<!-- a note: <!ENTITY x> --><state>", 1),
        LATE.replace("simplesimon", "simple&#115;imon"),
        LATE.replace("<?xml", "<!DOCTYPE kpat>\n<?xml").replace(
            '<?xml version="1.0" encoding="UTF-8"?>', ""
        ),
    ],
)
def test_variants(text: str) -> None:
    assert read_game(text) == Game(LATE_BOARD, 75)


def test_a_card_is_named_by_suit_and_rank_or_by_its_number() -> None:
    assert read_board(re.sub(r' id="\d+"', "", LATE)) == LATE_BOARD
    assert read_board(re.sub(r' suit="\w+" rank="\w+"', "", LATE)) == LATE_BOARD


def test_cards_are_put_between_others() -> None:
    move = (
        '<state><move pile="store9" position="0">'
        '<card suit="clubs" rank="six"/></move></state></kpat-game>'
    )
    start = START.replace(' current="true"', "")
    position = read_board(start.replace("</kpat-game>", move))
    assert position.columns[9] == (DEAL.columns[8][-1], *DEAL.columns[9])


def test_removed_runs_are_those_of_the_targets_in_their_order() -> None:
    assert LATE_BOARD.removed == (CLUBS,)
    up = OLD_LATE.split("\n")
    first = next(n for n, line in enumerate(up) if "<card" in line)
    up[first : first + 13] = up[first : first + 13][::-1]
    assert read_board("\n".join(up)) == LATE_BOARD


def test_decks_that_kpat_does_not_have() -> None:
    for suits, got in ((1, "only one"), (2, "2")):
        with pytest.raises(FormatError) as error:
            kpat.write(parse_code(f"SS1-S{suits}-AAAAABD").deal())
        assert str(error.value) == (f"KPat supports only four suits, but this deal has {got}")


FIRST_CARD = '<card id="0852228" suit="diamonds" rank="four" turn="face-up"/>'
READ_AS = " (read as a KPat saved game)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            START.replace("simplesimon", "freecell"),
            'line 2, column 1: expected a game of Simple Simon, game-type="simplesimon", '
            'got game-type="freecell"',
        ),
        (
            START.replace('game-type="simplesimon" ', ""),
            'line 2, column 1: expected a game of Simple Simon, game-type="simplesimon", '
            "got none in <kpat-game>",
        ),
        (
            OLD_START.replace('id="9"', 'id="3"'),
            'line 3, column 1: expected a game of Simple Simon, id="9", got id="3"',
        ),
        (
            OLD_START.replace('id="9" ', ""),
            "line 3, column 1: expected a whole number as 'id', got none in <dealer>",
        ),
        ("<?xml version='1.0'?>\n<svg/>", "line 2, column 1: expected <kpat-game> or <dealer>, go"),
        (START[:500], "line 10, column "),
        (START.replace("</state>", ""), "line 77, column 3: expected XML: mismatched tag"),
        (START.replace("kpat-game g", "kpat-game & g"), "line 2, column 12: expected XML: not wel"),
        ("<kpat-game game-type='simplesimon'/>", "line 1, column 1: expected a <state> in it, got"),
        (
            START.replace("<state ", "<stat ").replace("</state>", "</stat>"),
            "line 3, column 2: expected <state>, got <stat>",
        ),
        (START.replace("move", "mov"), "line 4, column 3: expected <move>, got <mov>"),
        (START.replace("<card", "<c", 1), "line 5, column 4: expected <card>, got <c>"),
        (
            START.replace("store0", "store10"),
            "line 4, column 3: expected a pile store0 to store9 or target0 to target3, got pile=",
        ),
        (
            START.replace('position="0"', 'position="1"', 1),
            'line 4, column 3: expected a position of at most 0, got position="1"',
        ),
        (
            START.replace('position="0"', 'position="-1"', 1),
            "line 4, column 3: expected a whole number as 'position', got position=\"-1\"",
        ),
        (
            START.replace('position="0"', 'position="' + "1" * 5000 + '"', 1),
            "line 4, column 3: expected a whole number as 'position', got position=\"111",
        ),
        (
            START.replace('rank="four"', 'rank="4"', 1),
            "line 5, column 4: expected a rank like 'ten', got rank=\"4\"",
        ),
        (
            START.replace('suit="diamonds"', 'suit="D"', 1),
            "line 5, column 4: expected a suit like 'hearts', got suit=\"D\"",
        ),
        (
            START.replace('suit="diamonds" ', "", 1),
            "line 5, column 4: expected a suit like 'hearts', got none in <card>",
        ),
        (
            START.replace('rank="four"', 'rank="five"', 1),
            'line 5, column 4: expected id="1114373" for 5D, got id="0852228"',
        ),
        (
            START.replace(FIRST_CARD, '<card id="15"/>'),
            'line 5, column 4: expected the number of a card, got id="15"',
        ),
        (
            START.replace(FIRST_CARD, "<card/>"),
            "line 5, column 4: expected a whole number as 'id', got none in <card>",
        ),
        (START.replace(FIRST_CARD, ""), "expected 52 cards, got 51; missing: 4D"),
        (
            START.replace(FIRST_CARD, FIRST_CARD * 2),
            "line 5, column 67: expected each card only once in a state, got 4D",
        ),
        (
            UNDONE.replace("<state>", '<state current="true">', 1),
            'line 114, column 2: expected only one current state, got current="true"',
        ),
        (
            LATE[::-1].replace('"0000001"'[::-1], '"0197377"'[::-1], 1)
            .replace('"clubs" rank="ace"'[::-1], '"spades" rank="ace"'[::-1], 1)[::-1],
            "line 538, column 4: expected a complete run from king to ace among the removed cards, "
            "got AS",
        ),
        (
            OLD_START.replace('index="5"', 'index="15"'),
            'line 12, column 2: expected a pile 1 to 14, got index="15"',
        ),
        (
            OLD_START.replace('index="6"', 'index="5"'),
            'line 22, column 2: expected each pile only once, got index="5"',
        ),
        (
            OLD_START.replace('suit="1"', 'suit="4"', 1),
            'line 13, column 3: expected a suit 0 to 3, got suit="4"',
        ),
        (
            OLD_START.replace('value="4"', 'value="14"', 1),
            'line 13, column 3: expected a value 1 to 13, got value="14"',
        ),
        (
            OLD_START.replace('value="4"', 'value="5"', 1),
            "expected 52 cards, got 52; missing: 4D; too many: 5D (5D: line 13, column 3; line ",
        ),
        (OLD_START.replace('moves="0"', 'moves="x"'), "line 3, column 1: expected a whole number "),
        (OLD_START.replace("pile", "pil"), "line 4, column 2: expected <pile>, got <pil>"),
        (
            OLD_LATE.replace('<card suit="0" value="13"', '<card suit="0" value="12"', 1),
            "line 5, column 3: expected a complete run from king to ace among the removed cards, ",
        ),
    ],
)  # fmt: skip
def test_faults_name_their_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read_board(text)
    assert str(error.value).startswith(message)
    assert str(error.value).endswith(READ_AS)


BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha"}">' for n in range(12))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"<!DOCTYPE kpat [{BOMB}]>\n{OLD_START[55:]}&a11;", "expected no document type"),
        (f"<?xml version='1.0'?><!DOCTYPE lolz [{BOMB}]><lolz>&a11;</lolz>", "expected no documen"),
        ("<!DOCTYPE kpat SYSTEM 'file:///etc/passwd'><dealer/>", "expected no document type"),
        ("<!DOCTYPE kpat PUBLIC 'x' 'http://x/'><dealer/>", "expected no document type"),
        ("<!DOCTYPE kpat []><dealer/>", "expected no document type other than <!DOCTYPE kpat>"),
        ("<!DOCTYPE kpat [<!ENTITY % x SYSTEM 'y'>%x;]><dealer/>", "expected no document type"),
        (START.replace("simplesimon", "&simon;"), "expected XML: undefined entity"),
        ("<dealer>" * 100_000, f"line 1, column {8 * DEEPEST + 1}: expected a saved game, got ele"),
        ("<dealer>" + "<pile/>" * 149_000, f"line 1, column {7 * MOST_ELEMENTS + 2}: expected a s"),
        (START.replace("72", "&#" + "9" * 900_000 + ";", 1), "expected XML: reference to invalid"),
        ("<dealer " + " ".join(f"a{n}=''" for n in range(100_000)) + "/>", "line 1, column 1: exp"),
    ],
    ids=lambda value: ascii(value[:40]),
)  # fmt: skip
def test_attacks_end_at_once(text: str, message: str) -> None:
    assert format_of(text) is kpat
    with pytest.raises(FormatError, match=r"^line \d+, column \d+: ") as error:
        read_board(text)
    assert message in str(error.value)


def test_a_file_of_a_gigabyte_is_not_read_on(tmp_path: Path) -> None:
    for content in (LATE, "<?xml version='1.0'?>", '{"tableau piles": ['):
        path = tmp_path / "large"
        with path.open("wb") as file:
            file.write(content.encode())
            file.truncate(1 << 30)  # a hole: it takes no room
        with pytest.raises(InputError, match="expected at most 1048576 bytes of text, got more"):
            read_deal(str(path))


def test_lone_surrogates_are_no_text_of_a_game() -> None:
    with pytest.raises(FormatError, match="expected a rank like 'ten', got rank="):
        read_board(START.replace('rank="four"', 'rank="\udc80"', 1))


@pytest.mark.parametrize("text", ["<svg></svg>", "<p>kpat-game</p>", "kpat <kpat-game>", "<"])
def test_texts_that_are_no_saved_game(text: str) -> None:
    assert not kpat.recognises(text)
    assert format_of(text) is None


def test_a_description_within_a_page_is_no_saved_game() -> None:
    page = "<?xml version='1.0'?><!DOCTYPE html><p>" + sample("description_seed.txt") + "</p>"
    assert read_board(page) == read_board(sample("description_seed_as.board"))
