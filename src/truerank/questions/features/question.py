"""The question: how good is each feature as a ranking?"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules
from truerank.questions.features.answer import DIRECTIONS, Features
from truerank.questions.signature import Measures, question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given

_TWO = "gives two numbers for a score, and tests are between single ones"
RULES = AxisRules(
    fixed={
        "ties": "bounds",
        "missing": "empty",
        "nil": "end",
        "identical": "keep",
        "relevant": "judgments",
        "unseen": 0,
    },
    refused={"unjudged": {"bounds": _TWO, "residual": _TWO}},
)
TESTS = "student, wilcoxon, sign, randomization, bootstrap-shift or dunnett."


@question(RULES)
def features(
    data: Annotated[Any, Argument("FILE...", many=True)],
    measures: Measures = "nDCG@10",
    *,
    direction: Annotated[
        str, Option("Which values come first: high, low, or of both what scores better.", choices=DIRECTIONS)
    ] = "both",
    only: Annotated[
        str | Iterable[str], Option("A feature to look at; repeatable. Default: all.", metavar="NAME", many=True)
    ] = (),
    baseline: Annotated[
        str | None, Option("The feature that others are tested against. Default: the best.", metavar="NAME")
    ] = None,
    test: Annotated[str, Option(TESTS)] = "student",
    correction: Annotated[str, Option("holm, bonferroni, benjamini-hochberg or none.")] = "holm",
    alpha: Annotated[float, Option("Significant is a corrected p below.")] = 0.05,
    permutations: Annotated[int, Option("How often to draw.", least=1)] = 10_000,
    seed: Annotated[int, Option("Of what is drawn at random.", least=0, most=inf)] = 0,
    **given: Unpack[Given],
) -> Features:
    """Score each feature of a file of learning to rank as a ranking of its own.

    FILE is one of LETOR or SVMlight, compressed or not: lines of a grade, qid: and features, as in 2 qid:10 1:0.5.
    Features have few values, so that most documents may be tied: a score is the mean over all orders of ties, with the
    worst and the best order beside it. Each feature is tried in both directions, and tested against the best one, or a
    baseline, by the values of topics; p is corrected for all features.

    Example:
      truerank features Fold1/test.txt -m "nDCG@10 AP"
      truerank features train.txt vali.txt --baseline 25 --correction benjamini-hochberg --format tsv

    In Python, ``data`` is a path, a list of them, or (X, grades, topics), where X has one row per document: an array, a
    sparse matrix as ``sklearn.datasets.load_svmlight_file(path, query_id=True)`` gives, or a data frame.

    >>> X = [[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [9.0, 5.0], [7.0, 5.0], [7.0, 5.0]]
    >>> found = features((X, [0, 0, 1, 0, 1, 1], ["q1", "q1", "q1", "q2", "q2", "q2"]), "RR", test="sign")
    >>> [(row.feature, row.direction, round(row.score, 4), round(row.tied, 4)) for row in found.scored]
    [('1', 'high', 0.75, 0.3333), ('2', 'high', 0.7222, 1.0)]
    """
    from truerank.questions.features.work import FeatureTest, scored

    how = FeatureTest(test, correction, alpha, permutations, seed)
    wanted = (only,) if isinstance(only, str) else tuple(map(str, only))
    return scored(data, measures, direction, wanted, baseline, how, RULES.chosen(given))
