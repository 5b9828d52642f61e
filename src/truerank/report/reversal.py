"""The chance that judging more puts two runs in the other order, in a word."""

from __future__ import annotations

REVERSALS = ((0.05, "hardly"), (0.2, "unlikely"), (0.8, "open"), (0.95, "likely"), (2.0, "nearly sure"))
"""What a chance is called, and below which one. Chances are not good to the last ten points, and differ between
collections; what the words claim held on each of six (docs/how-to/unjudged.md)."""


def reversal_word(chance: float) -> str:
    """How likely a pair of runs is to be reversed.

    >>> [reversal_word(chance) for chance in (0.01, 0.05, 0.5, 0.8, 0.99)]
    ['hardly', 'unlikely', 'open', 'likely', 'nearly sure']
    """
    return next(word for most, word in REVERSALS if chance < most)
