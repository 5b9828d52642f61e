"""Parameters that people's behaviour speaks for: what is found, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import ByMeasure, MeasureAnswer, Sheet
from truerank.report.rows import Row, column
from truerank.report.table import caption

FITTED = Code("TR571", "the value of a parameter that people's behaviour speaks for, with its interval")
AT_END = Code("TR572", "a parameter whose likeliest value is the end of those that were tried")
FEW = Code("TR573", "too few users or topics for an interval to be trusted")
LEFT_OUT = Code("TR574", "observations that were left out, and why")
_TRUSTED = 10
"""Users or topics from which on intervals hold what they say, in simulations."""


class FittedParameter(Row):
    """A parameter of a measure, as people's behaviour has it."""

    measure: str = column("the measure, as it was given")
    parameter: str = column("the parameter")
    value: float = column("the value that makes what was seen likeliest")
    low: float = column("where the interval begins")
    high: float = column("where the interval ends")
    given: float = column("the value that the measure was given with")
    at_end: bool = column("whether the likeliest value is the end of those that were tried")
    log_likelihood: float = column("log of the likelihood for each observation, with the fitted values")
    log_likelihood_given: float = column("the same with the values that were given")
    agrees: float | None = column("share of preferences in which the fitted measure scores the preferred list higher")
    agrees_given: float | None = column("the same with the values that were given")
    strength: float | None = column("by how much the log of the odds of a preference grows for each unit of score")

    brief = ("measure", "parameter", "value", "low", "high", "given", "agrees", "agrees_given")


class PeopleFit(MeasureAnswer[dict[str, FittedParameter]]):
    """Parameters fitted to people: ``found["RBP"]["p"].value``, and ``found.fitted_measures`` with such values."""

    question = "fit"
    sheets = {"parameters": Sheet(FittedParameter, "likeliest values, with intervals", of="fitted")}

    seen: str = column('what was seen: "preferences", "clicks" or "reading"')
    observations: int = column("how many were used")
    clusters: int = column("users or topics that were drawn with replacement for the intervals")
    clustered_by: str = column('"user" or "topic"')
    confidence: float = column("of the intervals")
    resamples: int = column("how often clusters were drawn")
    fitted_measures: tuple[str, ...] = column("the measures with the fitted values")
    fitted: tuple[FittedParameter, ...]

    @cached_property
    def by_name(self) -> ByMeasure[dict[str, FittedParameter]]:
        """Parameters by measure and name."""
        found: dict[str, dict[str, FittedParameter]] = {}
        for row in self.fitted:
            found.setdefault(row.measure, {})[row.parameter] = row
        return ByMeasure(found)

    def caption(self, show: str) -> str:
        """What was used, and how intervals came about."""
        one = {"preferences": "preference", "clicks": "list shown"}.get(self.seen, "reading")
        seen = counted(self.observations, one, {"list shown": "lists shown"}.get(one, f"{one}s"))
        clusters = counted(self.clusters, self.clustered_by)
        drawn = f"{100 * self.confidence:g}% intervals from {self.resamples:,} draws of {clusters}"
        return caption(seen, drawn, conventions=self.conventions.unusual())

    def says(self, show: str) -> Iterator[Note]:
        """Each parameter in a sentence, and what to be careful about."""
        for row in self.fitted:
            said = f"{row.measure}: {row.parameter} = {row.value:.4g} ({row.low:.4g} to {row.high:.4g})"
            if row.agrees is not None and row.agrees_given is not None:
                said += f"; {100 * row.agrees:.0f}% of preferences agree"
                said += f", {100 * row.agrees_given:.0f}% with {row.given:.4g}"
            facts = {"measure": row.measure, "parameter": row.parameter, "value": row.value}
            yield FITTED(said, **facts)
            if row.at_end:
                yield AT_END(
                    f"{row.measure}: {row.parameter} = {row.value:.4g} is the end of the values that were tried; what "
                    "was seen bounds it on one side only",
                    **facts,
                )
        if self.clusters < _TRUSTED:
            few = counted(self.clusters, self.clustered_by)
            yield FEW(
                f"intervals come from {few}; with fewer than {_TRUSTED} they are too narrow", clusters=self.clusters
            )
