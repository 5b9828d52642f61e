"""Discriminative power: how many pairs of systems a measure finds to differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.criteria.scored import Scored
from truerank.data.arrays import Floats
from truerank.data.extras import needed as library
from truerank.statistics.effects import effects
from truerank.statistics.pairs import every_pair
from truerank.statistics.tests import procedure

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.statistics.randomization import Drawing


@dataclass(frozen=True, eq=False)
class Discrimination:
    """The p-values of all pairs of systems, and what difference makes them small."""

    alpha: float
    p: Floats
    """Of every pair, also called the achieved significance level: the largest first, which makes the ASL curve."""
    needed: float
    """The difference of means with which every pair would be significant; NaN where there is none to be told."""
    typical: float
    """The difference with which half of the pairs would be."""
    smallest: float
    """The smallest difference that is significant; NaN without any."""
    missed: float
    """The largest difference that is not; NaN where all are."""
    notes: tuple[str, ...] = ()

    @property
    def significant(self) -> int:
        """How many pairs are significant."""
        return int((self.p < self.alpha).sum())

    @property
    def share(self) -> float:
        """Discriminative power: the share of pairs that are significant."""
        return self.significant / len(self.p)

    def as_dict(self) -> dict[str, Any]:
        """All but the p-values."""
        return {
            "discrimination": self.share,
            "significant": self.significant,
            "pairs": len(self.p),
            "needed": self.needed,
            "typical": self.typical,
            "smallest": self.smallest,
            "missed": self.missed,
        }


def discrimination(
    scored: Scored, *, test: str = "student", alpha: float = 0.05, **draws: Unpack[Drawing]
) -> Discrimination:
    """Test every pair of systems (Sakai 2006).

    A pair would be significant by Student's t with a difference of its standard error times the critical t; ``needed``
    is the largest of these, as Sakai takes it from bootstrap samples. A test that allows for all pairs at once, such as
    Tukey's, holds them to one difference, which the smallest significant one is closest to.

    >>> found = discrimination(Scored(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.41], [0.5, 0.1, 0.3]])))
    >>> found.share, round(found.smallest, 4), round(found.missed, 4)
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
        alpha=alpha,
        p=np.sort(p)[::-1],
        needed=needed,
        typical=typical,
        smallest=smallest,
        missed=float(size[~found].max()) if not found.all() else math.nan,
        notes=tested.notes,
    )
