"""Topics without relevant documents, or without a value: what they count as, and the highest score that they leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Mask, Rows
from truerank.data.notes import Code, Note
from truerank.data.printing import counted, named
from truerank.measures.core.base import Measure

DIGITS = 4
"""Decimals that are printed."""
UNDEFINED = Code(
    "TR104", "topics without relevant documents, or where a measure is undefined for another reason: what they count as"
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


def told(found: Sequence[EmptyTopics], topics: Sequence[str], choice: Conventions, *, measures: int) -> Iterator[Note]:
    """What empty topics mean for scores: a note for all measures with the same ones.

    ``topics`` are the names of all topics, and ``measures`` is how many measures there are, empty topics or not.

    >>> from truerank.measures.rr import RR
    >>> [*told([EmptyTopics(RR(), np.array([False, True]), 0.5)], ["q1", "q2"], Conventions(), measures=1)]
    ['1 topic has no relevant document: no run can score above 0.50 (topic q2)']
    """
    groups: dict[tuple[int, ...], list[EmptyTopics]] = {}
    for one in found:
        if one.empty.any():
            groups.setdefault(tuple(np.flatnonzero(one.empty).tolist()), []).append(one)
    for places, some in groups.items():
        names, count = [str(one.measure) for one in some], len(places)
        lacks = f"{counted(count, 'topic')} {'has' if count == 1 else 'have'} {_lack(some)}"
        where = f"{'topic' if count == 1 else 'topics'} {named([topics[place] for place in places[:4]])}"
        yield UNDEFINED(
            f"{lacks}{_effect(some, choice, every=len(some) == measures)} ({where})",
            measures=names,
            topics=count,
            counted=0.0 if choice.counts_undefined else choice.no_relevant,
            highest={str(one.measure): one.highest for one in some if one.highest is not None},
        )


def _lack(some: Sequence[EmptyTopics]) -> str:
    """What the topics do not have: documents of the lowest grade that is relevant to one of the measures."""
    levels = [one.measure.core.level or 0.0 for one in some if one.measure.asks_relevance]
    least = min(levels, default=0.0)
    return "no relevant document" if least <= 1 else f"no document of grade {least:g} or higher"


def _effect(some: Sequence[EmptyTopics], choice: Conventions, *, every: bool) -> str:
    names = listed([str(one.measure) for one in some])
    if choice.skips_undefined:
        return f": left out of {'every mean' if every else f'the mean of {names}'}"
    if not choice.counts_undefined:
        return f": the mean of {names} is undefined"
    ends: dict[str, list[str]] = {}
    for one in some:
        if one.highest is not None:
            ends.setdefault(_score(one.highest), []).append(str(one.measure))
    if not ends:
        return ""
    if every and len(ends) == 1 and all(one.highest is not None for one in some):
        return f": no run can score above {next(iter(ends))}"
    return f": no run can score above {' or '.join(f'{end} by {listed(these)}' for end, these in ends.items())}"


def _score(value: float) -> str:
    """A score with two decimals, or with all that are printed if two are not enough."""
    return f"{value:.{DIGITS}f}".removesuffix("00")


def listed(names: Sequence[str]) -> str:
    """Names of measures, the first four of many.

    >>> listed(["AP", "RR", "P@5", "R@5", "nDCG"])
    'AP, RR, P@5, R@5 and 1 more'
    """
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


class Undefined(NamedTuple):
    """What topics lack that a measure has no value for, and what becomes of them."""

    lack: str
    fate: str
    counted: float | str
    """The value that they count as, or the convention that they do not count by."""

    @classmethod
    def of(cls, measure: Measure, choice: Conventions) -> Undefined:
        """The same for measures that are undefined for one reason.

        >>> from truerank.measures.ap import AP
        >>> Undefined.of(AP(), Conventions()).fate, Undefined.of(AP(cutoff=0), Conventions()).fate
        ('counted as 0', 'the mean is undefined')
        """
        lack = "at depth 0" if measure.has_no_depth else measure.undefined_because
        if choice.skips_undefined:
            return cls(lack, "left out of the mean", choice.no_relevant)
        if choice.counts_undefined and measure.counts_as == measure.counts_as:
            return cls(lack, f"counted as {measure.counts_as:g}", measure.counts_as)
        remedy = "" if measure.has_no_depth else measure.remedy
        return cls(lack, "; ".join(filter(None, ("the mean is undefined", remedy))), "nan")

    def note(self, measures: Sequence[str], where: str, topics: int, *, others: bool = False) -> Note:
        """The note on some topics; ``others`` says that the measures have values for others."""
        could = self.counted == "nan" and others
        skip = "; no_relevant=skip leaves these topics out of the mean" if could else ""
        verb = "is" if len(measures) == 1 else "are"
        return UNDEFINED(
            f"{listed(measures)} {verb} undefined for {where} {self.lack}: {self.fate}{skip}",
            measures=list(measures),
            topics=topics,
            counted=self.counted,
        )
