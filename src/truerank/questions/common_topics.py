"""Two runs on the topics that both have results for, where one of them lacks some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truerank.data.printing import counted
from truerank.report.rows import Row, column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from truerank.conventions.axes import Conventions
    from truerank.data.arrays import Rows
    from truerank.data.parts import Part


class CommonPair(Row):
    """Two runs on the topics that both have results for."""

    measure: str = column("the measure")
    run: str = column("the run")
    compared_with: str = column("the run that it is compared with")
    missing_topics: int = column("topics that the run has no results for")
    compared_missing_topics: int = column("topics that the other run has no results for")
    num_topics: int = column("topics that both have results for")
    mean: float = column("its mean over these topics", best="measure")
    compared_mean: float = column("the mean of the other run over these topics", best="measure")
    difference: float = column("the first mean minus the second", form="signed")
    low: float | None = column("where the confidence interval of the difference begins; none without a test")
    high: float | None = column("where it ends")
    p_corrected: float | None = column("p of the test on these topics, corrected; none without a test", form="p")
    verdict: str | None = column('"better", "worse", "not significant" or "the same"; none without a test')

    brief = ("measure", "run", "compared_with", "num_topics", "difference", "low", "high", "verdict")


@dataclass(frozen=True)
class MissingTopics:
    """How many topics each of two runs has no results for, and how many both have results for."""

    missing: Mapping[str, int]
    topics: int
    common: int

    @property
    def sentence(self) -> str:
        """Who lacks how many, without a full stop.

        >>> MissingTopics({"a": 0, "b": 20}, 50, 30).sentence
        '"b" has no results for 20 of 50 topics'
        >>> MissingTopics({"a": 3, "b": 20}, 50, 28).sentence
        '"a" has no results for 3 of 50 topics and "b" for 20'
        """
        first, *others = [(run, count) for run, count in self.missing.items() if count]
        said = f'"{first[0]}" has no results for {first[1]:,} of {counted(self.topics, "topic")}'
        return said + "".join(f' and "{run}" for {count:,}' for run, count in others)

    @property
    def where(self) -> str:
        """The topics that both have results for."""
        return f"On the {counted(self.common, 'topic')} that both answer"


def missing_topics(
    choice: Conventions, names: Sequence[str], parts: Sequence[Part], topics: Rows
) -> MissingTopics | None:
    """What two runs lack of some topics; None where they lack nothing, or too much, or where that is left out."""
    import numpy as np

    if len(parts) != 2 or not choice.fills_missing:
        return None
    there = [np.isin(topics, part.topics) for part in parts]
    both = there[0] & there[1]
    if both.all() or both.sum() < 2:
        return None
    lacking = {name: int((~one).sum()) for name, one in zip(names, there, strict=True)}
    return MissingTopics(lacking, len(topics), int(both.sum()))


def common_topics(parts: Sequence[Part], topics: Rows) -> Rows:
    """Those of some topics that all have results for."""
    import numpy as np

    kept = np.ones(len(topics), np.bool_)
    for part in parts:
        kept &= np.isin(topics, part.topics)
    found: Rows = topics[kept]
    return found
