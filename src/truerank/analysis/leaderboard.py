"""A leaderboard that shows what each of the four choices behind a score does to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from truerank.analysis.evaluate import evaluate
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.measures.core.base import Measure


@dataclass(frozen=True)
class Standing:
    """A run's score under the usual conventions, and under others."""

    run: str
    mean: float
    worst: float
    """In the worst order of ties."""
    best: float
    low: float
    """With no unjudged document relevant."""
    high: float
    """With every unjudged document of the highest grade."""
    terminal: float
    """With the end of a list as an answer."""
    deep: float
    """Looked at deeper."""


@dataclass(frozen=True)
class Leaderboard:
    """Standings, best first."""

    measure: Measure
    deeper: Measure
    standings: tuple[Standing, ...]

    def place(self, column: str, run: str, value: float | None = None) -> int:
        """Where a run stands in the order of a column; or would, if it alone had another value."""
        values: dict[str, float] = {one.run: getattr(one, column) for one in self.standings}
        own = values.pop(run) if value is None else value
        return 1 + sum(other > own for name, other in values.items() if name != run)


def leaderboard(qrels: Qrels, runs: Mapping[str, Run], measure: Measure, depth: int) -> Leaderboard:
    """Score runs by a measure with a cutoff, then with each convention changed alone, then at another depth."""
    deeper = measure @ depth
    named = dict(runs)
    ties = evaluate(qrels, named, [measure, deeper], ties="bounds")
    unjudged = evaluate(qrels, named, measure, unjudged="bounds")
    terminal = evaluate(qrels, named, measure, ending="terminal")
    standings = []
    for run, scores in ties.items():
        score, bounds = scores[measure], unjudged[run][measure]
        ends = (score.low, score.high, bounds.low, bounds.high)
        worst, best, low, high = (score.mean if end is None else end for end in ends)
        standings.append(
            Standing(run, score.mean, worst, best, low, high, terminal[run][measure].mean, scores[deeper].mean)
        )
    return Leaderboard(measure, deeper, tuple(sorted(standings, key=lambda s: (-s.mean, s.run))))
