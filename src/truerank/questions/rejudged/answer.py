"""The answer: judgments before and after, runs by both, orders and findings that turned."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.conventions.axes import Conventions
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import Sheet, TrackAnswer
from truerank.report.rows import Row, column
from truerank.report.table import caption

CHANGED = Code("TR224", "how many judgments were added, removed and changed")
TURNED = Code("TR225", "what new judgments do to the order of runs and to findings, by measure")
MOVED = Code("TR226", "the run that new judgments move most")


class RejudgedRun(Row):
    """A run by both sets of judgments."""

    measure: str = column("the measure")
    run: str = column("the run")
    before: float = column("its mean by the old judgments", best="measure")
    after: float = column("its mean by the new ones", best="measure")
    difference: float = column("the second less the first", form="signed")
    place_before: int | None = column(
        "its place by the old judgments, 1 for the best; none without a mean", head="place"
    )
    place_after: int | None = column("its place by the new ones", head="now")
    changed_topics: int = column("topics on which its score is another", head="topics changed", minor=1)
    raised_topics: int = column("those on which it is better", head="better", minor=2)


class RejudgedOrder(Row):
    """How far two sets of judgments agree on the order of runs by a measure, and which findings turn."""

    measure: str = column("the measure")
    runs: int = column("runs that are ordered")
    tau: float = column("Kendall's tau-a between the orders")
    tau_b: float = column("Kendall's tau-b", minor=1)
    tau_ap: float = column("AP correlation, the order by the new judgments being the truth", minor=2)
    pairs: int = column("pairs of runs")
    swapped: int = column("pairs whose means are in the opposite order")
    found_before: int | None = column(
        "pairs that differ significantly by the old judgments; none without a test", head="found"
    )
    found_after: int | None = column("pairs that do by the new ones", head="now")
    reversed: int | None = column("findings whose opposite is found by the new judgments")
    lost: int | None = column("findings that the new judgments do not have")
    gained: int | None = column("findings that only the new judgments have")


class RejudgedPair(Row):
    """Two runs of which the new judgments find something else."""

    measure: str = column("the measure")
    run: str = column("the run that verdicts are of")
    compared_with: str = column("the run that it is compared with")
    before: str = column("the verdict by the old judgments")
    after: str = column("the verdict by the new ones")
    difference_before: float = column("the difference of means by the old judgments", form="signed")
    difference_after: float = column("the same by the new ones", form="signed")
    p_before: float = column("corrected p by the old judgments", form="p")
    p_after: float = column("corrected p by the new ones", form="p")


class RejudgedTopic(Row):
    """What changed in a topic."""

    topic: str = column("the topic")
    before: int = column("old judgments")
    after: int = column("new judgments")
    added: int = column("documents that only the new ones have")
    removed: int = column("documents that only the old ones have")
    raised: int = column("documents with a higher grade now")
    lowered: int = column("documents with a lower grade now")
    turned: int = column("of these, documents that are relevant by one and not by the other")
    relevant_before: int = column("relevant documents by the old judgments")
    relevant_after: int = column("relevant documents by the new ones")


class RejudgedGrade(Row):
    """How many documents have one grade before and another after."""

    before: float | None = column("the old grade; none where there was no judgment", form="short")
    after: float | None = column("the new grade; none where there is no judgment", form="short")
    documents: int = column("documents, over all topics")


class Rejudged(TrackAnswer[RejudgedRun]):
    """Two sets of judgments of the same runs; ``found["bm25"]["AP"]`` is a run by both."""

    question = "rejudged"
    sheets = {
        "orders": Sheet(
            RejudgedOrder,
            "orders of runs and findings by both, one row per measure",
            meaning="tau between the orders by old and new judgments; significant pairs by both, those of them whose "
            "opposite is found now, that are lost, and that are new",
        ),
        "runs": Sheet(RejudgedRun, "runs by both", of="moves"),
        "pairs": Sheet(RejudgedPair, "pairs of runs whose verdict is another", top=50),
        "topics": Sheet(RejudgedTopic, "what changed in each topic", of="by_topic"),
        "grades": Sheet(RejudgedGrade, "old grades against new ones"),
    }

    orders: tuple[RejudgedOrder, ...]
    moves: tuple[RejudgedRun, ...]
    pairs: tuple[RejudgedPair, ...]
    by_topic: tuple[RejudgedTopic, ...]
    grades: tuple[RejudgedGrade, ...]
    test: str = column("the test of each pair, how p is corrected, and the level")
    topics_before: int = column("judged topics before")
    topics_after: int = column("judged topics after")

    def scored(self) -> tuple[RejudgedRun, ...]:
        """Runs by both judgments, which have a run and a measure each."""
        return self.moves

    def usual(self) -> str:
        """Of one run there is no order."""
        return "orders" if len(self) > 1 else "runs"

    def says(self, show: str) -> Iterator[Note]:
        """What changed, and what turned."""
        total = {name: sum(getattr(row, name) for row in self.by_topic) for name in ("added", "removed", "raised")}
        lowered, turned = (sum(getattr(row, name) for row in self.by_topic) for name in ("lowered", "turned"))
        text = (
            f"{total['added']:,} judgments were added, {total['removed']:,} removed, {total['raised']:,} raised and "
            f"{lowered:,} lowered, of {sum(row.before for row in self.by_topic):,}; {turned:,} documents became "
            "relevant, or no longer are"
        )
        yield CHANGED(text, **total, lowered=lowered, turned=turned)
        for order in self.orders if len(self) > 1 else ():
            said = f"{order.measure}: the orders agree by tau {order.tau:.3f}, {counted(order.swapped, 'pair')} swapped"
            if order.found_before is not None:
                said += (
                    f"; of {counted(order.found_before, 'finding')} {order.reversed} reversed and {order.lost} lost, "
                    f"{order.gained} new"
                )
            yield TURNED(
                said,
                measure=order.measure,
                tau=order.tau,
                reversed=order.reversed,
                lost=order.lost,
                gained=order.gained,
            )
        for measure in self.measures:
            known = [row for row in self.moves if row.measure == measure and row.place_before and row.place_after]
            most = max(known, key=lambda row: abs(row.difference), default=None)
            if most is not None and most.difference:
                was, now = most.place_before, most.place_after
                places = f"stays at place {now}" if was == now else f"goes from place {was} to {now}"
                text = f"{measure}: {most.run} moves most, by {most.difference:+.4f}"
                facts = {
                    "measure": measure,
                    "run": most.run,
                    "difference": most.difference,
                    "before": was,
                    "after": now,
                }
                yield MOVED(f"{text}, and {places}" if len(self) > 1 else text, **facts)

    def caption(self, show: str) -> str:
        """How many runs and topics there are, and how findings are made."""
        topics = counted(self.topics_before, "topic")
        if self.topics_before != self.topics_after:
            topics = f"{topics} before and {self.topics_after:,} after"
        tested = (self.test,) if show in ("orders", "pairs") and self.test else ()
        choices: Conventions = self.conventions
        return caption(counted(len(self), "run"), topics, *tested, conventions=choices.unusual("unjudged"))

    def __repr__(self) -> str:
        return f"Rejudged({len(self)} runs, {len(self.wanted)} measures)"
