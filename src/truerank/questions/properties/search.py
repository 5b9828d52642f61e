"""Where counter-examples are looked for: all short rankings, then longer ones, the smallest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np

from truerank.data.errors import InputError
from truerank.questions.properties.examples import LONGEST, Example, drawn

_LEAST, MOST = 2, 12
"""Longer ones are too many."""
BINARY, GRADED = 60, 20
"""Random rankings of two and of three levels."""


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
        return (*self.short(), *self._sparse(), *self._random())

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
