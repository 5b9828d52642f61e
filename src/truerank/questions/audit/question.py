"""The question: what would people say, of whose judgments there is a sample, where a machine judged all?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Engines, Measures, Runs, question
from truerank.report.answer import Sheet, TrackAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Argument, Option
from truerank.report.table import caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RANDOM = Code(
    "TR281",
    "human judgments that are taken for a random sample",
    "{judged:human judgment} {judged:is|are} taken for a random sample of the {documents:,} documents that the "
    "machine judged; where they were drawn otherwise, give --sample",
)
OUTSIDE = Code(
    "TR282",
    "human judgments of documents that the machine did not judge",
    "{outside:human judgment} {outside:is|are} of documents that the machine did not judge, and left out",
)
INCOMPLETE = Code(
    "TR283",
    "documents that were drawn, and that people have not judged",
    "{missing} of the {drawn:document} that {drawn:was|were} drawn {missing:is|are} not judged: those that are judged "
    "are taken for a random part of them",
)
SHORTER = Code(
    "TR284",
    "how much shorter intervals are than by human judgments alone",
    "{measure}: with the machine, intervals are {shorter:%} shorter than by human judgments alone",
)
NO_SHORTER = Code(
    "TR285",
    "a machine that makes intervals no shorter",
    "{measure}: the machine makes intervals no shorter than human judgments alone do",
)
OVERTURNED = Code(
    "TR286",
    "runs whose order by the machine is not what people would say",
    "{measure}: of {pairs:pair} of runs, people would put {turned} in another order than the machine, beyond doubt; "
    "farthest apart {better} and {worse}, {difference:.4f}",
)
NEEDED = Code(
    "TR287",
    "how many judgments of people intervals of a width take",
    "{measure}: intervals no wider than {width:g} take about {needed:judgment} more of people, drawn by --next[, or "
    "{needed_random:,} at random]",
)
WIDE_ENOUGH = Code(
    "TR288", "intervals that are no wider than asked for", "{measure}: no interval is wider than {width:g}"
)
FEW = Code(
    "TR289",
    "runs of which people judged too little",
    "{measure}: people judged fewer than two documents that count in {runs:run}: no interval",
)

THIN = Code(
    "TR280",
    "scores that rest on few human judgments",
    "{measure}: few human judgments count in {runs:run}, as much as {least:.0f} of equal weight: intervals may be too "
    "short; draw documents with audit --next",
)
CORRECTED = Code(
    "TR290",
    "scores by a machine that are corrected by human judgments",
    "scores are by the machine, corrected by {judged:human judgment}: means and differences are what people would "
    "say, those of single topics are not",
)


class AuditedScore(Row):
    """A run by a measure: what people would say, by the machine and their sample."""

    measure: str = column("the measure")
    run: str = column("the run")
    score: float = column(
        "what human judgments of all documents that the machine judged are estimated to give", best="measure"
    )
    low: float | None = column("where the interval of that begins; nothing where too little is judged")
    high: float | None = column("where it ends")
    machine: float = column("the score by the machine alone")
    alone: float | None = column("estimated from human judgments alone", minor=2)
    alone_low: float | None = column("where the interval of that begins")
    alone_high: float | None = column("where it ends")
    judged: int = column("what people judged that counts in it: documents or, where they judged whole topics, topics")

    @property
    def half(self) -> float | None:
        """Half of the length of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @derived(form="share")
    def shorter(self) -> float | None:
        """By how much the interval is shorter than by human judgments alone."""
        if self.half is None or self.alone_low is None or self.alone_high is None:
            return None
        alone = (self.alone_high - self.alone_low) / 2
        return 1.0 - self.half / alone if alone > 0 else None

    brief = ("measure", "run", "score", "low", "high", "machine", "alone", "judged", "shorter")


class AuditedPair(Row):
    """Two runs, and which one people would call better."""

    measure: str = column("the measure")
    run: str = column("the run that is better by the estimate")
    compared_with: str = column("the other one", head="with")
    difference: float = column("by how much, as people would say", form="signed")
    low: float | None = column("where the interval of that begins, for this pair alone", form="signed")
    high: float | None = column("where it ends", form="signed")
    machine: float = column("by how much the first is better by the machine; below 0, the other one is", form="signed")
    p: float | None = column("how likely a difference so large would be, were there none", form="p", minor=1)
    p_corrected: float | None = column("the same, corrected for all pairs (Holm)", head="p (Holm)", form="p")
    verdict: str = column('"better" where the corrected p is below 1 - confidence, "open" elsewhere')

    brief = ("measure", "run", "compared_with", "difference", "low", "high", "machine", "p_corrected", "verdict")


