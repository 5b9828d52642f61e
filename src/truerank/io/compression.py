"""Compressed text, recognised by its first bytes, and text compressed again."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from truerank.data.errors import InputError


def compression(head: bytes) -> str | None:
    """Return the name of the compression that begins with these bytes, None for plain text.

    >>> compression(b"BZh91AY&SY"), compression(b"401 0 FT911-3 1")
    ('bzip2', None)
    """
    for name, magic in _MAGIC.items():
        if re.match(magic, head, re.DOTALL):
            return name
    return None


def decompressed(data: bytes, file: str) -> bytes:
    """Return the plain text of data that may be compressed; a truncated or damaged stream is refused."""
    name = compression(data)
    if name is None:
        return data
    try:
        return _DECOMPRESS[name](data)
    except ImportError:
        raise InputError(
            f"{name} needs the package zstandard; install truerank[zstd], or decompress the file first", file
        ) from None
    except Exception as error:
        # Each library has its own exceptions, and zlib's is not even an OSError.
        raise InputError(f"the {name} data are damaged or cut short ({error}); fetch the file again", file) from None


def compressed(data: bytes, name: str | None) -> bytes:
    """Return data compressed as the name says; as they are where there is none.

    >>> decompressed(compressed(b"q1 0 d1 1", "gzip"), "qrels.gz")
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


def _gzip(data: bytes) -> bytes:
    import gzip

    return gzip.decompress(data)


def _bzip2(data: bytes) -> bytes:
    import bz2

    return bz2.decompress(data)


def _xz(data: bytes) -> bytes:
    import lzma

    return lzma.decompress(data)


def _zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.decompress(data)
    import zstandard

    parts = []
    # Frames may follow one another (pzstd, cat), and need not state their size.
    while data:
        frame = zstandard.ZstdDecompressor().decompressobj()
        parts.append(frame.decompress(data))
        if not frame.eof:
            raise EOFError("the last frame has no end")
        data = frame.unused_data
    return b"".join(parts)


# A topic may be called BZh1, so that bzip2 needs its block's number too: pi, or the root of pi where there is no block.
_MAGIC = {
    "gzip": rb"\x1f\x8b\x08",
    "bzip2": rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",
    "xz": rb"\xfd7zXZ\x00",
    "zstd": rb"\x28\xb5\x2f\xfd",
}
_DECOMPRESS: dict[str, Callable[[bytes], bytes]] = {"gzip": _gzip, "bzip2": _bzip2, "xz": _xz, "zstd": _zstd}
