"""The answer: the claims of a paper with marks, its tables and figures made again, and its numbers beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.reproduce.paper import DEFINED, FAILS, HOLDS, MARKS, OPEN, Made
from truerank.report.answer import File, Keyed, Sheet
from truerank.report.pages.answer import PageAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.table import Table

if TYPE_CHECKING:
    from truerank.questions.report.answer import InputFile
    from truerank.report.pages.html import Page
    from truerank.report.plots.chart import Plot

COUNTED = Code(
    "TR901",
    "how many claims of a paper hold on the data given",
    "{paper}: of {claims} claims, {holds} hold here, {defined} are true by definition, {fails} do not hold, "
    "{open} cannot be determined",
)
NOT_MADE = Code("TR902", "a table or figure of a paper that could not be made, and why", "no {exhibit}: {reason}")


class ClaimMark(Row):
    """A claim of the paper, and whether it holds on the data given."""

    number: int = column("its number", head="#")
    where: str = column("the section, table or figure that has it", minor=2)
    claim: str = column("what the paper says, in other words", folds=True)
    mark: str = column(f'"{HOLDS}", "{DEFINED}" whatever the data, "{FAILS}", or "{OPEN}" with these data')
    numbers: str = column("the numbers that say so, or why it cannot be determined", folds=True, minor=1)
    rule: str = column("how it was tested, if the paper gives no number", folds=True)
    marks: dict[str, str] = column("the mark in each collection, if there are several", nested=True)

    brief = ("number", "mark", "claim", "numbers", "where")


class ShownExhibit(Row, eq=False):
    """A table, figure or worked example of the paper."""

    exhibit: str = column("its number in the paper")
    shows: str = column("what it shows", folds=True)
    made: bool = column("whether it could be made of the data given")
    reason: str = column("why not", folds=True)
    prints: str = column("what the paper has there, where that can be said in a line", folds=True)
    command: str = column("the command that makes it", folds=True, minor=1)

    parts: Made
    """Its tables and figures."""

    @derived(for_people=False, json_only=True, nested=True)
    def tables(self) -> list[dict[str, Any]]:
        """Its tables: caption, columns, and rows as people read them."""
        return [
            {"caption": table.caption, "columns": [one.name for one in table.columns], "rows": table.text()}
            for table in self.parts.tables
        ]

    @derived(for_people=False, json_only=True, nested=True)
    def figures(self) -> list[str]:
        """What its figures show, in a sentence each."""
        return [figure.said for figure in self.parts.figures]

    @derived()
    def has(self) -> str:
        """How many tables and figures were made, or why none."""
        if not self.made:
            return f"not made: {self.reason}"
        counts = ((len(self.parts.tables), "table"), (len(self.parts.figures), "figure"))
        return ", ".join(counted(number, noun) for number, noun in counts if number)

    brief = ("exhibit", "shows", "has", "command")

    def plot(self, place: int = 0) -> Plot:
        """One of its figures."""
        if place >= len(self.parts.figures):
            had = counted(len(self.parts.figures), "figure")
            raise InputError(f"{self.exhibit} has {had} here{f': {self.reason}' if self.reason else ''}")
        return self.parts.figures[place].drawn()

    def __str__(self) -> str:
        from truerank.report.text import render

        return "\n\n".join(render(table) for table in self.parts.tables)


class ComparedNumber(Row):
    """A number of the paper beside the one found."""

    exhibit: str = column("the table, figure or example")
    collection: str = column("the collection; empty for examples of the paper, and for means over all")
    of: str = column("what the number is of", folds=True)
    by: str = column("what it is by", folds=True)
    here: float = column("the number found")
    paper: float | None = column("the paper's number; none where it has none for it")

    @derived(for_people=False, form="signed")
    def difference(self) -> float | None:
        """How far the number found is above the paper's."""
        return None if self.paper is None else self.here - self.paper


class CollectionOf(Row):
    """A collection that the paper was reproduced on."""

    collection: str = column("the collection")
    topics: int = column("its judged topics")
    runs: int = column("its runs")


