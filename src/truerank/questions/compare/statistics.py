"""What the scores of systems by one measure say of them and of their differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.questions.compare.answer import BETTER, WORSE, MeasureComparison, PairRow
from truerank.questions.compare.settings import POWER, CompareSettings
from truerank.questions.compare.words import LITTLE, left_out
from truerank.report.rows import ColumnarRows
from truerank.statistics.corrections import CORRECTIONS, corrected
from truerank.statistics.effects import effects
from truerank.statistics.equivalence import equivalent, no_worse
from truerank.statistics.intervals import difference_intervals, mean_intervals
from truerank.statistics.paired import complete
from truerank.statistics.power import detectable, needed_topics
from truerank.statistics.randomization import Drawing
from truerank.statistics.randomization import Progress as Draws
from truerank.track.track import Progress

SAMPLES = 10_000
"""Bootstrap samples of an interval; more would not change a digit that is shown."""


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of runs by a measure on the judged topics that count for every run."""

    measure: Measure
    runs: tuple[str, ...]
    topics: Rows
    """Indexes of the topics in the judgments."""
    names: tuple[str, ...]
    """The same in words."""
    values: Floats
    """Runs x topics; NaN where undefined and not to be counted."""


@dataclass(frozen=True, eq=False)
class Margins:
    """Corrected p-values for differences beyond the margin, of the pairs asked about."""

    equivalent: Floats
    no_worse: Floats
    """Of b being worse than a by the margin or more."""


def compared(
    scores: ScoreMatrix,
    settings: CompareSettings,
    pairs: tuple[tuple[int, int], ...],
    baselines: Sequence[int] | None,
    progress: Progress | None = None,
) -> MeasureComparison:
    """Compare all systems, or each with the baselines, on the topics on which all have a value."""
    measure, every = scores.measure, scores.values
    if not np.isfinite(every).all(axis=0).any():
        raise InputError(
            f"{measure} has no value for all runs on any topic, so that there is nothing to compare; "
            "choose no_relevant='zero'"
        )
    found = complete(every)
    values, sign = found.scores, measure.sign
    tested = settings.procedure(values, **settings.drawing(_stage(progress, f"testing {measure}")))
    family = corrected(tested, settings.correction, baselines=baselines, alpha=settings.alpha)
    level = settings.confidence
    samples: Drawing = {"permutations": min(settings.permutations, SAMPLES), "seed": settings.seed}
    means, sizes = mean_intervals(values, confidence=level), effects(values)
    margins = None
    if settings.margin is not None:
        drawn = settings.drawing(_stage(progress, f"holding {measure} against the margin"))
        margins = _margins(sign * values, settings, settings.margin, pairs, drawn)
    # Topics that no run has a value for were told of when runs were read.
    some = np.isfinite(every).any(axis=0) & ~found.kept
    lost = [name for name, left in zip(scores.names, some.tolist(), strict=True) if left]
    little = dict.fromkeys((*family.notes, *means.notes))
    significant = (np.nan_to_num(family.p, nan=1.0) < settings.alpha) & (sizes.difference != 0)
    topics = values.shape[1]
    return MeasureComparison(
        measure=str(measure),
        by=measure,
        runs=scores.runs,
        topics=tuple(name for name, kept in zip(scores.names, found.kept.tolist(), strict=True) if kept),
        num_topics=topics,
        index=scores.topics[found.kept],
        values=values,
        settings=settings,
        asked=pairs,
        means=means,
        bootstrap=mean_intervals(values, method="bootstrap", confidence=level, **samples),
        std_errors=values.std(axis=1, ddof=1) / np.sqrt(topics) if topics > 1 else np.full(len(values), np.nan),
        order=tuple(np.argsort(-sign * means.estimate, kind="stable").tolist()),
        effects=sizes,
        differences=difference_intervals(values, method=settings.interval, confidence=level, **samples),
        tested=tested,
        how=tested.how,
        corrected=family,
        family=family.family,
        better=significant & (sign * sizes.difference > 0),
        margins=margins,
        notes=(*left_out(lost, "undefined for some of them"), *map(LITTLE, little)),
    )


