"""The weights of ranks that the literature's measures use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import ENDLESS
from truerank.expectation.weight import Reciprocal, Sums, Weight


@dataclass(frozen=True)
class Flat(Weight):
    """Every rank counts 1: precision, recall, utility."""

    def at(self, rank: Rows) -> Floats:
        """1 everywhere."""
        return np.ones(rank.shape)


@dataclass(frozen=True)
class Linear(Weight):
    """A rank counts as itself, so that the sum is a sum of ranks: AUC."""

    def at(self, rank: Rows) -> Floats:
        """The rank."""
        return rank.astype(np.float64)


@dataclass(frozen=True)
class Harmonic(Reciprocal):
    """1/i: reciprocal rank, average precision, ERR."""

    def divisor(self, rank: Rows) -> Floats:
        """The rank."""
        return rank.astype(np.float64)


@dataclass(frozen=True)
class Logarithmic(Reciprocal):
    """1/log2(i + 1): discounted cumulative gain."""

    def divisor(self, rank: Rows) -> Floats:
        """log2(rank + 1)."""
        discount: Floats = np.log2(rank + 1.0)
        return discount


@dataclass(frozen=True)
class Geometric(Weight):
    """(1 - p) p^(i-1): a reader who goes on with probability p. All ranks together weigh 1."""

    p: float

    def at(self, rank: Rows) -> Floats:
        """(1 - p) p^(rank - 1)."""
        weight: Floats = (1.0 - self.p) * np.power(self.p, rank - 1.0)
        return weight

    def tail(self, after: Rows, until: Rows) -> Floats | None:
        """p^after - p^until."""
        endless = until == ENDLESS
        rest = np.where(endless, 0.0, np.power(self.p, np.where(endless, 0, until).astype(np.float64)))
        return np.power(self.p, after.astype(np.float64)) - rest


@dataclass(frozen=True, eq=False)
class Blended(Reciprocal):
    """1/(i + beta cg*(i)), with the ideal cumulative gain of each row's topic: Q-measure."""

    beta: float
    ideal: Floats
    """Cumulative gain of the ideal ranking, one row a topic, from rank 0 on."""

    def divisor(self, rank: Rows) -> Floats:
        """rank + beta times the ideal cumulative gain at that rank; one row a topic."""
        last = self.ideal.shape[1] - 1
        rank = np.broadcast_to(rank, (len(self.ideal), rank.shape[-1]))
        return rank + self.beta * np.take_along_axis(self.ideal, np.minimum(rank, last), axis=-1)

    def apply(self, x: Floats, rank: Rows) -> Floats:
        """``x`` over the divisor of its rank in its topic."""
        return x / self.divisor(rank)

    def sums(self, deepest: int) -> tuple[Sums, Sums]:
        """Running sums as of any weight, one row a topic."""
        rank = np.arange(1, deepest + 1)[None, :]
        w = np.zeros((len(self.ideal), deepest + 1), np.longdouble)
        w[:, 1:] = self.at(rank)
        return np.cumsum(w, axis=-1), np.cumsum(w * np.arange(deepest + 1), axis=-1)
