"""Compressed text, recognised by its first bytes, and text compressed again."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from truerank.data.errors import InputError

Data: TypeAlias = bytes | bytearray | memoryview

LIMIT = 4 << 30
"""Bytes that are read of what does not say how long it is: compressed data, and streams."""

_FIRST, _MOST = 1 << 12, 1 << 20
"""How much is given to a decompressor at once, at first and at most: it copies what is left over behind a member."""
_PIECE = 1 << 22
"""How much is taken from it at once."""
_BLOCK = 1 << 8
"""How much is given to one that cannot be told how much to return: a byte may become 32 KiB."""
_GIVEN_BACK = 16
"""Pieces after which the memory behind them is given back."""


def gibibytes() -> str:
    """The limit in words."""
    return f"{LIMIT / (1 << 30):g} GiB"


def compression(head: bytes) -> str | None:
    """Return the name of the compression that begins with these bytes, None for plain text.

    >>> compression(b"BZh91AY&SY"), compression(b"401 0 FT911-3 1")
    ('bzip2', None)
    """
    for name, magic in _MAGIC.items():
        if re.match(magic, head, re.DOTALL):
            return name
    return None


def decompressed(data: Data, file: str) -> Data:
    """Return the plain text of data that may be compressed; damaged data are refused, and text past the limit.

    >>> import gzip
    >>> bytes(decompressed(gzip.compress(b"q1 0 d1 1"), "qrels.gz"))
    b'q1 0 d1 1'
    """
    name = compression(bytes(data[:16]))
    if name is None:
        return data
    found = bytearray()
    for part in _parts(memoryview(data), name, file):
        found += part
    return found


def decompressed_pieces(path: str) -> Iterator[bytes]:
    """The plain text of a compressed file, some at a time; refused as ``decompressed`` refuses it."""
    import mmap

    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        name = compression(data[:16])
        assert name is not None
        with memoryview(data) as view:
            for count, part in enumerate(_parts(view, name, path), 1):
                yield part
                if count % _GIVEN_BACK == 0 and hasattr(data, "madvise"):
                    # What was read before would stay in memory; what is to come is read again.
                    data.madvise(mmap.MADV_DONTNEED)


def _parts(data: memoryview, name: str, file: str) -> Iterator[bytes]:
    """The plain text, some at a time; a small file may become more than any memory or disk holds."""
    length = 0
    try:
        for part in _members(data, _METHODS[name]()):
            length += len(part)
            if length > LIMIT:
                raise InputError(
                    f"more than {gibibytes()} when decompressed; if that is right, decompress the file first", file
                )
            yield part
    except ImportError:
        raise InputError(
            f"{name} needs the package zstandard; install truerank[zstd], or decompress the file first", file
        ) from None
    except (InputError, MemoryError):
        raise
    except Exception as error:
        # Each library has its own exceptions, and zlib's is not even an OSError.
        raise InputError(f"the {name} data are damaged or cut short ({error}); fetch the file again", file) from None


def _members(data: memoryview, method: _Method) -> Iterator[bytes]:
    """Decompress members that follow one another (bgzip, pbzip2, pzstd, cat), each with a decompressor of its own."""
    place = 0
    while place < len(data):
        member, step = method.new(), min(_FIRST, method.most)
        while not member.eof:
            piece = data[place : place + step]
            if not len(piece):
                raise EOFError("the last member has no end")
            place += len(piece)
            yield from method.parts(member, piece)
            step = min(2 * step, method.most)
        place -= len(member.unused_data)
        place += _padding(data, place)


def _padding(data: memoryview, place: int) -> int:
    """How many zeros follow, which fill up the last block of a tape."""
    begin = place
    while place < len(data) and not data[place]:
        piece = bytes(data[place : place + _FIRST])
        place += len(piece) - len(piece.lstrip(b"\0"))
    return place - begin


def compressed(data: bytes, name: str | None) -> bytes:
    """Return data compressed as the name says; as they are where there is none.

    >>> bytes(decompressed(compressed(b"q1 0 d1 1", "gzip"), "qrels.gz"))
    b'q1 0 d1 1'
    """
    if name == "gzip":
        import gzip

        return gzip.compress(data, mtime=0)
    if name == "bzip2":
        import bz2

        return bz2.compress(data)
    if name == "xz":
        import lzma

        return lzma.compress(data)
    if name == "zstd":
        if sys.version_info >= (3, 14):
            from compression import zstd

            return zstd.compress(data)
        import zstandard

        return zstandard.ZstdCompressor().compress(data)
    return data


class _Method(NamedTuple):
    """How one kind of compression is undone."""

    new: Callable[[], Any]
    """A decompressor of one member."""
    parts: Callable[[Any, memoryview], Iterator[bytes]]
    """What a piece of the data becomes, some at a time."""
    most: int = _MOST
    """How much it may be given at once."""


def _gzip() -> _Method:
    import zlib

    def parts(member: Any, piece: memoryview) -> Iterator[bytes]:
        yield member.decompress(piece, _PIECE)
        while member.unconsumed_tail:
            yield member.decompress(member.unconsumed_tail, _PIECE)

    return _Method(lambda: zlib.decompressobj(_GZIP), parts)


def _bzip2() -> _Method:
    import bz2

    return _Method(bz2.BZ2Decompressor, _asked)


def _xz() -> _Method:
    import lzma

    return _Method(lzma.LZMADecompressor, _asked)


def _zstd() -> _Method:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return _Method(zstd.ZstdDecompressor, _asked)
    import zstandard

    def parts(member: Any, piece: memoryview) -> Iterator[bytes]:
        yield member.decompress(piece)

    return _Method(zstandard.ZstdDecompressor().decompressobj, parts, _BLOCK)


def _asked(member: Any, piece: memoryview) -> Iterator[bytes]:
    """From a decompressor that keeps what it was not asked for yet."""
    yield member.decompress(piece, _PIECE)
    while not member.eof and not member.needs_input:
        yield member.decompress(b"", _PIECE)


# A topic may be called BZh1, so that bzip2 needs its block's number too: pi, or the root of pi where there is no block.
_MAGIC = {
    "gzip": rb"\x1f\x8b\x08",
    "bzip2": rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",
    "xz": rb"\xfd7zXZ\x00",
    "zstd": rb"\x28\xb5\x2f\xfd",
}
_GZIP = 31
"""What zlib calls a gzip header with the largest window."""
_METHODS: dict[str, Callable[[], _Method]] = {"gzip": _gzip, "bzip2": _bzip2, "xz": _xz, "zstd": _zstd}
