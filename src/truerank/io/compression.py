"""Compressed text, recognised by its first bytes."""

from __future__ import annotations

import sys
from collections.abc import Callable

from truerank.data.errors import InputError


def compression(head: bytes) -> str | None:
    """Return the name of the compression that begins with these bytes, None for plain text.

    >>> compression(b"BZh91AY&SY"), compression(b"401 0 FT911-3 1")
    ('bzip2', None)
    """
    for name, magic in _MAGIC.items():
        if head.startswith(magic):
            # "BZh" could begin a topic's name; the digit and the block's own magic number could not.
            return name if name != "bzip2" or head[3:4].isdigit() else None
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
    import io

    import zstandard

    # Frames may follow one another (pzstd, cat), and need not state their size.
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True)
    return bytes(reader.read())


_MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
_DECOMPRESS: dict[str, Callable[[bytes], bytes]] = {"gzip": _gzip, "bzip2": _bzip2, "xz": _xz, "zstd": _zstd}
