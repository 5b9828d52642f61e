"""Results: what ties do to runs, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.analysis.keyed import ByMeasure, ByRun
from truerank.analysis.tabular import Tabular
from truerank.analysis.tied.counts import TieCounts
from truerank.analysis.tied.scores import TiedScore
from truerank.analysis.tied.swaps import Stray, Swap, orders_of, strict_pairs
from truerank.conventions.choices import Conventions
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class TiedRun(ByMeasure[TiedScore]):
    """A run: how much of it is tied, and its scores by measure."""

    counts: TieCounts
    scores: dict[str, TiedScore]


@dataclass(frozen=True, eq=False)
class Ties(ByRun[TiedRun], Tabular):
    """What the order of ties does to runs, and to their order."""

    runs: dict[str, TiedRun]
    wanted: tuple[Measure, ...]
    swaps: tuple[Swap, ...]
    """Pairs of runs that can change places by the order of ties alone; by measure, the farthest apart first."""
    strays: tuple[Stray, ...]
    """How far each usual order of ties is from the mean over all orders, by measure."""
    topics: tuple[str, ...]
    """The judged topics."""
    conventions: Conventions
    notices: tuple[str, ...] = ()

    kinds = ("runs", "orders", "pairs")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures evaluated."""
        return tuple(map(str, self.wanted))

    def scores(self, measure: str | Measure) -> dict[str, TiedScore]:
        """The scores of all runs by a measure, best expected score first; undefined ones last."""
        found = {name: run[measure] for name, run in self.runs.items()}
        sign = -1 if all(score.measure.higher_is_better for score in found.values()) else 1
        return dict(
            sorted(found.items(), key=lambda item: (item[1].expected != item[1].expected, sign * item[1].expected))
        )

    def strict_pairs(self, measure: str | Measure) -> int:
        """Pairs of runs of which one is better by expectation."""
        return strict_pairs(self.scores(measure))

    @property
    def tied_runs(self) -> tuple[str, ...]:
        """The runs that have ties."""
        return tuple(name for name, run in self.runs.items() if run.counts.tied_documents)

    @property
    def mostly_tied(self) -> tuple[str, ...]:
        """The runs with more than half of their documents tied."""
        return tuple(name for name, run in self.runs.items() if run.counts.share > 1 / 2)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run and measure; or ``show="orders"``, one an order of ties and measure; or "pairs"."""
        show = self.kind(show)
        if show == "orders":
            return [stray.as_dict() for stray in self.strays]
        if show == "pairs":
            return [swap.as_dict() for swap in self.swaps]
        orders = orders_of([score for run in self.runs.values() for score in run.values()])
        return [
            {
                "measure": measure,
                "run": name,
                **self.runs[name].counts.as_dict(),
                "expected": score.expected,
                "worst": score.worst,
                "best": score.best,
                **{order: score.orders.get(order) for order in orders},
                "std_error": score.std_error,
                "extremes": "sampled" if score.sampled else "exact",
            }
            for measure in self.measures
            for name, score in self.scores(measure).items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "num_topics": len(self.topics),
            "runs": {
                name: {
                    **run.counts.as_dict(),
                    "scores": {
                        measure: {
                            "expected": score.expected,
                            "worst": score.worst,
                            "best": score.best,
                            "orders": score.orders,
                            "std_error": score.std_error,
                            "extremes": "sampled" if score.sampled else "exact",
                        }
                        for measure, score in run.items()
                    },
                }
                for name, run in self.runs.items()
            },
            "orders": self.to_records("orders"),
            "pairs": {measure: self.strict_pairs(measure) for measure in self.measures},
            "swaps": self.to_records("pairs"),
            "notices": list(self.notices),
        }

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.ties import ties_table

        return ties_table(self, show)

    def __repr__(self) -> str:
        return f"Ties({len(self.runs)} runs, {len(self.wanted)} measures, {len(self.swaps)} pairs that can swap)"
