"""What a document is worth: maps from grade to gain, and the quantities that are made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, gain_of

Scale = Callable[[Floats, float], Floats]
"""Gain by grade, given the highest grade there is."""
_STEEP = 1000.0
"""Highest grade from which on 2^grade may be no number."""


def identity(grade: Floats, top: float) -> Floats:
    """The grade itself."""
    return grade


def exponential(grade: Floats, top: float) -> Floats:
    """2^grade - 1.

    >>> exponential(np.array([1.0, 3.0]), 3.0).tolist()
    [1.0, 7.0]
    """
    return np.exp2(grade) - 1.0


def linear(grade: Floats, top: float) -> Floats:
    """grade / top, so that the highest grade is worth 1."""
    return grade / top


def satisfaction(grade: Floats, top: float) -> Floats:
    """(2^grade - 1) / 2^top: the chance that the reader is satisfied (Chapelle et al., CIKM 2009).

    >>> satisfaction(np.array([1.0, 3.0]), 3.0).tolist(), satisfaction(np.array([1e9 - 1]), 1e9).tolist()
    ([0.125, 0.875], [0.5])
    """
    steep = top > _STEEP
    chance: Floats = np.exp2(grade - top) - np.exp2(-top) if steep else (np.exp2(grade) - 1.0) / np.exp2(top)
    return chance


class Quantity(ABC):
    """A number for each document of rankings: its gain, or what is made of gains.

    Quantities are multiplied by numbers and added up, and compare by value. Terms hold them, not the arrays that they
    are in some rankings: so a term also knows what stands past the end of a list, and what a terminal document has.

    >>> gain = Map(identity)
    >>> (1 - 0.5 * gain).over(Rankings.single([2, 0, 1])).tolist()
    [[0.0, 1.0, 0.5]]
    >>> 1.0 * gain == gain, 2 * gain - gain == gain
    (True, True)
    """

    # Numpy leaves products and sums with a quantity to the quantity.
    __array_ufunc__ = None

    @abstractmethod
    def over(self, r: Rankings) -> Floats:
        """Its value in every slot."""

    def shares(self, r: Rankings) -> Floats:
        """What every slot adds to the value of a terminal document; the last one, what that has without any."""
        return np.zeros(r.start.shape)

    def beyond(self, r: Rankings) -> float:
        """Its value past the end of a list, where documents there are taken to have a grade; 0 where they are not."""
        return 0.0

    @property
    def unlisted(self) -> float:
        """Its value for unjudged documents, which rankings need not list."""
        return 0.0

    @property
    def by_grade(self) -> bool:
        """Whether it depends on the grade of a document alone."""
        return False

    def of_grade(self, grade: float) -> float:
        """Its value for a document of a grade, if it is ``by_grade``."""
        raise NotImplementedError(f"{type(self).__name__} depends on more than the grade")

    def __mul__(self, number: float) -> Quantity:
        return _sum_of((_number(number), self))

    __rmul__ = __mul__

    def __add__(self, other: Quantity | float) -> Quantity:
        return _sum_of((1.0, self), (1.0, other))

    __radd__ = __add__

    def __neg__(self) -> Quantity:
        return _sum_of((-1.0, self))

    def __sub__(self, other: Quantity | float) -> Quantity:
        return _sum_of((1.0, self), (-1.0, other))

    def __rsub__(self, other: float) -> Quantity:
        return _sum_of((-1.0, self), (1.0, other))


@dataclass(frozen=True)
class Combination(Quantity):
    """A constant and quantities times factors, added up from the left."""

    constant: float
    parts: tuple[tuple[float, Quantity], ...]

    def over(self, r: Rankings) -> Floats:
        """The sum in every slot."""
        return r.once((Combination, self), lambda: self._over(r))

    def _over(self, r: Rankings) -> Floats:
        start = self.constant if self.parts else np.full(r.start.shape, self.constant)
        found: Floats = self._added(start, lambda part: part.over(r))
        return found

    def shares(self, r: Rankings) -> Floats:
        """The sum of what every slot adds; the constant is there without any."""
        start = np.zeros(r.start.shape)
        start[:, -1:] = self.constant
        found: Floats = self._added(start, lambda part: part.shares(r))
        return found

    def beyond(self, r: Rankings) -> float:
        """The sum past the end of a list."""
        return 0.0 if r.beyond != r.beyond else float(self._added(self.constant, lambda part: part.beyond(r)))

    @property
    def unlisted(self) -> float:
        """The sum for unjudged documents."""
        return float(self._added(self.constant, lambda part: part.unlisted))

    @property
    def by_grade(self) -> bool:
        """If all of its parts are."""
        return all(part.by_grade for _, part in self.parts)

    def of_grade(self, grade: float) -> float:
        """The sum for a document of a grade."""
        return self.constant + sum(factor * part.of_grade(grade) for factor, part in self.parts)

    def _added(self, start: Any, value: Callable[[Quantity], Any]) -> Any:
        total = start
        for place, (factor, part) in enumerate(self.parts):
            scaled = value(part) if abs(factor) == 1.0 else abs(factor) * value(part)
            if factor < 0:
                total = total - scaled
            elif place or self.constant:
                total = total + scaled
            else:
                total = scaled  # Blocks are large: nothing is not added to them.
        return total


def _sum_of(*scaled: tuple[float, Quantity | float]) -> Quantity:
    """Quantities and numbers times factors, in the one form that equal sums share."""
    constant = 0.0
    factors: dict[Quantity, float] = {}
    for factor, what in scaled:
        parts: tuple[tuple[float, Quantity], ...] = ()
        if isinstance(what, Combination):
            constant += factor * what.constant
            parts = what.parts
        elif isinstance(what, Quantity):
            parts = ((1.0, what),)
        else:
            constant += factor * _number(what)
        for each, part in parts:
            factors[part] = factors.get(part, 0.0) + factor * each
    kept = tuple((factor, part) for part, factor in factors.items() if factor)
    if not constant and len(kept) == 1 and kept[0][0] == 1.0:
        return kept[0][1]
    return Combination(constant, kept)


def _number(given: object) -> float:
    if isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool):
        return float(given)
    raise TypeError(
        f"gains are multiplied by numbers, and added to numbers and gains, not to {type(given).__name__}; "
        "for another function of the grade, write a Map"
    )


def check(term: object, unlisted: float = 0.0, **given: object) -> None:
    """Refuse what a term cannot lay over rankings.

    An array says nothing of documents past the end of a list; and documents that are not listed, being unjudged, are to
    change nothing.
    """
    for name, value in given.items():
        if isinstance(value, Quantity) and value.unlisted == unlisted:
            continue
        what = f"{type(term).__name__} takes a gain map for {name}, such as {'1 - ' if unlisted else ''}self.gain(r)"
        if not isinstance(value, Quantity):
            raise TypeError(f"{what}, not {type(value).__name__}; leave it to the term to lay it over rankings")
        raise ValueError(f"{what}: {unlisted:g} for unjudged documents, not {value.unlisted:g}; they have no slot")


class GainMap(Quantity):
    """A map from the grades of documents, those above 0, to gains; a terminal document has the share that was found."""

    @abstractmethod
    def __call__(self, grade: Floats) -> Floats:
        """Gain of each grade."""

    @property
    def by_grade(self) -> bool:
        """It is a map from grades."""
        return True

    def of_grade(self, grade: float) -> float:
        """Gain of a grade; 0 of those that have none."""
        return float(gain_of(np.array([grade]), self)[0])

    def over(self, r: Rankings) -> Floats:
        """Gains, which measures with the same map share."""
        return r.gains(self)

    def shares(self, r: Rankings) -> Floats:
        """Shares in all gain there is."""
        return r.shares(self)

    def beyond(self, r: Rankings) -> float:
        """Gain of the grade that documents past the end are taken to have."""
        return r.gain_beyond(self)


@dataclass(frozen=True)
class Map(GainMap):
    """A scale, given the top grade; with ``level`` only grades from there on have a gain, all the same.

    >>> Map(identity, gains=((1.0, 3.0),))(np.array([1.0, 2.0])).tolist()
    [3.0, 2.0]
    """

    scale: Scale
    top: float = 1.0
    level: float | None = None
    gains: tuple[tuple[float, float], ...] = ()
    """Gains of one's own; grades not named here keep the gain of ``scale``."""

    def __call__(self, grade: Floats) -> Floats:
        """Gain of each grade."""
        grade = grade if self.level is None else (grade >= self.level).astype(np.float64)
        # Grades above the top are asked for where they do not count, such as that of a NIL that ends its list.
        with np.errstate(over="ignore"):
            worth = self.scale(grade, self.top)
        for named, value in self.gains:
            worth = np.where(grade == named, value, worth)
        return worth


@dataclass(frozen=True)
class Hit(GainMap):
    """1 where another map has a gain."""

    of: GainMap

    def __call__(self, grade: Floats) -> Floats:
        """1 or 0 for each grade."""
        return (self.of(grade) > 0).astype(np.float64)


@dataclass(frozen=True)
class Nonrelevant(Quantity):
    """1 for documents that are judged and have no gain by a map.

    >>> Nonrelevant(Map(identity)).over(Rankings.single([1, 0, np.nan])).tolist()
    [[0.0, 1.0, 0.0]]
    """

    gain: GainMap

    def over(self, r: Rankings) -> Floats:
        """1 or 0 in every slot."""
        nonrelevant: Mask = r.is_judged & (self.gain.over(r) == 0)
        return nonrelevant.astype(np.float64)
