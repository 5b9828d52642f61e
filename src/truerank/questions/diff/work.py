"""What is looked at in two runs, and how they differ by each measure, topic by topic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.parts import Part
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.questions.common_topics import CommonPair, common_topics, missing_topics
from truerank.questions.diff.bounds import DEPTH, Bounds, by_ties
from truerank.questions.diff.documents import RunPair
from truerank.questions.diff.question import Concentration, Diff, Difference, TopicDifferences
from truerank.questions.diff.words import REVERSAL
from truerank.questions.unjudged.outlook import Outlook
from truerank.statistics.agreeing import ending_at_0
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.level import EQUAL
from truerank.statistics.paired import no_surer_than_signs
from truerank.statistics.student import student
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import values

D = TypeVar("D", bound=TopicDifferences)
ALPHA = 0.05
"""The level of verdicts."""
LISTED = 5
"""Topics up to which those that are asked for are shown document by document."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DiffPart:
    """Two runs: the values of each, and what orders of ties can make of their differences."""

    a: RunPart
    b: RunPart
    by_ties: dict[str, Bounds]
    """By measure, a topic of the judgments."""


def refuse(**counts: int | None) -> None:
    """Refuse numbers of topics or ranks that are none."""
    for name, count in counts.items():
        if count is not None and count < 1:
            raise InputError(f"{name} is {count}; give 1 or more")


def two(run_a: Any, run_b: Any) -> list[Named]:
    """Both runs, by names that tell them apart."""
    both = []
    for name, given in (("run_a", run_a), ("run_b", run_b)):
        found = named_runs(given)
        if len(found) != 1:
            raise InputError(f"{name} holds {len(found)} runs; give one")
        both += found
    a, b = named_runs(both)
    if "#" in a.name and both[0].name == both[1].name:
        # Nothing tells them apart but which comes first.
        return [replace(a, name="A"), replace(b, name="B")]
    return [a, b]


def common(track: Track) -> Rows:
    """The topics to compare: those that count in both runs."""
    return np.flatnonzero(track.common([part.topics for part in track.each(_topics, keep=True)]))


def _topics(lens: Lens, measures: Sequence[Measure]) -> Part:
    """Which topics count in a run."""
    return Part(topics=lens.topics)


def score_run(a: Lens, b: Lens, measures: Sequence[Measure]) -> DiffPart:
    """What is kept of both runs."""
    # What orders of ties do to means is told topic by topic here.
    found = [{str(measure): values(lens, measure) for measure in measures} for lens in (a, b)]
    return DiffPart(
        a=observe(a, found[0], ties=False),
        b=observe(b, found[1], ties=False),
        by_ties={str(measure): by_ties(measure, a, b) for measure in measures},
    )


def summarise(
    track: Track,
    part: DiffPart,
    *,
    top: int | None,
    depth: int | None,
    ahead: Outlook | None,
    no_model: str | None,
) -> Diff:
    """How the second run differs from the first."""
    named = track.judgments.rest is not None
    most = top or (len(track.topics) if named else None)
    lists = RunPair(track.lens(0), track.lens(1))
    differences = []
    for measure in track.measures:
        scores = _common_scores(track, part, measure)
        tested = significance(measure, *scores.by_topic[1:]) if not named else UNTESTED
        difference = topic_differences(
            measure,
            *scores.by_topic,
            means=scores.means,
            kind=Difference,
            depth=depth or measure.cutoff or DEPTH,
            index=scores.index,
            lists=lists,
            by_ties=part.by_ties[str(measure)].take(scores.index),
            most=most,
            **tested._asdict(),
        )
        differences.append(replace(difference, drawn=_chance(difference, measure, ahead)))
    return Diff(
        conventions=track.conventions,
        wanted=track.measures,
        topics=lists.a.names,
        a=track.runs[0].name,
        b=track.runs[1].name,
        differences=tuple(differences),
        named=named and len(track.topics) <= LISTED,
        limited=most is not None,
        **_without_missing(track, part, differences),
        notices=(
            *track.notes([part.a, part.b]),
            *([] if no_model is None else [REVERSAL("no_model", chance=None, why=no_model)]),
        ),
    )


class Significance(NamedTuple):
    """The interval of a difference, p, and what the second run is."""

    low: float
    high: float
    p: float
    verdict: str | None


UNTESTED = Significance(math.nan, math.nan, math.nan, None)


def significance(measure: Measure, a: Floats, b: Floats) -> Significance:
    """The paired t-test of two runs on the same topics, with the interval that agrees with it, as in compare.

    >>> from truerank.measures.ap import AP
    >>> found = significance(AP(), np.array([0.1, 0.2, 0.4, 0.3, 0.1, 0.2]), np.array([0.5, 0.4, 0.9, 0.6, 0.7, 0.4]))
    >>> round(found.low, 3), round(found.high, 3), round(found.p, 4), found.verdict
    (0.195, 0.538, 0.0027, 'better')
    """
    scores = np.stack([a, b])
    scores = scores[:, np.isfinite(scores).all(axis=0)]
    if scores.shape[1] < 2 or not measure.averages:
        return UNTESTED
    tested = no_surer_than_signs(student(scores), scores, ALPHA)
    widest = measure.range[1] - measure.range[0]
    ends = difference_intervals(scores).within(-widest, widest)
    difference, p = float((scores[1] - scores[0]).mean()), float(tested.p[1, 0])
    way = np.sign(difference) * (p < ALPHA)
    low, high = ending_at_0(ends.low[1:, :1], ends.high[1:, :1], np.array([[way]]))
    if (np.abs(scores[1] - scores[0]) <= EQUAL).all():
        verdict = "the same"
    else:
        verdict = "not significant" if not way else "better" if way * measure.sign > 0 else "worse"
    return Significance(low.item(), high.item(), p, verdict)


