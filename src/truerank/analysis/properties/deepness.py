"""Deepness threshold."""

from __future__ import annotations

import numpy as np

from truerank.analysis.properties.base import OUTCOMES
from truerank.analysis.properties.comparison import Asked
from truerank.analysis.properties.scoring import Scores
from truerank.analysis.properties.thresholds import Threshold
from truerank.data.arrays import Floats, Rows


class Deepness(Threshold):
    """One document at the top beats any number of them that nobody reads as far as to.

    >>> from truerank.analysis.properties.search import Search
    >>> first = next(Deepness().comparisons(Search()))
    >>> first.more[0].list, first.less[0].list, first.reading
    ('1', '01', 'R = n truncated')
    """

    name = "Deepness threshold"
    statement = "From some n on, one relevant document at the top is better than n of them after n without relevance."
    formula = "there is n_0: for all n >= n_0, M(1, ...) > M(0^n 1^n)"
    remark = (
        "As printed, one n is enough, which n = 1 is for any measure with Priority. Here it holds for all n tried from "
        "some n_0 on, n_0 at most half of the largest. R and what follows the single document are not given in the "
        "paper: R = n and R = 50 are tried, and the document alone (truncated) or with others after it (padded to 2n)."
    )

    def decide(self, asked: Asked, here: Rows, margin: Floats, scores: Scores) -> tuple[str, int, str]:
        """The least outcome in the larger half of the n tried, and the smallest n that shows it."""
        number = asked.number[here]
        least = float(margin[number > number[-1] // 2].min())
        same = margin == least
        if same[number > number[-1] // 2].all():
            others = np.flatnonzero(~same)
            first = int(others[-1]) + 1 if len(others) else 0
            note = f"so from n = {number[first]} on, tried up to {number[-1]}"
        else:
            first, last = (int(np.flatnonzero(same)[end]) for end in (0, -1))
            note = f"last so at n = {number[last]}, tried up to {number[-1]}"
        return OUTCOMES[least], int(here[first]), note
