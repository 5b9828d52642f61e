"""Rank-biased overlap of rankings with ties."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from truerank.data.arrays import Array, Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.correlations import Places

Rankable: TypeAlias = "Mapping[Any, Any] | Iterable[Any] | WeakOrder"
"""{item: score}, the higher the better, or items from the best on, with tied ones in a list or tuple of their own."""


@dataclass(frozen=True, eq=False)
class WeakOrder:
    """Items from the best on, with how many stand above each and how many are tied with it, itself included.

    >>> WeakOrder.of({"a": 0.2, "b": 0.9, "c": 0.2}).items
    ('b', 'a', 'c')
    >>> WeakOrder.of(["b", ("a", "c")]).above.tolist()
    [0, 1, 1]
    """

    items: tuple[Hashable, ...]
    above: Rows
    tied: Rows

    @classmethod
    def of(cls, given: Rankable, name: str = "the ranking") -> WeakOrder:
        """Take scores or a list; refused where an item stands in it twice, or a score is no number."""
        if isinstance(given, WeakOrder):
            return given
        if isinstance(given, Mapping) or (hasattr(given, "items") and hasattr(given, "keys")):
            return cls._of_scores(dict(given.items()), name)
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise InputError(f"{name} is {type(given).__name__}; give {{item: score}}, or a list of items, best first")
        return cls._of_groups([_group(entry) for entry in given], name)

    @classmethod
    def _of_scores(cls, scores: dict[Hashable, Any], name: str) -> WeakOrder:
        values = _values(scores, name)
        places = Places.of(values[None, :])
        order = np.argsort(places.above[0], kind="stable")
        items = [*scores]
        return cls(tuple(items[place] for place in order), places.above[0, order], places.tied[0, order])

    @classmethod
    def _of_groups(cls, groups: list[list[Any]], name: str) -> WeakOrder:
        items = [item for group in groups for item in group]
        for item in items:
            if isinstance(item, float | np.floating):
                raise InputError(f"{name} lists the number {item}, which looks like a score; give {{item: score}}")
            if not isinstance(item, Hashable):
                raise InputError(f"{name} lists {item!r:.80}, which is no item; give text or whole numbers")
        size = np.array([len(group) for group in groups], np.intp)
        order = cls(tuple(items), np.repeat(np.cumsum(size) - size, size), np.repeat(size, size))
        if len(order.place) < len(items):
            twice = next(item for place, item in enumerate(items) if order.place[item] != place)
            raise InputError(f"{name} lists {twice!r:.80} twice; list it once")
        return order

    @cached_property
    def place(self) -> dict[Hashable, int]:
        """Where each item stands in ``items``."""
        return {item: place for place, item in enumerate(self.items)}

    def places_in(self, other: WeakOrder) -> Rows:
        """Where the items of this ranking stand in another; -1 where they do not."""
        return np.array([other.place.get(item, -1) for item in self.items], np.intp)

    def __len__(self) -> int:
        return len(self.items)


def _group(entry: Any) -> list[Any]:
    return [*entry] if isinstance(entry, list | tuple | set | frozenset) else [entry]


def _values(scores: dict[Hashable, Any], name: str) -> Array:
    """Scores as an array; whole numbers stay what they are."""
    values = np.asarray([*scores.values()] if all(map(_is_plain, scores.values())) else [])
    if len(values) == len(scores) and values.dtype.kind in "biuf" and not np.isnan(values).any():
        return values
    return np.array([_number(item, score, name) for item, score in scores.items()], np.float64)


def _is_plain(score: Any) -> bool:
    return isinstance(score, int | float | np.number | np.bool_)


def _number(item: Hashable, score: Any, name: str) -> float:
    try:
        value = np.nan if isinstance(score, str | bytes) else float(score)
    except (TypeError, ValueError, OverflowError):
        value = np.nan
    if np.isnan(value):
        raise InputError(f"the score of {item!r:.80} in {name} is {score!r:.80}; give a number, or leave the item out")
    return value


@dataclass(frozen=True, eq=False)
class Prefixes:
    """Sums over items of their contribution c(d) to the first d ranks, for d from 1 to the longer ranking's length.

    Past its end, the shorter ranking is taken to go on without ties.
    """

    short: int
    long: int
    overlap: Floats
    """Of the product of both contributions, over the items that are listed."""
    sizes: Floats
    """Of contributions, the mean of both rankings."""
    squares: Floats
    """Of squared contributions, the product of both rankings."""
    best: Floats
    """Of contributions, over as many items that only the longer ranking has as the shorter one has ended ranks ago."""
    usual: Floats
    """The mean contribution of all those items, times how many ranks ago the shorter ranking ended."""

    @classmethod
    def of(cls, short: WeakOrder, long: WeakOrder, *, spread: bool) -> Prefixes:
        """Contributions are those of a group's first rank, or ``spread`` over its ranks.

        At most one group of a ranking has begun and not ended by depth d. Items before it contribute 1, items after it
        nothing, and its own all the same share, so that sums follow from counts.
        """
        depths = len(long)
        x, y = _Group.at(short, depths, spread=spread), _Group.at(long, depths, spread=spread)
        place = long.places_in(short)
        alone = place < 0
        ended = np.maximum(np.arange(1, depths + 1) - len(short), 0)
        # Of the items that only the longer ranking has: those in ended groups, and those in the one that has begun.
        whole = _by((long.above + long.tied + 1)[alone], depths)
        begun = _by((long.above + 1)[alone], depths) - whole
        full = np.minimum(ended, whole)
        reached = whole + begun * y.share
        return cls(
            short=len(short),
            long=depths,
            overlap=_overlap(short, long, place, x.share, y.share),
            sizes=(x.sum + y.sum) / 2.0,
            squares=x.sum_of_squares * y.sum_of_squares,
            best=full + np.minimum(ended - full, begun) * y.share,
            usual=ended * np.divide(reached, whole + begun, out=np.zeros(depths), where=whole + begun > 0),
        )


@dataclass(frozen=True, eq=False)
class _Group:
    """The group of tied items that each depth falls into: items above it, its size, what each contributes."""

    above: Rows
    tied: Rows
    share: Floats

    @classmethod
    def at(cls, order: WeakOrder, depths: int, *, spread: bool) -> _Group:
        depth = np.arange(depths)
        above, tied = depth.copy(), np.ones(depths, np.intp)
        above[: len(order)], tied[: len(order)] = order.above, order.tied
        return cls(above, tied, (depth + 1 - above) / tied if spread else np.ones(depths))

    @property
    def sum(self) -> Floats:
        return self.above + self.tied * self.share

    @property
    def sum_of_squares(self) -> Floats:
        return self.above + self.tied * self.share**2


def _overlap(short: WeakOrder, long: WeakOrder, place: Rows, x: Floats, y: Floats) -> Floats:
    """Common items, counted by whether their group has ended in each ranking, times what they contribute there."""
    common = place >= 0
    at = place[common]
    begun_x, begun_y = short.above[at] + 1, long.above[common] + 1
    ended_x, ended_y = begun_x + short.tied[at], begun_y + long.tied[common]

    def count(x: Rows, y: Rows) -> Rows:
        return _by(np.maximum(x, y), len(long))

    met, ended = count(begun_x, begun_y), count(ended_x, ended_y)
    in_x, in_y = count(begun_x, ended_y) - ended, count(ended_x, begun_y) - ended
    overlap: Floats = ended + in_x * x + in_y * y + (met - in_x - in_y - ended) * x * y
    return overlap


def _by(depth: Rows, depths: int) -> Rows:
    """How many of the items have been met by each depth, where they are met at ``depth``."""
    counts = np.bincount(depth, minlength=depths + 1)[: depths + 1]
    met: Rows = np.cumsum(counts)[1:]
    return met


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


@dataclass(frozen=True)
class RBO:
    """Rank-biased overlap under each treatment of ties; without ties they are the same."""

    w: Overlap
    """Tied items are equal: all of them stand at the first rank of their group, as in sports."""
    a: Overlap
    """The order of tied items is unknown: the mean over all orders."""
    b: Overlap
    """The same, as a share of what the ties leave possible, so that rankings with the same ties have 1."""


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
    refuse_persistence(p)
    one, other = WeakOrder.of(x), WeakOrder.of(y)
    short, long = sorted((one, other), key=len)
    first, spread = Prefixes.of(short, long, spread=False), Prefixes.of(short, long, spread=True)
    return RBO(
        _weighted_overlap(first, False, p), _weighted_overlap(spread, False, p), _weighted_overlap(spread, True, p)
    )


def refuse_persistence(p: float) -> None:
    """Refuse what is no persistence."""
    if not isinstance(p, int | float) or not 0.0 < p < 1.0:
        raise InputError(f"p={p!r}; give a number between 0 and 1, such as 0.9")


def _weighted_overlap(seen: Prefixes, corrected: bool, p: float) -> Overlap:
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
