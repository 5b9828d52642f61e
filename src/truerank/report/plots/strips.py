"""Small pictures that stand in the cells of a table: an interval on a scale, and a row of colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

WIDE, HIGH = 160, 14
"""Size of an interval in the units of the picture, which a page stretches as it likes."""


def interval(value: float, low: float, high: float, scale: tuple[float, float], *, zero: bool = False) -> str:
    """A dot at a value and a line from the lower to the upper bound; ``zero`` has a line there.

    >>> interval(0.5, 0.25, 0.75, (0.0, 1.0))
    '<svg class=strip viewBox="0 0 160 14" aria-hidden=true><path d="M40 7H120"/><circle cx=80 cy=7 r=3 /></svg>'
    """
    at = [_place(one, scale) for one in (value, low, high)]
    line = "" if at[1] is None or at[2] is None else f'<path d="M{at[1]} 7H{at[2]}"/>'
    dot = "" if at[0] is None else f"<circle cx={at[0]} cy=7 r=3 />"
    nought = f'<path class=zero d="M{_place(0.0, scale)} 0V14"/>' if zero else ""
    return f'<svg class=strip viewBox="0 0 {WIDE} {HIGH}" aria-hidden=true>{nought}{line}{dot}</svg>'


def _place(value: float, scale: tuple[float, float]) -> int | None:
    low, high = scale
    if value != value or low == high:
        return None
    return round(WIDE * min(1.0, max(0.0, (value - low) / (high - low))))


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
