"""Ends of bootstrap intervals: percentiles of what is drawn, and which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.analysis.significance.resampling import Draws
from truerank.analysis.significance.special import special
from truerank.analysis.significance.sums import Sums
from truerank.data.arrays import Floats


@dataclass(frozen=True)
class Levels:
    """At which percentiles an interval ends."""

    confidence: float
    topics: int
    corrected: bool
    """For bias and skew (BCa), in place of the widening for few topics."""

    def of(self, drawn: Floats, rows: Floats) -> tuple[Floats, Floats]:
        """The shares of draws below the low and the high end, for each row."""
        functions = special("a bootstrap interval")
        if not self.corrected:
            # Percentiles have the normal distribution and n where Student has t and n - 1 (Hesterberg 2015).
            t = functions.stdtrit(self.topics - 1, (1 + self.confidence) / 2)
            below = float(functions.ndtr(-t * np.sqrt(self.topics / (self.topics - 1))))
            return np.full(len(rows), below), np.full(len(rows), 1.0 - below)
        mean = rows.mean(axis=-1, keepdims=True)
        share = ((drawn < mean).mean(axis=-1) + (drawn <= mean).mean(axis=-1)) / 2
        # Few draws may all lie on one side of the mean; that tells no more than that fewer than one lies on the other.
        half_a_draw = 0.5 / drawn.shape[-1]
        bias = functions.ndtri(np.clip(share, half_a_draw, 1.0 - half_a_draw))
        deviation = rows - mean
        squares = (deviation**2).sum(axis=-1)
        skew = np.divide((deviation**3).sum(axis=-1), 6 * squares**1.5, out=np.zeros(len(rows)), where=squares > 0)
        z = float(functions.ndtri((1 + self.confidence) / 2))
        low, high = (functions.ndtr(bias + (bias + end) / (1 - skew * (bias + end))) for end in (-z, z))
        return low, high


def resampled_means(values: Floats, draws: Draws) -> Floats:
    """Means of each row over topics drawn with replacement (rows x draws); all rows have the same draws."""
    topics = values.shape[1]

    def work(part: slice) -> Floats:
        pieces = Sums(draws.resamples(topics, part)).of(values)
        return np.concatenate([piece.transpose(1, 0, 2).reshape(len(values), -1) for piece in pieces], axis=1)

    drawn: Floats = np.concatenate(draws.over(work), axis=1) / topics
    return drawn


def ends(drawn: Floats, rows: Floats, levels: Levels) -> tuple[Floats, Floats]:
    """The low and the high end of each row's interval, from draws (rows x draws) of its mean.

    >>> drawn = np.arange(101.0)[None]
    >>> [end.round(2).tolist() for end in ends(drawn, np.array([[0.0, 100.0] * 50]), Levels(0.9, 100, corrected=False))]
    [[4.76], [95.24]]
    """
    ordered = np.sort(drawn, axis=-1)
    low, high = (_percentile(ordered, level) for level in levels.of(drawn, rows))
    return low, high


def _percentile(ordered: Floats, level: Floats) -> Floats:
    """The value below which a share of each ordered row lies, between its neighbours in proportion."""
    place = np.clip(level, 0.0, 1.0) * (ordered.shape[1] - 1)
    below = np.floor(place).astype(np.int64)
    row = np.arange(len(ordered))
    one, other = ordered[row, below], ordered[row, np.minimum(below + 1, ordered.shape[1] - 1)]
    found: Floats = one + (place - below) * (other - one)
    return found
