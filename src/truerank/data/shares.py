"""What each document adds to a terminal document."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.rankings import GainMap, Rankings, gain_of, row_sum


class Shares(Rankings):
    """Rankings with a terminal document, in which a document's gain is what it adds to that of the terminal document.

    In the last slot is what the terminal document has where nothing is listed: 1 if there is nothing to find. So the
    terminal document of a list cut anywhere has that, and the sum over what is above the cut.

    >>> r = Rankings.single([2, 0, 1], pool=[2, 1, 1])
    >>> Shares.of(r).gains(lambda grade: grade).tolist()
    [[0.5, 0.0, 0.0]]
    """

    @classmethod
    def of(cls, r: Rankings) -> Shares:
        """The shares of some rankings."""
        return cls(**{field.name: getattr(r, field.name) for field in fields(r)})

    def gains(self, gain: GainMap) -> Floats:
        """Share of every slot in all gain there is."""
        if gain not in self._gains:
            x, total = gain_of(self.grade, gain), row_sum(self.pool_gains(gain))[:, None]
            shares = np.divide(x, total, out=np.zeros(x.shape), where=total > 0)
            shares[:, -1:] = total <= 0
            shares.setflags(write=False)
            self._gains[gain] = shares
        return self._gains[gain]
