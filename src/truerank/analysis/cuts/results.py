"""Results: where lists are best cut, over all runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.agreement.spearman import spearman
from truerank.analysis.bins import Bin, bins, shares
from truerank.analysis.cuts.cut import Cut, RunCuts, median
from truerank.analysis.keyed import ByRun
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class Cuts(ByRun[RunCuts], Tabular):
    """The best length of every list, by run and measure."""

    kinds = ("summary", "runs", "bins", "topics")

    runs: dict[str, RunCuts]
    wanted: tuple[Measure, ...]
    topics: tuple[str, ...]
    """The judged topics."""
    relevant: Rows
    """How many relevant documents each of them has."""
    longest: int
    """Documents in the longest list."""
    conventions: Conventions
    whole: dict[str, dict[str, float]] = field(default_factory=dict)
    """Mean scores of whole lists by the measures that the cut ones are held against, and by run."""
    compared: tuple[Measure, ...] = ()
    """Those measures."""
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that lists were cut by."""
        return tuple(map(str, self.wanted))

    @property
    def families(self) -> dict[str, tuple[str, ...]]:
        """The measures by what makes them notice where a list ends."""
        found: dict[str, tuple[str, ...]] = {}
        for measure in self.wanted:
            terminal = "Terminal document" if measure.ending != "none" else "Other measures"
            family = "Effort of reading" if measure.ends_by == "effort" else terminal
            found[family] = (*found.get(family, ()), str(measure))
        return found

    @cached_property
    def bins(self) -> tuple[Bin, ...]:
        """The bins of lengths."""
        return bins(max(self.longest, int(self.relevant.max(initial=0))))

    def cuts(self, measure: str | Measure) -> dict[str, Cut]:
        """What was found by a measure, run by run."""
        return {name: run[measure] for name, run in self.runs.items()}

    def lengths(self, measure: str | Measure) -> Rows:
        """The best lengths of all lists of all runs."""
        return np.concatenate([cut.lengths for cut in self.cuts(measure).values()])

    def shares(self, measure: str | Measure, run: str | None = None) -> Floats:
        """Share of lists whose best length is in each of the ``bins``, of one run or of all."""
        return shares(self.lengths(measure) if run is None else self[run][measure].lengths, self.bins)

    @property
    def relevant_shares(self) -> Floats:
        """Share of topics whose number of relevant documents is in each of the ``bins``."""
        return shares(self.relevant, self.bins)

    def correlation(self, measure: str | Measure) -> float:
        """Spearman's rho, over all lists, of the best length with the number of relevant documents of the topic."""
        of_topic = dict(zip(self.topics, self.relevant.tolist(), strict=True))
        cuts = self.cuts(measure).values()
        known = [of_topic[name] for cut in cuts for name, at in zip(cut.topics, cut.length, strict=True) if at >= 0]
        return float(spearman(self.lengths(measure), np.array(known, np.int64)))

    def summary(self, measure: str | Measure) -> dict[str, Any]:
        """One measure over all lists of all runs; scores are means over runs."""
        cuts, lengths = [*self.cuts(measure).values()], self.lengths(measure)
        means = {name: float(np.mean([getattr(cut, f"mean_{name}") for cut in cuts])) for name in _SCORES}
        uncut = sum(cut.uncut * len(cut.lengths) for cut in cuts if len(cut.lengths))
        return {
            "lists": len(lengths),
            **means,
            "mean_length": float(lengths.mean()) if len(lengths) else float("nan"),
            "median_length": median(lengths),
            "silent": float(self.shares(measure)[0]),
            "uncut": uncut / len(lengths) if len(lengths) else float("nan"),
            "correlation": self.correlation(measure),
        }

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a measure; ``show`` "runs": a run and measure, "topics": a list, "bins": a bin of lengths.

        Bins are counted over all runs, of which the run is "all", over each, and for relevant documents a topic.
        """
        show = self.kind(show)
        if show == "runs":
            return [{"measure": m, "run": n, **c.as_dict()} for m in self.measures for n, c in self.cuts(m).items()]
        if show == "topics":
            return [record for m in self.measures for n, cut in self.cuts(m).items() for record in self._lists(n, cut)]
        if show == "bins":
            return self._binned()
        return [{"measure": measure, **self.summary(measure)} for measure in self.measures]

    def _lists(self, run: str, cut: Cut) -> list[dict[str, Any]]:
        of_topic = dict(zip(self.topics, self.relevant.tolist(), strict=True))
        columns = (cut.topics, cut.listed, cut.length, cut.whole, cut.best, cut.loss)
        return [
            {
                "measure": str(cut.measure),
                "run": run,
                "topic": topic,
                "relevant": of_topic[topic],
                "listed": int(listed),
                "length": int(length) if length >= 0 else None,
                "whole": float(whole),
                "best": float(best),
                "loss": float(loss),
            }
            for topic, listed, length, whole, best, loss in zip(*columns, strict=True)
        ]

    def _binned(self) -> list[dict[str, Any]]:
        found = [("relevant documents", "all", self.relevant_shares)]
        for measure in self.measures:
            found.append((measure, "all", self.shares(measure)))
            found += [(measure, run, self.shares(measure, run)) for run in self.runs]
        return [
            {"measure": measure, "run": run, "bin": str(one), "low": one.low, "high": one.high, "share": float(share)}
            for measure, run, spread in found
            for one, share in zip(self.bins, spread, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "num_topics": len(self.topics),
            "relevant": dict(zip(self.topics, self.relevant.tolist(), strict=True)),
            "measures": {measure: self.summary(measure) for measure in self.measures},
            "bins": self._binned(),
            "runs": {
                name: {
                    measure: {
                        **cut.as_dict(),
                        "topics": {
                            record["topic"]: {key: record[key] for key in _LIST} for record in self._lists(name, cut)
                        },
                    }
                    for measure, cut in run.items()
                }
                for name, run in self.items()
            },
            "whole": self.whole,
            "notices": list(self.notices),
        }

    def plot(self, *, theme: str = "light") -> Plot:
        """Draw the share of lists by their best length, a line a measure, and relevant documents a topic beside it."""
        from truerank.report.plots.truncate import plot_lengths

        return plot_lengths({"": self}, theme=theme)

    def _table(self, show: str | None) -> Table:
        from truerank.report.truncate import cuts_table

        return cuts_table({"": self}, show)

    def __repr__(self) -> str:
        return f"Cuts({len(self.runs)} runs, {len(self.wanted)} measures)"


_SCORES = ("whole", "best", "loss")
_LIST = ("listed", "length", *_SCORES)
