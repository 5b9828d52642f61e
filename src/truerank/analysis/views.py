"""One run under any convention: each reading is made when first asked for, and kept."""

from __future__ import annotations

import numpy as np

from truerank.conventions.choices import Conventions
from truerank.conventions.ending import TERMINAL, until_nil
from truerank.conventions.ties import broken_by_merit, broken_by_order
from truerank.conventions.unjudged import assumed, condensed
from truerank.data.arrays import Floats, Rows
from truerank.data.block import Pool, blocks, pool_of_run
from truerank.data.judge import Judged, every_document, judge
from truerank.data.qrels import Preferences, Qrels
from truerank.data.rankings import Rankings
from truerank.data.run import Run
from truerank.measures.base import Estimate, Measure

EXTREMES = ("best", "worst")


class Views:
    """A run judged once, and its rankings under the conventions that measures are to be read with."""

    def __init__(self, qrels: Qrels, run: Run, pool: Pool, choice: Conventions, deepest: int) -> None:
        self.run = run
        self.choice = choice
        self.judged = judge(qrels, run, precision=choice.precision)
        skip = choice.missing == "skip"
        self.topics = np.flatnonzero((self.judged.run_topic >= 0) | (not skip))
        self._pool = pool
        self._deepest = deepest
        self._levels = np.append(np.unique(qrels.grade), np.nan)
        self._read: dict[tuple[object, ...], Judged] = {}
        self._blocks: dict[tuple[object, ...], list[Rankings]] = {}

    @property
    def tied(self) -> bool:
        """Whether a judged document shares its score with another one."""
        return bool((self.judged.size > 1).any())

    def estimate(self, measure: Measure, *, ties: str, unjudged: str) -> Estimate:
        """Values of a measure, one a topic, under an order of ties and a reading of unjudged documents.

        ``unjudged`` is "nonrelevant", "condensed", "low" or "high".
        """
        value = np.full(len(self.judged.length), np.nan)
        error = np.zeros(len(self.judged.length))
        for block in self.rankings(measure, ties=ties, unjudged=unjudged):
            found = measure.estimate(block)
            value[block.topic] = found.value
            if found.error is not None:
                error[block.topic] = found.error
        if unjudged == "high":
            value = self._capped(measure, value)
        return Estimate(value[self.topics], error[self.topics])

    def rankings(self, measure: Measure, *, ties: str, unjudged: str) -> list[Rankings]:
        """The rankings that a measure reads."""
        choice = self.choice
        ending = choice.ending if choice.ending != "none" else getattr(measure, "ending", "none")
        # Past its cutoff a measure sees nothing; without one, weights that have a sum go on past the list.
        depth = self._deepest if unjudged == "high" and measure.cutoff is not None else None
        every = measure.needs == "every document"
        key: tuple[object, ...] = (ties, unjudged, ending, depth, every)
        if ties in EXTREMES:
            key += tuple(np.unique(measure.merit(self._levels), return_inverse=True)[1].tolist())
        if key not in self._blocks:
            read = self._reading(ties, unjudged, depth, every, ending != "none")
            if ties in EXTREMES and not isinstance(read.qrels, Preferences):
                read = broken_by_merit(read, measure.merit, best=ties == "best")
            negative_judged = choice.negative == "judged"
            self._blocks[key] = blocks(
                read,
                self._pool if choice.relevant == "judgments" else pool_of_run(read, negative_judged=negative_judged),
                self.topics,
                terminal=TERMINAL[ending],
                beyond=self._pool.max_grade if unjudged == "high" and depth is None else np.nan,
                negative_judged=negative_judged,
                tie_cost={"best": 0.0, "worst": 1.0}.get(ties, 0.5),
            )
        return self._blocks[key]

    def _reading(self, ties: str, unjudged: str, depth: int | None, every: bool, ends: bool) -> Judged:
        order = "expected" if ties in EXTREMES else ties
        key = (order, unjudged, depth, every, ends)
        if key in self._read:
            return self._read[key]
        read = self.judged
        if every or unjudged in ("low", "high"):
            read = every_document(read, depth)
        if ends:
            read = until_nil(read)
        if unjudged in ("low", "high"):
            read = assumed(read, self._pool.max_grade if unjudged == "high" else 0.0, depth)
        if order != "expected":
            read = broken_by_order(read, order.partition("(")[0], self.choice.seed)
        if unjudged == "condensed":
            read = condensed(read, negative_judged=self.choice.negative == "judged")
        self._read[key] = read
        return read

    def _capped(self, measure: Measure, value: Floats) -> Floats:
        """No measure exceeds its range; where undefined, it might be defined if unjudged documents were relevant."""
        most = measure.range[1]
        unjudged: Rows = self.judged.length - np.diff(self.judged.offsets)
        value = np.where(np.isnan(value) & (unjudged > 0), most, value)
        return np.minimum(value, most)
