"""Where text comes from: a path, standard input or an open file, compressed or not, as one array of bytes."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import IO, Any, TypeAlias

import numpy as np

from truerank.data.arrays import Bytes
from truerank.data.errors import InputError
from truerank.io.compression import compression, decompressed

_MAP_FROM = 1 << 25
"""Smaller files are copied to memory, so that a Run does not depend on a file that may be overwritten."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Text with the name that errors give it; ``stem`` is the bare file name, None for a stream without one."""

    name: str
    stem: str | None
    text: Bytes


Readable: TypeAlias = str | os.PathLike[str] | IO[Any] | Source


def open_source(source: Readable) -> Source:
    """Read a path, ``"-"`` (standard input) or an open binary or text file.

    Large plain files are mapped, not read: their pages are shared with the system's cache. gzip, bzip2, xz and zstd
    are recognised by their first bytes, whatever the file is called.

    >>> import io
    >>> open_source(io.BytesIO(b"1 0 d 1")).text.tobytes()
    b'1 0 d 1'
    """
    if isinstance(source, Source):
        return source
    if isinstance(source, str) and source == "-":
        return Source("<stdin>", None, _memory(sys.stdin.buffer.read(), "<stdin>"))
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        return Source(path, stem(path), _file(path))
    name = getattr(source, "name", None)
    path = name if isinstance(name, str) else "<stream>"
    content = source.read()
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else bytes(content)
    return Source(path, None if path.startswith("<") else stem(path), _memory(data, path))


def _file(path: str) -> Bytes:
    try:
        with open(path, "rb") as file:
            head = file.read(16)
            size = os.fstat(file.fileno()).st_size
            if size < _MAP_FROM or compression(head):
                return _memory(head + file.read(), path)
            import mmap

            return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)
    except FileNotFoundError:
        raise InputError("there is no such file; check the path", path) from None
    except (IsADirectoryError, PermissionError):
        message = (
            "this is a directory; give a file in it" if os.path.isdir(path) else "not readable; change its permissions"
        )
        raise InputError(message, path) from None


def _memory(data: bytes, name: str) -> Bytes:
    return np.frombuffer(decompressed(data, name), dtype=np.uint8)


def stem(path: str) -> str:
    """Return a file's name without the endings that say how it is stored.

    >>> stem("runs/bm25.k1=0.9.run.gz")
    'bm25.k1=0.9'
    """
    bare, ending = os.path.splitext(os.path.basename(path))
    return stem(bare) if ending.lower() in _ENDINGS else bare + ending


_ENDINGS = {
    *(".gz", ".bz2", ".xz", ".zst", ".zstd"),
    *(".txt", ".run", ".trec", ".tsv", ".res", ".results", ".qrels"),
    *(".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq"),
}
