"""Judgments that are not sure: for each judged document the grades that it may have, with their probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Rows, spans
from truerank.data.classes import dataclass
from truerank.data.qrels import Qrels
from truerank.data.rankings import row_sum

_CLOSE = 1e-9
"""How far a sum of probabilities may be off, as sums of floats are."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Chances(Qrels):
    """Judgments with probabilities over grades, those of different pairs independent of one another.

    ``grade`` is the label where one was given beside its confidence, and otherwise the most likely grade.

    >>> from truerank.data.ids import Ids
    >>> from truerank.data.qrels import collect
    >>> sure = collect([b"q1"], [0, 2], Ids.pack(["d1", "d2"]), [0, 2])
    >>> found = chances(sure, [[0, 1, 2], [0, 1, 2]], [[0.5, 0.25, 0.25], [0, 0, 1]])
    >>> found, found.grade.tolist(), mean(found).tolist(), median(found).tolist()
    (Chances(1 topics, 2 judgments), [0.0, 2.0], [0.75, 2.0], [0.5, 2.0])
    """

    options: Floats
    """Grades that each document may have, a row a document, ascending; padded with the last one."""
    chance: Floats
    """The probability of each of them; 0 for padding."""
    labelled: bool
    """Whether ``grade`` is a label that was given."""

    @property
    def only_relevant(self) -> bool:
        """Never: whoever has a chance for a grade looked at the document."""
        return False

    @property
    def max_grade(self) -> float:
        """The highest grade that is possible; 0 where none is positive."""
        rest = 0.0 if self.rest is None else self.rest.judgments.max_grade
        return float(self.options.max(initial=rest))

    def of_topics(self, topics: Rows) -> Chances:
        """The judgments of some topics, given by number, as if there were no others."""
        rows = spans(self.offsets[topics], np.diff(self.offsets)[topics])
        some = self._of_topics(topics)
        return replace(some, options=self.options[rows], chance=self.chance[rows])

    @property
    def is_sure(self) -> bool:
        """Whether every document has one grade for certain."""
        return bool(((self.chance > 0).sum(axis=1) <= 1).all())


def chances(pairs: Qrels, options: object, chance: object, *, labels: Floats | None = None) -> Chances:
    """Make judgments of pairs with the grades that each may have, and their probabilities, which add up to 1.

    Grades of probability 0 do not matter, and a grade that stands twice has both probabilities.

    >>> from truerank.data.ids import Ids
    >>> from truerank.data.qrels import collect
    >>> pairs = collect([b"q1"], [0, 1], Ids.pack(["d1"]), [0])
    >>> found = chances(pairs, [[2, 0, 2]], [[0.25, 0.5, 0.25]])
    >>> found.options.tolist(), found.chance.tolist()
    ([[0.0, 2.0]], [[0.5, 0.5]])
    """
    value, weight = np.asarray(options, np.float64), np.asarray(chance, np.float64)
    value, weight = _merged(value, weight)
    grade = value[np.arange(len(value)), weight.argmax(axis=1)] if labels is None else labels
    return Chances(
        pairs.topics,
        pairs.offsets,
        grade,
        pairs.docs,
        pairs.key,
        options=value,
        chance=weight,
        labelled=labels is not None,
        notes=pairs.notes,
    )


def first_wrong(chance: Floats) -> int | None:
    """The first row whose probabilities are none, or do not add up to 1; None where all do.

    >>> first_wrong(np.array([[0.5, 0.5], [0.5, 0.25]]))
    1
    """
    wrong = ~((chance >= 0) & (chance <= 1 + _CLOSE)).all(axis=1) | (np.abs(chance.sum(axis=1) - 1) > _TOLERANCE)
    return int(np.flatnonzero(wrong)[0]) if wrong.any() else None


_TOLERANCE = 1e-3
"""How far written probabilities may be from adding up to 1: three decimals of each are written by most."""


def normal(chance: Floats) -> Floats:
    """Probabilities that add up to 1 where those that were written are rounded; others stay as they are.

    >>> normal(np.array([[0.333, 0.667], [0.333, 0.666]])).tolist()[0]
    [0.333, 0.667]
    """
    total = row_sum(chance)
    off = np.abs(total - 1) > _CLOSE
    return np.where(off[:, None], chance / np.where(off, total, 1.0)[:, None], chance)


def mean(judged: Chances) -> Floats:
    """The mean grade of each document."""
    return row_sum(judged.options * judged.chance)


def likeliest(judged: Chances) -> Floats:
    """The most likely grade of each document; the lowest of several."""
    best = judged.chance.max(axis=1, keepdims=True)
    first = (judged.chance >= best - _CLOSE).argmax(axis=1)
    found: Floats = judged.options[np.arange(len(first)), first]
    return found


def median(judged: Chances) -> Floats:
    """The median grade of each document; half way where one half of the probability is below."""
    every = np.arange(len(judged.options))
    up = judged.chance.cumsum(axis=1)
    low = (up >= 0.5 - _CLOSE).argmax(axis=1)
    high = (up > 0.5 + _CLOSE).argmax(axis=1)
    found: Floats = (judged.options[every, low] + judged.options[every, high]) / 2
    return found


def _merged(value: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Grades ascending and each once, as few columns as there are different ones in a row."""
    value = np.where(weight > 0, value, np.inf)
    order = np.argsort(value, axis=1, kind="stable")
    value, weight = np.take_along_axis(value, order, 1), np.take_along_axis(weight, order, 1)
    new = np.ones(value.shape, np.bool_)
    new[:, 1:] = value[:, 1:] != value[:, :-1]
    place: Rows = new.cumsum(axis=1) - 1
    grades, total = np.full(value.shape, np.inf), np.zeros(value.shape)
    every = np.arange(len(value))[:, None]
    grades[every, place] = value
    np.add.at(total, (every, place), weight)
    width = max(int((total > 0).sum(axis=1).max(initial=1)), 1)
    grades, total = grades[:, :width], total[:, :width]
    # What pads a row is a grade that it has, so that no function of grades meets another.
    last = np.maximum((total > 0).sum(axis=1) - 1, 0)
    return np.where(total > 0, grades, grades[every[:, 0], last][:, None]), total
