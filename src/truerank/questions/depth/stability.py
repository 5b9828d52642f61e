"""How much the order of runs depends on the depth at which they are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.parallel import parallel
from truerank.questions.depth.question import Curves, Stability
from truerank.statistics.correlations import Places, concordance, kendall
from truerank.statistics.level import level
from truerank.statistics.orders import agreement
from truerank.statistics.student import significant


def stability(curves: Curves, *, within: float, alpha: float) -> tuple[Stability, ...]:
    """How stable each measure's order of runs is, the most stable first.

    ``within`` is how far tau-a may stay below 1 for ``tau_stable_from``, ``alpha`` the level of the paired t-tests.
    """
    if len(curves) < 2:
        raise InputError(f"stability is about the ordering of systems, and there is {len(curves)}; give several runs")
    rows = parallel(lambda measure: _of(curves, measure, within, alpha), curves.measures)
    # A measure by which no two runs differ comes last: nothing is known of it.
    return tuple(sorted(rows, key=lambda row: (row.stable_from or curves.max_depth + 1, -row.mean_tau_a)))


def _of(curves: Curves, measure: str, within: float, alpha: float) -> Stability:
    means = level(curves.means(measure).T)
    if np.isnan(means).any():
        raise InputError(f"{measure} has no value at some depth; choose no_relevant='zero' or 'skip'")
    last, some = means[-1], curves.checkpoints
    # Of all depths only tau-a: it is worked out for all of them at once.
    tau_a = kendall(last, means)
    agreements = [agreement(last, means[depth - 1]) for depth in some.tolist()]
    stays = np.minimum.accumulate(tau_a[::-1])[::-1] >= 1 - within
    steps = concordance(Places.of(means[:-1]), Places.of(means[1:]))
    tested = _tests(curves, measure, alpha)
    return Stability(
        measure=measure,
        unjudged=curves.conventions.unjudged,
        tau_stable_from=int(np.argmax(stays)) + 1,
        significant_reversed=_reversals(means, tested.at_last),
        tau_a=tau_a,
        reversed_previous=np.concatenate([[0], steps.discordant.sum(axis=-1)]),
        mean_change=np.abs(np.diff(means, axis=0, prepend=0.0)).mean(axis=-1),
        checkpoints=some,
        tau_b=np.array([agreed.tau_b for agreed in agreements]),
        tau_ap=np.array([agreed.tau_ap for agreed in agreements]),
        discrimination=tested.discrimination,
        reversed_share=tested.reversed_share,
        gained_share=tested.gained_share,
    )


def _reversals(means: Floats, pairs: tuple[Rows, Rows]) -> Rows:
    """At each depth, how many of some pairs of runs have the opposite order of that at the last depth."""
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
    reversed_share: Floats
    """Of the significant pairs, the share whose sign is another at the last depth."""
    gained_share: Floats
    """Of the significant pairs, the share that is not significant at the last depth."""
    at_last: tuple[Rows, Rows]
    """The pairs that are significant at the last depth, by the numbers of their runs."""


def _tests(curves: Curves, measure: str, alpha: float) -> _Tests:
    values = curves.per_topic[measure]
    # A topic that is left out for one system cannot be compared.
    values = values[:, ~np.isnan(values).any(axis=(0, 2))]
    one, other = np.triu_indices(len(values), 1)
    signs, tests = [], []
    for checkpoint in range(values.shape[2]):
        scores = values[:, :, checkpoint]
        mean = level(scores.mean(axis=-1))
        signs.append(np.sign(mean[one] - mean[other]))
        tests.append(significant(scores, alpha)[one, other])
    sign, differs = np.array(signs), np.array(tests)
    count = differs.sum(axis=-1)

    def share(which: Any) -> Floats:
        result: Floats = np.divide(which.sum(axis=-1), count, out=np.full(len(count), np.nan), where=count > 0)
        return result

    last = differs[-1]
    return _Tests(
        discrimination=count / max(len(one), 1),
        reversed_share=share(differs & (sign != sign[-1])),
        gained_share=share(differs & ~last),
        at_last=(one[last], other[last]),
    )
