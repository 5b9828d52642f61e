"""How far a ranking agrees with the grades of a whole collection: measures of the paper that the catalogue lacks."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from truerank.data.arrays import Floats, distinct
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Binary, Measure, ratio
from truerank.statistics.correlations import kendall_b, spearman


@dataclass(frozen=True, kw_only=True, repr=False)
class Correlation(Measure):
    """Compares the order of all judged documents with their grades; those that are not retrieved share the last place.

    So they are no truncated rankings to it, and an order of the whole collection is what it scores.
    """

    size: ClassVar[int] = 400
    """Documents up to which a collection is compared in full."""
    range = (-1.0, 1.0)
    formula = "correlation of the order of all judged documents with their grades"
    is_sum = False
    takes_cutoff = False
    takes_terminal = False

    @abstractmethod
    def between(self, order: Floats, grades: Floats) -> Floats:
        """Agreement of two rankings of the same documents, higher first, row by row."""

    def score(self, r: Rankings) -> Floats:
        """Agreement in each row; rows with equally many judged documents go together."""
        value = np.full(len(r.length), np.nan)
        for documents in distinct(r.judged):
            rows = np.flatnonzero(r.judged == documents)
            order, grades = np.zeros((2, len(rows), int(documents)))
            for place, row in enumerate(rows.tolist()):
                listed = int(r.length[row])
                order[place, :listed] = np.arange(listed, 0, -1)
                grades[place, :listed] = r.grade[row, :listed]
                missing = _without(r.pool[row][r.pool[row] > 0].tolist(), grades[place, :listed].tolist())
                grades[place, listed : listed + len(missing)] = missing
            value[rows] = self.between(order, grades)
        return value


@dataclass(frozen=True, kw_only=True, repr=False)
class Spearman(Correlation):
    """Spearman's rho.

    >>> Spearman().of([1, 0], pool=[1, 0])
    1.0
    """

    name = "Spearman"
    citation = "Spearman 1904"

    def between(self, order: Floats, grades: Floats) -> Floats:
        """With mid-ranks for ties."""
        return np.asarray(spearman(order, grades))


@dataclass(frozen=True, kw_only=True, repr=False)
class Kendall(Correlation):
    """Kendall's tau-b.

    >>> Kendall().of([0, 1], pool=[1, 0])
    -1.0
    """

    name = "Kendall"
    citation = "Kendall 1945"

    def between(self, order: Floats, grades: Floats) -> Floats:
        """Ties discounted in either ranking."""
        return np.asarray(kendall_b(order, grades))


@dataclass(frozen=True, kw_only=True, repr=False)
class WholeAUC(Correlation, Binary):
    """The area under the ROC curve over all judged documents; AUC of the catalogue asks for the retrieved ones only.

    >>> WholeAUC().of([1], pool=[1, 1, 0])
    0.75
    """

    name = "AUC"
    citation = "Hanley & McNeil 1982"
    range = (0.0, 1.0)

    def between(self, order: Floats, grades: Floats) -> Floats:
        """The share of pairs of a relevant and another document in the right order; a tie counts half."""
        pairs = (grades > 0)[:, :, None] & (grades <= 0)[:, None, :]
        right = 0.5 + 0.5 * np.sign(order[:, :, None] - order[:, None, :])
        return ratio((pairs * right).sum(axis=(1, 2)), pairs.sum(axis=(1, 2)))


def _without(pool: list[float], found: list[float]) -> list[float]:
    """The grades of a pool, less those that were found."""
    left = list(pool)
    for grade in found:
        if grade > 0:
            left.remove(grade)
    return left
