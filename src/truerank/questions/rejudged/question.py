"""The question: what do other judgments of the same runs change?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.rejudged.answer import Rejudged
from truerank.questions.signature import Engines, Measures, Runs, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(fixed={"judges": "given"}, refused=one_number("runs are ordered by one"))


@question(RULES)
def rejudged(
    before: Annotated[Any, Argument("OLD", holds="qrels")],
    after: Annotated[Any, Argument("NEW", holds="qrels")],
    runs: Runs,
    measures: Measures = "nDCG@10 AP",
    *,
    test: Annotated[str, Option("The test of each pair of runs, see compare.")] = "student",
    correction: Annotated[str | None, Option("For the pairs of a measure, see compare. Default: holm.")] = None,
    alpha: Annotated[float, Option("Significant is a corrected p below.")] = 0.05,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Rejudged:
    """Compare two sets of judgments by what they say of the same runs.

    OLD and NEW are judgments before and after: of a shallow pool and of a deep one, of one assessor and of another, of
    last month and of today. Told are documents that were added, removed and judged otherwise, scores and places that
    moved, how far the orders of runs agree, and which significant findings are reversed, lost and new. By each set of
    judgments, runs are compared on the topics that it has.

    Example:
      truerank rejudged shallow.qrels qrels.txt *.run -m "nDCG@10 AP"
      truerank rejudged old.qrels new.qrels *.run --show pairs
      truerank rejudged old.qrels new.qrels *.run --show grades

    >>> runs = {"x": {"q1": ["a", "b"], "q2": ["c", "d"]}, "y": {"q1": ["b", "a"], "q2": ["d", "c"]}}
    >>> old, new = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}, {"q1": {"a": 0, "b": 1}, "q2": {"c": 0, "d": 1}}
    >>> found = rejudged(old, new, runs, "RR")
    >>> found["x"]["RR"].before, found["x"]["RR"].after, found.orders[0].tau, found.by_topic[1].added
    (1.0, 0.5, -1.0, 1)
    """
    from truerank.questions.rejudged.work import asked

    return asked(
        before,
        after,
        runs,
        measures,
        given,
        test=test,
        correction=correction,
        alpha=alpha,
        engine=engine,
        progress=progress,
    )
