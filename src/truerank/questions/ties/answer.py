"""The answer: runs under every order of ties, how far usual orders stray, and pairs of runs that can swap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import PLOT, Sheet, Top, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Theme, adjustable
from truerank.report.table import DIGITS, Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

TIED = Code(
    "TR201",
    "how many runs and lists have ties",
    "{tied} of {runs:run} {tied:has|have} ties, {mostly} in more than half of the documents; "
    "{tied_lists} of {lists} lists have ties",
)
STAYS = Code(
    "TR202", "no order of ties changes the order of runs", "{measure}: no order of ties makes runs swap places"
)
SWAPS = Code("TR203", "pairs of runs that can swap by the order of ties alone")
STRAYS = Code("TR204", "how far an order of ties that tools take is from the mean over all orders")
SEARCHED = Code(
    "TR205",
    "worst and best orders that were looked for in a sample of orders",
    "{measure}: worst and best are those of a sample of orders for {runs:run}, "
    "so that more pairs may swap than were found",
)
LIKELY = 0.05
"""The chance from which on a swap is worth naming."""
_NAMED = {"docid": "the order of trec_eval, docid,"}


class TiedRow(Row):
    """A run by a measure: its mean over all orders of ties, and what single orders make of it."""

    measure: str = column("the measure")
    run: str = column("the run")
    documents: int = column("documents listed for the judged topics")
    tied_documents: int = column("those that share their score with another one")
    topics: int = column("judged topics that the run has documents for")
    tied_topics: int = column("those with a tie")
    judged: int = column("judged documents listed")
    tied_judged: int = column("those in a tie; only they can move a score")
    straddling: dict[int, int] = column(
        "topics with documents on both sides of rank {} that share their score",
        spread="straddling@{}",
        head="at {}",
        minor=1,
    )
    expected: float = column("mean over all orders of ties", best="measure", over="mean")
    worst: float = column("in the order that is worst in every topic", over="mean")
    best: float = column("in the order that is best in every topic", over="mean")
    deviation: float = column(
        "standard deviation of the score over the orders of ties, each list in a random one of its own",
        head="sd",
        minor=2,
        over="none",
    )
    deviation_error: float = column(
        "standard error of that deviation, where orders had to be sampled; 0 where it is exact", over="none"
    )
    orders: dict[str, float] = column("in the order {}, which tools take", spread="{}", over="mean")
    std_error: float = column("standard error of the mean, where orders had to be sampled; 0 where it is exact")
    extremes: str = column(
        'whether worst and best are "exact", or those of a "sampled" part of the orders', over="none"
    )

    @derived(over="mean")
    def tied(self) -> float:
        """Share of documents that are tied."""
        return self.tied_documents / max(self.documents, 1)

    @derived(head="topics", minor=3, over="mean")
    def topic_share(self) -> float:
        """Share of topics with a tie."""
        return self.tied_topics / max(self.topics, 1)

    @derived(head="judged", minor=2, over="mean")
    def judged_share(self) -> float:
        """Share of judged documents that are in a tie."""
        return self.tied_judged / max(self.judged, 1)

    brief = (
        "measure",
        "run",
        "tied",
        "topic_share",
        "judged_share",
        "straddling",
        "expected",
        "deviation",
        "worst",
        "best",
        "orders.docid",
        "orders.input",
    )


class TiedTopic(Row):
    """A topic of a run whose score depends on the order of ties."""

    measure: str = column("the measure")
    run: str = column("the run")
    topic: str = column("the topic")
    expected: float = column("mean over all orders of ties", best="measure")
    worst: float = column("in the worst order")
    best: float = column("in the best order")
    deviation: float = column("standard deviation over the orders of ties", head="sd")
    deviation_error: float = column(
        "standard error of that deviation, where orders had to be sampled; 0 where it is exact"
    )

    brief = ("measure", "run", "topic", "expected", "deviation", "worst", "best")


class Stray(Row):
    """How far a usual order of ties is from the mean over all orders."""

    measure: str = column("the measure")
    order: str = column("the order of ties")
    run: str = column("the run that it moves most", over="none")
    difference: float = column("its score in that order, less its expected score")
    mean: float = column("the same difference, as a mean over the runs", over="mean")
    runs: int = column("runs that have this order; not every run has a rank column")
    pairs: int = column("pairs of these runs of which one is better by expectation")
    reversed: int = column("those of which the other one is better in that order")


class Swap(Row):
    """Two runs that can change places by the order of ties alone."""

    measure: str = column("the measure")
    better: str = column("the run that is better by expectation")
    worse: str = column("the other one")
    difference: float = column("by how much the first is better")
    ahead: float = column("by how much the other can be ahead, its ties in the best order and the first's in the worst")
    chance: float = column("chance that the other is ahead where ties are broken at random; equal scores count half")
    chance_by: str = column('how the chance is known: "exact", over all orders, or by a "normal" distribution')
    reversed_by: tuple[str, ...] = column("usual orders of ties under which it is ahead")


class Ties(TrackAnswer[TiedRow]):
    """What the order of ties does to runs, and to their order."""

    question = "ties"
    by_collection = True
    told_apart = ("ties",)
    sheets = {
        "runs": Sheet(
            TiedRow,
            "scores of runs under every order of ties",
            of="tied",
            meaning="those that ties move most first; shares of documents that are tied, of topics with ties, of "
            "judged documents in ties, and topics where ties straddle a cutoff",
            top=20,
        ),
        "topics": Sheet(
            TiedTopic, "topics whose score depends on the order of ties, those it moves most first", of="moved", top=20
        ),
        "orders": Sheet(Stray, "how far the orders of ties that tools take stray", of="strays"),
        "pairs": Sheet(Swap, "pairs of runs that can swap", of="swaps", top=20),
    }
    files = {"plot": PLOT}

    tied: tuple[TiedRow, ...]
    """By measure, the best expected score first."""
    moved: tuple[TiedTopic, ...]
    """By measure, the largest deviation first."""
    strays: tuple[Stray, ...]
    swaps: tuple[Swap, ...]
    """By measure, the farthest apart first."""
    ordered_pairs: dict[str, int] = column("by measure, pairs of runs of which one is better by expectation")

    def layout(self, show: str, *, top: Top = None) -> Table:
        """Of runs, those that the order of ties moves most."""
        places = {measure: place for place, measure in enumerate(self.measures)}
        moved = tuple(sorted(self.tied, key=lambda row: (places[row.measure], -abs(row.best - row.worst))))
        if show != "runs" or moved == self.tied:
            return super().layout(show, top=top)
        return replace(self, tied=moved).layout(show, top=top)

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw the range of each run over orders of ties, where most of them are, and what tools take."""
        from truerank.questions.ties.figure import plot_ties

        return plot_ties(self, theme=theme)

    def says(self, show: str) -> Iterator[Note]:
        """How many ties there are, and by measure what they can do."""
        yield self._tied()
        for measure in self.measures:
            yield from self._swaps(measure)
            yield from self._strays(measure)
            searched = sum(row.extremes == "sampled" for row in self.tied if row.measure == measure)
            if searched:
                yield SEARCHED(measure=measure, runs=searched)

    def _tied(self) -> Note:
        runs = [row for row in self.tied if row.measure == self.measures[0]]
        return TIED(
            tied=sum(row.tied_documents > 0 for row in runs),
            runs=len(runs),
            mostly=sum(row.tied > 1 / 2 for row in runs),
            tied_lists=sum(row.tied_topics for row in runs),
            lists=sum(row.topics for row in runs),
        )

    def _swaps(self, measure: str) -> Iterator[Note]:
        pairs, found = self.ordered_pairs[measure], [swap for swap in self.swaps if swap.measure == measure]
        if not pairs:
            return
        if not found:
            yield STAYS(measure=measure, pairs=pairs)
            return
        top = found[0]
        likely = sum(swap.chance > LIKELY for swap in found)
        how_many = f"{likely} of them" if likely else "none of them"
        better, worse = (f"{run} ({self[run][measure].expected:.{DIGITS}f})" for run in (top.better, top.worse))
        yield SWAPS(
            f"{measure}: {len(found):,} of {pairs:,} pairs of runs can swap by the order of ties alone, {how_many} "
            f"with a chance above {LIKELY:.0%}; farthest apart {better} and {worse}, which can be "
            f"{top.ahead:.{DIGITS}f} ahead",
            measure=measure,
            swaps=len(found),
            likely=likely,
            pairs=pairs,
        )

    def _strays(self, measure: str) -> Iterator[Note]:
        moved = {}
        for stray in self.strays:
            if stray.measure == measure and abs(stray.difference) >= 0.5 * 10**-DIGITS:
                said = f"{_NAMED.get(stray.order, stray.order)} moves {stray.run} by {stray.difference:+.{DIGITS}f}"
                turned = f" and turns {counted(stray.reversed, 'pair')} around" if stray.reversed else ""
                moved[stray.order] = said + turned
        if moved:
            yield STRAYS(f"{measure}: {'; '.join(moved.values())}", measure=measure, orders=list(moved))
