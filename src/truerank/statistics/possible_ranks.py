"""Possible ranks: where systems can stand, by the pairs of them that are decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.statistics.corrections import CORRECTIONS


def rank_intervals(better: Mask) -> tuple[Rows, Rows]:
    """The best and the worst rank that each system can have, where ``better[i, j]`` says that i is better than j.

    A system stands below all that are shown to be better than it, and above all that it is shown to be better than.
    Where all that is shown is right, so are the ranks of all systems at once, those with equal means included (Al
    Mohamad, Goeman & van Zwet 2022; Mogstad, Romano, Shaikh & Wilhelm 2024). Percentiles of ranks by topics drawn again
    promise no such thing: they keep systems that are nearly as good as each other where they happen to stand.

    >>> [ends.tolist() for ends in rank_intervals(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], bool))]
    [[1, 1, 3], [2, 2, 3]]
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


def by_own_comparisons(p: Floats, correction: str = "holm", beside: Sequence[Floats] = ()) -> Floats:
    """p of every pair, corrected for the comparisons of each of its two systems alone: the larger of the two.

    The comparisons of a system with all others are a family, so that a pair is in two of them. Its possible ranks hold
    with the confidence 1 - alpha for each system, not for all at once. Were the p of its own family taken for each
    system, a pair could be decided for one system and open for the other, and ranks would contradict each other.
    Systems that no other is better than include the best one with the same confidence: it is one system, and is left
    out only if its own family errs (Hsu 1984). ``beside`` are p of the same pairs by other measures of the family.

    >>> p = np.array([[1.0, 0.01, 0.03], [0.01, 1.0, 0.04], [0.03, 0.04, 1.0]])
    >>> by_own_comparisons(p).round(3).tolist()
    [[1.0, 0.02, 0.06], [0.02, 1.0, 0.06], [0.06, 0.06, 1.0]]
    """
    systems = len(p)
    own = np.ones((systems, systems))
    for at in range(systems):
        others = np.arange(systems) != at
        every = np.stack([each[at, others] for each in (p, *beside)])
        own[at, others] = CORRECTIONS[correction](every)[0]
    found: Floats = np.maximum(own, own.T)
    return found
