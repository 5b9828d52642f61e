"""Chunks of documents merged into documents: passage results scored against judgments of documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from truerank.data.arrays import Floats, Ints, Keys, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.ids import Ids, one_id
from truerank.data.notes import CountNote
from truerank.data.parallel import blocks, parallel, topic_blocks
from truerank.data.printing import brief
from truerank.data.run import Run, arrange
from truerank.io.direction import input_order

Chunks: TypeAlias = str | bytes | Mapping[Any, Any] | Callable[[str], Any]

AGGREGATES = ("max", "first", "sum")

_BLOCK = 1 << 16


def merged(run: Run, chunks: Chunks, aggregate: str = "max") -> Run:
    """Merge the chunks of each document, within each topic.

    ``chunks`` is a separator (the document is what precedes its last occurrence), a dict from chunks to documents, or a
    function of a chunk's id. A chunk that has no document by it stays as it is. The document's score is the highest of
    its chunks ("max"), that of the chunk that came first in the input, whatever the others score ("first"), or their
    sum ("sum"). Documents with equal scores stand in the order that their best chunks ("max") or first chunks came in.

    >>> from truerank.data.ids import Ids
    >>> run = arrange("dense", [b"q1"], [0, 3], Ids.pack(["d1#0", "d2#0", "d1#1"]), [1.0, 2.5, 2.0])
    >>> merged(run, "#", "sum").ranking("q1")
    [('d1', 3.0), ('d2', 2.5)]
    >>> merged(run, "#").notes
    ('3 chunks made 2 documents, by max',)
    """
    if aggregate not in AGGREGATES:
        raise InputError(f"aggregate={aggregate!r} is not one of {', '.join(map(repr, AGGREGATES))}; choose one")
    docs, found = _documents(run.docs, chunks)
    groups = _DocumentGroups.of(run.offsets, docs)
    made = _collapsed(run, docs, groups, aggregate)
    say = partial(_said, aggregate=aggregate, lacking=_lacking(chunks))
    alone = len(run) - int(np.count_nonzero(found))
    said = CountNote(say, {"chunks": len(run), "documents": len(made), "alone": alone})
    return replace(made, notes=(*run.notes, said))


def _collapsed(run: Run, docs: Ids, groups: _DocumentGroups, aggregate: str) -> Run:
    """Return a run with a row for each group."""
    if aggregate == "max":
        # A run is in descending order of scores, so that its first chunk of a document is the best one.
        rows = groups.places(groups.members[groups.begin])
        picked, arrival = docs.take(rows), None if run.arrival is None else run.arrival[rows]
        return Run(run.name, run.topics, _ends(rows, run), run.score[rows], picked, picked.keys(), arrival)
    order = input_order(run)
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    first = np.minimum.reduceat(position[groups.members], groups.begin) if len(order) else order
    places = groups.places(first)
    rows = order[places]
    score = run.score[rows]
    if aggregate == "sum":
        total = np.zeros(len(order))
        total[first] = groups.sums(run.score)
        score = total[places]
    return arrange(run.name, run.topics, _ends(places, run), docs.take(rows), score, reuse=True)


def _ends(places: Rows, run: Run) -> Rows:
    return np.searchsorted(places, run.offsets).astype(np.intp)


@dataclass(frozen=True, eq=False)
class _DocumentGroups:
    """Rows of a topic that hold the same document."""

    members: Rows
    """Rows, group by group; in each group as they stand in the run."""
    begin: Rows
    """Where each group begins."""

    @classmethod
    def of(cls, bounds: Rows, docs: Ids) -> _DocumentGroups:
        """Find the documents that come again, by key; keys that two documents share are told apart by the bytes."""
        members, new = _sorted(bounds, docs.keys())
        again = np.flatnonzero(~new)

        def alike(block: slice) -> bool:
            return bool(docs.same(members[again[block]], docs, members[again[block] - 1]).all())

        if not all(parallel(alike, blocks(len(again), _BLOCK))):
            number: dict[bytes, int] = {}
            numbers = np.array([number.setdefault(doc, len(number)) for doc in docs.tolist()], dtype=np.uint64)
            members, new = _sorted(bounds, numbers)
        return cls(members, np.flatnonzero(new))

    def places(self, first: Rows) -> Rows:
        """Return places, one a group, in order."""
        is_first = np.zeros(len(self.members), dtype=np.bool_)
        is_first[first] = True
        return np.flatnonzero(is_first)

    def sums(self, score: Floats) -> Floats:
        """For each group, the sum of scores, the highest first, so that equal scores give equal sums."""
        if not len(score):
            return score
        with np.errstate(over="ignore"):
            sums: Floats = np.add.reduceat(score[self.members], self.begin)
        return sums


def _sorted(bounds: Rows, label: Keys) -> tuple[Rows, Mask]:
    """Return rows with equal labels side by side within each topic, and where another label begins."""
    members = np.arange(len(label))
    new = np.ones(len(label), dtype=np.bool_)
    ends: list[int] = bounds.tolist()

    def sort(topics: tuple[int, int]) -> None:
        for begin, end in zip(ends[topics[0] : topics[1]], ends[topics[0] + 1 : topics[1] + 1], strict=True):
            order = np.argsort(label[begin:end], kind="stable")
            ranked = label[begin:end][order]
            members[begin:end] = order + begin
            new[begin + 1 : end] = ranked[1:] != ranked[:-1]

    parallel(sort, topic_blocks(ends, _BLOCK))
    return members, new


def _documents(ids: Ids, chunks: Chunks) -> tuple[Ids, Mask]:
    """Return the document of each chunk, and which chunks have one."""
    if isinstance(chunks, str | bytes):
        separator = one_id(chunks, "separator")
        if not separator:
            raise InputError("chunks='' separates nothing; give what stands between document and chunk, such as '#'")
        length = _before(ids, separator)
        found = length > 0
        # Compared in unsigned bytes, so that a shortened id keeps the compact type of its length.
        return Ids(ids.buffer, ids.start, np.where(found, length, ids.length).astype(ids.length.dtype)), found
    names = ids.tolist()
    if isinstance(chunks, Mapping):
        table = {one_id(chunk, "chunk"): one_id(doc, "document") for chunk, doc in chunks.items()}
        found = np.fromiter(map(table.__contains__, names), np.bool_, len(names))
        return Ids.pack([table.get(name, name) for name in names]), found
    if not callable(chunks):
        raise InputError(f"chunks is a {type(chunks).__name__}; give a separator, a dict or a function")
    table = {name: one_id(chunks(name.decode("utf-8", "surrogateescape")), "document") for name in dict.fromkeys(names)}
    return Ids.pack([table[name] for name in names]), np.ones(len(names), dtype=np.bool_)


def _before(ids: Ids, separator: bytes) -> Ints:
    """Return how many bytes of each id precede the last separator, 0 where there is none or nothing before it."""
    result = np.zeros(len(ids), dtype=np.intp)
    size = len(separator)

    def look(block: slice) -> None:
        start = ids.start[block].astype(np.intp)
        length = ids.length[block].astype(np.intp) - size
        rows = np.flatnonzero(length > 0)
        # From the end, a byte at a time: chunk numbers are short, so that few rows are left after few steps.
        while len(rows):
            at = start[rows] + length[rows]
            hit = ids.buffer[at] == separator[0]
            for place in range(1, size):
                hit &= ids.buffer[at + place] == separator[place]
            result[block.start + rows[hit]] = length[rows[hit]]
            length[rows] -= 1
            rows = rows[~hit & (length[rows] > 0)]

    parallel(look, blocks(len(ids), _BLOCK))
    return result


def _said(chunks: int, documents: int, alone: int, *, aggregate: str, lacking: str) -> str:
    said = f"{chunks:,} chunks made {documents:,} documents, by {aggregate}"
    if chunks == documents:
        said = f"no document has more than one of the {chunks:,} chunks"
    return f"{said}; {alone:,} of {chunks:,} {lacking} and stay as they are" if alone else said


def _lacking(chunks: Chunks) -> str:
    return f"have no {brief(chunks)}" if isinstance(chunks, str | bytes) else "are not among the chunks given"
