"""The question: how far do rankings agree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from truerank.data.errors import InputError
from truerank.questions.agreement.answer import Agreement, AgreementByTopic
from truerank.questions.signature import Runs, question
from truerank.report.signature import Argument, Option

Persistence = Annotated[float, Option("Persistence of rank-biased overlap.", flags="-p")]
Confidence = Annotated[
    float, Option("How often intervals are to hold, about, over other items like these.", metavar="SHARE")
]
Columns = Annotated[
    Sequence[str],
    Option(
        "Which column, where a header line names several; give it twice if A and B have different ones.",
        metavar="NAME",
        many=True,
    ),
]
Grades = Annotated[
    bool,
    Option("A are judgments with grades that the scores of runs are to predict: squared and ordinal error, too."),
]


@question()
def agreement(
    a: Any, b: Any, *, p: Persistence = 0.9, confidence: Confidence = 0.95, column: Columns = ()
) -> Agreement:
    """Measure how far two rankings agree; the first is the truth, if one is.

    Each is {item: score}, where a higher score is better and equal ones are tied, or a list of items from the best on,
    in which items that are tied stand in a list or tuple of their own, or the path of a file. ``p`` is the persistence
    of rank-biased overlap, see ``truerank.statistics.rbo``; ``column`` names that of files, one for both or for each.
    ``answer.intervals`` has what is to be expected of Kendall's and Spearman's coefficients, for as many other items
    like these, with a share of ``confidence``, about.

    >>> one, other = {"bm25": 0.31, "dense": 0.42, "hybrid": 0.45}, {"bm25": 0.30, "dense": 0.52, "hybrid": 0.47}
    >>> answer = agreement(one, other)
    >>> round(answer.tau_b, 4), round(answer.tau_ap, 4), round(answer.rbo.a.ext, 4)
    (0.3333, 0.0, 0.9)
    >>> agreement(["a", "b"], ["a", "c"]).notices
    ("a has 'b', which b lacks, and b has 'c', which a lacks; correlations need the same items and are undefined",)
    """
    from truerank.questions.agreement.files import chosen_columns, given_ranking
    from truerank.questions.agreement.work import between
    from truerank.statistics.jackknife import refuse_confidence
    from truerank.statistics.rbo import refuse_persistence

    refuse_persistence(p)
    refuse_confidence(confidence)
    first, last = chosen_columns(column)
    return between(given_ranking(a, first), given_ranking(b, last), p=p, confidence=confidence)


@question()
def agreement_by_topic(order: Any, runs: Runs, *, grades: Grades = False) -> AgreementByTopic:
    """Measure how far runs have the documents of each topic in a given order.

    ``order`` has a ranking for each topic, in any form that a run may have; with ``grades`` it has judgments.

    >>> run = agreement_by_topic({"q": ["a", "b", "c", "d"]}, {"q": ["b", "a", "c"]})["run"]
    >>> run.tau_b, run.spearman, run.listed
    (0.6666666666666666, 0.8, 3)
    >>> agreement_by_topic({"q": {"a": 2, "b": 0}}, {"q": {"a": 1.5, "b": 0.5}}, grades=True)["run"].squared
    0.25
    """
    from truerank.questions.agreement.by_topic import survey

    return survey(order, runs, grades=grades)


@question()
def command(
    a: Annotated[Any, Argument("A")],
    b: Annotated[Any, Argument("B...", many=True, holds="runs")],
    *,
    p: Persistence = 0.9,
    confidence: Confidence = 0.95,
    column: Columns = (),
    by_topic: Annotated[
        bool, Option("A is a run that has the documents of each topic in order, and B are runs.")
    ] = False,
    grades: Grades = False,
) -> Agreement | AgreementByTopic:
    """Measure how far two rankings agree.

    A and B hold an item and its score a line, as truerank evaluate --out scores.tsv writes for runs, or an item a line,
    best first. Where one is the truth, it is A.

    With --by-topic A has a ranking of documents for each topic, in any form that a run may have, and each B is a run.
    With --grades A has judgments, which order documents by their grades, and runs have scores that are to come close to
    them. Documents that a run does not list are tied below those that it does, and those that only the run has do not
    count. Errors are of the documents that are listed: the mean of the squared difference between score and grade, and
    how many grades the one nearest to the score is from the right one.

    Example:
      truerank agreement scores.tsv scores.tsv --column AP --column nDCG@10
      truerank agreement best-first.run bm25.run dense.run --by-topic
      truerank agreement qrels.txt predicted.run --grades --show topics
    """
    if by_topic or grades:
        if column:
            raise InputError("column= chooses scores of items; leave it out, or by_topic= and grades=")
        return agreement_by_topic(a, b, grades=grades)
    if len(b) > 1:
        raise InputError(f"there are {len(b)} rankings to compare with A; give one, or by_topic= if they are runs")
    if not isinstance(b[0], str):
        raise InputError("columns of runs are for rankings by topic; leave them out, or give by_topic=")
    return agreement(a, b[0], p=p, confidence=confidence, column=column)


COMMAND = command
