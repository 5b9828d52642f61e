"""A page as Markdown, for a pull request: the same sections, tables and sentences, without pictures."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.report import html
from truerank.report.markdown import escaped
from truerank.report.pages.html import Page
from truerank.report.pages.section import (
    Block,
    Folded,
    Headline,
    Link,
    Listing,
    PageCell,
    Section,
    Shade,
    Shades,
    Strip,
    Words,
    WorthKnowing,
)

ROWS = 40
"""Rows of a table."""
COLUMNS = 12
"""Columns of a table."""
FOLDS = 10
"""Topics that are told in full: pages of code hosts have a limit."""


def render(page: Page) -> str:
    """The whole page."""
    lines = [f"# {escaped(page.title)}", "", f"{escaped(page.about)}", ""]
    lines += [line for result, rest in page.gates for line in (f"**{escaped(result)}** {escaped(rest)}", "")]
    lines += [line for alert in page.alerts for line in (f"**{escaped(alert)}**", "")]
    for words in page.verdict:
        lines += _block(words, page)
    for block in page.main:
        lines += _block(block, page)
    for section in page.sections:
        lines += _section(section, page)
    lines.append(f"({escaped(page.made_by)})")
    return "\n".join(lines) + "\n"


def _section(section: Section, page: Page) -> Iterator[str]:
    yield from (f"## {escaped(section.title)}", "")
    folds = [block for block in section.blocks if isinstance(block, Folded)]
    for block in section.blocks:
        if not isinstance(block, Folded):
            yield from _block(block, page)
    for fold in folds[:FOLDS]:
        yield from _folded(fold, page)
    if len(folds) > FOLDS:
        yield from (f"{len(folds) - FOLDS} more are in the page.", "")
    yield from (f"    {' '.join(command.split())}" for command in section.commands)
    yield ""


def _block(block: Block | Headline, page: Page) -> Iterator[str]:
    if isinstance(block, Headline):
        measure = f"{escaped(block.measure)}: " if block.measure and len(page.measures) > 1 else ""
        yield from (f"**{measure}{escaped(block.text)}** {escaped(block.detail)}".rstrip(), "")
    elif isinstance(block, WorthKnowing):
        yield from _worth_knowing(block)
    elif isinstance(block, Listing):
        yield from _listing(block)
    elif isinstance(block, Words):
        yield from _words(block, page)
    elif isinstance(block, Folded):
        yield from _folded(block, page)
    else:
        yield from (f"- {escaped(block.said)}", "")


def _words(words: Words, page: Page) -> Iterator[str]:
    if not words.lines:
        return
    if words.measure and len(page.measures) > 1:
        yield from (f"**{escaped(words.measure)}**", "")
    yield from (f"- {escaped(line)}" for line in words.lines)
    yield ""


def _worth_knowing(known: WorthKnowing) -> Iterator[str]:
    if known.lines:
        yield from ("Worth knowing:", "")
        yield from (f"- {escaped(line)}" for line in known.lines)
        if known.more:
            yield f"- {len(known.more)} more in the page"
        yield ""


def _folded(fold: Folded, page: Page) -> Iterator[str]:
    yield f"<details><summary>{html.escaped(fold.title)}</summary>"
    yield ""
    for block in fold.blocks:
        yield from _block(block, page)
    yield from ("</details>", "")


def _listing(listing: Listing) -> Iterator[str]:
    drawn = [
        at for at, column in enumerate(listing.columns) if column.name in listing.scales or column.form == "shades"
    ]
    kept = [at for at in range(len(listing.columns)) if at not in drawn][:COLUMNS]
    dropped = len(listing.columns) - len(drawn) - len(kept)
    columns = [listing.columns[at] for at in kept]
    yield from (f"{escaped(listing.caption)}:", "")
    titles = [column.title if column.head or not listing.main or column.name != "verdict" else "" for column in columns]
    yield _line([escaped(title) for title in titles])
    yield "|" + "|".join("---:" if column.number else ":---" for column in columns) + "|"
    for row in listing.rows[:ROWS]:
        yield _line([_cell(row[at]) for at in kept])
    hidden = [f"{len(listing.rows) - ROWS} rows" if len(listing.rows) > ROWS else ""]
    hidden.append(f"{dropped} columns" if dropped > 0 else "")
    more = " and ".join(filter(None, hidden))
    yield ""
    if more:
        yield from (f"({more} more are in the page)", "")
    if listing.below:
        yield from (escaped(listing.below), "")


def _cell(cell: PageCell) -> str:
    if isinstance(cell, Shade):
        strong = cell.kind not in ("", "quiet") and cell.text
        return f"**{escaped(cell.text)}**" if strong else escaped(cell.text)
    if isinstance(cell, Link):
        return escaped(cell.text)
    if cell is None or isinstance(cell, (Strip, Shades)):
        return ""
    return escaped(str(cell))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
