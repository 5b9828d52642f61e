"""What a property is: a statement, the trials it makes, and what their scores say of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.questions.properties.answer import ReadingVerdict
from truerank.questions.properties.examples import Example
from truerank.questions.properties.scoring import ExampleScores
from truerank.questions.properties.search import SearchSpace
from truerank.questions.properties.trials import Trial, Trials, scores_of
from truerank.questions.properties.witness import Witness

AMIGO = "Amigó, Mizzaro & Spina 2022"
MOFFAT = "Moffat 2013"
OUTCOMES = {1.0: "strict", 0.0: "equal", -1.0: "reversed"}
NO_EXAMPLE = "there is no case in which the scores are defined"
FACTS = {0.0: "holds", -1.0: "fails"}


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
    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """What is compared, the smallest first."""

    @abstractmethod
    def verdicts(self, trials: Trials, scores: ExampleScores) -> list[ReadingVerdict]:
        """What the scores say, reading by reading."""

    def said(self, trial: Trial) -> str:
        """The trial in words, with {0}, {1}, ... for the scores of ``more`` and ``less``."""
        return "; ".join(f"{example}: {{{place}}}" for place, example in enumerate((*trial.more, *trial.less)))

    def added(self, more: tuple[float, ...], less: tuple[float, ...]) -> tuple[float, ...]:
        """Numbers that ``said`` has places for after the scores."""
        return ()

    def witness(self, trials: Trials, index: int, scores: ExampleScores, note: str = "") -> Witness:
        """A trial with its scores."""
        trial = trials[index]
        more, less = scores_of(trials.more[index], scores.value), scores_of(trials.less[index], scores.value)
        said = self.said(trial)
        return Witness.of(trial, more, less, f"{said} ({note})" if note else said, self.added(more, less))

    def verdict(
        self,
        scores: ExampleScores,
        reading: str,
        outcome: str,
        witness: Witness,
        tried: int,
        counts: dict[str, int] | None = None,
    ) -> ReadingVerdict:
        """What one reading found."""
        return ReadingVerdict(
            measure=str(scores.measure),
            property=self.name,
            scale=scores.scale,
            reading=reading,
            verdict=outcome,
            witness=witness,
            tried=tried,
            counts=counts or {},
        )

    def undefined(self, scores: ExampleScores, reading: str = "", because: str = NO_EXAMPLE) -> ReadingVerdict:
        """One reading that found nothing, and why."""
        return self.verdict(scores, reading, "undefined", Witness(said=because), 0)

    def as_dict(self) -> dict[str, str]:
        """What is stated, in the terms of JSON."""
        return {"statement": self.statement, "formula": self.formula, "citation": self.citation}


class Universal(Property):
    """A property that all trials have to agree with; each ranking of the search makes some."""

    outcomes: ClassVar[dict[float, str]] = OUTCOMES
    reading = "the same R on both sides, also more than are retrieved"

    def trials(self, search: SearchSpace) -> Iterator[Trial]:
        """What each ranking gives rise to."""
        for example in search.examples:
            yield from self.compare(example)

    @abstractmethod
    def compare(self, example: Example) -> Iterator[Trial]:
        """The trials that one ranking gives rise to."""

    def margin(self, trials: Trials, scores: ExampleScores) -> Floats:
        """A key of ``outcomes`` for each trial; NaN where it says nothing."""
        return np.where(trials.length <= scores.resolved, scores.margin(trials.more, trials.less), np.nan)

    def verdicts(self, trials: Trials, scores: ExampleScores) -> list[ReadingVerdict]:
        """The least outcome of each reading."""
        margin = self.margin(trials, scores)
        return [self._least(trials, scores, margin, trials.read(reading), reading) for reading in trials.readings]

    def _least(self, trials: Trials, scores: ExampleScores, margin: Floats, read: Mask, reading: str) -> ReadingVerdict:
        reading = reading or self.reading
        here: Rows = np.flatnonzero(read & ~np.isnan(margin))
        if not len(here):
            return self.undefined(scores, reading)
        counts = {name: int((margin[here] == value).sum()) for value, name in self.outcomes.items()}
        worst = float(margin[here].min())
        first = int(here[np.argmax(margin[here] == worst)])
        return self.verdict(
            scores, reading, self.outcomes[worst], self.witness(trials, first, scores), len(here), counts
        )
