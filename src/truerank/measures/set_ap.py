"""Average precision of the retrieved set."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.base import ratio
from truerank.measures.set_r import SetR


@dataclass(frozen=True, kw_only=True, repr=False)
class SetAP(SetR):
    """Precision of the set times its recall; nothing retrieved scores 0.

    >>> SetAP().of([1, 0, 1, 0], pool=[1, 1, 1, 1])
    0.25
    """

    name = "SetAP"
    formula = "hits^2 / (n R)"
    citation = "trec_eval set_map"

    def score(self, r: Rankings) -> Floats:
        """Squared hits over the sizes of both sets."""
        gain = self.gain(r)
        hits = r.gains(gain).sum(axis=-1)
        sizes = r.length.clip(min=1) * r.relevant(gain)[:, 0]
        return ratio(hits * hits, sizes)
