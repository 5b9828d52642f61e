"""The question: what does a sample of negatives do to scores?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from truerank.boards.rows import ORDERS, PAIRS, RUNS, BoardRun, BoardsAnswer
from truerank.conventions.presets import AxisRules
from truerank.data.notes import Code, Note
from truerank.questions.signature import Engines, Judgments, Measures, Runs, question
from truerank.report.rows import column
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

ESTIMATES = ("full", "sampled", "corrected")
"""Scores among all negatives, expected among a sample, and corrected for sampling."""

MEANS = Code(
    "TR711",
    "scores among all negatives and among a sample, over all runs",
    "{measure}: {full:.4f} among all negatives[, {sampled:.4f} among {negatives:,}; corrected {corrected:.4f}]",
    mean="{measure}: mean over runs {full:.4f} among all negatives[, {sampled:.4f} among {negatives:,}; corrected "
    "{corrected:.4f}]",
)
ORDER = Code(
    "TR712",
    "how many pairs of runs change order among a sample of negatives",
    "{measure}: {reversed} of {pairs:pair} of runs {reversed:changes|change} order among a sample, as expected; "
    "{corrected} after the correction",
)
ALONE = Code(
    "TR713",
    "each relevant document is ranked alone among negatives",
    "each relevant document is ranked alone, among the negatives of its topic: {relevant:document}, {topics:topic}",
)
CUT = Code(
    "TR714",
    "lists that are cut, so that ranks among a sample of negatives are not known",
    "[over {runs:,} runs, ]{lacks}",
    unknown="[over {runs:,} runs, ]{lacks}: scores among a sample are not known; give --corpus N, the number of all "
    "documents",
    random="[over {runs:,} runs, ]{lacks}: among a sample, documents that are not listed are taken to be in random "
    "order below the list",
    each={
        "lacks": "[{unlisted:relevant document} {unlisted:is|are} not listed, which is a miss]"
        "[{lists:list} {lists:has|have} fewer than {negatives:negative}]"
    },
)
WHOLE = Code(
    "TR715",
    "lists are taken to rank all documents",
    "lists are taken to rank all documents; if they are cut, give --corpus N, the number of all documents",
)


class SampledRun(BoardRun):
    """A run by a measure, among all negatives and among a sample."""

    sampled_low: float | None = column(
        "the lowest expected score among a sample, wherever unlisted documents stand; none if all ranks are known",
        head="low",
        optional=True,
    )
    sampled_high: float | None = column("the highest expected score among a sample", head="high", optional=True)
    sampled_sd: float | None = column(
        "standard deviation of the score from one sample to another", head="sd", optional=True
    )
    corrected_sd: float | None = column("standard deviation of the corrected score", head="corrected sd", optional=True)

    brief = ("measure", "run", "scores", "sampled_low", "sampled_high", "sampled_sd", "corrected_sd", "range")


class SampledNegatives(BoardsAnswer[SampledRun]):
    """What a sample of negatives does to scores: ``answer["bm25"]["RR"].scores["sampled"]``.

    The estimates are "full", "sampled" and "corrected"; the latter two are left out if lists are cut and no corpus is
    given, and undefined for a run whose lists are cut.
    """

    question = "negatives"
    noun = "estimate"
    told_apart = ("no_relevant",)
    sheets = {
        "runs": RUNS._replace(
            row=SampledRun,
            help="scores among all negatives and among a sample",
            meaning="full: among all negatives, a document that is not listed is a miss; sampled: expected among a "
            "sample, and its deviation between samples; low and high: what that may be; corrected: after Krichene & "
            "Rendle",
        ),
        "orders": ORDERS._replace(help="how far a sample orders runs as all negatives do"),
        "pairs": PAIRS._replace(help="pairs of runs whose order depends on the estimate"),
    }

    negatives: int = column("negatives that are sampled for each relevant document")
    corpus: int | None = column("documents that there are to sample from; null if lists are taken to have all of them")
    relevant: int = column("relevant documents that were ranked")
    unlisted: int = column("relevant documents that are not listed, over all runs")
    small: int = column("lists with fewer negatives than the sample has, over all runs")

    def own_notes(self, show: str) -> Iterator[Note]:
        for measure in self.measures:
            yield from self._score_notes(measure)
        if self.unlisted or self.small:
            yield self._cut_note()
        elif self.corpus is None:
            yield WHOLE()
        yield ALONE(relevant=self.relevant, topics=len(self.topics))

    def _score_notes(self, measure: str) -> Iterator[Note]:
        rows = [row.scores for row in self.board if row.measure == measure and row.scores["full"] == row.scores["full"]]
        if not rows:
            return
        means = {name: sum(row[name] for row in rows) / len(rows) for name in self.variants}
        known = {name: mean if mean == mean else None for name, mean in means.items()}
        yield MEANS(
            "mean" if len(rows) > 1 else "",
            measure=measure,
            negatives=self.negatives,
            **{name: known.get(name) for name in ESTIMATES},
        )
        orders = {row.other: row for row in self.orders if row.measure == measure}
        if orders and orders["sampled"].runs > 1:
            yield ORDER(
                measure=measure,
                reversed=orders["sampled"].reversed,
                pairs=orders["sampled"].ordered_pairs,
                corrected=orders["corrected"].reversed,
            )

    def _cut_note(self) -> Note:
        """That lists do not have all documents, and what is not known because of that."""
        form = "unknown" if self.corpus is None else "random" if self.unlisted else ""
        lacks = [
            {"unlisted": unlisted or None, "lists": lists or None, "negatives": self.negatives}
            for unlisted, lists in ((self.unlisted, 0), (0, self.small))
            if unlisted or lists
        ]
        return CUT(
            form,
            runs=len(self) if len(self) > 1 else None,
            lacks=lacks,
            unlisted=self.unlisted,
            lists=self.small,
            negatives=self.negatives,
        )


RULES = AxisRules(
    fixed={
        "ties": "expected",
        "unjudged": "nonrelevant",
        "ending": "none",
        "limit": None,
        "nil": "end",
        "no_relevant": "skip",
        "relevant": "judgments",
    },
)


@question(RULES)
def negatives(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "RR Success@10 nDCG@10",
    *,
    negatives: Annotated[
        int, Option("Documents without relevance that are sampled for each relevant one.", metavar="N", least=1)
    ] = 99,
    corpus: Annotated[
        int | None,
        Option("Documents that there are to sample from. Default: lists have all of them.", metavar="N", least=1),
    ] = None,
    rel: Annotated[float, Option("Grade from which on a document is relevant.")] = 1,
    variance: Annotated[
        float, Option("How much variance counts in the correction beside squared bias, from 0 to 1.", metavar="SHARE")
    ] = 0.1,
    prior: Annotated[
        str,
        Option(
            "Ranks that the correction is for: all alike, or the likelier the higher, by 1/rank.",
            choices=("harmonic", "uniform"),
        ),
    ] = "harmonic",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> SampledNegatives:
    """Show what sampled negatives change, in scores and ranks.

    Recommenders are often scored by the rank of a relevant item among 99 others drawn at random. Such scores are not
    those among all items, and may order systems otherwise (Krichene & Rendle 2020). Each relevant document is ranked
    alone: among all documents of the list that are not relevant, and among a sample of them. How many of the sample
    stand above it is hypergeometric, so that the expected score and its deviation are exact, and no sample is drawn.
    The correction is the least squares of that paper: what to report for each rank in the sample, to come close to the
    score among all.

    A relevant document that a list does not have is a miss, as in evaluate. Give --corpus if lists are cut: documents
    that are not listed then stand below the list, in any order. Without it, lists are taken to rank all documents; if
    one lacks a relevant document, or has fewer negatives than the sample, scores among a sample have bounds only.

    Example:
      truerank negatives qrels.txt als.run bpr.run --negatives 99 --corpus 26744
      truerank negatives qrels.txt *.run -m "Success@10 nDCG@10" --show orders

    >>> qrels, run = {"q": {"a": 1}}, {"q": ["x", "y", "a", "z", "u"]}
    >>> scores = negatives(qrels, run, "RR", negatives=1)["run"]["RR"].scores
    >>> scores["full"], scores["sampled"]  # one of four is above or not: 1/2 for each half
    (0.3333333333333333, 0.75)
    """
    from dataclasses import replace

    from truerank.measures.core.parameters import number, one_of, positive, whole
    from truerank.measures.grammar import parse_all
    from truerank.questions.negatives.work import Sampling, refuse, score_run, summarise
    from truerank.track.track import Track

    whole("negatives", negatives, least=1)
    if corpus is not None:
        whole("corpus", corpus, least=1)
    positive("rel", rel)
    number("variance", variance, least=0, most=1)
    one_of("prior", prior, ("harmonic", "uniform"))
    wanted = parse_all(measures)
    refuse(wanted)
    how = Sampling(negatives, corpus, float(rel), float(variance), prior)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    # Which topics have relevant documents is up to ``rel`` here, and not to the measures.
    track = replace(track, conventions=replace(track.conventions, no_relevant="zero"))
    return summarise(track, track.each(score_run, progress=progress, how=how), how)
