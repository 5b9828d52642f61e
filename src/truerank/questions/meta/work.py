"""What is looked at in each run, and what follows for measures by every criterion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.parallel import parallel
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import prefixes
from truerank.questions.meta.consistency import (
    OrderStability,
    Swaps,
    discrimination,
    halves,
    resamples,
    stability,
    swaps,
)
from truerank.questions.meta.question import (
    CRITERIA,
    LEFT_OUT,
    Discrimination,
    MeasureCriteria,
    MeasurePair,
    Meta,
    MetaSettings,
    undefined,
)
from truerank.questions.meta.scores import SystemScores, orders
from truerank.questions.meta.unanimity import coverage, sampled_unanimity, unanimity
from truerank.statistics.correlations import Places
from truerank.statistics.level import level
from truerank.statistics.tests import procedure
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import Values, values


def refuse(settings: MetaSettings, measures: Sequence[Measure]) -> None:
    """Refuse measures and settings that nothing can be compared by."""
    for measure in measures:
        if not measure.averages:
            raise InputError(
                f"{measure} is not a mean over topics, which comparisons are made of; choose another measure"
            )
    for name, least in (("depth", 1), ("permutations", 1), ("splits", 1), ("pairs", 1), ("seed", 0)):
        value = getattr(settings, name)
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not (whole and value >= least) and not (name == "depth" and value is None):
            raise InputError(f"{name}={value!r}; give a whole number from {least} on")
    if not 0 <= settings.fuzziness < 1:
        raise InputError(f"fuzziness={settings.fuzziness!r}; give a share from 0 to below 1, such as 0.05")
    if not 0 < settings.alpha < 1:
        raise InputError(f"alpha={settings.alpha!r}; give a number between 0 and 1, such as 0.05")
    test = procedure(settings.test)
    if settings.test == "tukey":
        needed("scipy.stats", f"a {test.title}")


def refuse_few(track: Track) -> None:
    """Refuse a single run."""
    if len(track.runs) < 2:
        raise InputError("measures are compared by how they order systems, and there is one run; give several")


def score_run(lens: Lens, measures: Sequence[Measure], *, depth: int | None) -> RunPart:
    """What is kept of a run: its values by every measure; with ``depth``, of lists cut there."""
    found = {
        str(measure): values(lens, measure) if depth is None else values_at(lens, measure, depth)
        for measure in measures
    }
    return observe(lens, found, ties=False)


def values_at(lens: Lens, measure: Measure, depth: int) -> Values:
    """Values of every list cut after ``depth`` documents, as it is where it is shorter; NaN where undefined."""
    value = np.full(len(lens.judged.length), np.nan)
    for block in lens.lists(measure):
        every = prefixes(measure, block, min(depth, int(block.length.max(initial=0))))
        value[block.topic] = every[np.arange(len(block.topic)), np.minimum(block.length, every.shape[1] - 1)]
    return Values(
        topics=lens.topics,
        measure=measure,
        value=value[lens.topics],
        error=np.zeros(len(lens.topics)),
        lengths=np.minimum(lens.lengths(lens.conventions.ending_of(measure)), depth),
    )


def summarise(
    track: Track,
    parts: Sequence[RunPart],
    wanted: Sequence[Measure],
    covered: Sequence[Measure],
    settings: MetaSettings,
) -> Meta:
    """Compare the ``wanted`` measures; improvements by those ``covered`` are the reference of coverage."""
    scores, known = together(track, parts)
    compared, reference = [scores[measure] for measure in wanted], [scores[measure] for measure in covered]
    seed = settings.seed
    found = unanimity(reference)
    exact, sampled = (coverage(compared, each) for each in (found, sampled_unanimity(reference, settings.pairs, seed)))
    halved = halves(int(known.sum()), settings.splits, seed)
    drawn = resamples(int(known.sum()), settings.splits, seed)
    pairs, correlations = orders([each.means for each in compared])

    def of(one: SystemScores) -> tuple[Discrimination, Swaps, OrderStability]:
        tests = discrimination(
            one, test=settings.test, alpha=settings.alpha, permutations=settings.permutations, seed=seed
        )
        return tests, swaps(one, halved), stability(one, drawn, settings.fuzziness)

    several = parallel(of, compared)
    criteria = [
        {
            "discrimination": tests.discrimination,
            "sensitivity": halving.sensitivity,
            "tau_halves": halving.tau_halves,
            "minority": order.minority,
            "coverage": float(rho),
        }
        for (tests, halving, order), rho in zip(several, exact, strict=True)
    ]
    placed = ranks(criteria)
    measures = tuple(
        MeasureCriteria(
            measure=str(measure),
            **criteria[place],
            mean_tau_a=float(correlations.mean_tau_a[place]),
            ranks={name: placed[place][name] for name in CRITERIA},
            mean_rank=placed[place]["mean_rank"],
            tests=tests,
            swaps=halving,
            stability=order,
            sampled_coverage=float(sampled[place]),
        )
        for place, (measure, (tests, halving, order)) in enumerate(zip(wanted, several, strict=True))
    )
    by_run = zip(*((measure.sign * scores[measure].values.mean(axis=-1)).tolist() for measure in wanted), strict=True)
    left_out = len(known) - int(known.sum())
    return Meta(
        compared=measures,
        orders=tuple(
            MeasurePair(measure=str(wanted[one]), other=str(wanted[other]), **both._asdict())
            for one, other, both in pairs
        ),
        systems=dict(zip([run.name for run in track.runs], by_run, strict=True)),
        topics=tuple(name for name, kept in zip(track.topics, known, strict=True) if kept),
        reference=tuple(covered),
        correlations=correlations,
        unanimity=found,
        settings=settings,
        conventions=track.conventions,
        notices=(
            *track.notes(parts),
            *([LEFT_OUT(topics=left_out)] if left_out else []),
            *undefined(measures, compared, found, covered),
        ),
    )


def together(track: Track, parts: Sequence[RunPart]) -> tuple[dict[Measure, SystemScores], Mask]:
    """The scores of all runs by all measures on the topics that they have in common, and which topics these are."""
    choice, topics = track.conventions, len(track.topics)
    every = np.stack([[part.values[str(measure)].full(choice, topics) for part in parts] for measure in track.measures])
    known: Mask = ~np.asarray(np.isnan(every).any(axis=(0, 1)))
    if not known.any():
        without = next((one for one, rows in zip(track.measures, every, strict=True) if np.isnan(rows).all()), None)
        remedy = "choose no_relevant='zero', missing='empty'"
        if without is not None:
            remedy = f"{without} has none in any topic: {without.defined_by}"
        raise InputError(f"no topic has a value for all runs by all measures; {remedy}")
    common = zip(track.measures, every[..., known], strict=True)
    return {measure: SystemScores(measure.sign * rows, str(measure)) for measure, rows in common}, known


def ranks(found: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """The place of each measure by each criterion, 1 for the best, and the mean of its places.

    Measures that are equal share the mean of their places, and those without a value the last ones; a criterion that no
    measure has a value by is NaN and not counted.

    >>> ranks([{"coverage": 0.9, "minority": 0.1}, {"coverage": 0.8, "minority": 0.1}])[0]
    {'minority': 1.5, 'coverage': 1.0, 'mean_rank': 1.25}
    """
    names = [name for name in CRITERIA if found and name in found[0]]
    by_name = {name: _ranks(np.array([each[name] for each in found]), CRITERIA[name]) for name in names}
    rows = [{name: float(by_name[name][place]) for name in names} for place in range(len(found))]
    known = [name for name in names if not np.isnan(by_name[name]).any()]
    return [{**row, "mean_rank": sum(row[name] for name in known) / len(known) if known else math.nan} for row in rows]


def _ranks(values: Floats, best: str) -> Floats:
    if np.isnan(values).all():
        return values
    worth = np.where(np.isnan(values), -np.inf, values if best == "high" else -values)
    places = Places.of(level(worth[None]))
    middle: Floats = places.above[0] + (places.tied[0] + 1) / 2
    return middle
