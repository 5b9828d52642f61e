"""What there is to say of runs under several ways of scoring: rows, sheets and notes, the same in every question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from truerank.data.notes import Code, Note
from truerank.report.answer import Sheet, Top, TrackAnswer
from truerank.report.digits import ranks
from truerank.report.rows import Row, column, derived
from truerank.report.table import DIGITS, Table

LEADERS = Code(
    "TR294",
    "variants under which different runs are ranked first",
    "{measure}: the run at the top depends on the {noun}: {leaders}",
)
SAME_LEADER = Code(
    "TR295", "a run that is ranked first under every variant", "{measure}: {run} is ranked first by every {noun}"
)
REVERSED = Code(
    "TR296",
    "pairs of runs whose order depends on the variant",
    "{measure}: the order of {reversed} of {pairs:pair} of runs depends on the {noun}[; {contradicted} of these are "
    "significant both ways]",
)
MOVED = Code(
    "TR226",
    "the run whose score changes most with the variant",
    "{measure}: {run} changes most, by {difference:+.4f} under {variant}[, from rank {before} to {after}]",
)


class OrderAgreement(Row):
    """How far two orders of the same runs agree; the first is the reference."""

    runs: int = column("runs with a score in both orders", minor=3)
    tau_a: float = column("Kendall's tau-a", over="mean")
    tau_b: float = column("Kendall's tau-b", minor=1, over="mean")
    tau_ap: float = column("AP correlation; the reference is the truth", over="mean")
    tau_ap_other: float = column("AP correlation; the other order is the truth", minor=2, over="mean")
    pairs: int = column("pairs of runs")
    ordered_pairs: int = column("pairs that the reference does not tie", minor=2)
    reversed: int = column("pairs in the opposite order")


class BoardOrder(OrderAgreement):
    """The orders of runs under two ways of scoring."""

    measure: str = column("the measure")
    variant: str = column("the reference")
    other: str = column("what is compared with it", head="and")
    significant: int | None = column("pairs that differ significantly by the reference; none without a test", minor=1)
    lost: int | None = column("pairs that differ significantly by the reference alone")
    gained: int | None = column("pairs that differ significantly by the other alone")
    contradicted: int | None = column("pairs that differ significantly by both, in opposite orders")

    leading = ("measure", "variant", "other")


class BoardRun(Row):
    """A run by a measure, under each way of scoring."""

    measure: str = column("the measure")
    run: str = column("the run")
    scores: dict[str, float] = column("score by {}", spread="score.{}", head="{}", best="measure")
    ranks: dict[str, int | None] = column("rank by {}; none without a score", spread="rank.{}", head="rank {}")
    differences: dict[str, float] = column(
        "score by {} minus the score by the reference", spread="difference.{}", form="signed", head="{} change"
    )
    best_rank: int | None = column("its best rank")
    worst_rank: int | None = column("its worst rank")

    @derived(head="ranks")
    def range(self) -> str:
        """The ranks that it has."""
        return ranks((self.best_rank, self.worst_rank)) if self.best_rank and self.worst_rank else ""

    brief = ("measure", "run", "scores", "range")


class BoardPair(Row):
    """Two runs whose order, or its significance, depends on the way of scoring."""

    measure: str = column("the measure")
    run: str = column("the run with the better score by the reference; of equal ones the first")
    compared_with: str = column("the other run", head="with")
    differences: dict[str, float] = column(
        "score of the run minus that of the other, by {}", spread="difference.{}", head="{}", form="signed"
    )
    p: dict[str, float] = column("p by {}, corrected for all pairs (Holm)", spread="p.{}", head="p {}", form="p")
    depends: str = column(
        '"contradicted" if both orders are significant, "order" if the order changes, "significance" if only that does'
    )

    brief = ("measure", "run", "compared_with", "differences", "depends")


RUNS = Sheet(BoardRun, "scores and ranks of runs under each variant", of="board", top=50)
ORDERS = Sheet(BoardOrder, "how far the orders of runs agree")
PAIRS = Sheet(BoardPair, "pairs of runs that depend on the variant", of="dependent", top=20)


class BoardsAnswer(TrackAnswer[BoardRun]):
    """Runs under several ways of scoring; ``answer["bm25"]["AP"]`` is a run under all of them."""

    noun: ClassVar[str] = "variant"
    """What a way of scoring is called: a judge, a methodology."""

    variants: tuple[str, ...] = column("the ways of scoring; the first is the reference unless another is named")
    board: tuple[BoardRun, ...] = ()
    """By measure, the best by the reference first."""
    orders: tuple[BoardOrder, ...] = ()
    dependent: tuple[BoardPair, ...] = ()
    """By measure, pairs whose order changes first, those of the best runs before others."""

    def scored(self) -> tuple[BoardRun, ...]:
        """The rows that have a run and a measure."""
        return self.board

    @property
    def leaders(self) -> dict[str, dict[str, str]]:
        """By measure and variant, the run that is ranked first."""
        tops: dict[str, dict[str, str]] = {}
        for row in self.board:
            for variant in self.variants:
                if row.ranks.get(variant) == 1:
                    tops.setdefault(row.measure, {}).setdefault(variant, row.run)
        return {
            measure: {name: by_variant[name] for name in self.variants if name in by_variant}
            for measure, by_variant in tops.items()
        }

    def layout(self, show: str, *, top: Top = None) -> Table:
        """The table that people see, with the question's own word for a variant."""
        table = super().layout(show, top=top)
        columns = (replace(each, head=self.noun) if each.name == "variant" else each for each in table.columns)
        return replace(table, columns=tuple(columns))

    def board_notes(self, measure: str) -> Iterator[Note]:
        """Which run is ranked first, which moves most, and how many pairs have another order."""
        leaders = self.leaders.get(measure, {})
        runs = dict.fromkeys(leaders.values())
        if len(self) > 1 and len(self.variants) > 1 and len(runs) == 1:
            yield SAME_LEADER(measure=measure, run=next(iter(runs)), noun=self.noun)
        elif len(runs) > 1:
            by_run = {run: [name for name, leader in leaders.items() if leader == run] for run in runs}
            said = "; ".join(f"{run} by {', '.join(names)}" for run, names in by_run.items())
            yield LEADERS(measure=measure, leaders=said, noun=self.noun)
        orders = [row for row in self.orders if row.measure == measure]
        if orders and orders[0].pairs:
            rows = [row for row in self.dependent if row.measure == measure and row.depends != "significance"]
            tested = orders[0].contradicted is not None
            yield REVERSED(
                measure=measure,
                reversed=len(rows),
                pairs=orders[0].pairs,
                noun=self.noun,
                contradicted=sum(row.depends == "contradicted" for row in rows) if tested else None,
            )
        yield from self._moved(measure)

    def _moved(self, measure: str) -> Iterator[Note]:
        """The run whose score changes most, and its rank by the reference and then."""
        changes = [
            (abs(difference), row, variant)
            for row in self.board
            for variant, difference in row.differences.items()
            if row.measure == measure and abs(difference) >= 0.5 * 10**-DIGITS
        ]
        if not changes:
            return
        _, row, variant = max(changes, key=lambda change: change[0])
        after = row.ranks[variant]
        before = next(rank for name, rank in row.ranks.items() if name not in row.differences)
        yield MOVED(
            measure=measure,
            run=row.run,
            variant=variant,
            difference=row.differences[variant],
            before=before if len(self) > 1 and before != after else None,
            after=after,
        )
