"""How much the ordering of systems depends on the depth at which they are scored."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.parallel import parallel
from truerank.questions.depth.answer import Curves, Stability
from truerank.statistics.correlations import Places, concordance, kendall, kendall_b, tau_ap
from truerank.statistics.level import level
from truerank.statistics.student import significant


def stability(curves: Curves, *, within: float, alpha: float) -> tuple[Stability, ...]:
    """Tell how stable each measure's ordering of systems is, the most stable first.

    ``within`` is how far tau may stay below 1 for an ordering to count as settled, ``alpha`` the level of the paired
    t-tests that make a finding.
    """
    if len(curves) < 2:
        raise InputError(f"stability is about the ordering of systems, and there is {len(curves)}; give several runs")
    found = parallel(lambda measure: _of(curves, measure, within, alpha), curves.measures)
    return tuple(sorted(found, key=lambda one: (one.settled, -one.mean_tau)))


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
    discrimination, overturned, lost = _findings(curves, measure, alpha)
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
        discrimination=discrimination,
        overturned=overturned,
        lost=lost,
        settled=int(np.argmax(stays)) + 1,
    )


def _findings(curves: Curves, measure: str, alpha: float) -> tuple[Floats, Floats, Floats]:
    """Shares of significant pairs at each checkpoint, and of those that are reversed or gone at the last."""
    values = curves.per_topic[measure]
    # A topic that is left out for one system cannot be compared.
    values = values[:, ~np.isnan(values).any(axis=(0, 2))]
    pair = np.triu_indices(len(values), 1)
    signs, findings = [], []
    for place in range(values.shape[2]):
        scores = values[:, :, place]
        mean = level(scores.mean(axis=-1))
        signs.append(np.sign(mean[pair[0]] - mean[pair[1]]))
        findings.append(significant(scores, alpha)[pair])
    sign, finding = np.array(signs), np.array(findings)
    count = finding.sum(axis=-1)

    def share(which: Any) -> Floats:
        result: Floats = np.divide(which.sum(axis=-1), count, out=np.full(len(count), np.nan), where=count > 0)
        return result

    reversed_ = finding & (sign != sign[-1])
    return count / max(len(pair[0]), 1), share(reversed_), share(finding & ~finding[-1])
