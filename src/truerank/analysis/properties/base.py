"""What a property is: a statement, the comparisons it makes, and what their scores say of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Asked, Comparison, scores_of
from truerank.analysis.properties.scoring import Scores
from truerank.analysis.properties.search import Search
from truerank.analysis.properties.witness import Witness
from truerank.data.arrays import Floats, Mask, Rows

AMIGO = "Amigó, Mizzaro & Spina 2022"
MOFFAT = "Moffat 2013"
OUTCOMES = {1.0: "strict", 0.0: "equal", -1.0: "reversed"}
NO_CASE = "there is no case in which the scores are defined"
FACTS = {0.0: "holds", -1.0: "fails"}


@dataclass(frozen=True)
class Found:
    """What one reading of a property found."""

    reading: str
    outcome: str
    """"strict", "equal" or "reversed" by the least of all comparisons; "holds" or "fails"; "undefined"."""
    witness: Witness | None = None
    """The smallest comparison with that outcome."""
    tried: int = 0
    counts: tuple[tuple[str, int], ...] = ()
    """How many comparisons had each outcome."""
    because: str = ""
    """Why nothing could be found."""

    @property
    def said(self) -> str:
        """The witness in words, or why there is none."""
        return self.because if self.witness is None else self.witness.said


class Property(ABC):
    """A property of measures."""

    name: ClassVar[str]
    statement: ClassVar[str]
    """In words."""
    formula: ClassVar[str]
    citation: ClassVar[str] = AMIGO
    remark: ClassVar[str] = ""
    """How it is read where the literature is silent or slips."""
    reading: ClassVar[str] = ""
    """How it is read where there is one reading only."""
    satisfied: ClassVar[tuple[str, ...]] = ("strict",)
    """The outcomes with which a measure has the property."""

    @abstractmethod
    def comparisons(self, search: Search) -> Iterator[Comparison]:
        """What is compared, the smallest first."""

    @abstractmethod
    def found(self, asked: Asked, scores: Scores) -> list[Found]:
        """What the scores say, reading by reading."""

    def said(self, comparison: Comparison) -> str:
        """The comparison in words, with {0}, {1}, ... for the scores of ``more`` and ``less``."""
        return "; ".join(f"{case}: {{{place}}}" for place, case in enumerate((*comparison.more, *comparison.less)))

    def added(self, more: tuple[float, ...], less: tuple[float, ...]) -> tuple[float, ...]:
        """Numbers that ``said`` has places for after the scores."""
        return ()

    def witness(self, asked: Asked, index: int, scores: Scores, note: str = "") -> Witness:
        """A comparison with its scores."""
        comparison = asked[index]
        more, less = scores_of(asked.more[index], scores.value), scores_of(asked.less[index], scores.value)
        said = self.said(comparison) + f" ({note})" * bool(note)
        return Witness.of(comparison, more, less, said, self.added(more, less))


class Universal(Property):
    """A property that all comparisons have to agree with; each ranking of the search makes some."""

    outcomes: ClassVar[dict[float, str]] = OUTCOMES
    reading = "the same R on both sides, also more than are retrieved"

    def comparisons(self, search: Search) -> Iterator[Comparison]:
        """What each ranking gives rise to."""
        for case in search.cases:
            yield from self.compare(case)

    @abstractmethod
    def compare(self, case: Case) -> Iterator[Comparison]:
        """The comparisons that one ranking gives rise to."""

    def margin(self, asked: Asked, scores: Scores) -> Floats:
        """A key of ``outcomes`` for each comparison; NaN where it says nothing."""
        return np.where(asked.length <= scores.resolved, scores.margin(asked.more, asked.less), np.nan)

    def found(self, asked: Asked, scores: Scores) -> list[Found]:
        """The least outcome of each reading."""
        margin = self.margin(asked, scores)
        return [self._least(asked, scores, margin, asked.read(reading), reading) for reading in asked.readings]

    def _least(self, asked: Asked, scores: Scores, margin: Floats, read: Mask, reading: str) -> Found:
        reading = reading or self.reading
        here: Rows = np.flatnonzero(read & ~np.isnan(margin))
        if not len(here):
            return Found(reading, "undefined", because=NO_CASE)
        counts = tuple((name, int((margin[here] == value).sum())) for value, name in self.outcomes.items())
        worst = float(margin[here].min())
        first = int(here[np.argmax(margin[here] == worst)])
        return Found(reading, self.outcomes[worst], self.witness(asked, first, scores), len(here), counts)
