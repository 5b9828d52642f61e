"""What is likely where pairs of runs are open: a model of relevance, and scores in judgments drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats
from truerank.measures.core.base import Measure
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.parts import Part
from truerank.track.relevance import Relevance, Worlds, relevance
from truerank.track.track import Progress, Track
from truerank.track.worlds import WorldScores, world_scores

SEED = 0
HELD_BACK = 0.85
"""What share is taken of the ground that the model expects one run to make up on another. Runs that are expected to
gain most gain less than that. Of 1, .85, .75, .65 and .5 it tells chances best (by their likelihood) on TREC-8 with
judgments hidden, as in ``benchmarks/unjudged.py``, and so it does on TREC-COVID."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """The model, and the scores that runs have in worlds that are drawn from it."""

    model: Relevance
    draws: int
    scores: dict[Measure, Floats]
    """By measure, shape (runs, worlds)."""

    def reversed(self, measure: Measure, better: int, worse: int, difference: float) -> float | None:
        """In which share of the worlds one run is below another, both by their numbers; None by other measures.

        ``difference`` is by how much it is better now.
        """
        if (found := self.scores.get(measure)) is None:
            return None
        then = measure.sign * (found[better] - found[worse])
        behind = then + (1.0 - HELD_BACK) * (difference - then.mean()) < -EQUAL
        # Neither 0 nor 1: that something is not among so many draws does not show that it cannot be.
        return (float(behind.sum()) + 0.5) / (len(behind) + 1)


def likely(track: Track, open_: Sequence[Measure], draws: int, progress: Progress | None) -> Outlook | None:
    """What becomes of the runs by measures that leave pairs ``open_``; None where the judgments tell too little."""
    if (model := relevance(track, progress)) is None:
        return None
    found: dict[Measure, Floats] = {}
    if wanted := tuple(measure for measure in open_ if draws and not measure.needs_pool):
        worlds = model.worlds(draws, SEED)
        each = replace(track, measures=wanted).each(_look, progress=progress, worlds=worlds)
        choice = track.conventions
        found = {
            measure: np.array([one.by_measure[str(measure)].summaries(choice) for one in each]) for measure in wanted
        }
    return Outlook(model, draws, found)


@dataclass(frozen=True, eq=False, kw_only=True)
class WorldsPart(Part):
    """A run in all worlds."""

    by_measure: dict[str, WorldScores]


def _look(lens: Lens, measures: Sequence[Measure], *, worlds: Worlds) -> WorldsPart:
    found = {str(measure): world_scores(lens, measure, worlds) for measure in measures}
    return WorldsPart(topics=lens.topics, by_measure=found)
