"""What is looked at in each run, the comparison that follows, and what it says of every pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.measures.core.base import Measure
from truerank.questions.common_topics import common_topics, missing_topics
from truerank.questions.compare.answer import BETTER, WORSE, Comparison, MeasureComparison, PairRow
from truerank.questions.compare.likely import ChangesLater, applies, verdict_changes
from truerank.questions.compare.outcomes import POWER, Gains, outcomes
from truerank.questions.compare.plan import ComparePlan
from truerank.questions.compare.sampling import Sample
from truerank.questions.compare.settled import Pair, PairBounds, checks, draws_of, hinges, look_at_orders, verdict_share
from truerank.questions.compare.settled import score_run as look_at_pair
from truerank.questions.compare.words import LITTLE, left_out, of_measures
from truerank.report.rows import ColumnarRows
from truerank.statistics.agreeing import at_levels_left, ending_at_0
from truerank.statistics.clusters import Clusters
from truerank.statistics.corrections import Corrected, corrected
from truerank.statistics.intervals import SIMULTANEOUS, Intervals
from truerank.statistics.level import level
from truerank.statistics.paired import Complete, PValues, complete
from truerank.statistics.power import detectable, needed_topics
from truerank.statistics.randomization import Drawing
from truerank.statistics.randomization import Progress as DrawProgress
from truerank.track.facts import RunPart, observe
from truerank.track.groups import TopicGroups
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import Values, values

SAMPLES = 10_000
"""Bootstrap samples of an interval; more would not change a digit that is shown."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparePart(RunPart):
    """A run: its values, and those of its measures at other depths."""

    elsewhere: dict[str, dict[str, Values]]
    """By measure, by the measure at each other depth."""


def score_run(lens: Lens, measures: Sequence[Measure], *, elsewhere: dict[str, tuple[Measure, ...]]) -> ComparePart:
    """What is kept of a run."""
    found = {str(measure): values(lens, measure) for measure in measures}
    return observe(
        lens,
        found,
        kind=ComparePart,
        elsewhere={name: {str(other): values(lens, other) for other in some} for name, some in elsewhere.items()},
    )


def summarise(
    track: Track,
    parts: Sequence[ComparePart],
    plan: ComparePlan,
    progress: Progress | None = None,
    *,
    notes: Sequence[Note] = (),
    worlds: bool = True,
) -> Comparison:
    """Compare the runs by each measure, on the topics that count for all of them.

    ``worlds`` says whether it may be asked what judging more documents would change.
    """
    common = track.common([part.values[str(track.measures[0])].topics for part in parts])
    topics = np.flatnonzero(common)
    groups = None
    if plan.groups is not None:
        groups = TopicGroups.of(plan.groups, track.topics, topics)
    open_: dict[Pair, PairBounds] = {}
    if plan.settled:
        one = track if common.all() else track.only(topics)
        open_ = dict(zip(plan.pairs, one.pairs(look_at_pair, plan.pairs, progress=progress), strict=True))
    every = [_tested(track, parts, plan, measure, topics, groups, progress) for measure in track.measures]
    together = every if plan.settings.family == "all" else []
    lacking = missing_topics(track.conventions, plan.names, parts, topics) if plan.systems is None else None
    on_common = _on_common(track, parts, plan, topics) if lacking is not None else ()
    comparisons = []
    for tested in every:
        beside = [one for one in together if one is not tested]
        found = _compared(track, plan, tested, beside, topics, groups)
        if plan.settled:
            deeper = {
                other: _matrix(track, [part.elsewhere[found.measure][other] for part in parts])
                for other in parts[0].elsewhere[found.measure]
            }
            found = replace(found, checks=checks(found, open_, deeper, plan.baselines))
            found = replace(found, tie_shares=_tie_shares(one, found, progress))
        comparisons.append(found)
    later = None
    if worlds and applies(track, plan):
        later = ChangesLater(partial(verdict_changes, track, plan, comparisons))
    choice = track.conventions
    # Tests need values: where a measure has none, the topic is left out, also where NaN was chosen.
    counts_as = choice if choice.counts_undefined else replace(choice, no_relevant="skip")
    lost = _names(track, np.flatnonzero(track.counts & ~common))
    return Comparison(
        conventions=choice,
        wanted=track.measures,
        topics=_names(track, topics),
        runs=plan.names,
        baselines=tuple(plan.names[at] for at in plan.baselines or ()),
        settings=plan.settings,
        comparisons=tuple(comparisons),
        gates=tuple(outcomes(plan.gates, comparisons)),
        changes=later,
        lacking=lacking if on_common else None,
        on_common=on_common,
        notices=(
            *of_measures(comparisons),
            *track.notes(parts, counts_as),
            *left_out(lost),
            *notes,
        ),
    )


