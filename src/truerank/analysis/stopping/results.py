"""Results: how well stopping rules do, by run and measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.analysis.keyed import ByMeasure, ByRun
from truerank.analysis.stopping.outcomes import Comparison
from truerank.analysis.stopping.validation import Plan
from truerank.analysis.stopping.verdict import verdict
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class RunStopping(ByMeasure[Comparison]):
    """The rules on one run, by measure."""

    scores: dict[str, Comparison]


@dataclass(frozen=True, eq=False)
class Stopping(ByRun[RunStopping], Tabular):
    """Stopping rules on topics that they were not fitted to, by run and measure."""

    kinds = ("rules", "fitted", "topics")

    runs: dict[str, RunStopping]
    wanted: tuple[Measure, ...]
    plan: Plan
    folds: int
    """Into how many parts the topics were divided."""
    topics: tuple[str, ...]
    """The judged topics."""
    conventions: Conventions
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that rules were fitted for."""
        return tuple(map(str, self.wanted))

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that were compared."""
        return tuple(self.plan.kinds)

    def comparisons(self) -> list[tuple[str, str, Comparison]]:
        """Measure, run and what was found, measure by measure."""
        return [(measure, run, found[measure]) for measure in self.measures for run, found in self.runs.items()]

    def verdicts(self) -> list[dict[str, str]]:
        """What it comes to for each measure and run, in words."""
        return [{"measure": measure, "run": run, "verdict": verdict(one)} for measure, run, one in self.comparisons()]

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a measure, run and rule, whole lists and best cuts among them.

        ``show`` "fitted": what each rule does once it is fitted to all topics, "topics": one record a list and rule.
        """
        show = self.kind(show)
        return [
            {"measure": measure, "run": run, **record}
            for measure, run, found in self.comparisons()
            for record in {"topics": found.lists, "fitted": found.fitted}.get(show, found.records)()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "num_topics": len(self.topics),
            "folds": self.folds,
            "seed": self.plan.seed,
            "test": self.plan.test,
            "correction": "holm",
            "runs": {
                run: {measure: _document(found) for measure, found in its.items()} for run, its in self.runs.items()
            },
            "notices": list(self.notices),
        }

    def plot(self, *, theme: str = "light") -> Plot:
        """Draw the score and the length of each rule, between whole lists and best cuts: two panels a measure."""
        from truerank.report.plots.stop import plot_stop

        return plot_stop(self, theme=theme)

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.stop import stop_table

        return stop_table(self, show)

    def __repr__(self) -> str:
        return f"Stopping({len(self.runs)} runs, {len(self.wanted)} measures, {len(self.rules)} rules)"


def _document(found: Comparison) -> dict[str, Any]:
    records = {record.pop("rule"): record for record in found.records()}
    for name, one in found.items():
        folds = [rule.to_dict()["parameters"] for rule in one.folds]
        records[name] |= {"fitted": one.rule.said(), "parameters": one.rule.to_dict()["parameters"], "folds": folds}
    lists: dict[str, dict[str, Any]] = {}
    for record in found.lists():
        lists.setdefault(record["topic"], {})[record["rule"]] = {"length": record["length"], "value": record["value"]}
    return {"verdict": verdict(found), "rules": records, "topics": lists}
