"""Results: measures judged by what they do with the systems of a collection."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.criteria.correlations import Correlations
from truerank.analysis.criteria.merits import CRITERIA, Found, ranks
from truerank.analysis.criteria.unanimity import Unanimity
from truerank.analysis.keyed import ByMeasure
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table

KINDS = ("summary", "tau", "discrimination", "asl", "swap", "bins", "coverage", "uir")


@dataclass(frozen=True)
class Settings:
    """How measures were compared."""

    depth: int | None
    """Where lists were cut; None for lists as they are."""
    test: str
    """The test of every pair of systems."""
    alpha: float
    permutations: int
    """Draws of the test, if it draws."""
    splits: int
    """Splits of the topics in two, and sets of topics drawn."""
    fuzziness: float
    pairs: int
    """Pairs of topics drawn for the sampled coverage."""
    seed: int


@dataclass(frozen=True, eq=False)
class Meta(ByMeasure[Found], Tabular):
    """Measures by how alike they are, how sure their findings are, and what they cover."""

    kinds = KINDS

    scores: dict[str, Found]
    """What was found, by measure."""
    systems: dict[str, tuple[float, ...]]
    """The mean scores of each run, in the order of ``measures``."""
    topics: tuple[str, ...]
    """The topics on which all runs have a value by all measures."""
    reference: tuple[Measure, ...]
    """The measures whose unanimous improvements are to be covered."""
    correlations: Correlations
    unanimity: Unanimity
    settings: Settings
    conventions: Conventions
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures compared."""
        return tuple(self.scores)

    @cached_property
    def ranks(self) -> dict[str, dict[str, float]]:
        """By measure, its place by each criterion, 1 for the best, and the ``mean_rank``."""
        return dict(zip(self.scores, ranks([found.criteria() for found in self.scores.values()]), strict=True))

    @property
    def ranked(self) -> tuple[str, ...]:
        """The measures, best mean rank first; the order in which they were given decides between equals."""
        return tuple(sorted(self.scores, key=lambda name: self.ranks[name]["mean_rank"]))

    def tau(self, one: str | Measure, other: str | Measure) -> float:
        """Kendall's tau-a between the orderings of the runs by two measures."""
        every = [*self.values()]
        return float(self.correlations.tau[every.index(self[one]), every.index(self[other])])

    def uir(self, one: str, other: str) -> float:
        """Unanimous Improvement Ratio of one run over another."""
        names = [*self.systems]
        for name in (one, other):
            if name not in self.systems:
                raise KeyError(f"there is no run {name!r}; there are {', '.join(names)}")
        return float(self.unanimity.uir[names.index(one), names.index(other)])

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a measure, with its ranks; ``show`` has parts of it in full.

        "tau": two measures. "discrimination", "swap", "coverage": a measure. "asl": a measure and a percentage of the
        pairs of runs. "bins": a measure and a bin of differences. "uir": two runs.
        """
        return list(getattr(self, f"_{self.kind(show)}")())

    def _summary(self) -> list[dict[str, Any]]:
        return [
            {
                "measure": name,
                **self.scores[name].criteria(),
                "tau": self.scores[name].tau,
                **{f"rank_{criterion}": self.ranks[name][criterion] for criterion in CRITERIA},
                "mean_rank": self.ranks[name]["mean_rank"],
            }
            for name in self.ranked
        ]

    def _tau(self) -> list[dict[str, Any]]:
        found = self.correlations
        return [
            {
                "measure": one,
                "other": other,
                "tau": float(found.tau[i, j]),
                "tau_b": float(found.tau_b[i, j]),
                "tau_ap": float(found.tau_ap[i, j]),
            }
            for i, one in enumerate(self.scores)
            for j, other in enumerate(self.scores)
            if i != j
        ]

    def _discrimination(self) -> list[dict[str, Any]]:
        return [{"measure": name, **found.discrimination.as_dict()} for name, found in self.items()]

    def _asl(self) -> list[dict[str, Any]]:
        return [
            {"measure": name, "percent": percent, "p": float(p)}
            for name, found in self.items()
            for percent, p in enumerate(percentiles(found.discrimination.p))
        ]

    def _swap(self) -> list[dict[str, Any]]:
        return [{"measure": name, **found.swap()} for name, found in self.items()]

    def _bins(self) -> list[dict[str, Any]]:
        return [{"measure": name, **record} for name, found in self.items() for record in found.swaps.bins()]

    def _coverage(self) -> list[dict[str, Any]]:
        return [
            {"measure": name, "coverage": found.coverage, "sampled": found.sampled_coverage}
            for name, found in self.items()
        ]

    def _uir(self) -> list[dict[str, Any]]:
        ratio, names = self.unanimity.uir, [*self.systems]
        return [
            {"run": one, "other": other, "uir": float(ratio[i, j])}
            for i, one in enumerate(names)
            for j, other in enumerate(names)
            if i != j
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "settings": asdict(self.settings),
            "num_topics": len(self.topics),
            "reference": [str(measure) for measure in self.reference],
            "measures": {
                name: {
                    "discrimination": {
                        **found.discrimination.as_dict(),
                        "asl": percentiles(found.discrimination.p).tolist(),
                    },
                    "swap": {**found.swap(), "topics": found.swaps.topics, "bins": found.swaps.bins()},
                    "coverage": {"exact": found.coverage, "sampled": found.sampled_coverage},
                    "tau": found.tau,
                    "ranks": self.ranks[name],
                }
                for name, found in self.items()
            },
            "tau": self._tau(),
            "runs": {run: dict(zip(self.scores, means, strict=True)) for run, means in self.systems.items()},
            "uir": {
                run: dict(zip(self.systems, row, strict=True))
                for run, row in zip(self.systems, self.unanimity.uir.tolist(), strict=True)
            },
            "notices": list(self.notices),
        }

    def plot(self, show: str = "summary", *, theme: str = "light") -> Plot:
        """Draw ASL curves and swap rates ("summary"), one of them ("discrimination", "swap"), or tau as a heat map."""
        from truerank.report.plots.meta import plot_meta

        return plot_meta(self, show, theme=theme)

    def _table(self, show: str | None) -> Table:
        from truerank.report.meta import meta_table

        return meta_table(self, show)

    def __repr__(self) -> str:
        return f"Meta({len(self.scores)} measures, {len(self.systems)} runs, {len(self.topics)} topics)"


def percentiles(p: Floats) -> Floats:
    """The p-values at 0, 1, ..., 100 per cent of the pairs, the largest first.

    >>> percentiles(np.array([0.5, 0.3, 0.1]))[[0, 50, 100]].tolist()
    [0.5, 0.3, 0.1]
    """
    return np.asarray(p[np.rint(np.arange(101) * (len(p) - 1) / 100).astype(np.int64)])
