"""How wide a text is in the font that figures are laid out in, so that it takes as much room in any other."""

from __future__ import annotations

import re
from html import unescape

_TEXT = re.compile(r"<text ([^>]*[^/>])>(.*?)</text>", re.DOTALL)
_PART = re.compile(r"(<tspan[^>]*)>([^<]+)</tspan>")
_SIZE = re.compile(r'font-size="([\d.]+)px"')
_OTHERS = {"\N{MINUS SIGN}": 584, "\N{HORIZONTAL ELLIPSIS}": 1000, "\N{EN DASH}": 556, "\N{MULTIPLICATION SIGN}": 584}


def _table(widths: str) -> dict[str, int]:
    return {chr(32 + place): int(width) for place, width in enumerate(widths.split())} | _OTHERS


_REGULAR = _table(
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 "
    "556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 "
    "722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 "
    "500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_BOLD = _table(
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 "
    "556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 "
    "722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 "
    "556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584"
)
"""Thousandths of the size of the font, from the space to the tilde: Helvetica, and so Arial and Liberation Sans."""


def width(text: str, size: float, *, bold: bool = False) -> float | None:
    """Pixels of a text in a font of a size; None if it has letters whose width is not known.

    >>> width("nDCG@10", 10), width("nDCG@10", 10, bold=True), width("\\N{CJK UNIFIED IDEOGRAPH-4E00}", 10)
    (49.05, 49.2, None)
    """
    known = _BOLD if bold else _REGULAR
    if not known.keys() >= {*text}:
        return None
    return round(sum(known[letter] for letter in text) * size / 1000, 2)


def taken(text: str, size: float, *, bold: bool = False) -> float:
    """Pixels that a text takes, or at most would.

    >>> taken("AP", 10), taken("\\N{CJK UNIFIED IDEOGRAPH-4E00}", 10)
    (13.34, 10)
    """
    found = width(text, size, bold=bold)
    return size * len(text) if found is None else found


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """Lines that are no wider than the room there is, if words are not.

    >>> wrapped("a line for each run, the pool dashed", 10, 90)
    ['a line for each run,', 'the pool dashed']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and taken(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fixed(svg: str) -> str:
    """The figure with texts that are as wide in every font as they were laid out, so that none covers another.

    >>> fixed('<text font-size="10px">AP</text>')
    '<text font-size="10px" textLength="13.34" lengthAdjust="spacingAndGlyphs">AP</text>'
    """
    return _TEXT.sub(_fixed, svg)


def _fixed(found: re.Match[str]) -> str:
    style, said = found.groups()
    if (size := _SIZE.search(style)) is None:
        return found[0]
    bold = 'font-weight="bold"' in style

    def long(text: str) -> str:
        pixels = width(unescape(text), float(size[1]), bold=bold)
        return f' textLength="{pixels:g}" lengthAdjust="spacingAndGlyphs"' if pixels else ""

    if "<" not in said:
        return f"<text {style}{long(said)}>{said}</text>"
    return f"<text {style}>{_PART.sub(lambda part: f'{part[1]}{long(part[2])}>{part[2]}</tspan>', said)}</text>"
