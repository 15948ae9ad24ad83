"""Reads text from files and bytes: whole texts of bounded size, and lists line by line."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from simon_solver.errors import InputError, reason_of

MOST_BYTES = 1 << 20
"""No text is longer than this; reading stops there."""

LONGEST_LINE = 1 << 16
"""Characters in a line of a list."""

_MOST_SKIPPED = 1 << 20  # characters of one line, before the rest of a list is given up
_SHOWN = 40  # characters that stand for a line that is too long
_CHUNK = 1 << 16
_PICKLE = re.compile(rb"\x80[\x02-\x05]")  # the protocols 2 to 5; the older two look like text
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def file_bytes(name: str, *, pipes: bool = True) -> bytes:
    """The content of a file, cut off after `MOST_BYTES` + 1.

    With `pipes` anything that can be read will do, such as what a shell puts in place of
    ``<(command)``; without it only regular files are read, as a pipe or a device may have no end
    or keep the reader waiting. A pipe that nobody has open for writing is not waited for.

    Raises:
        OSError: it cannot be read.
        InputError: it is no regular file though it should be, or a pipe that nobody writes to.
    """
    from pathlib import Path  # noqa: PLC0415 - slow to load, and most arguments are no file

    kind = Path(name).stat().st_mode
    if not pipes and not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
        raise InputError("expected a regular file, got a pipe or a device")
    piped = stat.S_ISFIFO(kind)
    with _open_at_once(name) if piped else Path(name).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if piped and not data:
        raise InputError("expected text, got a pipe that no program writes to")
    return data


def _open_at_once(name: str) -> BinaryIO:
    """The pipe, opened without waiting for a writer; reading waits for one that is there."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def decode(data: bytes) -> str:
    """The text of these bytes: UTF-8, or UTF-16 where a byte order mark says so.

    Raises:
        InputError: the bytes are no text, or more than `MOST_BYTES`; a pickle is called one.
    """
    if _PICKLE.match(data):
        raise InputError("expected text, got a Python pickle, which is not safe to read")
    if len(data) > MOST_BYTES:
        raise InputError(f"expected at most {MOST_BYTES} bytes of text, got more")
    mark, encoding = _mark_of(data)
    return _decoded(data, len(mark), encoding)


def _decoded(data: bytes, start: int, encoding: str) -> str:
    name = "UTF-8" if encoding == "utf-8" else "UTF-16"
    if name == "UTF-16" and len(data) % 2:
        raise InputError(f"expected UTF-16 text, got an odd number of bytes ({len(data)})")
    try:
        text = data[start:].decode(encoding)
    except UnicodeDecodeError as error:
        offset = start + error.start
        raise InputError(
            f"expected {name} text, got byte 0x{data[offset]:02x} at offset {offset}"
        ) from None
    if "\0" in text:
        raise InputError("expected text, got a binary file")
    return text


def _mark_of(data: bytes) -> tuple[bytes, str]:
    """The byte order mark at the beginning, if any, and the encoding that it stands for."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return mark, encoding
    return b"", "utf-8"


class Line(NamedTuple):
    """A line of a list, its number from 1, and what is wrong with it if it cannot be used."""

    number: int
    text: str
    fault: str = ""


def lines_from(file: BinaryIO, wanted: str) -> Iterator[Line]:
    """The lines of a file or stream, each as soon as it has ended; no more is held in memory.

    A byte order mark at the beginning tells the encoding of the whole. Of a line that is too long
    only the beginning is given; one that does not seem to end, as that of ``/dev/zero``, is the
    last. `wanted` says in errors what a line should be.
    """
    number, held, length = 1, "", 0
    try:
        for part, ended in _parts_of_lines(file):
            if len(held) <= LONGEST_LINE:
                held += part
            length += len(part)
            if length > _MOST_SKIPPED:
                fault = f"{_too_long(wanted, _MOST_SKIPPED)}; the rest is not read"
                yield Line(number, _printable(held[:_SHOWN]), fault)
                return
            if ended:
                yield _checked(number, held, wanted)
                number, held, length = number + 1, "", 0
        if held:
            yield _checked(number, held, wanted)
    except OSError as error:
        yield Line(number, _printable(held[:_SHOWN]), f"cannot be read: {reason_of(error)}")


def _too_long(wanted: str, length: int) -> str:
    return f"expected {wanted}, got a line longer than {length} characters"


def _checked(number: int, line: str, wanted: str) -> Line:
    if len(line) > LONGEST_LINE:
        return Line(number, _printable(line[:_SHOWN]), _too_long(wanted, LONGEST_LINE))
    try:
        # Bytes that are no UTF-8 were let through by `_pieces`, for this line alone to suffer.
        text = _decoded(line.encode("utf-8", "surrogateescape"), 0, "utf-8")
    except InputError as error:
        return Line(number, _printable(line), str(error))
    return Line(number, text.removeprefix("\ufeff"))


def _printable(line: str) -> str:
    """The line with the bytes escaped that are no UTF-8."""
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _parts_of_lines(file: BinaryIO) -> Iterator[tuple[str, bool]]:
    """Parts of lines without their ends, and whether the line ends there."""
    after_cr = False
    for piece in _pieces(file):
        # A CR ends its line at once; an LF that comes in the next piece belongs to it.
        text = piece.removeprefix("\n") if after_cr else piece
        after_cr = piece.endswith("\r") or (after_cr and not piece)
        for part in text.splitlines(keepends=True):
            body = part.splitlines()[0]
            yield body, body != part


def _pieces(file: BinaryIO) -> Iterator[str]:
    """The decoded text, in pieces as they come."""
    read = getattr(file, "read1", file.read)
    data = b""
    while any(len(data) < len(mark) and mark.startswith(data) for mark in _MARKS):
        chunk = read(_CHUNK)
        if not chunk:
            break
        data += chunk
    mark, encoding = _mark_of(data)
    errors = "surrogateescape" if encoding == "utf-8" else "replace"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    yield decoder.decode(data[len(mark) :])
    while data and (data := read(_CHUNK)):
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)
