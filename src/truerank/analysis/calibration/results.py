"""Results: what parameters mean, and one list by its length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.analysis.calibration.lengths import Lengths
from truerank.analysis.calibration.meaning import Meaning
from truerank.analysis.keyed import ByMeasure
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions
from truerank.data.errors import InputError

if TYPE_CHECKING:
    from truerank.report.plots.chart import Plot
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class Calibration(ByMeasure[Meaning], Tabular):
    """What measures charge for documents, by measure, and the scores of a list by its length where there is one."""

    kinds = ("measures", "lengths")

    scores: dict[str, Meaning]
    lengths: Lengths | None
    conventions: Conventions
    pays_for: int | None = None
    """What was asked for: the documents that a hit at rank 1 pays for."""
    silence_at: int | None = None
    """What was asked for: the rank at which a lone hit equals silence."""
    notices: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, with the parameters that were asked for."""
        return tuple(self.scores)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a measure; or ``show="lengths"``, one a measure and length."""
        if self.kind(show) == "lengths":
            return self.by_length().to_records()
        return [_flat(one.as_dict()) for one in self.values()]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        from truerank.report.calibrate import said

        return {
            "pays_for": self.pays_for,
            "silence_at": self.silence_at,
            "measures": {name: {**one.as_dict(), "said": said(one)} for name, one in self.items()},
            "lengths": None if self.lengths is None else self.lengths.as_dict(),
            "conventions": self.conventions.as_dict(),
            "notices": list(self.notices),
        }

    def plot(self, *, raw: bool = False, theme: str = "light") -> Plot:
        """Draw the scores of the list by its length, a line a measure, scaled to be seen together or ``raw``."""
        from truerank.report.plots.calibrate import plot_by_length

        labels = {name: one.label for name, one in self.items()}
        return plot_by_length(self.by_length(), labels, raw=raw, theme=theme)

    def by_length(self) -> Lengths:
        """The scores of the list by its length."""
        if self.lengths is None:
            raise InputError("scores by length need a list; give a ranking, or qrels, run and topic")
        return self.lengths

    def _table(self, show: str | None) -> Table:
        from truerank.report.calibrate import calibration_table, lengths_table

        return lengths_table(self) if show == "lengths" else calibration_table(self)

    def __repr__(self) -> str:
        return f"Calibration({', '.join(one.label for one in self.values())})"


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """A record without records inside."""
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if key in ("pays_for", "silence_at"):
            parts = value or {"last": None, "equal": None, "exact": None, "at_least": None}
            flat |= {key: parts["last"], **{f"{key}_{part}": parts[part] for part in ("equal", "exact", "at_least")}}
            flat[f"{key}_any"] = value is not None and value["last"] is None
        elif key == "chances":
            flat[key] = " ".join(f"{chance:.6g}" for chance in value)
        else:
            flat[key] = value
    return flat
