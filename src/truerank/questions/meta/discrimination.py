"""Discriminative power: how many pairs of systems a measure finds to differ."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.extras import needed as library
from truerank.questions.meta.answer import Discrimination
from truerank.questions.meta.scores import SystemScores
from truerank.statistics.effects import effects
from truerank.statistics.pairs import every_pair
from truerank.statistics.tests import procedure

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.statistics.randomization import Drawing


def discrimination(
    scored: SystemScores, *, test: str = "student", alpha: float = 0.05, **draws: Unpack[Drawing]
) -> Discrimination:
    """Test every pair of systems (Sakai 2006).

    A pair would be significant by Student's t with a difference of its standard error times the critical t; ``needed``
    is the largest of these, as Sakai takes it from bootstrap samples. A test that allows for all pairs at once, such as
    Tukey's, holds them to one difference, which the smallest significant one is closest to.

    >>> found = discrimination(SystemScores(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.41], [0.5, 0.1, 0.3]])))
    >>> found.discrimination, round(found.smallest, 4), round(found.missed, 4)
    (0.3333333333333333, 0.1033, 0.1)
    """
    chosen = procedure(test)
    pairs = every_pair(scored.systems)
    tested = chosen(scored.values, **draws)
    p = tested.p[pairs]
    means = scored.means
    size = np.abs(scored.rounded(means[pairs[0]] - means[pairs[1]]))
    found = p < alpha
    smallest = float(size[found].min()) if found.any() else math.nan
    needed = typical = smallest
    if not chosen.simultaneous:
        needed = typical = math.nan
        if scored.topics > 1:
            critical = float(library("scipy.special", "a t-test").stdtrit(scored.topics - 1, 1.0 - alpha / 2.0))
            each = critical * effects(scored.values).deviation[pairs] / math.sqrt(scored.topics)
            needed, typical = float(each.max()), float(np.median(each))
    return Discrimination(
        measure=scored.measure,
        discrimination=int(found.sum()) / len(p),
        significant=int(found.sum()),
        pairs=len(p),
        p=np.sort(p)[::-1],
        needed=needed,
        typical=typical,
        smallest=smallest,
        missed=float(size[~found].max()) if not found.all() else math.nan,
        notes=tested.notes,
    )


def percentiles(p: Floats) -> Floats:
    """The p-values at 0, 1, ..., 100 per cent of the pairs, the largest first.

    >>> percentiles(np.array([0.5, 0.3, 0.1]))[[0, 50, 100]].tolist()
    [0.5, 0.3, 0.1]
    """
    return np.asarray(p[np.rint(np.arange(101) * (len(p) - 1) / 100).astype(np.int64)])