def _on_common(
    track: Track, parts: Sequence[ComparePart], plan: ComparePlan, topics: Rows
) -> tuple[MeasureComparison, ...]:
    """Both runs compared once more, on the topics that both have results for; nothing without values there."""
    some = common_topics(parts, topics)
    groups = None if plan.groups is None else TopicGroups.of(plan.groups, track.topics, some)
    try:
        every = [_tested(track, parts, plan, measure, some, groups, None) for measure in track.measures]
    except InputError:
        return ()
    together = every if plan.settings.family == "all" else []
    return tuple(
        _compared(track, plan, one, [other for other in together if other is not one], some, groups) for one in every
    )


def _tie_shares(track: Track, comparison: MeasureComparison, progress: Progress | None) -> dict[Pair, float]:
    """Of pairs whose verdict hinges on ties, in how many random orders it is the same."""
    pairs = hinges(comparison.checks or {})
    if not pairs:
        return {}
    drawn = track.pairs(look_at_orders, pairs, progress=progress, by=comparison.measure, draws=draws_of(comparison))
    return {pair: verdict_share(comparison, pair, each) for pair, each in zip(pairs, drawn, strict=True)}


def _matrix(track: Track, values: Sequence[Values]) -> Floats:
    """Values of runs x judged topics."""
    return np.stack([each.full(track.conventions, len(track.topics)) for each in values])


def _names(track: Track, topics: Rows) -> tuple[str, ...]:
    return tuple(track.topics[topic] for topic in topics.tolist())


@dataclass(frozen=True, eq=False)
class PairTest:
    """A measure whose pairs are tested, and not corrected yet."""

    measure: Measure
    every: Floats
    """Systems x topics; NaN where a system has no value."""
    complete: Complete
    sample: Sample
    p: PValues


def _tested(
    track: Track,
    parts: Sequence[ComparePart],
    plan: ComparePlan,
    measure: Measure,
    topics: Rows,
    groups: TopicGroups | None,
    progress: Progress | None,
) -> PairTest:
    """Test all pairs, or each system with the baselines, on those of some topics on which all have a value."""
    settings = plan.settings
    every = _matrix(track, [part.values[str(measure)] for part in parts])[:, topics]
    if not np.isfinite(every).all(axis=0).any():
        raise InputError(
            f"{measure} has no value for all runs on any topic, so that there is nothing to compare; "
            f"{measure.defined_by}"
        )
    found = complete(every)
    index = topics[found.kept]
    clusters = None if groups is None or not plan.cluster else Clusters(groups.number[index])
    sample = Sample(found.scores, plan.system_of, clusters, measure.range)
    drawn = settings.drawing(_stage(progress, f"testing {measure}"))
    return PairTest(measure, every, found, sample, sample.tested(settings, baseline=plan.first, **drawn))


def _compared(
    track: Track,
    plan: ComparePlan,
    one: PairTest,
    beside: Sequence[PairTest],
    topics: Rows,
    groups: TopicGroups | None,
) -> MeasureComparison:
    """What the tests of a measure say, where p is corrected for its pairs, and for those of others ``beside`` it."""
    settings, measure, every, found, tested = plan.settings, one.measure, one.every, one.complete, one.p
    sample, index, sign = one.sample, topics[found.kept], measure.sign
    others = tuple(other.p for other in beside)
    confidence = settings.confidence
    samples: Drawing = {"permutations": min(settings.permutations, SAMPLES), "seed": settings.seed}
    means, sizes = sample.means("t", confidence, samples), sample.effects
    ways = tested.way(sizes.difference)
    find = partial(_at_level, sample, plan, tested, others, ways, samples)
    usual = find(settings.alpha)
    family = usual.family
    # Topics that no run has a value for were told of when runs were read.
    lost = _names(track, topics[np.isfinite(every).any(axis=0) & ~found.kept])
    little = dict.fromkeys((*family.notes, *means.notes, *sample.notes()))
    significant = np.nan_to_num(family.p, nan=1.0) < settings.alpha
    return MeasureComparison(
        measure=str(measure),
        by=measure,
        runs=plan.names,
        topics=_names(track, index),
        num_topics=len(index),
        num_groups=None if sample.clusters is None else len(sample.clusters),
        sample=sample,
        groups=None if groups is None else groups.of_topics(index),
        index=index,
        values=sample.by_topic,
        settings=settings,
        asked=plan.pairs,
        means=means,
        resampled=partial(sample.means, "bootstrap", confidence, samples),
        std_errors=sample.std_errors,
        order=tuple(np.argsort(-level(sign * means.estimate), kind="stable").tolist()),
        effects=sizes,
        differences=_differences(sample, plan, usual, samples),
        usual=usual,
        find=find,
        beside=others,
        tested=tested,
        how=tested.how,
        corrected=family,
        family=family.family,
        ways=ways,
        better=significant & (sign * ways > 0),
        notes=(*left_out(lost, "undefined"), *(LITTLE(warning=warning) for warning in little)),
    )


