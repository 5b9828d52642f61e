"""The question: how does the score of one list come about?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.explain.answer import Explanation
from truerank.questions.signature import Engines, Judgments, Measures, OneRun, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given

RULES = AxisRules(refused=one_number("one is explained"))


@question(RULES)
def explain(
    qrels: Judgments,
    run: OneRun,
    measures: Measures = "AP",
    *,
    topic: Annotated[str | None, Option("The topic to explain; not needed where only one is judged.")] = None,
    engine: Engines = None,
    **given: Unpack[Given],
) -> Explanation:
    """Show how the score of one topic comes about, rank by rank, and what would change it.

    A row a document: its grade, gain and weight, and what it adds to the score; contributions add up to the score, also
    where documents are tied. Below: what order and missing documents cost, the best exchange of two documents, and what
    each tie and each unjudged document could change.

    Example:
      truerank explain qrels.txt bm25.run --topic 401
      truerank explain qrels.txt bm25.run --topic 401 -m nDCG@10 --all
      truerank explain qrels.txt bm25.run --topic 401 -m "RBP ERR" --show changes

    In Python, judgments, run, measures and conventions are given as to ``evaluate``. For measures that are sums over
    ranks contributions are the terms of the sum, as means over the orders of ties; for others, what the score gains
    when the judgments of the list become known from the top down.

    >>> qrels = {"q1": {"a": 1, "c": 1, "z": 1, "b": 0}}
    >>> ap = explain(qrels, {"q1": ["a", "b", "c", "new"]}, "AP")["AP"]
    >>> [(step.doc, round(step.factor, 4), round(step.contribution, 4)) for step in ap.found]
    [('a', 1.0, 0.3333), ('c', 0.6667, 0.2222)]
    >>> ap.divisor.name, ap.divisor.value, round(ap.score, 4)
    ('R', 3.0, 0.5556)
    >>> ap.swap.upper, ap.swap.lower, round(ap.swap.score, 4)
    ('b', 'c', 0.6667)
    """
    from truerank.questions.explain.work import explanation, one
    from truerank.track.track import Track

    return explanation(Track.of(qrels, one(run), measures, given, RULES, engine=engine), topic)
