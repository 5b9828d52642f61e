"""Numbers of topics and documents."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.effort import Effort
from truerank.expectation.gain import Gain
from truerank.expectation.gain_maps import Map, Nonrelevant, identity
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat
from truerank.measures.core.base import Binary, FoundRange, Measure
from truerank.measures.core.parameters import positive


@dataclass(frozen=True, kw_only=True, repr=False)
class Tally(Measure):
    """Something counted in each topic and added up over topics."""

    range = (0.0, np.inf)
    counts = True
    takes_cutoff = False
    takes_terminal = False

    def aggregate(self, values: Floats, lengths: Rows) -> float:
        """The sum over topics."""
        return float(values.sum())


@dataclass(frozen=True, kw_only=True, repr=False)
class NumQ(Tally):
    """How many topics were evaluated: 1 each, added up.

    >>> NumQ().of([1, 0])
    1.0
    """

    name = "NumQ"
    formula = "1"
    citation = "trec_eval num_q"
    is_sum = False
    reads_list = False
    asks_relevance = False

    def score(self, r: Rankings) -> Floats:
        """1 a topic."""
        return np.ones(len(r.length))


@dataclass(frozen=True, kw_only=True, repr=False)
class NumRet(Tally):
    """How many documents were retrieved; with ``rel``, how many of at least that grade. Topics are added up.

    >>> NumRet().of([1, 0, 1]), NumRet(rel=1).of([1, 0, 1])
    (3.0, 2.0)
    """

    rel: float | None = None

    name = "NumRet"
    formula = "n, with rel: hits"
    citation = "trec_eval num_ret, num_rel_ret"
    asks_relevance = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel is not None:
            positive("rel", self.rel)

    def terms(self, r: Rankings) -> Iterable[Term]:
        """1 for each document of the list, or of the grade."""
        yield Effort(Flat(), -1.0) if self.rel is None else Gain(Flat(), Map(identity, level=self.rel))


@dataclass(frozen=True, kw_only=True, repr=False)
class NumRel(Tally, Binary):
    """How many relevant documents there are in the judgments. Topics are added up.

    >>> NumRel().of([1, 0], pool=[2, 1, 1, 0])
    3.0
    """

    name = "NumRel"
    formula = "R"
    citation = "trec_eval num_rel"
    is_sum = False
    reads_list = False

    def outcomes(self, r: Rankings, found: FoundRange) -> tuple[Floats, Floats]:
        """The count, and those found."""
        now = self.score(r)
        return now + found.least[:, 0], now + found.most[:, 0]

    def score(self, r: Rankings) -> Floats:
        """The count."""
        return r.relevant(self.gain(r))[:, 0].astype(np.float64)


@dataclass(frozen=True, kw_only=True, repr=False)
class NumNonrelRet(Tally, Binary):
    """How many retrieved documents are judged and not relevant. Topics are added up.

    >>> NumNonrelRet().of([1, 0, float("nan")])
    1.0
    """

    name = "NumNonrelRet"
    formula = "judged documents without relevance in the list"
    citation = "trec_eval num_nonrel_judged_ret"
    skips_unjudged = True

    def terms(self, r: Rankings) -> Iterable[Term]:
        yield Gain(Flat(), Nonrelevant(self.gain(r)))
