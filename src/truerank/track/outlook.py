"""What is likely where pairs of runs are open: a model of relevance, and scores in judgments drawn from it.

How far the model is to be trusted differs between collections and measures, so it is rehearsed on the user's own data:
half of the judgments, of the documents that stand lowest, are hidden from a model of the rest. What share of the ground
that this model expects runs to make up on each other they do make up is then found by measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.data.qrels import Qrels, taken
from truerank.measures.core.base import Measure
from truerank.statistics.level import EQUAL
from truerank.statistics.pairs import every_pair
from truerank.track.lens import Lens
from truerank.track.parts import Part
from truerank.track.relevance import HidingTest, Relevance, Worlds, relevance
from truerank.track.track import Progress, Track
from truerank.track.worlds import WorldScores, world_scores

SEED = 0
REHEARSED = 60
"""Draws that a rehearsal takes, at most."""
SHARE = 0.85
"""The share of the ground that runs are expected to make up on each other that they do make up, before a rehearsal.

This and the next four were chosen by the likelihood of reversals on six collections with judgments hidden, and each
collection was looked at with what the five others chose: docs/how-to/unjudged.md has what came of it."""
TRUST = 0.3
"""How much of a rehearsal goes into the share; the rest is ``SHARE``."""
DRAWN = 0.7
"""What is taken of how far draws lie from their mean."""
OFF = 0.1
"""How far a change may be from what is expected, as a share of it: the scale of Student's distribution."""
ROUGH = 0.55
"""How far it may be whatever is expected, in standard deviations of draws."""
CHANGE = 0.5
"""How far the change of a score may be from what is expected, as a share of it: its standard deviation, beside that of
draws. Chosen with judgments of six collections hidden, all of them in view."""
NINE_OF_TEN = 1.645
"""Standard deviations to either side that hold nine of ten of a normal distribution."""
LEAST, MOST = 0.4, 1.4
"""Shares that a rehearsal may find."""
DOUBT = 0.2
"""How far apart the shares of pairs lie, which has a rehearsal weigh those less that were to change most."""


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """What came of changes that a model expected, where judgments were hidden from it."""

    share: float
    """Of the ground that a run was expected to make up on another, what it did make up; the mean over pairs."""
    expected: float
    """By how much differences of runs were expected to change: the root of the mean square."""
    changed: float
    """By how much they did."""


@dataclass(frozen=True, eq=False)
class Outlook:
    """The model, and the scores that runs have in worlds that are drawn from it."""

    model: Relevance
    draws: int
    scores: dict[Measure, Floats]
    """By measure, shape (runs, worlds)."""
    rehearsals: dict[Measure, Rehearsal]
    """By measure, where one was possible."""

    def share(self, measure: Measure) -> float:
        """What share is taken of the ground that the model expects one run to make up on another."""
        found = self.rehearsals.get(measure)
        return SHARE if found is None else (1.0 - TRUST) * SHARE + TRUST * min(max(found.share, LEAST), MOST)

    def interval(self, measure: Measure, run: int, score: float) -> tuple[float, float]:
        """Where the score of a run, by its number, lies in nine cases of ten once everything is judged."""
        drawn = self.scores[measure][run]
        mean = float(drawn.mean())
        half = NINE_OF_TEN * float(np.hypot(drawn.std(), CHANGE * (mean - score)))
        return float(np.round(mean - half, 9)), float(np.round(mean + half, 9))

    def reversed(self, measure: Measure, better: int, worse: int, difference: float) -> float | None:
        """The chance that one run falls below another, both by their numbers; None by other measures.

        ``difference`` is by how much it is better now.
        """
        if (found := self.scores.get(measure)) is None:
            return None
        then = measure.sign * (found[better] - found[worse])
        return reversal(then, difference, self.share(measure))


def reversal(then: Floats, difference: float, share: float) -> float:
    """The chance that a difference comes out below 0, of what it comes to in worlds and of what it is now.

    Only a ``share`` of what it changes on the average is taken. What the model leaves out is added to each world, by
    Student's distribution of three degrees of freedom: the larger a change, the farther it may be from what was
    expected.

    >>> drawn = np.linspace(-0.01, 0.01, 200)
    >>> [round(reversal(drawn + mean, 0.02, 1.0), 2) for mean in (0.02, 0.01, 0.0, -0.02)]
    [0.01, 0.05, 0.5, 0.98]
    """
    mean = float(then.mean())
    centre, away = difference + share * (mean - difference), DRAWN * (then - mean)
    scale = float(np.hypot(OFF * (mean - difference), ROUGH * then.std()))
    # Neither 0 nor 1: that something is not among so many draws does not show that it cannot be.
    least = 0.5 / (len(then) + 1)
    if scale <= EQUAL:
        return 1.0 - least if centre < -EQUAL else least
    # Rounded, so that the last bits of sums make no difference.
    chance = float(np.round(student(-(centre + away) / scale).mean(), 9))
    return min(max(chance, least), 1.0 - least)


