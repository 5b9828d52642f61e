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
WHOLE = Code(
    "TR715",
    "lists are taken to rank all documents",
    "lists are taken to rank all documents; if they are cut, give --corpus N, the number of all documents",
)
SMALL = Code("TR714", "lists that are cut, so that ranks among a sample of negatives are not known")


class SampledScore(Row):
    """A measure of a run, among all negatives and among a sample."""

    measure: str = column("the measure")
    run: str = column("the run")
    full: float = column("each relevant document among all negatives; one that is not listed is a miss", best="measure")
    sampled: float | None = column(
        "the expected score among a sample of negatives; nothing if lists are cut and no corpus is given", optional=True
    )
    sampled_low: float | None = column(
        "the lowest that it may be, wherever documents that are not listed stand; nothing if all ranks are known",
        head="low",
        optional=True,
    )
    sampled_high: float | None = column("the highest that it may be", head="high", optional=True)
    sampled_sd: float | None = column(
        "standard deviation of that score from one sample to another", head="sd", optional=True
    )
    corrected: float | None = column("the expected score after a correction for sampling", optional=True)
    corrected_sd: float | None = column("standard deviation of the corrected score", head="corrected sd", optional=True)
    full_rank: int | None = column("place of the run among all negatives; nothing without a score")
    sampled_rank: int | None = column("place by the expected score among a sample")
    corrected_rank: int | None = column("place by the corrected score")

    @derived(for_people=False)
    def bias(self) -> float | None:
        """What sampling adds to the score."""
        return None if self.sampled is None else self.sampled - self.full

    @derived(head="rank")
    def places(self) -> str | None:
        """Places among all negatives, among a sample, and corrected; one where they are the same."""
        found = [rank for rank in (self.full_rank, self.sampled_rank, self.corrected_rank) if rank is not None]
        if not found:
            return None
        return str(found[0]) if len({*found}) == 1 else ", ".join(map(str, found))

    brief = (
        *("measure", "run", "full", "sampled", "sampled_low", "sampled_high", "sampled_sd"),
        *("corrected", "corrected_sd", "places"),
    )


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
            meaning="full: among all negatives, a document that is not listed is a miss; sampled: expected among a "
            "sample, and its deviation between samples; low and high: what that may be; corrected: after Krichene & "
            "Rendle",
        ),
        "agreement": Sheet(
            SampledOrder,
            "how far a sample orders runs as all negatives do",
            of="orders",
            meaning="Kendall's tau-b with the order among all negatives; inverted: pairs of runs in the opposite order",
        ),
    }

    negatives: int = column("negatives that are sampled for each relevant document")
    corpus: int | None = column("documents that there are to sample from; null if lists are taken to have all of them")
    scores: tuple[SampledScore, ...]
    """By measure, the best among all negatives first."""
    orders: tuple[SampledOrder, ...]
    relevant: int = column("relevant documents that were ranked")
    unlisted: int = column("relevant documents that are not listed, over all runs")
    small: int = column("lists with fewer negatives than the sample has, over all runs")

    @property
    def orderings(self) -> ByMeasure[SampledOrder]:
        """How far orders of runs agree, by measure."""
        return ByMeasure({one.measure: one for one in self.orders})

    def says(self, show: str) -> Iterator[Note]:
        """How far scores and orders are from those among all negatives."""
        yield ALONE(relevant=self.relevant, topics=len(self.topics))
        if self.unlisted or self.small:
            yield self._cut()
        elif self.corpus is None:
            yield WHOLE()
        for one in self.orders:
            rows = [row for row in self.scores if row.measure == one.measure and row.full == row.full]
            if not rows:
                continue
            mean = "mean over runs " if len(rows) > 1 else ""
            full = sum(row.full for row in rows) / len(rows)
            text = f"{one.measure}: {mean}{full:.{DIGITS}f} among all negatives"
            known = [(row.sampled, row.corrected) for row in rows if row.sampled is not None]
            sampled = mended = None
            if len(known) == len(rows):
                sampled, mended = (sum(some) / len(rows) for some in zip(*known, strict=True))
                text += f", {sampled:.{DIGITS}f} among {self.negatives:,}; corrected {mended:.{DIGITS}f}"
            yield MEANS(text, measure=one.measure, full=full, sampled=sampled, corrected=mended)
            if one.runs > 1:
                text = f"{one.measure}: a sample puts {one.inverted} of {counted(one.pairs, 'pair')} of runs in the "
                text += f"opposite order, as expected; after the correction {one.inverted_corrected}"
                yield ORDERS(text, measure=one.measure, inverted=one.inverted, pairs=one.pairs)

    def _cut(self) -> Note:
        """That lists do not have all documents, and what is not known because of that."""
        lacks = []
        if self.unlisted:
            is_, count = "is" if self.unlisted == 1 else "are", counted(self.unlisted, "relevant document")
            lacks.append(f"{count} {is_} not listed, which is a miss")
        if self.small:
            has = "has" if self.small == 1 else "have"
            lacks.append(f"{counted(self.small, 'list')} {has} fewer than {counted(self.negatives, 'negative')}")
        runs = len({row.run for row in self.scores})
        text = f"{f'over {runs:,} runs, ' if runs > 1 else ''}{'; '.join(lacks)}"
        if self.corpus is None:
            text += ": scores among a sample are not known; give --corpus N, the number of all documents"
        elif self.unlisted:
            text += ": among a sample, documents that are not listed are taken to be in random order below the list"
        facts = {"unlisted": self.unlisted, "lists": self.small, "negatives": self.negatives}
        return SMALL(text, **facts)
