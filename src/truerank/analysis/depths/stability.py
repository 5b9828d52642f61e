"""How much the ordering of systems depends on the depth at which they are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.depths.curves import Curves
from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.parallel import parallel
from truerank.statistics.kendall import Places, concordance, kendall, kendall_b
from truerank.statistics.student import significant
from truerank.statistics.tau_ap import tau_ap

WITHIN, ALPHA = 0.05, 0.05
NEARLY = 0.95
"""Share of the findings at the last depth that make a depth deep enough."""
EQUAL = 12
"""Decimals past which means that differ do so by rounding."""


@dataclass(frozen=True, eq=False)
class Stability:
    """How stable the ordering of systems by one measure is; arrays have one entry a depth, or a checkpoint."""

    measure: str
    tau: Floats
    """Kendall's tau of the ordering at each depth with that at the last one."""
    tau_previous: Floats
    """Kendall's tau of the ordering at each depth with that one step before; 1 at the first."""
    crossings: Rows
    """Pairs of systems whose order differs from that one step before."""
    change: Floats
    """Mean over systems of how far scores moved in one step."""
    checkpoints: Rows
    tau_b: Floats
    """At checkpoints, with the last depth."""
    tau_ap: Floats
    """At checkpoints, the ordering at the last depth being the truth."""
    discrimination: Floats
    """At checkpoints, the share of pairs of systems that differ significantly."""
    overturned: Floats
    """At checkpoints, the share of significant findings whose sign is another at the last depth; NaN without any."""
    lost: Floats
    """At checkpoints, the share of significant findings that are not significant at the last depth."""
    settled: int
    """Depth from which on tau with the last ordering stays at 1 - ``within`` or more."""
    within: float
    alpha: float

    @property
    def mean_tau(self) -> float:
        """Mean of tau over the checkpoints, which weighs depths by their order of magnitude."""
        return float(np.mean(self.tau[self.checkpoints - 1]))

    @property
    def enough(self) -> int:
        """The first checkpoint from which on the ordering is settled and nearly all findings are made."""
        findings = self.discrimination >= NEARLY * self.discrimination[-1]
        return int(self.checkpoints[(self.checkpoints >= self.settled) & findings][0])

    def at(self, depth: int) -> dict[str, float]:
        """The numbers of the last checkpoint that is not deeper."""
        place = int(np.searchsorted(self.checkpoints, depth, side="right")) - 1
        if place < 0:
            raise InputError(f"depth is {depth}; give 1 or more")
        exact = int(self.checkpoints[place])
        named = ("tau_b", "tau_ap", "discrimination", "overturned", "lost")
        return {
            "depth": exact,
            "tau": float(self.tau[exact - 1]),
            "tau_previous": float(self.tau_previous[exact - 1]),
            "crossings": int(self.crossings[exact - 1]),
            "change": float(self.change[exact - 1]),
            **{name: float(getattr(self, name)[place]) for name in named},
        }

    def to_records(self) -> list[dict[str, Any]]:
        """One record a checkpoint."""
        return [{"measure": self.measure, **self.at(int(depth))} for depth in self.checkpoints]


def stability(curves: Curves, *, within: float = WITHIN, alpha: float = ALPHA) -> tuple[Stability, ...]:
    """Tell how stable each measure's ordering of systems is, the most stable first.

    ``within`` is how far tau may stay below 1 for an ordering to count as settled, ``alpha`` the level of the paired
    t-tests that make a finding.
    """
    if len(curves) < 2:
        raise InputError(f"stability is about the ordering of systems, and there is {len(curves)}; give several runs")
    found = parallel(lambda measure: _of(curves, measure, within, alpha), curves.measures)
    return tuple(sorted(found, key=lambda one: (one.settled, -one.mean_tau)))


def _of(curves: Curves, measure: str, within: float, alpha: float) -> Stability:
    means = np.round(curves.means(measure).T, EQUAL)
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
        tau=tau,
        tau_previous=np.concatenate([[1.0], (kept - crossed) / pairs]),
        crossings=np.concatenate([[0], crossed]),
        change=np.abs(np.diff(means, axis=0, prepend=0.0)).mean(axis=-1),
        checkpoints=some,
        tau_b=kendall_b(last, means[some - 1]),
        tau_ap=tau_ap(last, means[some - 1]),
        discrimination=discrimination,
        overturned=overturned,
        lost=lost,
        settled=int(np.argmax(stays)) + 1,
        within=within,
        alpha=alpha,
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
        mean = scores.mean(axis=-1)
        signs.append(np.sign(np.round(mean[pair[0]] - mean[pair[1]], EQUAL)))
        findings.append(significant(scores, alpha)[pair])
    sign, finding = np.array(signs), np.array(findings)
    count = finding.sum(axis=-1)

    def share(which: Any) -> Floats:
        result: Floats = np.divide(which.sum(axis=-1), count, out=np.full(len(count), np.nan), where=count > 0)
        return result

    reversed_ = finding & (sign != sign[-1])
    return count / max(len(pair[0]), 1), share(reversed_), share(finding & ~finding[-1])
