"""Topics without relevant documents: what they count as, and the highest score that they leave possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Mask, Rows
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
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
        shown = ", ".join(topics[place] for place in places[:3]) + (", ..." if count > 3 else "")
        where = f"{'topic' if count == 1 else 'topics'} {shown}"
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