class Reproduction(Keyed[ShownExhibit], PageAnswer):
    """A paper on one's own data: ``found["Table 1"]`` is an exhibit, ``found.claims`` are its claims with marks."""

    question = "reproduce"
    sheets = {
        "claims": Sheet(ClaimMark, "the claims of the paper, and whether they hold here"),
        "exhibits": Sheet(ShownExhibit, "its tables and figures, and the commands that make them"),
        "numbers": Sheet(ComparedNumber, "its numbers beside those found"),
    }
    files = {
        "plot": File(
            "The figure of --exhibit: .svg, .png, .pdf, .html or .json; repeatable.", figure=True, needs="exhibit"
        )
    }

    paper: str = column("the paper, by its short name")
    title: str = column("its authors, year and title")
    cited: str = column("where it appeared")
    reproduced_on: tuple[CollectionOf, ...] = column("the collections that it was reproduced on")
    made_by: str = column("the version of truerank")
    command: str = column("the command that makes the same page")
    claims: tuple[ClaimMark, ...]
    exhibits: tuple[ShownExhibit, ...]
    inputs: tuple[tuple[str, tuple[InputFile, ...]], ...] = ()
    """What was read, by collection."""

    @property
    def by_name(self) -> Mapping[str, ShownExhibit]:
        """The exhibits, by their number in the paper."""
        return {one.exhibit: one for one in self.exhibits}

    def __getitem__(self, name: str) -> ShownExhibit:
        for one in self.exhibits:
            if one.exhibit.lower() == str(name).lower():
                return one
        raise KeyError(f"there is no {name!r}; there are {', '.join(one.exhibit for one in self.exhibits)}")

    @property
    def numbers(self) -> list[ComparedNumber]:
        """Every number that the paper has one for."""
        return [
            ComparedNumber(
                exhibit=one.exhibit,
                collection=number.collection,
                of=number.of,
                by=number.by,
                here=number.here,
                paper=number.paper,
            )
            for one in self.exhibits
            for number in one.parts.numbers
        ]

    @property
    def counts(self) -> dict[str, int]:
        """How many claims have each mark."""
        found = Counter(claim.mark for claim in self.claims)
        return {mark: found[mark] for mark in MARKS}

    def usual(self) -> str:
        """Of a single exhibit its numbers; or what it is, where the paper prints none."""
        if self.claims:
            return "claims"
        return "numbers" if self.numbers else "exhibits"

    def _tables(self) -> tuple[Table, ...]:
        """The tables of the one exhibit that was asked for."""
        return () if self.claims or len(self.exhibits) != 1 else self.exhibits[0].parts.tables

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Of a single exhibit, people see the table in the form of the paper."""
        tables = self._tables() if show == self.usual() else ()
        if len(tables) == 1:
            return tables[0]
        if tables:
            from truerank.report.text import render

            lines = [line for table in tables for line in (*render(table).splitlines(), "")]
            return replace(tables[0], words=tuple(lines), caption="")
        return super().layout(show)

    def lead(self, show: str) -> Iterator[Note]:
        """How many claims hold."""
        if show == "claims":
            counts = self.counts
            yield COUNTED(
                paper=self.title,
                claims=len(self.claims),
                holds=counts[HOLDS],
                defined=counts[DEFINED],
                fails=counts[FAILS],
                open=counts[OPEN],
            )

    def own_notes(self, show: str) -> Iterator[Note]:
        """Exhibits that could not be made."""
        for one in self.exhibits:
            if not one.made:
                yield NOT_MADE(exhibit=one.exhibit, reason=one.reason)

    def caption(self, show: str) -> str:
        """What it was reproduced on."""
        sizes = [
            f"{one.collection}: {counted(one.runs, 'run')}, {counted(one.topics, 'topic')}"
            for one in self.reproduced_on
        ]
        return "; ".join(sizes) or "without judgments and runs: what the paper works out by hand"

    def plot(self) -> Plot:
        """The figure of the one exhibit that was asked for; ``found["Figure 1"].plot()`` has that of each."""
        drawn = [one for one in self.exhibits if one.parts.figures]
        return (drawn or [*self.exhibits])[0].plot()

    def paged(self) -> Page:
        """Everything that is on the page."""
        from truerank.questions.reproduce.page import page

        return page(self)

    def __repr__(self) -> str:
        return f"Reproduction({self.paper}, {len(self.exhibits)} exhibits, {len(self.claims)} claims)"
