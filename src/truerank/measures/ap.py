"""Average precision."""

from __future__ import annotations

from collections.abc import Iterable

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.pair import Pair
from truerank.expectation.term import Term
from truerank.expectation.weights import Harmonic
from truerank.measures.core.base import Binary, could_find
from truerank.measures.core.parameters import one_of


@dataclass(frozen=True, kw_only=True, repr=False)
class AP(Binary):
    """Average precision: precision at the rank of each relevant document, averaged.

    ``norm`` says over what: all relevant documents ("R", as trec_eval), as many as the depth can hold ("min"), or those
    in the top k of the runs that made the pool ("pool"); they are AP', AP and AP'' of Lu, Moffat & Culpepper (2016).
    Which runs made the pool is found as ``truerank pool`` does, and said in a note; where the judgments do not show it,
    all runs that are evaluated together are taken.

    >>> AP().of([1, 0, 1], pool=[1, 1, 1])
    0.5555555555555555
    """

    norm: str = "R"

    name = "AP"
    formula = "sum_{i<=k} rel_i P@i / R, norm='min': / min(k, R), norm='pool': / R_k"
    citation = "Buckley & Voorhees 2005; Lu, Moffat & Culpepper 2016"
    needs_depth = True

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("norm", self.norm, ("R", "min", "pool"))

    @property
    def needs_pool(self) -> bool:  # type: ignore[override]
        """Whether the contributing runs are needed."""
        return self.norm == "pool"

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Precision at each relevant document."""
        gain = self.gain(r)
        yield Pair(Harmonic(), gain, gain)

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """Relevant documents that could have been found."""
        relevant = r.relevant(self.gain(r), within=r.reach(depth) if self.norm == "pool" else None)
        return could_find(relevant, r, depth, self.norm)

    def normaliser_name(self, k: str, relevant: str) -> str:
        """What the relevant documents that could have been found are called."""
        return {"R": relevant, "min": f"min({k}, {relevant})", "pool": "R_k"}[self.norm]
