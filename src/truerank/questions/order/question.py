"""The question: how far do runs have documents in a given order?"""

from __future__ import annotations

from typing import Annotated, Any

from truerank.questions.order.answer import OrderSurvey
from truerank.questions.signature import Runs, question
from truerank.report.signature import Argument, Option


@question()
def order(
    order: Annotated[Any, Argument("ORDER")],
    runs: Runs,
    *,
    grades: Annotated[
        bool, Option("ORDER are judgments with grades that scores are to predict: squared and ordinal error, too.")
    ] = False,
) -> OrderSurvey:
    """Tell how far runs have the documents of each topic in a given order.

    ORDER has a ranking for each topic, in any form that a run may have; equal scores are ties. With --grades it has
    judgments, which order documents by their grades, and runs have scores that are to come close to them.

    Documents that a run does not list are tied below those that it does, and those that only the run has do not count.
    Errors are of the documents that are listed: the mean of the squared difference between score and grade, and how
    many grades the one nearest to the score is from the right one.

    Example:
      truerank order best-first.run bm25.run dense.run
      truerank order qrels.txt predicted.run --grades --show topics

    >>> found = order({"q": ["a", "b", "c", "d"]}, {"q": ["b", "a", "c"]})["run"]
    >>> found.kendall_b, found.spearman, found.listed
    (0.6666666666666666, 0.8, 3)
    >>> order({"q": {"a": 2, "b": 0}}, {"q": {"a": 1.5, "b": 0.5}}, grades=True)["run"].squared
    0.25
    """
    from truerank.questions.order.work import survey

    return survey(order, runs, grades=grades)
