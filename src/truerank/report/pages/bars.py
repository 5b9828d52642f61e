"""Bars in the cells of a table: a value with its interval, all rows on one scale, as wide as the column is."""

from __future__ import annotations

from collections.abc import Sequence

HIGH = 28
"""Height of a bar with the room around it, in pixels; widths are in per cent. The style has the other heights."""


def bar(
    value: float,
    low: float,
    high: float,
    scale: tuple[float, float],
    *,
    kind: str = "",
    lines: str = "",
) -> str:
    """A mark at a value on a bar from the lower to the upper bound, over the lines of the axis that has this id.

    >>> bar(0.5, 0.25, 0.75, (0.0, 1.0), kind="worse", lines="x")
    '<svg class="bar worse" aria-hidden=true><use href="#x"/><rect x="25%" width="50%"/><rect class=at x="50%"/></svg>'
    """
    behind = f'<use href="#{lines}"/>' if lines else ""
    at = [place(one, scale) for one in (value, low, high)]
    span = ""
    if at[1] is not None and at[2] is not None:
        span = f'<rect x="{at[1]:g}%" width="{round(at[2] - at[1], 1):g}%"/>'
    mark = "" if at[0] is None else f'<rect class=at x="{at[0]:g}%"/>'
    return f'<svg class="{f"bar {kind}".strip()}" aria-hidden=true>{behind}{span}{mark}</svg>'


def axis(scale: tuple[float, float], ticks: Sequence[float], lines: str, *, zero: bool = False) -> str:
    """The numbers of a scale, which stand above bars, and the lines at these, which all bars have: ``zero`` a dark one.

    >>> axis((0.0, 1.0), [0.5], "x")
    '<svg class=axis aria-hidden=true><defs><g id="x"><line class=tick x1="50%" x2="50%" y1=0 y2=28 /></g></defs>\
<text x="50%" y=11>0.5</text></svg>'
    """
    behind = "".join(_line(tick, scale, "tick") for tick in ticks) + (_line(0.0, scale, "zero") if zero else "")
    texts = "".join(f'<text x="{place(tick, scale):g}%" y=11>{_told(tick)}</text>' for tick in ticks)
    return f'<svg class=axis aria-hidden=true><defs><g id="{lines}">{behind}</g></defs>{texts}</svg>'


def steps(scale: tuple[float, float], most: int = 5) -> tuple[float, ...]:
    """Round numbers on a scale, so many at most.

    >>> steps((-0.55, 0.07)), steps((0.0, 0.012))
    ((-0.4, -0.2, 0.0), (0.0, 0.005, 0.01))
    """
    low, high = scale
    if not high > low:
        return ()
    unit = 1e-9
    while True:
        for times in (1, 2, 5):
            step = times * unit
            first, last = -(-low // step), high // step
            if last - first < most:
                return tuple(round(at * step, 9) + 0.0 for at in range(int(first), int(last) + 1))
        unit *= 10


def place(value: float, scale: tuple[float, float]) -> float | None:
    """Where a value is on a scale, in per cent; None where it is undefined.

    >>> place(0.25, (0.0, 1.0)), place(7.0, (0.0, 1.0))
    (25.0, 100.0)
    """
    low, high = scale
    if value != value or low == high:
        return None
    return round(100 * min(1.0, max(0.0, (value - low) / (high - low))), 1)


def _line(value: float, scale: tuple[float, float], kind: str) -> str:
    at = place(value, scale)
    return "" if at is None else f'<line class={kind} x1="{at:g}%" x2="{at:g}%" y1=0 y2={HIGH} />'


def _told(tick: float) -> str:
    return f"{tick:g}"
