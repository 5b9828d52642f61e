"""Measures that charge for reading: the literature's, made of measures that do not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.effort import Effort
from truerank.expectation.gain_maps import Scale, linear
from truerank.expectation.term import Term
from truerank.expectation.weights import Weight
from truerank.measures.cg import CG
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import number
from truerank.measures.dcg import DCG
from truerank.measures.discount import Discounted
from truerank.measures.err import ERR
from truerank.measures.irbu import IRBU
from truerank.measures.rbp import RBP


@dataclass(frozen=True, kw_only=True, repr=False)
class Effortful(Measure):
    """Turns the measure it stands before into one where each document of the list costs e times its rank's weight."""

    e: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        number("e", self.e, least=0)

    if TYPE_CHECKING:

        def weight(self) -> Weight:
            """The weight of ranks that gain and effort share, from the measure this stands before."""

    def terms(self, r: Rankings) -> Iterable[Term]:
        """What is found, less the effort."""
        yield from super().terms(r)
        yield Effort(self.weight(), self.e)


@dataclass(frozen=True, kw_only=True, repr=False)
class FlatU(Effortful, CG):
    """Flat utility: what is found, minus e times the weight of every rank that is read.

    >>> round(FlatU(e=0.25).of([1, 0, 1]), 4)
    1.25
    """

    name = "FlatU"
    formula = "sum_{i<=k} (gain_i - e), gain = grade / max_rel"
    range = (-np.inf, np.inf)
    citation = "Amigó, Mizzaro & Spina 2022"
    scale: ClassVar[Scale] = staticmethod(linear)


@dataclass(frozen=True, kw_only=True, repr=False)
class RBPU(Effortful, RBP):
    """RBP with effort: what is found, minus e times the weight of every rank that is read.

    >>> round(RBPU(p=0.5).of([1, 0]), 4)
    0.4625
    """

    name = "RBPU"
    formula = "(1 - p) sum_{i<=k} p^(i-1) (gain_i - e), gain = grade / max_rel"
    citation = "Amigó, Mizzaro & Spina 2022"

    @property
    def range(self) -> tuple[float, float]:  # type: ignore[override]
        """Up to what RBP reaches."""
        return -np.inf, super().range[1]


@dataclass(frozen=True, kw_only=True, repr=False)
class DCGU(Effortful, DCG):
    """DCG with effort: what is found, minus e times the weight of every rank that is read.

    >>> round(DCGU().of([1, 0, 0]), 4)
    0.8935
    """

    name = "DCGU"
    formula = "sum_{i<=k} (gain_i - e) / log2(i + 1), gain = grade / max_rel"
    range = (-np.inf, np.inf)
    citation = "Amigó, Mizzaro & Spina 2022"
    scale: ClassVar[Scale] = staticmethod(linear)


@dataclass(frozen=True, kw_only=True, repr=False)
class ERRU(Effortful, ERR):
    """ERR with effort: what is found, minus e times the weight of every rank that is read.

    >>> round(ERRU(max_rel=1).of([1, 0]), 4)
    0.425
    """

    name = "ERRU"
    formula = "sum_{i<=k} 1/i (Rel_i prod_{j<i} (1 - Rel_j) - e), Rel = (2^grade - 1) / 2^max_rel"
    range = (-np.inf, 1.0)
    citation = "Amigó, Mizzaro & Spina 2022"


@dataclass(frozen=True, kw_only=True, repr=False)
class RBU(Effortful, IRBU):
    """Rank-biased utility: what is found, minus e times the weight of every rank that is read.

    >>> round(RBU(p=0.5, max_rel=1).of([1, 1]), 4)
    0.275
    """

    name = "RBU"
    formula = "(1 - p) sum_{i<=k} p^(i-1) (Rel_i prod_{j<i} (1 - Rel_j) - e), Rel = (2^grade - 1) / 2^max_rel"
    range = (-np.inf, 1.0)
    citation = "Amigó, Spina & Carrillo-de-Albornoz 2018"


@dataclass(frozen=True, kw_only=True, repr=False)
class DiscountU(Effortful, Discounted):
    """Utility by any discount: each document brings its gain less e, times the discount of its rank.

    ``discount`` is "flat", "log2", "harmonic" (1/i), "geometric" (with p), "inverse-square" (with T), ranks with their
    weights ({1: 1, 2: 0.5}; the others have none), or in Python a function of the rank, which may not rise. FlatU,
    DCGU and RBPU are three of these. With ``stops`` the gain of a document counts for readers whom none above it
    satisfied, which gives ERRU and RBU. With ``e=0`` reading costs nothing.

    >>> round(DiscountU(discount="harmonic").of([1, 0]), 4), round(DiscountU(discount={1: 1, 2: 0.5}).of([1, 0]), 4)
    (0.925, 0.925)
    """

    name = "DiscountU"
    formula = "sum_{i<=k} f(i) (gain_i - e), gain = grade / max_rel, stops: gain_i = Rel_i prod_{j<i} (1 - Rel_j)"
    range = (-np.inf, np.inf)
    citation = "Amigó, Mizzaro & Spina 2022"
