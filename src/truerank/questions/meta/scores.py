"""Scores of the same systems on the same topics, by one measure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.parallel import blocks

DIGITS = 12
"""Of the largest score, past which means that differ do so by rounding."""
_ROOM = 1 << 21
"""Numbers worked on at once."""


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Scores by one measure (systems x topics), turned so that more is better.

    >>> scores = SystemScores(np.array([[0.1 + 0.2, 0.5], [0.3, 0.5]]))
    >>> scores.means.tolist()
    [0.4, 0.4]
    """

    values: Floats
    measure: str = ""

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return int(self.values.shape[0])

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return int(self.values.shape[1])

    @property
    def one_sided(self) -> bool:
        """Whether 0 is an end of the scale, so that a share of a score has a meaning."""
        return bool((self.values >= 0).all() or (self.values <= 0).all())

    @property
    def decimals(self) -> int:
        """How many decimals of a mean are more than rounding."""
        top = float(np.abs(self.values).max(initial=0.0))
        return DIGITS - math.ceil(math.log10(top)) if top > 0 else DIGITS

    def rounded(self, values: Floats) -> Floats:
        """Values without the digits that are rounding."""
        return np.round(values, self.decimals)

    @property
    def means(self) -> Floats:
        """The mean of each system."""
        return self.rounded(self.values.mean(axis=-1))

    @property
    def spread(self) -> float:
        """From the mean of the worst system to that of the best."""
        means = self.means
        return float(self.rounded(means.max() - means.min()))

    def over(self, drawn: Rows) -> Iterator[Floats]:
        """The means of systems over each of some sets of topics (draws x ... x topics), some draws at a time.

        A row a system (systems x draws x ...). Each is summed up on its own, so that none depends on the other systems.
        """
        for part in blocks(len(drawn), max(1, _ROOM // max(1, self.systems * drawn[0].size))):
            yield self.rounded(self.values[:, drawn[part]].mean(axis=-1))
