"""What is looked at in two runs, and how they differ by each measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from truerank.data.arrays import Mask, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.questions.diff.answer import Diff, Difference, TopicDifferences
from truerank.questions.diff.bounds import DEPTH, Bounds, by_ties
from truerank.questions.diff.lists import RunPair
from truerank.questions.diff.topics import topic_differences
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.parts import Part
from truerank.track.track import Track
from truerank.track.values import values


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


def names_of(topics: str | Iterable[str] | None) -> list[str]:
    """The topics that a caller names: one, or several; none where all are meant."""
    if topics is None:
        return []
    given: list[Any] = [topics] if isinstance(topics, (str, bytes, int)) else list(topics)
    return [text(topic) if isinstance(topic, bytes) else str(topic) for topic in given]


def counted(track: Track, named: Sequence[str]) -> Rows:
    """The topics to compare: those that count in both runs, of those ``named`` where some are."""
    common = np.ones(len(track.topics), bool)
    for part in track.each(_topics, keep=True):
        common &= np.isin(np.arange(len(common)), part.topics)
    if not common.any():
        raise InputError("the two runs have no judged topic in common; choose missing='empty' to compare them anyway")
    if named:
        common &= _among(track.topics, named)
        if not common.any():
            raise InputError(f"no topic is left to compare; a run leaves out {', '.join(named):.80}")
    return np.flatnonzero(common)


def _topics(lens: Lens, measures: Sequence[Measure]) -> Part:
    """Which topics count in a run."""
    return Part(topics=lens.topics)


def _among(topics: Sequence[str], named: Sequence[str]) -> Mask:
    place = {topic: at for at, topic in enumerate(topics)}
    found = np.zeros(len(place), bool)
    for topic in named:
        if topic not in place:
            near = get_close_matches(topic, place, n=1) or [topics[0]]
            raise InputError(f"there is no judged topic {topic!r:.80}; topics are such as {near[0]!r}")
        found[place[topic]] = True
    return found


def look(a: Lens, b: Lens, measures: Sequence[Measure]) -> DiffPart:
    """What is kept of both runs."""
    # What orders of ties do to means is told topic by topic here.
    found = [{str(measure): values(lens, measure) for measure in measures} for lens in (a, b)]
    return DiffPart(
        a=observe(a, found[0], ties=False),
        b=observe(b, found[1], ties=False),
        by_ties={str(measure): by_ties(measure, a, b) for measure in measures},
    )


def conclude(track: Track, part: DiffPart, *, named: Sequence[str], top: int | None, depth: int | None) -> Diff:
    """How the second run differs from the first."""
    most = top or (len(named) or None)
    lists = RunPair(track.lens(0), track.lens(1))
    differences = []
    for measure in track.measures:
        by_topic, index = _by_topic(track, part, measure)
        differences.append(
            Difference(
                **vars(by_topic),
                depth=depth or measure.cutoff or DEPTH,
                index=index,
                lists=lists,
                by_ties=part.by_ties[str(measure)].take(index),
                shown=by_topic.by_impact[:most],
            )
        )
    return Diff(
        conventions=track.conventions,
        wanted=track.measures,
        topics=lists.a.names,
        a=track.runs[0].name,
        b=track.runs[1].name,
        differences=tuple(differences),
        named=bool(named),
        limited=most is not None,
        notices=track.notes([part.a, part.b]),
    )


def _by_topic(track: Track, part: DiffPart, measure: Measure) -> tuple[TopicDifferences, Rows]:
    """Both runs on the topics where both are in the mean, and the indexes of these."""
    choice, count = track.conventions, len(track.topics)
    a, b = (side.values[str(measure)] for side in (part.a, part.b))
    in_a, in_b = (each.topics[each.kept(choice)] for each in (a, b))
    index = np.intersect1d(in_a, in_b)
    means = None
    if len(in_a) == len(in_b) == len(index):
        means = a.summary(choice), b.summary(choice)
    first, second = (each.full(choice, count)[index] for each in (a, b))
    names = tuple(track.topics[topic] for topic in index.tolist())
    return topic_differences(measure, names, first, second, means), index
