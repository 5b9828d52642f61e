"""Rank-biased overlap, for rankings of unequal length, with other items, and with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from truerank.analysis.agreement.prefixes import Prefixes
from truerank.analysis.agreement.weak_order import Rankable, WeakOrder
from truerank.data.errors import InputError


@dataclass(frozen=True)
class Overlap:
    """Rank-biased overlap under one treatment of ties, with the bounds that what is not listed leaves open."""

    ext: float
    """If unlisted items agree as much as those that are listed."""
    low: float
    """If none of the unlisted items agree; called RBO_min."""
    high: float
    """If as many of them agree as can; called RBO_max."""

    @property
    def residual(self) -> float:
        """How much is open, high - low; called RBO_res."""
        return self.high - self.low

    def to_dict(self) -> dict[str, float]:
        """Everything, in the terms of JSON."""
        return {"ext": self.ext, "low": self.low, "high": self.high, "residual": self.residual}


@dataclass(frozen=True)
class RBO:
    """Rank-biased overlap under each treatment of ties; without ties they are the same."""

    w: Overlap
    """Tied items are equal: all of them stand at the first rank of their group, as in sports."""
    a: Overlap
    """The order of tied items is unknown: the mean over all orders."""
    b: Overlap
    """The same, as a share of what the ties leave possible, so that rankings with the same ties have 1."""

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Everything, in the terms of JSON."""
        return {"w": self.w.to_dict(), "a": self.a.to_dict(), "b": self.b.to_dict()}


def rbo(x: Rankable, y: Rankable, *, p: float = 0.9) -> RBO:
    """Rank-biased overlap of two rankings.

    RBO = (1 - p) sum_{d=1..inf} p^(d-1) A_d, where A_d is the share of items that the first d ranks have in common
    (Webber, Moffat & Zobel 2010). p is how likely a reader goes on to the next rank; at p = 0.9 the first 10 ranks have
    86% of the weight. Lists end: with s items in one and l >= s in the other, A_d is known to depth s. ``low`` and
    ``high`` bound what is open, and ``ext`` has both lists go on with the agreement that there is.

    With ties (Corsi & Urbano 2024) an item counts for c(d), its share of being in the first d ranks. For w that is 1
    from the first rank of its group on; for a and b it is the share of its group's ranks that are among the first d.
    With X_d = sum c_x(d) c_y(d) over the items,

        A_d = 2 X_d / (sum c_x(d) + sum c_y(d))           for w, and for a, where it is X_d / d
        A_d = X_d / sqrt(sum c_x(d)^2  sum c_y(d)^2)      for b

    From depth s + 1 to l the shorter list is taken to go on without ties. ``high`` has its d - s unlisted items be the
    first d - s of those that only the longer list has; ``ext`` has A_s (d - s) of them be among those, each for their
    mean c(d). From depth l + 1 on, nothing is added for ``low``, the agreement stays as it is for ``ext``, and X_d
    grows by 2 a rank for ``high``, until all agree. From an empty list nothing is extrapolated: ``ext`` is NaN.

    >>> found = rbo(["red", ("blue", "green"), "pink"], ["blue", "red", "green"], p=0.9)
    >>> [round(each.ext, 4) for each in (found.w, found.a, found.b)]
    [0.882, 0.8775, 0.8879]
    """
    if not isinstance(p, int | float) or not 0.0 < p < 1.0:
        raise InputError(f"p={p!r}; give a number between 0 and 1, such as 0.9")
    one, other = WeakOrder.of(x), WeakOrder.of(y)
    short, long = sorted((one, other), key=len)
    first, spread = Prefixes.of(short, long, spread=False), Prefixes.of(short, long, spread=True)
    return RBO(_overlap(first, False, p), _overlap(spread, False, p), _overlap(spread, True, p))


def _overlap(seen: Prefixes, corrected: bool, p: float) -> Overlap:
    short, long = seen.short, seen.long
    weight = (1.0 - p) * p ** np.arange(long)
    possible = np.sqrt(seen.squares) if corrected else seen.sizes
    at_end = float(seen.overlap[short - 1] / possible[short - 1]) if short else math.nan
    common = float(seen.overlap[-1]) if long else 0.0
    low, high, ext = (
        float(weight @ ((seen.overlap + more) / possible)) for more in (0.0, seen.best, at_end * seen.usual)
    )
    low += common * _harmonic_tail(long, p)
    high += _catching_up(short, long, common, p)
    ext += (common + (long - short) * at_end) / long * p**long if short else math.nan
    # Rounding must not put a value past its bounds.
    high = min(high, 1.0)
    low = min(low, high)
    return Overlap(min(max(ext, low), high) if short else math.nan, low, high)


def _harmonic_tail(depth: int, p: float) -> float:
    """(1 - p) sum of p^(d-1) / d over the ranks d past a depth."""
    ranks = np.arange(1, depth + 1)
    return max(0.0, (1.0 - p) / p * float(-np.log1p(-p) - (p**ranks / ranks).sum()))


def _catching_up(short: int, long: int, common: float, p: float) -> float:
    """What ranks past both lists can add: at each, both lists meet an item of the other, until all are met."""
    union = round(long + short - common)
    ranks = np.arange(long + 1, union + 1)
    met = (2 * ranks - long - short + common) / ranks
    return float((1.0 - p) * (met * p ** (ranks - 1)).sum() + p**union)
