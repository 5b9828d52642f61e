"""Systems compared by one measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from truerank.analysis.comparing.pair import BETTER, OPEN, SAME, WORSE, Check, Pair, System
from truerank.analysis.comparing.settings import POWER, Settings
from truerank.analysis.differences.topics import TopicDifference, TopicDifferences
from truerank.analysis.significance.corrections import Corrected
from truerank.analysis.significance.effects import Effects
from truerank.analysis.significance.intervals import Intervals
from truerank.analysis.significance.paired import PValues
from truerank.analysis.significance.power import detectable, needed_topics
from truerank.data.arrays import Array, Floats, Mask
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure


@dataclass(frozen=True, eq=False)
class Margins:
    """Corrected p-values for differences beyond the margin, of the pairs asked about."""

    equivalent: Floats
    no_worse: Floats
    """Of b being worse than a by the margin or more."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Compared:
    """Systems by one measure: their means, every pair that was asked about, and what is to be said of them.

    Pairs are (a, b) of numbers of systems: b is compared with a.
    """

    measure: Measure
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    """Those compared on, the same for all systems."""
    values: Floats
    """Systems x topics."""
    settings: Settings
    asked: tuple[tuple[int, int], ...]
    means: Intervals
    bootstrap: Intervals
    effects: Effects
    differences: Intervals
    tested: PValues
    corrected: Corrected
    margins: Margins | None
    notes: tuple[str, ...]
    checks: Mapping[tuple[int, int], tuple[Check, ...]] | None = field(default=None)

    @property
    def family(self) -> str:
        """What p-values are corrected for, in words: "3 pairs of 3 systems"."""
        return self.corrected.family

    @property
    def how(self) -> str:
        """How p was found, where there is more than one way."""
        return self.tested.how

    @property
    def sign(self) -> float:
        """1 where high values are good, -1 where low ones are."""
        return self.measure.sign

    @cached_property
    def significant(self) -> Mask:
        """Which systems differ after correction (systems x systems)."""
        found: Mask = (np.nan_to_num(self.corrected.p, nan=1.0) < self.settings.alpha) & (self.effects.difference != 0)
        return found

    @cached_property
    def better(self) -> Mask:
        """Whether the first is significantly better than the second (systems x systems)."""
        found: Mask = self.significant & (self.sign * self.effects.difference > 0)
        return found

    @cached_property
    def verdicts(self) -> tuple[str, ...]:
        """What b is, of each pair asked about: "better", "worse", "not significant" or "the same"."""
        columns = (self.effects.difference, self.corrected.p, self.effects.ties)
        rows = zip(*(self.of_pairs(matrix).tolist() for matrix in columns), strict=True)
        return tuple(self.verdict(difference, p, same=level == len(self.topics)) for difference, p, level in rows)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Numbers of the systems, the best mean first; equal ones as they were given."""
        return tuple(np.argsort(-self.sign * self.means.estimate, kind="stable").tolist())

    @cached_property
    def std_errors(self) -> Floats:
        """Of the means; NaN from one topic."""
        topics = len(self.topics)
        return self.values.std(axis=1, ddof=1) / np.sqrt(topics) if topics > 1 else np.full(len(self.runs), np.nan)

    @cached_property
    def systems(self) -> dict[str, System]:
        """The systems, the best first."""
        return {self.runs[at]: self._system(at) for at in self.order}

    def _system(self, at: int) -> System:
        return System(
            run=self.runs[at],
            mean=self.means.estimate[at].item(),
            std_error=self.std_errors[at].item(),
            low=self.means.low[at].item(),
            high=self.means.high[at].item(),
            bootstrap_low=self.bootstrap.low[at].item(),
            bootstrap_high=self.bootstrap.high[at].item(),
            better_than=tuple(self.runs[other] for other in self.order if self.better[at, other]),
        )

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs asked about, in the order of the systems given."""
        return tuple(self._pair(at) for at in range(len(self.asked)))

    def pair(self, a: str, b: str) -> Pair:
        """What was found of b compared with a."""
        for at, (first, second) in enumerate(self.asked):
            if (self.runs[first], self.runs[second]) == (a, b):
                return self._pair(at)
        raise InputError(f"{b!r} was not compared with {a!r}; there are runs {', '.join(self.runs)}")

    @cached_property
    def detectable(self) -> Floats:
        """The difference that a t-test would find on the topics at hand, for each pair asked about."""
        if len(self.topics) < 2 or not self.asked:
            return np.full(len(self.asked), np.nan)
        deviation = self.of_pairs(self.effects.deviation)
        return detectable(len(self.topics), deviation, alpha=self.settings.alpha, power=POWER)

    @cached_property
    def needed_topics(self) -> Floats:
        """Topics on which it would find the difference observed, for each pair asked about."""
        size, deviation = np.abs(self.of_pairs(self.effects.difference)), self.of_pairs(self.effects.deviation)
        found = np.full(len(size), np.nan if len(self.topics) < 2 else np.inf)
        some = (size > 0) & ~np.isnan(deviation)
        if some.any():
            found[some] = needed_topics(1.0, deviation[some] / size[some], alpha=self.settings.alpha, power=POWER)
        return found

    def topic_differences(self, a: str, b: str) -> TopicDifferences:
        """Both systems topic by topic."""
        first, second = self.runs.index(a), self.runs.index(b)
        return TopicDifferences.over(self.measure, self.topics, self.values[first], self.values[second])

    def worse(self, a: str, b: str, limit: int | None = None) -> list[TopicDifference]:
        """The topics that got worse from a to b, the most changed first."""
        return self.topic_differences(a, b).worse(limit)

    def verdict(self, difference: float, p: float, *, same: bool = False) -> str:
        """What a system is that differs so, with such a corrected p."""
        if same:
            return SAME
        if not difference or not p < self.settings.alpha:
            return OPEN
        return BETTER if self.sign * difference > 0 else WORSE

    def of_pairs(self, matrix: Array) -> Array:
        """Values of the pairs asked about: of b against a."""
        a, b = np.array(self.asked, np.int64).reshape(-1, 2).T
        picked: Array = matrix[b, a]
        return picked

    def _pair(self, at: int) -> Pair:
        a, b = self.asked[at]
        effects, alpha = self.effects, self.settings.alpha
        won, lost = (effects.wins, effects.losses) if self.sign > 0 else (effects.losses, effects.wins)
        superiority = effects.superiority[b, a].item()
        within = self.margins
        equivalent, no_worse = (None, None) if within is None else (within.equivalent[at], within.no_worse[at])
        return Pair(
            measure=str(self.measure),
            a=self.runs[a],
            b=self.runs[b],
            verdict=self.verdicts[at],
            difference=effects.difference[b, a].item(),
            low=self.differences.low[b, a].item(),
            high=self.differences.high[b, a].item(),
            wins=int(won[b, a]),
            ties=int(effects.ties[b, a]),
            losses=int(lost[b, a]),
            p=self.tested.p[b, a].item(),
            p_corrected=self.corrected.p[b, a].item(),
            d_z=effects.d_z[b, a].item(),
            g_z=effects.g_z[b, a].item(),
            d_av=effects.d_av[b, a].item(),
            superiority=superiority if self.sign > 0 else 1.0 - superiority,
            detectable=float(self.detectable[at]),
            needed_topics=float(self.needed_topics[at]),
            p_equivalent=None if equivalent is None else float(equivalent),
            p_no_worse=None if no_worse is None else float(no_worse),
            equivalent=None if equivalent is None else bool(equivalent < alpha),
            no_worse=None if no_worse is None else bool(no_worse < alpha),
            checks=None if self.checks is None else self.checks[a, b],
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        place = {name: at for at, name in enumerate(self.runs)}
        return {
            "num_topics": len(self.topics),
            "family": self.family,
            "how": self.how,
            "runs": {
                name: {
                    **system.as_dict(),
                    "topics": dict(zip(self.topics, self.values[place[name]].tolist(), strict=True)),
                }
                for name, system in self.systems.items()
            },
            "pairs": [pair.as_dict() for pair in self.pairs],
            "notes": list(self.notes),
        }
