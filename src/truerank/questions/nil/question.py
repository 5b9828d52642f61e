"""The question: which topics do runs leave unanswered, and what is that worth?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.nil.answer import NilAnswer
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(
    fixed={"nil": "end", "missing": "empty"},
    usual={"ending": "terminal"},
    refused={
        **one_number("a rank is that of one"),
        "ending": {"none": "does not count the end of a list as an answer"},
        "no_relevant": {"skip": "leaves out the topics on which an empty list is correct"},
    },
)


@question(RULES)
def nil(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = None,
    *,
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> NilAnswer:
    """Show which topics runs leave unanswered, and what that does to scores and ranks.

    A run leaves a topic unanswered if it leaves it out, lists nothing, or lists NIL first. Each score is given twice,
    after Liu et al. (2016), whose measures are taken without -m: RR, nDCG, RBP(p=0.5) and AP. With --limit 5, nDCG is
    nDCG@5, since its ideal list has no more documents than a list could have. The original methodology is that of TREC
    2001: NIL is a document that is relevant if nothing else is. By the modified one a list ends at its NIL, and a
    terminal document follows if the system ended the list: at a NIL, or before it had --limit documents, the most that
    a list could have. Without a limit every list was ended by its system.

    --show topics has what the ending of each list adds to the score, and --show endings sums that up by run and kind:
    correctly unanswered, stops that paid, premature NIL, giving up, hedging. The figure has both scores of each run and
    the share of its lists that were ended early; with --show lengths, it has the lengths.

    Example:
      truerank nil qrels.txt *.run --limit 5
      truerank nil qrels.txt *.run --limit 5 -m RR --show endings
      truerank nil qrels.txt *.run --limit 5 -m RR --show runs --plot nil.svg

    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 0}}
    >>> runs = {"sure": {"q1": ["a", "x"], "q2": ["b", "x"]}, "wary": {"q1": ["x", "a"], "q2": ["NIL", "b"]}}
    >>> answer = nil(qrels, runs, "RR", limit=2)
    >>> answer.cases["wary"].correctly_unanswered_topics, answer.cases["wary"].precision
    (('q2',), 1.0)
    >>> answer["wary"]["RR"].scores, answer.orders[0].tau_a
    ({'original': 0.75, 'modified': 0.75}, 1.0)
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.nil.work import conclude, look, refuse, usual
    from truerank.track.track import Track

    wanted = parse_all(usual(given.get("limit")) if measures is None else measures)
    refuse(wanted)
    track = Track.of(qrels, runs, wanted, given, RULES, engine=engine)
    return conclude(track, track.each(look, progress=progress))
