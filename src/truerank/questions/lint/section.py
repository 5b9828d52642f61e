"""What was found suspicious, as a section of a page."""

from __future__ import annotations

from truerank.questions.lint.question import SEVERITIES, Lint
from truerank.report.pages.section import Listing, PageCell, Section, Shade, Words
from truerank.report.table import Cell


def section(found: Lint, command: str) -> Section:
    """The first few findings of each kind, the worst first; the others are counted."""
    table = found.table()
    if not table.rows:
        words = Words(lines=(f"{found.summary}.",))
        return Section(name="lint", title="Nothing suspicious", blocks=(words,), commands=(command,))
    rows = sorted(table.rows, key=lambda cells: SEVERITIES.index(str(cells[0])))
    listing = Listing(name="findings", caption=table.caption, columns=table.columns, rows=[*map(_row, rows)])
    return Section(name="lint", title="What was found suspicious", blocks=(listing,), commands=(command,))


def _row(cells: tuple[Cell, ...]) -> tuple[PageCell, ...]:
    severity, *others = map(str, cells)
    # The last of them is nothing to worry about.
    kind = "worse" if severity != SEVERITIES[-1] else ""
    return (Shade(severity, None, kind), *others)
