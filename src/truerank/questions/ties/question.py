"""The question: what does the order of ties do?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from truerank.boards.ranges import DifferenceRange
from truerank.boards.rows import BoardOrder, BoardRun, BoardsAnswer
from truerank.conventions.presets import AxisRules
from truerank.data.notes import Code, Note
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.questions.ties.words import LIKELY
from truerank.report.answer import PLOT, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Theme, adjustable
from truerank.report.table import DIGITS

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

TIED = Code(
    "TR201",
    "how many runs and lists have ties",
    "{tied} of {runs:run} {tied:has|have} ties, {mostly} in more than half of the documents; "
    "{tied_lists} of {lists} lists have ties",
)
MOST_LIKELY = Code(
    "TR206",
    "the pairs of runs that ties swap with the highest chance",
    "{measure}: ties most likely swap {pairs}.",
    consequence=0.5,
    command="--show pairs",
    each={"pairs": '"{run}" and "{other}" ({chance:%})'},
)
STAYS = Code(
    "TR202",
    "no order of ties changes the order of runs",
    "{measure}: ties cannot change the order of runs",
    consequence=0.0,
)
REVERSALS = Code(
    "TR203",
    "pairs of runs that the order of ties alone can reverse",
    "{measure}: the order of ties alone can reverse {reversible:,} of {pairs:pair} of runs, {likely:,} of them with a "
    "chance above {chance:%}; the farthest apart are {run} ({score:.4f}) and {other} ({other_score:.4f}), which can be "
    "{ahead:.4f} ahead",
    unlikely="{measure}: the order of ties alone can reverse {reversible:,} of {pairs:pair} of runs, none of them with "
    "a chance above {chance:%}; the farthest apart are {run} ({score:.4f}) and {other} ({other_score:.4f}), which can "
    "be {ahead:.4f} ahead",
    consequence=0.0,
)
MOVED_BY_ORDER = Code(
    "TR204",
    "how far an order of ties that tools take is from the mean over all orders",
    "{measure}: {orders}",
    each={"orders": "{order}[ (as {tool})] moves {run} by {difference:+.4f}[ and reverses {reversed:pair} of runs]"},
)
SEARCHED = Code(
    "TR205",
    "worst and best orders that were looked for in a sample of orders",
    "{measure}: worst and best are those of a sample of orders for {runs:run}, "
    "so that more pairs can reverse than are listed",
)
TOOLS = {"docid": "trec_eval"}
"""Which tool is known for an order of ties."""
EXPECTED = "expected"
"""The mean over all orders of ties, as one of the ways of scoring."""


class TiedRun(BoardRun):
    """A run by a measure: its mean over all orders of ties, and what single orders make of it."""

    scores: dict[str, float] = column(
        "score by {}: the mean over all orders of ties, or one that tools take",
        spread="score.{}",
        head="{}",
        best="measure",
        over="mean",
    )
    best_rank: int | None = column("its best rank over all orders of ties; none without a score")
    worst_rank: int | None = column("its worst rank over all orders of ties; none without a score")
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
    std_error: float = column("standard error of the mean, where orders had to be sampled; 0 where it is exact")
    extremes: str = column(
        'whether worst and best are "exact", or those of a "sampled" part of the orders', over="none"
    )

    @property
    def expected(self) -> float:
        """The mean over all orders of ties."""
        return self.scores[EXPECTED]

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
        "scores.expected",
        "deviation",
        "worst",
        "best",
        "scores.docid",
        "scores.input",
    )
    leading = ("measure", "run", "scores")


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


class TieOrder(BoardOrder):
    """The order of runs with ties in an order that tools take, compared with the mean over all orders."""

    other: str = column("the order of ties", head="order of ties")
    run: str = column("the run whose score it moves most", over="none")
    difference: float = column("score of that run in the order minus its expected score", form="signed")
    mean_difference: float = column("the same difference, as a mean over the runs", form="signed", over="mean")

    brief = ("measure", "other", "run", "difference", "mean_difference", "runs", "tau_a", "ordered_pairs", "reversed")


class TiedPair(DifferenceRange):
    """Two runs whose order the order of ties alone can reverse."""

    chance: float = column(
        "chance that the other run is better if ties are broken at random; equal scores count half", form="share"
    )
    chance_by: str = column('how the chance is known: "exact", over all orders, or by a "normal" distribution')
    reversed_by: tuple[str, ...] = column("orders that tools take by which the other run is better")

    brief = ("measure", "run", "compared_with", "difference", "low", "high", "chance", "chance_by", "reversed_by")


class Ties(BoardsAnswer):
    """What the order of ties does to runs, and to their order."""

    question = "ties"
    noun = "order of ties"
    by_collection = True
    told_apart = ("ties",)
    sheets = {
        "runs": Sheet(
            TiedRun,
            "scores of runs under every order of ties",
            of="most_moved",
            meaning="those that ties move most first; shares of documents that are tied, of topics with ties, of "
            "judged documents in ties, and topics where ties straddle a cutoff",
            top=20,
        ),
        "topics": Sheet(
            TiedTopic,
            "topics whose score depends on the order of ties, those it moves most first",
            of="by_topic",
            top=20,
        ),
        "orders": Sheet(TieOrder, "the orders of ties that tools take, compared with the mean over all orders"),
        "pairs": Sheet(TiedPair, "pairs of runs that the order of ties can reverse", top=20),
    }
    files = {"plot": PLOT}

    board: tuple[TiedRun, ...] = ()
    """By measure, the best expected score first."""
    by_topic: tuple[TiedTopic, ...]
    """By measure, the largest deviation first."""
    orders: tuple[TieOrder, ...] = ()
    pairs: tuple[TiedPair, ...]
    """By measure, the farthest apart first."""

    @property
    def ordered_pairs(self) -> dict[str, int]:
        """By measure, pairs of runs of which one is better by expectation."""
        counts = {row.measure: row.ordered_pairs for row in reversed(self.orders)}
        return {measure: counts.get(measure, 0) for measure in self.measures}

    @property
    def most_moved(self) -> list[TiedRun]:
        """By measure, the runs that the order of ties moves most first."""
        return sorted(self.board, key=lambda row: (self.measures.index(row.measure), -abs(row.best - row.worst)))

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw the range of each run over orders of ties, where most of them are, and what tools take."""
        from truerank.questions.ties.figure import plot_ties

        return plot_ties(self, theme=theme)

    def verdict(self, show: str) -> str:
        """Whether ties can change the order of runs."""
        from truerank.questions.ties.words import verdict

        return verdict(self)

    def own_notes(self, show: str) -> Iterator[Note]:
        """How many ties there are, and by measure what they can do."""
        yield self._tied()
        for measure in self.measures:
            yield from self._reversals(measure)
            yield from self._most_likely(measure)
            yield from self._moved_by_order(measure)
            searched = sum(row.extremes == "sampled" for row in self.board if row.measure == measure)
            if searched:
                yield SEARCHED(measure=measure, runs=searched)

    def _tied(self) -> Note:
        runs = [row for row in self.board if row.measure == self.measures[0]]
        tied = sum(row.tied_documents > 0 for row in runs)
        note = TIED(
            tied=tied,
            runs=len(runs),
            mostly=sum(row.tied > 1 / 2 for row in runs),
            tied_lists=sum(row.tied_topics for row in runs),
            lists=sum(row.topics for row in runs),
        )
        return note.weighed(share=tied / max(len(runs), 1))

    def _most_likely(self, measure: str) -> Iterator[Note]:
        likely = [pair for pair in self.pairs if pair.measure == measure and pair.chance > LIKELY]
        if likely:
            first = sorted(likely, key=lambda pair: -pair.chance)[:3]
            pairs = [{"run": pair.run, "other": pair.compared_with, "chance": pair.chance} for pair in first]
            yield MOST_LIKELY(measure=measure, pairs=pairs).weighed(likelihood=first[0].chance)

    def _reversals(self, measure: str) -> Iterator[Note]:
        pairs, reversible = self.ordered_pairs[measure], [pair for pair in self.pairs if pair.measure == measure]
        if not pairs:
            return
        if not reversible:
            yield STAYS(measure=measure, pairs=pairs)
            return
        first = reversible[0]
        likely = sum(pair.chance > LIKELY for pair in reversible)
        yield REVERSALS(
            "" if likely else "unlikely",
            measure=measure,
            reversible=len(reversible),
            pairs=pairs,
            likely=likely,
            chance=LIKELY,
            run=first.run,
            score=self[first.run][measure].scores[EXPECTED],
            other=first.compared_with,
            other_score=self[first.compared_with][measure].scores[EXPECTED],
            ahead=-first.low if first.difference > 0 else first.high,
        )

    def _moved_by_order(self, measure: str) -> Iterator[Note]:
        orders = [
            {
                "order": row.other,
                "tool": TOOLS.get(row.other),
                "run": row.run,
                "difference": row.difference,
                "reversed": row.reversed or None,
            }
            for row in self.orders
            if row.measure == measure and abs(row.difference) >= 0.5 * 10**-DIGITS
        ]
        if orders:
            reversing = any(order["reversed"] for order in orders)
            yield MOVED_BY_ORDER(measure=measure, orders=orders).weighed(consequence=0.5 if reversing else 0.1)


