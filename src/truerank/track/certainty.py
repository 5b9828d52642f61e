"""How sure it is that some runs made the pool that was judged."""

from __future__ import annotations

NEARLY = 0.95
"""Share of the judgments that a pool has to hold to be the likely one."""
CERTAIN, LIKELY, UNCLEAR = "certain", "likely", "unclear"


def certainty(depth: int | None, contributors: int, explained: int, judgments: int) -> str:
    """By the share of the judgments that a pool holds.

    >>> certainty(100, 71, 960, 1000), certainty(100, 71, 1000, 1000), certainty(None, 0, 0, 1000)
    ('likely', 'certain', 'unclear')
    """
    if depth is None or not contributors:
        return UNCLEAR
    if explained == judgments:
        return CERTAIN
    return LIKELY if explained >= NEARLY * judgments else UNCLEAR