def _without_missing(track: Track, part: DiffPart, differences: Sequence[Difference]) -> dict[str, Any]:
    """Both runs once more on the topics that both have results for, if one of them lacks some."""
    names, parts = [run.name for run in track.runs], [part.a, part.b]
    every = np.arange(len(track.topics))
    lacking = missing_topics(track.conventions, names, parts, every)
    if lacking is None or track.judgments.rest is not None:
        return {}
    some = common_topics(parts, every)
    rows = []
    for each in differences:
        kept = np.isin(each.index, some)
        a, b = each.a[kept], each.b[kept]
        if not kept.any():
            return {}
        found: TopicDifferences = topic_differences(each.by, tuple(np.array(each.topics, object)[kept]), a, b)
        tested = significance(each.by, a, b)
        rows.append(
            CommonPair(
                measure=each.measure,
                run=names[1],
                compared_with=names[0],
                missing_topics=lacking.missing[names[1]],
                compared_missing_topics=lacking.missing[names[0]],
                num_topics=int(kept.sum()),
                mean=found.mean_b,
                compared_mean=found.mean_a,
                difference=found.difference,
                low=tested.low,
                high=tested.high,
                p_corrected=tested.p,
                verdict=tested.verdict,
            )
        )
    return {"lacking": lacking, "on_common": tuple(rows)}


def _chance(differences: TopicDifferences, measure: Measure, ahead: Outlook | None) -> float | None:
    """The chance that the run with the better mean is below the other one once everything is judged."""
    if ahead is None or not differences.difference or math.isnan(differences.difference):
        return None
    gain = measure.sign * differences.difference
    better, worse = (1, 0) if gain > 0 else (0, 1)
    return ahead.reversed(measure, better, worse)


@dataclass(frozen=True, eq=False)
class CommonScores:
    """Scores of both runs on the topics where both are in the mean."""

    index: Rows
    by_topic: tuple[tuple[str, ...], Floats, Floats]
    """Names of the topics, and the scores of each run."""
    means: tuple[float, float] | None
    """Where these topics are all that a run has."""


def _common_scores(track: Track, part: DiffPart, measure: Measure) -> CommonScores:
    choice, count = track.conventions, len(track.topics)
    a, b = (side.values[str(measure)] for side in (part.a, part.b))
    in_a, in_b = (each.topics[each.kept(choice)] for each in (a, b))
    index = np.intersect1d(in_a, in_b)
    means = None
    if len(in_a) == len(in_b) == len(index):
        means = a.summary(choice), b.summary(choice)
    first, second = (each.full(choice, count)[index] for each in (a, b))
    names = tuple(track.topics[topic] for topic in index.tolist())
    return CommonScores(index, (names, first, second), means)


def topic_differences(
    measure: Measure,
    topics: tuple[str, ...],
    a: Floats,
    b: Floats,
    means: tuple[float, float] | None = None,
    *,
    kind: Callable[..., D] = TopicDifferences,  # type: ignore[assignment]
    **more: Any,
) -> D:
    """Scores of two runs on the same topics; ``means`` are theirs, where they are known, and ``kind`` has ``more``.

    >>> from truerank.measures.rr import RR
    >>> found = topic_differences(RR(), ("1", "2"), np.array([1.0, 1.0]), np.array([0.5, 1.0]))
    >>> (found.wins, found.level, found.losses), found.worse()
    ((0, 1, 1), [TopicDifference(topic='1', a=1.0, b=0.5, difference=-0.5)])
    """
    every = np.ones(len(a), np.intp)
    mean_a, mean_b = means or (measure.aggregate(a, every), measure.aggregate(b, every))
    differences = b - a
    differences = np.where(np.abs(differences) <= EQUAL, 0.0, differences)
    size = np.nan_to_num(np.abs(differences), nan=-1.0)
    return kind(
        measure=str(measure),
        by=measure,
        topics=topics,
        a=a,
        b=b,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=0.0 if abs(mean_b - mean_a) <= EQUAL else mean_b - mean_a,
        differences=differences,
        by_impact=np.argsort(-np.round(size / EQUAL), kind="stable"),
        **more,
    )


def concentration(differences: TopicDifferences) -> Concentration | None:
    """How much rests on few topics; None where no run is ahead, or where means are not taken.

    >>> from truerank.measures.ap import AP
    >>> a, b = np.array([0.1, 0.5, 0.5, 0.5]), np.array([0.9, 0.6, 0.4, 0.4])
    >>> rests = concentration(topic_differences(AP(), ("1", "2", "3", "4"), a, b))
    >>> rests.half, rests.topic, round(rests.without, 4), rests.turning
    (1, '1', -0.0333, 1)
    """
    total = float(differences.gains.sum())
    if not differences.by.averages or math.isnan(total) or not differences.difference:
        return None
    # Seen from the run that is ahead.
    ahead = differences.gains if total > 0 else -differences.gains
    order = np.argsort(-np.round(ahead / EQUAL), kind="stable")
    order = order[ahead[order] > 0]
    running = np.cumsum(ahead[order])
    others = len(ahead) - 1
    top = int(order[0])
    return Concentration(
        half=int(np.searchsorted(running, running[-1] / 2 - EQUAL)) + 1,
        topic=differences.topics[top],
        without=float(differences.differences.sum() - differences.differences[top]) / others if others else math.nan,
        turning=int(np.searchsorted(running, abs(total) - EQUAL)) + 1,
    )
