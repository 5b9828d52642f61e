"""Measures that order documents that were not retrieved, too."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import whole


@dataclass(frozen=True, kw_only=True, repr=False)
class OfCollection(Measure):
    """A measure of the order of a collection, in which documents that were not retrieved share the last rank.

    Which documents these are does not matter, only how many: ``size`` is the number of documents in the collection.
    """

    size: int | None = None

    takes_cutoff = False
    takes_terminal = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size is not None:
            whole("size", self.size, least=1)

    @property
    def collection(self) -> int | None:
        """The collection's size, if it is given."""
        return self.size

    def documents(self, r: Rankings) -> Floats:
        """Documents in the collection of each row: ``size``, or those that are retrieved or judged."""
        listed = (r.start <= r.length[:, None]) & ~np.isnan(r.grade) & (r.judgment >= 0)
        if not r.negative_judged:
            listed &= r.grade >= 0
        known: Rows = r.length + r.judged - listed.sum(axis=-1)
        if self.size is None:
            return known.astype(np.float64)
        if (known > self.size).any():
            most = f"a topic has {int(known.max()):,} retrieved or judged documents"
            raise InputError(f"{self}: {most}; size is that of the collection, which has at least these")
        return np.full(len(known), float(self.size))