class AuditGate(Row):
    """A run held against the baseline of a gate."""

    measure: str = column("the measure")
    run: str = column("the run")
    baseline: str = column("the run that it may not be worse than")
    difference: float | None = column("by how much it is better, as people would say", form="signed")
    low: float | None = column("where the interval of that begins", form="signed")
    high: float | None = column("where it ends", form="signed")
    passed: bool = column("whether it passes: no worse beyond doubt or, with a margin, better than that beyond doubt")


class GradeMeaning(Row):
    """What a grade of the machine means to people."""

    measure: str = column("the measure, whose gain is meant")
    least: float = column("the grade of the machine, or the least of several", head="from")
    most: float = column("the highest of them", head="to")
    documents: int = column("documents that have it")
    judged: int = column("those that people judged")
    gain: float = column("mean gain by human judgments; each counts by its weight in the runs over its probability")
    deviation: float = column("how far single ones are from that", head="sd")


class DrawnDocument(Row):
    """A document for people to judge."""

    topic: str = column("the topic")
    doc: str = column("the document")
    probability: float = column("the chance with which it was drawn; estimates need it")
    grade: float = column("what the machine says", head="machine")


class AuditPlan(Row):
    """How wide intervals are to be expected with more judgments of people."""

    measure: str = column("the measure")
    judgments: int = column("judgments of people, beside those that there are")
    width: float = column("the widest interval of a score, where documents are drawn by --next")
    random: float = column("the same, where they are drawn at random")


class Audit(TrackAnswer[AuditedScore]):
    """What people would say of runs."""

    question = "audit"
    sheets = {
        "runs": Sheet(
            AuditedScore,
            "scores as people would give them",
            of="scores",
            meaning="low and high are of the score; alone is by human judgments without the machine",
        ),
        "pairs": Sheet(AuditedPair, "differences of runs, as people would find them", top=20),
        "gates": Sheet(AuditGate, "how runs do at the gate", needs="gate"),
        "grades": Sheet(GradeMeaning, "what grades of the machine mean to people"),
        "plan": Sheet(AuditPlan, "how wide intervals are with more judgments"),
        "next": Sheet(DrawnDocument, "documents for people to judge (default with --next)", needs="next", top=20),
    }

    scores: tuple[AuditedScore, ...]
    """By measure, the best first."""
    pairs: tuple[AuditedPair, ...]
    """By measure, those of the best run first."""
    gates: tuple[AuditGate, ...] = ()
    """Where a gate was asked for, how each run does."""
    grades: tuple[GradeMeaning, ...]
    plan: tuple[AuditPlan, ...]
    to_judge: tuple[DrawnDocument, ...] | None = None
    """Documents for people to judge, where they were asked for."""
    confidence: float = column("how often intervals are to hold")
    unit: str = column('what was sampled: "documents" or "topics"; "" where people have judged nothing')
    judged: int = column("how many of them people judged")
    population: int = column("how many there are")
    width: float | None = column("the widest that an interval may be, where that was asked", default=None)
    needed: dict[str, int | None] = column(
        "by measure, how many more judgments intervals of that width take, drawn by --next", nested=True
    )
    needed_random: dict[str, int | None] = column("the same, drawn at random", nested=True)

    @property
    def next(self) -> tuple[DrawnDocument, ...]:
        """Documents for people to judge."""
        return self.to_judge or ()

    def usual(self) -> str:
        """What to judge, where that was asked for."""
        return "runs" if self.to_judge is None else "next"

    @property
    def exit_code(self) -> int:
        """1 where a run did not pass the gate."""
        return int(any(not gate.passed for gate in self.gates))

    def closing(self, block: str = "") -> Iterator[str]:
        """How each run did at the gate."""
        for gate in self.gates:
            ends = "" if gate.low is None or gate.high is None else f" [{gate.low:+.4f}, {gate.high:+.4f}]"
            known = "unknown" if gate.difference is None else f"{gate.difference:+.4f}{ends}"
            yield (
                f"gate {'passed' if gate.passed else 'failed'}: {gate.measure} of {gate.run} against {gate.baseline}, "
                f"as people would say: {known}"
            )

    def caption(self, show: str) -> str:
        """What was judged."""
        what = (len({row.run for row in self.scores}), "run")
        if self.to_judge is not None and show == "next":
            what = (len(self.to_judge), "document")
        counts = (counted(*what), counted(len(self.topics), "topic"))
        told = f"people judged {self.judged:,} of {self.population:,} {self.unit}" if self.unit else ""
        intervals = f"{100 * self.confidence:g}% intervals" if self.unit else ""
        return caption(*counts, *filter(None, (told, intervals)), conventions=self.conventions.unusual())

    def own_notes(self, show: str) -> Iterator[Note]:
        """By measure, what the machine is worth, what people would turn around, and how much is to be judged."""
        for measure in self.measures if self.unit else ():
            rows = [row for row in self.scores if row.measure == measure]
            yield from self._worth(measure, rows)
            yield from self._turned(measure)
            if few := [row.run for row in rows if row.low is None]:
                yield FEW(measure=measure, runs=len(few))
        for measure, needed in self.needed.items():
            if needed == 0:
                yield WIDE_ENOUGH(measure=measure, width=self.width or 0.0)
            elif needed is not None:
                yield NEEDED(
                    measure=measure,
                    width=self.width or 0.0,
                    needed=needed,
                    needed_random=self.needed_random[measure],
                )

    def _worth(self, measure: str, rows: list[AuditedScore]) -> Iterator[Note]:
        gains = [row.shorter for row in rows if row.shorter is not None]
        if not gains:
            return
        mean = sum(gains) / len(gains)
        if mean >= 0.01:
            yield SHORTER(measure=measure, shorter=mean)
        else:
            yield NO_SHORTER(measure=measure)

    def _turned(self, measure: str) -> Iterator[Note]:
        pairs = [pair for pair in self.pairs if pair.measure == measure]
        turned = [pair for pair in pairs if pair.verdict == "better" and pair.machine < 0]
        if turned:
            far = max(turned, key=lambda pair: abs(pair.machine))
            yield OVERTURNED(
                measure=measure,
                pairs=len(pairs),
                turned=len(turned),
                better=far.run,
                worse=far.compared_with,
                difference=abs(far.machine),
            )


