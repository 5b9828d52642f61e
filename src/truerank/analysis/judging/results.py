"""Results: what unjudged documents leave open of runs, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.analysis.judging.next import Judgment
from truerank.analysis.judging.scores import OpenScore
from truerank.analysis.judging.undecided import Standing, Versus, standings, versus
from truerank.analysis.keyed import ByMeasure, ByRun
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class JudgedRun(ByMeasure[OpenScore]):
    """A run: how much of it is judged, and its scores by measure."""

    judged: float
    """Share of its documents that are judged, over lists with documents."""
    judged_at: dict[int, float]
    """The same down to each cutoff."""
    scores: dict[str, OpenScore]

    def shares(self) -> dict[str, float]:
        """Shares of judged documents by name."""
        return {**{f"judged@{cutoff}": share for cutoff, share in self.judged_at.items()}, "judged": self.judged}


@dataclass(frozen=True, eq=False)
class Unjudged(ByRun[JudgedRun], Tabular):
    """What unjudged documents leave open of the scores of runs, and of their order."""

    runs: dict[str, JudgedRun]
    wanted: tuple[Measure, ...]
    next: tuple[Judgment, ...]
    """Documents to judge, those first that narrow the bounds of the first measure most; as many as were asked for."""
    topics: tuple[str, ...]
    """The judged topics."""
    conventions: Conventions
    notices: tuple[str, ...] = ()

    kinds = ("runs", "pairs", "next")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures evaluated."""
        return tuple(map(str, self.wanted))

    def scores(self, measure: str | Measure) -> dict[str, OpenScore]:
        """The scores of all runs by a measure, best first; undefined ones last."""
        found = {name: run[measure] for name, run in self.runs.items()}
        sign = -1 if all(score.measure.higher_is_better for score in found.values()) else 1
        return dict(sorted(found.items(), key=lambda item: (item[1].score != item[1].score, sign * item[1].score)))

    def standings(self, measure: str | Measure) -> dict[str, Standing]:
        """The place of each run, and those left open; nothing for a measure without bounds."""
        return standings(self.scores(measure))

    @cached_property
    def pairs(self) -> tuple[Versus, ...]:
        """All pairs of runs, by measure those that are undecided first."""
        return tuple(pair for measure in self.measures for pair in versus(self.scores(measure)))

    def undecided(self, measure: str | Measure) -> tuple[Versus, ...]:
        """The pairs of runs of which each may be above the other."""
        return tuple(pair for pair in versus(self.scores(measure)) if not pair.decided)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run and measure; or ``show="pairs"``, one a pair of runs and measure; or "next"."""
        show = self.kind(show)
        if show == "next":
            return [judgment.as_dict() for judgment in self.next]
        if show == "pairs":
            return [pair.as_dict() for pair in self.pairs]
        return [
            {"measure": measure, "run": name, **self.runs[name].shares(), **_numbers(score, places.get(name))}
            for measure in self.measures
            for places in [self.standings(measure)]
            for name, score in self.scores(measure).items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        places = {measure: self.standings(measure) for measure in self.measures}
        return {
            "conventions": self.conventions.as_dict(),
            "num_topics": len(self.topics),
            "runs": {
                name: {
                    **run.shares(),
                    "scores": {measure: _numbers(score, places[measure].get(name)) for measure, score in run.items()},
                }
                for name, run in self.runs.items()
            },
            "pairs": self.to_records("pairs"),
            "next": [{**judgment.as_dict(), "ranks": judgment.ranks} for judgment in self.next],
            "notices": list(self.notices),
        }

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.unjudged import unjudged_table

        return unjudged_table(self, show)

    def __repr__(self) -> str:
        return f"Unjudged({len(self.runs)} runs, {len(self.wanted)} measures, {len(self.next)} documents to judge)"


def _numbers(score: OpenScore, standing: Standing | None) -> dict[str, Any]:
    return {
        "score": score.score,
        "condensed": score.condensed,
        "low": score.low,
        "high": score.high,
        "residual": score.residual,
        **{name: None if standing is None else getattr(standing, name) for name in Standing.__dataclass_fields__},
    }
