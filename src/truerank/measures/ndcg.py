"""Normalised discounted cumulative gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.expectation.weights import Weight
from truerank.measures.core.parts import Place
from truerank.measures.dcg import DCG


@dataclass(frozen=True, kw_only=True, repr=False)
class NDCG(DCG):
    """DCG over the DCG of the best ranking of the judged documents, both to the same depth.

    >>> round(NDCG(cutoff=3).of([1, 0, 2]), 4)
    0.7602
    """

    name = "nDCG"
    formula = "DCG@k / ideal DCG@k"
    range = (0.0, 1.0)

    def normaliser(self, r: Rankings, depth: Rows) -> Floats:
        """DCG of the ideal ranking."""
        if r.more is not None:
            return self._ideal_with_more(r, r.more, depth)
        gain, weight = self.gain(r), self.weight()
        running = r.of_pool(("ideal DCG", weight, gain, bool(r.terminal)), lambda: self._running(r.ideal(gain), weight))
        last = running.shape[1] - 1
        if depth is r.depth(self.cutoff) and r.ideal_depth(depth) is depth:
            place = last if self.cutoff is None else min(self.cutoff, last)
            return running[:, place : place + 1]
        found: Floats = running[np.arange(len(running))[:, None], np.minimum(r.ideal_depth(depth), last)]
        return found

    def _running(self, best: Floats, weight: Weight) -> Floats:
        """Of ideal gains, the DCG down to every depth from 0 on."""
        running = np.zeros((len(best), best.shape[1] + 1))
        np.cumsum(weight.apply(best, np.arange(1, best.shape[1] + 1)), axis=-1, out=running[:, 1:])
        return running

    def _ideal_with_more(self, r: Rankings, more: Rows, depth: Rows) -> Floats:
        """The same with further documents of one grade, in as many numbers of them as there are columns."""
        best, gain = r.ideal(self.gain(r)), float(self.gain(r)(np.array([r.more_grade]))[0])
        before = (best >= gain).sum(axis=-1, keepdims=True)
        last = np.minimum(before + more, depth)
        running = np.zeros(int(last.max(initial=0)) + best.shape[1] + 1)
        np.cumsum(self.weight().at(np.arange(1, len(running))), out=running[1:])
        place = np.broadcast_to(np.arange(1, best.shape[1] + 1), best.shape)
        at = np.minimum(place, len(running) - 1)
        first = np.where((place <= before) & (place <= depth), best * (running[at] - running[at - 1]), 0.0)
        total: Floats = first.sum(axis=-1, keepdims=True) + gain * (running[last] - running[np.minimum(before, depth)])
        lower = np.where(place > before, best, 0.0)
        if lower.any():
            for column in range(total.shape[1]):
                shifted = np.minimum(place + more[:, [column]], len(running) - 1)
                there = place + more[:, [column]] <= depth
                total[:, column] += (lower * there * (running[shifted] - running[shifted - 1])).sum(axis=-1)
        return total

    def normaliser_name(self, k: str, relevant: str) -> str:
        """The ideal, to the same depth."""
        return "the ideal DCG@k" if k == "k" else "the ideal DCG"

    def ideal_places(self, r: Rankings, depth: Rows) -> tuple[Place, ...]:
        """The ideal ranking itself."""
        best = r.ideal(self.gain(r))[0]
        ranks = np.arange(1, min(int(r.ideal_depth(depth)[0, 0]), int((best > 0).sum())) + 1)
        return tuple(map(Place, ranks.tolist(), best[: len(ranks)].tolist(), self.weight().at(ranks).tolist()))

    def formula_in_use(self) -> str:
        """Without a cutoff, what is ideal goes on past the end of the list."""
        text = super().formula_in_use()
        return text.replace("@k", "") if self.cutoff is None else text
