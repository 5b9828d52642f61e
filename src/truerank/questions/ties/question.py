"""The question: what does the order of ties do?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from truerank.conventions.presets import AxisRules
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.questions.ties.answer import Ties

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

MIXED = "would mix two reasons for bounds"
RULES = AxisRules(fixed={"ties": "bounds"}, refused={"unjudged": {"bounds": MIXED, "residual": MIXED}})


@question(RULES)
def ties(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = "nDCG@10 AP",
    *,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Ties:
    """Show what the order of ties does to scores, and which pairs of runs it can reverse.

    A score is the mean over all orders of tied documents, with the worst and the best order next to it, and the orders
    that tools take: docid (descending, as trec_eval), docid-asc, input, and rank if there is a rank column. Ties can
    reverse two runs if one is better by expectation and the other is better in some order, every list with its ties in
    an order of its own. sd is the standard deviation over orders, and each such pair has the chance that the other run
    is better if ties are broken at random.

    Example:
      truerank ties qrels.txt bm25.run dense.run -m "AP nDCG@10"
      truerank ties qrels.txt *.run --show pairs --plot ties.svg

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 0}}
    >>> runs = {"flat": {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "second": {"q1": {"b": 2.0, "a": 1.0}}}
    >>> found = ties(qrels, runs, "RR")
    >>> flat = found["flat"]["RR"]
    >>> round(flat.worst, 2), round(flat.expected, 2), flat.best
    (0.33, 0.61, 1.0)
    >>> [(pair.run, pair.compared_with, pair.reversed_by) for pair in found.pairs]
    [('flat', 'second', ('docid',))]
    """
    from truerank.questions.ties.work import conclude, cutoffs, look
    from truerank.track.track import Track

    track = Track.of(qrels, runs, measures, given, RULES, engine=engine)
    return conclude(track, track.each(look, progress=progress, cutoffs=cutoffs(track.measures)))
