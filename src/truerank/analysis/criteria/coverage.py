"""Quality aspect coverage: whether improvements by a measure are improvements by all of a reference set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.analysis.criteria.scored import Scored
from truerank.analysis.criteria.unanimity import Unanimity
from truerank.data.arrays import Floats
from truerank.statistics.spearman import spearman


def coverage(measures: Sequence[Scored], found: Unanimity) -> Floats:
    """Spearman's rho between differences of systems by each measure and their UIR (Amigó, Mizzaro & Spina 2022).

    Over all ordered pairs of systems: with each pair once, in the order in which systems happen to be listed, it would
    depend on that. NaN where all systems have the same mean, or no system is an unanimous improvement.

    >>> from truerank.analysis.criteria.unanimity import unanimity
    >>> scored = Scored(np.array([[0.9, 0.8], [0.1, 0.2], [0.3, 0.3]]))
    >>> coverage([scored, Scored(-scored.values)], unanimity([scored])).round(4).tolist()
    [0.8783, -0.8783]
    """
    ordered = ~np.eye(len(found.surplus), dtype=bool)
    differences = [scored.rounded(np.subtract.outer(scored.means, scored.means)[ordered]) + 0.0 for scored in measures]
    rho: Floats = spearman(found.surplus[ordered], np.stack(differences))
    return rho
