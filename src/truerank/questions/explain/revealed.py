"""Measures that are no sums: what the score gains as judgments become known."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import distinct
from truerank.data.rankings import Rankings, gain_of
from truerank.measures.core.base import Measure
from truerank.measures.core.parts import Parts
from truerank.questions.explain.variations import UNCHANGED, Variation, scores


def revealed(measure: Measure, r: Rankings) -> Parts:
    """What the score gains when judgments become known from the top down; tied documents share by their gains."""
    gain = gain_of(r.grade, measure.gain(r))[0]
    # For most measures a judged document without gain is no other thing than one that is not judged.
    counts = ~np.isnan(r.grade[0]) if measure.may_skip_unjudged else gain > 0
    edges = distinct(r.start[0][counts])
    hidden = [np.flatnonzero(r.start[0] > edge) for edge in (0, *edges[:-1].tolist())]
    values = scores(measure, r, [*(Variation(slots, np.array(np.nan)) for slots in hidden), UNCHANGED])
    if np.isnan(values[-1]):
        return Parts(how="revealed", contribution=np.zeros(len(gain)), gain=gain, start=np.nan)
    # A function of one's own may have no value for less than it gets in the end.
    values = np.nan_to_num(values)
    place = np.searchsorted(edges, r.start[0])
    step = np.append(np.diff(values), 0.0)[place]
    share = np.where(counts, np.where(r.group_sum(gain[None, :])[0] > 0, gain, 1.0), 0.0)
    total = r.group_sum(share[None, :])[0]
    contribution = np.where(counts, step * np.divide(share, total, out=np.zeros(len(share)), where=total > 0), 0.0)
    return Parts(how="revealed", contribution=contribution, gain=gain, start=float(values[0]))
