"""What a measure is: terms over ranks, what they are divided by, and how topics make a mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.rankings import ENDLESS, Rankings, gain_of
from truerank.measures import gains as scales
from truerank.measures.gains import Map, Scale
from truerank.measures.parameters import gain_map, positive, written

Self = TypeVar("Self", bound="Measure")


class Scaled(Protocol):
    """Rankings or a pool: what says how far the scale of grades goes."""

    @property
    def max_grade(self) -> float:
        """Highest grade of the collection."""


class Term(Protocol):
    """A kernel of ``truerank.expectation`` with its arrays."""

    def total(self, r: Rankings, depth: Rows) -> Floats:
        """Expected sum down to ``depth``, one value a row."""


class Estimate(NamedTuple):
    """Values a topic, and their standard errors where orders of ties had to be sampled."""

    value: Floats
    error: Floats | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(ABC):
    """A measure: frozen, compared by value, and its text form parses back to it.

    Subclasses give ``terms`` and, where there is one, ``normaliser``. Ties, endings, unjudged documents and depth are
    the engine's business: a measure may declare facts about itself, and never asks how it is read.
    """

    cutoff: int | None = None

    name: ClassVar[str]
    formula: ClassVar[str]
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    citation: ClassVar[str] = ""
    takes_cutoff: ClassVar[bool] = True
    takes_terminal: ClassVar[bool] = True
    reads_list: ClassVar[bool] = True
    """Whether it looks at the list at all, and not at the judgments alone."""
    needs: ClassVar[str] = "grades"
    """"grades", "preferences" (either kind of judgments) or "every document" (also those that are not judged)."""
    higher_is_better: ClassVar[bool] = True
    assumes: ClassVar[str] = ""
    """What it takes for granted because it was not told, in words."""
    needs_pool: ClassVar[bool] = False
    """Whether the runs that made the pool are needed, to know what it holds at a depth."""
    ending: ClassVar[str] = "none"
    """The ending it is read with where none is chosen."""
    sorts_ties: ClassVar[bool] = True
    """Whether of two tied neighbours more gain above is never worse: then best and worst order of ties are sorts."""
    skips_unjudged: ClassVar[bool] = False
    """Whether an unjudged document is another thing than a judged one without relevance."""
    has_bounds: ClassVar[bool] = True
    """Whether no relevance of unjudged documents takes the value past those of all and of none relevant."""
    averages: ClassVar[bool] = True
    """Whether topics are summed up by their mean."""
    counts: ClassVar[bool] = False
    """Whether it is a number of things, added up over topics, of which neither end is better."""
    at_zero: ClassVar[float] = np.nan
    """Value where the normaliser is zero."""
    undefined_because: ClassVar[str] = "without relevant documents"
    """What topics lack where the measure has no value."""
    undefined_counts_as: ClassVar[float] = 0.0
    """Value of an undefined topic where it is to count: the worst."""

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1: times it, high values are good."""
        return 1.0 if self.higher_is_better else -1.0

    def __post_init__(self) -> None:
        if self.cutoff is not None:
            if not self.takes_cutoff:
                raise InputError(f"{self.name} looks at the whole list and takes no cutoff; write it without @")
            if isinstance(self.cutoff, bool) or not isinstance(self.cutoff, (int, np.integer)) or self.cutoff < 0:
                raise InputError(f"a cutoff is a whole number from 0 on, not {self.cutoff!r}; write {self.name}@10")

    @abstractmethod
    def terms(self, r: Rankings) -> Iterable[Term]:
        """The sum that the measure is, before normalising."""

    def normaliser(self, r: Rankings, depth: Rows) -> Floats | Rows | None:
        """What the sum is divided by, shape (rows, 1); None for nothing."""
        return None

    def gain(self, r: Scaled) -> Map:
        """The map from grade to gain, given the highest grade of the collection."""
        return scales.Map(scales.identity)

    def best_grade(self, grades: Floats, r: Scaled) -> float:
        """Of some grades the one worth most; of several the highest."""
        return float(grades[np.lexsort((grades, gain_of(grades, self.gain(r))))[-1]])

    def depth(self, r: Rankings) -> Rows:
        """How deep the measure looks in each row, shape (rows, 1)."""
        return np.full((len(r.length), 1), ENDLESS if self.cutoff is None else self.cutoff, np.int64)

    def score(self, r: Rankings) -> Floats:
        """One value a row; NaN where the measure is undefined."""
        depth = self.depth(r)
        first, *rest = self.terms(r)
        total = first.total(r, depth)
        for term in rest:
            total = total + term.total(r, depth)
        below = self.normaliser(r, depth)
        if below is None:
            return total
        return ratio(total, below[:, 0], self.at_zero)

    def estimate(self, r: Rankings) -> Estimate:
        """``score``, with a standard error where it was sampled."""
        return Estimate(self.score(r))

    def of(self, grades: list[float], *, pool: list[float] | None = None, groups: list[int] | None = None) -> float:
        """Score of one ranking given by its grades in rank order (NaN: unjudged).

        ``pool`` has the grades of all judged documents, by default those of the ranking; neighbours with equal numbers
        in ``groups`` are tied.
        """
        return float(self.score(Rankings.single(grades, pool=pool, groups=groups))[0])

    def aggregate(self, values: Floats, lengths: Rows) -> float:
        """One number for all topics: the mean."""
        return float(values.sum() / len(values)) if len(values) else float("nan")

    def merit(self, grade: Floats, r: Scaled) -> Floats:
        """Sorting value of grades for the best and worst order of ties; unjudged stands between gain and none."""
        gain = gain_of(grade, self.gain(r))
        return np.where(gain > 0, gain, np.where(np.isnan(grade), 0.0, -1.0))

    def __matmul__(self: Self, cutoff: int) -> Self:
        return replace(self, cutoff=cutoff)

    def __call__(self: Self, *unnamed: Any, **parameters: Any) -> Self:
        """The measure with other parameters."""
        if unnamed:
            raise InputError(f"parameters are named, as in RBP(p=0.8); {self.name} was given {unnamed[0]!r} alone")
        known = {f.name for f in fields(self)} - {"cutoff"}
        for given in parameters:
            if given not in known:
                takes = f"takes {', '.join(sorted(known))}" if known else "takes no parameters"
                raise InputError(f"{self.name} has no parameter {given!r}; it {takes}")
        return replace(self, **parameters)

    def parameters(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if f.name != "cutoff" and (f.default is MISSING or getattr(self, f.name) != f.default)
        }

    def __str__(self) -> str:
        inside = ",".join(f"{name}={written(value)}" for name, value in self.parameters().items())
        return f"{self.name}({inside})" * bool(inside) + self.name * (not inside) + self._at()

    def _at(self) -> str:
        return "" if self.cutoff is None else f"@{self.cutoff}"

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, kw_only=True, repr=False)
class Binary(Measure):
    """A measure that only asks whether a document is relevant: its grade is at least ``rel``."""

    rel: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("rel", self.rel)

    def gain(self, r: Scaled) -> Map:
        """The map from grade to gain: 1 for relevant documents."""
        return scales.Map(scales.identity, level=self.rel)


