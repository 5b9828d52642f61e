"""A pair of files without anything to find, from which others are made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

TOPICS = ("401", "402", "403")
DEPTH = 12


def clean_qrels() -> list[str]:
    """Twelve documents a topic, graded 0, 1 or 2."""
    return [f"{topic} 0 FT-{rank} {rank % 3}" for topic in TOPICS for rank in range(1, DEPTH + 1)]


def clean_run() -> list[str]:
    """The judged documents, with scores that fall with the rank."""
    return [f"{topic} Q0 FT-{rank} {rank} {20 - rank}.5 bm25" for topic in TOPICS for rank in range(1, DEPTH + 1)]


def text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def swap(old: str, new: str) -> Callable[[bytes], bytes]:
    """An edit: one text put in the place of another, which must be there."""

    def edit(data: bytes) -> bytes:
        assert old.encode() in data
        return data.replace(old.encode(), new.encode())

    return edit


def column(place: int, value: Callable[[list[str], int], str]) -> Callable[[bytes], bytes]:
    """An edit: another value in a column of each line."""

    def edit(data: bytes) -> bytes:
        rows = [line.split() for line in data.decode().splitlines()]
        return text(
            [" ".join([*row[:place], value(row, number), *row[place + 1 :]]) for number, row in enumerate(rows)]
        )

    return edit


def write(folder: Path, qrels: bytes | None = None, run: bytes | None = None) -> tuple[str, str]:
    """Write judgments and a run; those without anything to find, unless others are given."""
    paths = folder / "qrels.txt", folder / "bm25.run"
    paths[0].write_bytes(text(clean_qrels()) if qrels is None else qrels)
    paths[1].write_bytes(text(clean_run()) if run is None else run)
    return str(paths[0]), str(paths[1])
