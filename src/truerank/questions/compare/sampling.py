"""What was drawn at random when systems are compared: topics, or groups of them; and the runs of each system."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.questions.compare.plan import CompareSettings
from truerank.statistics.clusters import Clusters
from truerank.statistics.effects import Effects, effects
from truerank.statistics.intervals import Intervals, difference_intervals, mean_intervals
from truerank.statistics.paired import PValues, constant, matrix, no_surer_than_signs
from truerank.statistics.randomization import Drawing
from truerank.statistics.replicates import Replicates

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True, eq=False)
class Sample:
    """Scores of runs (runs x topics) as they were drawn.

    >>> Sample(np.array([[0.5, 0.25, 1.0, 0.0]]), None, Clusters(np.array([0, 0, 1, 1]))).units.tolist()
    [[0.375, 0.5]]
    """

    by_run: Floats
    system: Rows | None = None
    """The system that each run is of, where systems have several."""
    clusters: Clusters | None = None
    """The group that each topic is in, where groups were drawn."""
    span: tuple[float, float] = (-np.inf, np.inf)
    """The lowest and the highest score there is: no interval goes further."""

    @cached_property
    def by_topic(self) -> Floats:
        """Systems x topics; of several runs their mean."""
        return self.by_run if self.system is None else Replicates(self.by_run, self.system).means

    @cached_property
    def units(self) -> Floats:
        """Systems x what was drawn, for differences."""
        return self.unit(self.by_topic)

    @property
    def drawn(self) -> int:
        """How many topics, or groups, were drawn."""
        return int(self.units.shape[1])

    @cached_property
    def replicates(self) -> Replicates | None:
        """The runs of systems, on what was drawn; None where each system is one run."""
        return None if self.system is None else Replicates(self.unit(self.by_run), self.system)

    @cached_property
    def _around(self) -> Floats:
        """Systems x what was drawn, for means."""
        return self.by_topic if self.clusters is None else self.clusters.around_means(self.by_topic)

    @cached_property
    def _replicated_means(self) -> Replicates | None:
        if self.system is None or self.clusters is None:
            return self.replicates
        return Replicates(self.clusters.around_means(self.by_run), self.system)

    def unit(self, values: Floats, kept: Mask | None = None) -> Floats:
        """Other values of the topics, or of some of them, by what was drawn."""
        if self.clusters is None:
            return values
        return (self.clusters if kept is None else self.clusters.take(kept)).of(values)

    def tested(self, settings: CompareSettings, *, baseline: int, **drawing: Unpack[Drawing]) -> PValues:
        """p-values of every pair, or of every system against the baseline."""
        if self.replicates is None:
            return settings.tested(self.units, baseline=baseline, **drawing)
        return no_surer_than_signs(self.replicates.student(), self.units, settings.alpha)

    def differences(self, method: str, confidence: float, samples: Drawing, *, baseline: int = 0) -> Intervals:
        """Intervals of differences."""
        if self.replicates is None:
            found = difference_intervals(self.units, method=method, confidence=confidence, baseline=baseline, **samples)
        else:
            found = self.replicates.difference_intervals(confidence, method, **samples)
        widest = self.span[1] - self.span[0]
        return found.within(-widest, widest)

    def means(self, method: str, confidence: float, samples: Drawing) -> Intervals:
        """Intervals of means."""
        if self._replicated_means is None:
            found = mean_intervals(self._around, method=method, confidence=confidence, **samples)
        else:
            found = self._replicated_means.mean_intervals(confidence, method, **samples)
        return found.within(*self.span)

    @cached_property
    def std_errors(self) -> Floats:
        """Of the means; NaN from one topic, or group."""
        if self._replicated_means is not None:
            own = self._replicated_means
            return np.array([own.contrast(one).error for one in range(len(own.sizes))])
        if self.drawn < 2:
            return np.full(len(self.units), np.nan)
        return np.where(constant(self._around), 0.0, self._around.std(axis=1, ddof=1) / np.sqrt(self.drawn))

    @cached_property
    def effects(self) -> Effects:
        """Effect sizes; topics are won, and differences vary as what was drawn does."""
        found = effects(self.by_topic)
        if self.clusters is not None:
            own = effects(self.units)
            found = replace(found, deviation=own.deviation, d_z=own.d_z, g_z=own.g_z)
        if self.replicates is not None:
            # So that over the root of what was drawn it is the standard error.
            errors = [one.error * np.sqrt(self.drawn) for one in self.replicates.pairs]
            found = replace(found, deviation=matrix(len(self.units), errors, diagonal=0))
        return found

    def notes(self) -> tuple[str, ...]:
        """Where groups tell little."""
        return () if self.clusters is None else self.clusters.notes()