@dataclass(frozen=True, kw_only=True, repr=False)
class Graded(Measure):
    """A measure of graded relevance; ``rel`` makes it binary, ``gains`` maps grades, ``max_rel`` fixes the top one."""

    rel: float | None = None
    gains: Mapping[float, float] | tuple[tuple[float, float], ...] | None = None
    max_rel: float | None = None

    scale: ClassVar[Scale] = staticmethod(scales.identity)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel is not None:
            positive("rel", self.rel)
        if self.max_rel is not None:
            positive("max_rel", self.max_rel)
        if self.gains is not None:
            if self.rel is not None:
                raise InputError(f"{self.name} takes rel, which makes it binary, or gains; give one of them")
            object.__setattr__(self, "gains", gain_map(self.gains))

    def gain(self, r: Scaled) -> Map:
        """The map from grade to gain, given the highest grade of the collection."""
        top = r.max_grade if self.max_rel is None else self.max_rel
        top = 1.0 if self.rel is not None and self.max_rel is None else max(top, 0.0) or 1.0
        if self.max_rel is not None and self.rel is None and r.max_grade > self.max_rel:
            raise InputError(f"{self}: the judgments have grade {r.max_grade:g}; max_rel must be at least that")
        return scales.Map(self._scale(), top, self.rel, self.own_gains)

    @property
    def own_gains(self) -> tuple[tuple[float, float], ...]:
        """Grades with gains of one's own."""
        return tuple(self.gains.items()) if isinstance(self.gains, Mapping) else self.gains or ()

    def _scale(self) -> Scale:
        return type(self).scale

    def best_grade(self, grades: Floats, r: Scaled) -> float:
        """Own gain maps may value another grade more than the highest; ``max_rel`` may allow for higher ones."""
        highest = r.max_grade if self.max_rel is None or self.rel is not None else self.max_rel
        named = [grade for grade, _ in self.own_gains if grade <= highest]
        return super().best_grade(np.array([*grades, *named, highest], np.float64), r)


def ratio(above: Floats | Rows, below: Floats | Rows, at_zero: float = np.nan) -> Floats:
    """One over the other, or ``at_zero`` where there is nothing below."""
    quotient: Floats = np.divide(above, below, out=np.full(below.shape, at_zero), where=below > 0)
    return quotient
