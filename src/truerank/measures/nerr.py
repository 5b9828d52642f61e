"""Nearly expected reciprocal rank: four readers who stop when satisfied."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.expectation.weights import harmonic, inverse_squares
from truerank.measures.core.parameters import number, positive
from truerank.measures.core.reader import Reader

PAPER = "Azzopardi, Mackenzie & Moffat 2021"


@dataclass(frozen=True, kw_only=True, repr=False)
class NERR8(Reader):
    """Gain per document for a reader whom each document satisfies with the chance of its gain, down to the cutoff.

    >>> NERR8(cutoff=10).of([0, 1, 1])
    0.5
    """

    name = "NERR8"
    formula = "sum_{i<=k} gain_i v_i / sum_{i<=k} v_i, v_i = prod_{j<i} (1 - gain_j), gain = grade / max_rel"
    citation = PAPER

    def going_on(self, x: Floats, rank: Floats) -> Floats:
        """Unless satisfied."""
        return 1.0 - x

    def rest(self, x: Floats) -> Floats:
        """Down to the cutoff."""
        return np.full(len(x), float(self.unseen(x)))


@dataclass(frozen=True, kw_only=True, repr=False)
class NERR9(Reader):
    """As NERR8, for a reader who also goes on with a chance of i/(i + 1).

    >>> round(NERR9(cutoff=10).of([0, 1, 1]), 4)
    0.3333
    """

    name = "NERR9"
    formula = "sum_{i<=k} gain_i v_i / sum_{i<=k} v_i, v_i = prod_{j<i} (1 - gain_j) / i, gain = grade / max_rel"
    citation = PAPER

    def going_on(self, x: Floats, rank: Floats) -> Floats:
        """Unless satisfied, by the rank."""
        return (1.0 - x) * rank / (rank + 1.0)

    def rest(self, x: Floats) -> Floats:
        """Down to the cutoff."""
        n = x.shape[1]
        return np.full(len(x), (n + 1.0) * harmonic(n, n + self.unseen(x)))


@dataclass(frozen=True, kw_only=True, repr=False)
class NERR10(Reader):
    """As NERR8, for a reader who also goes on with probability p, without end.

    >>> round(NERR10(p=0.5).of([0, 1, 1]), 4)
    0.3333
    """

    p: float = 0.9

    name = "NERR10"
    formula = "sum gain_i v_i / sum v_i, v_i = p^(i-1) prod_{j<i} (1 - gain_j), gain = grade / max_rel"
    citation = PAPER
    takes_cutoff = False

    def __post_init__(self) -> None:
        super().__post_init__()
        number("p", self.p, least=0, most=1)

    def going_on(self, x: Floats, rank: Floats) -> Floats:
        """Unless satisfied, with probability p."""
        return (1.0 - x) * self.p

    def rest(self, x: Floats) -> Floats:
        """A geometric sum."""
        return np.full(len(x), 1.0 / (1.0 - self.p) if self.p < 1 else np.inf)


@dataclass(frozen=True, kw_only=True, repr=False)
class NERR11(Reader):
    """As NERR8, for a reader who also goes on as in INSQ, without end.

    >>> round(NERR11(T=1).of([0, 1, 1]), 4)
    0.3077
    """

    T: float = 1.0

    name = "NERR11"
    formula = "sum gain_i v_i / sum v_i, v_i = prod_{j<i} (1 - gain_j) / (i + 2T - 1)^2, gain = grade / max_rel"
    citation = PAPER
    takes_cutoff = False

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("T", self.T)

    def going_on(self, x: Floats, rank: Floats) -> Floats:
        """Unless satisfied, the more surely, the further down."""
        last = rank + 2.0 * self.T
        chance: Floats = (1.0 - x) * ((last - 1.0) / last) ** 2
        return chance

    def rest(self, x: Floats) -> Floats:
        """Inverse squares from there on."""
        last = np.full(len(x), x.shape[1] + 2.0 * self.T)
        return last**2 * inverse_squares(last)
