"""Results: how scores of one list come about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.analysis.explaining.explained import Explained
from truerank.analysis.keyed import ByMeasure
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class Explanation(ByMeasure[Explained], Tabular):
    """One list by some measures."""

    run: str
    topic: str
    scores: dict[str, Explained]
    conventions: Conventions
    notices: tuple[str, ...] = ()

    kinds = ("steps", "changes")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures explained."""
        return tuple(self.scores)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a step of the worked table; or ``show="changes"``, one a thing that would change the score."""
        changes = self.kind(show) == "changes"
        return [
            {"measure": name, **record}
            for name, one in self.items()
            for record in (one.changes() if changes else [step.as_dict() for step in one.steps])
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "run": self.run,
            "topic": self.topic,
            "measures": {name: one.as_dict() for name, one in self.items()},
            "notices": list(self.notices),
        }

    def plot(self, *, theme: str = "light") -> Plot:
        """A figure of what each rank adds, a panel a measure."""
        from truerank.report.plots.explain import plot_explanation

        return plot_explanation(self, theme=theme)

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.explain import explanation_table

        return explanation_table(self, show)

    def __repr__(self) -> str:
        return f"Explanation(run {self.run!r}, topic {self.topic!r}, {', '.join(self.scores)})"