@dataclass(frozen=True, eq=False)
class AtLevel:
    """Pairs at a level: p with how many are below it, and intervals of differences that agree with that."""

    family: Corrected
    intervals: Intervals


def _at_level(
    sample: Sample,
    plan: ComparePlan,
    tested: PValues,
    beside: Sequence[PValues],
    ways: Floats,
    samples: Drawing,
    alpha: float,
) -> AtLevel:
    settings = plan.settings
    family = corrected(tested, settings.correction, baselines=plan.baselines, alpha=alpha, beside=beside)

    def at(confidence: float) -> Intervals:
        return sample.differences(settings.test_interval, confidence, samples, baseline=plan.first)

    if settings.correction != "none":
        found = at_levels_left(at, family, alpha=alpha)
    else:
        # A test that allows for all pairs of a measure leaves each of several measures its part.
        parts = family.size // len(plan.pairs) if settings.procedure.simultaneous else 1
        found = at(1.0 - alpha / parts)
    if settings.about_means:
        shown = np.where(np.nan_to_num(family.p, nan=1.0) < alpha, ways, 0.0)
        low, high = ending_at_0(found.low, found.high, shown)
        found = replace(found, low=low, high=high)
    return AtLevel(family, found)


def _differences(sample: Sample, plan: ComparePlan, at: AtLevel, samples: Drawing) -> Intervals:
    """Intervals of differences as they are shown: those that agree with verdicts, unless others are asked for."""
    settings = plan.settings
    if settings.own_interval and (settings.corrects_intervals or settings.correction == "none"):
        return at.intervals
    method, parts = settings.interval_method, 1
    if settings.procedure.simultaneous and method in SIMULTANEOUS:
        parts = at.family.size // len(plan.pairs)
    return sample.differences(method, 1.0 - settings.alpha / parts, samples, baseline=plan.first)


def _stage(progress: Progress | None, what: str) -> DrawProgress | None:
    if progress is None:
        return None

    def step(done: int, total: int) -> None:
        progress(what, done, total)

    return step


def pair_rows(comparison: MeasureComparison) -> ColumnarRows[PairRow]:
    """A row a pair that was asked about."""
    effects, margin, within = comparison.effects, comparison.settings.margin or 0.0, comparison.gains
    won, lost = (effects.wins, effects.losses) if comparison.sign > 0 else (effects.losses, effects.wins)
    superiority = comparison.of_pairs(effects.superiority)
    nothing = [None] * len(comparison.asked)
    checks = nothing if comparison.checks is None else [comparison.checks[pair] for pair in comparison.asked]
    open_ = [[check.convention for check in some or () if not check.settles] for some in checks]
    ends = (np.zeros(0), np.zeros(0)) if within is None else _in_units(within, comparison.sign)
    return ColumnarRows(
        PairRow,
        measure=[comparison.measure] * len(comparison.asked),
        run=[comparison.runs[b] for _, b in comparison.asked],
        compared_with=[comparison.runs[a] for a, _ in comparison.asked],
        verdict=comparison.verdicts,
        difference=comparison.of_pairs(effects.difference),
        low=comparison.of_pairs(comparison.differences.low),
        high=comparison.of_pairs(comparison.differences.high),
        wins=comparison.of_pairs(won),
        ties=comparison.of_pairs(effects.ties),
        losses=comparison.of_pairs(lost),
        p=comparison.of_pairs(comparison.tested.p),
        p_corrected=comparison.of_pairs(comparison.corrected.p),
        d_z=comparison.of_pairs(effects.d_z),
        g_z=comparison.of_pairs(effects.g_z),
        d_av=comparison.of_pairs(effects.d_av),
        superiority=superiority if comparison.sign > 0 else 1.0 - superiority,
        detectable=comparison.detectable,
        needed_topics=_whole(comparison.needed_topics[0]),
        needed_topics_low=_whole(comparison.needed_topics[1]),
        needed_topics_high=_whole(comparison.needed_topics[2]),
        guarded_low=nothing if within is None else ends[0],
        guarded_high=nothing if within is None else ends[1],
        equivalent=nothing if within is None else (within.low > -margin) & (within.high < margin),
        no_worse=nothing if within is None else within.low > -margin,
        significant=[verdict in (BETTER, WORSE) for verdict in comparison.verdicts],
        against_mean=[
            verdict in (BETTER, WORSE) and way * difference < 0
            for verdict, way, difference in zip(
                comparison.verdicts,
                comparison.of_pairs(comparison.ways),
                comparison.of_pairs(effects.difference),
                strict=True,
            )
        ],
        settled=nothing if comparison.checks is None else [not some for some in open_],
        tie_share=[comparison.tie_shares.get(pair) for pair in comparison.asked],
        depends_on=[tuple(dict.fromkeys(some)) for some in open_],
        checks=checks,
    )


