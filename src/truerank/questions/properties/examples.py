"""Rankings that a measure is trials to score, written so that a person can check the score by hand."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

LONGEST = 8
"""Rankings up to this length are all tried; the smallest counter-example to AP's top-weightedness has it."""
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
        left = list(self.pool)
        for grade in self.hits:
            left.remove(grade)
        return tuple(left)

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
        """One more relevant document in the collection, which is not retrieved."""
        return self._replace(pool=tuple(sorted((*self.pool, grade), reverse=True)))

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


def drawn(grades: tuple[int, ...], missing: tuple[int, ...] = (), top: int = 1) -> Example:
    """A ranking whose collection has some relevant documents more, and one more without relevance.

    >>> print(drawn((0, 2, 1), missing=(2,), top=2))
    021, R = 3, not retrieved: 2
    """
    pool = tuple(sorted((*(grade for grade in grades if grade), *missing), reverse=True))
    return Example(grades, pool, grades.count(0) + 1, top)
