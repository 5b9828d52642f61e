"""The question: what is given up for what? Precision for recall, false positives for true positives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Generic, TypeVar

from truerank.conventions.axes import Conventions
from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Engines, Judgments, Runs, question
from truerank.report.answer import PLOT, Answer, ByName, Keyed, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import Cell, Column, Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

MEETS = Code(
    "TR381",
    "where precision and recall are equal, and of one topic where F1 is highest",
    "{run}: precision and recall are both {break_even:.4f} after as many documents as there are relevant ones; "
    "interpolated, they meet at {crossing:.4f}[; F1 is highest, {f1:.4f}, after {depth:document} (precision "
    "{precision:.4f}, recall {recall:.4f})]",
)
SAMPLED = Code(
    "TR382",
    "runs of which interpolated precision is that of a sample of the orders of ties",
    "orders of ties were sampled for interpolated precision in {sampled} of {runs:run}",
)
CHANCE = Code(
    "TR383",
    "the probability that a relevant document is ranked above another, and how many are not in the list",
    "{run}: a relevant document is ranked above one that is not with probability {auc:.4f}[: {discordant:,g} of "
    "{pairs:,g} pairs are in the wrong order][; {missing:%} of the relevant documents are not in the list]",
)

BREAK_EVEN = "interpolated precision at recall levels; break-even: where precision and recall are equal"
RATES = (
    "true positive rate at a false positive rate: the share of relevant documents read when that share of the others "
    "has been; others: documents judged non-relevant, or with a size all that are not relevant"
)
FALSE_POSITIVE_RATES = (0.01, 0.05, 0.1, 0.2, 0.5)
"""At which true positive rates are shown."""
NAMED = 3
"""Runs that have a note each."""
FEW = 4
"""Runs that have columns of their own."""
LEVELS = 5
"""Steps between the recall levels that are shown of more."""


class RecallPoint(Row):
    """Interpolated precision of a run at a recall level."""

    run: str = column("the run")
    recall: float = column("the recall level")
    precision: float = column("the highest precision at that recall or past it; of several topics the mean")


class DepthPoint(Row):
    """A list cut after so many documents, as a set; means over the orders of ties."""

    run: str = column("the run")
    depth: int = column("where the list is cut")
    recall: float = column("share of the relevant documents that are above")
    precision: float = column("share of relevant documents among those above")
    f1: float = column("harmonic mean of both")


class RecallCurve(Row, eq=False):
    """Interpolated precision of a run at recall levels: the highest precision at that recall or past it."""

    run: str = column("the run")
    break_even: float = column(
        "precision after R documents, R the number of relevant ones, where it equals recall: R-precision",
        head="break-even",
        best="high",
    )
    crossing: float = column("where interpolated precision equals recall")
    average: float = column("average precision", head="AP", best="high")
    sampled: int = column(
        "topics in which not all orders of ties could be tried, so that interpolated precision is that of a sample"
    )

    recall: Floats
    """The levels, evenly spaced from 0 to 1."""
    precision: Floats
    """A mean over topics, as the measure IPrec has it."""
    every: tuple[tuple[float, float], ...] = ()
    """Of one topic: interpolated precision at every recall level that there is, 1/R, 2/R, ..., 1."""
    depths: tuple[DepthPoint, ...] = ()
    """Of one topic: precision and recall at every depth."""

    brief = ("run", "at_levels", "break_even", "average")

    @derived(spread="at {}", best="high")
    def at_levels(self) -> dict[str, float]:
        """Interpolated precision at recall {}."""
        shown = range(0, len(self.recall), max((len(self.recall) - 1) // LEVELS, 1))
        return {f"{self.recall[index]:.2g}": float(self.precision[index]) for index in shown}

    @property
    def best(self) -> DepthPoint | None:
        """Of one topic, the depth with the highest F1; of several the first."""
        return max(self.depths, key=lambda at: at.f1, default=None)

    @property
    def area(self) -> float:
        """What runs are ordered by: average precision."""
        return self.average


class RocPoint(Row):
    """A point of the curve of a run."""

    run: str = column("the run")
    fpr: float = column("false positive rate: share of the documents without relevance that have been read")
    tpr: float = column("true positive rate: share of the relevant documents that have been read by then")


class RocCurve(Row, eq=False):
    """Shares of relevant documents against shares of the others, as a list is read from the top down.

    The others are the documents judged non-relevant; with a size, all documents of the collection that are not
    relevant. Documents that were not retrieved are tied below the list. Tied documents make a slope.
    """

    run: str = column("the run")
    auc: float = column("the area under the curve, as the measure AUC has it", head="AUC", best="high")
    mean_relevant: float = column("relevant documents, a mean over topics", form="short", head="relevant")
    mean_others: float = column(
        "other documents that count, a mean over topics: those judged non-relevant, or with a size all of them",
        form="short",
        head="others",
    )
    discordant: float = column(
        "pairs of a relevant document and another one in the wrong order, a tie a half, a mean over topics: the area "
        "between the ideal and the actual curve of relevant documents over ranks",
        form="short",
    )

    retrieved: float
    """Share of relevant documents that the list has, a mean over topics."""
    fpr: Floats
    """Share of the others that have been read."""
    tpr: Floats
    """Share of relevant documents that have been read; over several topics a mean at the same ``fpr``."""

    brief = ("run", "auc", "tpr_at", "mean_relevant", "mean_others", "discordant")

    @derived(spread="at {}", best="high")
    def tpr_at(self) -> dict[str, float]:
        """True positive rate at a false positive rate of {}."""
        return {f"{rate:g}": self.at(rate) for rate in FALSE_POSITIVE_RATES}

    def at(self, fpr: float) -> float:
        """True positive rate at a false positive rate; NaN if there is no curve."""
        import numpy as np

        from truerank.questions.curves.roc import height_at

        return float(height_at(self.fpr, self.tpr, np.array([fpr]))[0]) if len(self.fpr) else float("nan")

    @property
    def area(self) -> float:
        """What runs are ordered by: the area under the curve."""
        return self.auc


CurveRow = TypeVar("CurveRow", RecallCurve, RocCurve)


class Tradeoff(Keyed[CurveRow], Answer, Generic[CurveRow]):
    """Curves of runs, each of one topic or a mean over topics."""

    question = "curves"
    files = {"plot": PLOT}

    conventions: Conventions = column("the conventions that lists were read under")
    rel: float = column("the grade from which on a document is relevant")
    topics: tuple[str, ...] = column("the topics that were averaged over")
    curves: tuple[CurveRow, ...]

    @cached_property
    def runs(self) -> Mapping[str, CurveRow]:
        return ByName({one.run: one for one in self.curves})

    @property
    def by_name(self) -> Mapping[str, CurveRow]:
        return self.runs

    @property
    def alone(self) -> bool:
        """Whether it is about one topic, of which more is known."""
        return len(self.topics) == 1

    @property
    def best_first(self) -> list[CurveRow]:
        """The curves, the largest area first; undefined ones last."""
        return sorted(self.curves, key=lambda one: (one.area != one.area, -one.area))

    def caption(self, show: str) -> str:
        """Of which topics it is, and the conventions that are not the usual ones."""
        of = [f"topic {self.topics[0]}" if self.alone else f"mean over {counted(len(self.topics), 'topic')}"]
        if self.rel != 1:
            of.append(f"relevant from grade {self.rel:g} on")
        of += self._documents()
        return caption(*of, conventions=self.conventions.unusual())

    def _documents(self) -> list[str]:
        return []

    def __repr__(self) -> str:
        return f"{type(self).__name__}({counted(len(self), 'run')}, {counted(len(self.topics), 'topic')})"


class PrecisionRecall(Tradeoff[RecallCurve]):
    """Precision of runs at recall levels."""

    sheets = {
        "curve": Sheet(
            RecallPoint,
            "points of the curves",
            meaning=BREAK_EVEN,
        ),
        "every": Sheet(
            RecallPoint,
            "of one topic, precision at every recall level that there is",
            meaning="interpolated precision at recall levels",
        ),
        "depths": Sheet(
            DepthPoint,
            "of one topic, precision and recall at every depth",
            meaning="precision and recall of the list cut at every depth",
        ),
        "runs": Sheet(
            RecallCurve,
            "one row per run",
            of="best_first",
            meaning=BREAK_EVEN,
        ),
    }

    @property
    def curve(self) -> list[RecallPoint]:
        """Interpolated precision of each run at the recall levels."""
        return [
            RecallPoint(run=one.run, recall=recall, precision=precision)
            for one in self.curves
            for recall, precision in zip(one.recall.tolist(), one.precision.tolist(), strict=True)
        ]

    @property
    def every(self) -> list[RecallPoint]:
        """Of one topic, interpolated precision of each run at every recall level that there is."""
        return [
            RecallPoint(run=one.run, recall=recall, precision=precision)
            for one in self.curves
            for recall, precision in one.every
        ]

    @property
    def depths(self) -> list[DepthPoint]:
        """Of one topic, precision and recall of each run at every depth."""
        return [at for one in self.curves for at in one.depths]

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Of few runs a column each, of more a row each."""
        if show != "curve":
            return super().layout(show)
        return self._columns() if len(self) <= FEW else super().layout("runs")

    def _columns(self) -> Table:
        """One row per recall level, one column per run."""
        levels = [f"{level:.2f}" for level in self.curves[0].recall.tolist()]
        rows: list[tuple[Cell, ...]] = [
            (level, *(float(one.precision[place]) for one in self.curves)) for place, level in enumerate(levels)
        ]
        rows.append(("break-even", *(one.break_even for one in self.curves)))
        rows.append(("AP", *(one.average for one in self.curves)))
        columns = (Column("recall", whole=True), *(Column(run, number=True) for run in self))
        return Table(columns, tuple(rows))

    def own_notes(self, show: str) -> Iterator[Note]:
        for one in self.best_first[:NAMED]:
            best = one.best if one.best is not None and one.best.f1 > 0 else None
            yield MEETS(
                run=one.run,
                break_even=one.break_even,
                crossing=one.crossing,
                depth=None if best is None else best.depth,
                f1=None if best is None else best.f1,
                precision=None if best is None else best.precision,
                recall=None if best is None else best.recall,
            )
        sampled = sum(one.sampled > 0 for one in self.curves)
        if sampled:
            yield SAMPLED(sampled=sampled, runs=len(self))

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """A figure with one line per run, the break-even points, and contours of equal F1."""
        from truerank.questions.curves.figure import plot_precision_recall

        return plot_precision_recall(self, theme=theme)


