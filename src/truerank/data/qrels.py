"""Relevance judgments: for each topic the judged documents with their grades, or preferences between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from truerank.data.arrays import Floats, Keys, Mask, Rows, distinct, spans, stretches
from truerank.data.arrays import offsets as offsets_of
from truerank.data.classes import dataclass
from truerank.data.errors import Origin, RepeatedError
from truerank.data.grouping import group, repeats, topic_at
from truerank.data.ids import Ids
from truerank.data.printing import counted, shown
from truerank.data.subtopics import SecondColumn, Subtopics, by_subtopic

Judged = TypeVar("Judged", bound="Qrels")
BY_SUBTOPIC = "{} judged for several subtopics (their second columns differ): the best grade of each counts"


@dataclass(frozen=True, slots=True, eq=False)
class Qrels:
    """Graded judgments. Build them with ``truerank.io`` or ``collect``, which establish what is promised here.

    >>> qrels = collect([b"q1"], [0, 2], Ids.pack(["d1", "d2"]), [2, 0])
    >>> qrels, qrels.max_grade
    (Qrels(1 topics, 2 judgments), 2.0)
    """

    topics: tuple[bytes, ...]
    """Distinct, in bytewise order."""
    offsets: Rows
    """The judgments of topic t are offsets[t] to offsets[t + 1] - 1."""
    grade: Floats
    """Finite; NaN for every document of ``Preferences``."""
    docs: Ids
    """Distinct within a topic."""
    key: Keys
    """``docs.keys()``."""
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    """What was guessed or made up when the judgments were read, such as which columns hold what."""
    several_grades: int = field(default=0, kw_only=True)
    """Documents with several grades, by subtopic, of which they have the best here."""
    rest: Rest | None = field(default=None, kw_only=True, repr=False)
    """What was not asked for, where these are the judgments of some topics; None where they are all there are."""

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.topics)} topics, {len(self)} judgments)"

    @property
    def max_grade(self) -> float:
        """The highest grade of the collection; 0 where no grade is positive."""
        grade = self.grades
        return float(max(0.0, np.nanmax(grade))) if (grade == grade).any() else 0.0

    @property
    def grades(self) -> Floats:
        """The grades of the collection, those of topics that were not asked for last."""
        return self.grade if self.rest is None else np.concatenate([self.grade, self.rest.judgments.grade])

    @property
    def only_relevant(self) -> bool:
        """Whether no document is judged not relevant: where only positives are known, a missing judgment says nothing.

        >>> collect([b"q1"], [0, 2], Ids.pack(["d1", "d2"]), [1, 3]).only_relevant
        True
        """
        return bool(len(self.grades) and (self.grades > 0).all())

    def only(self, topics: Rows, unknown: tuple[str, ...] = ()) -> Qrels:
        """The judgments of some topics, given by number; what else there is stays known, and decides what grades mean.

        ``unknown`` are topics that were asked for, too, and are not judged.

        >>> qrels = collect([b"q1", b"q2"], [0, 1, 2], Ids.pack(["d1", "d2"]), [1, 3])
        >>> qrels.only(np.array([0])), qrels.only(np.array([0])).max_grade
        (Qrels(1 topics, 1 judgments), 3.0)
        """
        others = np.setdiff1d(np.arange(len(self.topics)), topics)
        return replace(self.of_topics(topics), rest=Rest(self.of_topics(others), unknown))

    def of_topics(self, topics: Rows) -> Qrels:
        """The judgments of some topics, given by number, as if there were no others."""
        return self._of_topics(topics)

    def _of_topics(self: Judged, topics: Rows) -> Judged:
        """What all kinds of judgments have of some topics; the rest is as it was."""
        count = np.diff(self.offsets)[topics]
        rows = spans(self.offsets[topics], count)
        return replace(
            self,
            topics=tuple(self.topics[topic] for topic in topics.tolist()),
            offsets=offsets_of(count),
            grade=self.grade[rows],
            docs=self.docs.take(rows),
            key=self.key[rows],
        )

    @property
    def num_rel(self) -> Rows:
        """How many relevant documents each topic has: those with a grade above 0, which have gain.

        >>> collect([b"q1", b"q2"], [0, 3, 4], Ids.pack(["d1", "d2", "d3", "d1"]), [2, 0.5, 0, -1]).num_rel.tolist()
        [2, 0]
        """
        topic = stretches(self.offsets)
        return np.bincount(topic[self.grade > 0], minlength=len(self.topics))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Preferences(Qrels):
    """Preference judgments: pairs (better, worse) of documents instead of grades, and pairs of equally good ones.

    Each judgment is a row: what several people said of two documents stands there as often as they said it, and they
    may contradict one another. Build them with ``truerank.io`` or ``truerank.data.preferences``.

    >>> from truerank.data.preferences import prefer
    >>> preferences = prefer([b"q1"], [0, 1], Ids.pack(["d2"]), Ids.pack(["d1"]))
    >>> preferences, preferences.docs.tolist(), preferences.pairs.tolist(), preferences.pair_offsets.tolist()
    (Preferences(1 topics, 1 preferences), [b'd2', b'd1'], [[0, 1]], [0, 1])
    """

    pairs: Rows
    """Rows of ``docs``: the better document and the worse one."""
    pair_offsets: Rows
    """The pairs of topic t are pair_offsets[t] to pair_offsets[t + 1] - 1."""
    ties: Rows
    """Rows of ``docs``: two documents that were judged equally good."""
    tie_offsets: Rows
    """The ties of topic t are tie_offsets[t] to tie_offsets[t + 1] - 1."""
    first_shown: Mask | None = field(default=None, kw_only=True)
    """Of each pair, whether the better document is the first of the two as they were named, where the order in which
    they were named is apart from which was found better; None where it is not, or is not known."""

    def __repr__(self) -> str:
        ties = f", {len(self.ties)} ties" if len(self.ties) else ""
        return f"Preferences({len(self.topics)} topics, {len(self.pairs)} preferences{ties})"

    def of_topics(self, topics: Rows) -> Preferences:
        """The preferences of some topics, given by number, as if there were no others."""
        count = np.diff(self.offsets)[topics]
        # How far documents move up.
        moved = np.zeros(len(self.topics), np.intp)
        moved[topics] = offsets_of(count)[:-1] - self.offsets[topics]
        kept: dict[str, Rows] = {}
        for name, pairs, bounds in (("pair", self.pairs, self.pair_offsets), ("tie", self.ties, self.tie_offsets)):
            each = np.diff(bounds)[topics]
            rows = spans(bounds[topics], each)
            if name == "pair":
                kept["rows"] = rows
            kept[name] = pairs[rows] + np.repeat(moved[topics], each)[:, None]
            kept[f"{name}_offsets"] = offsets_of(each)
        return replace(
            self._of_topics(topics),
            pairs=kept["pair"],
            pair_offsets=kept["pair_offsets"],
            ties=kept["tie"],
            tie_offsets=kept["tie_offsets"],
            first_shown=None if self.first_shown is None else self.first_shown[kept["rows"]],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What there is beside the topics that were asked for."""

    judgments: Qrels
    """Those of the other topics."""
    unknown: tuple[str, ...] = ()
    """Topics that were asked for and are not judged."""


