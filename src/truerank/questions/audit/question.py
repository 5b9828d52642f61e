"""The question: what would people say, of whose judgments there is a sample, where a machine judged all?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.audit.answer import Audit
from truerank.questions.signature import Engines, Measures, Runs, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(fixed={"ending": "none"}, refused=one_number("what people would say is estimated of single ones"))

Machine = Annotated[Any, Argument("MACHINE", holds="qrels")]
"""Judgments of a machine: of every document that counts."""
People = Annotated[
    Any, Option("Judgments of people, of a sample of the same documents, or of whole topics.", metavar="QRELS")
]
Drawn = Annotated[
    Any,
    Option(
        "What --next wrote before people judged: the documents that were drawn, each with its probability. "
        "Without it, people's documents are taken for a random sample.",
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
    """Tell what people would say of runs, where a machine judged all documents and people judged some.

    The score by the machine is corrected by how far it is off where people judged, so that the interval holds whatever
    the machine is worth; the better it is, the shorter the interval. Measures that are sums over documents, such as
    P@10, DCG@10 and RBP, need a sample of documents. Others, such as nDCG@10 and AP, divide by what there is to find,
    and need people's judgments of whole topics.

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
    from truerank.questions.audit.work import conclude, look, refuse_measures
    from truerank.track.track import Track

    aim = AuditAim.of(
        people, sample, next=next, width=width, gate=gate, margin=margin, confidence=confidence, seed=seed
    )
    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    asked = aim.against(track)
    refuse_measures(track, asked)
    return conclude(track, track.each(look, progress=progress), asked)
