"""Files that ranx reads and writes: JSON, TREC, Parquet, and its own LZ4."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from truerank.compat.ranx.lists import Lists, Table
from truerank.data.errors import InputError
from truerank.io.writing import put

KINDS = {"json": "json", "lz4": "lz4", "parquet": "parquet", "parq": "parquet", "trec": "trec", "txt": "trec"}


def kind_of(path: str | os.PathLike[str], kind: str | None) -> str:
    """The kind of a file: as given, or by its ending; what is not known otherwise is TREC text, compressed or not.

    >>> kind_of("run.json", None), kind_of("run.parq", None), kind_of("run.gz", None), kind_of("bm25.run", None)
    ('json', 'parquet', 'trec', 'trec')
    """
    if kind is None:
        return KINDS.get(Path(path).suffix[1:].lower(), "trec")
    if kind == "gz":
        return "trec"
    if kind not in KINDS:
        raise InputError(f"kind={kind!r} is not known; take one of json, trec, gz, lz4, parquet")
    return KINDS[kind]


def unpacked(path: str | os.PathLike[str]) -> Any:
    """The dicts in a file of LZ4."""
    frame, cbor2 = _lz4()
    try:
        return cbor2.loads(frame.decompress(frame.decompress(Path(path).read_bytes())))
    except FileNotFoundError:
        raise InputError("there is no such file; check the path", os.fspath(path)) from None
    except (ValueError, RuntimeError) as error:
        raise InputError(f"not ranx's LZ4 ({error}); check the file, or name its kind", os.fspath(path)) from None


def save(lists: Lists[Any], path: str | os.PathLike[str], kind: str | None, lines: Iterable[str]) -> None:
    """Write a file; ``lines`` are those of the TREC form."""
    put(_contents(lists, kind_of(path, kind), lines), path)


def ranked(table: Table) -> Iterator[tuple[str, str, int, Any]]:
    """Query, document, rank and number, row by row."""
    for query, docs in table.items():
        for rank, (doc, number) in enumerate(docs.items(), 1):
            yield query, doc, rank, number


def _contents(lists: Lists[Any], form: str, lines: Iterable[str]) -> bytes:
    if form == "parquet":
        rows: bytes = lists.to_dataframe().to_parquet(index=False)
        return rows
    if form == "lz4":
        return _packed(lists.table())
    text = json.dumps(lists.table(), indent=2, ensure_ascii=False) if form == "json" else "\n".join(lines)
    return text.encode("utf-8", "surrogateescape")


def _packed(table: Table) -> bytes:
    frame, cbor2 = _lz4()
    packed: bytes = frame.compress(frame.compress(cbor2.dumps(table)))
    return packed


def _lz4() -> tuple[Any, Any]:
    try:
        import cbor2
        import lz4.frame  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError("LZ4 files need lz4 and cbor2; install them with: pip install lz4 cbor2") from None
    return lz4.frame, cbor2
