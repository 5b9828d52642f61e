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
    "past the end": "met by some judgments; high also has relevant documents past the end of a list",
    "two grades": f"met by some judgments if there are two grades; with more, they may be {_APART}",
    "outer": f"they hold, and may be {_APART}",
}
"""What is said of bounds of each kind."""


def kind_of_bounds(measure: Measure) -> str:
    """Whether bounds over unjudged documents are met, a key of ``BOUNDS``.

    >>> from truerank.measures.table import TABLE
    >>> [kind_of_bounds(TABLE[name]) for name in ("AUC", "AP", "RBP", "nDCG", "gAP", "gAPT", "Bpref")]
    ['none', 'met', 'past the end', 'two grades', 'met', 'two grades', 'outer']
    """
    core = measure.core
    if not measure.has_bounds:
        return "none"
    if core.needs_pool or not core.meets_bounds:
        return "outer"
    one, other, more, *past = _values(measure)
    if one != other and core.level is None:
        return "two grades"
    return "past the end" if one == more and past and (core.takes_cutoff or past[0] != one) else "met"


def _values(measure: Measure) -> list[float]:
    """Values of a list as another document that it lacks has grade 1, or 2; as there is one more; as the list goes on.

    The last only without a terminal document.
    """
    grade = measure.core.level or 1.0
    r = Rankings.single([grade, 0.0, 2.0 * grade], pool=[2 * grade, grade, grade], terminal=TERMINAL[measure.ending])
    pool = np.array([[2.0, 1.0, 1.0, 0.0], [2.0, 2.0, 1.0, 0.0], [2.0, 1.0, 1.0, 1.0]]) * grade
    rows = replace(r.take(np.zeros(3, np.intp)), pool=pool, judged=np.array([4, 4, 5]))
    found: list[float] = measure.core.estimate(rows).value.tolist()
    if measure.ending == "none":
        found += measure.core.estimate(replace(rows.take(np.zeros(1, np.intp)), beyond=2.0 * grade)).value.tolist()
    return found
