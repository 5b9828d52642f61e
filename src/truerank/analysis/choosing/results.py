"""Result: a measure, how the guide came to it, and what there is to know before it is used."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from truerank.analysis.choosing.guide import Step
from truerank.analysis.choosing.leaves import Alternative, Leaf
from truerank.analysis.choosing.questions import Answer
from truerank.analysis.choosing.settle import Parameter, Settled
from truerank.analysis.lint.findings import Finding
from truerank.analysis.properties.check import properties
from truerank.analysis.properties.results import Verdict, Verdicts
from truerank.analysis.properties.table import SEVEN
from truerank.analysis.tabular import Tabular
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class Choice(Tabular):
    """The measure that the guide ends in: ``found.measure``, and why."""

    kinds = ("properties", "path", "alternatives")

    path: tuple[Step, ...]
    """The questions that decided, with their answers."""
    leaf: Leaf
    settled: Settled
    published: Settled | None
    """What stands in the figure, where another measure is taken."""
    alternatives: tuple[Alternative, ...]
    warnings: tuple[Finding, ...] = ()
    """Where the data contradict the answers."""
    notices: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Judgments and runs for the command."""

    @property
    def measure(self) -> Measure:
        """The measure, with its parameters."""
        return self.settled.measure

    @property
    def label(self) -> str:
        """The measure as people read it, with few digits."""
        return self.settled.label

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What has been settled by numbers."""
        return self.settled.parameters

    @property
    def box(self) -> str:
        """What stands at this place in the figure of Amigó, Mizzaro & Spina (2022)."""
        return self.leaf.box

    @property
    def answers(self) -> dict[str, Answer]:
        """The answers that decided."""
        return {step.question.name: step.answer for step in self.path}

    @property
    def asked(self) -> dict[str, bool]:
        """Properties that the answers ask for, or do without."""
        wanted: dict[str, bool] = {}
        for step in self.path:
            wanted |= step.question.wants.get(bool(step.answer), {})
        return wanted

    @property
    def _verdicts(self) -> Verdicts:
        return _searched((self.measure,) if self.published is None else (self.measure, self.published.measure))

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """Which of the seven properties the measure has; looked for when first asked for."""
        return self._verdicts[self.measure]

    @property
    def lacking(self) -> tuple[Verdict, ...]:
        """Properties that were asked for, and that the measure does not have in every case."""
        return tuple(verdict for name, verdict in self.verdicts.items() if self.asked.get(name) and not verdict.holds)

    @property
    def published_lacking(self) -> tuple[Verdict, ...]:
        """The same of the measure in the figure, where another is taken."""
        if self.published is None:
            return ()
        theirs = self._verdicts[self.published.measure]
        return tuple(verdict for name, verdict in theirs.items() if self.asked.get(name) and not verdict.holds)

    @property
    def command(self) -> str:
        """What to run next."""
        return f'truerank evaluate {" ".join(self.files) or "QRELS RUN..."} -m "{self.measure}"'

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a property; or ``show="path"``, one a question, or ``show="alternatives"``."""
        kind = self.kind(show)
        if kind == "properties":
            return [
                {
                    "measure": str(self.measure),
                    "property": name,
                    "asked": self.asked.get(name),
                    "verdict": verdict.outcome,
                    "holds": verdict.holds,
                    "broken": broken(verdict),
                    "tried": verdict.scales[0].decisive.tried,
                    "witness": verdict.scales[0].decisive.said,
                }
                for name, verdict in self.verdicts.items()
            ]
        if kind == "path":
            return [
                {"question": step.question.name, "text": step.question.text, "answer": step.answer, "means": step.said}
                for step in self.path
            ]
        return [asdict(each) for each in self.alternatives]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        calibration = self.settled.calibration
        return {
            "measure": str(self.measure),
            "figure": self.box,
            "published": None if self.published is None else str(self.published.measure),
            "answers": self.answers,
            "path": self.to_records("path"),
            "parameters": [asdict(each) for each in self.parameters],
            "calibration": None if calibration is None else [one.as_dict() for one in calibration.values()],
            "remark": self.leaf.remark,
            "properties": self.to_records("properties"),
            "alternatives": self.to_records("alternatives"),
            "warnings": [asdict(each) for each in self.warnings],
            "notices": list(self.notices),
            "command": self.command,
        }

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.choose import choice_table

        return choice_table(self, show)

    def __repr__(self) -> str:
        return f"Choice({self.label})"


@lru_cache(maxsize=32)
def _searched(measures: tuple[Measure, ...]) -> Verdicts:
    # A search of a second or more, which not everybody who wants a measure has to wait for, and nobody twice.
    return properties(measures, property=[each.name for each in SEVEN])


def broken(verdict: Verdict) -> int | None:
    """In how many of the comparisons tried the property does not hold; None where they are not counted."""
    found = verdict.scales[0].decisive
    counts = dict(found.counts)
    return found.tried - counts["strict"] if "strict" in counts else None
