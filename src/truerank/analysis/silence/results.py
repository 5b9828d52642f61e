"""Results: where runs are silent, and what taking that into account does to their scores and to their order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.analysis.keyed import ByMeasure, ByRun
from truerank.analysis.silence.cases import Cases
from truerank.analysis.silence.lists import Lists, Spread, spread
from truerank.analysis.silence.shifts import Orderings, Shift, merits, orderings, places
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class SilentRun(ByMeasure[Shift]):
    """A run: on which topics it is silent, how long its lists are, and its scores by both methodologies."""

    cases: Cases
    c: float
    """c@1: accuracy at rank 1, where silence earns the accuracy of what was answered."""
    lists: Lists
    scores: dict[str, Shift]


@dataclass(frozen=True, eq=False)
class Silence(ByRun[SilentRun], Tabular):
    """Where runs are silent, and what that is worth: NIL as a document against the end of a list as an answer."""

    runs: dict[str, SilentRun]
    wanted: tuple[Measure, ...]
    topics: tuple[str, ...]
    """The judged topics."""
    nil_topics: tuple[str, ...]
    """Those that have no answer."""
    original: Conventions
    """NIL is a document, relevant where nothing else is, and measures are in their standard form (TREC 2001)."""
    modified: Conventions
    """Lists end at their NIL, with a terminal document where the system ended them (Liu et al. 2016)."""
    notices: tuple[str, ...] = ()

    kinds = ("cases", "scores", "lengths", "agreement", "pairs")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures evaluated."""
        return tuple(map(str, self.wanted))

    @property
    def longest(self) -> int:
        """The most documents that a list has."""
        return max(int(run.lists.before.max(initial=0)) for run in self.runs.values())

    @cached_property
    def lengths(self) -> tuple[Spread, ...]:
        """Lists of all runs by their length, before and after they are ended at their NIL."""
        return spread(run.lists for run in self.runs.values())

    @cached_property
    def orderings(self) -> dict[str, Orderings]:
        """How the two methodologies order the runs, by measure."""
        return {str(m): orderings(m, {name: run[m] for name, run in self.runs.items()}) for m in self.wanted}

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run; or ``show="scores"``, one a run and measure; "lengths", "agreement" or "pairs"."""
        show = self.kind(show)
        if show == "scores":
            return [record for measure in self.wanted for record in self._shifts(measure)]
        if show == "lengths":
            return [one.as_dict() for one in self.lengths]
        if show == "agreement":
            return [one.as_dict() for one in self.orderings.values()]
        if show == "pairs":
            return [pair.as_dict() for one in self.orderings.values() for pair in one.inversions]
        return [
            {
                "run": name,
                **run.cases.as_dict(),
                "c@1": run.c,
                "nil": int(run.lists.nil.sum()),
                "ended": run.lists.share_ended,
                "false_silence_topics": " ".join(run.cases.false_silences),
            }
            for name, run in self.runs.items()
        ]

    def _shifts(self, measure: Measure) -> list[dict[str, Any]]:
        """The scores of all runs by a measure, the best by the modified methodology first."""
        shifts = {name: run[measure] for name, run in self.runs.items()}
        before, after = map(places, merits(measure, shifts))
        records = [
            {
                "measure": str(measure),
                "run": name,
                "original": one.original,
                "modified": one.modified,
                "difference": one.difference,
                "original_rank": was,
                "modified_rank": is_,
                "rank_change": None if was is None or is_ is None else was - is_,
                "ended": self.runs[name].lists.share_ended,
            }
            for (name, one), was, is_ in zip(shifts.items(), before, after, strict=True)
        ]
        return sorted(records, key=lambda record: record["modified_rank"] or len(records) + 1)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": {"original": self.original.as_dict(), "modified": self.modified.as_dict()},
            "num_topics": len(self.topics),
            "nil_topics": list(self.nil_topics),
            "runs": {
                record.pop("run"): {
                    **record,
                    "false_silence_topics": list(run.cases.false_silences),
                    "right_silence_topics": list(run.cases.right_silences),
                    "false_answer_topics": list(run.cases.false_answers),
                    "lengths": {"before": run.lists.before.tolist(), "after": run.lists.after.tolist()},
                }
                for record, run in zip(self.to_records("cases"), self.runs.values(), strict=True)
            },
            "scores": self.to_records("scores"),
            "lengths": self.to_records("lengths"),
            "agreement": [
                {**one.as_dict(), "original": list(one.original), "modified": list(one.modified)}
                for one in self.orderings.values()
            ],
            "inverted": self.to_records("pairs"),
            "notices": list(self.notices),
        }

    def plot(self, show: str | None = None, *, theme: str = "light") -> Plot:
        """Draw both scores of each run, and what truncation has to do with them; or ``show="lengths"``."""
        from truerank.report.plots.nil import plot_lengths, plot_scores

        return plot_lengths(self, theme=theme) if show == "lengths" else plot_scores(self, theme=theme)

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.nil import nil_table

        return nil_table(self, show)

    def __repr__(self) -> str:
        return f"Silence({len(self.runs)} runs, {len(self.wanted)} measures, {len(self.nil_topics)} nil topics)"
