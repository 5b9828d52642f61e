"""How far the order of ties spreads the values of a run, topic by topic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure
from truerank.measures.core.orders import spread
from truerank.track.lens import Lens
from truerank.track.parts import Part, per_topic
from truerank.track.values import Values


@dataclass(frozen=True, eq=False, kw_only=True)
class TieSpread(Part):
    """Variances over the orders of ties, one a topic that counts."""

    variance: Floats = per_topic()
    error: Floats = per_topic()
    """Standard error of the variance, where orders were sampled; 0 elsewhere."""

    def of_mean(self, found: Values, choice: Conventions) -> tuple[float, float]:
        """Standard deviation of the number for all topics, and its standard error; topics are independent.

        NaN where that is neither a mean nor a sum over topics.
        """
        measure, kept = found.measure, found.kept(choice)
        if not (measure.averages or measure.counts) or not len(kept):
            return float("nan"), float("nan")
        over = float(len(kept)) if measure.averages else 1.0
        deviation = float(np.sqrt(self.variance[kept].sum())) / over
        error = float(np.sqrt((self.error[kept] ** 2).sum())) / over**2
        return deviation, error / (2.0 * deviation) if deviation else 0.0


def spread_of(lens: Lens, measure: Measure) -> TieSpread:
    """The variance of a measure's values over the orders of ties.

    >>> from truerank.io.load import as_qrels, as_run
    >>> from truerank.measures.rr import RR
    >>> from truerank.track.pools import JudgmentPools
    >>> qrels, run = as_qrels({"q1": {"a": 1}}), as_run({"q1": {"b": 2.0, "a": 2.0}})
    >>> spread_of(Lens(qrels, run, JudgmentPools(qrels, [], []), Conventions()), RR()).variance.tolist()  # 1 or 1/2
    [0.0625]
    """
    variance, error = np.zeros(len(lens.judged.length)), np.zeros(len(lens.judged.length))
    for block in lens.rankings(measure, ties="expected", unjudged=lens.conventions.assumed):
        found = spread(measure, block)
        variance[block.topic], error[block.topic] = found.variance, found.error
    return TieSpread(topics=lens.topics, variance=variance[lens.topics], error=error[lens.topics])
