"""Hits against false alarms, of one topic or on average."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from truerank.analysis.tradeoffs.reading import Reader, each_run
from truerank.analysis.tradeoffs.results import Roc
from truerank.analysis.tradeoffs.roc import RocCurve, roc_curve
from truerank.conventions.presets import chosen
from truerank.measures.auc import AUC

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Given


def roc(
    qrels: Any,
    runs: Any,
    *,
    topic: str | None = None,
    rel: float = 1,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Given],
) -> Roc:
    """Give receiver operating characteristics, with the area under each.

    Judgments, runs and conventions are given as to ``evaluate``. The documents are all relevant ones, and those of the
    list that are not; a relevant document that was not retrieved stands below all others. With a ``topic`` it is the
    curve of that one, otherwise a mean over topics at equal shares of false alarms.

    >>> found = roc({"q1": {"a": 1, "c": 1}}, {"q1": ["a", "b", "c", "d"]})
    >>> found["run"].fpr.tolist(), found["run"].tpr.tolist(), found["run"].auc
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    choice, measure = chosen(given), AUC(rel=rel)
    found: dict[str, RocCurve] = {}

    def made(reader: Reader) -> None:
        found[reader.name] = roc_curve(reader, rel=rel)
        if progress is not None:
            progress(reader.name)

    topics, notices = each_run(qrels, runs, choice, (measure,), topic, made)
    return Roc(found, rel, topics, choice, notices)
