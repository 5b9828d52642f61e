"""The question: what do unjudged documents leave open?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules
from truerank.questions.signature import Engines, Judgments, Measures, Runs, question, reads
from truerank.questions.unjudged.answer import TopicRelevant, Unjudged
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

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
    """Show how much of each run is judged, and what its unjudged documents could change.

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
    from truerank.questions.unjudged.work import conclude, cutoffs, look, refuse_preferences, standings
    from truerank.track.track import Track

    one_of("aim", aim, ("pairs", "scores"))
    wanted, depths = parse_all(measures), cutoffs(cutoff)
    deepest = search_depth(wanted[0], next, depth)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    refuse_preferences(track)
    parts = track.each(look, progress=progress, cutoffs=depths, deepest=deepest)
    found = standings(track, parts)
    bounded = [measure for measure, one in found.items() if len(one.placed)]
    ahead = outlook(track, bounded, draws, progress) if draws else None
    to_judge = None
    if next:
        pairs = found[track.measures[0]].doubt(ahead) if aim == "pairs" else None
        target = Target(pairs, None if ahead is None else ahead.model)
        to_judge = judge_next(track, [part.to_judge for part in parts], next, target, progress)
    no_model = lacking(track.judgments) if draws and ahead is None else None
    return conclude(track, parts, found, ahead, to_judge, deepest, no_model)


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
