"""A small picture that stands in the cell of a table: a row of colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def colours(levels: Sequence[int | None]) -> str:
    """Cells beside each other, each in the colour of its level; cells without one are left empty.

    >>> colours([1, 1, None, 0])
    '<svg class=row viewBox="0 0 4 1" preserveAspectRatio="none" aria-hidden=true><path class=s0 \
d="M3 .5h1"/><path class=s1 d="M0 .5h2"/></svg>'
    """
    steps: dict[int, list[tuple[int, int]]] = {}
    place = 0
    for level, some in groupby(levels):
        wide = len(list(some))
        if level is not None:
            steps.setdefault(level, []).append((place, wide))
        place += wide
    paths = "".join(f'<path class=s{level} d="{_path(steps[level])}"/>' for level in sorted(steps))
    return f'<svg class=row viewBox="0 0 {place} 1" preserveAspectRatio="none" aria-hidden=true>{paths}</svg>'


def _path(steps: list[tuple[int, int]]) -> str:
    """Strokes from left to right: moves are relative, which takes the fewest letters."""
    (first, wide), *others = steps
    path, at = f"M{first} .5h{wide}", first + wide
    for place, wide in others:
        path += f"m{place - at} 0h{wide}"
        at = place + wide
    return path
