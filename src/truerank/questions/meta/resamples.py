"""How stable the order of two systems is when topics are drawn anew."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Rows
from truerank.questions.meta.scores import SystemScores


@dataclass(frozen=True)
class OrderStability:
    """What becomes of the order of pairs of systems over many sets of topics (Buckley & Voorhees 2000)."""

    minority: float
    """Share of comparisons, ties left out, in which a pair stands in the order that it has less often."""
    fuzziness: float
    """Share of the larger score up to which a difference is taken for a tie."""
    fuzzy_minority: float
    """The same where differences so small are ties, as a share of all; NaN for scores on both sides of 0."""
    fuzzy_ties: float
    """Share of comparisons with a difference so small."""


def resamples(topics: int, draws: int, seed: int) -> Rows:
    """Sets of as many topics as there are, drawn with replacement (draws x topics)."""
    return np.random.default_rng([seed, 2]).integers(0, topics, (draws, topics))


def stability(scored: SystemScores, drawn: Rows, fuzziness: float) -> OrderStability:
    """Compare every pair of systems on every set of topics.

    With ``fuzziness`` f, a difference of at most f times the larger of both means is a tie. Measures differ in how many
    ties that makes, and one that ties everything has no minorities: so it is ``minority``, of what is not tied, that
    measures can be compared by.
    """
    systems = scored.systems
    if scored.topics < 2 or systems < 2:
        return OrderStability(math.nan, fuzziness, math.nan, math.nan)
    fuzzy = scored.one_sided
    counts = np.zeros((2, 2, systems * (systems - 1) // 2), np.int64)
    for means in scored.over(drawn):
        place = 0
        for system in range(systems - 1):
            rest = means[system + 1 :]
            difference = means[system] - rest
            rows = slice(place, place := place + len(rest))
            counts[0, :, rows] += (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
            if fuzzy:
                margin = fuzziness * np.maximum(np.abs(means[system]), np.abs(rest))
                counts[1, :, rows] += (difference > margin).sum(axis=-1), (difference < -margin).sum(axis=-1)
    every = counts.shape[-1] * len(drawn)
    less, ordered = counts.min(axis=1).sum(axis=-1), counts.sum(axis=(1, 2))
    return OrderStability(
        minority=float(less[0] / ordered[0]) if ordered[0] else math.nan,
        fuzziness=fuzziness,
        fuzzy_minority=float(less[1] / every) if fuzzy else math.nan,
        fuzzy_ties=float(1.0 - ordered[1] / every) if fuzzy else math.nan,
    )
