"""The question: what does a sample of negatives do to scores?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from truerank.conventions.presets import AxisRules
from truerank.questions.negatives.answer import SampledNegatives
from truerank.questions.signature import Engines, Judgments, Measures, Runs, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

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
    """Show what scoring against a sample of negatives does to scores, and to the order of runs.

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
    from truerank.questions.negatives.work import Sampling, conclude, look, refuse
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
    return conclude(track, track.each(look, progress=progress, how=how), how)