class Roc(Tradeoff[RocCurve]):
    """Receiver operating characteristics of runs."""

    size: int | None = column("the number of documents in the collection; None if the judged documents count")

    sheets = {
        "curve": Sheet(
            RocPoint,
            "points of the curves",
            meaning=RATES,
        ),
        "runs": Sheet(
            RocCurve,
            "one row per run",
            of="best_first",
            meaning=RATES,
        ),
    }

    def _documents(self) -> list[str]:
        return [] if self.size is None else [f"collection of {self.size:,} documents"]

    @property
    def curve(self) -> list[RocPoint]:
        return [
            RocPoint(run=one.run, fpr=fpr, tpr=tpr)
            for one in self.curves
            for fpr, tpr in zip(one.fpr.tolist(), one.tpr.tolist(), strict=True)
        ]

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """One row per run, with a few of the points."""
        return super().layout("runs")

    def own_notes(self, show: str) -> Iterator[Note]:
        for one in self.best_first[:NAMED]:
            if one.auc != one.auc or not len(one.tpr):
                continue
            yield CHANCE(
                run=one.run,
                auc=one.auc,
                discordant=one.discordant,
                pairs=one.mean_relevant * one.mean_others if self.alone else None,
                retrieved=one.retrieved,
                missing=1 - one.retrieved if one.retrieved < 1 else None,
            )

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """A figure with one line per run, and that of chance; of one topic also relevant documents over ranks."""
        from truerank.questions.curves.figure import plot_roc

        return plot_roc(self, theme=theme)


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
    from truerank.questions.curves.recall import measure, score_run, summarise
    from truerank.questions.curves.topics import chosen
    from truerank.track.track import Track

    track = Track.of(qrels, runs, measure(rel, points), given, RULES, engine=engine)
    only = chosen(track, topic)
    return summarise(track, track.each(score_run, progress=progress, only=only, rel=rel, points=points), only, rel)


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
    from truerank.questions.curves.roc import score_run, summarise
    from truerank.questions.curves.topics import chosen
    from truerank.track.track import Track

    track = Track.of(qrels, runs, AUC(rel=rel, size=size), given, RULES, engine=engine)
    only = chosen(track, topic)
    return summarise(track, track.each(score_run, progress=progress, only=only), only)


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
    """Show precision against recall, or a ROC curve.

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
