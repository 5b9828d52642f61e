"""The question: what is there to measure?"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from truerank.questions.signature import question
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column
from truerank.report.signature import Argument
from truerank.report.table import Column, Table

WIDTH = 78
"""Columns of a page."""


class MeasureRow(Row):
    """A measure of the catalogue."""

    name: str = column("the measure")
    written: str = column("how it is written: with [@k] where it takes a cutoff")
    formula: str = column("its formula")
    range: tuple[float, float] = column(
        "the least and the most that it can be; null where there is no such end", nested=True
    )
    parameters: dict[str, Any] = column("names of its parameters, with their defaults", nested=True)
    citation: str = column("who introduced it")
    aliases: dict[str, str] = column("other names, and what they stand for", nested=True)
    text: str = column("what it measures")
    example: str = column("a Python session, with truerank as tr and numpy as np")
    higher_is_better: bool = column("whether more is better")
    bounds: str = column("whether judgments can come to the bounds that unjudged documents give to it")

    @property
    def span(self) -> str:
        """The range, in words."""
        return " to ".join(f"{end:g}" for end in self.range)

    @property
    def defaults(self) -> str:
        """Parameters with their defaults, where they have one."""
        return ", ".join(name if value is None else f"{name}={value!r}" for name, value in self.parameters.items())

    def in_full(self) -> Iterator[str]:
        """All there is to know about it, for people."""
        yield from (self.written, "")
        for paragraph in self.text.split("\n\n"):
            yield from textwrap.wrap(paragraph, WIDTH, initial_indent="  ", subsequent_indent="  ")
            yield ""
        said = {
            "formula": self.formula,
            "range": self.span if self.higher_is_better else f"{self.span}, lower is better",
            "parameters": self.defaults or "none",
            "bounds": self.bounds,
            "aliases": ", ".join(f"{name} = {meant}" for name, meant in self.aliases.items()),
            "citation": self.citation,
        }
        for name, text in said.items():
            if text:
                line = f"{name + ':':<13}{text}"
                yield from textwrap.wrap(line, WIDTH, initial_indent="  ", subsequent_indent=" " * 15)
        if self.example:
            yield from ("", "  example:", *textwrap.indent(self.example, "    ").splitlines())


class Catalogue(Answer):
    """Measures, in the order of the table or of the names that were given."""

    question = "measures"
    sheets = {"measures": Sheet(MeasureRow, "what there is to measure")}

    measures: tuple[MeasureRow, ...]
    in_full: bool = False
    """Whether people see a page about each, as where they are asked for by name."""

    @property
    def form(self) -> str:
        """A page is printed as such in a pipe, too."""
        return "table" if self.in_full else ""

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A row a measure; in plain text, a page about those that were asked for by name."""
        if not self.in_full:
            return self._listed()
        pages = ("\n".join(row.in_full()) for row in self.measures)
        return replace(self._listed(), words=tuple("\n\n".join(pages).split("\n")))

    def whole_layout(self, show: str) -> Table:
        """A row a measure; pages of text are for people and for JSON."""
        return self._listed()

    def _listed(self) -> Table:
        columns = (
            Column("measure", whole=True),
            Column("formula"),
            Column("range", whole=True),
            Column("parameters"),
            Column("citation"),
        )
        cells = ((row.written, row.formula, row.span, row.defaults, row.citation) for row in self.measures)
        return Table(columns, tuple(cells))


@question()
def catalogue(measures: Annotated[Any, Argument("[MEASURE]...", many=True, required=False)] = ()) -> Catalogue:
    """List the measures, or show one in full.

    Example:
      truerank measures AP nDCG

    >>> [(row.written, row.defaults) for row in catalogue(["MAP", "RBP(p=0.5)"]).measures]
    [('AP[@k]', "rel=1, norm='R'"), ('RBP[@k]', 'rel, gains, max_rel, p=0.8')]
    """
    from truerank.measures.catalogue import entry
    from truerank.measures.catalogue import measures as every
    from truerank.measures.grammar import parse_all

    entries = tuple(map(entry, parse_all(measures))) if measures else every()
    return Catalogue(measures=tuple(MeasureRow(**vars(one)) for one in entries), in_full=bool(measures))


COMMAND = catalogue
