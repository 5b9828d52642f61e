"""What the scores of systems by one measure say of them and of their differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.analysis.comparing.compared import Compared, Margins
from truerank.analysis.comparing.scored import Scored, Stage, left_out
from truerank.analysis.comparing.settings import Settings
from truerank.analysis.significance.complete import complete
from truerank.analysis.significance.corrections import CORRECTIONS, corrected
from truerank.analysis.significance.effects import effects
from truerank.analysis.significance.equivalence import equivalent, no_worse
from truerank.analysis.significance.intervals import difference_intervals, mean_intervals
from truerank.analysis.significance.resampling import Drawing, Progress
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure

SAMPLES = 10_000
"""Bootstrap samples of an interval; more would not change a digit that is shown."""


def compared(
    scored: Scored,
    measure: Measure,
    settings: Settings,
    baselines: Sequence[int] | None,
    progress: Stage | None = None,
) -> Compared:
    """Compare all systems, or each with the baselines, on the topics on which all have a value."""
    every = scored.values[str(measure)]
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
    pairs = asked(len(values), baselines)
    means = mean_intervals(values, confidence=level)
    differences = difference_intervals(values, method=settings.interval, confidence=level, **samples)
    margins = None
    if settings.margin is not None:
        drawn = settings.drawing(_stage(progress, f"holding {measure} against the margin"))
        margins = _margins(sign * values, settings, pairs, drawn)
    # Topics that no run has a value for were told of when runs were read.
    some = np.isfinite(every).any(axis=0) & ~found.kept
    lost = [name for name, left in zip(scored.names, some.tolist(), strict=True) if left]
    notes = (*left_out(lost, "undefined for some of them"), *family.notes, *means.notes)
    return Compared(
        measure=measure,
        runs=scored.runs,
        topics=tuple(name for name, kept in zip(scored.names, found.kept.tolist(), strict=True) if kept),
        values=values,
        settings=settings,
        asked=pairs,
        means=means,
        bootstrap=mean_intervals(values, method="bootstrap", confidence=level, **samples),
        effects=effects(values),
        differences=differences,
        tested=tested,
        corrected=family,
        margins=margins,
        notes=tuple(dict.fromkeys(notes)),
    )


def asked(systems: int, baselines: Sequence[int] | None) -> tuple[tuple[int, int], ...]:
    """Pairs (a, b): each baseline with every system, or each system with those after it.

    >>> asked(3, None), asked(3, [1])
    (((0, 1), (0, 2), (1, 2)), ((1, 0), (1, 2)))
    """
    if baselines is None:
        return tuple((a, b) for a in range(systems) for b in range(a + 1, systems))
    return tuple((a, b) for a in baselines for b in range(systems) if b > a or b not in baselines)


def _margins(gains: Floats, settings: Settings, pairs: Sequence[tuple[int, int]], drawn: Drawing) -> Margins:
    assert settings.margin is not None
    a, b = np.array(pairs).T
    correct = CORRECTIONS[settings.margin_correction]
    questions = (equivalent, no_worse)
    p = [question(gains, settings.margin, test=settings.margin_test, **drawn).p[b, a] for question in questions]
    return Margins(*map(correct, p))


def _stage(progress: Stage | None, what: str) -> Progress | None:
    if progress is None:
        return None

    def step(done: int, total: int) -> None:
        progress(what, done, total)

    return step
