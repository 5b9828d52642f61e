"""Observational information effectiveness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.information import Information
from truerank.expectation.term import Term
from truerank.measures.core.base import Graded
from truerank.measures.core.parameters import number, whole

UNTOLD = 1_000_000
"""Documents in a collection whose size is not given."""
HUGEST = 10**300
"""Size up to which it is a number: that of a collection without end is asked for in theory."""


class Entropies(NamedTuple):
    """What OIE is made of, in nats: H(S) + H(G) - beta H(S, G)."""

    system: float
    """H(S): what the ranking tells."""
    gold: float
    """H(G): what the judgments tell."""
    joint: float
    """H(S, G): what both tell together."""


@dataclass(frozen=True, kw_only=True, repr=False)
class OIE(Graded):
    """Observational information effectiveness: the information that ranking and judgments share.

    ``size`` is the number of documents in the collection, a million where it is not given. Documents that were not
    retrieved share one last rank, and tied ones the last rank of their group: it has its own answer to ties.
    ``entropies`` has the three sums that it is made of.

    >>> round(OIE(size=20000).of([1, 0, 1], pool=[1, 1]), 4)
    16.599
    >>> [round(entropy, 4) for entropy in OIE(size=20000).entropies([1, 0, 1], pool=[1, 1])]
    [27.9187, 18.4207, 28.3242]
    """

    beta: float = 1.05
    size: int | None = None
    normalise: bool = False

    name = "OIE"
    formula = "H(S) + H(G) - beta H(S, G), in nats; H(X) = sum over documents of log(size / documents at or above)"
    range = (-np.inf, np.inf)
    citation = "Amigó, Giner, Mizzaro & Spina 2018"
    takes_terminal = False
    has_bounds = False
    needs = "every document"

    def __post_init__(self) -> None:
        super().__post_init__()
        number("beta", self.beta, least=0)
        if self.size is not None:
            whole("size", self.size, least=1, most=HUGEST)

    @property
    def collection(self) -> int:
        """The collection's size, or what is taken for it."""
        return self.size or UNTOLD

    @property
    def assumes(self) -> str:  # type: ignore[override]
        """The collection's size."""
        return "" if self.size else f"a collection of {UNTOLD:,} documents is assumed; give size="

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The three sums of information."""
        scale = 1.0 / self.collection if self.normalise else 1.0
        yield Information(self.gain(r), self.beta, self.collection, scale)

    def entropies(
        self, grades: list[float], *, pool: list[float] | None = None, groups: list[int] | None = None
    ) -> Entropies:
        """H(S), H(G) and H(S, G) of one ranking, given as to ``of``; of a list and judgments without information, 0."""
        r = Rankings.single(grades, pool=pool, groups=groups)
        [term] = self.terms(r)
        return Entropies(*(float(sum_[0]) for _, _, sum_ in term.made_of(r, self.depth(r))))
