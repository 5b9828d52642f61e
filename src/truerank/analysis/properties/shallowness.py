"""Shallowness threshold."""

from __future__ import annotations

import numpy as np

from truerank.analysis.properties.base import OUTCOMES
from truerank.analysis.properties.comparison import Asked
from truerank.analysis.properties.scoring import Scores
from truerank.analysis.properties.thresholds import Threshold
from truerank.data.arrays import Floats, Rows


class Shallowness(Threshold):
    """Among ranks that everybody reads, more documents beat one a little higher up.

    >>> from truerank.analysis.properties.search import Search
    >>> first = next(Shallowness().comparisons(Search()))
    >>> first.more[0].list, first.less[0].list
    ('1', '01')
    """

    name = "Shallowness threshold"
    statement = "For some m, m relevant documents after m without relevance are better than one at the top."
    formula = "there is m: M(1, ...) < M(0^m 1^m)"
    remark = "As for the deepness threshold, R = m and R = 50 are tried, and the single document truncated or padded."

    def decide(self, asked: Asked, here: Rows, margin: Floats, scores: Scores) -> tuple[str, int, str]:
        """The smallest m that will do; or the one that comes nearest."""
        least = float(margin.min())
        number = asked.number[here]
        if least < 1.0:
            at = int(np.argmax(margin == least))
            words = "m = {m}" if least < 0 else "equal at m = {m}, never better, tried up to {last}"
        else:
            first, other = scores.value[asked.more[here, 0]], scores.value[asked.less[here, 0]]
            size = np.maximum(np.abs(first), np.abs(other))
            at = int(np.argmin(np.round(np.abs(first - other) / size, 12)))
            words = "m = {m} comes nearest, tried up to {last}"
        return OUTCOMES[-least], int(here[at]), words.format(m=number[at], last=number[-1])
