"""The parts of any measure's score."""

from __future__ import annotations

import numpy as np

from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.count import Count
from truerank.expectation.effort import Effort
from truerank.expectation.gain import Gain
from truerank.expectation.information import Information
from truerank.expectation.pair import Pair
from truerank.measures.auc import AUC
from truerank.measures.base import Measure
from truerank.measures.pref_loss import PrefLoss
from truerank.measures.summands import summands
from truerank.questions.explain.pairs import below_relevant, violated
from truerank.questions.explain.parts import Parts, informed, summed
from truerank.questions.explain.revealed import revealed


def parts_of(measure: Measure, r: Rankings) -> Parts:
    """What each slot of the one row of a block adds to its score.

    >>> from truerank.measures.ap import AP
    >>> parts_of(AP(), Rankings.single([1, 0, 1, 0])).contribution.round(4).tolist()  # 1/1 and 2/3, over 2
    [0.5, 0.0, 0.3333, 0.0]
    """
    if isinstance(measure, AUC):
        return below_relevant(measure, r)
    if isinstance(measure, PrefLoss):
        return violated(measure, r)
    if not measure.reads_list:
        nothing = np.zeros(r.start.shape[1])
        return Parts(how="listless", contribution=nothing, gain=nothing, start=float(measure.score(r)[0]))
    if terms := summands(measure, r, Gain, Pair, Cascade, Count, Effort):
        return summed(measure, terms, r)
    if terms := summands(measure, r, Information):
        return informed(measure, terms[0], r)
    return revealed(measure, r)
