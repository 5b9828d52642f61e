"""The question: what do e and beta mean?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.questions.calibrate.answer import Calibration
from truerank.questions.signature import Measures, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given

LONGEST = 10**7
"""Documents of a list that what they cost is found for."""
RULES = AxisRules(
    fixed={"ending": "none", "limit": None, "missing": "empty", "no_relevant": "nan", "relevant": "judgments"},
    refused=one_number("a curve has one at each length"),
)


@question(RULES)
def calibrate(
    measures: Measures = "FlatU RBPU DCGU RBU ERRU OIE",
    *,
    pays_for: Annotated[
        int | None, Option("Documents that a hit at rank 1 is to pay for.", metavar="N", least=1, most=LONGEST)
    ] = None,
    silence_at: Annotated[
        int | None, Option("Rank where a lone hit is to equal silence.", metavar="RANK", least=1, most=LONGEST)
    ] = None,
    grade: Annotated[float, Option("Grade of the hit.")] = 1,
    max_grade: Annotated[
        float | None, Option("Highest grade of the collection. Default: that of the hit or the list.")
    ] = None,
    num_rel: Annotated[int | None, Option("Relevant documents of the collection.", metavar="R", least=1)] = None,
    size: Annotated[
        int | Iterable[int] | None,
        Option("Documents of the collection, for OIE; repeatable.", metavar="N", least=2, most=inf, many=True),
    ] = None,
    ranking: Annotated[
        str | Sequence[float] | None,
        Option("A list to score at every length, such as '0^10 1^90' or 00101.", metavar="GRADES"),
    ] = None,
    qrels: Annotated[Any, Option("Judgments of a list to score at every length.", metavar="QRELS")] = None,
    run: Annotated[Any, Option("The run that has the list.", metavar="RUN")] = None,
    topic: Annotated[str | None, Option("The topic of the list.", metavar="TOPIC")] = None,
    **given: Unpack[Given],
) -> Calibration:
    """Say what e or beta means, or find the value that means what is wanted.

    Silence is the empty list. A hit at rank 1 pays for n documents if its list, the hit and n - 1 documents without
    relevance, is no worse than silence. A lone hit at a rank has only such documents above it, and nothing below.

    Example:
      truerank calibrate -m "RBPU(p=0.8) OIE(size=20000)"
      truerank calibrate --silence-at 20
      truerank calibrate -m "RBU(p=0.98) DCGU" --ranking "0^10 1^90" --plot lengths.svg

    In Python, ``pays_for`` is a number of documents: the parameter is then the one with which a hit at rank 1, followed
    by documents without relevance, scores the same as silence when there are so many. ``silence_at`` is a rank: the one
    with which a lone hit at that rank, and nothing after it, scores the same as silence. Without either, parameters are
    taken as they are.

    A hit has ``grade``, by default 1, in a collection whose highest is ``max_grade``; each measure maps it to a gain as
    it always does. For OIE the collection has ``num_rel`` relevant documents, by default the hit alone, and ``size``
    documents; of several sizes each is tried.

    A list to score at every length is given as a ``ranking`` such as "0^10 1^90" (ten documents of grade 0, then ninety
    of grade 1; ``num_rel`` counts those that it lacks), or as the ``topic`` of a ``run`` with ``qrels``, read under the
    conventions of ``evaluate``. ``max_grade`` is then by default that of the list or of the judgments.

    >>> found = calibrate("FlatU RBPU(p=0.8)")
    >>> found["FlatU"].pays_for.last, found["RBPU"].pays_for.last, found["RBPU"].silence_at.last
    (20, inf, 8)
    >>> calibrate("RBPU(p=0.8) OIE(size=20000)", silence_at=20)
    Calibration(RBPU(e=0.0029159), OIE(beta=1.0464,size=20000))
    >>> calibrate("RBU(p=0.98)", ranking="0^10 1^90").lengths.best
    {'RBU(p=0.98)': 14}
    """
    from truerank.questions.calibrate.lengths import given_list
    from truerank.questions.calibrate.work import Aim, calibrated, refuse_numbers, sized
    from truerank.track.track import refuse_measures

    choice, wanted, aim = RULES.chosen(given), sized(measures, size), Aim.of(pays_for, silence_at)
    refuse_measures(wanted, choice)
    refuse_numbers(grade, max_grade, num_rel)
    listed = given_list(ranking, qrels, run, topic, grade=grade, num_rel=num_rel, max_grade=max_grade)
    return calibrated(
        wanted, aim, listed, choice, grade=grade, max_grade=max_grade, num_rel=1 if num_rel is None else num_rel
    )