MIXED = "would mix two reasons for bounds"
RULES = AxisRules(fixed={"ties": "bounds"}, refused={"unjudged": {"bounds": MIXED, "residual": MIXED}})


@question(RULES)
def ties(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "nDCG@10 AP",
    *,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Ties:
    """Show what the order of tied documents changes.

    A score is the mean over all orders of tied documents, with the worst and the best order next to it, and the orders
    that tools take: docid (descending, as trec_eval), docid-asc, input, and rank if there is a rank column. Ties can
    reverse two runs if one is better by expectation and the other is better in some order, every list with its ties in
    an order of its own. sd is the standard deviation over orders, and each such pair has the chance that the other run
    is better if ties are broken at random.

    Example:
      truerank ties qrels.txt bm25.run dense.run -m "AP nDCG@10"
      truerank ties qrels.txt *.run --show pairs --plot ties.svg

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 0}}
    >>> runs = {"flat": {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "second": {"q1": {"b": 2.0, "a": 1.0}}}
    >>> found = ties(qrels, runs, "RR")
    >>> flat = found["flat"]["RR"]
    >>> round(flat.worst, 2), round(flat.expected, 2), flat.best
    (0.33, 0.61, 1.0)
    >>> [(pair.run, pair.compared_with, pair.reversed_by) for pair in found.pairs]
    [('flat', 'second', ('docid',))]
    """
    from truerank.questions.ties.work import cutoffs, score_run, summarise
    from truerank.track.track import Track

    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    return summarise(track, track.each(score_run, progress=progress, cutoffs=cutoffs(track.measures)))
