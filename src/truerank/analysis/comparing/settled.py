"""Whether a verdict stands however ties, unjudged documents and depth are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from truerank.analysis.comparing.compared import Compared
from truerank.analysis.comparing.pair import Check
from truerank.analysis.comparing.scored import Scored, Stage
from truerank.analysis.differences.bounds import Bounds, by_ties, by_unjudged
from truerank.analysis.differences.lists import Lists
from truerank.analysis.pairs import EQUAL
from truerank.analysis.significance.complete import complete
from truerank.analysis.significance.corrections import CORRECTIONS, corrected
from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure

Pairs = dict[tuple[int, int], tuple[Check, ...]]


def other_depths(cutoff: int | None) -> tuple[int, ...]:
    """Depths to compare with that of a measure: half and twice as deep; none for a measure without a cutoff.

    >>> other_depths(10), other_depths(1), other_depths(None)
    ((5, 20), (2,), ())
    """
    return () if not cutoff else tuple(depth for depth in (cutoff // 2, 2 * cutoff) if depth and depth != cutoff)


def checks(
    found: Compared,
    scored: Scored,
    baselines: Sequence[int] | None,
    depths: Sequence[int] | None,
    progress: Stage | None = None,
) -> Pairs:
    """Compare every pair again: with ties and unjudged documents in favour of either system, and at other depths.

    With ties in favour of one system, its ties stand in the best order and those of the other in the worst. With
    unjudged documents in its favour, they have the grades that set it as far ahead as grades can. Everything else
    stays as it is, the other pairs of the correction included.
    """
    deeper = [*_depths(found, scored, baselines, depths)]
    result: Pairs = {}
    for done, pair in enumerate(found.asked):
        if progress is not None:
            progress(f"checking {found.measure}", done, len(found.asked))
        result[pair] = (*_bounded(found, scored, pair), *(each[pair] for each in deeper))
    return result


def _bounded(found: Compared, scored: Scored, pair: tuple[int, int]) -> Iterator[Check]:
    a, b = (scored.views[at] for at in pair)
    index = _kept(found, scored)
    names = [found.runs[at] for at in pair]
    observed = found.topic_differences(*names).differences
    both = {"ties": by_ties(found.measure, a, b), "unjudged": _by_unjudged(found.measure, Lists(a, b))}
    for convention, bounds in both.items():
        if bounds is None:
            continue
        some = bounds.take(index)
        # The low end of a difference is good for a, where high values are.
        for favours, end in zip(names[:: int(found.sign)], (some.low, some.high), strict=True):
            difference = np.where(np.isnan(end) | (np.abs(end - observed) <= EQUAL), observed, end)
            if (difference != observed).any():
                yield replace(_check(found, pair, convention, favours, difference), exact=some.exact)


def _by_unjudged(measure: Measure, lists: Lists) -> Bounds | None:
    """What grades of unjudged documents can make of the difference: nothing where both lists are the same."""
    bounds = by_unjudged(measure, lists, lists.a.pool)
    if bounds is None or bounds.exact:
        return bounds
    longest = max(int(views.judged.length.max(initial=0)) for views in (lists.a, lists.b))
    documents = lists.documents(measure, measure.cutoff or max(longest, 1), lists.a.topics)
    differ = np.zeros(len(bounds.low), bool)
    differ[documents.topic[documents.entered | documents.left | documents.moved]] = True
    return replace(bounds, low=np.where(differ, bounds.low, 0.0), high=np.where(differ, bounds.high, 0.0))


def _check(found: Compared, pair: tuple[int, int], convention: str, favours: str, difference: Floats) -> Check:
    a, b = pair
    settings = found.settings
    if settings.procedure.simultaneous:
        values = found.values.copy()
        values[b] = values[a] + difference
        p = settings.procedure(values, **settings.drawing()).p[b, a].item()
    else:
        p = settings.procedure(np.stack([np.zeros(len(difference)), difference]), **settings.drawing()).p[0, 1].item()
    family = found.of_pairs(found.tested.p)
    place = found.asked.index(pair)
    family[place] = p
    adjusted = CORRECTIONS[settings.correction](family)[place].item()
    return _read(found, pair, convention, favours, difference.mean().item(), adjusted)


def _depths(
    found: Compared, scored: Scored, baselines: Sequence[int] | None, depths: Sequence[int] | None
) -> Iterator[dict[tuple[int, int], Check]]:
    """The same comparison by the measure at each other depth."""
    measure, settings = found.measure, found.settings
    for depth in other_depths(measure.cutoff) if depths is None else depths:
        if depth == measure.cutoff or not measure.takes_cutoff:
            continue
        other = measure @ depth
        values = scored.at(other)[:, np.isin(scored.names, found.topics)]
        if not np.isfinite(values).all(axis=0).any():
            continue
        values = complete(values).scores
        tested = settings.procedure(values, **settings.drawing())
        p = corrected(tested, settings.correction, baselines=baselines, alpha=settings.alpha).p
        means = values.mean(axis=1)
        yield {
            (a, b): _read(found, (a, b), "depth", str(other), (means[b] - means[a]).item(), p[b, a].item())
            for a, b in found.asked
        }


def _read(found: Compared, pair: tuple[int, int], convention: str, favours: str, difference: float, p: float) -> Check:
    a, b = pair
    now = found.verdict(found.effects.difference[b, a].item(), found.corrected.p[b, a].item())
    then = found.verdict(0.0 if abs(difference) <= EQUAL else difference, float(p))
    return Check(convention, favours, difference, float(p), then, now == then)


def _kept(found: Compared, scored: Scored) -> Rows:
    """Indexes in the judgments of the topics compared on."""
    place = dict(zip(scored.names, scored.topics.tolist(), strict=True))
    return np.array([place[topic] for topic in found.topics], np.int64)
