"""What stands below a table: how its numbers came about."""

from __future__ import annotations

from collections.abc import Mapping


def caption(*counts: str, conventions: Mapping[str, object], meaning: str = "") -> str:
    """How many of what, the conventions that are to be named, and what the numbers mean.

    >>> caption("2 runs", "1 topic", conventions={"ties": "best"}, meaning="shares of lists")
    '2 runs, 1 topic, ties best; shares of lists'
    """
    named = ", ".join([*counts, *(f"{axis} {value}" for axis, value in conventions.items())])
    return f"{named}; {meaning}" if meaning else named
