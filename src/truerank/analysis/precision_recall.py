"""Precision against recall, of one topic or on average."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from truerank.analysis.tradeoffs.reading import Reader, each_run
from truerank.analysis.tradeoffs.recall import RecallCurve, recall_curve
from truerank.analysis.tradeoffs.results import PrecisionRecall
from truerank.conventions.presets import chosen
from truerank.measures.ap import AP
from truerank.measures.iprec import IPrecAvg

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given


def precision_recall(
    qrels: Any,
    runs: Any,
    *,
    topic: str | None = None,
    rel: float = 1,
    points: int = 11,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> PrecisionRecall:
    """Give interpolated precision at recall levels, with the break-even point.

    Judgments, runs and conventions are given as to ``evaluate``. With a ``topic`` it is the curve of that one, which
    also has precision and recall at every depth; otherwise a mean over topics at each level. ``points`` levels are
    evenly spaced from 0 to 1; documents are relevant whose grade is at least ``rel``.

    >>> found = precision_recall({"q1": {"a": 1, "c": 1}}, {"q1": ["a", "b", "c"]}, points=3)
    >>> found["run"].precision.round(4).tolist(), found["run"].break_even
    ([1.0, 1.0, 0.6667], 0.5)
    """
    choice = chosen(given)
    IPrecAvg(points=points, rel=rel)  # It refuses what are no levels, and no grade.
    found: dict[str, RecallCurve] = {}

    def made(reader: Reader) -> None:
        alone = len(reader.views.judged.qrels.topics) == 1 or topic is not None
        found[reader.name] = recall_curve(reader, rel=rel, points=points, alone=alone)
        if progress is not None:
            progress(reader.name)

    topics, notices = each_run(qrels, runs, choice, (AP(rel=rel),), topic, made)
    return PrecisionRecall(found, rel, topics, choice, notices)
