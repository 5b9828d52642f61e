"""A run: for each topic the documents a system retrieved, highest score first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Ints, Keys, Rows, spans, table
from truerank.data.arrays import offsets as offsets_of
from truerank.data.classes import dataclass
from truerank.data.errors import Origin, RepeatedError
from truerank.data.given_ids import as_given
from truerank.data.grouping import group, repeats, topic_at
from truerank.data.ids import Ids, one_id, text
from truerank.data.parallel import parallel, topic_blocks
from truerank.data.printing import shown
from truerank.data.stated_ranks import Ranks, RankText

NIL = b"NIL"
"""A document of this name says that nothing more is worth showing (TREC 2001 question answering)."""
REPEATED_NIL = "NIL is listed more than once for a topic: the first one counts"
_BLOCK = 1 << 16
Noted = list[tuple[object, dict[Hashable, tuple[Floats, Floats]]]]
"""By a pool and what else they depend on, the lowest and highest values that an order of ties can give."""


@dataclass(slots=True, eq=False)
class JudgedPlaces:
    """Where the judged documents of a run stand."""

    qrels: object
    precision: str
    """How scores were compared."""
    columns: dict[str, Rows | Floats]
    by_grade: Rows | None = None
    """The documents in the order that has tied ones by grade, once somebody asked for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A ranked run. Build one with ``truerank.io`` or ``arrange``, which establish what is promised here.

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
    placed: list[JudgedPlaces] = field(default_factory=list, init=False)
    """The same of where the documents found stand."""
    noted: Noted = field(default_factory=list, init=False)
    """By the pool of the last qrels, what the order of ties could do: a note is worth working that out once, not at
    every call."""

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

        >>> run = arrange("x", [b"p", b"q"], [0, 1, 3], Ids.pack(["a", "b", "c"]), [1, 2, 1])
        >>> run.of_topics(1, 2).topics, run.of_topics(1, 2).ranking("q")
        ((b'q',), [('b', 2.0), ('c', 1.0)])
        """
        begin, end = int(self.offsets[first]), int(self.offsets[last])
        some = self.take(np.arange(begin, end), self.offsets[first : last + 1] - begin)
        return replace(some, topics=self.topics[first:last])

    def empty(self) -> Run:
        """Return a run of this name that lists nothing, and has ranks where this one has."""
        docs, rank = Ids.pack([]), None if self.rank is None else np.zeros(0)
        return Run(self.name, (), np.zeros(1, np.intp), np.zeros(0), docs, docs.keys(), rank=rank)

    def topic_of(self, rows: Rows) -> Rows:
        """The number of the topic that each of some rows belongs to."""
        found: Rows = np.searchsorted(self.offsets, rows, side="right") - 1
        return found

    def ranking(self, topic: str | bytes | int) -> list[tuple[Any, float]]:
        """Return a topic's documents with their scores, best first; KeyError if the run lacks the topic.

        Documents are text, or whole numbers where they were all given as such.
        """
        listed = self.listed(one_id(topic, "topic"))
        return list(zip(as_given([doc for doc, _ in listed]), (score for _, score in listed), strict=True))

    def listed(self, topic: bytes) -> list[tuple[str, float]]:
        """The same with documents in words."""
        if topic not in self.topics:
            raise KeyError(text(topic))
        index = self.topics.index(topic)
        rows = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        docs = self.docs.take(np.arange(rows.start, rows.stop)).tolist()
        return list(zip(map(text, docs), self.score[rows].tolist(), strict=True))


class Late(Run):
    """A run that is arranged when somebody asks for more of it than its name, its topics and what is known of a join.

    >>> run = Late("x", (b"q",), lambda: arrange("x", [b"q"], [0, 2], Ids.pack("ab"), [1, 2]))
    >>> run.topics, run.score.tolist()
    ((b'q',), [2.0, 1.0])
    """

    __slots__ = ("_make",)

    def __init__(self, name: str, topics: tuple[bytes, ...], make: Callable[[], Run]) -> None:
        for slot, value in {
            "name": name,
            "topics": topics,
            "notes": (),
            "joined": [],
            "placed": [],
            "noted": [],
        }.items():
            object.__setattr__(self, slot, value)
        object.__setattr__(self, "_make", make)

    def __getattr__(self, name: str) -> Any:
        if name not in _ARRANGED:
            raise AttributeError(name)
        made = self._make()
        for slot in _ARRANGED:
            object.__setattr__(self, slot, getattr(made, slot))
        return getattr(self, name)

    def take(self, rows: Rows, offsets: Rows) -> Run:
        """Return the run with some of its rows only, arranged."""
        made: Run = self._make()
        return made.take(rows, offsets)


_ARRANGED = ("offsets", "score", "docs", "key", "arrival", "rank")


def arrange(
    name: str,
    topics: Sequence[bytes],
    bounds: npt.ArrayLike | None,
    docs: Ids,
    score: npt.ArrayLike,
    *,
    segment: npt.ArrayLike | None = None,
    key: Keys | None = None,
    rank: Ranks | None = None,
    origin: Origin | None = None,
    reuse: bool = False,
    nil_once: bool = False,
    distinct: bool = False,
) -> Run:
    """Make a run of rows in any order; a document that is listed twice for a topic is refused.

    Segment s holds the rows bounds[s] to bounds[s + 1] - 1 and belongs to topics[segment[s]], or topics[s] when no
    ``segment`` is given; without ``bounds`` each row is a segment. ``topics`` are distinct. ``rank`` has a rank for
    each row, or says that the text behind each id in ``docs`` has. ``reuse=True`` gives the arrays away: rows are then
    moved in place, which halves the memory a large run needs for a moment.

    A list ends at its first NIL, so that others say nothing more: they are left out, and the run's notes tell.
    ``nil_once=True`` refuses them as any other document. ``distinct=True`` says that no document can be listed twice
    for a topic, as in a dict, so that nobody need look.

    >>> run = arrange("x", [b"q2", b"q1"], [0, 1, 2, 3], Ids.pack("abc"), [1, 2, 3], segment=[0, 1, 0])
    >>> run.topics, run.ranking("q2")
    ((b'q1', b'q2'), [('c', 3.0), ('a', 1.0)])
    """
    columns: list[Array] = [
        np.asarray(score, dtype=np.float64),
        docs.keys() if key is None else key,
        docs.start,
        docs.length,
    ]
    if rank is not None and not isinstance(rank, RankText):
        columns.append(rank)
    names, offsets, move = group(topics, None if bounds is None else np.asarray(bounds), segment)
    if move is not None:
        columns = columns if reuse else [column.copy() for column in columns]
        move(columns)
        reuse = True
    unsorted, infinite = _inspect(columns[0], offsets)
    origin = Origin() if origin is None else origin
    if infinite is not None:
        docs = replace(docs, start=columns[2], length=columns[3])
        raise _infinite(infinite, columns[0], docs, offsets, names, origin)
    arrival = None
    if len(unsorted):
        columns = columns if reuse else [column.copy() for column in columns]
        arrival = _sort(columns, offsets, unsorted)
    score, key, start, length, *ranks = columns
    docs = replace(docs, start=start, length=length)
    if rank is not None:
        rank = ranks[0] if ranks else RankText(docs)
    run = Run(name, names, offsets, score, docs, key, arrival, rank)
    return run if distinct else _distinct(run, origin, nil_once)


def _inspect(score: Floats, offsets: Rows) -> tuple[Rows, int | None]:
    """Return the topics whose scores do not descend, and the first row without a finite score."""

    def look(topics: tuple[int, int]) -> tuple[Rows, int | None]:
        bound = offsets[topics[0] : topics[1] + 1]
        begin = int(bound[0])
        part = score[begin : int(bound[-1])]
        finite = np.isfinite(part)
        wrong = None if finite.all() else begin + int(np.flatnonzero(~finite)[0])
        rises = part[1:] > part[:-1]
        if not rises.any():
            return bound[:0], wrong
        before = offsets_of(rises)
        count = before[np.maximum(bound[1:] - begin - 1, 0)] - before[np.minimum(bound[:-1] - begin, len(rises))]
        return np.flatnonzero(count > 0) + topics[0], wrong

    found = parallel(look, topic_blocks(offsets.tolist(), _BLOCK))
    unsorted = np.concatenate([topics for topics, _ in found]) if found else offsets[:0]
    return unsorted, next((wrong for _, wrong in found if wrong is not None), None)


def _sort(columns: list[Array], offsets: Rows, topics: Rows) -> Ints:
    """Sort topics by descending score in place, equal scores as they were; return where each row was."""
    score = columns[0]
    arrival = np.arange(len(score), dtype=np.int32 if len(score) < 1 << 31 else np.intp)
    begin, count = offsets[topics], (offsets[1:] - offsets[:-1])[topics]

    def sort(block: tuple[int, int]) -> None:
        first, size = begin[slice(*block)], count[slice(*block)]
        begins, ends = int(first[0]), int(first[-1] + size[-1])
        rows = slice(begins, ends) if ends - begins == int(size.sum()) else spans(first, size)
        order = _descending(score[rows], size)
        for column in (*columns, arrival):
            column[rows] = column[rows].take(order)

    parallel(sort, topic_blocks(offsets_of(count).tolist(), _BLOCK))
    return arrival


def _descending(score: Floats, count: Rows) -> Rows:
    """The order of lists that follow one another, each by descending score; equal scores stay as they are."""
    if len(count) > 1 and len(count) * int(count.max()) > 2 * len(score):
        # Lists of very different lengths: two halves waste less room than one table.
        half = len(count) // 2
        cut = int(count[:half].sum())
        return np.concatenate([_descending(score[:cut], count[:half]), cut + _descending(score[cut:], count[half:])])
    lowered = table(-score, count, np.inf)
    order = np.argsort(lowered, axis=-1)
    ranked = np.sort(lowered, axis=-1)
    # The quick sort is not stable, which shows only where scores are equal.
    tied = np.flatnonzero((ranked[:, 1:] == ranked[:, :-1]).any(axis=-1))
    if len(tied):
        order[tied] = np.argsort(lowered[tied], axis=-1, kind="stable")
    order += (np.cumsum(count) - count)[:, None]
    if len(score) == order.size:
        return order.ravel()
    return order[np.arange(order.shape[1]) < count[:, None]]


def _infinite(
    row: int, score: Floats, docs: Ids, offsets: Rows, topics: tuple[bytes, ...], origin: Origin
) -> Exception:
    topic = topic_at(topics, offsets, row)
    return origin.error(
        f"document {shown(docs[row])} of topic {shown(topic)} has the score {score[row]}; give a finite number",
        int(docs.start[row]),
    )


def _distinct(run: Run, origin: Origin, nil_once: bool) -> Run:
    """The run if each document is listed once for a topic, and NIL too; of NIL, all but the first are left out."""
    pairs = repeats(run.offsets, run.key, run.docs)
    if not len(pairs):
        return run
    if not nil_once and all(run.docs[row] == NIL for row in pairs[:, 0].tolist()):
        keep = np.ones(len(run), dtype=np.bool_)
        keep[pairs[:, 1]] = False
        some = run.take(np.flatnonzero(keep), offsets_of(keep)[run.offsets])
        return replace(some, notes=(REPEATED_NIL,))
    pairs = pairs if nil_once else pairs[[run.docs[row] != NIL for row in pairs[:, 0].tolist()]]
    first, second = sorted(int(run.docs.start[row]) for row in pairs[0].tolist())
    topic = topic_at(run.topics, run.offsets, int(pairs[0][0]))
    raise origin.error(
        f"document {shown(run.docs[int(pairs[0][0])])} is listed twice for topic {shown(topic)}{origin.also(first)}; "
        "keep one of the two",
        second,
        kind=RepeatedError,
    )
