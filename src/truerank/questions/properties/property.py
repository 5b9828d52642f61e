"""What a property is: a statement, the trials it makes, and what their scores say of it, with a witness."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.questions.properties.examples import Example, SearchSpace
from truerank.questions.properties.question import ReadingVerdict
from truerank.questions.properties.scoring import ExampleScores, orders_all
from truerank.report.digits import figures

SIDE = 2
"""Cases of a side at most: their scores are added up."""
NONE = -1


class Trial(NamedTuple):
    """One instance of a property: ``more`` should score more than ``less``, each side the sum of its scores."""

    more: tuple[Example, ...]
    less: tuple[Example, ...] = ()
    of: Example | None = None
    """The ranking that both were made from, where it is neither."""
    reading: str = ""
    """How the property was read."""
    number: int = 0
    """The n of a property that has one."""


@dataclass(frozen=True, eq=False)
class Trials:
    """The trials of a property as indices into the examples of a universe, the smallest first."""

    examples: Sequence[Example]
    more: Rows
    less: Rows
    of: Rows
    readings: tuple[str, ...]
    """In the order in which they come."""
    reading: Rows
    """Of each, as an index into these."""
    number: Rows
    length: Rows
    """Of the longest ranking in each."""

    def __len__(self) -> int:
        return len(self.more)

    def __getitem__(self, index: int) -> Trial:
        of = int(self.of[index])
        return Trial(
            self._side(self.more[index]),
            self._side(self.less[index]),
            None if of == NONE else self.examples[of],
            self.readings[self.reading[index]],
            int(self.number[index]),
        )

    def _side(self, side: Rows) -> tuple[Example, ...]:
        return tuple(self.examples[example] for example in side.tolist() if example != NONE)

    def read(self, reading: str) -> Mask:
        belongs: Mask = self.reading == self.readings.index(reading)
        return belongs


class Universe:
    """The examples that properties ask about: each is scored once, however many trials it is in."""

    def __init__(self) -> None:
        self.examples: list[Example] = []
        self._index: dict[Example, int] = {}

    def add(self, example: Example) -> int:
        found = self._index.setdefault(example, len(self.examples))
        if found == len(self.examples):
            self.examples.append(example)
        return found

    def ask(self, trials: Iterable[Trial]) -> Trials:
        """Take the examples of trials in."""
        rows: list[tuple[int, ...]] = []
        reading: dict[str, int] = {}
        for more, less, of, read, number in trials:
            sides = [self.add(example) for example in more], [self.add(example) for example in less]
            length = max(len(example.grades) for example in (*more, *less))
            padded = [index for side in sides for index in (*side, *[NONE] * (SIDE - len(side)))]
            whole = NONE if of is None else self.add(of)
            rows.append((*padded, whole, number, length, reading.setdefault(read, len(reading))))
        table = np.array(rows, np.intp).reshape(-1, 2 * SIDE + 4)
        return Trials(
            self.examples,
            table[:, :SIDE],
            table[:, SIDE : 2 * SIDE],
            table[:, 2 * SIDE],
            tuple(reading),
            table[:, 2 * SIDE + 3],
            table[:, 2 * SIDE + 1],
            table[:, 2 * SIDE + 2],
        )


def scores_of(side: Rows, value: Floats) -> tuple[float, ...]:
    """The scores of a side, example by example."""
    return tuple(float(value[example]) for example in side.tolist() if example != NONE)


@dataclass(frozen=True)
class Witness:
    """Rankings and their scores, so that anyone can compute them by hand; or why there are none."""

    said: str
    """In words."""
    more: tuple[Example, ...] = ()
    """What should score more; of two, the sum of their scores."""
    less: tuple[Example, ...] = ()
    more_scores: tuple[float, ...] = ()
    less_scores: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        trial: Trial,
        more: tuple[float, ...],
        less: tuple[float, ...],
        said: str,
        added: tuple[float, ...] = (),
    ) -> Witness:
        """A trial with its scores, which fill the places in what is said, and with numbers added after them."""
        return cls(said.format(*figures((*more, *less, *added))), trial.more, trial.less, more, less)

    @property
    def length(self) -> int:
        return max(len(example.grades) for example in (*self.more, *self.less))

    def rankings(self) -> dict[str, list[dict[str, Any]]]:
        """The rankings of both sides with their scores, in the terms of JSON."""
        return {"more": _sides(self.more, self.more_scores), "less": _sides(self.less, self.less_scores)}

    def __str__(self) -> str:
        return self.said


def _sides(examples: tuple[Example, ...], scores: tuple[float, ...]) -> list[dict[str, Any]]:
    return [
        {
            "ranking": list(example.grades),
            "pool": list(example.pool),
            "documents": example.documents,
            "depth": example.depth,
            "max_grade": example.top,
            "score": score,
        }
        for example, score in zip(examples, scores, strict=True)
    ]


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
        trial = trials[index]
        more, less = scores_of(trials.more[index], scores.value), scores_of(trials.less[index], scores.value)
        said = self.said(trial)
        if orders_all(scores.measure):
            told = scores.measure.core.collection
            sizes = {example.documents if told is None else told for example in (*trial.more, *trial.less)}
            note = "; ".join([f"of {' and '.join(map(str, sorted(sizes)))} documents", *filter(None, [note])])
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
        return self.verdict(scores, reading, "undefined", Witness(said=because), 0)

    def as_dict(self) -> dict[str, str]:
        return {"statement": self.statement, "formula": self.formula, "citation": self.citation}


class ByReading(Property):
    """A property whose readings are decided one by one, each by its own trials."""

    outcomes: ClassVar[dict[float, str]] = {}
    """Names of margins, where it is counted how many trials have each."""

    @abstractmethod
    def margin(self, trials: Trials, scores: ExampleScores) -> Floats:
        """What each trial comes to; NaN where it says nothing."""

    @abstractmethod
    def decide(self, trials: Trials, here: Rows, margin: Floats, scores: ExampleScores) -> tuple[str, int, str]:
        """The outcome of the trials ``here``, with their margins; the trial that shows it; and what else to say."""

    def verdicts(self, trials: Trials, scores: ExampleScores) -> list[ReadingVerdict]:
        """What each reading says."""
        margin = self.margin(trials, scores)
        results = []
        for reading in trials.readings:
            here: Rows = np.flatnonzero(trials.read(reading) & ~np.isnan(margin))
            said = reading or self.reading
            if not len(here):
                results.append(self.undefined(scores, said))
                continue
            outcome, index, note = self.decide(trials, here, margin[here], scores)
            counts = {name: int((margin[here] == value).sum()) for value, name in self.outcomes.items()}
            witness = self.witness(trials, index, scores, note)
            results.append(self.verdict(scores, said, outcome, witness, len(here), counts))
        return results


class Universal(ByReading):
    """A property that all trials have to agree with; each ranking of the search makes some."""

    outcomes = OUTCOMES
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

    def decide(self, trials: Trials, here: Rows, margin: Floats, scores: ExampleScores) -> tuple[str, int, str]:
        """The least outcome, and the first trial that has it."""
        first = int(np.argmin(margin))
        return self.outcomes[float(margin[first])], int(here[first]), ""
