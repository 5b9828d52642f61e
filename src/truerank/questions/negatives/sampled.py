"""One relevant document among negatives, all or a sample of them: scores by rank, expected and corrected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.measures.core.collection import OfCollection
from truerank.statistics.hypergeometric import above_in_sample, hypergeometric

_GRID = 2048
"""Ranks at most that a correction is fitted to."""
_BLOCK = 1 << 20
"""Ranks that are scored together."""


class Case(NamedTuple):
    """A relevant document among negatives, those of its list first."""

    listed: int
    """Negatives of the list."""
    above: int
    tied: int
    unlisted: int | None
    """Negatives below the list, in any order; None where nobody knows how many there are."""
    hit: bool
    """Whether the list has the document; otherwise it stands below all that is listed, and nobody knows where."""

    @property
    def total(self) -> int:
        """Negatives that are known of."""
        return self.listed + (self.unlisted or 0)


class SampledWorth(NamedTuple):
    """What a measure makes of a relevant document: among all negatives, and among a sample."""

    full: float
    """0 for most measures, if the document is not listed."""
    sampled: float
    """Expected; a document that is not listed may stand anywhere below the list."""
    sampled_variance: float
    corrected: float
    corrected_variance: float
    low: float
    """The lowest expected score among a sample, wherever what is not listed stands, and however much that is."""
    high: float


def among(measure: Measure, documents: int) -> Measure:
    """The measure of a collection that has these documents and no others, if it asks how many there are."""
    unsized = isinstance(measure.core, OfCollection) and measure.core.size is None
    return measure.with_core(lambda core: core(size=documents)) if unsized else measure


def by_rank(measure: Measure, rank: Rows, length: int) -> Floats:
    """Scores of rankings of one length whose only relevant document has such a rank.

    >>> from truerank.measures.rr import RR
    >>> by_rank(RR(), np.array([1, 2, 4]), 5).tolist()
    [1.0, 0.5, 0.25]
    """
    count = len(rank)
    measure = among(measure, length)
    r = Rankings(
        topic=np.zeros(count, np.intp),
        start=rank[:, None],
        stop=rank[:, None],
        grade=np.ones((count, 1)),
        judgment=np.zeros((count, 1), np.intp),
        length=np.full(count, length),
        pool=np.ones((count, 1)),
        judged=np.ones(count, np.intp),
        max_grade=1.0,
    )
    return measure.score(r)


def missed(measure: Measure, length: int) -> float:
    """The score of a list of so many documents, none of which is the only relevant one.

    >>> from truerank.measures.rr import RR
    >>> missed(RR(), 10)
    0.0
    """
    r = Rankings.single([], pool=[1.0])
    return float(among(measure, length + 1).score(replace(r, length=np.array([length])))[0])


def worth(case: Case, measure: Measure, sample: int, variance: float, prior: str) -> SampledWorth:
    """What a measure makes of a case; a sample of no fewer than there are is all of them."""
    total, above, tied = case.total, case.above, case.tied
    if not case.hit:
        above, tied = case.listed, total - case.listed
    drawn = min(sample, total)
    chance = above_in_sample(total, above, tied, drawn)
    plain = _sampled_scores(measure, drawn)
    mended = corrected_scores(measure, total, drawn, variance, prior)
    expected = [float(chance @ scores) for scores in (plain, mended)]
    spread = [
        max(float(chance @ scores**2) - mean**2, 0.0) for scores, mean in zip((plain, mended), expected, strict=True)
    ]
    full = _full(measure, total, above, tied) if case.hit else missed(measure, total)
    ends = [expected[0]] if case.hit and case.unlisted is not None else [*_ends(case, measure, sample)]
    low, high = float(np.fmin.reduce(ends)), float(np.fmax.reduce(ends))
    return SampledWorth(full, expected[0], spread[0], expected[1], spread[1], low, high)


def _ends(case: Case, measure: Measure, sample: int) -> Iterator[float]:
    """Expected scores among a sample, of which no other arrangement of what is not listed has a lower or higher one."""
    if case.unlisted is not None:
        for above in (case.listed, case.total):
            yield _expected_score(measure, case.total, above, 0, sample)
        return
    # The more there is below the document, the fewer of those above it are drawn: in the end none.
    yield float(_sampled_scores(measure, sample)[0])
    for total in (case.listed, max(case.listed, sample)):
        above, tied = (case.above, case.tied) if case.hit else (total, 0)
        yield _expected_score(measure, total, above, tied, sample)


def _expected_score(measure: Measure, total: int, above: int, tied: int, sample: int) -> float:
    """The mean over samples of the negatives: ``above`` of all of them score higher than the hit, ``tied`` the same."""
    drawn = min(sample, total)
    return float(above_in_sample(total, above, tied, drawn) @ _sampled_scores(measure, drawn))


def _full(measure: Measure, total: int, above: int, tied: int) -> float:
    """The mean over the ranks that the document may have among all negatives."""
    found = 0.0
    for first in range(above + 1, above + tied + 2, _BLOCK):
        ranks = np.arange(first, min(first + _BLOCK, above + tied + 2))
        found += float(by_rank(measure, ranks, total + 1).sum())
    return found / (tied + 1)


@lru_cache(maxsize=64)
def _sampled_scores(measure: Measure, drawn: int) -> Floats:
    """Scores by the number of drawn negatives above."""
    return by_rank(measure, np.arange(1, drawn + 2), drawn + 1)


@lru_cache(maxsize=4096)
def corrected_scores(measure: Measure, total: int, drawn: int, variance: float, prior: str) -> Floats:
    """What to take for the score, by the number of drawn negatives above, to come close to that among all negatives.

    The least squares of Krichene & Rendle (2020): squared bias and ``variance`` times the variance are least, over
    ranks that are all equally likely ("uniform") or the less the lower they are ("harmonic").

    >>> from truerank.measures.rr import RR
    >>> corrected_scores(RR(), 3, 3, 0.1, "uniform").round(4).tolist()
    [1.0, 0.5, 0.3333, 0.25]
    """
    if drawn == total:
        return by_rank(measure, np.arange(1, total + 2), total + 1)
    above, weight = _ranks(total, prior)
    chance = hypergeometric(np.full(len(above), total), above, drawn)
    wanted = by_rank(measure, above + 1, total + 1)
    weighted = weight[:, None] * chance
    system = (1 - variance) * (weighted.T @ chance) + variance * np.diag(weighted.sum(axis=0))
    found: Floats = np.linalg.solve(system, weighted.T @ wanted)
    return found


@lru_cache(maxsize=64)
def _ranks(total: int, prior: str) -> tuple[Rows, Floats]:
    """Numbers of negatives above, and how likely each is; of many, the first ones and then ever fewer for all alike."""
    above = np.arange(total + 1)
    if total >= _GRID:
        far = np.geomspace(_GRID // 2, total, _GRID // 2)
        above = np.unique(np.concatenate([np.arange(_GRID // 2), far]).round().astype(np.intp))
    ends = np.append(above, total + 1)
    weight = np.diff(ends).astype(np.float64) if prior == "uniform" else np.diff(np.log(ends + 1.0))
    return above, weight / weight.sum()
