"""The order of systems whose lists are cut by rules, held against that by measures of whole lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure
from truerank.questions.stop.answer import ORACLE, RuleComparison, SystemOrder
from truerank.statistics.correlations import kendall, kendall_b, kendall_p
from truerank.statistics.level import level

_DRAWS = 500
"""Samples of topics that intervals come from."""
_SIDES = 1.96
"""Standard deviations to either side of 95% intervals."""
_ROOM = 1 << 22
"""Pairs of systems times draws that are looked at at once."""


@dataclass(frozen=True, eq=False)
class OrderedScores:
    """Scores of systems topic by topic, the higher the better; NaN where a topic does not count."""

    by_whole: Mapping[str, Floats]
    """By measure of whole lists: systems x topics."""
    by_cut: Mapping[str, Mapping[str, Floats]]
    """By measure that lists are cut by, and rule."""


def scores_of(
    topics: Sequence[str],
    comparisons: Sequence[RuleComparison],
    whole: Mapping[str, Mapping[str, Floats]],
    held: Sequence[Measure],
) -> OrderedScores:
    """Lay scores out; ``whole`` are those of measures of whole lists, by run and measure."""
    place = {topic: at for at, topic in enumerate(topics)}
    runs = [*dict.fromkeys(one.run for one in comparisons)]
    by_cut: dict[str, dict[str, Floats]] = {}
    for one in comparisons:
        at = [place[topic] for topic in one.topics]
        for outcome in one.outcomes:
            table = by_cut.setdefault(outcome.measure, {}).setdefault(
                outcome.name, np.full((len(runs), len(topics)), np.nan)
            )
            table[runs.index(one.run), at] = one.by.sign * outcome.values
    by_whole = {str(measure): np.array([measure.sign * whole[run][str(measure)] for run in runs]) for measure in held}
    return OrderedScores(by_whole, by_cut)


def orders(scores: OrderedScores, seed: int) -> Iterator[SystemOrder]:
    """Kendall's tau of each measure of whole lists with each way of cutting, and how far that is from best cuts."""
    topics = next(iter(scores.by_whole.values())).shape[1]
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(topics, np.full(topics, 1.0 / topics), size=_DRAWS).astype(np.float64)
    for whole, one in scores.by_whole.items():
        first = _means(one, weights)
        for cut, ways in scores.by_cut.items():
            drawn = {name: _taus(first, _means(other, weights)) for name, other in ways.items()}
            best = _tau(one, ways[ORACLE])
            for name, other in ways.items():
                x, y = (level(_mean(each)) for each in (one, other))
                tau = _tau(one, other)
                low, high = np.clip(_interval(tau, drawn[name]), -1.0, 1.0).tolist()
                less, more = _interval(tau - best, drawn[name] - drawn[ORACLE])
                yield SystemOrder(
                    whole=whole,
                    measure=cut,
                    rule=name,
                    systems=len(one),
                    tau=tau,
                    low=low,
                    high=high,
                    tau_b=kendall_b(x, y) if len(x) > 1 else np.nan,
                    p=kendall_p(x, y) if len(x) > 1 else np.nan,
                    over_oracle=tau - best,
                    over_low=less,
                    over_high=more,
                )


def _mean(scores: Floats) -> Floats:
    found: Floats = np.nanmean(scores, axis=-1)
    return found


def _tau(one: Floats, other: Floats) -> float:
    x, y = level(_mean(one)), level(_mean(other))
    return float(kendall(x, y)) if len(x) > 1 else float("nan")


def _means(scores: Floats, weights: Floats) -> Floats:
    """Means over drawn topics, draws x systems; topics that do not count for a system are left out of its mean."""
    there = ~np.isnan(scores)
    total, count = weights @ np.where(there, scores, 0.0).T, weights @ there.T.astype(np.float64)
    means: Floats = np.divide(total, count, out=np.zeros(total.shape), where=count > 0)
    return means


def _taus(one: Floats, other: Floats) -> Floats:
    """Tau-a of each draw."""
    systems = one.shape[1]
    if systems < 2:
        return np.full(len(one), np.nan)
    i, j = np.triu_indices(systems, 1)
    found = np.empty(len(one))
    at_once = max(_ROOM // len(i), 1)
    for start in range(0, len(one), at_once):
        some = slice(start, start + at_once)
        signs = [np.sign(np.round(each[some][:, i] - each[some][:, j], 12)) for each in (one, other)]
        found[some] = (signs[0] * signs[1]).mean(axis=-1)
    return found


def _interval(value: float, drawn: Floats) -> tuple[float, float]:
    """The value and as far to either side as draws of topics spread.

    Drawn topics agree less with one another than all do, so that percentiles of tau would lie too low.
    """
    half = _SIDES * float(drawn.std())
    return value - half, value + half
