"""Every measure by every criterion."""

from __future__ import annotations

import math
from collections.abc import Iterator

from truerank.analysis.criteria.correlations import correlations
from truerank.analysis.criteria.coverage import coverage
from truerank.analysis.criteria.discrimination import discrimination
from truerank.analysis.criteria.halves import halves, swaps
from truerank.analysis.criteria.merits import Found
from truerank.analysis.criteria.resamples import resamples, stability
from truerank.analysis.criteria.results import Meta, Settings
from truerank.analysis.criteria.scored import Scored
from truerank.analysis.criteria.together import Together
from truerank.analysis.criteria.unanimity import Unanimity, sampled_unanimity, unanimity
from truerank.conventions.choices import Conventions
from truerank.data.parallel import parallel
from truerank.data.printing import counted
from truerank.measures.core.base import Measure


def compare(
    scores: Together,
    wanted: tuple[Measure, ...],
    covered: tuple[Measure, ...],
    settings: Settings,
    choice: Conventions,
) -> Meta:
    """Compare the ``wanted`` measures; improvements by those ``covered`` are the reference of coverage."""
    scored, reference = [scores.scores[m] for m in wanted], [scores.scores[m] for m in covered]
    topics, seed = len(scores.topics), settings.seed
    found = unanimity(reference)
    exact, sampled = (coverage(scored, each) for each in (found, sampled_unanimity(reference, settings.pairs, seed)))
    parts, drawn = halves(topics, settings.splits, seed), resamples(topics, settings.splits, seed)
    alike = correlations([each.means for each in scored])
    test, alpha, permutations = settings.test, settings.alpha, settings.permutations

    def of(place: int) -> Found:
        return Found(
            discrimination=discrimination(scored[place], test=test, alpha=alpha, permutations=permutations, seed=seed),
            swaps=swaps(scored[place], parts),
            stability=stability(scored[place], drawn, settings.fuzziness),
            coverage=float(exact[place]),
            sampled_coverage=float(sampled[place]),
            tau=float(alike.mean_tau[place]),
        )

    merits = dict(zip(map(str, wanted), parallel(of, range(len(wanted))), strict=True))
    by_run = zip(*(scores.means(measure).tolist() for measure in wanted), strict=True)
    return Meta(
        scores=merits,
        systems=dict(zip(scores.runs, by_run, strict=True)),
        topics=scores.topics,
        reference=covered,
        correlations=alike,
        unanimity=found,
        settings=settings,
        conventions=choice,
        notices=(*scores.notices, *_notices(merits, scored, found, covered)),
    )


def _notices(
    merits: dict[str, Found], scored: list[Scored], found: Unanimity, covered: tuple[Measure, ...]
) -> Iterator[str]:
    """Why something is undefined."""
    noted = [(name, note) for name, each in merits.items() for note in each.discrimination.notes]
    if noted:
        more = len({name for name, _ in noted}) - 1
        others = f"; something like it for {counted(more, 'other measure')}" if more else ""
        yield f"{noted[0][0]}: {noted[0][1]}{others}"
    if len(merits) == 1:
        yield "there is one measure: how far it agrees with others is undefined"
    if scored[0].topics < 2:
        yield "there is one topic: it cannot be split, and what other topics would show is undefined"
    flat = [name for name, each in zip(merits, scored, strict=True) if not each.spread]
    if flat:
        one = "has" if len(flat) == 1 else "have"
        yield f"{', '.join(flat)} {one} the same mean for all runs: there is no order, and coverage is undefined"
    lost = [name for name, each in merits.items() if math.isnan(each.swaps.needed) and not math.isnan(each.swaps.tau)]
    if lost:
        yield f"{', '.join(lost)}: no difference seen on half of the topics is large enough to be relied on"
    if not found.surplus.any():
        names = " ".join(map(str, covered))
        yield f"no run improves on another by all of {names} more often than the other way: coverage is undefined"
    below = [name for name, each in zip(merits, scored, strict=True) if not each.one_sided]
    if below:
        yield f"{', '.join(below)}: scores lie on both sides of 0, where shares mean nothing; fuzzy ones are undefined"