RULES = AxisRules(fixed={"ending": "none"}, refused=one_number("what people would say is estimated of single ones"))

Machine = Annotated[Any, Argument("MACHINE", holds="qrels")]
"""Judgments of a machine: of every document that counts."""
People = Annotated[Any, Option("Human judgments: of a sample of the documents, or of whole topics.", metavar="QRELS")]
Drawn = Annotated[
    Any,
    Option(
        "The file that --next wrote, with the probability of each document that was drawn. Without it, human judgments "
        "are taken as a random sample.",
        metavar="FILE",
    ),
]


@question(RULES)
def audit(
    qrels: Machine,
    runs: Runs,
    measures: Measures = "P@10 RBP",
    *,
    people: People = None,
    sample: Drawn = None,
    next: Annotated[  # noqa: A002 - the name of the option
        int, Option("Draw N documents for people to judge, those more likely that matter more.", metavar="N", least=1)
    ] = 0,
    width: Annotated[
        float | None,
        Option("The widest that an interval of a score may be: says how many judgments that takes.", metavar="W"),
    ] = None,
    gate: Annotated[
        str | None,
        Option("End with exit code 1 where a run is worse than this one, as people would say.", metavar="RUN"),
    ] = None,
    margin: Annotated[
        float | None,
        Option("With --gate: end with 1 unless no run is worse by so much or more, beyond doubt.", metavar="D"),
    ] = None,
    confidence: Annotated[float, Option("How often intervals are to hold.", metavar="SHARE")] = 0.95,
    seed: Annotated[int, Option("Which documents are drawn.", metavar="N", least=0)] = 0,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Audit:
    """Estimate scores under human judgments from LLM labels.

    The score by the machine is corrected by how far it is off where people judged, so that the interval holds whatever
    the machine is worth; the better it is, the shorter the interval. Measures that are sums over documents, such as
    P@10, DCG@10 and RBP, need a sample of documents. Others, such as nDCG@10 and AP, divide by what there is to find,
    and need human judgments of whole topics.

    Example:
      truerank audit machine.qrels *.run -m P@10 --next 200 --out sample.tsv
      truerank audit machine.qrels *.run -m P@10 --people people.qrels --sample sample.tsv
      truerank audit machine.qrels *.run -m "P@10 RBP" --people people.qrels --width 0.1
      truerank audit machine.qrels old.run new.run -m P@10 --people people.qrels --gate old

    In Python, ``people`` and ``sample`` are given as judgments are; the grade of a sample is the probability.

    >>> machine = {"q1": {"a": 1, "b": 1, "c": 0, "d": 0}, "q2": {"a": 1, "b": 0, "c": 1, "d": 0}}
    >>> runs = {"x": {"q1": ["a", "b", "c"], "q2": ["a", "c", "b"]}}
    >>> found = audit(machine, runs, "P@2", people={"q1": {"a": 1, "b": 0, "d": 0}, "q2": {"a": 1, "b": 0}})
    >>> score = found["x"]["P@2"]
    >>> score.machine, round(score.score, 3), score.judged
    (1.0, 0.667, 3)
    """
    from truerank.questions.audit.sample import AuditAim
    from truerank.questions.audit.work import refuse_measures, score_run, summarise
    from truerank.track.track import Track

    aim = AuditAim.of(
        people, sample, next=next, width=width, gate=gate, margin=margin, confidence=confidence, seed=seed
    )
    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    asked = aim.against(track)
    refuse_measures(track, asked)
    return summarise(track, track.each(score_run, progress=progress), asked)
