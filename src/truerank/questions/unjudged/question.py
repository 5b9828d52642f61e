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
        int | Iterable[int], Option("Depth that judged documents are counted to; repeatable.", many=True, least=1)
    ] = (10, 100),
    next: Annotated[  # noqa: A002 - the name of the option
        int,
        Option(
            "List N documents to judge, those first that tell most by the first measure.",
            metavar="N",
            least=1,
        ),
    ] = 0,
    aim: Annotated[
        str,
        Option(
            "What they should tell: which run of pairs that are open is better, or scores, by narrower bounds.",
            choices=("pairs", "scores"),
        ),
    ] = "pairs",
    depth: Annotated[
        int | None,
        Option("How deep to look for them. Default: the cutoff of the measure, or else 100.", metavar="N", least=1),
    ] = None,
    draws: Annotated[
        int,
        Option(
            "Judgments to draw from a model of relevance, for the chance that an open pair is reversed; 0 for none.",
            metavar="N",
            least=0,
        ),
    ] = 200,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Unjudged:
    """Tell how much of each run is judged, and what the rest leaves open.

    A score is given with unjudged documents not relevant, without them (condensed), and between bounds: none of them
    relevant (low), and all of them, with those that follow the end of a list (high). Of two runs whose bounds overlap
    neither is certainly better. With --next there is a list of documents to judge, too, which is then shown first.

    Example:
      truerank unjudged qrels.txt bm25.run dense.run -m "RBP(p=0.9)"
      truerank unjudged qrels.txt *.run -m nDCG@10 --next 50 --out to-judge.tsv

    In Python, ``cutoff`` is one depth or several.

    >>> qrels = {"q1": {"a": 1, "b": 0}}
    >>> found = unjudged(qrels, {"x": {"q1": ["a", "u"]}, "y": {"q1": ["b", "u", "a"]}}, "RBP(p=0.5)", next=1)
    >>> x = found["x"]["RBP(p=0.5)"]
    >>> x.low, x.high, x.residual
    (0.5, 1.0, 0.5)
    >>> found.pairs[0].decided, found.next[0].doc, found.next[0].gain
    (True, 'u', 0.5)
    """
    from truerank.measures.core.parameters import one_of
    from truerank.measures.grammar import parse_all
    from truerank.questions.unjudged.next import Target, judge_next, search_depth
    from truerank.questions.unjudged.work import conclude, cutoffs, look, refuse_preferences, standings
    from truerank.track.outlook import outlook
    from truerank.track.track import Track

    one_of("aim", aim, ("pairs", "scores"))
    wanted, depths = parse_all(measures), cutoffs(cutoff)
    deepest = search_depth(wanted[0], next, depth)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    refuse_preferences(track)
    parts = track.each(look, progress=progress, cutoffs=depths, deepest=deepest)
    found = standings(track, parts)
    open_ = [measure for measure, one in found.items() if one.open.any()]
    ahead = outlook(track, open_, draws, progress) if draws else None
    to_judge = None
    if next:
        pairs = found[track.measures[0]].doubt(ahead) if aim == "pairs" else None
        target = Target(pairs, None if ahead is None else ahead.model)
        to_judge = judge_next(track, [part.to_judge for part in parts], next, target, progress)
    return conclude(track, parts, found, ahead, to_judge, deepest)


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
    """Tell how many relevant documents each topic has, judged or not: an interval that holds in nine topics of ten.

    By topic; counted are documents that are judged or that a run lists among its first 100. It comes from the model of
    relevance that ``unjudged`` has, and so does the sheet of ``truerank unjudged --show relevant``.

    >>> docs, grades = [f"d{n}" for n in range(60)], [1, 1, 0, 1, 0, 0, 1, 0, 0, 0] * 3
    >>> qrels = {str(t): dict(zip(docs, grades)) for t in range(4)}
    >>> found = estimate_relevant(qrels, {"x": {str(t): docs for t in range(4)}})
    >>> found["0"].relevant, found["0"].low <= found["0"].estimate <= found["0"].high
    (12, True)
    """
    from truerank.data.errors import InputError
    from truerank.data.given_ids import ByTopic
    from truerank.questions.unjudged.work import estimates, refuse_preferences
    from truerank.track.relevance import FEWEST, relevance
    from truerank.track.track import Track

    if draws < 1:
        raise InputError(f"draws is {draws}; give 1 or more")
    track = Track.of(qrels, runs, "AP", given, engine=engine)
    refuse_preferences(track)
    if (model := relevance(track, progress)) is None:
        raise InputError(
            f"too little is judged of what the runs list to tell how many relevant documents there are: it takes "
            f"{FEWEST} relevant documents and {FEWEST} others"
        )
    return ByTopic((row.topic, row) for row in estimates(track, model, draws))
