"""How a text is encoded, and what is odd about its bytes, apart from what its lines say."""

from __future__ import annotations

import codecs

import numpy as np

from truerank.data.arrays import Bytes
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.io.lines import line_end
from truerank.io.source import Source

SHOWN = 3
"""Places that are kept of each kind of trouble."""

BOM = codecs.BOM_UTF8
_LOOKED_AT = 64


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """How often something occurs, and where it does so first."""

    count: int = 0
    first: tuple[int, ...] = ()

    def __add__(self, other: Spots) -> Spots:
        return Spots(self.count + other.count, (*self.first, *other.first)[:SHOWN])


NOWHERE = Spots()


@dataclass(frozen=True, slots=True, eq=False)
class Oddities:
    """Lines by what is odd about their bytes."""

    carriage_returns: Spots = NOWHERE
    nul: Spots = NOWHERE
    not_utf8: Spots = NOWHERE

    def __add__(self, other: Oddities) -> Oddities:
        return Oddities(
            self.carriage_returns + other.carriage_returns, self.nul + other.nul, self.not_utf8 + other.not_utf8
        )


NOTHING_ODD = Oddities()


def begin_of(text: Bytes) -> int:
    """Where a text begins: behind its byte order mark, if it has one."""
    return len(BOM) if text[: len(BOM)].tobytes() == BOM else 0


def refuse_foreign(source: Source) -> None:
    """Refuse what would read as one endless line or as nonsense."""
    if _utf16(source.text):
        raise InputError("the text is UTF-16; save it as UTF-8", source.name)
    if _has_lone_returns(source.text):
        raise InputError("lines end in a carriage return alone; end them in a line feed", source.name)


def readable(text: Bytes) -> tuple[Bytes, str]:
    """Return text with line feeds in an encoding that contains ASCII, and what it was instead ("" where it was that).

    >>> plain, was = readable(np.frombuffer("q1 0 d1 1\\n".encode("utf-16"), np.uint8))
    >>> plain.tobytes(), was
    (b'q1 0 d1 1\\n', 'UTF-16')
    """
    encoding, was = _utf16(text), ""
    if encoding:
        decoded = text.tobytes().decode(encoding, "replace").removeprefix("\ufeff")
        text, was = np.frombuffer(decoded.encode("utf-8", "replace"), dtype=np.uint8), "UTF-16"
    if _has_lone_returns(text):
        mended = text.tobytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        text, was = np.frombuffer(mended, dtype=np.uint8), was or "carriage returns"
    return text, was


def _has_lone_returns(text: Bytes) -> bool:
    """Whether a text is one line, with carriage returns in it."""
    return line_end(text, 0) == text.size and b"\r" in text.tobytes().strip()


def _utf16(text: Bytes) -> str:
    """The variety of UTF-16 that text begins with: every other byte of letters and digits is zero in it."""
    head = text[:_LOOKED_AT].tobytes()
    marked = head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    if marked and not (any(head[2::2]) and any(head[3::2])):
        return "utf-16"
    zeros = [head[side::2].count(0) * 4 > len(head) for side in (0, 1)]
    if sum(zeros) != 1:
        return ""
    if marked:
        return "utf-16"
    return "utf-16-be" if zeros[0] else "utf-16-le"


def oddities(text: Bytes, begin: int, end: int) -> Oddities:
    """Look through text[begin:end], which is made of whole lines."""
    data = text[begin:end].tobytes()
    found = NOTHING_ODD
    if b"\r" in data:
        found += Oddities(carriage_returns=_occurrences(data, b"\r\n", begin))
    if b"\0" in data:
        found += Oddities(nul=_occurrences(data, b"\0", begin))
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            found += Oddities(not_utf8=_undecodable(data, begin))
    return found


def _occurrences(data: bytes, sign: bytes, begin: int) -> Spots:
    places: list[int] = []
    place = data.find(sign)
    while place >= 0 and len(places) < SHOWN:
        places.append(begin + place)
        place = data.find(sign, data.find(b"\n", place) + 1 or len(data))
    return Spots(data.count(sign), tuple(places))


def _undecodable(data: bytes, begin: int) -> Spots:
    spots = Spots()
    for line in data.splitlines(keepends=True):
        if not line.isascii():
            try:
                line.decode()
            except UnicodeDecodeError:
                spots += Spots(1, (begin,))
        begin += len(line)
    return spots
