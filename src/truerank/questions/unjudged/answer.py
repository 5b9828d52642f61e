"""The answer: runs between the bounds of their scores, pairs of runs, and documents to judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import Sheet, Top, TrackAnswer
from truerank.report.digits import ranks
from truerank.report.reversal import reversal_word
from truerank.report.rows import Row, column, derived
from truerank.report.table import Table

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure

UNDECIDED = Code(
    "TR241",
    "pairs of runs that unjudged documents leave undecided",
    "{measure}: {undecided} of {pairs:pair} of runs {undecided:is|are} undecided: judging more may "
    "reverse {undecided:it|them}; "
    "farthest apart {better} and {worse}, {difference:.4f}",
)
DECIDED = Code(
    "TR242",
    "unjudged documents leave no pair of runs undecided",
    "{measure}: unjudged documents leave no pair of runs undecided",
)
LIKELY = Code(
    "TR244",
    "how likely judging more is to reverse pairs of runs that are open, by a model of relevance",
    "{measure}: by a model of relevance, of {undecided:pair} that {undecided:is|are} undecided {steady} "
    "{steady:is|are} hardly ever reversed (chance below 5%), {turned} {turned:is|are} likely to be (80% or more)"
    "{check}",
)
NEXT = Code(
    "TR243",
    "the document to judge next",
    "judge next: {doc} of topic {topic}, which narrows {measure} there by {gain:.4f} over all runs",
)
NEXT_OF_PAIRS = Code(
    "TR245",
    "the document to judge next, which tells most about pairs of runs that are open",
    "judge next: {doc} of topic {topic}, which tells most about the pairs that {measure} leaves undecided",
)
NOTHING = Code(
    "TR246",
    "there is no document to judge next",
    "nothing to judge next by {measure}: {why}",
)
UNTOLD = Code(
    "TR247",
    "there is no model of relevance, and nothing to show that comes from it",
    "no model of relevance, which this comes from: it takes {fewest} relevant documents and {fewest} others that are "
    "judged and that runs list, and --draws of 1 or more",
)
STEADY, TURNED = 0.05, 0.8
"""Chances that are counted: below, and from there on."""
RANKS = 3
"""Runs whose ranks a person reads."""


class OpenScore(Row):
    """A measure of a run, what unjudged documents leave open of it, and of the place of the run."""

    measure: str = column("the measure")
    run: str = column("the run")
    judged_at: dict[int, float] = column(
        "share of judged documents among the first {}, the mean over lists", spread="judged@{}", head="judged @{}"
    )
    judged: float = column("the same in whole lists")
    score: float = column("with unjudged documents not relevant", best="measure")
    condensed: float = column("with unjudged documents taken out of the lists")
    low: float | None = column(
        "the least that it can be once more is judged, of what the runs list; nothing for a measure without bounds"
    )
    high: float | None = column("the most")
    residual: float | None = column(
        "how much higher it would be if all unjudged documents were relevant and nothing else changed; for RBP without "
        "a cutoff, the residual of Moffat & Zobel: the weight of ranks not judged"
    )
    place: int | None = column("place of the run by its score; nothing where it has no bounds", default=None)
    highest: int | None = column("one more than the runs that are certainly above it", default=None)
    lowest: int | None = column("one more than the runs that may be above it", default=None)
    undecided: int | None = column("runs that it may be above or below", head="open", default=None)
    likely_low: float | None = column(
        "once everything is judged that the runs list, the score lies from here, by the model of relevance, in nine "
        "cases of ten or more; nothing where no pair is open",
        default=None,
    )
    likely_high: float | None = column("to here", default=None)

    @derived()
    def places(self) -> str | None:
        """The places that judging more can give it."""
        if self.highest is None or self.lowest is None:
            return None
        return ranks((self.highest, self.lowest))

    brief = (
        "measure",
        "run",
        "judged_at",
        "score",
        "condensed",
        "low",
        "high",
        "residual",
        "places",
        "undecided",
    )


class OpenPair(Row):
    """Two runs, and whether unjudged documents can put them in the other order."""

    measure: str = column("the measure")
    better: str = column("the run with the better score; of equal ones the first")
    worse: str = column("the other one")
    difference: float = column("by how much the first is better")
    ahead: float = column(
        "by how much the other one may be ahead at most, once more is judged; below 0, it is behind whatever is found"
    )
    decided: bool = column("whether no judgments of unjudged documents can put the two in another order")
    chance: float | None = column(
        "the chance that the other one is ahead once everything is judged that the runs list, by a model of relevance; "
        "0 where the pair is decided, nothing where too little is judged",
        default=None,
        form="share",
    )

    @derived(for_people=False)
    def reversal(self) -> str | None:
        """The same in a word: "never" where decided; "hardly" (below 5%), "unlikely" (20%), "open", "likely" (from 80%
        on), "nearly sure" (95%)."""
        if self.decided or self.chance is None:
            return "never" if self.decided else None
        return reversal_word(self.chance)

    brief = ("measure", "better", "worse", "difference", "ahead", "decided", "reversal")


class TopicRelevant(Row):
    """How many relevant documents a topic has, of those that are judged or that a run lists among its first 100."""

    topic: str = column("the topic")
    relevant: int = column("those that are judged relevant")
    estimate: float = column("the median of draws from the model of relevance", form="short")
    low: int = column("the 5th of a hundred draws: in nine topics of ten there are so many to high")
    high: int = column("the 95th")
    recaptured: float = column(
        "the least number by capture and recapture (Chao), of what one run and what two runs found down to the first "
        "document of theirs that is not judged",
        form="short",
    )


class HiddenJudgments(Row):
    """The model of relevance put to the test: half of the judgments, of documents that stand low, hidden from it."""

    documents: int = column("judged documents that were hidden")
    expected: float = column("how many of them the model takes to be relevant")
    relevant: int = column("how many are")


class MeasureRehearsal(Row):
    """What came of the changes that the model expected, where these judgments were hidden from it."""

    measure: str = column("the measure")
    expected: float = column(
        "by how much differences of runs were expected to change: the root of the mean square over pairs"
    )
    changed: float = column("by how much they did")
    share: float = column("what share of the expected change came about: its regression on it, over pairs")
    taken: float = column("the share of expected changes that chances are told by")


class Judgment(Row):
    """A document to judge, and by how much that would narrow what is open in its topic, summed over the runs."""

    topic: str = column("the topic")
    doc: str = column("the document")
    chance: float | None = column(
        "the chance that it is relevant, by a model of relevance; nothing where too little is judged",
        default=None,
        form="share",
    )
    apart: float | None = column(
        "how far its judgment is expected to move the runs of open pairs apart: its chance times the root of the "
        "squares by which it moves their differences in its topic, summed over pairs, each by the chance that it is "
        "reversed; nothing with --aim scores",
        default=None,
    )
    gain: float = column(
        "the mean of what is gained if it is not relevant and if it is, by the chance of either, or else as if both "
        "were as likely"
    )
    if_nonrelevant: float = column("by how much bounds are narrower if it is judged not relevant")
    if_relevant: float = column("the same if it has the grade that is worth most to the measure")
    ranks: dict[str, int] = column("where runs list it, the highest first; of tied ranks the first", joined=":")

    @derived(head="ranks", folds=True)
    def first_ranks(self) -> str:
        """The highest of them."""
        few = [f"{run}:{rank}" for run, rank in list(self.ranks.items())[:RANKS]]
        if len(self.ranks) > RANKS:
            few.append(f"and {len(self.ranks) - RANKS} more")
        return " ".join(few)

    brief = ("topic", "doc", "chance", "apart", "gain", "if_nonrelevant", "if_relevant", "first_ranks")


class Unjudged(TrackAnswer[OpenScore]):
    """What unjudged documents leave open of the scores of runs, and of their order."""

    question = "unjudged"
    told_apart = ("unjudged",)
    sheets = {
        "runs": Sheet(
            OpenScore,
            "scores of runs, and their bounds",
            of="open_scores",
            meaning="places are those that judging more can give, open is how many other runs may be above or below",
        ),
        "pairs": Sheet(OpenPair, "pairs of runs, those that are undecided first", top=20),
        "next": Sheet(Judgment, "documents to judge (default with --next)", needs="next"),
        "relevant": Sheet(TopicRelevant, "how many relevant documents topics have, judged or not"),
        "rehearsal": Sheet(
            MeasureRehearsal, "how the model of relevance did on judgments hidden from it", of="rehearsals"
        ),
    }

    open_scores: tuple[OpenScore, ...]
    """By measure, the best score first, undefined ones last."""
    pairs: tuple[OpenPair, ...]
    """By measure, those that are undecided first."""
    to_judge: tuple[Judgment, ...] | None = None
    """Documents to judge, where they were asked for."""
    depth: int | None = column("how deep documents to judge were looked for, where that was asked", default=None)
    candidates: int = column("unjudged documents down to there", default=0)
    draws: int = column("judgments drawn from the model of relevance; 0 where no chances were worked out", default=0)
    hidden: HiddenJudgments | None = column(
        "how the model of relevance does on judgments that were hidden from it", default=None, nested=True
    )

    relevant: tuple[TopicRelevant, ...] = ()
    """By topic, how many relevant documents there are; nothing where too little is judged, or without draws."""
    rehearsals: tuple[MeasureRehearsal, ...] = ()
    """The same by measure, where pairs are open."""

    @property
    def next(self) -> tuple[Judgment, ...]:
        """Documents to judge, as many as were asked for: those first that tell most by the first measure."""
        return self.to_judge or ()

    def usual(self) -> str:
        """What to judge next, where that was asked for."""
        return "runs" if self.to_judge is None else "next"

    def scores(self, measure: str | Measure) -> dict[str, OpenScore]:
        """The scores of all runs by a measure, best first; undefined ones last."""
        name = next(iter(self.values()))[measure].measure
        return {row.run: row for row in self.open_scores if row.measure == name}

    def standings(self, measure: str | Measure) -> dict[str, OpenScore]:
        """The same, of runs that have a place by it: none by a measure without bounds."""
        return {run: row for run, row in self.scores(measure).items() if row.place is not None}

    def undecided(self, measure: str | Measure) -> tuple[OpenPair, ...]:
        """The pairs of runs of which each may be above the other."""
        name = next(iter(self.values()))[measure].measure
        return tuple(pair for pair in self.pairs if pair.measure == name and not pair.decided)

    def says(self, show: str) -> Iterator[Note]:
        """By measure, how many pairs of runs are undecided; and the first document to judge."""
        for measure in self.measures:
            pairs = [pair for pair in self.pairs if pair.measure == measure]
            undecided = [pair for pair in pairs if not pair.decided]
            if undecided:
                far = max(undecided, key=lambda pair: pair.difference)
                yield UNDECIDED(
                    measure=measure,
                    undecided=len(undecided),
                    pairs=len(pairs),
                    better=far.better,
                    worse=far.worse,
                    difference=far.difference,
                )
                if chances := [pair.chance for pair in undecided if pair.chance is not None]:
                    yield LIKELY(
                        measure=measure,
                        undecided=len(undecided),
                        steady=sum(chance < STEADY for chance in chances),
                        turned=sum(chance >= TURNED for chance in chances),
                        check=self._check,
                    )
            elif pairs:
                yield DECIDED(measure=measure, pairs=len(pairs))
        if self.next:
            first = self.next[0]
            if first.apart:
                yield NEXT_OF_PAIRS(topic=first.topic, doc=first.doc, measure=self.measures[0])
            else:
                yield NEXT(topic=first.topic, doc=first.doc, gain=first.gain, measure=self.measures[0])

    def lead(self, show: str) -> Iterator[str]:
        """That there is nothing to judge, or no model of relevance, in place of a table."""
        if show == "next" and not self.next:
            yield self._nothing()
        if show in ("relevant", "rehearsal") and self.hidden is None and not self.relevant:
            from truerank.track.relevance import FEWEST

            yield UNTOLD(fewest=FEWEST)

    def _nothing(self) -> Note:
        """Why there is no document to judge."""
        where = f"the first {counted(self.depth or 0, 'rank')} of the runs"
        if self.candidates:
            are = "is" if self.candidates == 1 else "are"
            found = f"{counted(self.candidates, 'document')} in {where}"
            why = f"{found} {are} not judged, none of which would change a score"
        else:
            why = f"all documents in {where} are judged"
        return NOTHING(measure=self.measures[0], why=f"{why}; --depth N looks deeper")

    def layout(self, show: str, *, top: Top = None) -> Table:
        """No head of a table where there is nothing to judge."""
        if show == "next" and not self.next:
            return Table((), ())
        return super().layout(show, top=top)

    @property
    def _check(self) -> str:
        """How the model does, as a clause."""
        if self.hidden is None:
            return ""
        found = self.hidden
        return (
            f"; of {found.documents:,} judged documents that were hidden from it, it takes {found.expected:,.0f} to be "
            f"relevant, and {found.relevant:,} are"
        )

    def __repr__(self) -> str:
        return f"Unjudged({len(self)} runs, {len(self.wanted)} measures, {len(self.next)} documents to judge)"
