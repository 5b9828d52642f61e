"""Identifiers packed in one buffer: never decoded unless a person wants to read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from truerank.data.arrays import ODD, Bytes, Ints, Keys, Mask, Rows, offsets
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.given_ids import NumberId
from truerank.data.given_ids import text as text
from truerank.data.printing import brief

_MASK: Keys = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
_EIGHT = np.uint64(8)
_HALF = np.uint64(32)
_FINISH = np.uint64(0xD6E8FEB86659FD93)
_BLOCK = 1 << 15
LONG = 1 << 10
"""Bytes from which on an identifier is looked at by itself: a word of all identifiers at a time would take a step of
the whole array for each eight bytes of the longest."""
COMPACT = 1 << 16
"""Bytes from which on the length of an identifier does not fit into the two that it usually has."""


class LongIdError(Exception):
    """An identifier is longer than a compact column of lengths can say."""


def one_id(identifier: Any, what: str) -> bytes:
    """Return an id as bytes, which know of a whole number that it was given as one.

    >>> one_id(7, "topic"), one_id("é", "topic")
    (b'7', b'\\xc3\\xa9')
    """
    if isinstance(identifier, str):
        try:
            return identifier.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise InputError(f"{what} {identifier!r:.80} has half a character in it; mend the id") from None
    if isinstance(identifier, bytes):
        return identifier if isinstance(identifier, NumberId) else bytes(identifier)
    # numpy takes a length of time for an integer.
    if isinstance(identifier, int | np.integer) and not isinstance(identifier, bool | np.timedelta64):
        try:
            return NumberId(str(int(identifier)).encode())
        except ValueError:
            raise InputError(f"{what} is a number of thousands of digits; give the id as text") from None
    raise InputError(f"{what} {brief(identifier)} is a {type(identifier).__name__}; give ids as str, bytes or int")


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Identifiers as stretches of bytes in a shared buffer, which may be the text of a whole file.

    >>> ids = Ids.pack(["d1", "d22", b"d3"])
    >>> ids[1], len(ids), ids.take(np.array([2, 0])).tolist()
    (b'd22', 3, [b'd3', b'd1'])
    """

    buffer: Bytes
    start: Ints
    length: Ints
    numbers: bool = False
    """Whether they were given as whole numbers."""

    @classmethod
    def pack(cls, ids: Iterable[str | bytes]) -> Ids:
        """Copy identifiers into a new buffer; text becomes UTF-8, undecodable bytes survive as surrogates."""
        listed = ids if isinstance(ids, list | tuple) else list(ids)
        buffer, end = _joined(listed)
        start = np.zeros(len(end), dtype=np.uint32 if buffer.size < 1 << 32 else np.intp)
        start[1:] = end[:-1] + 1
        length = end - start
        compact = length.astype(np.uint16 if int(length.max(initial=0)) < 1 << 16 else np.intp)
        return cls(buffer, start, compact, bool(listed) and all(isinstance(one, NumberId) for one in listed))

    @classmethod
    def joined(cls, parts: Sequence[Ids]) -> Ids:
        """Identifiers of several buffers one after another, in a new buffer.

        >>> Ids.joined([Ids.pack(["d1"]), Ids.pack(["d2", "d3"])]).tolist()
        [b'd1', b'd2', b'd3']
        """
        begin = offsets(np.array([part.buffer.size for part in parts], np.intp)).tolist()
        return cls(
            np.concatenate([part.buffer for part in parts]),
            np.concatenate([part.start.astype(np.intp) + at for part, at in zip(parts, begin, strict=False)]),
            np.concatenate([part.length.astype(np.intp) for part in parts]),
            all_numbers(parts),
        )

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> bytes:
        start = int(self.start[row])
        found = self.buffer[start : start + int(self.length[row])].tobytes()
        return NumberId(found) if self.numbers else found

    def take(self, rows: Ints) -> Ids:
        """Return the identifiers of the given rows; the buffer is shared, not copied."""
        return Ids(self.buffer, self.start[rows], self.length[rows], self.numbers)

    def tolist(self) -> list[bytes]:
        """Return the identifiers as bytes objects."""
        view = self.buffer.data
        begin = self.start.astype(np.intp)
        ends = (begin + self.length).tolist()
        kind = NumberId if self.numbers else bytes
        return [kind(view[start:end]) for start, end in zip(begin.tolist(), ends, strict=True)]

    def keys(self) -> Keys:
        """Return a 64-bit hash of each identifier: equal identifiers have equal keys, wherever they are stored."""
        result = np.empty(len(self), dtype=np.uint64)
        for begin in range(0, len(self), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            result[block] = hashed(self.buffer, self.start[block], self.length[block])
        return result

    def same(self, rows: Ints, other: Ids, other_rows: Ints) -> Mask:
        """Tell for each pair of rows whether the two identifiers are equal byte for byte.

        >>> a, b = Ids.pack(["x", "y"]), Ids.pack(["y", "yy"])
        >>> a.same(np.array([0, 1, 1]), b, np.array([0, 0, 1])).tolist()
        [False, True, False]
        """
        start, length = self.start[rows].astype(np.intp), self.length[rows].astype(np.intp)
        against, limit = other.start[other_rows].astype(np.intp), other.length[other_rows].astype(np.intp)
        equal: Mask = length == limit
        longest = int(length.max()) if len(length) else 0
        if longest <= 8:
            equal &= load(self.buffer, start, length) == load(other.buffer, against, limit)
            return equal
        for done in range(0, min(longest, LONG), 8):
            more = np.flatnonzero(equal & (length > done))
            left = length[more] - done
            mine = load(self.buffer, start[more] + done, left)
            equal[more] = mine == load(other.buffer, against[more] + done, left)
        for row in np.flatnonzero(equal & (length > LONG)).tolist() if longest > LONG else ():
            one, two = self.buffer[start[row] :], other.buffer[against[row] :]
            equal[row] = np.array_equal(one[LONG : length[row]], two[LONG : length[row]])
        return equal


def all_numbers(parts: Sequence[Ids]) -> bool:
    """Whether all identifiers of several buffers were given as whole numbers; where there are none, they say nothing.

    >>> all_numbers([Ids.pack([one_id(7, "document")]), Ids.pack([])]), all_numbers([Ids.pack([])])
    (True, False)
    """
    some = [part.numbers for part in parts if len(part)]
    return bool(some) and all(some)


def _joined(ids: Sequence[str | bytes]) -> tuple[Bytes, Rows]:
    """Return the bytes of all ids with a newline between any two, and where each id ends."""
    try:
        joined = "\n".join(ids).encode("utf-8", "surrogateescape")  # type: ignore[arg-type]
    except TypeError:
        joined = b"\n".join(_encoded(ids))
    buffer = np.frombuffer(joined, dtype=np.uint8)
    between = np.flatnonzero(buffer == ord("\n"))
    if len(between) == len(ids) - 1:
        return buffer, np.append(between, buffer.size)
    # An id has a newline in it (or there are no ids), so that the lengths must be asked for.
    return buffer, offsets(np.fromiter(map(len, _encoded(ids)), np.intp, len(ids)) + 1)[1:] - 1


def _encoded(ids: Sequence[str | bytes]) -> list[bytes]:
    return [one if isinstance(one, bytes) else one.encode("utf-8", "surrogateescape") for one in ids]


# Eight bytes of an identifier are one 64-bit word: they are read, compared and hashed at a time.


def overlapping(buffer: Bytes) -> Keys:
    """View a buffer of at least eight bytes as the little-endian words that begin at each of its bytes.

    >>> hex(overlapping(np.arange(9, dtype=np.uint8))[1])
    '0x807060504030201'
    """
    view: Keys = np.ndarray((buffer.size - 7,), np.dtype("<u8"), buffer, strides=(buffer.strides[0],))
    return view


def load(buffer: Bytes, start: Ints, length: Ints) -> Keys:
    """Return the first eight bytes of each identifier as a little-endian word, zeros after its end.

    >>> [hex(w) for w in load(np.frombuffer(b"abcdefgh", np.uint8), np.array([0, 6]), np.array([1, 2]))]
    ['0x61', '0x6867']
    """
    if buffer.size < 8:
        buffer = np.concatenate([buffer, np.zeros(8, dtype=np.uint8)])
    last = buffer.size - 8
    if len(length) and (int(length.max()) > 8 or int(length.min()) < 0):
        length = np.clip(length, 0, 8)
    if len(start) and int(start.max()) > last:
        start = start.astype(np.intp)
        begin = np.minimum(start, last)
        missed = np.minimum(start - begin, 7).astype(np.uint64) * _EIGHT
        word: Keys = overlapping(buffer)[begin] >> missed
    else:
        word = overlapping(buffer)[start]
    word &= _MASK.take(length)
    return word


def mix(word: Keys) -> Keys:
    """Scramble words one to one, so that every bit of the input moves the high bits.

    >>> int(mix(np.zeros(1, dtype=np.uint64))[0])
    0
    """
    word = word * ODD
    word ^= word >> _HALF
    word *= _FINISH
    word ^= word >> _HALF
    return word


def hashed(buffer: Bytes, start: Ints, length: Ints) -> Keys:
    """Return a 64-bit hash of each identifier; one to one for identifiers of equal length up to eight bytes."""
    key = mix(load(buffer, start, length) + length.astype(np.uint64))
    longest = int(length.max()) if len(length) else 0
    for done in range(8, min(longest, LONG), 8):
        more = np.flatnonzero(length > done)
        rest = load(buffer, start[more].astype(np.intp) + done, length[more].astype(np.intp) - done)
        key[more] = mix(key[more] ^ rest)
    for row in np.flatnonzero(length > LONG).tolist() if longest > LONG else ():
        begin = int(start[row])
        key[[row]] = mix(key[[row]] ^ _digest(buffer[begin + LONG : begin + int(length[row])]))
    return key


def _digest(rest: Bytes) -> np.uint64:
    """Return a word for bytes of any number: each of their words is scrambled with its place, and all are added."""
    words = np.zeros(-(-rest.size // 8), dtype="<u8")
    words.view(np.uint8)[: rest.size] = rest
    place: Keys = np.arange(1, len(words) + 1, dtype=np.uint64)
    total: np.uint64 = mix(words.astype(np.uint64) ^ mix(place)).sum(dtype=np.uint64)
    return total
