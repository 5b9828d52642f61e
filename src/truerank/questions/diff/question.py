"""The question: how do two runs differ, topic by topic?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.diff.answer import Diff
from truerank.questions.signature import Engines, Judgments, Measures, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given

RULES = AxisRules(refused=one_number("differences are between single ones, with bounds of their own"))


@question(RULES)
def diff(
    qrels: Judgments,
    run_a: Annotated[Any, Argument("A", holds="runs")],
    run_b: Annotated[Any, Argument("B", holds="runs")],
    measures: Measures = "nDCG@10",
    *,
    top: Annotated[
        int | None,
        Option(
            "Topics to list, those with the largest differences. Default: a few for people, all for programs.",
            metavar="N",
            least=1,
        ),
    ] = None,
    depth: Annotated[
        int | None,
        Option("Ranks that documents are looked at in. Default: the cutoff of the measure, or else 100.", least=1),
    ] = None,
    draws: Annotated[
        int,
        Option(
            "Worlds to draw from a model of relevance, for the chance that the other run is ahead if all documents "
            "that the two runs list were judged; 0 for none, 200 are enough.",
            metavar="N",
            least=0,
        ),
    ] = 0,
    engine: Engines = None,
    **given: Unpack[Given],
) -> Diff:
    """Compare two runs topic by topic, and show which documents made the difference.

    Differences are scores of B less scores of A, the largest first. A document's impact is what it adds to the score
    of B less what it adds to that of A, so that impacts add up to the difference. JSON has topics and documents.

    Example:
      truerank diff qrels.txt bm25.run dense.run -m nDCG@10
      truerank diff qrels.txt bm25.run dense.run --topic 418
      truerank diff qrels.txt bm25.run dense.run -m AP --draws 200
      truerank diff qrels.txt bm25.run dense.run -m "AP P@10" --plot diff.svg

    In Python, judgments and runs are given as to ``evaluate``; the few topics that ``topics`` may name are shown by
    document.

    >>> qrels = {"q1": {"x": 1, "y": 0}, "q2": {"z": 1}}
    >>> found = diff(qrels, {"q1": ["x", "y"], "q2": ["z"]}, {"q1": ["y", "new", "x"], "q2": ["z"]}, "RR@10")
    >>> rr = found["RR@10"]
    >>> (rr.wins, rr.level, rr.losses), round(rr.difference, 4)
    ((0, 1, 1), -0.3333)
    >>> x, *others = rr.documents("q1")
    >>> x.doc, x.status, x.ranks_a, x.ranks_b, round(x.impact, 4)
    ('x', 'moved', (1, 1), (3, 3), -0.6667)
    >>> [(one.doc, one.status, one.impact) for one in others]
    [('new', 'entered', 0.0), ('y', 'moved', 0.0)]
    """
    from truerank.questions.diff.work import common, conclude, look, refuse, two
    from truerank.questions.unjudged.outlook import outlook
    from truerank.questions.unjudged.relevance import lacking
    from truerank.track.track import Track

    refuse(top=top, depth=depth)
    track = Track.of(qrels, two(run_a, run_b), measures, given, RULES, engine=engine)
    track = track.only(common(track))
    [part] = track.pairs(look, [(0, 1)])
    ahead = outlook(track, track.measures, draws, None) if draws else None
    no_model = lacking(track.judgments) if draws and ahead is None else None
    return conclude(track, part, top=top, depth=depth, ahead=ahead, no_model=no_model)
