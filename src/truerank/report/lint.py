"""Findings laid out as a table."""

from __future__ import annotations

from collections import Counter

from truerank.analysis.lint.findings import Finding, Lint
from truerank.report.table import Cell, Column, Table, plain

MANY = 3
"""Files that are listed with one finding each for people, before the others are only counted."""


def lint_table(lint: Lint, *, whole: bool = False) -> Table:
    """A row a finding: for people in a few columns, and for programs ``whole``, in all of them."""
    columns, rows, notes = _whole(lint) if whole else _brief(lint)
    return Table(
        columns=columns,
        rows=rows,
        caption=lint.summary,
        notes=(*notes, *(str(fixed) for fixed in lint.fixed)),
        document=lint.to_dict,
    )


def _whole(lint: Lint) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...], tuple[str, ...]]:
    names = ("severity", "check", "file", "line", "count", "message", "effect", "remedy", "fixable", "text")
    numbers = ("line", "count")
    rows = tuple(tuple(plain(record[name]) for name in names) for record in lint.to_records())
    return tuple(Column(name, number=name in numbers) for name in names), rows, ()


def _brief(lint: Lint) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...], tuple[str, ...]]:
    columns = (
        Column("severity", whole=True),
        Column("check", whole=True),
        Column("where"),
        Column("what"),
        Column("remedy"),
    )
    seen: Counter[tuple[str, str]] = Counter()
    rows: list[tuple[Cell, ...]] = []
    for finding in lint:
        kind = finding.severity, finding.check
        seen[kind] += 1
        if seen[kind] <= MANY:
            rows.append((*kind, finding.where, _said(finding), finding.remedy))
    more = [
        f"{check} ({severity}): {count - MANY} more like these; --format tsv lists them"
        for (severity, check), count in seen.items()
        if count > MANY
    ]
    return columns, tuple(rows), tuple(more)


def _said(finding: Finding) -> str:
    # An error is about lines, and the first of them shows it better than words.
    line = f" ({finding.places[0].text})" if finding.severity == "error" and finding.places else ""
    return f"{finding.message}{line}; {finding.effect}"
