"""The question: what is given up for what? Precision for recall, false positives for true positives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.questions.curves.answer import PrecisionRecall, Roc
from truerank.questions.signature import Engines, Judgments, Runs, question
from truerank.report.signature import Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.track.track import Progress

RULES = AxisRules(fixed={"ending": "none", "limit": None}, refused=one_number("a point of a curve has one"))

KINDS = ("precision-recall", "roc")
Topic = Annotated[str | None, Option("The curve of this topic only. Default: a mean over topics.")]
Grade = Annotated[float, Option("Grade from which on a document is relevant.")]
Size = Annotated[
    int | None,
    Option(
        "For roc: documents in the collection, all of which count. Default: the judged documents count.",
        metavar="N",
        least=1,
    ),
]
Points = Annotated[int, Option("How many recall levels.", metavar="N", least=2)]


@question(RULES)
def precision_recall(
    qrels: Judgments,
    runs: Runs,
    *,
    topic: Topic = None,
    rel: Grade = 1,
    points: Points = 11,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> PrecisionRecall:
    """Give interpolated precision at recall levels, with the break-even point.

    Judgments, runs and conventions are given as to ``evaluate``. With a ``topic`` it is the curve of that one, which
    also has precision and recall at every depth; otherwise a mean over topics at each level. ``points`` levels are
    evenly spaced from 0 to 1; documents are relevant whose grade is at least ``rel``.

    >>> curves = precision_recall({"q1": {"a": 1, "c": 1}}, {"q1": ["a", "b", "c"]}, points=3)
    >>> curves["run"].precision.round(4).tolist(), curves["run"].break_even
    ([1.0, 1.0, 0.6667], 0.5)
    """
    from truerank.questions.curves.recall import conclude, look, measure
    from truerank.questions.curves.topics import chosen
    from truerank.track.track import Track

    track = Track.of(qrels, runs, measure(rel, points), given, RULES, engine=engine)
    only = chosen(track, topic)
    return conclude(track, track.each(look, progress=progress, only=only, rel=rel, points=points), only, rel)


@question(RULES)
def roc(
    qrels: Judgments,
    runs: Runs,
    *,
    topic: Topic = None,
    rel: Grade = 1,
    size: Size = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Roc:
    """Give receiver operating characteristics, with the area under each.

    Judgments, runs and conventions are given as to ``evaluate``. The documents are the judged ones; with ``size``, the
    number of documents in the collection, they are all of these, and unjudged ones are not relevant. Documents that
    were not retrieved are tied below the list, so that the diagonal is a random order. With a ``topic`` it is the curve
    of that one, otherwise a mean over topics at equal shares of false positives.

    >>> curves = roc({"q1": {"a": 1, "c": 1}}, {"q1": ["a", "b", "c", "d"]}, size=4)
    >>> curves["run"].fpr.tolist(), curves["run"].tpr.tolist(), curves["run"].auc
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    from truerank.measures.auc import AUC
    from truerank.questions.curves.roc import conclude, look
    from truerank.questions.curves.topics import chosen
    from truerank.track.track import Track

    track = Track.of(qrels, runs, AUC(rel=rel, size=size), given, RULES, engine=engine)
    only = chosen(track, topic)
    return conclude(track, track.each(look, progress=progress, only=only), only)


@question(RULES)
def curves(
    qrels: Judgments,
    runs: Runs,
    *,
    kind: Annotated[
        str,
        Option("Interpolated precision at recall levels, or the receiver operating characteristic.", choices=KINDS),
    ] = KINDS[0],
    topic: Topic = None,
    rel: Grade = 1,
    size: Size = None,
    points: Points = 11,
    show: str | None = None,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> PrecisionRecall | Roc:
    """Give precision against recall, or true against false positives, of one topic or on average.

    Interpolated precision is the highest at that recall or past it. At the break-even point precision and recall are
    equal. The figure has curves of equal F1 behind the lines.

    Example:
      truerank curves qrels.txt bm25.run dense.run --plot pr.svg
      truerank curves qrels.txt bm25.run --topic 401 --show depths
      truerank curves qrels.txt bm25.run --kind roc --plot roc.svg
      truerank curves qrels.txt bm25.run --kind roc --size 528155

    In Python, ``precision_recall`` and ``roc`` are the two kinds.

    >>> curves({"q1": {"a": 1, "b": 0}}, {"q1": ["b", "a"]}, kind="roc")["run"].auc
    0.0
    """
    if kind == "roc":
        if show not in (None, *Roc.sheets):
            raise InputError(f"show={show!r} is of precision and recall; leave out kind='roc'")
        return roc(qrels, runs, topic=topic, rel=rel, size=size, engine=engine, progress=progress, **given)
    if size is not None:
        raise InputError("size is the number of documents that a ROC curve is over; add kind='roc', or leave out size")
    answer = precision_recall(
        qrels, runs, topic=topic, rel=rel, points=points, engine=engine, progress=progress, **given
    )
    if show in ("every", "depths") and not answer.alone:
        raise InputError(f"show={show!r} is of one topic; choose topic=")
    return answer
