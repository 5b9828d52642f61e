"""The question: what do parameters mean, and which does people's behaviour speak for?"""

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
    from truerank.track.track import Progress

USUAL = "FlatU RBPU DCGU RBU ERRU OIE"
TO_FIT = "RBP"
"""The measure that is fitted if none is named."""
LONGEST = 10**7
"""Documents of a list that what they cost is found for."""
RULES = AxisRules(
    fixed={"ending": "none", "limit": None, "missing": "empty", "no_relevant": "nan", "relevant": "judgments"},
    refused=one_number("a curve has one at each length"),
)


@question(RULES)
def calibrate(
    measures: Measures = USUAL,
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
    qrels: Annotated[
        Any, Option("Judgments of the lists that people saw, or of one to score at every length.", metavar="QRELS")
    ] = None,
    run: Annotated[
        Any,
        Option("The runs that have these lists; repeatable for people.", metavar="RUN", many=True, holds="runs"),
    ] = None,
    topic: Annotated[str | None, Option("The topic of a list to score at every length.", metavar="TOPIC")] = None,
    preferences: Annotated[
        Any, Option("Which of two lists people preferred: topic, run, run, preferred or tie, user.", metavar="FILE")
    ] = None,
    clicks: Annotated[
        Any, Option("What people clicked: topic, run, ranks such as 1,3 or -, user.", metavar="FILE")
    ] = None,
    reading: Annotated[
        Any, Option("How far people read: topic, run, documents or seconds, user.", metavar="FILE")
    ] = None,
    seconds: Annotated[
        float | None, Option("Seconds that a document takes, where reading is given in seconds.", metavar="S")
    ] = None,
    shown: Annotated[int, Option("Documents that a page of results shows, for clicks.", metavar="N", least=1)] = 10,
    parameter: Annotated[
        Any, Option("A parameter to fit: p, e, beta or T; repeatable. Default: all it has.", metavar="NAME", many=True)
    ] = (),
    confidence: Annotated[float, Option("Of the intervals.", least=0.5, most=0.999)] = 0.95,
    resamples: Annotated[int, Option("Draws of users or topics for the intervals.", metavar="N", least=100)] = 400,
    seed: Annotated[int, Option("Of the draws.", least=0)] = 0,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Calibration:
    """Translate a measure's parameters into user behaviour, and back.

    Silence is the empty list. A hit at rank 1 pays for n documents if its list, the hit and n - 1 documents without
    relevance, is no worse than silence. A lone hit at a rank has only such documents above it, and nothing below.

    With one of --preferences, --clicks and --reading, p, e, beta or T is fitted to what people did, with intervals. A
    header line may name the columns, and the user is optional. One of two lists is preferred by the odds of their
    difference in score (Bradley & Terry). A document is clicked if it is examined, as likely as the measure's readers
    come to it, and by a chance that its grade has. Readers go on after each document as the measure says. Intervals
    come from drawing users, or topics if no user is named, with replacement. Clicks and reading tell p and T; e and
    beta take preferences.

    Example:
      truerank calibrate -m "RBPU(p=0.8) OIE(size=20000)"
      truerank calibrate --silence-at 20
      truerank calibrate -m "RBU(p=0.98) DCGU" --ranking "0^10 1^90" --plot lengths.svg
      truerank calibrate -m RBPU --preferences sidebyside.tsv --qrels qrels.txt --run a.run --run b.run
      truerank calibrate -m "RBP INSQ" --clicks clicks.tsv --shown 10 --qrels qrels.txt --run a.run

    In Python, ``pays_for`` is a number of documents: the parameter is then the one with which a hit at rank 1, followed
    by documents without relevance, scores the same as silence when there are so many. ``silence_at`` is a rank: the one
    with which a lone hit at that rank, and nothing after it, scores the same as silence. Without either, parameters are
    taken as they are, or fitted to people.

    A hit has ``grade``, by default 1, in a collection whose highest is ``max_grade``; each measure maps it to a gain as
    it always does. For OIE the collection has ``num_rel`` relevant documents, by default the hit alone, and ``size``
    documents; of several sizes each is tried.

    A list to score at every length is given as a ``ranking`` such as "0^10 1^90" (ten documents of grade 0, then ninety
    of grade 1; ``num_rel`` counts those that it lacks), or as the ``topic`` of a ``run`` with ``qrels``, read under the
    conventions of ``evaluate``. ``max_grade`` is then by default that of the list or of the judgments.

    ``preferences``, ``clicks`` and ``reading`` are a path or rows, such as ("q1", "a", "b", "a"), ("q1", "a", [1, 3])
    and ("q1", "a", 7), about the lists of ``run``: one run, a list of runs, or a dict from names to runs.

    >>> found = calibrate("FlatU RBPU(p=0.8)")
    >>> found["FlatU"].pays_for.last, found["RBPU"].pays_for.last, found["RBPU"].silence_at.last
    (20, inf, 8)
    >>> calibrate("RBPU(p=0.8) OIE(size=20000)", silence_at=20)
    Calibration(RBPU(e=0.0029159), OIE(beta=1.0464,size=20000))
    >>> calibrate("RBU(p=0.98)", ranking="0^10 1^90").lengths.best
    {'RBU(p=0.98)': 14}
    >>> qrels, run = {"q1": {"x": 1}, "q2": {"y": 1}}, {"q1": ["x", "u", "v", "w"], "q2": ["u", "y", "v", "w"]}
    >>> read = [("q1", "a", 1), ("q2", "a", 2), ("q1", "a", 3)]
    >>> found = calibrate("RBP", reading=read, qrels=qrels, run={"a": run})
    >>> round(found.fitted[0].value, 2)  # six documents were read, and readers stopped three times
    0.5
    """
    from truerank.questions.calibrate.lengths import given_list
    from truerank.questions.calibrate.people import ClusterDraws, PeopleData, fitted
    from truerank.questions.calibrate.work import Aim, calibrated, refuse_numbers, sized
    from truerank.track.track import Track, refuse_measures

    seen = PeopleData.of({"preferences": preferences, "clicks": clicks, "reading": reading}, seconds, parameter)
    choice, aim = RULES.chosen(given), Aim.of(pays_for, silence_at)
    wanted = sized(TO_FIT if seen is not None and measures == USUAL else measures, size)
    refuse_measures(wanted, choice)
    refuse_numbers(grade, max_grade, num_rel)
    fit, of_run = None, (qrels, run, topic)
    if seen is not None:
        seen.refuse(aim is not None, qrels, run)
        draws = ClusterDraws.of(resamples, confidence, seed)
        fit = fitted(Track.of(qrels, run, wanted, given, RULES), seen, draws, shown=shown, progress=progress)
        wanted = fit.measures
        of_run = of_run if topic is not None else (None, None, None)
    listed = given_list(ranking, *of_run, grade=grade, num_rel=num_rel, max_grade=max_grade)
    rel = 1 if num_rel is None else num_rel
    return calibrated(wanted, aim, listed, choice, grade=grade, max_grade=max_grade, num_rel=rel, fit=fit)
