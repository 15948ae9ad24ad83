"""From bytes to text: encodings, pipes and devices, and lists that are read as they come."""

from __future__ import annotations

import io
import os
import pickle
import threading
from pathlib import Path

import pytest

from simon_solver.errors import InputError
from simon_solver.reading.arguments import read_moves
from simon_solver.reading.deals import parse_deal, read_deal
from simon_solver.text.inputs import LONGEST_LINE, Line, decode, lines_from


class Trickle(io.RawIOBase):
    """A stream that gives these pieces, one for each read."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        piece = self.pieces.pop(0) if self.pieces else b""
        memoryview(buffer)[: len(piece)] = piece  # type: ignore[arg-type]
        return len(piece)


def texts(*pieces: bytes) -> list[str]:
    lines = list(lines_from(io.BufferedReader(Trickle(*pieces)), "a deal"))
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert not any(line.fault for line in lines)
    return [line.text for line in lines]


LIST = "kpat:1\nfünf ♠\n\nlast"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\v"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lists_in_any_encoding_and_in_pieces_of_any_size(encoding: str, end: str) -> None:
    for text in (LIST, f"{LIST}\n", "", "\n"):
        data = text.replace("\n", end).encode(encoding)
        wanted = text.splitlines()
        assert texts(data) == wanted
        assert texts(*(data[at : at + 1] for at in range(len(data)))) == wanted
        assert texts(*(data[at : at + 3] for at in range(0, len(data), 3))) == wanted


def test_a_list_in_utf_16_with_the_other_byte_order() -> None:
    assert texts(b"\xfe\xff" + LIST.encode("utf-16-be")) == LIST.splitlines()


def test_a_line_is_there_as_soon_as_it_has_ended() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        stream = Trickle(b"kpat:1" + end, b"kpat:2" + end, b"kpat:3")
        lines = lines_from(io.BufferedReader(stream), "a deal")
        for left in (2, 1, 0):
            assert next(lines).text == f"kpat:{3 - left}"
            assert len(stream.pieces) == left


def test_bytes_that_are_no_text_spoil_their_line_alone() -> None:
    data = b"kpat:1\nab\xff\nkpat:2\n\xff\xfe1\nk\0\n\xe2\x99"
    lines = list(lines_from(io.BytesIO(data), "a deal"))
    assert [line.fault for line in lines] == [
        "",
        "expected UTF-8 text, got byte 0xff at offset 2",
        "",
        "expected UTF-8 text, got byte 0xff at offset 0",
        "expected text, got a binary file",
        "expected UTF-8 text, got byte 0xe2 at offset 0",
    ]
    assert [line.text for line in lines][1:4:2] == ["ab\\xff", "\\xff\\xfe1"]
    assert texts(b"\xff\xfek\0\x31\0\n\0\x32\0") == ["k1", "2"]


def test_lines_that_are_too_long() -> None:
    fault = f"expected a deal, got a line longer than {LONGEST_LINE} characters"
    data = b"x" * (LONGEST_LINE + 1) + b"\n" + b"y" * LONGEST_LINE + b"\nz"
    assert list(lines_from(io.BytesIO(data), "a deal")) == [
        Line(1, "x" * 40, fault),
        Line(2, "y" * LONGEST_LINE),
        Line(3, "z"),
    ]


def test_a_line_that_does_not_end_is_given_up() -> None:
    with Path("/dev/zero").open("rb") as zeros:
        lines = list(lines_from(zeros, "a deal"))
    assert [line.fault for line in lines] == [
        "expected a deal, got a line longer than 1048576 characters; the rest is not read"
    ]


def test_a_list_that_cannot_be_read_on() -> None:
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            del buffer
            raise OSError(5, "Input/output error")

    assert list(lines_from(io.BufferedReader(Failing()), "a deal")) == [
        Line(1, "", "cannot be read: Input/output error")
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfek\0p", "expected UTF-16 text, got an odd number of bytes (5)"),
        (b"\xff\xfek\0\0\xd8", "expected UTF-16 text, got byte 0x00 at offset 4"),
        (b"\xef\xbb\xbfk\xff", "expected UTF-8 text, got byte 0xff at offset 4"),
        (b"k\xe2\x99", "expected UTF-8 text, got byte 0xe2 at offset 1"),
    ],
)
def test_what_is_no_text(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        decode(data)
    assert str(error.value) == message


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_are_refused_by_name(protocol: int, tmp_path: Path) -> None:
    # A saved game is a pickle for each thing in it, and begins with the name of the program.
    saved = b"".join(pickle.dumps(thing, protocol) for thing in ("PySolFC", "3.0", (3, 0), 50))
    (tmp_path / "game.pso").write_bytes(saved)
    with pytest.raises(InputError) as error:
        read_deal(str(tmp_path / "game.pso"))
    assert str(error.value) == (
        f"{tmp_path}/game.pso: expected text, got a PySolFC saved game, which is not safe to "
        "read; export the layout instead"
    )
    if protocol >= 2:
        with pytest.raises(InputError, match=r"^expected text, got a Python pickle, which"):
            decode(pickle.dumps(["7H"], protocol))


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A named pipe ``ff`` in the working folder."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("ff")
    return Path("ff")


def test_a_pipe_without_a_writer_is_not_waited_for(pipe: Path) -> None:
    message = "^ff: expected text, got a pipe that no program writes to$"
    with pytest.raises(InputError, match=message):
        read_deal(str(pipe))
    with pytest.raises(InputError, match=message):
        read_moves(str(pipe))


def test_a_pipe_with_a_writer_is_read_to_its_end(pipe: Path) -> None:
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # lets the writer open it
    writer = os.open(pipe, os.O_WRONLY)

    def write() -> None:
        with os.fdopen(writer, "wb", buffering=0) as file:
            file.write(b"# a comment\n")
            started.wait(0.2)
            file.write(b"kpat:72\n")

    started = threading.Event()
    thread = threading.Thread(target=write)
    thread.start()
    assert read_deal(str(pipe)).name == "kpat:72"
    thread.join()
    os.close(reader)  # not before: a writer without any reader would be stopped


def test_pipes_and_devices_can_be_refused(pipe: Path) -> None:
    for name in (str(pipe), "/dev/zero", "/dev/null"):
        with pytest.raises(InputError, match="expected a regular file, got a pipe or a device"):
            read_deal(name, pipes=False)
    pipe.unlink()
    pipe.write_text("kpat:72", encoding="ascii")
    assert read_deal(str(pipe), pipes=False) == parse_deal("kpat:72")
