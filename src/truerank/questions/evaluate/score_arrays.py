"""Scores of arrays: many vectors of scores for the same documents, judged once, without a run for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from truerank.conventions.axes import Conventions
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.arrays import Floats, Rows, distinct, spans, stretches, table
from truerank.data.arrays import offsets as offsets_of
from truerank.data.block import Pool, pool_of
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.judge import JudgedRun
from truerank.data.printing import counted
from truerank.data.qrels import Qrels
from truerank.data.rankings import ENDLESS
from truerank.data.run import Run
from truerank.data.ties import all_tie_groups
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.track.lens import Lens
from truerank.track.pools import OnePool
from truerank.track.track import refuse_measures
from truerank.track.values import settled

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given

_ANONYMOUS = "asks for the ids of documents, and arrays have none"
RULES = AxisRules(
    fixed={"missing": "empty", "nil": "end", "identical": "keep", "relevant": "judgments", "unseen": 0},
    refused={
        **one_number("an array has room for one"),
        "ties": {
            "bounds": "gives two numbers for a score, and an array has room for one: ask for best and for worst",
            **dict.fromkeys(("docid", "docid-asc", "rank"), _ANONYMOUS),
        },
    },
)
_ROOM = 1 << 16
"""Slots of a batch of vectors: few enough to stay in cache, many enough for short lists to share a step."""
_SPARSE = 2
"""Times as many slots as documents, from which on topics are taken together by their length."""


class ArrayScorer:
    """Documents with their grades, made ready for any number of vectors of scores.

    ``grades`` has a grade for each document, NaN where it is unjudged; the documents of topic t are those from
    ``offsets[t]`` to ``offsets[t + 1] - 1``. What depends on the grades alone, such as ideal rankings, is worked out
    once. Conventions are keywords as those of ``evaluate``: ``ties`` may be "expected", "best", "worst" or "input", the
    order of the array.

    >>> scorer = ArrayScorer([1, 0, 2, 0, 1], [0, 3, 5], "RR")
    >>> scorer([3.0, 2.0, 1.0, 2.0, 2.0]).tolist()  # the documents of the second topic are tied
    [1.0, 0.75]
    >>> scorer([[3, 2, 1, 2, 1], [0, 2, 1, 1, 2]]).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """

    def __init__(
        self,
        grades: ArrayLike,
        offsets: ArrayLike,
        measures: str | Measure | Iterable[str | Measure],
        **given: Unpack[Given],
    ) -> None:
        self.conventions = RULES.chosen(given)
        if str(self.conventions.ties).startswith("sample"):
            raise InputError(f"ties={self.conventions.ties!r} {_ANONYMOUS}; choose ties='expected'")
        self.measures = parse_all(measures)
        refuse_measures(self.measures, self.conventions)
        for measure in self.measures:
            if measure.needs_pool:
                raise InputError(f"{measure} asks for the runs that made the pool, and arrays tell of none")
        self.one = isinstance(measures, Measure) or (isinstance(measures, str) and len(self.measures) == 1)
        self.grades = _vector("grades", grades)
        if np.isinf(self.grades).any():
            raise InputError("a grade is infinite; give finite numbers, and NaN where a document is unjudged")
        self.offsets = _bounds(offsets, len(self.grades))
        self._parts = [_Part.of(self, topics) for topics in _parts(np.diff(self.offsets))]

    @property
    def topics(self) -> int:
        return len(self.offsets) - 1

    def __call__(self, scores: ArrayLike) -> Any:
        """Values of each topic, shape (topics,) for one vector of scores and (vectors, topics) for several.

        A score of NaN says that the vector does not list the document. With one measure given as such the answer is the
        array, with several a dict from their names to arrays. A topic without a value, where the conventions do not
        have it count, is NaN.
        """
        given = np.asarray(scores)
        if given.dtype.kind not in "fiub":
            raise InputError(f"scores are numbers, not {given.dtype}")
        if given.ndim not in (1, 2) or given.shape[-1] != len(self.grades):
            raise InputError(
                f"scores have the shape {given.shape}; give ({len(self.grades)},) or (vectors, {len(self.grades)}), "
                "a score for each grade"
            )
        several = given.astype(np.float64, copy=False).reshape(-1, len(self.grades))
        if np.isinf(several).any():
            raise InputError("a score is infinite; give finite numbers, and NaN where a document is not listed")
        found = {measure: np.empty((len(several), self.topics)) for measure in self.measures}
        for part in self._parts:
            for vectors, values in part.score(several):
                for measure, value in values.items():
                    found[measure][vectors, part.topics] = value
        shaped = {
            str(measure): settled(value, measure, self.conventions).reshape(*given.shape[:-1], self.topics)
            for measure, value in found.items()
        }
        return shaped[str(self.measures[0])] if self.one else shaped


def score_arrays(
    scores: ArrayLike,
    grades: ArrayLike,
    offsets: ArrayLike,
    measures: str | Measure | Iterable[str | Measure] = "nDCG@10",
    **given: Unpack[Given],
) -> Any:
    """Score vectors of scores for documents in arrays: what an optimiser asks for thousands of times.

    ``grades`` has a grade for each document, NaN where it is unjudged; the documents of topic t are those from
    ``offsets[t]`` to ``offsets[t + 1] - 1``. ``scores`` has the shape (documents,) or (vectors, documents); NaN says
    that a vector does not list a document. Values are those of ``evaluate`` to the bit, of shape (topics,) or (vectors,
    topics): an array for one measure, a dict by name for several. Documents that share a score count with the mean over
    all their orders; conventions are keywords as those of ``evaluate``.

    To score other vectors for the same documents, keep ``ArrayScorer(grades, offsets, measures)`` and call it.

    >>> score_arrays([3, 2, 2, 1, 1], [1, 0, 2, 0, 1], [0, 3, 5], "AP").tolist()
    [0.9166666666666666, 0.75]
    >>> score_arrays([3, 2, 2], [1, 0, 2], [0, 3], "AP nDCG@2", ties="worst")["AP"].tolist()
    [0.8333333333333333]
    """
    return ArrayScorer(grades, offsets, measures, **given)(scores)


@dataclass(frozen=True, eq=False)
class _Copies:
    """Topics as often as there are vectors in a batch, and their judgments."""

    qrels: Qrels
    pool: Pool
    judgment: Rows
    """Row of each document in these judgments; -1 where unjudged."""


class _Part:
    """Topics of much the same length, which stand in one table a batch of vectors."""

    def __init__(
        self,
        topics: Rows,
        documents: Rows,
        count: Rows,
        grades: Floats,
        top: float,
        measures: tuple[Measure, ...],
        conventions: Conventions,
    ) -> None:
        self.topics = topics
        self.documents = documents
        """Places of their documents in the arrays; those of a topic stand side by side."""
        self.count = count
        self.grades = grades
        self.top = top
        """The highest grade of all topics."""
        self.conventions = conventions
        self.measures = measures
        self.reach = _reach(measures, conventions)
        self._copies: dict[int, _Copies] = {}

    @classmethod
    def of(cls, scorer: ArrayScorer, topics: Rows) -> _Part:
        count = np.diff(scorer.offsets)[topics]
        documents = spans(scorer.offsets[:-1][topics], count)
        known = scorer.grades[~np.isnan(scorer.grades)]
        top = float(max(0.0, known.max(initial=0.0)))
        return cls(topics, documents, count, scorer.grades[documents], top, scorer.measures, scorer.conventions)

    def score(self, scores: Floats) -> Iterator[tuple[slice, dict[Measure, Floats]]]:
        """For each batch of vectors, which they are and what topics score, shape (vectors, topics)."""
        every = len(self.documents) == scores.shape[1] and len(self.topics) == int(self.topics[-1]) + 1
        size = max(_ROOM // max(len(self.topics) * (int(self.count.max(initial=0)) + 1), 1), 1)
        for first in range(0, len(scores), size):
            vectors = slice(first, min(first + size, len(scores)))
            batch = scores[vectors] if every else scores[vectors][:, self.documents]
            yield vectors, self._score(batch)

    def _score(self, batch: Floats) -> dict[Measure, Floats]:
        copies = self._of(len(batch))
        judged = self._judged(batch, copies)
        lens = Lens(
            copies.qrels,
            judged.run,
            OnePool(copies.pool, None, np.zeros(len(judged.length), np.intp), self.measures),
            self.conventions,
            deepest=max((measure.cutoff or 0 for measure in self.measures), default=0),
            judged=judged,
        )
        shape = len(batch), len(self.topics)
        return {measure: lens.estimate(measure).value.reshape(shape) for measure in self.measures}

    def _of(self, vectors: int) -> _Copies:
        """The judgments of the topics, so many times; kept for the next batch of that size."""
        if vectors not in self._copies:
            known = np.flatnonzero(~np.isnan(self.grades))
            row = np.full(len(self.grades), -1, np.intp)
            row[known] = np.arange(len(known))
            judged = np.bincount(stretches(offsets_of(self.count))[known], minlength=len(self.count))
            copy = np.repeat(np.arange(vectors), len(row))
            every = np.tile(row, vectors)
            docs = _nameless(len(known) * vectors)
            names = tuple(str(topic + 1).encode() for topic in self.topics.tolist())
            qrels = Qrels(
                names * vectors,
                offsets_of(np.tile(judged, vectors)),
                np.tile(self.grades[known], vectors),
                docs,
                docs.keys(),
            )
            pool = replace(pool_of(qrels, negative_judged=self.conventions.negative_judged), max_grade=self.top)
            # The first size and that of the last batch are what is asked for again and again.
            if len(self._copies) > 1:
                self._copies.pop(next(reversed(self._copies)))
            self._copies[vectors] = _Copies(qrels, pool, np.where(every < 0, -1, every + copy * len(known)))
        return self._copies[vectors]

    def _judged(self, batch: Floats, copies: _Copies) -> JudgedRun:
        count = np.tile(self.count, len(batch))
        # NaN is sorted behind all numbers.
        lowered = table(-batch.ravel(), count, np.nan)
        order = lowered.argsort(axis=-1)
        ranked = np.take_along_axis(lowered, order, axis=-1)
        listed = ranked == ranked
        length: Rows = listed.sum(axis=-1)
        begin = offsets_of(count)[:-1]
        document: Rows = (order + begin[:, None])[listed]
        score: Floats = -ranked[listed]
        bounds = offsets_of(length)
        first, size = all_tie_groups(score, bounds, self.conventions.precision)
        judgment = copies.judgment[document]
        above = first - np.repeat(bounds[:-1], length)
        row = np.flatnonzero((judgment >= 0) & (above < self.reach))
        topic = stretches(bounds)[row]
        docs = _nameless(len(score))
        return JudgedRun(
            qrels=copies.qrels,
            run=Run("", copies.qrels.topics, bounds, score, docs, docs.keys(), arrival=document),
            precision=self.conventions.precision,
            length=length,
            run_topic=np.arange(len(length)),
            offsets=offsets_of(np.bincount(topic, minlength=len(length))),
            row=row,
            judgment=judgment[row],
            grade=copies.qrels.grade[judgment[row]],
            above=above[row],
            size=size[row],
        )


def _reach(measures: tuple[Measure, ...], choice: Conventions) -> int:
    """How many documents may stand above one that matters: sums down to a cutoff ask for nothing below it."""
    plain = choice.assumed == "nonrelevant" and not choice.ends
    if not plain or not all(m.is_sum and m.cutoff is not None and m.ending == "none" for m in measures):
        return int(ENDLESS)
    return max(measure.cutoff or 0 for measure in measures)


def _nameless(count: int) -> Ids:
    """Ids that say nothing: nobody asks for them."""
    return Ids(np.frombuffer(b"-", np.uint8), np.zeros(count, np.uint32), np.ones(count, np.uint16))


def _parts(count: Rows) -> Iterator[Rows]:
    """The topics, all together or, where most of a table would be empty, by their length."""
    topics = np.arange(len(count))
    if not len(count) or len(count) * int(count.max()) <= _SPARSE * int(count.sum()):
        yield topics
        return
    width = np.ceil(np.log2(np.maximum(count, 1))).astype(np.intp)
    for each in distinct(width):
        yield topics[width == each]


def _vector(name: str, given: ArrayLike) -> Floats:
    """One dimension of numbers."""
    try:
        values = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} are numbers in one dimension") from None
    if values.ndim != 1:
        raise InputError(f"{name} have the shape {values.shape}; give one dimension, a number for each document")
    return values


def _bounds(given: ArrayLike, documents: int) -> Rows:
    """Where topics begin, and after them how many documents there are."""
    offsets = np.asarray(given)
    if offsets.ndim != 1 or offsets.dtype.kind not in "iu" or len(offsets) < 2:
        raise InputError(
            "offsets are whole numbers in one dimension, such as [0, 3, 5] for topics of 3 and 2 documents"
        )
    if offsets[0] != 0 or offsets[-1] != documents or (np.diff(offsets.astype(np.intp)) < 0).any():
        raise InputError(
            f"offsets begin with 0, never fall, and end with {counted(documents, 'document')}; these go from "
            f"{int(offsets[0])} to {int(offsets[-1])}"
        )
    return offsets.astype(np.intp)
