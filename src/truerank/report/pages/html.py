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
from truerank.report.pages.bars import axis, bar
from truerank.report.pages.section import (
    LEVELS,
    Block,
    Folded,
    Headline,
    Link,
    Listing,
    PageCell,
    Picture,
    Section,
    Shade,
    Shades,
    Strip,
    Words,
    WorthKnowing,
)
from truerank.report.plots.chart import all_visible
from truerank.report.plots.inline import variables
from truerank.report.plots.strips import colours
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
LONG = 26
"""Letters of a run up to which its name stays in a line."""
_BRIGHT = 5
"""The first level whose text has the colour of the background."""
_TEXTS = {
    "light": {"better": "#0b6b43", "worse": "#b3261e", "link": "#2457c5"},
    "dark": {"better": "#4cc38a", "worse": "#ff8a80", "link": "#8fb0ff"},
}
"""Colours that are read."""
_FILLS = {
    "light": {"warnbg": "#fff7e6", "top": "#f1f5fd", "warnline": "#e8b04a", "band": "#7f9ddd"},
    "dark": {"warnbg": "#2a2413", "top": "#1c212b", "warnline": "#8a6a22", "band": "#5673bd"},
}
"""Colours behind what is read, and of bars."""
GATES = {"PASSED": "better", "FAILED": "worse", "UNDECIDED": "undecided"}
"""The colours of how gates come out."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """Everything that is on a page."""

    title: str
    """What it is about."""
    about: str
    """When and how it was made, in a line."""
    measures: tuple[str, ...]
    baseline: str = ""
    """The run that was chosen; "" for the best by each measure."""
    baselines: tuple[str, ...] = ()
    """Runs that differences can be seen from."""
    gates: tuple[tuple[str, str], ...] = ()
    """How gates came out: "PASSED", "FAILED" or "UNDECIDED", and the rest of the sentence."""
    alerts: tuple[str, ...] = ()
    """What may make all scores worthless."""
    verdict: tuple[Headline | Words, ...] = ()
    main: tuple[Block, ...] = ()
    """The table that the page is about, what is worth knowing, and the method: one of each for each measure."""
    sections: tuple[Section, ...] = ()
    made_by: str = ""

    @property
    def findable(self) -> bool:
        """Whether there are runs or topics to find."""
        blocks = (*self.main, *(block for section in self.sections for block in section.blocks))
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
        *_main(page),
        *(line for section in page.sections for line in _section(section, page)),
        "</main>",
        f"<footer><p>{escaped(page.made_by)}</p></footer>",
        f'<script type="application/json" id="data">{data}</script>',
        f"<script>{script}</script>\n</body>\n</html>\n",
    ]
    return "\n".join(lines)


def _head(page: Page) -> Iterator[str]:
    yield f'<header>\n<p class="about"><b>{escaped(page.title)}</b> <span>{escaped(page.about)}</span></p>'
    for result, rest in page.gates:
        yield f'<p class="gate {GATES.get(result, "undecided")}"><b>{escaped(result)}</b> {escaped(rest)}</p>'
    for alert in page.alerts:
        yield f'<p class="gate worse">{escaped(alert)}</p>'
    if not any(isinstance(words, Headline) for words in page.verdict):
        yield f"<h1>{escaped(page.title)}</h1>"
    yield '<div class="verdict">'
    for words in page.verdict:
        yield from _block(words, page)
    yield "</div>"
    yield '<form id="controls" hidden aria-label="What is shown">'
    if len(page.measures) > 1:
        yield f"<label>measure {_select('measure', page.measures, page.measures[0])}</label>"
    if len(page.baselines) > 1:
        best = () if len(page.baselines) == 2 else ("",)
        names = {"": "the best run"}
        yield f"<label>baseline {_select('baseline', (*best, *page.baselines), page.baseline, names)}</label>"
    if page.findable:
        yield '<label>find <input id="find" type="search" placeholder="run or topic" aria-label="find run or topic" '
        yield 'autocomplete="off" spellcheck="false"></label>'
    yield '<output id="status" aria-live="polite"></output>\n</form></header>'


def _main(page: Page) -> Iterator[str]:
    if page.main:
        yield '<section id="leaderboard">'
        for block in page.main:
            yield from _block(block, page)
        yield "</section>"
    links = "".join(f'<a href="#{section.name}">{escaped(section.title)}</a>' for section in page.sections)
    yield f'<nav aria-label="Sections">{links}</nav>'


def _select(name: str, values: Sequence[str], chosen: str, names: Mapping[str, str] | None = None) -> str:
    options = "".join(
        f'<option value="{escaped(value)}"{" selected" if value == chosen else ""}>'
        f"{escaped((names or {}).get(value, value))}</option>"
        for value in values
    )
    return f'<select id="{name}" autocomplete="off">{options}</select>'


def _section(section: Section, page: Page) -> Iterator[str]:
    open_ = "" if section.folded else " open"
    yield f'<section id="{section.name}"><details{open_}><summary><h2>{escaped(section.title)}</h2></summary>'
    for block in section.blocks:
        if not isinstance(block, Folded):
            yield from _block(block, page)
    if folds := [block for block in section.blocks if isinstance(block, Folded)]:
        yield '<div class="folds">'
        for fold in folds:
            yield from _fold(fold, page)
        yield "</div>"
    if section.commands:
        yield f'<pre class="command">{escaped_lines(section.commands)}</pre>'
    yield "</details></section>"


def escaped_lines(lines: Iterable[str]) -> str:
    """Commands, a line each."""
    return "\n".join(map(escaped, lines))


def _block(block: Block | Headline, page: Page) -> Iterator[str]:
    if isinstance(block, Listing):
        yield from _listing(block, page)
    elif isinstance(block, Picture):
        yield f"<figure{_of(block.measure, page)}>{_title(block.measure, page)}{block.svg}"
        yield f"<figcaption>{escaped(block.said)}</figcaption></figure>"
    elif isinstance(block, Words):
        yield from _words(block, page)
    elif isinstance(block, Headline):
        yield from _verdict(block, page)
    elif isinstance(block, WorthKnowing):
        yield from _worth_knowing(block, page)
    else:
        yield from _fold(block, page)


def _words(words: Words, page: Page) -> Iterator[str]:
    if words.lines:
        said = "".join(f"<p>{escaped(line)}</p>" for line in words.lines)
        kind = f"words {words.kind}".strip()
        yield f'<div class="{kind}"{_of(words.measure, page)}>{_title(words.measure, page)}{said}</div>'


def _verdict(verdict: Headline, page: Page) -> Iterator[str]:
    detail = f"<p>{escaped(verdict.detail)}</p>" if verdict.detail else ""
    title = _title(verdict.measure, page)
    yield f"<div{_of(verdict.measure, page)}>{title}<h1>{escaped(verdict.text)}</h1>{detail}</div>"


def _worth_knowing(known: WorthKnowing, page: Page) -> Iterator[str]:
    if not known.lines:
        return
    yield f'<aside class="worth"{_of(known.measure, page)} aria-label="Worth knowing">'
    yield f"<h2>Worth knowing</h2><ul>{_items(known.lines)}</ul>"
    if known.more:
        more = f"{len(known.more)} more note{'' if len(known.more) == 1 else 's'}"
        yield f"<details><summary>{more}</summary><ul>{_items(known.more)}</ul></details>"
    yield "</aside>"


def _items(lines: Iterable[str]) -> str:
    return "".join(f"<li>{escaped(line)}</li>" for line in lines)


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
    tall = len(listing.rows) > TALL and not listing.few
    long = listing.main and any(len(str(cell)) > LONG for row in listing.rows for cell in row[1:2])
    kinds = {"dense": listing.dense, "full": drawn, "tall": tall, "main": bool(listing.main), "long": bool(long)}
    kind = " ".join(["wide", *(name for name, is_so in kinds.items() if is_so)])
    label = escaped(listing.caption)
    yield f'<div class="{kind}"{_of(listing.measure, page)} role="region" tabindex="0" aria-label="{label}">'
    yield _title(listing.measure, page)
    yield from _legend(listing)
    sortable = f' class="{" ".join(filter(None, ("sortable" * listing.sortable, listing.main)))}"'
    of = f' data-of="{listing.of}"' if listing.of else ""
    of += f' data-few="{listing.few}"' if listing.few else ""
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
    told = f' title="{escaped(column.meaning)}"' if column.meaning else ""
    title = escaped(column.title) if column.head or not listing.main or column.name != "verdict" else ""
    if column.name == listing.by[0]:
        told += f" aria-sort={'descending' if listing.by[1] else 'ascending'}"
    if column.name in listing.scales:
        lines = _lines(column, listing)
        scale = axis(listing.scales[column.name], listing.ticks, lines, zero=listing.zero) if lines else ""
        return f"<th scope=col class=drawn{told}><span>{title}</span>{scale}"
    if column.form == "shades":
        return f"<th scope=col class=drawn{told}>{title}"
    kind = " class=n" if column.number else ""
    return f"<th scope=col{kind}{told}>{title}"


def _lines(column: Column, listing: Listing) -> str:
    """The id of the lines behind the bars of a column; "" if there are none."""
    return f"{listing.name}-{column.name}" if listing.ticks or listing.zero else ""


def _cell(cell: PageCell, column: Column, listing: Listing, *, header: bool) -> str:
    tag = "th scope=row" if header else "td"
    if isinstance(cell, Strip):
        scale, lines = listing.scales[column.name], _lines(column, listing)
        return f"<td>{bar(cell.value, cell.low, cell.high, scale, kind=cell.kind, lines=lines)}"
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
    blocks = (*page.main, *(block for section in page.sections for block in section.blocks))
    listings = (block for block in blocks if isinstance(block, Listing) and block.data)
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
        **_TEXTS[theme],
        **_FILLS[theme],
    }
    return "".join(f"--{name}:{colour};" for name, colour in named.items())


def _levels() -> str:
    """The colours of heat maps: of cells with a number in them, and of strokes."""
    return "".join(
        f"td.s{place}{{background:var(--s{place});"
        f"color:var(--{'background' if place >= _BRIGHT else 'ink'})}}path.s{place}{{stroke:var(--s{place})}}\n"
        for place in range(LEVELS)
    )
