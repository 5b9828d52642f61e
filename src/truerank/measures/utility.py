"""Set utility."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Binary, Measure
from truerank.measures.core.parameters import number, whole
from truerank.measures.counts import Tally


@dataclass(frozen=True, kw_only=True, repr=False)
class Utility(Tally, Binary):
    """A worth for each document by whether it is relevant and whether it was retrieved; topics are averaged.

    ``a`` relevant and retrieved, ``b`` retrieved only, ``c`` relevant only, ``d`` neither; d needs the whole ``size``.

    >>> Utility(a=2).of([1, 0, 0, 1, 0], pool=[1, 1, 1])
    1.0
    """

    a: float = 1.0
    b: float = -1.0
    c: float = 0.0
    d: float = 0.0
    size: int | None = None

    name = "Utility"
    formula = "a hits + b (n - hits) + c (R - hits) + d (size - n - R + hits)"
    range = (-np.inf, np.inf)
    citation = "trec_eval utility"
    is_sum = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for each in "abcd":
            number(each, getattr(self, each))
        if self.size is not None:
            whole("size", self.size, least=1)
        if self.d and self.size is None:
            raise InputError("Utility with d counts documents that were not retrieved; give size=, the collection's")

    @property
    def collection(self) -> int | None:
        """The collection's size, where it is given."""
        return self.size

    def score(self, r: Rankings) -> Floats:
        """The worth of the retrieved set and of what it leaves out."""
        hits = (r.grade >= self.rel).sum(axis=-1)
        relevant = r.relevant(self.gain(r))[:, 0]
        rest = (self.size or 0) - r.length - relevant + hits
        worth: Floats = self.a * hits + self.b * (r.length - hits) + self.c * (relevant - hits) + self.d * rest
        return worth

    aggregate = Measure.aggregate
