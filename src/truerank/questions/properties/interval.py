"""Whether scores are on an interval scale, so that their differences and means have a meaning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.properties.examples import Example, SearchSpace
from truerank.questions.properties.property import Property, Trial, Trials, Witness
from truerank.questions.properties.question import ReadingVerdict
from truerank.questions.properties.scoring import ExampleScores
from truerank.statistics.level import EQUAL

_LONGEST = 6
"""Length of lists up to which all of them are looked at: sixty-four scores."""
_READING = "lists of k documents, R = k"


class IntervalScale(Property):
    """The scores that lists of one length can have are equally far apart.

    >>> [str(trial.more[0]) for trial in IntervalScale().trials(SearchSpace())][:4]
    ['0, R = 1', '1, R = 1', '00, R = 2', '01, R = 2']
    """

    name = "Interval scale"
    statement = "The scores that lists of k documents can have, in order, are all the same step apart."
    formula = "for all k: M(d^1) < M(d^2) < ... of all lists of k documents: M(d^(j+1)) - M(d^j) is the same for all j"
    citation = "Ferrante, Ferro & Fuhr 2021"
    remark = (
        f"All lists of up to {_LONGEST} documents with two levels of relevance are looked at, each length on its own; "
        "every document may be relevant, so that no list is left out for the number of hits it would need. Lists that "
        "score alike count once."
    )
    reading = _READING
    satisfied = ("holds",)

    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """Every list of each length."""
        for k in range(1, _LONGEST + 1):
            for grades in product((0, 1), repeat=k):
                yield Trial((Example(grades, (1,) * k, k + 1),), reading=_READING, number=k)

    def verdicts(self, trials: Trials, scores: ExampleScores) -> list[ReadingVerdict]:
        """Whether all steps are the same; the first length where they are not."""
        value = scores.value[trials.more[:, 0]]
        here: Rows = np.flatnonzero(np.isfinite(value))
        if not len(here):
            return [self.undefined(scores, _READING)]
        last: Witness | None = None
        for k in range(1, _LONGEST + 1):
            rows = here[trials.number[here] == k]
            order = rows[np.argsort(value[rows], kind="stable")]
            some = order[_apart(value[order], scores.unit)]
            steps = np.diff(value[some])
            if len(steps) < 2:
                continue
            uneven = np.flatnonzero(np.abs(np.diff(steps)) > 2.0 * EQUAL * _size(value[some], scores.unit))
            at = int(uneven[0]) if len(uneven) else 0
            shown = _steps(trials, [int(one) for one in some[at : at + 3]], value)
            if len(uneven):
                return [self.verdict(scores, _READING, "fails", shown, len(here))]
            last = shown
        if last is None:
            return [self.undefined(scores, _READING, "there are no three lists of one length that score unlike")]
        return [self.verdict(scores, _READING, "holds", last, len(here))]


def _apart(value: Floats, unit: float) -> Rows:
    """Where values in order become others."""
    steps = np.diff(value, prepend=-np.inf)
    found: Rows = np.flatnonzero(steps > EQUAL * _size(value, unit))
    return found


def _size(value: Floats, unit: float) -> float:
    return max(float(np.abs(value).max(initial=0.0)), unit)


def _steps(trials: Trials, rows: list[int], value: Floats) -> Witness:
    """Three scores that follow each other, with both steps."""
    low, middle, high = (trials[row].more[0] for row in rows)
    each = tuple(float(value[row]) for row in rows)
    said = f"{low}: {{2}}; {middle.list}: {{1}}; {high.list}: {{0}}; steps {{3}} and {{4}}"
    added = (each[1] - each[0], each[2] - each[1])
    return Witness.of(Trial((high,), (middle, low)), each[2:], (each[1], each[0]), said, added)
