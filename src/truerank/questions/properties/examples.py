"""Rankings that measures are tried on, the smallest first, written so that a person can check a score by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby, product
from typing import NamedTuple, TypeVar

import numpy as np

from truerank.data.errors import InputError
from truerank.questions.properties.question import LONGEST

Grade = TypeVar("Grade", int, float)
SHORT = 12
"""Ranks up to which a ranking is written out."""
RUN = 5
"""Equal neighbours from which on a longer ranking has a count for them."""


class Example(NamedTuple):
    """A ranking and the collection it is drawn from; grades count levels of relevance from 0 up to ``top``.

    >>> print(Example((0, 1), pool=(1, 1), others=1))
    01, R = 2
    """

    grades: tuple[int, ...]
    """In rank order."""
    pool: tuple[int, ...]
    """Of all relevant documents, retrieved or not; descending."""
    others: int
    """Judged documents without relevance, retrieved or not."""
    top: int = 1
    depth: int | None = None
    """How deep a measure is to look, where it takes a cutoff."""

    @property
    def hits(self) -> tuple[int, ...]:
        """Grades of the relevant documents that are retrieved, descending."""
        return tuple(sorted((grade for grade in self.grades if grade), reverse=True))

    @property
    def missing(self) -> tuple[int, ...]:
        """Grades of the relevant documents that are not retrieved, descending."""
        return tuple(without(self.pool, self.hits))

    @property
    def documents(self) -> int:
        """How many there are in the collection."""
        return len(self.pool) + self.others

    def ranked(self, grades: tuple[int, ...]) -> Example:
        """Another ranking from the same collection."""
        return self._replace(grades=grades)

    def swapped(self, i: int, j: int) -> Example:
        """The documents at two places, counted from 0, swapped.

        >>> print(Example((0, 1, 1), (1, 1), 1).swapped(0, 1))
        101, R = 2
        """
        grades = list(self.grades)
        grades[i], grades[j] = grades[j], grades[i]
        return self.ranked(tuple(grades))

    def with_relevant(self, grade: int) -> Example:
        """One of the other documents of the collection, which is not retrieved, is relevant instead.

        >>> more = Example((1, 0), pool=(1,), others=2).with_relevant(1)
        >>> print(more, "of", more.documents)
        10, R = 2 of 3
        """
        assert self.others > self.grades.count(0)
        return self._replace(pool=tuple(sorted((*self.pool, grade), reverse=True)), others=self.others - 1)

    def at(self, depth: int) -> Example:
        """The same ranking, read to a depth."""
        return self._replace(depth=depth)

    @property
    def list(self) -> str:
        """The ranking alone, with a cutoff where it has one.

        >>> Example((0,) * 10 + (1,) * 10 + (0, 1), (1,) * 11, 11).list
        '0^10 1^10 01'
        """
        cut = "" if self.depth is None else f"@{self.depth}"
        if not self.grades:
            return f"nothing{cut}"
        if len(self.grades) <= SHORT:
            return "".join(map(str, self.grades)) + cut
        parts = [""]
        for grade, run in groupby(self.grades):
            count = len(tuple(run))
            if count >= RUN:
                parts += [f"{grade}^{count}", ""]
            else:
                parts[-1] += str(grade) * count
        return " ".join(part for part in parts if part) + cut

    @property
    def relevant(self) -> str:
        """How many relevant documents there are; those not retrieved by grade, where grades matter."""
        more = f", not retrieved: {' '.join(map(str, self.missing))}" if self.top > 1 and self.missing else ""
        return f"R = {len(self.pool)}{more}"

    def __str__(self) -> str:
        return f"{self.list}, {self.relevant}"


def without(pool: Iterable[Grade], found: Iterable[Grade]) -> list[Grade]:
    """The grades of relevant documents, less those that were found."""
    left = list(pool)
    for grade in found:
        left.remove(grade)
    return left


def drawn(grades: tuple[int, ...], missing: tuple[int, ...] = (), top: int = 1, spare: int = 1) -> Example:
    """A ranking whose collection has some relevant documents more, and one more without relevance, or some.

    >>> print(drawn((0, 2, 1), missing=(2,), top=2))
    021, R = 3, not retrieved: 2
    """
    pool = tuple(sorted((*(grade for grade in grades if grade), *missing), reverse=True))
    return Example(grades, pool, grades.count(0) + spare, top)


_LEAST, MOST = 2, 12
"""Longer ones are too many."""
BINARY, GRADED = 60, 20
"""Random rankings of two and of three levels."""


SPARE = (1, 2, 5)
"""Documents without relevance that are not retrieved, in collections that are ordered as a whole."""


@dataclass(frozen=True)
class SearchSpace:
    """Which rankings are tried.

    >>> [str(example) for example in SearchSpace(longest=2).short()][:4]
    ['0, R = 1', '0, R = 2', '1, R = 1', '1, R = 2']
    """

    longest: int = LONGEST
    seed: int = 0
    cutoff: int | None = None
    """Of the measure: rankings that are just longer are tried too."""
    size: int | None = None
    """Of the collection, where a measure is told: thresholds are looked for up to half of it."""
    spare: tuple[int, ...] = (1,)
    """Documents without relevance that are not retrieved: of a measure that orders them, too, several numbers."""

    def __post_init__(self) -> None:
        whole = isinstance(self.longest, int) and not isinstance(self.longest, bool)
        if not whole or not _LEAST <= self.longest <= MOST:
            raise InputError(f"longest is a whole number from {_LEAST} to {MOST}, not {self.longest!r}")

    @property
    def graded(self) -> int:
        """Length up to which all rankings of three levels are tried."""
        return max(self.longest - 3, 1)

    @property
    def sparse(self) -> int:
        """Length up to which all rankings with one or two relevant documents are tried."""
        return 2 * self.longest

    @property
    def farthest(self) -> int:
        """Length of the longest random rankings."""
        return 3 * self.longest

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """Every ranking, the smallest first."""
        every = [example for of in (self.short(), self._sparse(), self._random()) for example in of]
        # Of the same ranking the smaller collection comes first.
        return tuple(one._replace(others=one.others + more - 1) for one in every for more in self.spare)

    def short(self) -> Iterator[Example]:
        """All rankings of two levels, with up to two relevant documents missing; shorter ones of three, with one."""
        for length in range(1, self.longest + 1):
            yield from sorted(self._of_length(length), key=_size)

    def _of_length(self, length: int) -> Iterator[Example]:
        for grades in product((0, 1), repeat=length):
            for missing in ((), (1,), (1, 1)):
                yield drawn(grades, missing)
        if length <= self.graded:
            for grades in product((0, 1, 2), repeat=length):
                for missing in ((), (1,), (2,)):
                    if 1 in grades + missing:
                        yield drawn(grades, missing, top=2)

    def _sparse(self) -> Iterator[Example]:
        past = [] if self.cutoff is None else [self.cutoff + 1, self.cutoff + 2]
        for length in sorted({*range(self.longest + 1, self.sparse + 1), *(n for n in past if n > self.longest)}):
            ranks = range(length) if length <= self.sparse else (0, 1, *range(length - 4, length))
            for places in (*combinations(ranks, 1), *combinations(ranks, 2)):
                grades = tuple(int(rank in places) for rank in range(length))
                yield from (drawn(grades, missing) for missing in ((), (1,)))

    def _random(self) -> Iterator[Example]:
        rng = np.random.default_rng(self.seed)
        found = []
        for top, count in ((1, BINARY), (2, GRADED)):
            for _ in range(count):
                length = int(rng.integers(self.longest + 1, self.farthest + 1))
                relevant = rng.random(length) < rng.random()
                grades = np.where(relevant, rng.integers(1, top + 1, length), 0)
                missing = rng.integers(1, top + 1, rng.integers(0, 5))
                found.append(drawn(tuple(grades.tolist()), tuple(missing.tolist()), top))
        return iter(sorted(found, key=lambda example: len(example.grades)))


def _size(example: Example) -> tuple[int, bool, int, int, tuple[int, ...]]:
    """Two levels before three, and of collections without a relevant document the last."""
    return example.top, not example.pool, len(example.hits), len(example.pool), example.grades
