"""A page as one HTML file: no network, a strict policy for its contents, readable without scripts."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import quote

from truerank.data.printing import visible
from truerank.report.html import escaped
from truerank.report.pages.section import (
    LEVELS,
    Block,
    Folded,
    Link,
    Listing,
    PageCell,
    Picture,
    Section,
    Shade,
    Shades,
    Strip,
    Words,
)
from truerank.report.plots.chart import all_visible
from truerank.report.plots.inline import variables
from truerank.report.plots.strips import colours, interval
from truerank.report.plots.theme import THEMES
from truerank.report.table import Column

POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""What the browser lets a page do: nothing but what stands in it; names in it are somebody else's text."""
_SHADES = {
    "light": ("#f1f6fa", "#d9e7f2", "#bbd4e8", "#98bfdc", "#6fa6cd", "#2f76a8", "#1c5b8e", "#0b3f70"),
    "dark": ("#1e242c", "#233344", "#28455f", "#2c587b", "#2f6a97", "#6fb1de", "#97cbef", "#c2e3fa"),
}
TALL = 40
"""Rows past which a table scrolls in a window of its own on a screen."""
_BRIGHT = 5
"""The first level whose text has the colour of the background."""
_VERDICTS = {"light": {"better": "#00603f", "worse": "#9c3d00"}, "dark": {"better": "#4fd3a4", "worse": "#f5ad6b"}}


@dataclass(frozen=True, kw_only=True)
class Page:
    """Everything that is on a page."""

    title: str
    about: str
    """How it was made, in a line."""
    measures: tuple[str, ...]
    baseline: str = ""
    baselines: tuple[str, ...] = ()
    """Runs that differences can be seen from."""
    verdict: tuple[Words, ...] = ()
    sections: tuple[Section, ...] = ()
    made_by: str = ""

    @property
    def findable(self) -> bool:
        """Whether there are runs or topics to find."""
        blocks = (block for section in self.sections for block in section.blocks)
        return any(block.of for block in blocks if isinstance(block, (Listing, Folded)))


def render(page: Page) -> str:
    """The whole file."""
    style, script = _style(), _file("script.js")
    policy = POLICY.format(style=_hash(style), script=_hash(script))
    data = json.dumps(_data(page), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    lines = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="generator" content="{escaped(page.made_by)}">',
        f'<title>{escaped(page.title)}</title>\n<link rel="icon" href="data:,">',
        f"<style>{style}</style>\n</head>\n<body>",
        *_head(page),
        "<main>",
        *(line for section in page.sections for line in _section(section, page)),
        "</main>",
        f"<footer><p>{escaped(page.made_by)}</p></footer>",
        f'<script type="application/json" id="data">{data}</script>',
        f"<script>{script}</script>\n</body>\n</html>\n",
    ]
    return "\n".join(lines)


def _head(page: Page) -> Iterator[str]:
    yield f'<header>\n<h1>{escaped(page.title)}</h1>\n<p class="about">{escaped(page.about)}</p>'
    yield '<form id="controls" hidden aria-label="What is shown">'
    if len(page.measures) > 1:
        yield f"<label>measure {_select('measure', page.measures, page.measures[0])}</label>"
    if len(page.baselines) > 1:
        yield f"<label>baseline {_select('baseline', page.baselines, page.baseline)}</label>"
    if page.findable:
        yield '<label>find run or topic <input id="find" type="search" autocomplete="off" spellcheck="false"></label>'
    yield '<output id="status" aria-live="polite"></output>\n</form>'
    yield '<div class="verdict">'
    for words in page.verdict:
        yield from _words(words, page)
    yield "</div>"
    links = "".join(f'<a href="#{section.name}">{escaped(section.title)}</a>' for section in page.sections)
    yield f'<nav aria-label="Sections">{links}</nav>\n</header>'


def _select(name: str, values: Sequence[str], chosen: str) -> str:
    options = "".join(
        f'<option value="{place}"{" selected" if value == chosen else ""}>{escaped(value)}</option>'
        for place, value in enumerate(values)
    )
    return f'<select id="{name}" autocomplete="off">{options}</select>'


def _section(section: Section, page: Page) -> Iterator[str]:
    yield f'<section id="{section.name}"><details open><summary><h2>{escaped(section.title)}</h2></summary>'
    for block in section.blocks:
        if not isinstance(block, Folded):
            yield from _block(block, page)
    if folds := [block for block in section.blocks if isinstance(block, Folded)]:
        yield '<div class="folds">'
        for fold in folds:
            yield from _fold(fold, page)
        yield "</div>"
    for command in section.commands:
        yield f'<p class="command"><code>{escaped(command)}</code></p>'
    yield "</details></section>"


def _block(block: Block, page: Page) -> Iterator[str]:
    if isinstance(block, Listing):
        yield from _listing(block, page)
    elif isinstance(block, Picture):
        yield f"<figure{_of(block.measure, page)}>{_title(block.measure, page)}{block.svg}"
        yield f"<figcaption>{escaped(block.said)}</figcaption></figure>"
    elif isinstance(block, Words):
        yield from _words(block, page)
    else:
        yield from _fold(block, page)


def _words(words: Words, page: Page) -> Iterator[str]:
    if words.lines:
        said = "".join(f"<p>{escaped(line)}</p>" for line in words.lines)
        yield f'<div class="words"{_of(words.measure, page)}>{_title(words.measure, page)}{said}</div>'


