"""The answers: every coefficient of agreement between two rankings, and how far runs have documents in an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import Answer, ByName, Keyed, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.table import Bounded, Cell, Column, Table, shown

if TYPE_CHECKING:
    from truerank.statistics.rbo import RBO

CORRELATIONS = {
    "tau_a": "Kendall's tau-a, a tied pair counts as 0",
    "tau_b": "Kendall's tau-b, corrected for ties",
    "tau_ap": "AP correlation with {reference} as reference, mean over orders of ties",
    "tau_ap_b": "AP correlation without a reference, corrected for ties",
    "weighted_tau": "Kendall's tau where the top weighs more, corrected for ties",
    "spearman": "Spearman's rho, mid-ranks for ties",
}
"""Coefficients from -1 to 1, which need the same items in both rankings."""
OVERLAPS = {
    "w": "rank-biased overlap, tied items share the first rank",
    "a": "rank-biased overlap, mean over orders of ties",
    "b": "rank-biased overlap, corrected for ties",
}
"""Rank-biased overlap, by what ties are taken for."""


ABSENT = Code(
    "TR721",
    "documents of the order that a run does not list",
    "{run} does not list {absent:,} of {documents:document}",
    others="{runs:other run} {runs:does|do} not list all either",
)
FLAT = Code(
    "TR722",
    "topics in which the order or the run ties all documents",
    "{topics:topic} of {runs:run} with all documents tied, in the order or in the run: not in the means of tau_b and "
    "spearman",
    between="{least} to {topics:topic} of {runs:run} with all documents tied, in the order or in the run: not in the "
    "means of tau_b and spearman",
)
_LISTED = "those that the run lists; the others are tied below them"
_SQUARED = "mean of (score - grade)^2 over the documents that the run lists; nothing without grades"
_ORDINAL = (
    "mean number of grades between the one nearest to the score and the right one, over the documents that the run "
    "lists; nothing without grades"
)
_WRONG = "share of these documents whose score is nearest to another grade; nothing without grades"
_MEANING = "documents that a run does not list are tied at its end, those that only it has do not count"
_FEW = 3
"""Runs up to which each has a note of its own."""


class Coefficient(Row):
    """One way to say how far two rankings agree."""

    coefficient: str = column("the coefficient")
    value: float = column("how far they agree; 1 where in all")
    low: float | None = column("the least that it may be, where unlisted items leave it open", default=None)
    high: float | None = column("the most that it may be", default=None)
    interval_low: float | None = column(
        "the least that is to be expected of as many other items like these; nothing for what the top decides, and "
        "with fewer than 8 items or more than 500",
        default=None,
    )
    interval_high: float | None = column("the most that is to be expected of them", default=None)
    meaning: str = column("what it is, and how it takes ties")

    @derived(for_people=False)
    def residual(self) -> float | None:
        """How much unlisted items leave open."""
        return None if self.high is None or self.low is None else self.high - self.low

    def cell(self) -> Cell:
        """The value as a table has it."""
        return self.value if self.low is None or self.high is None else Bounded(self.value, self.low, self.high)

    @property
    def interval(self) -> str:
        """The interval as people read it."""
        if self.interval_low is None or self.interval_high is None:
            return ""
        return f"{shown(self.interval_low)} to {shown(self.interval_high)}"


class Agreement(Answer):
    """How far rankings a and b agree; NaN where a coefficient is undefined, and ``notices`` say why."""

    question = "agreement"
    sheets = {"coefficients": Sheet(Coefficient, "every coefficient")}

    tau_a: float
    """Kendall's tau-a; pairs that are tied count as half agreed."""
    tau_b: float
    """Kendall's tau-b; 1 for rankings that agree in all, ties included."""
    tau_ap: float
    """AP correlation of b with a, which is the reference; the mean over all orders of ties."""
    tau_ap_b: float
    """AP correlation where neither is the reference; 1 for rankings that agree in all, ties included."""
    weighted_tau: float
    """Kendall's tau where a pair weighs by the ranks of its items, the mean of both rankings' ranks."""
    spearman: float
    """Spearman's rho, with mid-ranks for ties."""
    intervals: dict[str, tuple[float, float] | None]
    """What Kendall's and Spearman's are to be expected to be for as many other items like these; None where untold."""
    rbo: RBO
    """Rank-biased overlap, which takes rankings with different items."""
    p: float = column("the persistence that rank-biased overlap is under")
    confidence: float = column("how often intervals are to hold, about")
    items: dict[str, int] = column("how many items there are: in a, in b, in both")
    reference: str = column("the ranking that tau_ap takes for the truth", default="a")

    @property
    def coefficients(self) -> list[Coefficient]:
        """Every coefficient; overlaps with the bounds that unlisted items leave open."""
        overlaps = {name: getattr(self.rbo, name) for name in OVERLAPS}
        return [
            *(
                Coefficient(
                    coefficient=name,
                    value=getattr(self, name),
                    interval_low=ends[0] if (ends := self.intervals.get(name)) else None,
                    interval_high=ends[1] if ends else None,
                    meaning=meaning.format(reference=self.reference),
                )
                for name, meaning in CORRELATIONS.items()
            ),
            *(
                Coefficient(
                    coefficient=f"rbo.{name}", value=one.ext, low=one.low, high=one.high, meaning=OVERLAPS[name]
                )
                for name, one in overlaps.items()
            ),
        ]

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A row a coefficient, its bounds beside its value; intervals where there are some."""
        told = any(self.intervals.values())
        interval = [Column("interval", head=f"{100 * self.confidence:g}% interval", whole=True)] if told else []
        columns = (Column("coefficient"), Column("value", number=True), *interval, Column("meaning"))
        return Table(
            columns,
            tuple(
                (row.coefficient, row.cell(), *([row.interval] if told else []), row.meaning)
                for row in self.coefficients
            ),
        )

    def whole_layout(self, show: str) -> Table:
        """The same for programs, with both ends of each interval."""
        ends = (Column(name, number=True, type="float") for name in ("interval_low", "interval_high"))
        return Table(
            (Column("coefficient"), Column("value", number=True), *ends, Column("meaning")),
            tuple(
                (row.coefficient, row.cell(), row.interval_low, row.interval_high, row.meaning)
                for row in self.coefficients
            ),
        )

    def caption(self, show: str) -> str:
        counts = f"{self.items['a']} items in a, {self.items['b']} in b, {self.items['both']} in both; p {self.p:g}"
        about = "; intervals, about: of as many other items like these"
        return counts + about if any(self.intervals.values()) else counts


class DocumentOrder(Row):
    """Correlations of documents as listed with a given order of them."""

    tau_a: float = column("Kendall's tau-a, a tied pair counts as 0", best="high")
    tau_b: float = column("Kendall's tau-b, corrected for ties", best="high")
    tau_ap: float = column("AP correlation with the order as reference, mean over orders of ties", best="high")
    spearman: float = column("Spearman's rho, mid-ranks for ties", best="high")
    squared: float | None = column(_SQUARED, best="low", optional=True)
    ordinal: float | None = column(_ORDINAL, best="low", optional=True)
    wrong: float | None = column(_WRONG, best="low", optional=True)


class ListOrder(DocumentOrder):
    """A list against the order of a topic's documents."""

    run: str = column("the run")
    topic: str = column("the topic")
    documents: int = column("documents that the order has")
    listed: int = column(_LISTED)

    leading = ("run", "topic", "documents", "listed")


