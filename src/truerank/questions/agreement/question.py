"""The question: how far do two rankings agree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from truerank.questions.agreement.answer import Agreement
from truerank.questions.signature import question
from truerank.report.signature import Argument, Option


@question()
def agreement(
    a: Annotated[Any, Argument("A")],
    b: Annotated[Any, Argument("B")],
    *,
    p: Annotated[float, Option("Persistence of rank-biased overlap.", flags="-p")] = 0.9,
    confidence: Annotated[
        float, Option("How often intervals are to hold, about, over other items like these.", metavar="SHARE")
    ] = 0.95,
    column: Annotated[
        Sequence[str],
        Option(
            "Which column, where a header line names several; give it twice if A and B have different ones.",
            metavar="NAME",
            many=True,
        ),
    ] = (),
) -> Agreement:
    """Tell how far two rankings agree.

    A and B hold an item and its score a line, as truerank evaluate --out scores.tsv writes for runs, or an item a line,
    best first. Where one is the truth, it is A.

    Example:
      truerank agreement scores.tsv scores.tsv --column AP --column nDCG@10

    In Python, each may also be {item: score}, where a higher score is better and equal ones are tied, or a list of
    items from the best on, in which items that are tied stand in a list or tuple of their own. ``p`` is the persistence
    of rank-biased overlap, see ``truerank.statistics.rbo``; ``column`` names that of files, one for both or for each.
    ``found.intervals`` has for Kendall's and Spearman's coefficients what is to be expected of as many other items like
    these, with a share of ``confidence``, about.

    >>> one, other = {"bm25": 0.31, "dense": 0.42, "hybrid": 0.45}, {"bm25": 0.30, "dense": 0.52, "hybrid": 0.47}
    >>> found = agreement(one, other)
    >>> round(found.kendall_b, 4), round(found.tau_ap, 4), round(found.rbo.a.ext, 4)
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
