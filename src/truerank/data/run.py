"""A run: for each topic the documents a system retrieved, highest score first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from truerank.data.arrays import Floats, Ints, Keys, Rows
from truerank.data.ids import Ids
from truerank.data.ranks import Ranks

NIL = b"NIL"
"""A document of this name says that nothing more is worth showing (TREC 2001 question answering)."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A ranked run. Build one with ``truerank.io`` or ``arrange``, which establish what is promised here.

    >>> from truerank.data.arrange import arrange
    >>> run = arrange("bm25", [b"q1"], [0, 2], Ids.pack(["d1", "d2"]), [0.5, 2.5])
    >>> run
    Run('bm25', 1 topics, 2 documents)
    >>> run.ranking("q1")
    [('d2', 2.5), ('d1', 0.5)]
    """

    name: str
    topics: tuple[bytes, ...]
    """Distinct, in bytewise order."""
    offsets: Rows
    """The rows of topic t are offsets[t] to offsets[t + 1] - 1."""
    score: Floats
    """Finite; never increasing within a topic; equal scores stand in input order."""
    docs: Ids
    """Distinct within a topic."""
    key: Keys
    """``docs.keys()``."""
    arrival: Ints | None = None
    """Grows with the input position within each topic; None where the rows are in input order."""
    rank: Ranks | None = None
    """The rank column of the source, row by row; None where the source has no such column."""

    notes: tuple[str, ...] = ()
    """What was guessed or made up when the run was read, such as scores from ranks."""

    joined: list[tuple[object, tuple[Rows, Rows, Rows]]] = field(default_factory=list, init=False)
    """The last qrels that the run was matched with, and what was found: evaluating again need not search again."""

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {len(self.topics)} topics, {len(self)} documents)"

    def take(self, rows: Rows, offsets: Rows) -> Run:
        """Return the run with some of its rows only, in the same order; ``offsets`` are those of the rows kept."""
        return replace(
            self,
            offsets=offsets,
            score=self.score[rows],
            docs=self.docs.take(rows),
            key=self.key[rows],
            arrival=None if self.arrival is None else self.arrival[rows],
            rank=None if self.rank is None else self.rank.take(rows),
        )

    def of_topics(self, first: int, last: int) -> Run:
        """Return the run of the topics ``first`` to ``last - 1`` only.

        >>> from truerank.data.arrange import arrange
        >>> run = arrange("x", [b"p", b"q"], [0, 1, 3], Ids.pack(["a", "b", "c"]), [1, 2, 1])
        >>> run.of_topics(1, 2).topics, run.of_topics(1, 2).ranking("q")
        ((b'q',), [('b', 2.0), ('c', 1.0)])
        """
        begin, end = int(self.offsets[first]), int(self.offsets[last])
        some = self.take(np.arange(begin, end), self.offsets[first : last + 1] - begin)
        return replace(some, topics=self.topics[first:last])

    def topic_of(self, rows: Rows) -> Rows:
        """The number of the topic that each of some rows belongs to."""
        found: Rows = np.searchsorted(self.offsets, rows, side="right") - 1
        return found

    def ranking(self, topic: str | bytes) -> list[tuple[str, float]]:
        """Return a topic's documents with their scores, best first; KeyError if the run lacks the topic."""
        wanted = topic if isinstance(topic, bytes) else topic.encode("utf-8", "surrogateescape")
        if wanted not in self.topics:
            raise KeyError(topic)
        index = self.topics.index(wanted)
        rows = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        docs = Ids(self.docs.buffer, self.docs.start[rows], self.docs.length[rows]).tolist()
        names = [doc.decode("utf-8", "surrogateescape") for doc in docs]
        return list(zip(names, self.score[rows].tolist(), strict=True))
