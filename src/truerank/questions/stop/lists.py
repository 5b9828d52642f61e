"""The scores of lists, which are all that a stopping rule sees."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.run import Run

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class ScoreLists:
    """Scores list by list, best first.

    A list can be cut where its scores change, never inside a group of equal ones: nothing tells the documents of such
    a group apart, so a cut through it would depend on the order of rows.

    >>> from truerank.io.load import as_run
    >>> lists = ScoreLists.of(as_run({"q1": {"a": 3.0, "b": 2.0, "c": 2.0}, "q2": {"d": 1.0}}))
    >>> [ends.tolist() for ends in lists.ends], lists.whole.tolist()
    ([[1, 3], [1]], [3, 1])
    """

    scores: tuple[Floats, ...]
    _made: dict[Hashable, list[Any]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, run: Run, topics: Rows | None = None) -> ScoreLists:
        """The lists of a run, or of some of its topics by their number; -1 is a topic it lacks, an empty list."""
        some = range(len(run.topics)) if topics is None else topics.tolist()
        bounds = run.offsets.tolist()
        empty = run.score[:0]
        return cls(tuple(run.score[bounds[t] : bounds[t + 1]] if t >= 0 else empty for t in some))

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def whole(self) -> Rows:
        """The length of each list as it is."""
        return np.array([len(one) for one in self.scores], np.int64)

    @cached_property
    def ends(self) -> tuple[Rows, ...]:
        """The lengths at which each list can be cut, other than 0; the last is the whole list."""
        return tuple(np.flatnonzero(np.append(one[1:] != one[:-1], True))[: len(one)] + 1 for one in self.scores)

    def once(self, what: Hashable, make: Callable[[Floats], Made]) -> list[Made]:
        """Something made of the scores of each list, which is kept: rules are fitted many times to the same lists."""
        if what not in self._made:
            # Scores of any size are scores; what they overflow to has no bound, and is read as such.
            with np.errstate(over="ignore", invalid="ignore"):
                self._made[what] = [make(one) for one in self.scores]
        return self._made[what]
