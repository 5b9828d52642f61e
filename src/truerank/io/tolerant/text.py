"""What is odd about the bytes of a file, apart from what its lines say."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Bytes
from truerank.io.lines import line_end

SHOWN = 3
"""Places that are kept of each kind of trouble."""

BOM = codecs.BOM_UTF8
QUOTES = (b'"', b"'")
UNSEEN = (b" ", b"\t", b"\r", b"\n", b"\v", b"\f", b"\0", "\u00a0".encode(), "\u200b".encode(), BOM)
"""Bytes around an id that nobody sees: blanks, NUL, the no-break and the zero-width space, the byte order mark."""
_LOOKED_AT = 64


@dataclass(frozen=True, slots=True)
class Spots:
    """How often something occurs, and where it does so first."""

    count: int = 0
    first: tuple[int, ...] = ()

    def __add__(self, other: Spots) -> Spots:
        return Spots(self.count + other.count, (*self.first, *other.first)[:SHOWN])


NOWHERE = Spots()


@dataclass(frozen=True, slots=True)
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


def readable(text: Bytes) -> tuple[Bytes, str]:
    """Return text with line feeds in an encoding that contains ASCII, and what it was instead ("" where it was that).

    >>> plain, was = readable(np.frombuffer("q1 0 d1 1\\n".encode("utf-16"), np.uint8))
    >>> plain.tobytes(), was
    (b'q1 0 d1 1\\n', 'UTF-16')
    """
    encoding = _utf16(text[:_LOOKED_AT].tobytes())
    if encoding:
        decoded = text.tobytes().decode(encoding, "replace").removeprefix("\ufeff")
        return np.frombuffer(decoded.encode("utf-8", "replace"), dtype=np.uint8), "UTF-16"
    if line_end(text, 0) == text.size and b"\r" in (data := text.tobytes()).strip():
        return np.frombuffer(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), dtype=np.uint8), "carriage returns"
    return text, ""


def trimmed(identifier: bytes) -> bytes:
    """An id without quotes around it, and without what cannot be seen.

    >>> trimmed(b'"d1"'), trimmed("d1\u00a0 ".encode()), trimmed(b"rock'n'")
    (b'd1', b'd1', b"rock'n'")
    """
    if identifier[:1].isalnum() and identifier[-1:].isalnum():
        return identifier
    bare = identifier
    for sign in UNSEEN:
        bare = bare.removeprefix(sign).removesuffix(sign)
    if len(bare) > 2 and bare[:1] == bare[-1:] and bare[:1] in QUOTES:
        bare = bare[1:-1]
    if not bare:
        return identifier
    return bare if bare == identifier else trimmed(bare)


def _utf16(head: bytes) -> str:
    """The variety of UTF-16 that text begins with: every other byte of letters and digits is zero in it."""
    zeros = [head[side::2].count(0) * 4 > len(head) for side in (0, 1)]
    if sum(zeros) != 1:
        return ""
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
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
