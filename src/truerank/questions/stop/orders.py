"""The order of systems whose lists are cut by rules, compared with the order by measures of whole lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure
from truerank.questions.stop.question import ORACLE, RuleComparison, SystemOrder
from truerank.statistics.correlations import kendall_p
from truerank.statistics.level import level
from truerank.statistics.orders import agreement

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
    """The order by each measure of whole lists and by each way of cutting, and how far that is from best cuts."""
    topics = next(iter(scores.by_whole.values())).shape[1]
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(topics, np.full(topics, 1.0 / topics), size=_DRAWS).astype(np.float64)
    for whole, of_whole in scores.by_whole.items():
        reference, drawn_reference = np.nanmean(of_whole, axis=-1), _means(of_whole, weights)
        for cut, by_rule in scores.by_cut.items():
            means = {name: np.nanmean(of_rule, axis=-1) for name, of_rule in by_rule.items()}
            agreements = {name: agreement(reference, mean) for name, mean in means.items()}
            drawn = {name: _taus(drawn_reference, _means(of_rule, weights)) for name, of_rule in by_rule.items()}
            for name, agreed in agreements.items():
                low, high = np.clip(_interval(agreed.tau_a, drawn[name]), -1.0, 1.0).tolist()
                over = agreed.tau_a - agreements[ORACLE].tau_a
                over_low, over_high = _interval(over, drawn[name] - drawn[ORACLE])
                yield SystemOrder(
                    whole_measure=whole,
                    measure=cut,
                    rule=name,
                    **agreed._asdict(),
                    low=low,
                    high=high,
                    p=kendall_p(level(reference), level(means[name])),
                    over_oracle=over,
                    over_low=over_low,
                    over_high=over_high,
                )


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
