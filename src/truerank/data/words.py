"""Identifiers as 64-bit words: eight bytes are read, compared and hashed at a time."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Bytes, Ints, Keys

MASK: Keys = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
_EIGHT = np.uint64(8)
_HALF = np.uint64(32)
_MULTIPLY = np.uint64(0x9E3779B97F4A7C15)
_FINISH = np.uint64(0xD6E8FEB86659FD93)


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
        start = start.astype(np.int64)
        begin = np.minimum(start, last)
        missed = np.minimum(start - begin, 7).astype(np.uint64) * _EIGHT
        word: Keys = overlapping(buffer)[begin] >> missed
    else:
        word = overlapping(buffer)[start]
    word &= MASK.take(length)
    return word


def mix(word: Keys) -> Keys:
    """Scramble words one to one, so that every bit of the input moves the high bits.

    >>> int(mix(np.zeros(1, dtype=np.uint64))[0])
    0
    """
    word = word * _MULTIPLY
    word ^= word >> _HALF
    word *= _FINISH
    word ^= word >> _HALF
    return word


def hashed(buffer: Bytes, start: Ints, length: Ints) -> Keys:
    """Return a 64-bit hash of each identifier; one to one for identifiers of equal length up to eight bytes."""
    key = mix(load(buffer, start, length) + length.astype(np.uint64))
    longest = int(length.max()) if len(length) else 0
    for done in range(8, longest, 8):
        more = np.flatnonzero(length > done)
        rest = load(buffer, start[more].astype(np.int64) + done, length[more].astype(np.int64) - done)
        key[more] = mix(key[more] ^ rest)
    return key
