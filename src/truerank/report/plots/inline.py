"""A figure as a part of a page, in the page's own colours."""

from __future__ import annotations

import re

from truerank.report.html import escaped
from truerank.report.plots.chart import Plot
from truerank.report.plots.theme import THEMES, Theme

_NUMBER = re.compile(r"-?\d+\.\d+")
_TAG = re.compile(r"<[^>]*>")
_SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)" viewBox="([^"]*)">')
_ID = re.compile(r'(id="|url\(#|href="#)([\w-]+)')
_IDLE = re.compile(r' (?:class="(?!marks)[^"]*"|aria-[a-z]+="[^"]*"|role="[^"]*"|pointer-events="none"|opacity="1")')
"""What Vega tells programs of every mark; a page has a sentence for the whole figure, and a table."""
_LINE = re.compile(r'd="(M[-\d.,]+(?:L[-\d.,]+){3,})"')
_EMPTY = re.compile(r'<path d=""(?: display="none")?/>|<path d="M0,0h0v0h0Z"/>')
_TEXT = re.compile(r'(<text [^>]*?fill="var\(--)c\d(\)")')
"""Lines may be as bright as they like; what is read has to stand out."""
_LARGEST = 1.5
"""How much larger than it was drawn a figure may be: its letters are then as large as those of the page."""


def variables(theme: Theme) -> dict[str, str]:
    """The colours of a theme by the names that a page gives them.

    >>> variables(THEMES["light"])["ink"]
    '#1b1b1b'
    """
    named = {name: getattr(theme, name) for name in ("background", "quiet", "grid", "faint", "alarm")}
    colours = {f"c{place}": colour for place, colour in enumerate(theme.palette)}
    # A name that comes later wins where two have the same colour.
    return {**colours, **named, "ink": theme.ink}


def inline(plot: Plot, said: str, name: str, *, room: int = 0) -> str:
    """The figure as SVG without colours of its own: drawn in the light theme, each is the page's colour of that name.

    ``said`` is the sentence for those who do not see it, and ``name`` tells its ids from those of other figures of the
    page; it grows to fill the ``room`` there is, in pixels, by half of its size at most. Numbers have one decimal,
    which is less than can be seen.
    """
    svg = plot.render("svg").decode()
    found = _SIZE.match(svg)
    assert found is not None
    width, height, box = found.groups()
    names = {colour: name for name, colour in variables(THEMES["light"]).items()}
    body = _EMPTY.sub("", _IDLE.sub("", svg[found.end() :]))
    # What is read keeps its digits: the p of RBP(p=0.98).
    body = _TAG.sub(lambda tag: _NUMBER.sub(_short, tag[0]), body)
    body = _LINE.sub(_steps, body)
    body = re.sub(r"#[0-9a-f]{6}\b", lambda colour: f"var(--{names.get(colour[0], 'ink')})", body)
    body = _TEXT.sub(r"\1ink\2", body)
    body = _ID.sub(lambda found: f"{found[1]}{name}-{found[2]}", body)
    scale = min(max(room / int(width), 1.0), _LARGEST)
    across, down = (round(scale * int(side)) for side in (width, height))
    head = f'<svg class="figure" viewBox="{box}" width="{across}" height="{down}" role="img"'
    return f'{head} aria-label="{escaped(said)}">{body}'


def _short(number: re.Match[str]) -> str:
    """A number with one decimal."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


def _steps(found: re.Match[str]) -> str:
    """A line as steps from point to point, which takes fewer letters than where the points are."""
    points = [[round(10 * float(one)) for one in point.split(",")] for point in re.split("[ML]", found[1])[1:]]
    x, y = points[0]
    path = f"M{_tenths(x)},{_tenths(y)}l"
    for one, other in points[1:]:
        for step in (one - x, other - y):
            # A sign tells two numbers apart as well as a space.
            path += ("" if step < 0 or path[-1] == "l" else " ") + _tenths(step)
        x, y = one, other
    return f'd="{path}"'


def _tenths(value: int) -> str:
    """A number of tenths.

    >>> _tenths(125), _tenths(-20), _tenths(-5)
    ('12.5', '-2', '-.5')
    """
    text = f"{value / 10:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if abs(value) < 10 else text
