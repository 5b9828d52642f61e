"""Measures over what they say of the best ranking there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings, row_sum
from truerank.expectation.weights import Weight
from truerank.measures.core.base import Measure
from truerank.measures.core.parts import Place


@dataclass(frozen=True, kw_only=True, repr=False)
class OverIdeal(Measure):
    """Divides the measure it stands before by its value for the best ranking of the judged documents.

    Both go to the same depth; without a cutoff the ideal has all relevant documents. It has them by gain, descending:
    that is the best order where ranks weigh the less, the further down, and a reader who may stop loses nothing by it.
    """

    range = (0.0, 1.0)
    needs_depth = True
    exceeds_ideal = True
    citation = "Järvelin & Kekäläinen 2002"

    if TYPE_CHECKING:

        def weight(self) -> Weight:
            """The weight of ranks, from the measure this stands before."""

        def ideal_steps(self, best: Floats) -> Floats:
            """What each rank adds, where the gains are these, a row a ranking; from the measure this stands before."""

    def normaliser(self, r: Rankings, depth: Rows) -> Floats:
        """The value of the ideal ranking."""
        if r.more is not None:
            return self._with_more(r, r.more, depth)
        gain = self.gain(r)
        key = ("ideal sums", type(self).ideal_steps, self.weight(), gain, bool(r.terminal))
        running = r.of_pool(key, lambda: _running(self.ideal_steps(r.ideal(gain))))
        last = running.shape[1] - 1
        if depth is r.depth(self.cutoff) and r.ideal_depth(depth) is depth:
            place = last if self.cutoff is None else min(self.cutoff, last)
            return running[:, place : place + 1]
        found: Floats = running[np.arange(len(running))[:, None], np.minimum(r.ideal_depth(depth), last)]
        return found

    def _with_more(self, r: Rankings, more: Rows, depth: Rows) -> Floats:
        """The same with further documents of one grade, in as many numbers of them as there are columns."""
        if not all(term.alone for term in self.terms(r)):
            raise NotImplementedError(f"{self.name} is no sum of single documents, and is scored pool by pool")
        best, gain = r.ideal(self.gain(r)), float(self.gain(r)(np.array([r.more_grade]))[0])
        before = (best >= gain).sum(axis=-1, keepdims=True)
        last = np.minimum(before + more, depth)
        running = np.zeros(int(last.max(initial=0)) + best.shape[1] + 1)
        np.cumsum(self.weight().at(np.arange(1, len(running))), out=running[1:])
        place = np.broadcast_to(np.arange(1, best.shape[1] + 1), best.shape)
        at = np.minimum(place, len(running) - 1)
        first = np.where((place <= before) & (place <= depth), best * (running[at] - running[at - 1]), 0.0)
        total: Floats = row_sum(first)[:, None] + gain * (running[last] - running[np.minimum(before, depth)])
        lower = np.where(place > before, best, 0.0)
        if lower.any():
            for column in range(total.shape[1]):
                shifted = np.minimum(place + more[:, [column]], len(running) - 1)
                there = place + more[:, [column]] <= depth
                total[:, column] += row_sum(lower * there * (running[shifted] - running[shifted - 1]))
        return total

    def normaliser_name(self, k: str, relevant: str) -> str:
        """The ideal, to the same depth."""
        return f"the ideal {self.plain_name}@k" if k == "k" else f"the ideal {self.plain_name}"

    @property
    def plain_name(self) -> str:
        """The name of the measure without its ideal."""
        return self.name.removeprefix("n")

    def ideal_places(self, r: Rankings, depth: Rows) -> tuple[Place, ...]:
        """The ideal ranking itself; of a reader who may stop, ranks weigh as much as readers come to them."""
        best = r.ideal(self.gain(r))[0]
        ranks = np.arange(1, min(int(r.ideal_depth(depth)[0, 0]), int((best > 0).sum())) + 1)
        gains = best[: len(ranks)]
        weights = self.ideal_steps(gains[None, :])[0] / gains
        return tuple(map(Place, ranks.tolist(), gains.tolist(), weights.tolist()))

    def formula_in_use(self) -> str:
        """Without a cutoff, what is ideal goes on past the end of the list."""
        text = super().formula_in_use()
        return text.replace("@k", "") if self.cutoff is None else text


def _running(steps: Floats) -> Floats:
    """Sums down to every depth from 0 on."""
    running = np.zeros((len(steps), steps.shape[1] + 1))
    np.cumsum(steps, axis=-1, out=running[:, 1:])
    return running
