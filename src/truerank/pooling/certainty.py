"""How sure it is that some runs made the pool that was judged, and how deep it is, in words."""

from __future__ import annotations

NEARLY = 0.95
"""Share of the judgments that a pool has to hold to be taken for all of what was judged."""
CERTAIN, LIKELY, UNCLEAR = "certain", "likely", "unclear"
NOT_JUDGED = -1
"""The grade that stands, in qrels, for a document that is in the pool and not judged."""


def certainty(*, exact: bool, edge: bool, members: int, explained: float) -> str:
    """Of a pool: certain where it has every document of the judgments and no other, likely where it has nearly all.

    It is likely as well where the judgments break off at its edge, whatever else was judged.

    >>> some = {"members": 3, "explained": 0.5}
    >>> [certainty(exact=exact, edge=edge, **some) for exact, edge in ((True, False), (False, True), (False, False))]
    ['certain', 'likely', 'unclear']
    """
    if not members:
        return UNCLEAR
    if exact:
        return CERTAIN
    return LIKELY if edge or explained >= NEARLY else UNCLEAR


def deep(depths: tuple[int, int]) -> str:
    """How deep a pool is whose topics and runs have a least depth and a greatest.

    >>> deep((100, 100)), deep((7, 15))
    ('100', '7+')
    """
    least, most = depths
    return str(least) if least == most else f"{least}+"