def student(t: Floats) -> Floats:
    """Student's distribution function for three degrees of freedom.

    >>> student(np.array([0.0, 3.182446])).round(4).tolist()
    [0.5, 0.975]
    """
    one = t / np.sqrt(3.0)
    found: Floats = 0.5 + (one / (1.0 + one**2) + np.arctan(one)) / np.pi
    return found


def outlook(track: Track, open_: Sequence[Measure], draws: int, progress: Progress | None) -> Outlook | None:
    """What becomes of the runs by measures that leave pairs ``open_``; None where the judgments tell too little."""
    if (model := relevance(track, progress)) is None:
        return None
    wanted = tuple(measure for measure in open_ if draws and not measure.needs_pool)
    if not wanted:
        return Outlook(model, draws, {}, {})
    track = replace(track, measures=wanted, kept={})
    found = _scores(track, model.worlds(draws, SEED), progress)
    return Outlook(model, draws, found, _rehearsals(track, model.hidden, draws, progress))


def _scores(track: Track, worlds: Worlds, progress: Progress | None) -> dict[Measure, Floats]:
    """By measure, the scores of runs in worlds."""
    each = track.each(_look, progress=progress, worlds=worlds)
    choice = track.conventions
    return {
        measure: np.array([one.by_measure[str(measure)].summaries(choice) for one in each])
        for measure in track.measures
    }


def _rehearsals(
    track: Track, test: HidingTest | None, draws: int, progress: Progress | None
) -> dict[Measure, Rehearsal]:
    """The same asked of judgments that are known, and what came of it."""
    if test is None or len(track.runs) < 2:
        return {}
    before = replace(track, judgments=taken(track.judgments, ~_are(test, track.judgments)))
    scores = _scores(before, test.worlds(min(draws, REHEARSED), SEED), progress)
    found = {measure: rehearsal(each) for measure, each in scores.items()}
    return {measure: one for measure, one in found.items() if one is not None}


def _are(test: HidingTest, judgments: Qrels) -> Mask:
    """Which judgments are of documents that were hidden."""
    hidden = np.zeros(len(judgments), bool)
    listed = test.model.listed
    for at in range(len(judgments.topics)):
        here = slice(int(judgments.offsets[at]), int(judgments.offsets[at + 1]))
        mine = test.hidden[listed.topic[test.hidden] == at]
        hidden[here] = np.isin(judgments.key[here].astype(np.uint64), listed.key[mine])
    return hidden


def rehearsal(scores: Floats) -> Rehearsal | None:
    """What came of the changes that were expected of runs: of their scores before, as they were, and in draws.

    Pairs that the model is less certain of count less, and so do those that it expects to change most, which are not
    more certain for that.

    >>> round(rehearsal(np.array([[0.2, 0.26, 0.27, 0.29], [0.2, 0.2, 0.2, 0.2]])).share, 2)
    0.75
    """
    one, other = every_pair(len(scores))
    apart = scores[one] - scores[other]
    before, after, drawn = apart[:, 0], apart[:, 1], apart[:, 2:]
    variance = drawn.var(axis=-1)
    some = variance > EQUAL**2
    expected, changed = (drawn.mean(axis=-1) - before)[some], (after - before)[some]
    weight = 1.0 / (variance[some] + DOUBT**2 * expected**2)
    squares = float((weight * expected**2).sum())
    if not some.any() or squares <= 0:
        return None
    share = float((weight * expected * changed).sum()) / squares
    return Rehearsal(share, *(float(np.sqrt((each**2).mean())) for each in (expected, changed)))


@dataclass(frozen=True, eq=False, kw_only=True)
class WorldsPart(Part):
    """A run in all worlds."""

    by_measure: dict[str, WorldScores]


def _look(lens: Lens, measures: Sequence[Measure], *, worlds: Worlds) -> WorldsPart:
    found = {str(measure): world_scores(lens, measure, worlds) for measure in measures}
    return WorldsPart(topics=lens.topics, by_measure=found)
