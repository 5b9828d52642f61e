"""The one interval that gates and margins go by: that of the test, with topics allowed for that were not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.questions.compare.answer import MeasureComparison
from truerank.statistics.agreeing import ending_at_0, levels_left
from truerank.statistics.paired import NOISE, by_signs, constant
from truerank.statistics.unseen import guarded


@dataclass(frozen=True, eq=False)
class Gains:
    """By how much b is better than a, of each of some pairs (a, b): positive is good by every measure."""

    rows: Floats
    """Pairs x what was drawn."""
    low: Floats
    high: Floats
    """Infinite where there are too few topics for any interval."""
    shown: Floats
    """What the test shows: 1 for better, -1 for worse, 0 for neither."""
    levels: Floats
    """The level that the correction leaves to each."""

    def ends(self, sign: float) -> tuple[Floats, Floats]:
        """The same as differences of scores, where ``sign`` says whether high ones are good."""
        return (self.low, self.high) if sign > 0 else (-self.high, -self.low)

    @property
    def guarded(self) -> tuple[Mask, Mask]:
        """Whether the low and the high end allow for topics that were not seen: all but those that show something."""
        return ~((self.shown > 0) & (self.low >= 0)), ~((self.shown < 0) & (self.high <= 0))


def gains(found: MeasureComparison, pairs: Sequence[tuple[int, int]], level: float, losses: float = 0.0) -> Gains:
    """The interval of each pair at the confidence 1 - ``level``, as in the table, which agrees with verdicts there.

    It allows for topics that lose as much as the worst of a pair, or ``losses``. Too few topics to show anything by
    their signs have no interval; a difference that does not vary is where it is as soon as there are enough.
    """
    a, b = np.array(pairs).T
    sample, settings = found.sample, found.settings
    rows = found.sign * (sample.units[b] - sample.units[a])
    rows[np.abs(rows) <= NOISE * np.maximum(np.abs(sample.units[b]), np.abs(sample.units[a]))] = 0.0
    p, way = found.corrected.p[b, a], np.sign(found.sign * found.ways[b, a])
    differ = (rows != 0).sum(axis=-1)
    shown = np.where((p < level) & (2.0 ** (1.0 - differ) < level), way, 0.0)
    at = found.at_level(level)
    low, high = at.intervals.low[b, a], at.intervals.high[b, a]
    if found.sign < 0:
        low, high = -high, -low
    mean = rows.mean(axis=-1)
    low, high = np.where(np.isnan(low), mean, low), np.where(np.isnan(high), mean, high)
    least, most = ending_at_0(low, high, shown)
    if not settings.about_means:
        # What such a test shows is not where the mean is.
        least, most = np.where(shown == 0, least, low), np.where(shown == 0, most, high)
    if settings.procedure.simultaneous or settings.correction == "none":
        levels = np.full(len(rows), level / (found.corrected.size if settings.procedure.simultaneous else 1))
    else:
        first, others = levels_left(at.family, level)
        levels = np.where(p < level, first, others)
    low, high = guarded(rows, least, most, shown, levels, losses=losses, **settings.drawing())
    if not losses:
        # One more topic of the same kind changes nothing, but for rounding.
        fixed = constant(rows)
        low, high = np.where(fixed, least, low), np.where(fixed, most, high)
    widest = found.by.range[1] - found.by.range[0]
    low, high = np.maximum(low, np.minimum(mean, -widest)), np.minimum(high, np.maximum(mean, widest))
    if by_signs(sample.drawn) >= level:
        low, high = np.full(len(rows), -np.inf), np.full(len(rows), np.inf)
    return Gains(rows, low, high, shown, levels)
