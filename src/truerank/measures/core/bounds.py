"""What is known of the bounds that unjudged documents give to a measure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.rankings import TERMINAL, Rankings
from truerank.measures.core.base import Measure

_APART = "farther apart than judgments can take the score"
BOUNDS = {
    "none": "none: unjudged documents give no bounds",
    "met": "met by some judgments",
    "two grades": f"met by some judgments if there are two grades; with more, they may be {_APART}",
    "outer": f"they hold, and may be {_APART}",
}
"""What is said of bounds of each kind."""


def kind_of_bounds(measure: Measure) -> str:
    """Whether bounds over unjudged documents are met, a key of ``BOUNDS``.

    >>> from truerank.measures.table import TABLE
    >>> [kind_of_bounds(TABLE[name]) for name in ("AUC", "AP", "nDCG", "gAP", "gAPT", "Bpref")]
    ['none', 'met', 'two grades', 'met', 'two grades', 'outer']
    """
    core = measure.core
    if not measure.has_bounds:
        return "none"
    if core.needs_pool or not core.meets_bounds:
        return "outer"
    return "two grades" if core.level is None and _rests_on_grades(measure) else "met"


def _rests_on_grades(measure: Measure) -> bool:
    """Whether the grade of a document that is not listed changes the value: which one is found is then not all."""
    r = Rankings.single([2.0, 0.0, 1.0], pool=[2.0, 1.0, 1.0], terminal=TERMINAL[measure.ending])
    pool = np.array([[2.0, 1.0, 1.0], [2.0, 2.0, 1.0]])
    low, high = measure.core.estimate(replace(r.take(np.zeros(2, np.int64)), pool=pool)).value
    return bool(low != high)
