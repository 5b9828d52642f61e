"""The answer: how far runs have documents in a given order, and how far their scores are from grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import Answer, ByName, Keyed, Sheet
from truerank.report.rows import Row, column

ABSENT = Code("TR721", "documents of the order that a run does not list")
FLAT = Code("TR722", "topics where the order or the run ties all documents")
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


class ListOrder(Row):
    """A list against the order of a topic's documents."""

    run: str = column("the run")
    topic: str = column("the topic")
    documents: int = column("documents that the order has")
    listed: int = column(_LISTED)
    kendall_a: float = column("Kendall's tau-a, a tied pair counts as 0", best="high")
    kendall_b: float = column("Kendall's tau-b, corrected for ties", best="high")
    tau_ap: float = column("AP correlation with the order as reference, mean over orders of ties", best="high")
    spearman: float = column("Spearman's rho, mid-ranks for ties", best="high")
    squared: float | None = column(_SQUARED, best="low", optional=True)
    ordinal: float | None = column(_ORDINAL, best="low", optional=True)
    wrong: float | None = column(_WRONG, best="low", optional=True)


class RunOrder(Row):
    """A run against the order of documents: means over the topics where each is defined."""

    run: str = column("the run")
    topics: int = column("topics that the order has")
    documents: int = column("documents that it has")
    listed: int = column(_LISTED)
    kendall_a: float = column("Kendall's tau-a, a tied pair counts as 0", best="high")
    kendall_b: float = column("Kendall's tau-b, corrected for ties", best="high")
    tau_ap: float = column("AP correlation with the order as reference, mean over orders of ties", best="high")
    spearman: float = column("Spearman's rho, mid-ranks for ties", best="high")
    squared: float | None = column(_SQUARED, best="low", optional=True)
    ordinal: float | None = column(_ORDINAL, best="low", optional=True)
    wrong: float | None = column(_WRONG, best="low", optional=True)
    flat: int = column("topics where the order or the run ties all documents")

    brief = (
        *("run", "documents", "listed", "kendall_a", "kendall_b", "tau_ap", "spearman"),
        *("squared", "ordinal", "wrong"),
    )


class OrderSurvey(Keyed[RunOrder], Answer):
    """How far runs have documents in a given order: ``found["bm25"].kendall_b``."""

    question = "order"
    sheets = {
        "runs": Sheet(RunOrder, "means over topics", of="by_run", meaning=_MEANING),
        "topics": Sheet(ListOrder, "topic by topic", of="by_topic", meaning=_MEANING),
    }

    by_run: tuple[RunOrder, ...]
    by_topic: tuple[ListOrder, ...]

    @cached_property
    def by_name(self) -> Mapping[str, RunOrder]:
        """What was found, by run."""
        return ByName({one.run: one for one in self.by_run})

    def caption(self, show: str) -> str:
        """How many runs, topics and documents there are."""
        first = self.by_run[0]
        counts = (("run", len(self.by_run)), ("topic", first.topics), ("document", first.documents))
        said = ", ".join(counted(count, noun) for noun, count in counts)
        if first.squared is None:
            return said
        return f"{said}; squared, ordinal, wrong: how far scores are from grades, over documents that are listed"

    def says(self, show: str) -> Iterator[Note]:
        """What is not in the lists, and what has no correlation."""
        short = [one for one in self.by_run if one.listed < one.documents]
        for one in short[:_FEW]:
            text = f"{one.run} does not list {one.documents - one.listed:,} of {counted(one.documents, 'document')}"
            yield ABSENT(text, run=one.run, documents=one.documents - one.listed)
        if more := len(short) - _FEW if len(short) > _FEW else 0:
            yield ABSENT(f"{counted(more, 'other run')} {'does' if more == 1 else 'do'} not list all either", runs=more)
        flat = [one for one in self.by_run if one.flat]
        if flat:
            least, most = min(one.flat for one in flat), max(one.flat for one in flat)
            count = counted(most, "topic") if least == most else f"{least} to {counted(most, 'topic')}"
            text = f"{count} of {counted(len(flat), 'run')} with all documents tied, in the order or in the run: "
            yield FLAT(f"{text}not in the means of kendall_b and spearman", topics=most, runs=len(flat))
