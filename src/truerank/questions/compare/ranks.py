"""Ranks of systems with their intervals: which places a system can have, by what is shown of pairs."""

from __future__ import annotations

from truerank.data.arrays import Mask, Rows
from truerank.questions.compare.plan import CompareSettings


def at_once(settings: CompareSettings) -> bool:
    """Whether all verdicts hold at once with the confidence 1 - alpha, and so what follows from all of them.

    >>> at_once(CompareSettings()), at_once(CompareSettings(test="tukey")), at_once(CompareSettings(correction="none"))
    (True, True, False)
    """
    return settings.procedure.simultaneous or settings.correction in ("holm", "bonferroni")


def rank_intervals(better: Mask) -> tuple[Rows, Rows]:
    """The best and the worst rank that each system can have, where ``better[i, j]`` says that i is better than j.

    A system stands below all that are shown to be better than it, and above all that it is shown to be better than.
    Where all that is shown is right, so are the ranks of all systems at once, those with equal means included (Al
    Mohamad, Goeman & van Zwet 2022; Mogstad, Romano, Shaikh & Wilhelm 2024). Percentiles of ranks by topics drawn again
    promise no such thing: they keep systems that are nearly as good as each other where they happen to stand.

    >>> import numpy as np
    >>> [ends.tolist() for ends in rank_intervals(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], bool))]
    [[1, 1, 3], [2, 2, 3]]
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
