"""Results: curves of runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from truerank.analysis.keyed import ByRun
from truerank.analysis.tabular import Tabular
from truerank.analysis.tradeoffs.recall import RecallCurve
from truerank.analysis.tradeoffs.roc import RocCurve
from truerank.conventions.choices import Conventions
from truerank.data.errors import InputError
from truerank.data.printing import counted

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


Curve = TypeVar("Curve", RecallCurve, RocCurve)


@dataclass(frozen=True, eq=False, repr=False)
class _Curves(ByRun[Curve], Tabular):
    """Curves of runs, each of one topic or a mean over topics."""

    runs: dict[str, Curve]
    rel: float
    topics: tuple[str, ...]
    """The topics that were averaged over."""
    conventions: Conventions
    notices: tuple[str, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether it is about one topic, of which more is known."""
        return len(self.topics) == 1

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "rel": self.rel,
            "topics": list(self.topics),
            "runs": {name: one.as_dict() for name, one in self.items()},
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({counted(len(self.runs), 'run')}, {counted(len(self.topics), 'topic')})"


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecall(_Curves[RecallCurve]):
    """Precision of runs at recall levels."""

    kinds = ("curve", "every", "depths")

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run and recall level; of one topic also ``show="every"`` level there is, or "depths"."""
        self.kind(show)
        if show in ("every", "depths") and not self.alone:
            raise InputError(f"show={show!r} is of one topic; choose topic=")
        if show == "depths":
            return [{"run": name, **vars(at)} for name, one in self.items() for at in one.depths]
        return [
            {"run": name, "recall": recall, "precision": precision}
            for name, one in self.items()
            for recall, precision in (
                one.every if show == "every" else zip(one.recall.tolist(), one.precision.tolist(), strict=True)
            )
        ]

    def plot(self, *, theme: str = "light") -> Plot:
        """A figure with a line a run, the break-even points, and contours of equal F1."""
        from truerank.report.plots.tradeoffs import plot_precision_recall

        return plot_precision_recall(self, theme=theme)

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.tradeoffs import recall_table

        return recall_table(self, show)


@dataclass(frozen=True, eq=False, repr=False)
class Roc(_Curves[RocCurve]):
    """Receiver operating characteristics of runs."""

    kinds = ("curve",)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run and point of its curve."""
        self.kind(show)
        return [
            {"run": name, "fpr": fpr, "tpr": tpr}
            for name, one in self.items()
            for fpr, tpr in zip(one.fpr.tolist(), one.tpr.tolist(), strict=True)
        ]

    def plot(self, *, theme: str = "light") -> Plot:
        """A figure with a line a run, and that of chance."""
        from truerank.report.plots.tradeoffs import plot_roc

        return plot_roc(self, theme=theme)

    def _table(self, show: str | None) -> Table:
        from truerank.report.tradeoffs import roc_table

        return roc_table(self)
