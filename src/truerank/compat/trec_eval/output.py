"""The values of all topics, and the lines that trec_eval prints of them: name, topic and value, with tabs between."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerank.compat.trec_eval.files import ZScores
from truerank.compat.trec_eval.names import Family
from truerank.data.arrays import Floats
from truerank.data.classes import dataclass
from truerank.measures.gm import GM

LEAST = GM().floor
"""Below it a value counts as this much in a geometric mean."""

UNKNOWN = -1_000_000.0
"""The score of a topic and measure that the file of means leaves out."""

_WIDTH = 22


@dataclass(frozen=True, eq=False)
class PrintedColumn:
    """A measure of all topics, as it is printed."""

    name: str
    family: Family
    values: Floats
    """One a topic; logarithms where the mean is geometric."""
    absent: float = 0.0
    """What topics add that count without being evaluated."""
    total: float | None = None
    """The sum over all topics, where it is not that of the values."""
    standardised: bool = False
    """Whether the values are standard deviations above a mean."""

    @property
    def head(self) -> str:
        """The name, as wide as all are."""
        return f"{'Z' if self.standardised else ''}{self.name:<{_WIDTH}}"

    def by_topic(self) -> list[str]:
        """What is printed of each topic."""
        return self._printed(self.values.tolist())

    def overall(self, topics: int) -> str:
        """What is printed of all topics together."""
        return self._printed([self.summary(topics)])[0]

    def summary(self, topics: int) -> float:
        """One value for all topics: how many there are, the sum of counts, or a mean."""
        if self.family.name == "num_q":
            return topics
        # Added up one after the other, as trec_eval does, so that the last bit is the same.
        total = float(np.cumsum(self.values)[-1]) + self.absent if self.total is None else self.total
        if self.family.count:
            return total
        return float(np.exp(total / topics)) if self.family.geometric else total / topics

    def against(self, topics: Sequence[str], known: ZScores) -> PrintedColumn:
        """How many standard deviations each value is above the mean of its topic and measure."""

        def above(topic: str, value: float) -> float:
            mean, deviation = known.get((topic, self.name), (np.nan, 0.0))
            if deviation:
                return (value - mean) / deviation
            return 0.0 if value == mean else UNKNOWN

        values = np.array([above(*each) for each in zip(topics, self.values, strict=True)])
        return replace(self, values=values, standardised=True)

    def _printed(self, numbers: list[float]) -> list[str]:
        if self.family.count and not self.standardised:
            return [str(int(number)) for number in numbers]
        # C prints the sign that 0 / 0 has.
        return [f"{number:6.4f}" if not math.isnan(number) else "  -nan" for number in numbers]


@dataclass(frozen=True, eq=False)
class Texts:
    """What is printed as text: of each topic, or of the whole run."""

    name: str
    family: Family
    texts: tuple[str, ...]

    @property
    def head(self) -> str:
        """The name, as wide as all are."""
        return f"{self.name:<{_WIDTH}}"

    def by_topic(self) -> tuple[str, ...]:
        """What is printed of each topic."""
        return self.texts

    def overall(self, topics: int) -> str:
        """What is printed of the run."""
        return self.texts[0]


@dataclass(frozen=True, eq=False)
class Printout:
    """Everything that is printed."""

    topics: tuple[str, ...]
    columns: tuple[PrintedColumn | Texts, ...]
    count: int
    """How many topics the summary is over: also those, in version 9 with -c, that have no rows."""
    notes: tuple[str, ...] = ()

    def only(self, topic: str, *, count_all: bool) -> Printout:
        """The values of one topic; ``count_all`` leaves the others in the summary, as topics without a value."""
        rows = [row for row, each in enumerate(self.topics) if each == topic]
        gone = len(self.topics) - len(rows) if count_all else 0

        def some(column: PrintedColumn | Texts) -> PrintedColumn | Texts:
            if isinstance(column, PrintedColumn):
                left_out = gone * float(np.log(LEAST)) if column.family.geometric else 0.0
                return replace(column, values=column.values[rows], absent=column.absent + left_out)
            whole = column.family.shown == "summary"
            return column if whole else replace(column, texts=tuple(column.texts[row] for row in rows))

        columns = tuple(map(some, self.columns))
        return replace(self, topics=(topic,) * len(rows), columns=columns, count=self.count if count_all else len(rows))

    def standardised(self, known: ZScores) -> Printout:
        """The values against means and standard deviations."""
        columns = (
            each.against(self.topics, known) if isinstance(each, PrintedColumn) else each for each in self.columns
        )
        return replace(self, columns=tuple(columns))

    def printed(self, *, per_topic: bool, summary: bool) -> str:
        """The output: topics in their order, then all of them together."""
        lines = []
        if per_topic:
            shown = [(column.head, column.by_topic()) for column in self.columns if column.family.shown != "summary"]
            for row, topic in enumerate(self.topics):
                lines += [f"{head}\t{topic}\t{texts[row]}\n" for head, texts in shown]
        if summary:
            shown_below = [column for column in self.columns if column.family.shown != "topic"]
            lines += [f"{column.head}\tall\t{column.overall(self.count)}\n" for column in shown_below]
        return "".join(lines)
