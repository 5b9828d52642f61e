"""The answer: scores among all negatives and among a sample, and how both order runs."""

from __future__ import annotations

from collections.abc import Iterator

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import ByMeasure, Sheet, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.table import DIGITS

MEANS = Code("TR711", "what scores are among all negatives and among a sample, over all runs")
ORDERS = Code("TR712", "how far a sample of negatives orders runs as all of them do")
ALONE = Code(
    "TR713",
    "each relevant document is ranked alone among negatives",
    "each of {relevant:,} relevant documents of {topics:topic} is ranked alone, among the negatives of its topic",
)
SMALL = Code(
    "TR714",
    "lists with no more negatives than the sample has",
    "{lists:list} {lists:has|have} no more than {negatives:negative}, which are then all in the sample; with --corpus, "
    "documents that are not listed are negatives too",
)


class SampledScore(Row):
    """A measure of a run, among all negatives and among a sample."""

    measure: str = column("the measure")
    run: str = column("the run")
    full: float = column("each relevant document among all negatives", best="measure")
    sampled: float = column("the expected score among a sample of negatives")
    sampled_sd: float = column("standard deviation of that score from one sample to another", head="sd")
    corrected: float = column("the expected score after a correction for sampling")
    corrected_sd: float = column("standard deviation of the corrected score", head="corrected sd")
    full_rank: int | None = column("place of the run among all negatives; nothing without a score")
    sampled_rank: int | None = column("place by the expected score among a sample")
    corrected_rank: int | None = column("place by the corrected score")

    @derived(for_people=False)
    def bias(self) -> float:
        """What sampling adds to the score."""
        return self.sampled - self.full

    @derived(head="rank")
    def places(self) -> str | None:
        """Places among all negatives, among a sample, and corrected; one where they are the same."""
        found = (self.full_rank, self.sampled_rank, self.corrected_rank)
        if None in found:
            return None
        return str(found[0]) if len({*found}) == 1 else ", ".join(map(str, found))

    brief = ("measure", "run", "full", "sampled", "sampled_sd", "corrected", "corrected_sd", "places")


class SampledOrder(Row):
    """How far the order of runs among a sample of negatives is that among all."""

    measure: str = column("the measure")
    runs: int = column("runs that have a score")
    kendall: float = column("Kendall's tau-b of expected scores among a sample with those among all negatives")
    corrected: float = column("the same for corrected scores")
    pairs: int = column("pairs of runs that differ among all negatives")
    inverted: int = column("those that a sample puts in the opposite order, as expected")
    inverted_corrected: int = column("those in the opposite order after the correction", head="inverted, corrected")


class SampledNegatives(TrackAnswer[SampledScore]):
    """What a sample of negatives does to scores: ``found["bm25"]["RR"].sampled``."""

    question = "negatives"
    told_apart = ("no_relevant",)
    sheets = {
        "runs": Sheet(
            SampledScore,
            "scores among all negatives and among a sample",
            of="scores",
            meaning="full: among all negatives; sampled: expected among a sample, and its deviation between samples; "
            "corrected: after Krichene & Rendle",
        ),
        "agreement": Sheet(
            SampledOrder,
            "how far a sample orders runs as all negatives do",
            of="orders",
            meaning="Kendall's tau-b with the order among all negatives; inverted: pairs of runs in the opposite order",
        ),
    }

    negatives: int = column("negatives that are sampled for each relevant document")
    corpus: int | None = column("documents that there are to sample from; null for those that a run lists")
    scores: tuple[SampledScore, ...]
    """By measure, the best among all negatives first."""
    orders: tuple[SampledOrder, ...]
    relevant: int = column("relevant documents that were ranked")
    small: int = column("lists with no more negatives than the sample has")

    @property
    def orderings(self) -> ByMeasure[SampledOrder]:
        """How far orders of runs agree, by measure."""
        return ByMeasure({one.measure: one for one in self.orders})

    def says(self, show: str) -> Iterator[Note]:
        """How far scores and orders are from those among all negatives."""
        yield ALONE(relevant=self.relevant, topics=len(self.topics))
        for one in self.orders:
            rows = [row for row in self.scores if row.measure == one.measure and row.full == row.full]
            if not rows:
                continue
            full, sampled, mended = (
                sum(getattr(row, name) for row in rows) / len(rows) for name in ("full", "sampled", "corrected")
            )
            mean = "mean over runs " if len(rows) > 1 else ""
            text = f"{one.measure}: {mean}{full:.{DIGITS}f} among all negatives, {sampled:.{DIGITS}f} among "
            text += f"{self.negatives:,}; corrected {mended:.{DIGITS}f}"
            yield MEANS(text, measure=one.measure, full=full, sampled=sampled, corrected=mended)
            if one.runs > 1:
                text = f"{one.measure}: a sample puts {one.inverted} of {counted(one.pairs, 'pair')} of runs in the "
                text += f"opposite order, as expected; after the correction {one.inverted_corrected}"
                yield ORDERS(text, measure=one.measure, inverted=one.inverted, pairs=one.pairs)
        if self.small:
            yield SMALL(lists=self.small, negatives=self.negatives)
