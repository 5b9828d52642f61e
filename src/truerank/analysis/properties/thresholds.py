"""One relevant document at the top against n of them after n others: what both thresholds compare."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from truerank.analysis.properties.base import NO_CASE, Found, Property
from truerank.analysis.properties.cases import Case
from truerank.analysis.properties.comparison import Asked, Comparison
from truerank.analysis.properties.scoring import Scores
from truerank.analysis.properties.search import Search
from truerank.data.arrays import Floats, Rows

FIXED = 50
"""Relevant documents where their number does not grow with n."""
DEEPEST = 2000
_EACH = 64
"""Up to here every n is tried, then some."""
_STEPS = (80, 100, 128, 160, 200, 256, 320, 400, 500, 640, 800, 1000, 1250, 1600, DEEPEST)
FARTHER = (2500, 3200, 4000, 5000, 6400, 8000, 10000)
"""Where a measure is told how large the collection is, n may have to be a good part of it."""


class Threshold(Property):
    """Compares 1... with 0^n 1^n, for R = n and R = 50, the single document alone or padded to length 2n."""

    def comparisons(self, search: Search) -> Iterator[Comparison]:
        """Every n, reading by reading."""
        farther = [n for n in FARTHER if search.size is not None and 2 * n <= search.size]
        for relevant in ("n", FIXED):
            for padded in (False, True):
                reading = f"R = {relevant} {'padded' if padded else 'truncated'}"
                for n in (*range(1, _EACH + 1), *_STEPS, *farther):
                    pool = (1,) * (n if relevant == "n" else FIXED)
                    if len(pool) >= n:
                        low = Case((*[0] * n, *[1] * n), pool, 2 * n)
                        high = low.ranked((1, *[0] * (2 * n - 1) * padded))
                        yield Comparison((high,), (low,), reading=reading, number=n)

    def said(self, comparison: Comparison) -> str:
        """Both rankings."""
        (high,), (low,) = comparison.more, comparison.less
        return f"{high}: {{0}}; {low.list}: {{1}}"

    def found(self, asked: Asked, scores: Scores) -> list[Found]:
        """What each reading says."""
        margin = scores.margin(asked.more, asked.less)
        results = []
        for reading in asked.readings:
            here = np.flatnonzero(asked.read(reading) & ~np.isnan(margin))
            if not len(here):
                results.append(Found(reading, "undefined", because=NO_CASE))
                continue
            outcome, index, note = self.decide(asked, here, margin[here], scores)
            results.append(Found(reading, outcome, self.witness(asked, index, scores, note), len(here)))
        return results

    @abstractmethod
    def decide(self, asked: Asked, here: Rows, margin: Floats, scores: Scores) -> tuple[str, int, str]:
        """The outcome, the comparison that shows it, and what else to say."""
