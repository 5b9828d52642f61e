"""The values of all topics, before they are printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from truerank.compat.trec_eval.families import Family
from truerank.compat.trec_eval.files import ZScores
from truerank.data.arrays import Floats
from truerank.measures.gm import GM

LEAST = GM().floor
"""Below it a value counts as this much in a geometric mean."""

UNKNOWN = -1_000_000.0
"""The score of a topic and measure that the file of means leaves out."""


@dataclass(frozen=True, eq=False)
class Column:
    """A measure of all topics, as it is printed."""

    name: str
    family: Family
    values: Floats
    """One a topic; logarithms where the mean is geometric."""
    absent: float = 0.0
    """What topics add that count without being evaluated."""
    total: float | None = None
    """The sum over all topics, where it is not that of the values."""

    def summary(self, topics: int) -> float:
        """One value for all topics: how many there are, the sum of counts, or a mean."""
        if self.family.name == "num_q":
            return topics
        # Added up one after the other, as trec_eval does, so that the last bit is the same.
        total = float(np.cumsum(self.values)[-1]) + self.absent if self.total is None else self.total
        if self.family.count:
            return total
        return float(np.exp(total / topics)) if self.family.geometric else total / topics


@dataclass(frozen=True, eq=False)
class Texts:
    """What is printed as text: of each topic, or of the whole run."""

    name: str
    family: Family
    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Values:
    """Everything that is printed."""

    topics: tuple[str, ...]
    columns: tuple[Column | Texts, ...]
    count: int
    """How many topics the summary is over: also those, in version 9 with -c, that have no rows."""
    notes: tuple[str, ...] = ()

    def only(self, topic: str, *, count_all: bool) -> Values:
        """The values of one topic; ``count_all`` leaves the others in the summary, as topics without a value."""
        rows = [row for row, each in enumerate(self.topics) if each == topic]
        gone = len(self.topics) - len(rows) if count_all else 0

        def some(column: Column | Texts) -> Column | Texts:
            if isinstance(column, Column):
                left_out = gone * float(np.log(LEAST)) if column.family.geometric else 0.0
                return replace(column, values=column.values[rows], absent=column.absent + left_out)
            whole = column.family.shown == "summary"
            return column if whole else replace(column, texts=tuple(column.texts[row] for row in rows))

        columns = tuple(map(some, self.columns))
        return replace(self, topics=(topic,) * len(rows), columns=columns, count=self.count if count_all else len(rows))

    def standardised(self, known: ZScores) -> Values:
        """How many standard deviations each value is above the mean of its topic and measure."""

        def score(name: str, topic: str, value: float) -> float:
            mean, deviation = known.get((topic, name), (np.nan, 0.0))
            if deviation:
                return (value - mean) / deviation
            return 0.0 if value == mean else UNKNOWN

        return self._with(
            lambda column: replace(
                column,
                values=np.array([score(column.name, *each) for each in zip(self.topics, column.values, strict=True)]),
            )
        )

    def _with(self, change: Callable[[Column], Column]) -> Values:
        columns = tuple(change(each) if isinstance(each, Column) else each for each in self.columns)
        return replace(self, columns=columns)
