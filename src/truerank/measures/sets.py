"""Precision, recall, F-measure and average precision of everything retrieved, as a set."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.gain import Gain
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Binary, ratio
from truerank.measures.f import F
from truerank.measures.r import R


@dataclass(frozen=True, kw_only=True, repr=False)
class SetP(Binary):
    """Precision of everything retrieved; nothing retrieved scores 0. Relative: against the best possible.

    >>> SetP().of([1, 0, 1, 0]), SetP(relative=True).of([1, 0, 0, 0])
    (0.5, 1.0)
    """

    relative: bool = False

    name = "SetP"
    formula = "hits / n, relative: hits / min(n, R)"
    citation = "trec_eval set_P, set_relative_P"
    takes_cutoff = False
    takes_terminal = False
    at_zero = 0.0

    def terms(self, r: Rankings) -> Iterable[Term]:
        """Hits."""
        yield Gain(Flat(), self.gain(r))

    def normaliser(self, r: Rankings, depth: Rows) -> Rows:
        """The size of the set, or of the best set."""
        size = r.reach(depth)
        return np.minimum(size, r.relevant(self.gain(r))) if self.relative else size

    def normaliser_name(self, k: str, relevant: str) -> str:
        """The same in letters."""
        return f"min({k}, {relevant})" if self.relative else k


@dataclass(frozen=True, kw_only=True, repr=False)
class SetR(R):
    """Recall of everything retrieved.

    >>> SetR().of([1, 0, 1, 0], pool=[1, 1, 1])
    0.6666666666666666
    """

    name = "SetR"
    formula = "hits / R"
    citation = "trec_eval set_recall"
    takes_cutoff = False
    takes_terminal = False


@dataclass(frozen=True, kw_only=True, repr=False)
class SetF(F):
    """F-measure of everything retrieved.

    >>> SetF().of([1, 0, 1, 0], pool=[1, 1, 1, 1])
    0.5
    """

    name = "SetF"
    formula = "(1 + beta^2) hits / (n + beta^2 R)"
    takes_cutoff = False
    takes_terminal = False


@dataclass(frozen=True, kw_only=True, repr=False)
class SetAP(SetR):
    """Precision of the set times its recall; nothing retrieved scores 0.

    >>> SetAP().of([1, 0, 1, 0], pool=[1, 1, 1, 1])
    0.25
    """

    name = "SetAP"
    formula = "hits^2 / (n R)"
    citation = "trec_eval set_map"
    is_sum = False

    def score(self, r: Rankings) -> Floats:
        """Squared hits over the sizes of both sets."""
        gain = self.gain(r)
        hits = r.gains(gain).sum(axis=-1)
        sizes = r.length.clip(min=1) * r.relevant(gain)[:, 0]
        return ratio(hits * hits, sizes)
