"""Systems scored with all judgments, and again without those that only they contributed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from truerank.analysis.evaluate import score
from truerank.analysis.pooling.restrict import taken
from truerank.conventions.choices import Conventions
from truerank.data.arrays import Mask
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.runs import Named
from truerank.measures.core.base import Measure

KEPT = 10_000_000
"""Documents of runs that stay in memory until it is known what only they contributed; other runs are read again."""
Means = dict[tuple[str, str], dict[str, float]]
"""By measure and reading of unjudged documents, the mean of each run."""


@dataclass
class Scored:
    """Means of runs by every measure under every choice of conventions."""

    qrels: Qrels
    wanted: tuple[Measure, ...]
    choices: list[Conventions]
    means: Means = field(default_factory=dict)
    _kept: dict[str, Run] = field(default_factory=dict)
    _room: int = KEPT

    def add(self, name: str, run: Run) -> None:
        """Score a run with all judgments."""
        self._score(name, self.qrels, run, self.means)
        if len(run) <= self._room:
            self._kept[name] = run
            self._room -= len(run)

    def without(self, gone: Mask, runs: Iterable[str], named: Mapping[str, Named]) -> Means:
        """Score runs with some judgments gone; topics stay."""
        if not gone.any():
            return {key: {name: means[name] for name in runs} for key, means in self.means.items()}
        rest = taken(self.qrels, ~gone)
        found: Means = {}
        for name in runs:
            run = self._kept[name] if name in self._kept else named[name].read()
            self._score(name, rest, _joined(run, self.qrels, rest, gone), found)
        return found

    def _score(self, name: str, qrels: Qrels, run: Run, means: Means) -> None:
        for choice in self.choices:
            for measure, value in score(qrels, run, self.wanted, choice).items():
                means.setdefault((measure, choice.unjudged), {})[name] = value.mean


def _joined(run: Run, qrels: Qrels, rest: Qrels, gone: Mask) -> Run:
    """The run, with its join to the rest of the judgments taken from that to all of them, where it is known."""
    other = replace(run)
    for known, (topic, row, judgment) in run.joined:
        if known is qrels:
            left = ~gone[judgment]
            place = np.cumsum(~gone) - 1
            other.joined.append((rest, (topic[left], row[left], place[judgment[left]])))
    return other
