"""The class of the chance that two runs reverse, once all documents that runs list are judged."""

from __future__ import annotations

REVERSALS = ((0.05, "under 5%"), (0.2, "5 to 20%"), (0.5, "20 to 50%"), (0.8, "50 to 80%"), (2.0, "over 80%"))
"""What a chance is called, and below which chance. Chances are not good to a few points, and differ between
collections: docs/how-to/unjudged.md has how often pairs of each class reversed."""


def reversal_class(chance: float) -> str:
    """How likely a pair of runs is to reverse.

    >>> [reversal_class(chance) for chance in (0.01, 0.05, 0.4, 0.5, 0.8)]
    ['under 5%', '5 to 20%', '20 to 50%', '50 to 80%', 'over 80%']
    """
    return next(word for most, word in REVERSALS if chance < most)
