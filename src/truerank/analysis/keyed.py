"""Results that are found by run, and by measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse

Result = TypeVar("Result")


class ByRun(Mapping[str, Result]):
    """What was found of each run, by its name."""

    runs: dict[str, Result]

    def __getitem__(self, run: str) -> Result:
        try:
            return self.runs[run]
        except KeyError:
            raise KeyError(f"there is no run {run!r}; there are {', '.join(self.runs)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)


class ByMeasure(Mapping[str, Result]):
    """What was found of a run by each measure; "RBP(p=0.8)" and "MAP" find what is called RBP and AP."""

    scores: dict[str, Result]

    def __getitem__(self, measure: str | Measure) -> Result:
        try:
            return self.scores[str(measure) if str(measure) in self.scores else str(parse(str(measure)))]
        except (KeyError, InputError):
            raise KeyError(f"{measure} was not evaluated; there are {', '.join(self.scores)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)
