"""Systems of several runs: seeds, restarts, crowds of assessors.

A system that is trained again scores otherwise. Two of its runs may differ on every topic, by more than chance, and say
nothing about the system: topics were drawn, and so were runs.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.intervals import Intervals
from truerank.statistics.paired import NOISE, PValues, Sums, by_signs, constant, matrix, paired
from truerank.statistics.randomization import Drawing, Draws
from truerank.statistics.special import chi2_quantile, normal_tail, t_quantile, t_tail

if TYPE_CHECKING:
    from typing_extensions import Unpack


_SURE = 0.8
"""Confidence of the bound of a variance that is borrowed."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """A mean, or a difference of two, with the error that topics and runs leave."""

    mean: float
    error: float
    """Its standard error."""
    freedom: float
    """Degrees of freedom of that, by Satterthwaite; infinite where nothing varies."""

    def beyond(self, margin: float = 0.0) -> float:
        """p for the mean being ``-margin`` or below; one-sided."""
        if not self.error > 0:
            return 0.0 if self.mean + margin > 0 else 1.0
        return float(t_tail(self.freedom, (self.mean + margin) / self.error))

    def reach(self, confidence: float) -> float:
        """How far from the mean its interval goes, in standard errors."""
        return float(t_quantile(self.freedom, (1 - confidence) / 2))


class Replicates:
    """Scores of runs (runs x topics), and the system that each run is of, by number.

    Scores are those of the system, of the topic, of both together, of the run, and what is left; topics and runs are
    both drawn at random (a mixed model with crossed random effects). The error of a system's mean has the part of
    topics and that of runs:

        V = var_t / n + (var_r / R - MSE / (n R)),

    where var_t is the variance over topics of its mean over runs, var_r that of its runs' means over topics, and MSE
    what topics and runs leave over, which is in both; the second part is at least 0. Of a difference the first is that
    of the differences, and each system adds its second. Degrees of freedom are by Satterthwaite (1946); for items and
    participants it is Clark's (1973) quasi-F.

    Of a system of one run nothing is known of how its runs vary. It is taken to vary as the others do, by their pooled
    variance. That counts for more of the error than Satterthwaite has it, whose degrees of freedom are too many where
    few runs happen to lie close together: their share is taken at its upper 80% bound, and degrees of freedom are the
    harmonic mean of those of topics and runs, weighted by shares. Where every system has one run, runs do not count.

    >>> runs = [[0.4, 0.6, 0.5, 0.3], [0.6, 0.8, 0.6, 0.6], [0.2, 0.3, 0.4, 0.2]]
    >>> found = Replicates(runs, np.array([0, 0, 1]))
    >>> found.means.round(3).tolist()
    [[0.5, 0.7, 0.55, 0.45], [0.2, 0.3, 0.4, 0.2]]
    >>> one = found.contrast(0, 1)
    >>> round(one.mean, 3), round(one.error, 4), round(one.freedom, 2)
    (0.275, 0.1774, 1.0)
    """

    def __init__(self, scores: npt.ArrayLike, system: Rows) -> None:
        self.scores = paired(scores)
        self.system = np.asarray(system, dtype=np.intp)
        if len(self.system) != len(self.scores) or sorted({*self.system.tolist()}) != [*range(self.system.max() + 1)]:
            raise InputError("every run is of a system, and every system has a run")
        self.topics = self.scores.shape[1]

    @cached_property
    def sizes(self) -> Rows:
        """Runs of each system."""
        sizes: Rows = np.bincount(self.system)
        return sizes

    @cached_property
    def means(self) -> Floats:
        """Systems x topics: means over the runs of each."""
        return np.stack([self.scores[self.system == one].mean(axis=0) for one in range(len(self.sizes))])

    @cached_property
    def _run_parts(self) -> list[tuple[float, float]]:
        """Of each system, the variance of the means of its runs, and what of that is of topics and runs."""
        return [_of_runs(self.scores[self.system == one]) for one in range(len(self.sizes))]

    @cached_property
    def _shares(self) -> Floats:
        """How much of the run variance of each system (column) is in the mean of each (row)."""
        known = self.sizes - 1
        borrowed = np.divide(known, known.sum(), out=np.zeros(len(known)), where=known.sum() > 0)
        return np.where(known[:, None] > 0, np.diag(1.0 / self.sizes), borrowed)

    def contrast(self, first: int, second: int | None = None) -> Contrast:
        """The mean of a system, less that of another where one is given."""
        values, shares = self.means[first], self._shares[first]
        compared = [first]
        if second is not None:
            values = values - self.means[second]
            values = np.where(np.abs(values) <= NOISE, 0.0, values)
            shares = shares + self._shares[second]
            compared.append(second)
        if self.topics < 2:
            return Contrast(float(values.mean()), np.nan, np.nan)
        of_topics = 0.0 if constant(values) else float(values.var(ddof=1)) / self.topics
        total, squares = of_topics, of_topics**2 / (self.topics - 1)
        for (of_runs, both), runs, share in zip(self._run_parts, self.sizes, shares, strict=True):
            if share and of_runs > both:
                total += share * (of_runs - both)
                squares += (share * of_runs) ** 2 / (runs - 1)
                squares += (share * both) ** 2 / ((runs - 1) * (self.topics - 1))
        if not squares > 0:
            return Contrast(float(values.mean()), 0.0, np.inf)
        most = self.topics - 1.0
        known = int((self.sizes - 1).sum())
        if (self.sizes[compared] == 1).any() and known:
            of_runs = float(sum(share * part for share, (part, _) in zip(shares, self._run_parts, strict=True)))
            bound = of_runs * known / float(chi2_quantile(known, _SURE))
            of_all = bound / (of_topics + bound)
            most = 1.0 / ((1.0 - of_all) / most + of_all / known)
        # What is subtracted counts as uncertain, too, which may leave less than the one degree that two runs have.
        freedom = max(min(total**2 / squares, most), 1.0)
        return Contrast(float(values.mean()), float(np.sqrt(total)), freedom)

    @cached_property
    def pairs(self) -> list[Contrast]:
        """Each system less each after it, in the order of ``matrix``."""
        first, second = np.triu_indices(len(self.sizes), 1)
        return [self.contrast(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)]

    def student(self) -> PValues:
        """Two-sided t-test of every pair of systems, over topics and runs.

        >>> runs = [[0.4, 0.6, 0.5, 0.3], [0.6, 0.8, 0.6, 0.6], [0.2, 0.3, 0.4, 0.2]]
        >>> Replicates(runs, np.array([0, 0, 1])).student().p.round(3).tolist()
        [[1.0, 0.364], [0.364, 1.0]]
        """
        systems = len(self.sizes)
        if self.topics < 2:
            note = "there is one topic, and a t-test needs two: p is 1 for every pair"
            return PValues("student", matrix(systems, np.ones(len(self.pairs))), (note,))
        p = [_two_sided(one, by_signs(self.topics)) for one in self.pairs]
        return PValues("student", matrix(systems, p), self.notes())

    def mean_intervals(self, confidence: float, method: str = "t", **draws: Unpack[Drawing]) -> Intervals:
        """Interval of the mean of each system; "t", or "bootstrap" by the nested one."""
        found = [self.contrast(one) for one in range(len(self.sizes))]
        drawn = self._drawn(Draws(**draws)) if method == "bootstrap" and self.topics > 1 else None
        ends = [self._ends(one, confidence, None if drawn is None else drawn[at]) for at, one in enumerate(found)]
        low, high = np.array(ends).T
        return Intervals(np.array([one.mean for one in found]), low, high, method, confidence)

    def difference_intervals(self, confidence: float, method: str = "t", **draws: Unpack[Drawing]) -> Intervals:
        """Interval of the difference of every pair; "t", or "bootstrap" by the nested one."""
        systems, wanted = len(self.sizes), Draws(**draws)
        drawn = self._drawn(wanted) if method == "bootstrap" and self.topics > 1 else None
        first, second = (each.tolist() for each in np.triu_indices(systems, 1))
        low, high = np.zeros((systems, systems)), np.zeros((systems, systems))
        for a, b, one in zip(first, second, self.pairs, strict=True):
            low[a, b], high[a, b] = self._ends(one, confidence, None if drawn is None else drawn[a] - drawn[b])
            low[b, a], high[b, a] = -high[a, b], -low[a, b]
        estimate = matrix(systems, [one.mean for one in self.pairs], mirrored=-1, diagonal=0)
        return Intervals(estimate, low, high, method, confidence, (), wanted.samples if drawn is not None else "")

    def _ends(self, one: Contrast, confidence: float, drawn: Floats | None) -> tuple[float, float]:
        if not one.error > 0:
            return np.nan, np.nan
        reach = one.reach(confidence)
        if drawn is None:
            return one.mean - reach * one.error, one.mean + reach * one.error
        below = float(normal_tail(reach * np.sqrt(self.topics / (self.topics - 1))))
        low, high = np.quantile(drawn, [below, 1.0 - below]).tolist()
        return low, high

    def _drawn(self, draws: Draws) -> Floats:
        """Means of systems over topics and runs that are drawn with replacement (systems x draws)."""
        known = self.sizes - 1
        parts = np.array([max(of_runs - both, 0.0) for of_runs, both in self._run_parts])
        borrowed = float(np.sqrt((known * parts).sum() / max(known.sum(), 1)))

        def work(part: slice) -> Floats:
            topics = draws.resamples(self.topics, part)
            generator = draws.generator(slice(part.start + (1 << 40), part.stop + (1 << 40)))
            # In pieces, so that linear algebra starts no threads, and gives the same bits on any machine.
            pieces = [piece.transpose(1, 0, 2).reshape(len(self.scores), -1) for piece in Sums(topics).of(self.scores)]
            means = np.concatenate(pieces, axis=1) / self.topics
            found = np.empty((len(self.sizes), len(topics)))
            for one, size in enumerate(self.sizes.tolist()):
                own = means[self.system == one]
                if size > 1:
                    picked = generator.integers(0, size, (size - 1, len(topics)))
                    found[one] = np.take_along_axis(own, picked, axis=0).mean(axis=0)
                else:
                    found[one] = own[0] + generator.normal(0.0, borrowed, len(topics))
            return found

        return np.concatenate(draws.over(work), axis=1)

    def notes(self) -> tuple[str, ...]:
        """What to know where little is known of how runs vary.

        >>> Replicates([[0.1, 0.2], [0.2, 0.3]], np.array([0, 1])).notes()
        ()
        >>> Replicates([[0.1, 0.2], [0.2, 0.3], [0.3, 0.1], [0.3, 0.5]], np.array([0, 1, 1, 1])).notes()
        ('1 of 2 systems has one run: it is taken to vary from run to run as much as the others do',)
        """
        sizes, found = self.sizes, []
        alone = int((sizes == 1).sum())
        if 0 < alone < len(sizes):
            have = "have one run: they are" if alone > 1 else "has one run: it is"
            which = f"{alone} of {len(sizes)} systems {have}"
            found.append(f"{which} taken to vary from run to run as much as the others do")
        if (sizes == 2).any():
            found.append("two runs of a system tell little of how far others would come out")
        return tuple(found)


def _of_runs(scores: Floats) -> tuple[float, float]:
    """Of runs (runs x topics): the variance of their means, and the part of it that is of topics and runs."""
    runs, topics = scores.shape
    if runs < 2 or topics < 2:
        return 0.0, 0.0
    rest = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    left = float((rest**2).sum()) / ((runs - 1) * (topics - 1))
    return float(scores.mean(axis=1).var(ddof=1)), left / topics


def _two_sided(one: Contrast, steady: float) -> float:
    """p of a difference; of one that is the same everywhere, ``steady``, and of none at all 1."""
    if not one.error > 0:
        return 1.0 if one.mean == 0 else steady
    return float(2.0 * t_tail(one.freedom, abs(one.mean) / one.error))
