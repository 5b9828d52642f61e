"""Rank correlations of the order of a whole collection with its grades."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from truerank.data.arrays import Floats, distinct
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.gain_maps import Map
from truerank.measures.core.base import Graded, ratio
from truerank.measures.core.collection import OfCollection


@dataclass(frozen=True, kw_only=True, repr=False)
class Correlation(OfCollection, Graded):
    """Compares the order of all documents with their grades: without ``size``, of those retrieved or judged."""

    range = (-1.0, 1.0)
    is_sum = False
    has_bounds = False
    undefined_because = "without relevant documents, or where all documents are of one grade"

    def counted(self, r: Rankings) -> OrderedCollection:
        """The collections that some lists are from."""
        return OrderedCollection(r, self.gain(r), self.documents(r))


@dataclass(frozen=True, eq=False)
class OrderedCollection:
    """Lists with the collections that they are from, whose documents are counted by gain."""

    r: Rankings
    gain: Map
    documents: Floats

    @cached_property
    def x(self) -> Floats:
        """Gain of each slot of a list; 0 past its end."""
        return np.where(self.r.start <= self.r.length[:, None], self.gain.over(self.r), 0.0)

    @cached_property
    def ideal(self) -> Floats:
        """Gains of the judged documents."""
        return self.r.ideal(self.gain)

    @cached_property
    def unlisted(self) -> Floats:
        """Documents that were not retrieved."""
        return self.documents - self.r.length

    @cached_property
    def relevant(self) -> Floats:
        """Documents with gain."""
        count: Floats = (self.ideal > 0).sum(axis=-1).astype(np.float64)
        return count

    @cached_property
    def middle(self) -> Floats:
        """The mean rank of each slot over the orders of ties."""
        middle: Floats = (self.r.start + self.r.stop) / 2.0
        return middle

    def levels(self) -> Iterator[tuple[float, Floats]]:
        """The levels of gain above 0, each with how many documents of the collection have it."""
        for level in distinct(self.ideal[self.ideal > 0]):
            yield float(level), (self.ideal == level).sum(axis=-1).astype(np.float64)

    def surplus(self) -> Floats:
        """Pairs of documents of unlike gain in the right order, less those in the wrong one; the mean over ties."""
        total = np.zeros(len(self.documents))
        for level, count in self.levels():
            here, as_good = self.x == level, (self.x >= level).astype(np.float64)
            better = self.r.above(as_good) + (self.r.group_sum(as_good) - 1.0) / 2.0
            lower = self.documents - (self.ideal >= level).sum(axis=-1)
            # Documents of less gain that stand above; all others of less gain stand below, unlisted ones among them.
            above = self.middle - 1.0 - better
            total += row_sum(np.where(here, lower[:, None] - 2.0 * above, 0.0))
            total -= (count - here.sum(axis=-1)) * (self.r.length - row_sum(as_good))
        return total

    def unlike(self) -> Floats:
        """Pairs of documents of unlike gain."""
        none = self.documents - self.relevant
        pairs = none * self.relevant
        below = np.zeros(len(none))
        for _, count in self.levels():
            pairs = pairs + below * count
            below = below + count
        return pairs

    def ranked(self) -> Floats:
        """Pairs of documents that the list tells apart."""
        n: Floats = self.r.length * (self.r.length - 1) / 2.0 + self.r.length * self.unlisted
        return n

    def silent(self, value: Floats) -> Floats:
        """Values, which are 0 where nothing is retrieved, though there be something to order: no order is said."""
        return np.where((self.r.length == 0) & (self.unlike() > 0), 0.0, value)


@dataclass(frozen=True, kw_only=True, repr=False)
class Kendall(Correlation):
    """Kendall's tau-b between the order of the whole collection and the grades of its documents.

    Documents that were not retrieved share the last place, and those without judgment have no relevance; ``size`` says
    how many documents there are, by default those retrieved or judged.

    >>> Kendall().of([0, 1], pool=[1, 0]), round(Kendall(size=8).of([1, 0]), 4)
    (-1.0, 0.7338)
    """

    name = "Kendall"
    formula = "(right - wrong pairs) / sqrt(pairs told apart by rank x pairs of unlike grades)"
    citation = "Kendall 1945; Amigó, Mizzaro & Spina 2022"

    def score(self, r: Rankings) -> Floats:
        """Ties discounted in either order."""
        each = self.counted(r)
        return each.silent(ratio(each.surplus(), np.sqrt(each.ranked() * each.unlike())))


@dataclass(frozen=True, kw_only=True, repr=False)
class Spearman(Correlation):
    """Spearman's rho between the order of the whole collection and the grades of its documents, with mid-ranks.

    Documents that were not retrieved share the last place, and those without judgment have no relevance; ``size`` says
    how many documents there are, by default those retrieved or judged.

    >>> Spearman().of([1, 0], pool=[1, 0]), round(Spearman(size=8).of([1, 0]), 4)
    (1.0, 0.7559)
    """

    name = "Spearman"
    formula = "correlation of the ranks of all documents with their ranks by grade, mid-ranks for ties"
    citation = "Spearman 1904; Amigó, Mizzaro & Spina 2022"

    def score(self, r: Rankings) -> Floats:
        """Pearson's correlation of mid-ranks, which are counted from the mean."""
        each = self.counted(r)
        length, mean = r.length.astype(np.float64), (each.documents + 1.0) / 2.0
        none = each.relevant / 2.0
        together, by_grade = np.zeros((2, len(length)))
        for level, count in each.levels():
            here = each.x == level
            better = (each.ideal > level).sum(axis=-1)
            place = better + (count + 1.0) / 2.0 - mean
            listed = row_sum(np.where(here, each.middle - mean[:, None], 0.0))
            # All ranks add up to 0, so that only what places differ by from that of no relevance matters.
            together += (place - none) * (listed + (count - here.sum(axis=-1)) * length / 2.0)
            by_grade += count * place**2
        by_grade += (each.documents - each.relevant) * none**2
        by_rank = length * (length**2 - 1.0) / 12.0 + length * each.unlisted * each.documents / 4.0
        return each.silent(ratio(together, np.sqrt(by_rank * by_grade)))
