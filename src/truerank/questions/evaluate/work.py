"""What is looked at in each run, and the scores that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Rows
from truerank.data.ids import text
from truerank.data.notes import Code, Note
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.runs import Named
from truerank.measures.core.base import Measure
from truerank.questions.common_topics import CommonPair, MissingTopics, common_topics, missing_topics
from truerank.questions.evaluate.question import GroupScore, Score, Scores
from truerank.report.answer import ByMeasure
from truerank.statistics.level import level
from truerank.track.facts import JudgesPart, RunPart, by_judges, observe
from truerank.track.groups import TopicGroups
from truerank.track.lens import Lens
from truerank.track.pools import JudgmentPools
from truerank.track.track import Track, deepest_of, refuse_judgments, refuse_measures
from truerank.track.values import Values, settled, values

if TYPE_CHECKING:
    from truerank.io.groups import Grouping

TURNED = Code(
    "TR115",
    "a best run that another judge at hand would not have first",
    "{measure} rests on one judge, {judge}, by whom {run} is first; {others}[ and {more:other judge} disagree too]",
    each={"others": "by {judge} {run}"},
)
ALL = "all"
"""What stands in the place of a group for all topics."""
FEW = 10
"""Groups below which one more or less decides what a bootstrap of them finds."""


def score_run(lens: Lens, measures: Sequence[Measure]) -> RunPart | JudgesPart:
    """What is kept of a run; by each judge, where that is asked for."""
    if lens.conventions.each_judge and lens.by_judge:
        return JudgesPart(
            topics=lens.topics, by_judge={name: _look(one, measures) for name, one in lens.by_judge.items()}
        )
    found = _look(lens, measures)
    if lens.conventions.one_judge and lens.by_judge and measures:
        return replace(found, others={name: values(one, measures[0]) for name, one in lens.by_judge.items()})
    return found


def _look(lens: Lens, measures: Sequence[Measure]) -> RunPart:
    return observe(lens, {str(measure): values(lens, measure) for measure in measures}, later=True)


def summarise(track: Track, parts: Sequence[RunPart | JudgesPart], groups: Grouping | None = None) -> Scores:
    """The scores of all runs, with what there is to know about them."""
    by_judge = {
        name: _conclude(one, [part.by_judge[name] for part in parts if isinstance(part, JudgesPart)], groups)
        for name, one in (track.panel if track.conventions.each_judge else {}).items()
    }
    if not by_judge:
        return _conclude(track, [part for part in parts if isinstance(part, RunPart)], groups)
    return Scores(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        scores=tuple(replace(row, judge=name) for name, found in by_judge.items() for row in found.scores),
        groups=tuple(replace(row, judge=name) for name, found in by_judge.items() for row in found.groups),
        max_rel=track.judgments.max_grade,
        notices=(*_said_by(by_judge), *(() if track.judges is None else by_judges(track.judges))),
    )


def _said_by(by_judge: Mapping[str, Scores]) -> Iterator[Note]:
    """What is to be known whoever judged, once; and what only by some judge, with the name."""
    every = {name: [*map(str, found.notices)] for name, found in by_judge.items()}
    said: set[str] = set()
    for name, found in by_judge.items():
        for note in found.notices:
            shared = all(str(note) in notes for notes in every.values())
            if not shared:
                yield note.about(f"by {name}", judge=name)
            elif str(note) not in said:
                said.add(str(note))
                yield note


def _conclude(track: Track, parts: Sequence[RunPart], groups: Grouping | None) -> Scores:
    every = np.arange(len(track.topics))
    lacking = missing_topics(track.conventions, [part.run for part in parts], parts, every)
    return Scores(
        lacking=lacking,
        on_common=() if lacking is None else tuple(_on_common(track, parts, lacking, common_topics(parts, every))),
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        scores=tuple(
            scored(part.run, found, track.conventions, track.topics) for part in parts for found in part.values.values()
        ),
        groups=() if groups is None else tuple(_grouped(track, parts, groups)),
        max_rel=track.judgments.max_grade,
        # An answer makes what was left for later when its notes are read.
        notices=cast("tuple[Note, ...]", (*track.unread_notes(parts), *turned(track, parts))),
    )


def _on_common(track: Track, parts: Sequence[RunPart], lacking: MissingTopics, topics: Rows) -> Iterator[CommonPair]:
    """Two runs by each measure, on the topics that both have results for."""
    first, second = parts
    for name in first.values:
        means = []
        for part in parts:
            found = part.values[name]
            kept = found.kept(track.conventions)
            some = np.isin(found.topics[kept], topics)
            means.append(found.measure.aggregate(found.settled(track.conventions)[some], found.lengths[kept][some]))
        yield CommonPair(
            measure=name,
            run=second.run,
            compared_with=first.run,
            missing_topics=lacking.missing[second.run],
            compared_missing_topics=lacking.missing[first.run],
            num_topics=len(topics),
            mean=means[1],
            compared_mean=means[0],
            difference=means[1] - means[0],
            low=None,
            high=None,
            p_corrected=None,
            verdict=None,
        )


def turned(track: Track, parts: Sequence[RunPart]) -> Iterator[Note]:
    """Where the judgments of one judge count: whether another one at hand has another run first."""
    if len(parts) < 2 or not all(part.others for part in parts) or track.judges is None:
        return
    choice, measure = track.conventions, track.measures[0]
    sign, name = measure.sign, str(measure)
    first = _first([sign * part.values[name].summary(choice) for part in parts], 0)
    others = {}
    for judge in parts[0].others:
        means = [sign * part.others[judge].summary(choice) for part in parts]
        place = _first(means, first)
        if place != first:
            others[judge] = parts[place].run
    if others:
        named = [{"judge": judge, "run": run} for judge, run in others.items()]
        yield TURNED(
            measure=name,
            judge=choice.judge or track.judges.given,
            run=parts[first].run,
            others=named[:2],
            more=len(named) - 2 if len(named) > 2 else None,
            judges=len(others),
        )


def _first(means: Sequence[float], known: int) -> int:
    """The place of the best; of those that differ from it by rounding alone, the one that is known."""
    merit = level(means)
    best = int(np.nanargmax(merit)) if (merit == merit).any() else known
    return known if merit[known] == merit[best] else best


def _grouped(track: Track, parts: Sequence[RunPart], given: Grouping) -> Iterator[GroupScore]:
    """A row a run, measure and group: what sums up the topics of the group that count; all topics last."""
    choice = track.conventions
    counting = np.unique(np.concatenate([found.topics for part in parts for found in part.values.values()]))
    groups = TopicGroups.of(given, track.topics, counting)
    for part in parts:
        for at, name in enumerate((*groups.names, ALL)):
            for found in part.values.values():
                kept = found.kept(choice)
                number = groups.number[found.topics[kept]]
                inside = number == at if at < len(groups) else np.ones(len(number), np.bool_)
                values = found.settled(choice)[inside]
                low, high = _interval(values, None if at < len(groups) else number, found.measure)
                yield GroupScore(
                    run=part.run,
                    group=name,
                    measure=str(found.measure),
                    num_topics=int(inside.sum()),
                    mean=found.measure.aggregate(values, found.lengths[kept][inside]),
                    low=low,
                    high=high,
                    by=found.measure,
                )


def _interval(values: Floats, groups: Rows | None, measure: Measure) -> tuple[float | None, float | None]:
    """The 95% interval of the mean of topics, or of topics whose groups were drawn; none where there is none."""
    few = len(values) < 2 if groups is None else len(np.unique(groups)) < FEW
    if not measure.averages or few or not np.isfinite(values).all():
        return None, None
    from truerank.statistics.clusters import Clusters
    from truerank.statistics.intervals import mean_intervals

    if groups is None:
        ends = mean_intervals(values[None])
    else:
        ends = mean_intervals(Clusters(groups).around_means(values[None]), method="bootstrap")
    ends = ends.within(*measure.range)
    return ends.low[0].item(), ends.high[0].item()


def scored(run: str, values: Values, choice: Conventions, topics: Sequence[str]) -> Score:
    """Settle the topics without a value, and summarise."""
    kept = values.topics[values.kept(choice)]
    ends = values.bounds(choice)
    bounded = ends is not None
    return Score(
        run=run,
        measure=str(values.measure),
        by=values.measure,
        names=tuple(topics) if len(kept) == len(topics) else tuple(topics[topic] for topic in kept),
        values=values.settled(choice),
        mean=values.summary(choice),
        low=ends[0] if ends else None,
        high=ends[1] if ends else None,
        low_values=values.settled(choice, values.low) if bounded else None,
        high_values=values.settled(choice, values.high) if bounded else None,
    )


def score(judgments: Qrels, run: Run, wanted: tuple[Measure, ...], choice: Conventions) -> ByMeasure[Score]:
    """Score one prepared run and nothing more: no notes, and a run of other topics is not refused.

    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.grammar import parse_all
    >>> score(as_qrels({"q1": {"a": 1}}), as_run({"q1": ["b", "a"]}), parse_all("RR"), Conventions())["RR"].mean
    0.5
    """
    found = [values(lens, measure) for lens in [_lens(judgments, run, wanted, choice)] for measure in wanted]
    names = tuple(map(text, judgments.topics))
    return ByMeasure({str(one.measure): scored(run.name, one, choice, names) for one in found})


def topic_values(judgments: Qrels, run: Run, wanted: tuple[Measure, ...], choice: Conventions) -> dict[Measure, Floats]:
    """The values alone that ``score`` gives to topics: what is asked for again and again, of small runs.

    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.rr import RR
    >>> topic_values(as_qrels({"q1": {"a": 1}}), as_run({"q1": ["b", "a"]}), (RR(),), Conventions())[RR()].tolist()
    [0.5]
    """
    lens = _lens(judgments, run, wanted, choice)
    found = {measure: lens.estimate(measure).value for measure in wanted}
    if choice.skips_undefined:
        found = {measure: value[~np.isnan(value)] for measure, value in found.items()}
    return {measure: settled(value, measure, choice) for measure, value in found.items()}


def _lens(judgments: Qrels, run: Run, wanted: tuple[Measure, ...], choice: Conventions) -> Lens:
    refuse_measures(wanted, choice)
    refuse_judgments(judgments, wanted, choice)
    pools = JudgmentPools(judgments, (Named(run.name, run),), wanted)
    return Lens(judgments, run, pools, choice, deepest=deepest_of(wanted))
