"""The question: what do unjudged documents leave open?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from truerank.boards.ranges import DifferenceRange
from truerank.conventions.presets import AxisRules
from truerank.data.notes import Code, Note
from truerank.questions.signature import Engines, Judgments, Measures, Runs, question, reads
from truerank.report.answer import Sheet, Top, TrackAnswer
from truerank.report.digits import ranks
from truerank.report.reversal import reversal_class
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option
from truerank.report.table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.measures.core.base import Measure
    from truerank.track.track import Progress

UNDECIDED = Code(
    "TR241",
    "pairs of runs that could reverse if the unjudged documents that these runs list were judged",
    "{measure}: judging the unjudged documents that these runs list could reverse {undecided:,} of {pairs:pair} of "
    'runs; the farthest apart are "{better}" and "{worse}" ({difference:.4f})',
    brief="{measure}: judging what these runs list could reverse {undecided:,} of {pairs:,} pairs",
    consequence=0.0,
)
DECIDED = Code(
    "TR242",
    "no pair of runs could reverse if the unjudged documents that these runs list were judged",
    "{measure}: judging the unjudged documents that these runs list cannot reverse any two runs",
    brief="{measure}: judging what these runs list cannot reverse any two runs",
    consequence=0.0,
)
LIKELY = Code(
    "TR244",
    "how likely pairs of runs are to reverse if the unjudged documents that these runs list were judged",
    "{measure}: {steady:,} of {undecided:undecided pair} {steady:is|are} unlikely to reverse (under 5%), {turned:,} "
    "{turned:is|are} likely to (over 80%), by a model of relevance",
    all="{measure}: all {undecided:undecided pair} are unlikely to reverse (under 5%), by a model of relevance",
    one="{measure}: the undecided pair is unlikely to reverse (under 5%), by a model of relevance",
    consequence=0.0,
)
NEXT = Code(
    "TR243",
    "the document to judge next",
    "judge next: {doc} of topic {topic}, which narrows {measure} there by {gain:.4f} over all runs",
)
NEXT_OF_PAIRS = Code(
    "TR245",
    "the document to judge next, which says most about undecided pairs of runs",
    "judge next: {doc} of topic {topic}, which says most about the pairs that are undecided by {measure}",
)
NOTHING = Code(
    "TR246",
    "there is no document to judge next",
    "nothing to judge next by {measure}: {candidates:document} in the first {depth:rank} of the runs "
    "{candidates:is|are} not judged, none of which would change a score; --depth N looks deeper",
    judged="nothing to judge next by {measure}: all documents in the first {depth:rank} of the runs are judged; "
    "--depth N looks deeper",
    consequence=0.0,
)
NO_MODEL = Code(
    "TR247",
    "there is no model of relevance, and so no chances, likely scores or estimates",
    "no chances of reversal, likely scores or estimates: {why}",
    brief="no chances: {why}",
)
STEADY, TURNED = 0.05, 0.8
"""Chances that are counted: below, and from there on."""
RANKS = 3
"""Runs whose ranks a person reads."""


class OpenScore(Row):
    """A run by a measure: its score, and what judging the unjudged documents that these runs list could make of it."""

    measure: str = column("the measure")
    run: str = column("the run")
    judged_at: dict[int, float] = column(
        "share of judged documents among the first {}, the mean over lists", spread="judged@{}", head="judged @{}"
    )
    judged: float = column("the same in whole lists")
    score: float = column("with unjudged documents not relevant", best="measure")
    condensed: float = column("with unjudged documents taken out of the lists")
    low: float | None = column(
        "the lowest score that judging documents that these runs list can lead to; nothing for a measure without bounds"
    )
    high: float | None = column("the highest such score")
    residual: float | None = column(
        "how much higher it would be if all unjudged documents were relevant and nothing else changed; for RBP without "
        "a cutoff, the residual of Moffat & Zobel: the weight of ranks not judged"
    )
    rank: int | None = column("its rank by its score; nothing for a measure without bounds", default=None)
    best_rank: int | None = column(
        "its best rank over judgments of documents that these runs list: one more than the runs certainly above it",
        default=None,
    )
    worst_rank: int | None = column(
        "its worst rank over these: one more than the runs that may be above it", default=None
    )
    undecided: int | None = column(
        "runs that it may be above or below once documents that these runs list are judged", head="open", default=None
    )
    likely_low: float | None = column(
        "the score that 5% of the worlds drawn from the model of relevance stay below, in which all documents that "
        "these runs list are judged; nothing without a model, or for a measure without bounds",
        default=None,
    )
    likely_high: float | None = column("the score that 5% of them exceed", default=None)

    @derived(head="possible ranks")
    def range(self) -> str | None:
        """The ranks that judging documents that these runs list can give it."""
        if self.best_rank is None or self.worst_rank is None:
            return None
        return ranks((self.best_rank, self.worst_rank))

    brief = (
        "measure",
        "run",
        "judged_at",
        "score",
        "condensed",
        "low",
        "high",
        "residual",
        "range",
        "undecided",
    )


class UnjudgedPair(DifferenceRange):
    """Two runs, and whether judging the unjudged documents that these runs list can reverse their order."""

    chance: float | None = column(
        "the chance that the other run is better if all documents that these runs list were judged, by the model of "
        "relevance; 0 for a pair that cannot reverse, nothing without a model",
        default=None,
        form="share",
    )

    @derived(for_people=False)
    def reversal(self) -> str | None:
        """The class of that chance: "never" for a pair that cannot reverse, "under 5%", "5 to 20%", "20 to 50%",
        "50 to 80%" or "over 80%"."""
        if not self.can_reverse or self.chance is None:
            return None if self.can_reverse else "never"
        return reversal_class(self.chance)

    brief = ("measure", "run", "compared_with", "difference", "low", "high", "can_reverse", "reversal")


class TopicRelevant(Row):
    """How many relevant documents a topic has, of those that are judged or that a run lists among its first 100."""

    topic: str = column("the topic")
    relevant: int = column("documents that are judged relevant")
    estimate: float = column("the median of draws from the model of relevance", form="short")
    low: int = column("the lower end of a 90% interval")
    high: int = column("the upper end")
    recaptured: float = column(
        "the least number by capture and recapture (Chao), of what one run and what two runs found down to the first "
        "document of theirs that is not judged",
        form="short",
    )


class Judgment(Row):
    """A document to judge, and by how much that would narrow what is open in its topic, summed over the runs."""

    topic: str = column("the topic")
    doc: str = column("the document")
    chance: float | None = column(
        "the chance that it is relevant, by the model of relevance; nothing without a model",
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
    """What the unjudged documents that runs list leave open of their scores, and of their order."""

    question = "unjudged"
    told_apart = ("unjudged",)
    sheets = {
        "runs": Sheet(
            OpenScore,
            "scores of runs, and their bounds once documents that these runs list are judged",
            of="open_scores",
            meaning="low, high and possible ranks hold for judging documents that these runs list; open: runs that may "
            "be above or below it then",
        ),
        "pairs": Sheet(
            UnjudgedPair,
            "pairs of runs, those that can reverse first",
            top=20,
            meaning="low, high and reversal are about judging documents that these runs list",
        ),
        "next": Sheet(Judgment, "documents to judge (default with --next)", needs="next"),
        "relevant": Sheet(TopicRelevant, "how many relevant documents topics have, judged or not"),
    }

    open_scores: tuple[OpenScore, ...]
    """By measure, the best score first, undefined ones last."""
    pairs: tuple[UnjudgedPair, ...]
    """By measure, those that are undecided first."""
    to_judge: tuple[Judgment, ...] | None = None
    """Documents to judge, where they were asked for."""
    depth: int | None = column("how deep documents to judge were looked for, where that was asked", default=None)
    candidates: int = column("unjudged documents down to there", default=0)
    draws: int = column("worlds drawn from the model of relevance; 0 if no chances were worked out", default=0)
    no_model: str | None = column(
        "why there is no model of relevance, and so no chances, likely scores or estimates; nothing if there is one",
        default=None,
    )
    only_relevant: bool = column(
        "whether no document is judged not relevant (grade 0), so that bounds and pairs say nothing about the runs",
        default=False,
    )
    relevant: tuple[TopicRelevant, ...] = ()
    """By topic, how many relevant documents there are; nothing without a model."""

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
        """The same, of runs that have a rank by it: none by a measure without bounds."""
        return {run: row for run, row in self.scores(measure).items() if row.rank is not None}

    def undecided(self, measure: str | Measure) -> tuple[UnjudgedPair, ...]:
        """The pairs of runs of which each may be above the other."""
        name = next(iter(self.values()))[measure].measure
        return tuple(pair for pair in self.pairs if pair.measure == name and pair.can_reverse)

    @property
    def of_unjudged(self) -> str:
        """Nothing: the verdict says it."""
        return ""

    def verdict(self, show: str) -> str:
        """Whether judging more could change the order of runs; or what to judge next."""
        from truerank.questions.unjudged.words import verdict

        return verdict(self, show)

    def own_notes(self, show: str) -> Iterator[Note]:
        """By measure, how many pairs of runs are undecided and how likely they reverse; the first document to judge."""
        for measure in () if self.only_relevant else self.measures:
            yield from self._pairs(measure)
        if self.only_relevant and show != "next":
            return
        if self.no_model is not None and show != "relevant" and any(row.judged < 1 for row in self.open_scores):
            yield NO_MODEL(why=self.no_model)
        if self.next:
            first = self.next[0]
            if first.apart:
                yield NEXT_OF_PAIRS(topic=first.topic, doc=first.doc, measure=self.measures[0])
            else:
                yield NEXT(topic=first.topic, doc=first.doc, gain=first.gain, measure=self.measures[0])

    def _pairs(self, measure: str) -> Iterator[Note]:
        pairs = [pair for pair in self.pairs if pair.measure == measure]
        undecided = [pair for pair in pairs if pair.can_reverse]
        if not undecided:
            if pairs:
                yield DECIDED(measure=measure, pairs=len(pairs))
            return
        far = max(undecided, key=lambda pair: abs(pair.difference))
        yield UNDECIDED(
            measure=measure,
            undecided=len(undecided),
            pairs=len(pairs),
            better=far.run,
            worse=far.compared_with,
            difference=abs(far.difference),
        )
        if chances := [pair.chance for pair in undecided if pair.chance is not None]:
            yield likely_note(measure, chances)

    def lead(self, show: str) -> Iterator[str]:
        """That there is nothing to judge, or no model of relevance, in place of a table."""
        if show == "next" and not self.next:
            yield self._nothing()
        if show == "relevant" and not self.relevant:
            yield NO_MODEL(why=self.no_model or "--draws is 0")

    def _nothing(self) -> Note:
        form = "" if self.candidates else "judged"
        return NOTHING(form, measure=self.measures[0], depth=self.depth or 0, candidates=self.candidates)

    def layout(self, show: str, *, top: Top = None) -> Table:
        """No head of a table where there is nothing to judge, or nothing to say of unjudged documents."""
        if (show == "next" and not self.next) or (self.only_relevant and show in ("runs", "pairs")):
            return Table((), ())
        return super().layout(show, top=top)

    def __repr__(self) -> str:
        return f"Unjudged({len(self)} runs, {len(self.wanted)} measures, {len(self.next)} documents to judge)"


def likely_note(measure: str, chances: Sequence[float]) -> Note:
    """How many undecided pairs are unlikely to reverse, and how many are likely to."""
    steady, turned = sum(chance < STEADY for chance in chances), sum(chance >= TURNED for chance in chances)
    form = "" if steady < len(chances) else "one" if steady == 1 else "all"
    return LIKELY(form, measure=measure, undecided=len(chances), steady=steady, turned=turned)


RULES = AxisRules(fixed={"unjudged": "bounds"})


@question(RULES)
def unjudged(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "RBP nDCG@10",
    *,
    cutoff: Annotated[
        int | Iterable[int], Option("Depth to which judged documents are counted; repeatable.", many=True, least=1)
    ] = (10, 100),
    next: Annotated[  # noqa: A002 - the name of the option
        int,
        Option(
            "List N documents to judge next, by the first measure: the most informative first.",
            metavar="N",
            least=1,
        ),
    ] = 0,
    aim: Annotated[
        str,
        Option(
            "What these should decide: which run of undecided pairs is better, or scores, by narrower bounds.",
            choices=("pairs", "scores"),
        ),
    ] = "pairs",
    depth: Annotated[
        int | None,
        Option("Depth to which to look for them. Default: the measure's cutoff, or else 100.", metavar="N", least=1),
    ] = None,
    draws: Annotated[
        int,
        Option(
            "Worlds to draw from a model of relevance, for chances of reversal and likely scores; 0 for none.",
            metavar="N",
            least=0,
        ),
    ] = 200,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Unjudged:
    """Show what unjudged documents could change, and what to judge next.

    Each run has its score with unjudged documents not relevant, its score without them (condensed), and bounds (low,
    high): no judgments of documents that these runs list can move the score past them. A pair of runs is undecided if
    such judgments can reverse it. With --next, the documents to judge next are listed, and shown first.

    Example:
      truerank unjudged qrels.txt bm25.run dense.run -m "RBP(p=0.9)"
      truerank unjudged qrels.txt *.run -m nDCG@10 --next 50 --out to-judge.tsv

    In Python, ``cutoff`` is one depth or several.

    >>> qrels = {"q1": {"a": 1, "b": 0}}
    >>> found = unjudged(qrels, {"x": {"q1": ["a", "u"]}, "y": {"q1": ["b", "u", "a"]}}, "RBP(p=0.5)", next=1)
    >>> x = found["x"]["RBP(p=0.5)"]
    >>> x.low, x.high, x.residual
    (0.5, 1.0, 0.5)
    >>> found.pairs[0].can_reverse, found.next[0].doc, found.next[0].gain
    (False, 'u', 0.5)
    """
    from truerank.measures.core.parameters import one_of
    from truerank.measures.grammar import parse_all
    from truerank.questions.unjudged.next import Target, judge_next, search_depth
    from truerank.questions.unjudged.outlook import outlook
    from truerank.questions.unjudged.relevance import lacking
    from truerank.questions.unjudged.work import cutoffs, refuse_preferences, score_run, standings, summarise
    from truerank.track.track import Track

    one_of("aim", aim, ("pairs", "scores"))
    wanted, depths = parse_all(measures), cutoffs(cutoff)
    deepest = search_depth(wanted[0], next, depth)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    refuse_preferences(track)
    parts = track.each(score_run, progress=progress, cutoffs=depths, deepest=deepest, draws=draws)
    found = standings(track, parts)
    bounded = [measure for measure, one in found.items() if len(one.placed)]
    ranks = [part.ranks for part in parts if part.ranks is not None]
    ahead = outlook(track, bounded, draws, progress, ranks) if draws else None
    to_judge = None
    if next:
        pairs = found[track.measures[0]].doubt(ahead) if aim == "pairs" else None
        target = Target(pairs, None if ahead is None else ahead.model)
        to_judge = judge_next(track, [part.to_judge for part in parts], next, target, progress)
    no_model = lacking(track.judgments) if draws and ahead is None else None
    return summarise(track, parts, found, ahead, to_judge, deepest, no_model)


@reads
def estimate_relevant(
    qrels: Judgments,
    runs: Runs,
    *,
    draws: int = 200,
    engine: Any = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> dict[str, TopicRelevant]:
    """Estimate how many relevant documents each topic has, judged or not, with a 90% interval.

    By topic; documents count that are judged or that a run lists among its first 100. The estimates come from the model
    of relevance of ``unjudged``, as those of ``truerank unjudged --show relevant`` do.

    >>> docs, grades = [f"d{n}" for n in range(60)], [1, 1, 0, 1, 0, 0, 1, 0, 0, 0] * 3
    >>> qrels = {str(t): dict(zip(docs, grades)) for t in range(4)}
    >>> found = estimate_relevant(qrels, {"x": {str(t): docs for t in range(4)}})
    >>> found["0"].relevant, found["0"].low <= found["0"].estimate <= found["0"].high
    (12, True)
    """
    from truerank.data.errors import InputError
    from truerank.data.given_ids import ByTopic
    from truerank.questions.unjudged.relevance import SEED, lacking, relevance
    from truerank.questions.unjudged.work import estimates, refuse_preferences
    from truerank.track.track import Track

    if draws < 1:
        raise InputError(f"draws is {draws}; give 1 or more")
    track = Track.of(qrels, runs, "AP", given, engine=engine)
    refuse_preferences(track)
    if (model := relevance(track, progress)) is None:
        raise InputError(f"no estimates: {lacking(track.judgments)}")
    return ByTopic((row.topic, row) for row in estimates(track, model, model.worlds(draws, SEED)))
