"""What there is to say of runs under several ways of scoring: rows, sheets and notes, the same in every question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Generic

from truerank.data.notes import Code, Note
from truerank.report.answer import Sheet, Top, TrackAnswer
from truerank.report.digits import ranks
from truerank.report.rows import Row, column, derived
from truerank.report.table import DIGITS, Table

ORDER = Code(
    "TR296",
    "pairs of runs whose order depends on the variant, and which run is ranked first",
    "{measure}: {reversed} of {pairs:pair} of runs {reversed:changes|change} order with the {noun}[, {contradicted} of "
    "these significantly both ways][ (tau-b {tau_b:.3f})]; ranked first: {leaders}",
    same_leader="{measure}: {reversed} of {pairs:pair} of runs {reversed:changes|change} order with the {noun}[, "
    "{contradicted} of these significantly both ways][ (tau-b {tau_b:.3f})]; {run} is ranked first by every {noun}",
    unchanged="{measure}: no pair of runs changes order with the {noun}[ (tau-b {tau_b:.3f})]; {run} is ranked first "
    "by every {noun}",
    brief="{measure}: {reversed} of {pairs:pair} of runs {reversed:changes|change} order with the {noun}",
    each={"leaders": "{run} by {by:names}"},
)
CHANGED_MOST = Code(
    "TR226",
    "the run whose score changes most with the variant",
    "{measure}: {run} changes most, by {difference:+.4f} under {variant}, from {score_before:.4f} to {score_after:.4f}"
    "[ and from rank {rank_before} to {rank_after}]",
    unchanged="{measure}: no score changes with the {noun}",
    undefined="{measure} has no value for any run",
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
    significant: int | None = column(
        "pairs that differ significantly by the reference; none without a test", minor=1, optional=True
    )
    lost: int | None = column("pairs that differ significantly by the reference alone", optional=True)
    gained: int | None = column("pairs that differ significantly by the other alone", optional=True)
    contradicted: int | None = column("pairs that differ significantly by both, in opposite orders", optional=True)

    leading = ("measure", "variant", "other")


class BoardRun(Row):
    """A run by a measure, under each way of scoring."""

    measure: str = column("the measure")
    run: str = column("the run")
    scores: dict[str, float] = column("score by {}", spread="score.{}", head="{}", best="measure", over="mean")
    ranks: dict[str, int | None] = column("rank by {}; none without a score", spread="rank.{}", head="rank {}")
    differences: dict[str, float] = column(
        "score by {} minus the score by the reference",
        spread="difference.{}",
        form="signed",
        head="{} change",
        minor=1,
        over="mean",
    )
    best_rank: int | None = column("its best rank")
    worst_rank: int | None = column("its worst rank")

    @derived(head="ranks")
    def range(self) -> str:
        """The ranks that it has."""
        return ranks((self.best_rank, self.worst_rank)) if self.best_rank and self.worst_rank else ""

    brief: ClassVar[tuple[str, ...]] = ("measure", "run", "scores", "differences", "range")


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


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    R = TypeVar("R", bound=BoardRun, default=BoardRun)
else:
    from typing import TypeVar

    R = TypeVar("R", bound=BoardRun)

RUNS = Sheet(BoardRun, "scores and ranks of runs under each variant", of="board", top=50)
ORDERS = Sheet(BoardOrder, "how far the orders of runs agree")
PAIRS = Sheet(BoardPair, "pairs of runs that depend on the variant", of="dependent", top=20)


class BoardsAnswer(TrackAnswer[R], Generic[R]):
    """Runs under several ways of scoring; ``answer["bm25"]["AP"]`` is a run under all of them."""

    noun: ClassVar[str] = "variant"
    """What a way of scoring is called: a judge, a methodology."""

    variants: tuple[str, ...] = column("the ways of scoring; the first is the reference unless another is named")
    board: tuple[R, ...] = ()
    """By measure, the best by the reference first."""
    orders: tuple[BoardOrder, ...] = ()
    dependent: tuple[BoardPair, ...] = ()
    """By measure, pairs whose order changes first, those of the best runs before others."""

    def scored(self) -> tuple[R, ...]:
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
        """How many pairs change order, which run is ranked first, and whose score changes most."""
        rows = [row for row in self.board if row.measure == measure]
        changes = [
            (abs(difference), row, variant)
            for row in rows
            for variant, difference in row.differences.items()
            if difference == difference
        ]
        if rows and not changes:
            yield CHANGED_MOST("undefined", measure=measure)
            return
        largest, row, variant = max(changes, key=lambda change: change[0])
        order = self._order_note(measure)
        if largest < 0.5 * 10**-DIGITS and (order is None or not order.facts["reversed"]):
            yield CHANGED_MOST("unchanged", measure=measure, noun=self.noun)
            return
        if order is not None:
            yield order
        reference = next(name for name in self.variants if name not in row.differences)
        changes_rank = len(rows) > 1 and row.ranks[reference] != row.ranks[variant]
        yield CHANGED_MOST(
            measure=measure,
            run=row.run,
            variant=variant,
            difference=row.differences[variant],
            score_before=row.scores[reference],
            score_after=row.scores[variant],
            rank_before=row.ranks[reference] if changes_rank else None,
            rank_after=row.ranks[variant],
        )

    def _order_note(self, measure: str) -> Note | None:
        """How many pairs of runs change order by a measure; nothing if there are no pairs."""
        orders = [row for row in self.orders if row.measure == measure]
        leaders = self.leaders.get(measure, {})
        if not leaders or not orders or not orders[0].pairs:
            return None
        pairs = [row for row in self.dependent if row.measure == measure and row.depends != "significance"]
        runs = [*dict.fromkeys(leaders.values())]
        contradicted = sum(row.depends == "contradicted" for row in pairs)
        is_tested = orders[0].contradicted is not None
        tau_b = orders[0].tau_b
        form = "" if len(runs) > 1 else "same_leader" if pairs else "unchanged"
        return ORDER(
            form,
            measure=measure,
            noun=self.noun,
            reversed=len(pairs),
            pairs=orders[0].pairs,
            contradicted=contradicted if is_tested else None,
            # Of several orders no single correlation is that of all.
            tau_b=tau_b if len(orders) == 1 and tau_b == tau_b else None,
            run=runs[0],
            leaders=[{"run": run, "by": [name for name in leaders if leaders[name] == run]} for run in runs],
        )
