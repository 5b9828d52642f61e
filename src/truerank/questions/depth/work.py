"""Curves of each run over all depths, from one pass over its lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.parts import Part, part_field
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import curve
from truerank.measures.core.parameters import number, whole
from truerank.pooling.judged_depth import ENDLESS, judged_depth, pool_depth
from truerank.questions.depth.question import Curve, Curves
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import Values, settled, summaries

DEEPEST = 100_000
"""The last depth that may be asked for: every topic has a number for each, in memory."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TopicCurves(Part):
    """Values of a measure over depths, topic by topic, where undefined ones count as conventions say."""

    values: Floats = part_field(merge="per topic")
    """Topics x depths; NaN for what does not count."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DepthPart(Part):
    """A run, under each convention for unjudged documents."""

    seen: dict[str, RunPart]
    """With the values at the last depth."""
    curves: dict[str, dict[str, TopicCurves]]
    """By measure."""
    judged_to: int = part_field(merge="min")
    longest: int = part_field(merge="max")


@dataclass(frozen=True, eq=False, kw_only=True)
class RunCurves:
    """What is kept of a whole run: means at all depths, and values of topics at a few."""

    seen: dict[str, RunPart]
    means: dict[str, dict[str, Floats]]
    at_checkpoints: dict[str, dict[str, TopicCurves]]
    judged_to: int
    longest: int


def refuse(measures: Sequence[Measure], max_depth: int, *, within: float, alpha: float) -> None:
    """Refuse what has no value at a depth."""
    for measure in measures:
        if not measure.takes_cutoff:
            raise InputError(f"{measure} looks at the whole list and has no value at a depth; choose another measure")
        if measure.cutoff is not None:
            raise InputError(
                f"{measure} has a depth of its own; write it without @{measure.cutoff}, for all depths are shown"
            )
    whole("max_depth", max_depth, least=1, most=DEEPEST)
    number("within", within, least=0, most=2)
    if not 0 < alpha < 1:
        raise InputError(f"alpha={alpha!r}; give a number between 0 and 1, such as 0.05")


def score_runs(track: Track, max_depth: int, *, condensed: bool, progress: Progress | None) -> list[RunCurves]:
    """The curves of each run, down to ``max_depth`` or the end of the longest list."""
    small = partial(summarise_run, choice=track.conventions)
    parts = track.each(score_run, whole=small, progress=progress, max_depth=max_depth, condensed=condensed)
    longest = max(part.longest for part in parts)
    if 0 < longest < max_depth:
        # Past the end of every list there is nothing to see, and what is there would look more stable than it is.
        return track.each(score_run, whole=small, progress=progress, max_depth=longest, condensed=condensed)
    return parts


def score_run(lens: Lens, measures: Sequence[Measure], *, max_depth: int, condensed: bool) -> DepthPart:
    """Curves of a run, as it is and without unjudged documents, if that is asked for."""
    lenses = [lens]
    if condensed and not lens.conventions.condenses:
        lenses.append(lens.under(replace(lens.conventions, unjudged="condensed")))
    seen, curves = {}, {}
    for each in lenses:
        raw = {str(measure): topic_curves(each, measure, max_depth) for measure in measures}
        seen[each.conventions.unjudged] = _seen(each, measures, raw)
        curves[each.conventions.unjudged] = {
            str(measure): TopicCurves(topics=each.topics, values=settled(raw[str(measure)], measure, each.conventions))
            for measure in measures
        }
    return DepthPart(
        topics=lens.topics,
        seen=seen,
        curves=curves,
        # A part of a run without any list says nothing of how deep the others are judged.
        judged_to=judged_depth(lens.judged) if lens.judged.length.any() else ENDLESS,
        longest=int(lens.judged.length.max(initial=0)),
    )


def _seen(lens: Lens, measures: Sequence[Measure], raw: dict[str, Floats]) -> RunPart:
    lengths = lens.judged.length[lens.topics]
    last = {
        str(measure): Values(
            topics=lens.topics,
            measure=measure,
            value=raw[str(measure)][:, -1],
            error=np.zeros(len(lengths)),
            lengths=lengths,
        )
        for measure in measures
    }
    return observe(lens, last, ties=False)


def topic_curves(lens: Lens, measure: Measure, deepest: int) -> Floats:
    """Values at the depths 1 to ``deepest``, one row a topic that counts; NaN where undefined."""
    value = np.full((len(lens.judged.length), deepest), np.nan)
    for block in lens.lists(measure):
        value[block.topic] = curve(measure, block, deepest)
    return value[lens.topics]


def summarise_run(part: DepthPart, *, choice: Conventions) -> RunCurves:
    """What is kept of a run, once all of its topics are there."""
    means: dict[str, dict[str, Floats]] = {}
    few: dict[str, dict[str, TopicCurves]] = {}
    for unjudged, curves in part.curves.items():
        values = part.seen[unjudged].values
        means[unjudged] = {
            name: summaries(found.values, values[name].measure, choice, values[name].lengths)
            for name, found in curves.items()
        }
        few[unjudged] = {
            name: replace(found, values=found.values[:, checkpoints(found.values.shape[1]) - 1])
            for name, found in curves.items()
        }
    judged_to = part.judged_to if part.longest else 0
    return RunCurves(seen=part.seen, means=means, at_checkpoints=few, judged_to=judged_to, longest=part.longest)


def summarise(track: Track, parts: Sequence[RunCurves], *, within: float, alpha: float) -> Curves:
    """The curves of all runs; those without unjudged documents beside them."""
    max_depth = len(next(iter(next(iter(parts[0].means.values())).values())))
    curves = None
    # The lists as they are come first, and have the others beside them.
    for unjudged in reversed(parts[0].means):
        curves = Curves(
            conventions=replace(track.conventions, unjudged=unjudged),
            wanted=track.measures,
            topics=track.topics,
            lines=tuple(
                Curve(run=part.seen[unjudged].run, measure=name, unjudged=unjudged, value=means)
                for part in parts
                for name, means in part.means[unjudged].items()
            ),
            max_depth=max_depth,
            pool_depth=pool_depth(part.judged_to for part in parts),
            checkpoints=checkpoints(max_depth),
            per_topic={
                str(measure): np.stack([_full(track, part.at_checkpoints[unjudged][str(measure)]) for part in parts])
                for measure in track.measures
            },
            within=within,
            alpha=alpha,
            condensed=curves,
            notices=track.notes([part.seen[unjudged] for part in parts]),
        )
    assert curves is not None
    return curves


def _full(track: Track, curves: TopicCurves) -> Floats:
    """Values of all judged topics at checkpoints; NaN for those that do not count."""
    every = np.full((len(track.topics), curves.values.shape[1]), np.nan)
    every[curves.topics] = curves.values
    return every


def checkpoints(max_depth: int) -> Rows:
    """A few depths, about as far apart as they are deep.

    >>> checkpoints(60).tolist()
    [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 60]
    """
    steps = [step * 10**power for power in range(10) for step in (1, 1.5, 2, 3, 5, 7) if step * 10**power >= 1]
    some = sorted({int(step) for step in steps if float(step).is_integer() and step <= max_depth} | {max_depth})
    return np.array(some, np.intp)
