"""The question: how far do rankings agree?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Runs, question
from truerank.report.answer import Answer, ByName, Keyed, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Argument, Option
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
    tau_ap: float = column("AP correlation; the reference is the truth, mean over orders of ties", best="high")
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

    def own_notes(self, show: str) -> Iterator[Note]:
        short = [one for one in self.by_run if one.listed < one.documents]
        for one in short[:_FEW]:
            yield ABSENT(run=one.run, absent=one.documents - one.listed, documents=one.documents)
        if len(short) > _FEW:
            yield ABSENT("others", runs=len(short) - _FEW)
        flat = [one for one in self.by_run if one.flat]
        if flat:
            least, most = min(one.flat for one in flat), max(one.flat for one in flat)
            yield FLAT("" if least == most else "between", least=least, topics=most, runs=len(flat))


Persistence = Annotated[float, Option("Persistence of rank-biased overlap.", flags="-p")]
Confidence = Annotated[
    float, Option("How often intervals are to hold, about, over other items like these.", metavar="SHARE")
]
Columns = Annotated[
    Sequence[str],
    Option(
        "Which column, where a header line names several; give it twice if A and B have different ones.",
        metavar="NAME",
        many=True,
    ),
]
Grades = Annotated[
    bool,
    Option("A are judgments with grades that the scores of runs are to predict: squared and ordinal error, too."),
]


@question()
def agreement(
    a: Any, b: Any, *, p: Persistence = 0.9, confidence: Confidence = 0.95, column: Columns = ()
) -> Agreement:
    """Measure how far two rankings agree; the first is the truth, if one is.

    Each is {item: score}, where a higher score is better and equal ones are tied, or a list of items from the best on,
    in which items that are tied stand in a list or tuple of their own, or the path of a file. ``p`` is the persistence
    of rank-biased overlap, see ``truerank.statistics.rbo``; ``column`` names that of files, one for both or for each.
    ``answer.intervals`` has what is to be expected of Kendall's and Spearman's coefficients, for as many other items
    like these, with a share of ``confidence``, about.

    >>> one, other = {"bm25": 0.31, "dense": 0.42, "hybrid": 0.45}, {"bm25": 0.30, "dense": 0.52, "hybrid": 0.47}
    >>> answer = agreement(one, other)
    >>> round(answer.tau_b, 4), round(answer.tau_ap, 4), round(answer.rbo.a.ext, 4)
    (0.3333, 0.0, 0.9)
    >>> agreement(["a", "b"], ["a", "c"]).notices
    ("a has 'b', which b lacks, and b has 'c', which a lacks; correlations need the same items and are undefined",)
    """
    from truerank.questions.agreement.files import chosen_columns, given_ranking
    from truerank.questions.agreement.work import between
    from truerank.statistics.jackknife import refuse_confidence
    from truerank.statistics.rbo import refuse_persistence

    refuse_persistence(p)
    refuse_confidence(confidence)
    first, last = chosen_columns(column)
    return between(given_ranking(a, first), given_ranking(b, last), p=p, confidence=confidence)


@question()
def agreement_by_topic(order: Any, runs: Runs, *, grades: Grades = False) -> AgreementByTopic:
    """Measure how far runs have the documents of each topic in a given order.

    ``order`` has a ranking for each topic, in any form that a run may have; with ``grades`` it has judgments.

    >>> run = agreement_by_topic({"q": ["a", "b", "c", "d"]}, {"q": ["b", "a", "c"]})["run"]
    >>> run.tau_b, run.spearman, run.listed
    (0.6666666666666666, 0.8, 3)
    >>> agreement_by_topic({"q": {"a": 2, "b": 0}}, {"q": {"a": 1.5, "b": 0.5}}, grades=True)["run"].squared
    0.25
    """
    from truerank.questions.agreement.work import survey

    return survey(order, runs, grades=grades)


@question()
def command(
    a: Annotated[Any, Argument("A")],
    b: Annotated[Any, Argument("B...", many=True, holds="runs")],
    *,
    p: Persistence = 0.9,
    confidence: Confidence = 0.95,
    column: Columns = (),
    by_topic: Annotated[
        bool, Option("A is a run that has the documents of each topic in order, and B are runs.")
    ] = False,
    grades: Grades = False,
) -> Agreement | AgreementByTopic:
    """Measure how far two rankings agree.

    A and B hold an item and its score a line, as truerank evaluate --out scores.tsv writes for runs, or an item a line,
    best first. Where one is the truth, it is A.

    With --by-topic A has a ranking of documents for each topic, in any form that a run may have, and each B is a run.
    With --grades A has judgments, which order documents by their grades, and runs have scores that are to come close to
    them. Documents that a run does not list are tied below those that it does, and those that only the run has do not
    count. Errors are of the documents that are listed: the mean of the squared difference between score and grade, and
    how many grades the one nearest to the score is from the right one.

    Example:
      truerank agreement scores.tsv scores.tsv --column AP --column nDCG@10
      truerank agreement best-first.run bm25.run dense.run --by-topic
      truerank agreement qrels.txt predicted.run --grades --show topics
    """
    if by_topic or grades:
        if column:
            raise InputError("column= chooses scores of items; leave it out, or by_topic= and grades=")
        return agreement_by_topic(a, b, grades=grades)
    if len(b) > 1:
        raise InputError(f"there are {len(b)} rankings to compare with A; give one, or by_topic= if they are runs")
    if not isinstance(b[0], str):
        raise InputError("columns of runs are for rankings by topic; leave them out, or give by_topic=")
    return agreement(a, b[0], p=p, confidence=confidence, column=column)


COMMAND = command