def asked(systems: int, baselines: Sequence[int] | None) -> tuple[tuple[int, int], ...]:
    """Pairs (a, b): each baseline with every system, or each system with those after it.

    >>> asked(3, None), asked(3, [1])
    (((0, 1), (0, 2), (1, 2)), ((1, 0), (1, 2)))
    """
    if baselines is None:
        return tuple((a, b) for a in range(systems) for b in range(a + 1, systems))
    return tuple((a, b) for a in baselines for b in range(systems) if b > a or b not in baselines)


def _margins(
    gains: Floats, settings: CompareSettings, margin: float, pairs: Sequence[tuple[int, int]], drawn: Drawing
) -> Margins:
    a, b = np.array(pairs).T
    correct = CORRECTIONS[settings.margin_correction]
    questions = (equivalent, no_worse)
    p = [question(gains, margin, test=settings.margin_test, **drawn).p[b, a] for question in questions]
    return Margins(*map(correct, p))


def pair_rows(found: MeasureComparison) -> ColumnarRows[PairRow]:
    """A row a pair that was asked about."""
    effects, within, alpha = found.effects, found.margins, found.settings.alpha
    won, lost = (effects.wins, effects.losses) if found.sign > 0 else (effects.losses, effects.wins)
    superiority = found.of_pairs(effects.superiority)
    nothing = [None] * len(found.asked)
    checks = nothing if found.checks is None else [found.checks[pair] for pair in found.asked]
    open_ = [[check.convention for check in some or () if not check.settles] for some in checks]
    return ColumnarRows(
        PairRow,
        measure=[found.measure] * len(found.asked),
        run=[found.runs[b] for _, b in found.asked],
        compared_with=[found.runs[a] for a, _ in found.asked],
        verdict=found.verdicts,
        difference=found.of_pairs(effects.difference),
        low=found.of_pairs(found.differences.low),
        high=found.of_pairs(found.differences.high),
        wins=found.of_pairs(won),
        ties=found.of_pairs(effects.ties),
        losses=found.of_pairs(lost),
        p=found.of_pairs(found.tested.p),
        p_corrected=found.of_pairs(found.corrected.p),
        d_z=found.of_pairs(effects.d_z),
        g_z=found.of_pairs(effects.g_z),
        d_av=found.of_pairs(effects.d_av),
        superiority=superiority if found.sign > 0 else 1.0 - superiority,
        detectable=found.detectable,
        needed_topics=[int(topics) if math.isfinite(topics) else topics for topics in found.needed_topics.tolist()],
        p_equivalent=nothing if within is None else within.equivalent,
        p_no_worse=nothing if within is None else within.no_worse,
        equivalent=nothing if within is None else within.equivalent < alpha,
        no_worse=nothing if within is None else within.no_worse < alpha,
        significant=[verdict in (BETTER, WORSE) for verdict in found.verdicts],
        settled=nothing if found.checks is None else [not some for some in open_],
        depends_on=[tuple(dict.fromkeys(some)) for some in open_],
        checks=checks,
    )


def detectable_differences(found: MeasureComparison) -> Floats:
    """The difference that a t-test would find on the topics at hand, for each pair asked about."""
    if len(found.topics) < 2 or not found.asked:
        return np.full(len(found.asked), np.nan)
    deviation = found.of_pairs(found.effects.deviation)
    return detectable(len(found.topics), deviation, alpha=found.settings.alpha, power=POWER)


def topics_needed(found: MeasureComparison) -> Floats:
    """Topics on which it would find the difference observed, for each pair asked about."""
    size, deviation = np.abs(found.of_pairs(found.effects.difference)), found.of_pairs(found.effects.deviation)
    topics = np.full(len(size), np.nan if len(found.topics) < 2 else np.inf)
    some = (size > 0) & ~np.isnan(deviation)
    if some.any():
        topics[some] = needed_topics(1.0, deviation[some] / size[some], alpha=found.settings.alpha, power=POWER)
    return topics


def _stage(progress: Progress | None, what: str) -> Draws | None:
    if progress is None:
        return None

    def step(done: int, total: int) -> None:
        progress(what, done, total)

    return step
