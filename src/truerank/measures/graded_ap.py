"""Average precision of gains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.gain_maps import Hit, Scale, linear
from truerank.expectation.pair import Pair
from truerank.expectation.term import Term
from truerank.expectation.weights import Harmonic
from truerank.measures.core.base import Graded, could_find
from truerank.measures.core.parameters import number, one_of


@dataclass(frozen=True, kw_only=True, repr=False)
class GradedAP(Graded):
    """Average precision in which each document counts by its gain, in what is found and in precision.

    It is over the number of documents with gain, R. With a terminal document it is gAPT, equation (4) of Liu et al.
    (2016), which is over the total gain + 1. Gains are at most 1, so that scores are; a list reaches 1 if all relevant
    documents have the highest grade, and with ``rel=1`` it is AP. ``norm`` is that of AP. It is not GAP of Robertson,
    Kanoulas and Yilmaz (2010), which is over the thresholds that readers may have.

    >>> GradedAP().of([2, 0, 1], pool=[2, 1]), GradedAP(rel=1).of([2, 0, 1], pool=[2, 1])
    (0.625, 0.8333333333333333)
    """

    norm: str = "R"

    name = "gAP"
    formula = "sum_{i<=k} gain_i (gain_1 + ... + gain_i) / i / R, gain = grade / max_rel, norm='min': / min(k, R)"
    citation = "Liu, Moffat, Baldwin & Zhang 2016"
    needs_depth = True
    scale: ClassVar[Scale] = staticmethod(linear)

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("norm", self.norm, ("R", "min"))
        for _, gain in self.own_gains:
            number("gains", gain, least=0, most=1)

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Gain at each document, by the mean gain down to it."""
        gain = self.gain(r)
        yield Pair(Harmonic(), gain, gain)

    def normaliser(self, r: Rankings, depth: Rows) -> Floats | Rows:
        """Documents with gain that could have been found; with a terminal document, all gain and the 1 that it has."""
        gain = self.gain(r)
        if r.terminal:
            every: Floats = row_sum(r.pool_gains(gain))[:, None] + 1.0
            return could_find(every, r, depth, self.norm)
        return could_find(r.relevant(Hit(gain)), r, depth, self.norm)

    def normaliser_name(self, k: str, relevant: str) -> str:
        """What the documents with gain that could have been found are called."""
        most = relevant.replace("R + 1", "total gain + 1")
        return f"min({k}, {most})" if self.norm == "min" else most
