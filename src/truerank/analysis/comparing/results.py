"""Results: systems compared, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.analysis.comparing.compared import Compared
from truerank.analysis.comparing.outcomes import Outcome
from truerank.analysis.comparing.settings import Settings
from truerank.analysis.keyed import ByMeasure
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(ByMeasure[Compared], Tabular):
    """Systems compared by measures: with each other, or with baselines."""

    runs: tuple[str, ...]
    scores: dict[str, Compared]
    baselines: tuple[str, ...]
    """The systems that others are compared with; none where all are compared with each other."""
    settings: Settings
    topics: tuple[str, ...]
    """The judged topics that count for all systems; a measure may be undefined on some."""
    gates: tuple[Outcome, ...]
    conventions: Conventions
    notices: tuple[str, ...] = ()

    kinds = ("systems", "pairs", "topics", "gates")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures compared by."""
        return tuple(self.scores)

    @property
    def passed(self) -> bool | None:
        """Whether every gate is passed; None without gates."""
        return all(outcome.passed for outcome in self.gates) if self.gates else None

    @property
    def verdicts(self) -> tuple[str, ...]:
        """What was found of each pair, a sentence each."""
        from truerank.report.compare_words import sentence

        return tuple(sentence(found, pair) for found in self.scores.values() for pair in found.pairs)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a measure and system; or ``show="pairs"``, one a pair; or "topics" that got worse, or "gates"."""
        kind = self.kind(show)
        if kind == "pairs":
            return [pair.as_record() for found in self.scores.values() for pair in found.pairs]
        if kind == "topics":
            return [record for found in self.scores.values() for record in _worse(found)]
        if kind == "gates":
            return [outcome.as_record() for outcome in self.gates]
        return [
            {"measure": name, **system.as_dict(), "better_than": " ".join(system.better_than)}
            for name, found in self.scores.items()
            for system in found.systems.values()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.compare_words import further, said
        from truerank.report.gate_words import gate_sentence

        return {
            "conventions": self.conventions.as_dict(),
            "settings": self.settings.as_dict(),
            "num_topics": len(self.topics),
            "runs": list(self.runs),
            "baselines": list(self.baselines),
            "measures": {name: found.as_dict() for name, found in self.scores.items()},
            "passed": self.passed,
            "gates": [{**outcome.as_dict(), "sentence": gate_sentence(outcome)} for outcome in self.gates],
            "summary": [*said(self), *further(self)],
            "notices": list(self.notices),
        }

    def summary(self) -> str:
        """Everything that a reader of a pull request wants to know, in Markdown."""
        from truerank.report.compare_summary import summary

        return summary(self)

    def plot(self, show: str | None = None, *, theme: str = "light") -> Plot:
        """Draw a panel a measure with intervals: of "differences" from a single baseline, or of "systems"."""
        from truerank.report.plots.compare import plot_comparison

        return plot_comparison(self, show, theme=theme)

    def _table(self, show: str | None) -> Table:
        from truerank.report.compare import compare_table

        return compare_table(self, show)

    def __repr__(self) -> str:
        return f"Comparison({len(self.runs)} runs, {len(self.topics)} topics, {len(self.scores)} measures)"


def _worse(found: Compared) -> list[dict[str, Any]]:
    return [
        {
            "measure": str(found.measure),
            "run": found.runs[b],
            "compared_with": found.runs[a],
            "topic": one.topic,
            "score": one.b,
            "compared_score": one.a,
            "difference": one.difference,
        }
        for a, b in found.asked
        for one in found.worse(found.runs[a], found.runs[b])
    ]
