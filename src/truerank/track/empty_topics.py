"""Topics without relevant documents, or without a value: what they count as, and the highest score that they leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Mask, Rows
from truerank.data.notes import Code, Note
from truerank.data.printing import sentence
from truerank.measures.core.base import Measure

DIGITS = 4
"""Decimals that are printed."""
_LACKS = {
    "": "{topics:topic} {topics:has|have} no relevant document",
    "graded_": "{topics:topic} {topics:has|have} no document of grade {grade:g} or higher",
}
"""What topics without relevant documents do not have."""
_EFFECTS = {
    "empty": "",
    "out_of_all": ": left out of every mean",
    "out_of_some": ": left out of the mean of {measures:names}",
    "no_mean": ": the mean of {measures:names} is undefined",
    "highest": ": no run can score above {score:score}",
    "highest_by": ": no run can score above {by_score}",
}
_FATES = {
    "left_out": "left out of the mean",
    "counted": "counted as {counted:g}",
    "undefined": "the mean is undefined[; {remedy}]",
}
"""What becomes of topics where a measure is undefined."""
_WHERE = {
    "": "{topics:topic} ({names:names})",
    "_of_each": "[{least} to ]{topics:topic} of each run ({names:names})",
}
"""Topics where a measure is undefined: the same of all runs, or others of every run."""
_FORMS: dict[str, Any] = {
    **{
        f"{lack}{effect}": f"{_LACKS[lack]}{_EFFECTS[effect]} ({{topics:topic|topics}} {{names:names}})"
        for lack in _LACKS
        for effect in _EFFECTS
    },
    **{
        f"{fate}{where}": f"{{measures:names}} {{count:is|are}} undefined for {_WHERE[where]} {{lack}}: {_FATES[fate]}"
        "[; {convention}=skip leaves these topics out of the mean]"
        for fate in _FATES
        for where in _WHERE
    },
}
UNDEFINED = Code(
    "TR104",
    "topics without relevant documents, or where a measure is undefined for another reason: what they count as",
    **_FORMS,
    sure=True,
    consequence=0.3,
    each={"by_score": "{score:score} by {measures:names}"},
)


class EmptyTopics(NamedTuple):
    """Topics without a document that is relevant to a measure."""

    measure: Measure
    empty: Mask
    """Which of all topics they are."""
    highest: float | None
    """The highest score that they leave possible; None where that is not known."""


def concerns(measure: Measure, choice: Conventions) -> bool:
    """Whether topics without relevant documents count as 0 for a measure, whatever a run lists."""
    return choice.counts_undefined and measure.is_zero_without_relevant and not choice.ends_for(measure)


def highest(measure: Measure, empty: Mask, lengths: Rows, choice: Conventions) -> float | None:
    """The highest score of topics, some of which are empty and count as 0; None if the highest of a topic is not 1.

    >>> from truerank.measures.rr import RR
    >>> highest(RR(), np.array([False, True, False, False]), np.ones(4, np.intp), Conventions())
    0.75
    """
    if not choice.counts_undefined or choice.unjudged_bounds or measure.range[1] != 1.0:
        return None
    return measure.aggregate(np.where(empty, 0.0, 1.0), lengths)


def empty_notes(
    found: Sequence[EmptyTopics], topics: Sequence[str], choice: Conventions, *, measures: int
) -> Iterator[Note]:
    """What empty topics mean for scores: a note for all measures with the same ones.

    ``topics`` are the names of all topics, and ``measures`` is how many measures there are, empty topics or not.

    >>> from truerank.measures.rr import RR
    >>> [*empty_notes([EmptyTopics(RR(), np.array([False, True]), 0.5)], ["q1", "q2"], Conventions(), measures=1)]
    ['1 topic has no relevant document: no run can score above 0.50 (topic q2)']
    """
    groups: dict[tuple[int, ...], list[EmptyTopics]] = {}
    for one in found:
        if one.empty.any():
            groups.setdefault(tuple(np.flatnonzero(one.empty).tolist()), []).append(one)
    for places, some in groups.items():
        grade = _lowest_relevant(some)
        form, facts = _effect(some, choice, every=len(some) == measures)
        yield UNDEFINED(
            form if grade is None else f"graded_{form}",
            measures=[str(one.measure) for one in some],
            topics=len(places),
            names=[topics[place] for place in places],
            grade=grade,
            counted=0.0 if choice.counts_undefined else choice.no_relevant,
            highest={str(one.measure): one.highest for one in some if one.highest is not None},
            **facts,
        )


def _lowest_relevant(some: Sequence[EmptyTopics]) -> float | None:
    """The lowest grade that is relevant to one of the measures; None if it is the usual one."""
    levels = [one.measure.core.level or 0.0 for one in some if one.measure.asks_relevance]
    least = min(levels, default=0.0)
    return None if least <= 1 else least


def _effect(some: Sequence[EmptyTopics], choice: Conventions, *, every: bool) -> tuple[str, dict[str, Any]]:
    """What empty topics do to means: the form of the note, and more facts of it."""
    if choice.skips_undefined:
        return ("out_of_all" if every else "out_of_some"), {}
    if not choice.counts_undefined:
        return "no_mean", {}
    by_score: dict[str, dict[str, Any]] = {}
    for one in some:
        if one.highest is not None:
            found = by_score.setdefault(f"{one.highest:.{DIGITS}f}", {"score": one.highest, "measures": []})
            found["measures"].append(str(one.measure))
    if not by_score:
        return "empty", {}
    if every and len(by_score) == 1 and all(one.highest is not None for one in some):
        [only] = by_score.values()
        return "highest", {"score": only["score"]}
    return "highest_by", {"by_score": [*by_score.values()]}


class Undefined(NamedTuple):
    """What topics lack that a measure has no value for, and what becomes of them."""

    lack: str
    form: str
    """What becomes of them: "left_out", "counted" or "undefined"."""
    counted: float | str
    """The value that they count as, or the convention that they do not count by."""
    remedy: str | None = None
    """What gives the measure a value for them."""

    @classmethod
    def of(cls, measure: Measure, choice: Conventions) -> Undefined:
        """The same for measures that are undefined for one reason.

        >>> from truerank.measures.ap import AP
        >>> Undefined.of(AP(), Conventions()).fate, Undefined.of(AP(cutoff=0), Conventions()).fate
        ('counted as 0', 'the mean is undefined')
        """
        lack = "at depth 0" if measure.has_no_depth else measure.undefined_because
        if choice.skips_undefined:
            return cls(lack, "left_out", choice.no_relevant)
        if choice.counts_undefined and measure.counts_as == measure.counts_as:
            return cls(lack, "counted", measure.counts_as)
        return cls(lack, "undefined", "nan", None if measure.has_no_depth else measure.remedy or None)

    @property
    def fate(self) -> str:
        """What becomes of them, in words."""
        return sentence(_FATES[self.form], counted=self.counted, remedy=self.remedy)

    def note(
        self,
        measures: Sequence[str],
        names: Sequence[str],
        topics: int,
        every: int,
        *,
        least: int | None = None,
    ) -> Note:
        """The note on so many ``topics`` of ``every``; from ``least`` on, if they differ between runs."""
        could_skip = self.form == "undefined" and topics < every
        return UNDEFINED(
            self.form if least is None else f"{self.form}_of_each",
            measures=list(measures),
            count=len(measures),
            topics=topics,
            names=list(names),
            least=None if least == topics else least,
            lack=self.lack,
            counted=self.counted,
            remedy=self.remedy,
            convention="no_relevant" if could_skip else None,
        )
