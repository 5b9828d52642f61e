"""What is likely once all documents that the runs list are judged: scores in worlds drawn from a model of relevance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.parts import Part
from truerank.measures.core.base import Measure
from truerank.questions.unjudged.relevance import ENDS, SEED, Relevance, RunRanks, Worlds, looked_at, relevance
from truerank.questions.unjudged.worlds import WorldScores, world_scores
from truerank.statistics.level import EQUAL
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track


@dataclass(frozen=True, eq=False)
class Outlook:
    """The model, the worlds that are drawn from it, and the scores that runs have there."""

    model: Relevance
    worlds: Worlds
    scores: dict[Measure, Floats]
    """By measure, shape (runs, worlds)."""

    def interval(self, measure: Measure, run: int) -> tuple[float, float] | None:
        """Where the score of a run, by its number, lies in 90% of worlds; None if it is undefined in some."""
        if not np.isfinite(self.scores[measure][run]).all():
            return None
        # Rounded, so that the last bits of sums make no difference.
        low, high = np.round(np.quantile(self.scores[measure][run], ENDS), 12).tolist()
        return low, high

    def reversed(self, measure: Measure, better: int, worse: int) -> float | None:
        """The chance that one run falls below another, both by their numbers.

        None by other measures, and if a score is undefined in some world.
        """
        if (found := self.scores.get(measure)) is None or not np.isfinite(found[[better, worse]]).all():
            return None
        return share_below(measure.sign * (found[better] - found[worse]))


def share_below(differences: Floats) -> float:
    """The share of worlds in which a difference is below 0, neither 0 nor 1.

    That something is not among so many worlds does not show that it cannot be.

    >>> share_below(np.array([-0.1, 0.0, 0.2])), share_below(np.ones(199))
    (0.375, 0.0025)
    """
    return (float((differences < -EQUAL).sum()) + 0.5) / (len(differences) + 1)


def outlook(
    track: Track,
    measures: Sequence[Measure],
    draws: int,
    progress: Progress | None,
    ranks: Sequence[RunRanks] | None = None,
) -> Outlook | None:
    """What becomes of the runs by some measures; None where the judgments tell too little.

    ``ranks`` are what the model knows of each run, where they have been looked at.
    """
    if (model := relevance(track, progress, ranks)) is None:
        return None
    worlds = model.worlds(draws, SEED)
    wanted = tuple(measure for measure in measures if not measure.needs_pool)
    if not wanted:
        return Outlook(model, worlds, {})
    each = scores_in_worlds(track, wanted, worlds, progress)
    choice = track.conventions
    scores = {measure: np.array([one.by_measure[str(measure)].summaries(choice) for one in each]) for measure in wanted}
    return Outlook(model, worlds, scores)


def scores_in_worlds(
    track: Track, wanted: Sequence[Measure], worlds: Worlds, progress: Progress | None
) -> Sequence[WorldsPart]:
    """What some measures of a track give each run in each world, topic by topic."""
    return looked_at(track, _look, progress, wanted=wanted, worlds=worlds)


@dataclass(frozen=True, eq=False, kw_only=True)
class WorldsPart(Part):
    """A run in all worlds."""

    by_measure: dict[str, WorldScores]


def _look(lens: Lens, measures: Sequence[Measure], *, wanted: Sequence[Measure], worlds: Worlds) -> WorldsPart:
    found = {str(measure): world_scores(lens, measure, worlds) for measure in wanted}
    return WorldsPart(topics=lens.topics, by_measure=found)