class RunOrder(DocumentOrder):
    """A run against the order of documents: means over the topics where each is defined."""

    run: str = column("the run")
    topics: int = column("topics that the order has")
    documents: int = column("documents that it has")
    listed: int = column(_LISTED)
    flat: int = column("topics where the order or the run ties all documents")

    leading = ("run", "topics", "documents", "listed")
    brief = (
        *("run", "documents", "listed", "tau_a", "tau_b", "tau_ap", "spearman"),
        *("squared", "ordinal", "wrong"),
    )


class AgreementByTopic(Keyed[RunOrder], Answer):
    """How far runs have documents in a given order: ``answer["bm25"].tau_b``."""

    question = "agreement"
    sheets = {
        "runs": Sheet(RunOrder, "means over topics", of="by_run", meaning=_MEANING),
        "topics": Sheet(ListOrder, "topic by topic", of="by_topic", meaning=_MEANING),
    }

    by_run: tuple[RunOrder, ...]
    by_topic: tuple[ListOrder, ...]

    @cached_property
    def by_name(self) -> Mapping[str, RunOrder]:
        return ByName({one.run: one for one in self.by_run})

    def caption(self, show: str) -> str:
        first = self.by_run[0]
        counts = (("run", len(self.by_run)), ("topic", first.topics), ("document", first.documents))
        said = ", ".join(counted(count, noun) for noun, count in counts)
        if first.squared is None:
            return said
        return f"{said}; squared, ordinal, wrong: how far scores are from grades, over documents that are listed"

    def says(self, show: str) -> Iterator[Note]:
        short = [one for one in self.by_run if one.listed < one.documents]
        for one in short[:_FEW]:
            yield ABSENT(run=one.run, absent=one.documents - one.listed, documents=one.documents)
        if len(short) > _FEW:
            yield ABSENT("others", runs=len(short) - _FEW)
        flat = [one for one in self.by_run if one.flat]
        if flat:
            least, most = min(one.flat for one in flat), max(one.flat for one in flat)
            yield FLAT("" if least == most else "between", least=least, topics=most, runs=len(flat))
