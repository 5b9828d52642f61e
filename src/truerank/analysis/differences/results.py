"""Results: how two runs differ, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.analysis.differences.difference import Difference
from truerank.analysis.keyed import ByMeasure
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class Diff(ByMeasure[Difference], Tabular):
    """How run b differs from run a, by measure."""

    a: str
    """Name of the first run, which the other one is compared with."""
    b: str
    scores: dict[str, Difference]
    topics: tuple[str, ...]
    """The topics compared."""
    conventions: Conventions
    notices: tuple[str, ...] = ()

    kinds = ("topics", "documents")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures evaluated."""
        return tuple(self.scores)

    def to_records(self, show: str | None = None, top: int | None = None) -> list[dict[str, Any]]:
        """One record a measure and topic, or ``show="documents"``, one a document that was or is in the first ranks.

        Topics with the largest differences come first; ``top`` limits them to so many.
        """
        show = self.kind(show)
        if show == "documents":
            return [
                {"measure": name, **moved.as_dict()}
                for name, each in self.scores.items()
                for _, some in each.by_topic(each.by_impact[:top])
                for moved in some
            ]
        return [record for each in self.scores.values() for record in each.records(each.by_impact[:top])]

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """Everything, in the terms of JSON; ``top`` limits topics to so many of the largest differences."""
        from truerank.report.diff_words import said

        return {
            "conventions": self.conventions.as_dict(),
            "a": self.a,
            "b": self.b,
            "num_topics": len(self.topics),
            "measures": {name: each.as_dict(top) for name, each in self.scores.items()},
            "summary": said(self),
            "notices": list(self.notices),
        }

    def plot(self, *, theme: str = "light") -> Plot:
        """Draw a panel a measure, with a bar a topic: by how much b is better or worse, the best first."""
        from truerank.report.plots.diff import plot_diff

        return plot_diff(self, theme=theme)

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.diff import diff_table

        return diff_table(self, show)

    def __repr__(self) -> str:
        return f"Diff({self.a} and {self.b}, {len(self.topics)} topics, {len(self.scores)} measures)"