def collect(
    topics: Sequence[bytes],
    bounds: ArrayLike | None,
    docs: Ids,
    grade: ArrayLike,
    *,
    segment: ArrayLike | None = None,
    origin: Origin | None = None,
    subtopics: Subtopics | None = None,
) -> Qrels:
    """Make judgments of rows in any order; segments as in ``arrange``. Two rows that agree are one.

    ``subtopics`` say what each row is about. A document that is judged for several of them has its best grade, and a
    note says so; otherwise two grades of a document are refused.

    >>> collect([b"q"], [0, 3], Ids.pack(["a", "b", "a"]), [1, 0, 1]).docs.tolist()
    [b'a', b'b']
    >>> collect([b"q"], [0, 2], Ids.pack(["a", "a"]), [0, 2], subtopics=Ids.pack(["1", "2"])).grade.tolist()
    [2.0]
    """
    origin = Origin() if origin is None else origin
    value = np.asarray(grade, dtype=np.float64)
    names, offsets, move = group(topics, None if bounds is None else np.asarray(bounds), segment)
    if move is not None:
        value, docs = value.copy(), _copied(docs)
        moved = [value, docs.start, docs.length]
        if isinstance(subtopics, Ids):
            subtopics = _copied(subtopics)
            moved += [subtopics.start, subtopics.length]
        move(moved)
    key = docs.keys()
    _refuse_infinite(value, docs, offsets, names, origin)
    pairs = repeats(offsets, key, docs)
    found = by_subtopic(pairs, subtopics if subtopics is None or isinstance(subtopics, Ids) else SecondColumn(docs))
    differ = np.flatnonzero(value[found.pairs[:, 0]] != value[found.pairs[:, 1]])
    if len(differ):
        one, two = (int(row) for row in found.pairs[differ[0]])
        topic = topic_at(names, offsets, one)
        raise origin.error(
            f"document {shown(docs[one])} of topic {shown(topic)} is judged {value[two]:g} "
            f"and {value[one]:g}{origin.also(int(docs.start[one]))}; keep one of the two judgments",
            int(docs.start[two]),
            kind=RepeatedError,
        )
    several = len(distinct(pairs[value[pairs[:, 0]] != value[pairs[:, 1]], 0]))
    if len(pairs):
        best = value.copy()
        np.maximum.at(best, pairs[:, 0], value[pairs[:, 1]])
        keep = np.ones(len(value), dtype=np.bool_)
        keep[pairs[:, 1]] = False
        value, docs, key, offsets = best[keep], docs.take(np.flatnonzero(keep)), key[keep], offsets_of(keep)[offsets]
    notes = (BY_SUBTOPIC.format(counted(found.documents, "document")),) if found.documents else ()
    return Qrels(names, offsets, value, docs, key, notes=notes, several_grades=several)


def _copied(ids: Ids) -> Ids:
    """Ids whose rows can be moved."""
    return replace(ids, start=ids.start.copy(), length=ids.length.copy())


def taken(qrels: Qrels, kept: Mask) -> Qrels:
    """Some of the judgments; topics stay.

    >>> qrels = collect([b"q1", b"q2"], [0, 2, 3], Ids.pack(["a", "b", "c"]), [1, 0, 1])
    >>> taken(qrels, np.array([False, True, False])).offsets.tolist()
    [0, 1, 1]
    """
    return replace(
        qrels,
        offsets=offsets_of(kept)[qrels.offsets],
        grade=qrels.grade[kept],
        docs=qrels.docs.take(np.flatnonzero(kept)),
        key=qrels.key[kept],
    )


def _refuse_infinite(grade: Floats, docs: Ids, offsets: Rows, topics: tuple[bytes, ...], origin: Origin) -> None:
    finite = np.isfinite(grade)
    if not finite.all():
        row = int(np.flatnonzero(~finite)[0])
        topic = topic_at(topics, offsets, row)
        raise origin.error(
            f"document {shown(docs[row])} of topic {shown(topic)} has the grade {grade[row]}; "
            "give every judgment a finite number",
            int(docs.start[row]),
        )