def _in_units(within: Gains, sign: float) -> tuple[Floats, Floats]:
    """The ends of gains as those of differences; undefined where there is no interval."""
    low, high = within.ends(sign)
    return np.where(np.isfinite(low), low, np.nan), np.where(np.isfinite(high), high, np.nan)


def _whole(topics: Floats) -> list[float]:
    return [int(count) if math.isfinite(count) else count for count in topics.tolist()]


def detectable_differences(comparison: MeasureComparison) -> Floats:
    """The difference that a t-test would find on the topics at hand, for each pair asked about.

    Infinite where that is more than there can be.
    """
    if comparison.sample.drawn < 2 or not comparison.asked:
        return np.full(len(comparison.asked), np.nan)
    least = _least_found(comparison)
    return np.where(least > comparison.by.range[1] - comparison.by.range[0], np.inf, least)


def _least_found(comparison: MeasureComparison) -> Floats:
    if comparison.sample.replicates is not None:
        # Of few runs little is known of how they vary, which degrees of freedom say.
        some = [comparison.sample.replicates.contrast(b, a) for a, b in comparison.asked]
        each = [
            detectable(one.freedom + 1, one.error * math.sqrt(one.freedom + 1), alpha=comparison.strict, power=POWER)
            if one.error > 0
            else 0.0
            for one in some
        ]
        return np.array(each, dtype=np.float64)
    deviation = comparison.of_pairs(comparison.effects.deviation)
    return detectable(comparison.sample.drawn, deviation, alpha=comparison.strict, power=POWER)


def topics_needed(comparison: MeasureComparison) -> tuple[Floats, Floats, Floats]:
    """Topics on which it would find the difference observed, and those at both ends of its interval by t."""
    size, deviation = (
        np.abs(comparison.of_pairs(comparison.effects.difference)),
        comparison.of_pairs(comparison.effects.deviation),
    )
    ends = comparison.sample.differences("t", comparison.settings.confidence, {})
    low, high = comparison.of_pairs(ends.low), comparison.of_pairs(ends.high)
    nearest = np.where(low * high <= 0, 0.0, np.minimum(np.abs(low), np.abs(high)))
    farthest = np.maximum(np.abs(low), np.abs(high))
    observed, most, fewest = (_topics_for(comparison, each, deviation) for each in (size, nearest, farthest))
    return observed, fewest, most


def _topics_for(comparison: MeasureComparison, size: Floats, deviation: Floats) -> Floats:
    topics = np.full(len(size), np.nan if comparison.sample.drawn < 2 else np.inf)
    topics[np.isnan(size)] = np.nan
    if comparison.sample.replicates is not None:
        # More topics are no more runs, so that no number of them may do.
        return np.full(len(size), np.nan)
    some = (size > 0) & ~np.isnan(deviation)
    if some.any():
        topics[some] = needed_topics(1.0, deviation[some] / size[some], alpha=comparison.strict, power=POWER)
    # Of groups it takes so many, of as many topics as these have.
    return np.ceil(topics * (len(comparison.topics) / comparison.sample.drawn))
