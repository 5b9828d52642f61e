"""The randomisation test: signs of differences, drawn at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.parallel import blocks, parallel
from truerank.data.printing import counted
from truerank.statistics.paired import PValues, Sums, in_blocks, p_values, paired

if TYPE_CHECKING:
    from typing_extensions import Unpack

Result = TypeVar("Result")
Progress = Callable[[int, int], None]
"""Called with how many draws are done, and of how many; perhaps from another thread, but never from two at once."""

CLOSE = 1e-10
"""Relative to the sum of sizes: a draw that gives the same sum counts as far, however it was rounded."""
_BLOCK = 1024
"""Draws from one generator. Another number would give other draws."""


class Drawing(TypedDict, total=False):
    """The keywords of all that draws at random."""

    permutations: int
    """How often to draw: permutations, assignments, or bootstrap samples."""
    seed: int
    """The same seed gives the same numbers, to the last bit."""
    progress: Progress | None
    threads: int | None
    """At most so many threads; by default as many as there are processors."""


@dataclass(frozen=True)
class Draws:
    """How often to draw, and from which seed."""

    permutations: int = 10_000
    seed: int = 0
    progress: Progress | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        for name, value, least in (("permutations", self.permutations, 1), ("seed", self.seed, 0)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
                raise InputError(f"{name}={value!r}; give a whole number from {least} on")

    @property
    def samples(self) -> str:
        """How bootstrap samples were drawn, in words.

        >>> Draws(seed=7).samples
        '10,000 bootstrap samples drawn with seed 7'
        """
        return f"{self.permutations:,} bootstrap samples drawn with seed {self.seed}"

    @property
    def permuted(self) -> str:
        """How permutations were drawn, in words."""
        return f"{self.permutations:,} permutations drawn with seed {self.seed}"

    def over(self, work: Callable[[slice], Result], count: int | None = None) -> list[Result]:
        """What ``work`` returns for each stretch of draws, in their order; stretches run side by side.

        >>> Draws(1500).over(lambda part: part.stop - part.start)
        [1024, 476]
        """
        lock = Lock()
        every = self.permutations if count is None else count
        done = 0

        def step(part: slice) -> Result:
            nonlocal done
            result = work(part)
            if self.progress is not None:
                with lock:
                    done += part.stop - part.start
                    self.progress(done, every)
            return result

        return parallel(step, blocks(every, _BLOCK), self.threads)

    def total(self, work: Callable[[slice], Rows], count: int | None = None) -> Rows:
        """What ``work`` counts in each stretch of draws, added up."""
        found: Rows = np.sum(self.over(work, count), axis=0)
        return found

    def generator(self, part: slice) -> np.random.Generator:
        """The generator of one stretch of draws, which depends on where it begins and on nothing else.

        >>> bool(Draws(9).generator(slice(0, 9)).random() == Draws(5000).generator(slice(0, 1024)).random())
        True
        """
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(part.start // _BLOCK,)))

    def resamples(self, topics: int, part: slice) -> Floats:
        """How often each topic is among as many drawn with replacement, a draw a row.

        >>> Draws().resamples(5, slice(0, 3)).sum(axis=1).tolist()
        [5.0, 5.0, 5.0]
        """
        rows = part.stop - part.start
        drawn = self.generator(part).integers(0, topics, (rows, topics)).astype(np.intp, copy=False)
        drawn += topics * np.arange(rows)[:, None]
        return np.bincount(drawn.ravel(), minlength=rows * topics).reshape(rows, topics).astype(np.float64)


def randomization(scores: npt.ArrayLike, **draws: Unpack[Drawing]) -> PValues:
    """Two-sided randomisation test of every pair of systems, from scores (systems x topics).

    Were two systems alike, either could have had either score of a topic. p is the share of assignments whose mean
    difference is at least as far from 0 as that observed (Fisher 1935; for retrieval Smucker, Allan & Carterette
    2007): of all 2^n for the n topics on which they differ, where ``permutations`` allow for so many, otherwise of as
    many drawn with ``seed`` and the observed one, (1 + as far) / (1 + permutations), which is never 0 (Phipson & Smyth
    2010). The same assignments are used for every pair, so that a pair's p does not depend on which other systems there
    are.

    >>> randomization([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]).p.tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    values = paired(scores)
    assignments = Assignments(values.shape[1], Draws(**draws))

    p = assignments.p_of(partial(in_blocks, values))
    how = assignments.how
    if not assignments.every:
        exact = _over_differing(values, p, replace(Draws(**draws), progress=None))
        how = f"all assignments for {counted(exact, 'pair')}, otherwise {how}" if exact else how
    notes = assignments.notes(sides=2)
    return p_values("randomization", values, p, *notes, how=how, least=assignments.least(sides=2), rough=False)


def _over_differing(values: Floats, p: Floats, draws: Draws) -> int:
    """Put in p of the pairs that differ on so few topics that all assignments of those can be gone through."""
    exact = begin = 0
    for difference in in_blocks(values):
        differ = (difference != 0).sum(axis=-1)
        for topics in np.unique(differ[differ > 0]).tolist():
            few = Assignments(topics, draws)
            if not few.every:
                break
            rows = np.flatnonzero(differ == topics)
            some = difference[rows]
            p[begin + rows] = few.p_of(partial(iter, [some[some != 0].reshape(len(rows), topics)]))
            exact += len(rows)
        begin += len(difference)
    return exact