def _fold(fold: Folded, page: Page) -> Iterator[str]:
    of = f' data-{fold.of}="{escaped(fold.key)}"' if fold.of else ""
    yield f'<details class="fold" id="{escaped(fold.name)}"{of}><summary>{escaped(fold.title)}</summary>'
    for block in fold.blocks:
        yield from _block(block, page)
    if fold.command:
        yield f'<p class="command"><code>{escaped(fold.command)}</code></p>'
    yield "</details>"


def _of(measure: str, page: Page) -> str:
    """What a script shows and hides by the measure that is chosen."""
    return f' data-measure="{page.measures.index(measure)}"' if measure in page.measures else ""


def _title(measure: str, page: Page) -> str:
    """The name of the measure, where there are several and no script to choose one."""
    return f"<h3>{escaped(measure)}</h3>" if measure and len(page.measures) > 1 else ""


def _listing(listing: Listing, page: Page) -> Iterator[str]:
    drawn = any(column.form == "shades" for column in listing.columns)
    kinds = {"dense": listing.dense, "full": drawn, "tall": len(listing.rows) > TALL}
    kind = " ".join(["wide", *(name for name, is_so in kinds.items() if is_so)])
    label = escaped(listing.caption)
    yield f'<div class="{kind}"{_of(listing.measure, page)} role="region" tabindex="0" aria-label="{label}">'
    yield _title(listing.measure, page)
    yield from _legend(listing)
    sortable = ' class="sortable"' if listing.sortable else ""
    of = f' data-of="{listing.of}"' if listing.of else ""
    yield f'<table id="{listing.name}"{sortable}{of}><caption><span>{label}</span></caption>'
    heads = "".join(_header(column, listing) for column in listing.columns)
    yield f"<thead><tr>{heads}</thead><tbody>"
    key = next((place for place, column in enumerate(listing.columns) if column.name == listing.of), 0)
    for row in listing.rows:
        yield "<tr>" + "".join(
            _cell(cell, column, listing, header=place == key)
            for place, (cell, column) in enumerate(zip(row, listing.columns, strict=True))
        )
    yield "</tbody></table>"
    if listing.below:
        yield f'<p class="below">{escaped(listing.below)}</p>'
    yield "</div>"


def _legend(listing: Listing) -> Iterator[str]:
    if listing.legend is not None:
        low, high = map(escaped, listing.legend)
        swatches = colours(range(LEVELS))
        yield f'<p class="legend"><span>{low}</span>{swatches}<span>{high}</span></p>'


def _header(column: Column, listing: Listing) -> str:
    kind = " class=n" if column.number else ""
    told = f' title="{escaped(column.meaning)}"' if column.meaning else ""
    title = escaped(column.title)
    drawn = column.name in listing.scales or column.form == "shades"
    if drawn:
        return f"<th scope=col class=drawn{told}>{title}"
    return f"<th scope=col{kind}{told}>{title}"


def _cell(cell: PageCell, column: Column, listing: Listing, *, header: bool) -> str:
    tag = "th scope=row" if header else "td"
    if isinstance(cell, Strip):
        return f"<td>{interval(cell.value, cell.low, cell.high, listing.scales[column.name], zero=listing.zero)}"
    if isinstance(cell, Shades):
        return f"<td>{colours(cell.levels)}"
    if isinstance(cell, Shade):
        kind = cell.kind or ("" if cell.level is None else f"s{cell.level}")
        return f"<td class={kind}>{escaped(cell.text)}" if kind else f"<td>{escaped(cell.text)}"
    if isinstance(cell, Link):
        return f'<{tag}><a href="#{quote(visible(cell.to))}">{escaped(cell.text)}</a>'
    if cell is None or cell == "":
        return f"<{tag}>"
    kind = " class=n" if column.number and not header else ""
    return f"<{tag}{kind}>{escaped(str(cell))}"


def _data(page: Page) -> dict[str, object]:
    """What the script works with; the rest it reads from the page."""
    listings = (
        block for section in page.sections for block in section.blocks if isinstance(block, Listing) and block.data
    )
    data = {
        "baselines": page.baselines,
        "tables": {listing.name: dict(listing.data) for listing in listings},
    }
    found: dict[str, object] = all_visible(data)
    return found


def packed(values: Iterable[int]) -> str:
    """Whole numbers from -32,768 to 32,767 in a text of few letters, which a script reads into an array.

    >>> packed([1, -1])
    'AQD//w=='
    """
    return base64.b64encode(b"".join(value.to_bytes(2, "little", signed=True) for value in values)).decode()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _file(name: str) -> str:
    return files("truerank.report.pages").joinpath(name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{_colours('dark')}}}}}"
    return f":root{{{_colours('light')}}}{dark}\n{_levels()}{_file('style.css')}"


def _colours(theme: str) -> str:
    named: Mapping[str, str] = {
        **variables(THEMES[theme]),
        **{f"s{place}": colour for place, colour in enumerate(_SHADES[theme])},
        **_VERDICTS[theme],
    }
    return "".join(f"--{name}:{colour};" for name, colour in named.items())


def _levels() -> str:
    """The colours of heat maps: of cells with a number in them, and of strokes."""
    return "".join(
        f"td.s{place}{{background:var(--s{place});"
        f"color:var(--{'background' if place >= _BRIGHT else 'ink'})}}path.s{place}{{stroke:var(--s{place})}}\n"
        for place in range(LEVELS)
    )
