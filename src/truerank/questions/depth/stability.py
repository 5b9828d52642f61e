"""How much the ordering of systems depends on the depth at which they are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.parallel import parallel
from truerank.questions.depth.answer import Curves, Stability
from truerank.statistics.correlations import Places, concordance, kendall, kendall_b, tau_ap
from truerank.statistics.level import level
from truerank.statistics.student import significant


def stability(curves: Curves, *, within: float, alpha: float) -> tuple[Stability, ...]:
    """How stable each measure's ordering of systems is, the most stable first.

    ``within`` is how far tau may stay below 1 for ``settled``, ``alpha`` the level of the paired t-tests.
    """
    if len(curves) < 2:
        raise InputError(f"stability is about the ordering of systems, and there is {len(curves)}; give several runs")
    found = parallel(lambda measure: _of(curves, measure, within, alpha), curves.measures)
    # A measure by which no two systems differ comes last: nothing is known of it.
    return tuple(sorted(found, key=lambda one: (one.stable_from or curves.max_depth + 1, -one.mean_tau)))


def _of(curves: Curves, measure: str, within: float, alpha: float) -> Stability:
    means = level(curves.means(measure).T)
    if np.isnan(means).any():
        raise InputError(f"{measure} has no value at some depth; choose no_relevant='zero' or 'skip'")
    last, some = means[-1], curves.checkpoints
    tau = kendall(last, means)
    stays = np.minimum.accumulate(tau[::-1])[::-1] >= 1 - within
    steps = concordance(Places.of(means[:-1]), Places.of(means[1:]))
    kept, crossed = (counts.sum(axis=-1) for counts in steps)
    pairs = means.shape[1] * (means.shape[1] - 1) // 2
    tested = _tests(curves, measure, alpha)
    return Stability(
        measure=measure,
        unjudged=curves.conventions.unjudged,
        tau=tau,
        tau_previous=np.concatenate([[1.0], (kept - crossed) / pairs]),
        crossed=np.concatenate([[0], crossed]),
        change=np.abs(np.diff(means, axis=0, prepend=0.0)).mean(axis=-1),
        checkpoints=some,
        tau_b=kendall_b(last, means[some - 1]),
        tau_ap=tau_ap(last, means[some - 1]),
        discrimination=tested.discrimination,
        overturned=tested.overturned,
        lost=tested.lost,
        settled=int(np.argmax(stays)) + 1,
        reversals=_reversals(means, tested.at_last),
    )


def _reversals(means: Floats, pairs: tuple[Rows, Rows]) -> Rows:
    """At each depth, how many of some pairs of systems have the opposite order of that at the last depth."""
    one, other = pairs
    ahead = means[-1, one] > means[-1, other]
    better, worse = np.where(ahead, one, other), np.where(ahead, other, one)
    # Depth by depth, so that the means of all pairs at all depths are never held at once.
    return np.array([np.count_nonzero(here[better] < here[worse]) for here in means], np.intp)


@dataclass(frozen=True, eq=False)
class _Tests:
    """Paired t-tests of all pairs at each checkpoint."""

    discrimination: Floats
    """Share of significant pairs."""
    overturned: Floats
    """Of the significant pairs, the share whose sign is another at the last depth."""
    lost: Floats
    """Of the significant pairs, the share that is not significant at the last depth."""
    at_last: tuple[Rows, Rows]
    """The pairs that are significant at the last depth, by the numbers of their systems."""


def _tests(curves: Curves, measure: str, alpha: float) -> _Tests:
    values = curves.per_topic[measure]
    # A topic that is left out for one system cannot be compared.
    values = values[:, ~np.isnan(values).any(axis=(0, 2))]
    one, other = np.triu_indices(len(values), 1)
    signs, tests = [], []
    for place in range(values.shape[2]):
        scores = values[:, :, place]
        mean = level(scores.mean(axis=-1))
        signs.append(np.sign(mean[one] - mean[other]))
        tests.append(significant(scores, alpha)[one, other])
    sign, significant_ = np.array(signs), np.array(tests)
    count = significant_.sum(axis=-1)

    def share(which: Any) -> Floats:
        result: Floats = np.divide(which.sum(axis=-1), count, out=np.full(len(count), np.nan), where=count > 0)
        return result

    last = significant_[-1]
    return _Tests(
        count / max(len(one), 1),
        share(significant_ & (sign != sign[-1])),
        share(significant_ & ~last),
        (one[last], other[last]),
    )
