"""The catalogue of measures laid out: as a table, and a measure in full."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from truerank.measures.catalogue import Entry
from truerank.report.table import Column, Table

WIDTH = 88


def catalogue_table(entries: Sequence[Entry]) -> Table:
    """A row a measure."""
    return Table(
        columns=(
            Column("measure", whole=True),
            Column("formula"),
            Column("range", whole=True),
            Column("parameters"),
            Column("citation"),
        ),
        rows=tuple((e.written, e.formula, span(e), parameters(e), e.citation) for e in entries),
        document=lambda: {"measures": [asdict(e) for e in entries]},
    )


def in_full(entry: Entry) -> str:
    """All there is to know about a measure, for people."""
    said = {
        "formula": entry.formula,
        "range": span(entry) + ("" if entry.higher_is_better else ", lower is better"),
        "parameters": parameters(entry) or "none",
        "aliases": ", ".join(f"{name} = {meant}" for name, meant in entry.aliases.items()),
        "citation": entry.citation,
    }
    facts = [_fact(name, text) for name, text in said.items() if text]
    lines = [entry.written, "", *_paragraphs(entry.text), "", *facts]
    if entry.example:
        lines += ["", "  example:", *textwrap.indent(entry.example, "    ").splitlines()]
    return "\n".join(lines)


def span(entry: Entry) -> str:
    """The range, in words."""
    return " to ".join(f"{end:g}" for end in entry.range)


def parameters(entry: Entry) -> str:
    """Parameters with their defaults, where they have one."""
    return ", ".join(name + f"={value!r}" * (value is not None) for name, value in entry.parameters.items())


def _fact(name: str, text: str) -> str:
    return textwrap.fill(f"{name + ':':<13}{text}", WIDTH, initial_indent="  ", subsequent_indent=" " * 15)


def _paragraphs(text: str) -> list[str]:
    wrapped = ["\n".join(textwrap.wrap(part, WIDTH)) for part in text.split("\n\n")]
    return textwrap.indent("\n\n".join(wrapped), "  ").splitlines()