class Assignments:
    """Which of two systems has which score of each topic: all there are if they are few, otherwise some drawn."""

    def __init__(self, topics: int, draws: Draws) -> None:
        self._topics, self._draws = topics, draws
        self.every = topics < 63 and 2**topics <= draws.permutations
        self.count = 2**topics if self.every else draws.permutations
        drawn = f"{self.count:,} assignments drawn with seed {draws.seed}"
        self.how = f"all {self.count:,} assignments" if self.every else drawn

    def sums(self, part: slice) -> Sums:
        """Sums over topics of differences, under each assignment of a stretch.

        >>> [sums.tolist() for sums in Assignments(1, Draws()).sums(slice(0, 2)).of(np.array([[0.5]]))]
        [[[[0.5, -0.5]]]]
        """
        if self.every:
            swapped = np.arange(part.start, part.stop)[:, None] >> np.arange(self._topics) & 1 > 0
        else:
            swapped = self._draws.generator(part).random((part.stop - part.start, self._topics)) < 0.5
        return Sums(np.where(swapped, -1.0, 1.0))

    def share(self, work: Callable[[slice], Rows]) -> Floats:
        """p, where ``work`` counts assignments that are as far."""
        far = self._draws.total(work, self.count).astype(np.float64)
        return far / self.count if self.every else (1.0 + far) / (1.0 + self.count)

    def p_of(self, differences: Callable[[], Iterator[Floats]]) -> Floats:
        """Two-sided p of rows of differences, which come in blocks, again for every stretch of draws.

        >>> Assignments(2, Draws()).p_of(lambda: iter([np.array([[0.5, 0.25]])])).tolist()
        [0.5]
        """

        def work(part: slice) -> Rows:
            sums = self.sums(part)
            return np.concatenate([as_far(sums, rows, two_sided=True) for rows in differences()])

        return self.share(work)

    def unlikely(self, difference: Floats, alpha: float) -> tuple[Floats, Floats]:
        """Below and above which mean each row would have p < ``alpha``, were that taken off its differences.

        An assignment is as far as the observed one just where what is taken off lies between the mean of the
        differences whose signs it changes and that of the others. So the ends are order statistics of the lower and of
        the higher one of both, and nothing has to be searched for. Infinite where p cannot be so low.

        >>> [end.round(3).tolist() for end in Assignments(6, Draws()).unlikely(np.array([[1.0, 2, 3, 4, 5, 6]]), 0.1)]
        [[2.0], [5.0]]
        """
        topics, total = difference.shape[1], difference.sum(axis=-1)
        if not len(difference):
            return total, total
        noise = CLOSE * np.abs(difference).mean(axis=-1)[:, None]

        def work(part: slice) -> Floats:
            sums = self.sums(part)
            ends = []
            for signs, summed in zip(sums.of(np.ones((1, topics))), sums.of(difference), strict=True):
                changed = (topics - signs) / 2
                # One that changes all signs, or none, is as far whatever is taken off.
                some = (changed > 0) & (changed < topics)
                one = (total[:, None] - summed) / 2 / np.where(some, changed, 1.0)
                other = (total[:, None] + summed) / 2 / np.where(some, topics - changed, 1.0)
                both = np.stack([np.minimum(one, other), np.maximum(one, other)])
                both[np.abs(both) <= noise] = 0.0
                both = np.where(some, both, np.array([-np.inf, np.inf])[:, None, None, None])
                ends.append(both.transpose(0, 2, 1, 3).reshape(2, len(difference), -1))
            return np.concatenate(ends, axis=-1)

        low, high = np.concatenate(self._draws.over(work, self.count), axis=-1)
        # Where p is as many as lie beyond, of all or with the observed one, it is below alpha from the place before.
        place = math.ceil(alpha * (self.count if self.every else 1 + self.count) - (not self.every) - 1e-9)
        if place < 1:
            return np.full(len(total), -np.inf), np.full(len(total), np.inf)
        least: Floats = np.partition(low, place - 1, axis=-1)[:, place - 1]
        most: Floats = np.partition(high, -place, axis=-1)[:, -place]
        return least, most

    def notes(self, sides: int) -> tuple[str, ...]:
        """Where there are too few assignments for a small p."""
        if not self.every or self.least(sides) <= 0.05:
            return ()
        topic = counted(self._topics, "topic")
        return (f"with {topic} there are {self.count} assignments, so that p is at least {self.least(sides):g}",)

    def least(self, sides: int) -> float:
        """The smallest p there can be: that of the observed assignment, in two-sided terms with its mirror image."""
        return sides / self.count if self.every else 1 / (1 + self.count)


def as_far(sums: Sums, difference: Floats, *, two_sided: bool) -> Rows:
    """Under how many assignments the sum of each row is as far from 0 as it is; one-sided, as high."""
    observed = difference.sum(axis=-1)
    least = (np.abs(observed) if two_sided else observed) - CLOSE * np.abs(difference).sum(axis=-1)
    return sums.at_least(difference, least, two_sided=two_sided)
