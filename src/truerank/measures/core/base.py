"""What a measure is: terms over ranks, what they are divided by, and how topics make a mean."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import MISSING, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.rankings import ENDLESS, TERMINAL, Rankings, gain_of, row_sum
from truerank.expectation.gain_maps import Map, Scale, identity
from truerank.expectation.term import Term
from truerank.measures.core.parameters import LARGEST, gain_map, held, positive, whole, written
from truerank.measures.core.parts import Divisor, Parts, Place, of_terms
from truerank.measures.core.typed import TypedName

Self = TypeVar("Self", bound="Measure")
Found = TypeVar("Found", Floats, Rows)


class Scaled(Protocol):
    """Rankings or a pool: what says how far the scale of grades goes."""

    @property
    def max_grade(self) -> float:
        """Highest grade of the collection."""


class Estimate(NamedTuple):
    """Values a topic, and their standard errors where orders of ties had to be sampled; NaN for extremes of those."""

    value: Floats
    error: Floats | None = None


@dataclass(frozen=True, eq=False)
class FoundRange:
    """How many more documents are found relevant: from the one number to the other, a row each, shape (rows, 1)."""

    open: Mask
    """The slots of documents that may be judged."""
    total: Rows
    """Documents that may be judged, listed or not."""
    least: Rows
    most: Rows

    @property
    def listed(self) -> Rows:
        count: Rows = self.open.sum(axis=-1, keepdims=True)
        return count

    @property
    def least_listed(self) -> Rows:
        """Relevant ones in the list, if as many as can be are elsewhere."""
        return np.maximum(self.least - (self.total - self.listed), 0)

    @property
    def most_listed(self) -> Rows:
        """Relevant ones in the list, if as many as can be are there."""
        return np.minimum(self.most, self.listed)

    def largest(self, x: Floats) -> Floats:
        """The sum of ``x``, at least 0, over as many slots as there can be relevant ones: those with the most."""
        return _picked(-np.sort(-np.where(self.open, x, 0.0), axis=-1), self.most_listed)

    def smallest(self, x: Floats) -> Floats:
        """The same over as few slots as there can be, those with the least."""
        return _picked(np.sort(np.where(self.open, x, np.inf), axis=-1), self.least_listed)


def _picked(x: Floats, count: Rows) -> Floats:
    """The sum of the first ``count`` of each row."""
    return row_sum(np.where(np.arange(x.shape[1]) < count, x, 0.0))


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(ABC):
    """A measure: frozen, compared by value, and its text form parses back to it.

    Subclasses give ``terms`` and, where there is one, ``normaliser``; a measure that is no such sum gives ``score``,
    and says so with ``is_sum``. Ties, endings, unjudged documents and depth are the engine's business: a measure
    declares facts about itself, which others ask it for, and never asks how it is read.
    """

    cutoff: int | None = None

    name: ClassVar[str]
    formula: ClassVar[str]
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    citation: ClassVar[str] = ""

    is_sum: ClassVar[bool] = True
    """Whether the score is what ``terms`` add up to over ``normaliser``."""
    by_order: ClassVar[bool] = False
    """Whether ties are gone through order by order, all or a sample, because no closed form is known."""
    reads_orders: ClassVar[bool] = False
    """Whether it is quicker with explicit orders of grades than with ``Rankings``."""
    takes_cutoff: ClassVar[bool] = True
    takes_terminal: ClassVar[bool] = True
    reads_list: ClassVar[bool] = True
    """Whether it looks at the list at all, and not at the judgments alone."""
    needs: ClassVar[str] = "grades"
    """"grades", "preferences" (either kind of judgments) or "every document" (also those that are not judged)."""
    asks_relevance: ClassVar[bool] = True
    """Whether it asks which documents are relevant, and not only which are listed or judged."""
    needs_pool: ClassVar[bool] = False
    """Whether the runs that made the pool are needed, to know what it holds at a depth."""
    assumes: ClassVar[str] = ""
    """What it takes for granted because it was not told, in words."""
    higher_is_better: ClassVar[bool] = True
    ending: ClassVar[str] = "none"
    """The ending it is read with where none is chosen."""
    sorts_ties: ClassVar[bool] = True
    """Whether of two tied neighbours more gain above is never worse: then best and worst order of ties are sorts."""
    skips_unjudged: ClassVar[bool] = False
    """Whether an unjudged document is another thing than a judged one without relevance."""
    negative_unsampled: ClassVar[bool] = False
    """Whether a negative grade is to it a document of the pool that nobody judged, whatever it is to others."""
    has_bounds: ClassVar[bool] = True
    """Whether no relevance of unjudged documents takes the value past those of all and of none relevant."""
    meets_bounds: ClassVar[bool] = True
    """Whether judgments with two grades come to its bounds over unjudged documents; otherwise these may be wider."""
    exceeds_ideal: ClassVar[bool] = False
    """Whether a terminal document, which is last in the ideal ranking, may stand higher in a list and exceed it."""
    counts: ClassVar[bool] = False
    """Whether it is a number of things, added up over topics, of which neither end is better."""
    at_zero: ClassVar[float] = np.nan
    """Value where the normaliser is zero."""
    needs_depth: ClassVar[bool] = False
    """Whether it has no value at a cutoff of 0, where others have found nothing."""
    undefined_because: ClassVar[str] = "without relevant documents"
    """What topics lack where the measure has no value."""
    remedy: ClassVar[str] = ""
    """What to do about it, if the measure itself can."""
    undefined_counts_as: ClassVar[float] = 0.0
    """Value of an undefined topic where it is to count: the worst; NaN if any number would be a claim."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # A sum that is none would have wrong values at every depth but one, and nothing would say so.
        own = "score" in vars(cls) or "estimate" in vars(cls)
        if own and cls.is_sum and "is_sum" not in vars(cls):
            raise TypeError(
                f"{cls.__name__} has a score of its own; say is_sum = False, or True if its terms make it up"
            )

    def __post_init__(self) -> None:
        if self.cutoff is not None:
            if not self.takes_cutoff:
                raise InputError(f"{self.name} looks at the whole list and takes no cutoff; write it without @")
            whole(f"{self.name}: a cutoff", self.cutoff, least=0)
        for each in fields(self):
            object.__setattr__(self, each.name, held(getattr(self, each.name)))

    def terms(self, r: Rankings) -> Iterable[Term]:
        """The sum that the measure is, before normalising."""
        raise NotImplementedError(f"{type(self).__name__} says neither with terms nor with score what it is")

    def normaliser(self, r: Rankings, depth: Rows) -> Floats | Rows | None:
        """What the sum is divided by, shape (rows, 1); None for nothing."""
        return None

    def gain(self, r: Scaled) -> Map:
        """The map from grade to gain, given the highest grade of the collection."""
        return Map(identity)

    def depth(self, r: Rankings) -> Rows:
        """How deep the measure looks in each row, shape (rows, 1)."""
        return r.depth(self.cutoff)

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

    def variance(self, r: Rankings) -> Floats:
        """Variance over the orders of ties, one value a row; NaN where no closed form is known, or there is no value.

        >>> from truerank.measures.ap import AP
        >>> AP().variance(Rankings.single([1, 0], groups=[0, 0])).tolist()  # 1 or 1/2
        [0.0625]
        """
        if not self.is_sum:
            return np.full(len(r.length), np.nan)
        depth = self.depth(r)
        # Of the terms of a measure one at most depends on the order.
        every = [term.variance(r, depth) for term in self.terms(r)]
        total = sum(every[1:], every[0])
        below = self.normaliser(r, depth)
        return total if below is None else ratio(total, np.asarray(below[:, 0], np.float64) ** 2)

    def of(self, grades: list[float], *, pool: list[float] | None = None, groups: list[int] | None = None) -> float:
        """Score of one ranking given by its grades in rank order (NaN: unjudged).

        ``pool`` has the grades of all judged documents, by default those of the ranking; neighbours with equal numbers
        in ``groups`` are tied. A measure with a terminal document has it at the end of the ranking.
        """
        r = Rankings.single(grades, pool=pool, groups=groups, terminal=TERMINAL[self.ending])
        return float(self.score(r)[0])

    def capped(self, r: Rankings, value: Floats) -> Floats:
        """Values of rankings in which unjudged documents are taken to be relevant, kept within the range.

        Where undefined, such a document within the cutoff may define it.
        """
        taken = (r.judgment < 0) & (gain_of(r.grade, self.gain(r)) > 0)
        if self.cutoff is not None:
            taken &= r.start <= self.cutoff
        least, most = self.range
        return np.clip(np.where(np.isnan(value) & taken.any(axis=-1), most, value), least, most)

    def outcomes(self, r: Rankings, found: FoundRange) -> tuple[Floats, Floats] | None:
        """The least and the most that each row may come to, where the measure has a way of its own to tell.

        In ``r`` documents that may be judged stand without relevance; ``found`` says which they are, and how many of
        them are found relevant. None where it is enough that more gain in the list raises the value, that the higher
        it stands the more it does so, and that more gain elsewhere lowers it.
        """
        return None

    def averaged(self, values: Floats) -> Floats:
        """Values of topics in the form that their mean is taken of."""
        return values

    def aggregate(self, values: Floats, lengths: Rows) -> float:
        """One number for all topics: the mean."""
        return float(values.sum() / len(values)) if len(values) else float("nan")

    @property
    def averages(self) -> bool:
        """Whether topics are summed up by their mean."""
        return type(self).aggregate is Measure.aggregate

    @property
    def deepens(self) -> bool:
        """Whether it looks the deeper, the more relevant documents there are."""
        return type(self).depth is not Measure.depth

    @property
    def takes_gains(self) -> bool:
        """Whether grades can be given gains of one's own."""
        return any(each.name == "gains" for each in fields(self))

    @property
    def ends_by(self) -> str:
        """Why it depends on where a list ends: "effort", "information" or a "terminal" document; "" if it does not.

        >>> from truerank.measures.effort import RBPU
        >>> from truerank.measures.terminal import RBPT
        >>> RBPU().ends_by, RBPT.ends_by
        ('effort', 'terminal')
        """
        return next((term.ends_by for term in _own_terms(self) if term.ends_by), "")

    @property
    def reader_stops(self) -> bool:
        """Whether a reader may stop at what is found, so that each hit leaves less for the next one to bring."""
        return any(term.reader_stops for term in _own_terms(self))

    @property
    def shares_last_rank(self) -> bool:
        """Whether all tied documents take the last rank of theirs: an answer of its own to ties."""
        return any(term.shares_last_rank for term in _own_terms(self))

    @property
    def has_no_depth(self) -> bool:
        """Whether its cutoff of 0 leaves it without a value, in every topic."""
        return self.cutoff == 0 and self.needs_depth

    @property
    def counts_as(self) -> float:
        """Value of an undefined topic where it is to count; NaN if it stays undefined, whatever is chosen.

        >>> from truerank.measures.ap import AP
        >>> AP().counts_as, AP(cutoff=0).counts_as
        (0.0, nan)
        """
        return float("nan") if self.has_no_depth else self.undefined_counts_as

    @property
    def defined_by(self) -> str:
        """What to do if it has no value in any topic.

        >>> from truerank.measures.ap import AP
        >>> AP().defined_by, AP(cutoff=0).defined_by
        ("choose no_relevant='zero'", 'choose a larger cutoff')
        """
        if self.counts_as == self.counts_as:
            return "choose no_relevant='zero'"
        return "choose a larger cutoff" if self.has_no_depth else self.remedy or "choose another measure"

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1: times it, high values are good."""
        return 1.0 if self.higher_is_better else -1.0

    @property
    def core(self) -> Measure:
        """The measure that scores a topic: the one that this is made of, or itself."""
        return self

    def with_core(self, change: Callable[[Measure], Measure]) -> Measure:
        return change(self)

    @property
    def level(self) -> float | None:
        """The grade from which on documents are relevant, all of them alike; None where it is not asked for."""
        return None

    @property
    def own_gains(self) -> tuple[tuple[float, float], ...]:
        """Grades with gains of one's own."""
        return ()

    @property
    def top(self) -> float | None:
        """The grade that is to be the highest; None for that of the collection."""
        return None

    @property
    def collection(self) -> int | None:
        """How many documents it takes the collection to have; None where it does not ask."""
        return None

    @property
    def is_zero_without_relevant(self) -> bool:
        """Whether every list scores 0, or has no value that counts as 0, on a topic without relevant documents.

        >>> from truerank.measures.p import P
        >>> P(cutoff=5).is_zero_without_relevant, P().is_zero_without_relevant  # 1 for an empty list
        (True, False)
        """
        return self.counts_as == 0 and _zero_without_relevant(self.core)

    @property
    def may_skip_unjudged(self) -> bool:
        """Whether an unjudged document may be another thing than a judged one without relevance."""
        return self.skips_unjudged

    def best_grade(self, grades: Floats, r: Scaled) -> float:
        """Of some grades the one worth most; of several the highest."""
        return float(grades[np.lexsort((grades, gain_of(grades, self.gain(r))))[-1]])

    def merit(self, grade: Floats, r: Scaled) -> Floats:
        """Sorting value of grades for the best and worst order of ties; unjudged stands between gain and none."""
        gain = gain_of(grade, self.gain(r))
        return np.where(gain > 0, gain, np.where(np.isnan(grade), 0.0, -1.0))

    def cuts(self, r: Rankings, longest: int) -> Floats | None:
        """Values of lists cut at 0, 1, ..., ``longest`` documents, where it has a way of its own to find them."""
        return None

    def explicit(self, grades: Floats, pool: Floats, r: Scaled) -> Floats:
        """Values of rankings given by their grades, a row each, with one pool, if it ``reads_orders``."""
        raise NotImplementedError(f"{type(self).__name__} reads rankings")

    def summands(self, r: Rankings) -> tuple[Term, ...]:
        """The terms, if the score is what they add up to over the normaliser; otherwise none."""
        return tuple(self.terms(r)) if self.is_sum else ()

    def parts(self, r: Rankings) -> Parts | None:
        """What each slot of the one row of a block adds to its score; None where it is no sum over documents.

        >>> from truerank.measures.ap import AP
        >>> AP().parts(Rankings.single([1, 0, 1, 0])).contribution.round(4).tolist()  # 1/1 and 2/3, over 2
        [0.5, 0.0, 0.3333, 0.0]
        """
        nothing = np.zeros(r.start.shape[1])
        if not self.reads_list:
            return Parts(how="listless", contribution=nothing, gain=nothing, start=float(self.score(r)[0]))
        terms, depth = self.summands(r), self.depth(r)
        if not terms:
            return None
        found = of_terms(terms, r, depth)
        below = self.normaliser(r, depth)
        if below is None:
            return found
        value = float(below[0, 0])
        relevant = "R + 1" if r.terminal else "R"
        name = self.normaliser_name("n" if depth[0, 0] == ENDLESS else "k", relevant)
        divisor = Divisor(name, value, self.ideal_places(r, depth))
        if not value:
            return replace(found, contribution=nothing, divisor=divisor, start=self.at_zero)
        return replace(found, contribution=found.contribution / value, divisor=divisor)

    def credits(self, r: Rankings) -> Floats | None:
        """What each slot is to be credited with in its row's score, see ``Term.credit``; None where that is not known.

        >>> from truerank.measures.ap import AP
        >>> AP().credits(Rankings.single([1, 0, 0, 1])).tolist()  # (1 + 1/4 / 2) / 2 and (1/4 + 1/4 / 2) / 2
        [[0.5625, 0.0, 0.0, 0.1875]]
        """
        depth = self.depth(r)
        each = [term.credit(r, depth) for term in self.summands(r)]
        known = [one for one in each if one is not None]
        if not known or len(known) < len(each):
            return None
        found = sum(known[1:], known[0])
        below = self.normaliser(r, depth)
        if below is None:
            return found
        divisor: Floats = np.broadcast_to(below, found.shape)
        return ratio(found, divisor, 0.0)

    def normaliser_name(self, k: str, relevant: str) -> str:
        """What the normaliser is called, given words for the depth and for how many documents are relevant."""
        return relevant

    def ideal_places(self, r: Rankings, depth: Rows) -> tuple[Place, ...]:
        """The ideal ranking of the one row of a block, where the normaliser is its score."""
        return ()

    def formula_in_use(self) -> str:
        """The formula, with those of its variants that the parameters ask for.

        >>> from truerank.measures.ap import AP
        >>> AP().formula_in_use(), AP(norm="min").formula_in_use()
        ('sum_{i<=k} rel_i P@i / R', "sum_{i<=k} rel_i P@i / R, norm='min': / min(k, R)")
        """
        first, *variants = _VARIANT.split(self.formula)
        return ", ".join([first, *(variant for variant in variants if self._uses(variant))])

    def _uses(self, variant: str) -> bool:
        head = _HEAD.match(variant)
        assert head is not None
        name, value = head.groups()
        if value is not None:
            return bool(getattr(self, name) == value)
        return bool(getattr(self, name) != self.defaults()[name])

    @property
    def takes_at(self) -> bool:
        """Whether a cutoff may be written after its name."""
        return self.takes_cutoff

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

    def defaults(self) -> dict[str, Any]:
        """The parameters that have a default, with it."""
        return {f.name: f.default for f in fields(self) if f.name != "cutoff" and f.default is not MISSING}

    def parameters(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        return {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if f.name != "cutoff" and (f.default is MISSING or getattr(self, f.name) != f.default)
        }

    def __str__(self) -> str:
        known: str | None = self.__dict__.get("_text")
        if known is None:
            inside = ",".join(f"{name}={written(value)}" for name, value in self.parameters().items())
            known = self.__dict__["_text"] = (f"{self.name}({inside})" if inside else self.name) + self._at()
        return known

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def as_typed(self: Self, text: str) -> Self:
        """The measure that somebody typed so, whose name people read in that form.

        >>> from truerank.measures.rr import RR
        >>> typed = RR().as_typed("MRR")
        >>> typed == RR(), str(typed) == "RR", f"{typed} {typed.label}"
        (True, True, 'MRR MRR')
        """
        name = str(self)
        if text == name:
            return self
        typed = copy(self)
        typed.__dict__["_text"] = TypedName(name, text)
        return typed

    @property
    def label(self) -> str:
        """The measure as a figure names it: with what its reader is like, whatever the default.

        >>> from truerank.measures.rbp import RBP
        >>> str(RBP()), RBP().label
        ('RBP', 'RBP(p=0.8)')
        """
        told = {f.name: getattr(self, f.name) for f in fields(self) if f.name in _READER} | self.parameters()
        if told == self.parameters():
            return f"{self}"
        inside = ",".join(f"{name}={written(value)}" for name, value in told.items())
        return (f"{self.name}({inside})" if inside else self.name) + self._at()

    def _at(self) -> str:
        return "" if self.cutoff is None else f"@{self.cutoff}"

    def __repr__(self) -> str:
        return str(self)


_READER = ("p", "T")
"""Parameters that say what a reader is like: how persistent, and how much is looked for."""
_VARIANT = re.compile(r", (?=(?:with )?\w+(?:='\w+')?: )")
_HEAD = re.compile(r"(?:with )?(\w+)(?:='(\w+)')?: ")
"""Where a variant of a formula begins, and how: ", relative: ..." or ", norm='min': ..."."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Binary(Measure):
    """A measure that only asks whether a document is relevant: its grade is at least ``rel``."""

    rel: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("rel", self.rel)

    @property
    def level(self) -> float | None:
        """The grade from which on documents are relevant."""
        return self.rel

    def gain(self, r: Scaled) -> Map:
        """The map from grade to gain: 1 for relevant documents."""
        return Map(identity, level=self.rel)


@dataclass(frozen=True, kw_only=True, repr=False)
class Graded(Measure):
    """A measure of graded relevance; ``rel`` makes it binary, ``gains`` maps grades, ``max_rel`` fixes the top one."""

    rel: float | None = None
    gains: Mapping[float, float] | tuple[tuple[float, float], ...] | None = None
    max_rel: float | None = None

    scale: ClassVar[Scale] = staticmethod(identity)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rel is not None:
            positive("rel", self.rel)
        if self.max_rel is not None:
            positive("max_rel", self.max_rel)
            if self.rel is not None and self.max_rel < 1:
                raise InputError(
                    f"max_rel must be at least 1 with rel, which makes every relevant grade 1, not {self.max_rel:g}"
                )
        if self.gains is not None:
            if self.rel is not None:
                raise InputError(f"{self.name} takes rel, which makes it binary, or gains; give one of them")
            object.__setattr__(self, "gains", gain_map(self.gains))

    @property
    def level(self) -> float | None:
        """The grade from which on documents are relevant, where that makes the measure binary."""
        return self.rel

    @property
    def own_gains(self) -> tuple[tuple[float, float], ...]:
        """Grades with gains of one's own."""
        return tuple(self.gains.items()) if isinstance(self.gains, Mapping) else self.gains or ()

    @property
    def top(self) -> float | None:
        """The grade that is to be the highest."""
        return self.max_rel

    def gain(self, r: Scaled) -> Map:
        """The map from grade to gain, given the highest grade of the collection."""
        top = r.max_grade if self.max_rel is None else self.max_rel
        top = 1.0 if self.rel is not None and self.max_rel is None else max(top, 0.0) or 1.0
        if self.max_rel is not None and self.rel is None and r.max_grade > self.max_rel:
            raise InputError(f"{self}: the judgments have grade {r.max_grade:g}; max_rel must be at least that")
        if self.rel is None:
            self._refuse_gain(max(r.max_grade, top), top)
        return Map(self._scale(), top, self.rel, self.own_gains)

    def _refuse_gain(self, grade: float, top: float) -> None:
        """Refuse grades whose gains would have no sum: of 2^1024 there is no number, and infinity over itself is none.

        Those named in ``gains`` are checked where they are given.
        """
        if not _worth(self._scale(), grade, top) <= LARGEST:
            raise InputError(
                f"{self}: the gain of grade {grade:g} is more than {LARGEST:g}, too much to be added up; "
                "give lower grades, or take a measure whose gains grow less"
            )

    def _scale(self) -> Scale:
        return type(self).scale

    def best_grade(self, grades: Floats, r: Scaled) -> float:
        """Own gain maps may value another grade more than the highest; ``max_rel`` may allow for higher ones."""
        highest = r.max_grade if self.max_rel is None or self.rel is not None else self.max_rel
        named = [grade for grade, _ in self.own_gains if grade <= highest]
        return super().best_grade(np.array([*grades, *named, highest], np.float64), r)


@lru_cache(maxsize=256)
def _own_terms(measure: Measure) -> tuple[Term, ...]:
    """The terms of a measure, whatever the judgments."""
    return measure.summands(Rankings.single([0.0]))


@lru_cache(maxsize=256)
def _zero_without_relevant(measure: Measure) -> bool:
    """Whether lists of documents without relevance, of unjudged ones and of none score 0, or have no value."""
    if measure.needs == "preferences" or measure.needs_pool:
        # What is divided by relevant documents of a pool is undefined without any.
        return measure.needs_pool
    lists = (Rankings.single([grade] * count, pool=[]) for grade, count in ((0.0, 2), (np.nan, 2), (0.0, 0)))
    return not any(np.nan_to_num(measure.score(one)).any() for one in lists)


@lru_cache(maxsize=256)
def _worth(scale: Scale, grade: float, top: float) -> float:
    """Gain of one grade, which measures ask for again and again."""
    with np.errstate(over="ignore"):
        return float(scale(np.array([grade]), top)[0])


def could_find(relevant: Found, r: Rankings, depth: Rows, norm: str) -> Found:
    """How many relevant documents, or how much gain, could be found down to a depth.

    By ``norm`` "min" that is as many as it holds, otherwise all; at a depth of 0 none, so that an average over them has
    no value.
    """
    if norm == "min":
        return np.minimum(relevant, r.reach(depth))
    return relevant if depth.all() else np.where(depth > 0, relevant, 0)


def ratio(above: Floats | Rows, below: Floats | Rows, at_zero: float = np.nan) -> Floats:
    """One over the other, or ``at_zero`` where there is nothing below.

    Where unjudged documents are taken to have the highest grade, it may be any number of times what is judged: without
    bound is then past the range of the measure, as it should be.
    """
    with np.errstate(over="ignore"):
        quotient: Floats = np.divide(above, below, out=np.full(below.shape, at_zero), where=below > 0)
    return quotient
