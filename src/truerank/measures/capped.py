"""Values within the range of a measure, where unjudged documents are taken to be relevant."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings, gain_of
from truerank.measures.base import Measure


def capped(measure: Measure, r: Rankings, value: Floats) -> Floats:
    """Within the measure's range; where undefined, a document taken to be relevant within the cutoff may define it."""
    taken = (r.judgment < 0) & (gain_of(r.grade, measure.gain(r)) > 0)
    if measure.cutoff is not None:
        taken &= r.start <= measure.cutoff
    least, most = measure.range
    return np.clip(np.where(np.isnan(value) & taken.any(axis=-1), most, value), least, most)
